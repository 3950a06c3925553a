// What the engines of a match expect: their lines, each move a button. It draws no board.

import { element, nameOf } from "./dom.js";

export class ExpectedLines {
  /** `pick` is called with a line, the number of its moves to show, and the position at which it was expected. */
  constructor(box, pick) {
    Object.assign(this, { box, pick, latest: null });
    // Lines stay as they are while the mouse is on them, or a finger on its way to a move.
    this.isHeld = false;
    box.addEventListener("pointermove", ({ pointerType }) => pointerType === "mouse" && this.hold(true));
    box.addEventListener("pointerdown", () => this.hold(true));
    box.addEventListener("pointerleave", () => this.hold(false));
    box.addEventListener("focusout", ({ relatedTarget }) => box.contains(relatedTarget) || this.refresh());
  }

  hold(isHeld) {
    this.isHeld = isHeld;
    if (!isHeld) this.refresh();
  }

  /** Whoever goes on with the match does not hold the lines by the focus any more. */
  release() {
    if (this.box.contains(document.activeElement)) document.activeElement.blur();
  }

  /** Shows the lines of a match at a position; `line` is the one that is on the board, if there is one. */
  show(match, at, line) {
    this.latest = { match, at, line };
    this.refresh();
  }

  refresh() {
    if (this.latest === null) return;
    const { match, at, line } = this.latest;
    const isSame = this.shown?.match === match && this.shown.at === at && this.shown.thought === match.thought;
    const isHeld = this.isHeld || this.box.querySelector(":focus-visible") !== null;
    const isKept = isSame || (isHeld && this.shown?.match === match);
    this.box.toggleAttribute("data-held", isKept && !isSame);
    if (!isKept) {
      this.shown = { match, at, thought: match.thought };
      this.box.replaceChildren(...[0, 1].flatMap((side) => this.lineOf(match, side, at)));
    }
    for (const button of this.box.querySelectorAll("button")) {
      const isShown = line !== null && Number(button.dataset.side) === line.side && Number(button.dataset.n) === line.n;
      button.toggleAttribute("aria-current", isShown);
    }
  }

  lineOf(match, side, at) {
    const thought = match.thoughtAt(side, at);
    if (thought === null || thought.line.words.length === 0) return [];
    const { line, intended } = thought;
    const move = (words, idx) => element("button", { type: "button", class: "link", "data-side": side, "data-n": idx + 1, click: () => this.pick({ ...line, side }, idx + 1, at) }, words);
    const moves = match.hasLines ? line.words.flatMap((words, idx) => [move(words, idx), " "]) : line.words.join(" ");
    return [element("dt", {}, nameOf(match.names[side]), intended === null ? " expected" : " expects"), element("dd", {}, element("bdi", { class: "moves-text" }, moves))];
  }
}
