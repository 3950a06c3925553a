// The pictures in a text for players: a board before a move, and after it.

import { BoardDrawing } from "./board.js";
import { element } from "./dom.js";
import { placesNamed } from "./notation.js";
import { positionsOf } from "./replay-data.js";

/** Draws the pictures below `root` that are not drawn yet. */
export function drawPictures(root) {
  for (const figure of root.querySelectorAll("figure[data-picture]")) {
    const { board: idx, heights, changes, moves } = JSON.parse(figure.dataset.picture);
    const board = JSON.parse(figure.closest("[data-boards]").dataset.boards)[idx];
    delete figure.dataset.picture;
    const [before, after] = positionsOf(board, changes).map((position, ply) => {
      const drawing = new BoardDrawing(board, heights, false);
      const [named, ...earlier] = ply === 0 ? [[]] : moves.map((move) => placesNamed(move, board)).reverse();
      drawing.show({ ...position, named, earlier, won: [], label: ply === 0 ? `Before ${moves.join(" ")}` : `After ${moves.join(" ")}` });
      return element("div", { class: "board" }, drawing.svg);
    });
    figure.prepend(element("div", {}, before, element("span", { "aria-hidden": "true" }, "→"), after));
  }
}
