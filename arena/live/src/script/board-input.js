// Input of moves on a board: by clicking or dragging, and with the keys. It knows no game.

import { arrow, placesOf } from "./arrows.js";
import { piecesOf } from "./board.js";
import { byId, drawn, element } from "./dom.js";
import { MovePicker } from "./move-picker.js";

const SIZE = 100;
/** The marks of squares that can be chosen next: a dot, a ring, a diamond and crosses. */
export const TARGETS = {
  move: "M35 50a15 15 0 1 0 30 0a15 15 0 1 0-30 0z",
  capture: "M7 50a43 43 0 1 0 86 0a43 43 0 1 0-86 0z",
  push: "M50 5L95 50L50 95L5 50z",
  join: "M50 8v84M8 50h84",
  own: "M15 15L85 85M85 15L15 85",
  lose: "M15 15L85 85M85 15L15 85",
};
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class BoardInput {
  /**
   * `box` holds the board, `choices` the buttons of moves that squares do not tell apart; `made` is called with a move, and
   * `say` with what the user should know of a choice, and whether it was wrong.
   */
  constructor(box, choices, made, say) {
    Object.assign(this, { box, choices, made, say });
    this.cursor = null;
    this.drawing = null;
    this.pressed = null;
    /** Called with a square instead of all that follows, while the board is edited. */
    this.place = null;
    box.addEventListener("pointerdown", (event) => this.onPress(event));
    addEventListener("keydown", (event) => event.key === "Escape" && this.drawing !== null && event.target !== box && this.clear());
    addEventListener("pointerup", (event) => this.onRelease(event));
    box.addEventListener("keydown", (event) => this.onKey(event));
    // Only the marks: a press on one of the choices must find the same button at its release.
    box.addEventListener("focus", () => this.showMarks());
    box.addEventListener("blur", () => this.showMarks());
  }

  /** Shows another position, with these legal moves, what they do, and those that are illegal only because of the king; `hint` is a move to point at. */
  show(drawing, squares, moves, hint, effects = {}, names = {}, intoCheck = []) {
    this.drawing = drawing;
    this.squares = squares;
    this.picker = new MovePicker(moves, drawing.board, effects, names, intoCheck);
    this.layer = drawn("g", { class: "input-marks" });
    this.hint = hint;
    drawing.svg.append(this.layer);
    if (this.cursor === null) this.cursor = [...this.picker.next()][0] ?? 0;
    this.refresh();
  }

  choose(place) {
    if (this.place !== null) {
      this.place(place);
      return;
    }
    const { squares } = this.drawing.board;
    const tops = this.squares.map((text) => piecesOf(text, this.drawing.board).at(-1));
    const [isWrong, words] = this.picker.judge(place, tops);
    const pieces = this.piecesAt(place);
    this.say(`${squares[place].name}${pieces === "" ? "" : ` (${pieces})`}: ${words}`, isWrong);
    const move = this.picker.choose(place);
    if (move === null) this.refresh();
    else this.finish(move);
  }

  clear() {
    this.picker.clear();
    this.refresh();
  }

  refresh() {
    this.showMarks();
    this.showChoices();
  }

  showMarks() {
    if (this.drawing === null) return;
    const { picker, drawing } = this;
    const at = (place) => drawing.corner(drawing.board.squares[place]);
    const marks = [];
    const next = picker.next();
    if (0 < picker.chosen.length || picker.isPlacing()) {
      for (const place of picker.chosen) {
        const [x, y] = at(place);
        marks.push(drawn("rect", { class: "chosen", x: x + 3, y: y + 3, width: SIZE - 6, height: SIZE - 6, rx: 8 }));
      }
      for (const place of next) {
        const [x, y] = at(place);
        const owner = (one) => piecesOf(this.squares[one], drawing.board).at(-1)?.owner;
        const otherwise = this.squares[place] === "" ? "move" : owner(place) === owner(picker.chosen[0]) ? "join" : "capture";
        const kind = picker.kindOf(place, otherwise);
        marks.push(drawn("path", { class: `target ${kind}`, d: TARGETS[kind], transform: `translate(${x} ${y})` }));
      }
    }
    if (this.cursor !== null && this.box === document.activeElement && this.box.matches(":focus-visible")) {
      const [x, y] = at(this.cursor);
      marks.push(drawn("rect", { class: "cursor", x: x + 8, y: y + 8, width: SIZE - 16, height: SIZE - 16 }));
    }
    if (this.hint) marks.push(arrow(drawing, placesOf(this.hint, drawing.board), "hinted", `Hint: ${this.picker.nameOf(this.hint)}`));
    this.layer.replaceChildren(...marks);
  }

  showChoices() {
    const choices = this.picker.choices();
    this.choices.replaceChildren(
      ...choices.map(({ move, words }) =>
        element("button", { type: "button", "data-move": move, click: () => this.finish(move) }, words),
      ),
      ...(0 < this.picker.chosen.length && 0 < choices.length && 0 < this.picker.next().size ? [element("span", { class: "fine" }, "or choose another square")] : []),
    );
  }

  finish(move) {
    this.picker.clear();
    this.refresh();
    this.made(move);
  }

  onPress(event) {
    const place = this.placeAt(event);
    if (place === null || event.button !== 0) return;
    this.pressed = place;
    this.cursor = place;
    this.choose(place);
  }

  /** A drag ends on another square than it began on. */
  onRelease(event) {
    const from = this.pressed;
    this.pressed = null;
    if (from === null || this.drawing === null) return;
    const place = this.placeAt(event);
    if (place !== null && place !== from && this.picker.next().has(place) && 0 < this.picker.chosen.length) this.choose(place);
  }

  /** The square at a point of the screen. */
  placeAt({ clientX, clientY }) {
    if (this.drawing === null) return null;
    const matrix = this.drawing.svg.getScreenCTM();
    if (matrix === null) return null;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    const { squares } = this.drawing.board;
    const place = squares.findIndex((square) => {
      const [left, top] = this.drawing.corner(square);
      return left <= x && x < left + SIZE && top <= y && y < top + SIZE;
    });
    return place < 0 ? null : place;
  }

  onKey(event) {
    if (this.drawing === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) this.step(step);
    else if (event.key === "Enter" || event.key === " ") this.choose(this.cursor);
    else if (event.key === "Escape") this.clear();
    else return;
    event.preventDefault();
    this.tell();
  }

  /** Moves the cursor to the nearest square in a direction: boards have holes. */
  step([right, up]) {
    const turn = this.drawing.isFlipped ? -1 : 1;
    const [files, ranks] = [right * turn, up * turn];
    const { squares } = this.drawing.board;
    const from = squares[this.cursor];
    const ahead = squares
      .map((square, place) => ({ place, along: (square.file - from.file) * files + (square.rank - from.rank) * ranks, aside: Math.abs((square.file - from.file) * ranks) + Math.abs((square.rank - from.rank) * files) }))
      .filter(({ along }) => 0 < along)
      .sort((one, other) => one.aside * 100 + one.along - (other.aside * 100 + other.along));
    if (0 < ahead.length) this.cursor = ahead[0].place;
    this.refresh();
  }

  /** The pieces on a square, in words, from bottom to top. */
  piecesAt(place) {
    const words = piecesOf(this.squares[place], this.drawing.board).map(({ kind, owner }) => `${{ w: "White's ", b: "Black's ", "": "" }[owner]}${kind.name}`);
    return words.join(" under ");
  }

  /** Says where the cursor is, for those who do not see it. */
  tell() {
    const square = this.drawing.board.squares[this.cursor];
    const pieces = this.piecesAt(this.cursor);
    const isChosen = this.picker.chosen.includes(this.cursor) ? ", chosen" : "";
    const isNext = this.picker.next().has(this.cursor) ? ", can be chosen" : "";
    byId("cursor").textContent = `${square.name}: ${pieces || "empty"}${isChosen}${isNext}`;
  }
}
