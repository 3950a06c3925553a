// What a person draws on a board with the right mouse button: arrows, and rings around squares.

import { arrow } from "./arrows.js";

export class BoardMarks {
  /** `box` holds the board, and `input` knows its squares. */
  constructor(box, input) {
    Object.assign(this, { input, drawing: null, position: null, from: null, marks: new Map() });
    box.addEventListener("contextmenu", (event) => event.preventDefault());
    box.addEventListener("pointerdown", (event) => this.onPress(event));
    box.addEventListener("pointermove", (event) => this.from !== null && this.draw(this.input.placeAt(event)));
    addEventListener("pointerup", (event) => this.onRelease(event));
  }

  /** Takes a new drawing of the board. The marks stay as long as it shows the same `position`; `null` is one without marks. */
  show(drawing, position) {
    if (position !== this.position) this.marks.clear();
    Object.assign(this, { drawing, position, from: null });
    this.draw();
  }

  onPress(event) {
    if (this.position === null) return;
    if (event.button === 2) this.from = this.input.placeAt(event);
    // A click that begins or continues a move leaves them.
    else if (event.button === 0 && this.input.picker.chosen.length === 0) {
      this.marks.clear();
      this.draw();
    }
  }

  onRelease(event) {
    const { from, marks } = this;
    if (from === null || event.button !== 2) return;
    this.from = null;
    const to = this.input.placeAt(event);
    const key = `${from} ${to}`;
    if (to !== null && !marks.delete(key)) marks.set(key, [from, to]);
    this.draw();
  }

  /** Draws the marks, and the one that would end at `to`. */
  draw(to = null) {
    const { drawing, from } = this;
    drawing.over.querySelectorAll(".drawn").forEach((one) => one.remove());
    const shown = [...this.marks.values(), ...(from === null || to === null ? [] : [[from, to]])];
    for (const [first, last] of shown) {
      const [one, other] = [first, last].map((place) => drawing.board.squares[place].name);
      const isRing = first === last;
      drawing.over.append(arrow(drawing, isRing ? [first] : [first, last], "drawn", isRing ? `Your ring on ${one}` : `Your arrow from ${one} to ${other}`));
    }
  }
}
