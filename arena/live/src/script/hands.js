// The pieces that a side has in hand.

import { figureOf, piecesOf } from "./board.js";
import { element } from "./dom.js";

/** What a side has in hand: a piece of each kind, with its number. */
export function handOf(text, board) {
  const kinds = [...text.matchAll(/([^\d])(\d+)/g)];
  if (kinds.length === 0) return [];
  const tokens = kinds.flatMap(([, sign, number]) => {
    const [piece] = piecesOf(sign, board);
    return [figureOf(piece, board, { width: 22, height: 22, "aria-hidden": "true" }), element("span", { "aria-hidden": "true" }, `× ${number}`)];
  });
  return [element("span", { class: "hand" }, element("span", { class: "unseen" }, `in hand: ${text}`), tokens)];
}
