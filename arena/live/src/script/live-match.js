// A match that is being played, as the stream tells it. It draws nothing.

import { piecesOf } from "./board.js";
import { winProbability } from "./replay-data.js";

export class LiveMatch {
  constructor(whole, board) {
    this.id = whole.id;
    this.names = whole.names;
    this.game = whole.game;
    this.opening = whole.opening;
    this.board = board;
    this.heights = whole.heights;
    this.squares = board.squares.map(() => "");
    this.hands = ["", ""];
    this.notes = [];
    this.moves = [];
    /** Whether it is not played any more. */
    this.isOver = false;
    this.hear(whole);
  }

  hear({ ply, scene, next, clocks_ms: clocks, thoughts, moves, touched }) {
    const before = this.squares;
    this.squares = [...before];
    for (const [place, text] of scene.s ?? []) this.squares[place] = text;
    this.hands = scene.h ?? this.hands;
    this.notes = scene.n ?? this.notes;
    this.ply = ply;
    this.next = next;
    this.clocks = clocks;
    this.thoughts = thoughts;
    this.moves.push(...moves);
    const place = (name) => this.board.squares.findIndex((square) => square.name === name);
    const last = this.moves.at(-1)?.[0] ?? "";
    const named = last.match(/[a-z][1-9][0-9]?/g) ?? [];
    this.named = named.map(place).filter((one) => 0 <= one);
    const size = (texts, one) => piecesOf(texts[one], this.board).length;
    this.changes = touched.map(place).map((one) => {
      const [old, now] = [size(before, one), size(this.squares, one)];
      return [one, now < old ? "left" : old < now ? "entered" : "replaced"];
    });
  }

  /** The win probability of White by the last evaluation; `null` without one. */
  whiteWins() {
    const last = this.moves.findLast(([, , score]) => score !== null);
    return last === undefined ? null : winProbability(last[2], last[1]);
  }

  label() {
    return `${this.names[0]} against ${this.names[1]}, position after ${this.ply} plies`;
  }
}
