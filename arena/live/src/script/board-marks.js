// The arrows and rings of a position: those of a text, and what a person draws with the right mouse button.

import { arrow, placesOf } from "./arrows.js";

/** The colour of what a person draws, by its letter in PGN: green, red with Shift, blue with Alt and yellow with both, as on lichess. */
const colourOf = ({ shiftKey, altKey }) => (shiftKey ? (altKey ? "Y" : "R") : altKey ? "B" : "G");

export class BoardMarks {
  /** `box` holds the board, `input` knows its squares, and `change` is called with the node and its new marks, and promises whether they were sent. Each is written as in PGN: `Gb1d4`, `Gd4`. */
  constructor(box, input, change) {
    Object.assign(this, { input, change, drawing: null, marks: null, node: null, from: null, wasChoosing: false, wanted: null, sent: Promise.resolve() });
    box.addEventListener("contextmenu", (event) => event.preventDefault());
    const isChoosing = () => 0 < input.picker.chosen.length;
    // A click that begins, continues or ends a move leaves the marks: it is not known before, or no more after.
    box.addEventListener("pointerdown", () => (this.wasChoosing = isChoosing()), { capture: true });
    box.addEventListener("pointerdown", (event) => this.onPress(event, this.wasChoosing || isChoosing()));
    box.addEventListener("pointermove", (event) => this.from !== null && this.draw(this.markTo(event)));
    addEventListener("pointerup", (event) => this.onRelease(event));
  }

  /** Takes a new drawing of the board at a node, and the marks on it; `null` is a board without marks. What is being drawn goes on. */
  show(drawing, node, known) {
    // What comes before the newest ones are known there does not have them, also behind the answer to the request.
    if (node !== this.node || known === null || String(known) === String(this.wanted)) this.wanted = null;
    const marks = this.wanted ?? known;
    Object.assign(this, { drawing, node, marks, from: marks === null ? null : this.from });
    this.draw();
  }

  onPress(event, isOfMove) {
    if (this.marks === null) return;
    if (event.button === 2) this.from = this.input.placeAt(event);
    else if (event.button === 0 && 0 < this.marks.length && !isOfMove) this.set([]);
  }

  onRelease(event) {
    if (this.from === null || event.button !== 2) return;
    const mark = this.markTo(event);
    this.from = null;
    if (mark === null) this.draw();
    else {
      // The same again removes it, and another colour takes its place.
      const others = this.marks.filter((one) => one.slice(1) !== mark.slice(1));
      this.set(this.marks.includes(mark) ? others : [...others, mark]);
    }
  }

  set(marks) {
    Object.assign(this, { marks, wanted: marks });
    this.draw();
    // One after the other: of two requests at the same time, the later one could come first.
    const { node } = this;
    this.sent = this.sent.then(() => this.change(node, marks)).then((isSent) => isSent || (this.wanted = null));
  }

  /** The mark from the square of the press to that of this event; `null` if it is none. */
  markTo(event) {
    const names = [...new Set([this.from, this.input.placeAt(event)])].map((place) => this.drawing.board.squares[place]?.name);
    return names.includes(undefined) ? null : `${colourOf(event)}${names.join("")}`;
  }

  /** Draws the marks, and the one that is being drawn. */
  draw(next = null) {
    const { drawing, marks } = this;
    drawing.over.querySelectorAll(".drawn").forEach((one) => one.remove());
    for (const mark of [...(marks ?? []), ...(next === null ? [] : [next])]) {
      const places = placesOf(mark, drawing.board);
      const names = places.map((place) => drawing.board.squares[place].name);
      if (0 < places.length) drawing.over.append(arrow(drawing, places, `drawn colour-${mark[0]}`, names.length === 1 ? `Ring on ${names[0]}` : `Arrow from ${names[0]} to ${names[1]}`));
    }
  }
}
