// A match that is being played, as the stream tells it. It draws nothing.

import { placesOf } from "./arrows.js";
import { earlierInTurn, numbersOf } from "./move-numbers.js";
import { positionsOf, winProbability } from "./replay-data.js";

export class LiveMatch {
  constructor(whole, board) {
    this.id = whole.id;
    this.names = whole.names;
    this.game = whole.game;
    this.opening = whole.opening;
    this.board = board;
    this.heights = whole.heights;
    /** Whether the positions of expected lines can be asked for. */
    this.hasLines = whole.has_lines;
    this.scenes = [];
    this.moves = [];
    /** Whether it is not played any more. */
    this.isOver = false;
    /** Whether it was stopped before it had a result. */
    this.isStopped = false;
    /** Whether it was stopped before, and begins again. */
    this.isAgain = false;
    /** Whether the connection was lost in the middle of it, and the arena does not go on where it was. */
    this.isCutOff = false;
    /** Whether it was read from the results, so that there are no others to watch. */
    this.isAlone = false;
    /** How it ended: 2 if White has won, 1 for a draw, 0 if Black has won; `null` as long as that is not known. */
    this.result = null;
    /** Whether it ended by the rules, and not by a forfeit, for example: then its result is the last evaluation. */
    this.isByRules = false;
    /** Whether the clock of the loser ran out. */
    this.isLostOnTime = false;
    this.hear(whole);
  }

  hear({ ply, scenes, next, clocks_ms: clocks, thinks_ms: thinks, moves }) {
    /** Since when the side to move thinks, by the clock of the page. */
    this.since = performance.now() - thinks;
    this.scenes.push(...scenes);
    this.positions = null;
    this.ply = ply;
    /** What the side to move thinks, as far as it is known. */
    this.thought = null;
    this.next = next;
    this.clocks = clocks;
    this.moves.push(...moves);
    this.numbers = numbersOf(this.moves.map(([, side]) => side));
  }

  /** Takes note of how it ended, as the arena tells it. What was not seen to its end has no result here. */
  end({ sentence, result, is_by_rules: isByRules, is_lost_on_time: isLostOnTime }) {
    Object.assign(this, { ending: sentence, result: this.isCutOff ? null : result, isByRules, isLostOnTime });
  }

  think(thought) {
    if (thought.ply === this.ply) this.thought = thought;
  }

  /** Whether another match is this one, as far as this one is known. */
  goesOnAs(other) {
    return other !== undefined && other.opening === this.opening && this.moves.length <= other.moves.length && this.moves.every(([move], idx) => move === other.moves[idx][0]);
  }

  /** The number of the move that leads to a position other than the first, as people count. */
  numberAt(ply) {
    return this.numbers[ply - 1];
  }

  /**
   * What an engine thinks that is to move; or else what it said with its last move before a position, with the rest of its line, and as long
   * as the match follows it, the next move of it. The line begins after `base` moves of the match.
   */
  thoughtAt(side, ply) {
    if (this.thought !== null && ply === this.ply && this.next === "wb"[side]) {
      const { score, searched: [depth, nodes, time_us], lines } = this.thought;
      const [moves, words] = movesOf(lines);
      return { score, depth, nodes, time_us, line: { base: ply, moves, words }, intended: moves[0] ?? null };
    }
    const last = this.moves.slice(0, ply).findLastIndex(([, mover]) => mover === "wb"[side]);
    if (last === -1) return null;
    const [, , score, , , [depth, nodes, time_us], lines] = this.moves[last];
    const [line, words] = movesOf(lines);
    const since = this.moves.slice(last, ply);
    const isLeft = since.findIndex(([move], idx) => move !== line[idx]);
    const n_played = isLeft === -1 ? since.length : isLeft;
    const rest = { base: last + n_played, moves: line.slice(n_played), words: words.slice(n_played) };
    return { score, depth, nodes, time_us, line: rest, intended: isLeft === -1 ? (line[n_played] ?? null) : null };
  }

  /** What the clocks showed at a position; at the newest one, what they show now. */
  clocksAt(ply) {
    if (ply === this.ply) {
      const loser = this.isLostOnTime ? [0, null, 1][this.result] : null;
      return this.clocks.map((left, side) => (left !== null && side === loser ? 0 : left));
    }
    // Before the first move, each side has its time; nobody said which.
    return this.moves[ply - 1]?.[4] ?? [null, null];
  }

  /** For how long the side to move has been thinking, in milliseconds; `null` where that is not known. */
  thinksFor() {
    return this.isOver ? null : performance.now() - this.since;
  }

  /** A position in words. */
  placeAt(ply) {
    return ply === 0 ? "Start position" : `After ${this.numberAt(ply)} ${this.moves[ply - 1][3]}`;
  }

  /** The position after so many moves, and the squares that the last of them, and those before it in the same turn, named. */
  at(ply) {
    // Only who is looked at is worked out.
    this.positions ??= positionsOf(this.board, this.scenes);
    const named = (idx) => placesOf(this.moves[idx][0], this.board);
    if (ply === 0) return { ...this.positions[0], named: [], earlier: [] };
    const sides = this.moves.map(([, side]) => side);
    return { ...this.positions[ply], named: named(ply - 1), earlier: earlierInTurn(sides, ply - 1).map(named) };
  }

  /** Asks the arena for the positions of a line, the one before it included; `null` if it does not answer. */
  async positionsOf({ base, moves }) {
    const asked = { game: this.board.game, opening: this.opening, moves: this.moves.slice(0, base).map(([move]) => move).join(" "), line: moves.join(" ") };
    const answer = await fetch(`line/${encodeURIComponent(JSON.stringify(asked))}`).catch(() => null);
    if (!answer?.ok) return null;
    return positionsOf(this.board, [...this.scenes.slice(0, base + 1), ...(await answer.json())]).slice(base);
  }

  /** For each move, the win probability of White by the evaluation with it; `null` without one. */
  probabilities() {
    return this.moves.map(([, side, score, , , [depth, nodes]]) => winProbability(score, side, depth, nodes));
  }

  label(ply) {
    return `${this.names[0]} against ${this.names[1]}. ${this.placeAt(ply)}`;
  }
}

/** The moves of a line, as the engine and as people write them. */
function movesOf(lines) {
  return (lines ?? ["", ""]).map((text) => text.split(" ").filter((word) => word !== ""));
}
