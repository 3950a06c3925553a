// From squares to a move. It knows only the legal moves as texts: the squares that a spelling names, in order, are the steps
// of the move, and where several moves have the same steps, the user chooses.

import { placesOf } from "./arrows.js";

const ARROWS = { n: "↑", ne: "↗", e: "→", se: "↘", s: "↓", sw: "↙", w: "←", nw: "↖" };

export class MovePicker {
  constructor(moves, board) {
    this.board = board;
    this.entries = moves.map((move) => ({ move, places: placesOf(move, board) }));
    this.chosen = [];
  }

  /** Begins again. */
  clear() {
    this.chosen = [];
  }

  /** The moves that begin with the chosen squares. */
  candidates() {
    return this.entries.filter(({ places }) => this.chosen.every((place, idx) => places[idx] === place));
  }

  /** The squares that can be chosen next. */
  next() {
    return new Set(this.candidates().map(({ places }) => places[this.chosen.length]).filter((place) => place !== undefined));
  }

  /** The moves whose squares are all chosen. */
  complete() {
    return this.chosen.length === 0 ? [] : this.candidates().filter(({ places }) => places.length === this.chosen.length);
  }

  /** Chooses a square. Gives the move if there is only one left. */
  choose(place) {
    if (!this.next().has(place)) {
      this.clear();
      // Another beginning, unless it ends the choice.
      if (!this.next().has(place)) return null;
    }
    this.chosen.push(place);
    const complete = this.complete();
    return complete.length === 1 && this.candidates().length === 1 ? complete[0].move : null;
  }

  /** The moves to choose from by name: those with the chosen squares, and at the beginning those that name none. */
  choices() {
    const offered = this.chosen.length === 0 ? this.entries.filter(({ places }) => places.length === 0) : this.complete();
    return offered.map(({ move }) => ({ move, words: this.words(move) }));
  }

  /** What tells a move from others with the same squares. */
  words(move) {
    const rest = move.replace(/^[^a-z@]*(?:@|x|>)?(?:[a-z][1-9][0-9]?[x>]?)+/, "");
    const part = /^[A-Z]/.exec(move)?.[0];
    const kind = (letter) => this.board.kinds.find((one) => one.letter === letter)?.name ?? letter;
    const words = [];
    if (part !== undefined) words.push(`only the ${kind(part)}`);
    const direction = /^:([nesw]{1,2})$/.exec(rest)?.[1];
    if (direction !== undefined) words.push(`push ${ARROWS[direction]}`);
    // As UCI spells it, or as other games do.
    const promotion = (/^([nbrq])$/.exec(rest) ?? /=([A-Z])/.exec(rest))?.[1].toUpperCase();
    if (promotion !== undefined) words.push(`becomes a ${kind(promotion)}`);
    if (rest.endsWith("+")) words.push("the turn goes on");
    if (rest === "d") words.push("deflected");
    if (rest === "~") words.push("swap");
    if (rest === "!") words.push("falls");
    return words.length === 0 ? move : `${move}: ${words.join(", ")}`;
  }
}
