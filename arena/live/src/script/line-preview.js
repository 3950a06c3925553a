// The small board that shows the position to which a line of an engine leads, beside the move that is pointed at.

import { placesOf } from "./arrows.js";
import { BoardDrawing } from "./board.js";
import { byId, element } from "./dom.js";

/** The pointer rests so long on a move before its position is asked for. */
const REST_MS = 120;
/** The space between the move and the board, and around the board. */
const GAP = 8;

export class LinePreview {
  /** `ask` is called with a node of the tree and moves from it; the answer is given to `hear`. */
  constructor(ask) {
    Object.assign(this, { ask, box: byId("line-preview"), wanted: null });
    addEventListener("scroll", () => this.hide(), { passive: true, capture: true });
  }

  /** Shows the position after these moves at the button of the last one. */
  show(node, moves, anchor) {
    this.hide();
    this.wanted = { node, moves, anchor };
    this.timer = setTimeout(() => this.ask(node, moves), REST_MS);
  }

  /** A position has come. */
  hear({ node, moves, scene }, { board, heights }, isFlipped) {
    const { wanted } = this;
    if (wanted === null || wanted.node !== node || wanted.moves.join(" ") !== moves.join(" ")) return;
    const { anchor } = wanted;
    const drawing = new BoardDrawing(board, heights, isFlipped);
    const words = `After ${anchor.dataset.words}`;
    const squares = board.squares.map(() => "");
    for (const [place, text] of scene.s ?? []) squares[place] = text;
    drawing.show({ squares, named: placesOf(moves.at(-1), board), changes: [], shifts: scene.p, won: [], label: words });
    this.box.replaceChildren(element("div", { class: "board" }, drawing.svg), element("p", {}, words));
    this.box.hidden = false;
    anchor.setAttribute("aria-describedby", this.box.id);
    const [at, own, lines] = [anchor, this.box, byId("engines")].map((one) => one.getBoundingClientRect());
    // The lines are not covered: it stands below them, or where they are too long for that, at their left, or at the move.
    const isBelow = lines.bottom + GAP + own.height <= innerHeight;
    const isBeside = !isBelow && own.width + 2 * GAP <= lines.left;
    const isAbove = !isBelow && innerHeight < at.bottom + GAP + own.height;
    const left = isBeside ? lines.left - own.width - GAP : Math.min(at.left, document.documentElement.clientWidth - own.width - GAP);
    const top = isBelow ? lines.bottom + GAP : isBeside ? Math.min(at.top, innerHeight - own.height - GAP) : isAbove ? at.top - own.height - GAP : at.bottom + GAP;
    this.box.style.left = `${Math.max(GAP, left)}px`;
    this.box.style.top = `${Math.max(GAP, top)}px`;
  }

  hide() {
    clearTimeout(this.timer);
    this.wanted?.anchor.removeAttribute("aria-describedby");
    this.wanted = null;
    this.box.hidden = true;
  }
}
