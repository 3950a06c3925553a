// The pieces that a side has in hand.

import { piecesOf, token } from "./board.js";
import { drawn, element } from "./dom.js";

/** What a side has in hand: a piece of each kind, with its number. */
export function handOf(text, board) {
  const kinds = [...text.matchAll(/([^\d])(\d+)/g)];
  if (kinds.length === 0) return [];
  const tokens = kinds.flatMap(([, sign, number]) => {
    const [piece] = piecesOf(sign, board);
    return [drawn("svg", { viewBox: "-42 -42 84 84", width: 22, height: 22, "aria-hidden": "true" }, token(piece, 37)), element("span", { "aria-hidden": "true" }, `× ${number}`)];
  });
  return [element("span", { class: "hand" }, element("span", { class: "unseen" }, `in hand: ${text}`), tokens)];
}
