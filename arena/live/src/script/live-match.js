// A match that is being played, as the stream tells it. It draws nothing.

import { placesOf } from "./arrows.js";
import { positionsOf, winProbability } from "./replay-data.js";

export class LiveMatch {
  constructor(whole, board) {
    this.id = whole.id;
    this.names = whole.names;
    this.game = whole.game;
    this.opening = whole.opening;
    this.board = board;
    this.heights = whole.heights;
    this.scenes = [];
    this.moves = [];
    /** Whether it is not played any more. */
    this.isOver = false;
    this.hear(whole);
  }

  hear({ ply, scenes, next, clocks_ms: clocks, thoughts, moves }) {
    this.scenes.push(...scenes);
    this.positions = null;
    this.ply = ply;
    this.next = next;
    this.clocks = clocks;
    this.thoughts = thoughts;
    this.moves.push(...moves);
  }

  /** The position after so many moves, and the squares that the last of them named. */
  at(ply) {
    // Only who is looked at is worked out.
    this.positions ??= positionsOf(this.board, this.scenes);
    return { ...this.positions[ply], named: ply === 0 ? [] : placesOf(this.moves[ply - 1][0], this.board) };
  }

  /** For each move, the win probability of White by the evaluation with it; `null` without one. */
  probabilities() {
    return this.moves.map(([, side, score]) => winProbability(score, side));
  }

  label(ply) {
    return `${this.names[0]} against ${this.names[1]}, position after ${ply} plies`;
  }
}
