// From squares to a move. It knows only the legal moves as texts: the squares that a spelling names, in order, are the steps
// of the move, and where several moves have the same steps, the user chooses.

import { placesOf } from "./arrows.js";
import { signsOf } from "./notation.js";

/** The maximum number of squares that a message names. */
const MOST_NAMES = 12;

export class MovePicker {
  /** `effects` says for some moves what they do: a kind, and words; `names` how people write them, where that differs; `intoCheck` has the moves that only the king forbids. */
  constructor(moves, board, effects, names, intoCheck) {
    this.intoCheck = intoCheck.map((move) => placesOf(move, board));
    this.board = board;
    this.names = names;
    this.entries = moves.map((move) => ({ move, places: placesOf(move, board), effect: effects?.[move] ?? null }));
    this.chosen = [];
  }

  /** A move as people write it. */
  nameOf(move) {
    return this.names[move] ?? move;
  }

  /** Begins again. */
  clear() {
    this.chosen = [];
  }

  /** The moves that begin with the chosen squares. */
  candidates() {
    return this.entries.filter(({ places }) => this.chosen.every((place, idx) => places[idx] === place));
  }

  /** Whether nothing is chosen yet, and each move is one square, such as that of a piece which is placed. */
  isPlacing() {
    return this.chosen.length === 0 && 0 < this.entries.length && this.entries.every(({ places }) => places.length === 1);
  }

  /** What to do first. */
  prompt() {
    return this.isPlacing() ? "Place a piece on a marked square." : "Choose a piece.";
  }

  /** The squares that can be chosen next. */
  next() {
    return new Set(this.candidates().map(({ places }) => places[this.chosen.length]).filter((place) => place !== undefined));
  }

  /** The moves whose squares are all chosen. */
  complete() {
    return this.chosen.length === 0 ? [] : this.candidates().filter(({ places }) => places.length === this.chosen.length);
  }

  /** Whether a square is a wrong choice, and what the user should know of it. `tops` has for each square the piece on top, if there is one. */
  judge(place, tops) {
    const names = (places) => {
      const all = places.map((one) => this.board.squares[one].name);
      return all.length <= MOST_NAMES ? all.join(", ") : `${all.slice(0, MOST_NAMES).join(", ")} or ${all.length - MOST_NAMES} more`;
    };
    const next = this.next();
    const first = new Set(this.entries.map(({ places }) => places[0]).filter((one) => one !== undefined));
    if (this.entries.length === 0 || (this.chosen.includes(place) && !next.has(place) && !first.has(place))) return [false, ""];
    const mover = tops[[...first][0]]?.owner;
    const isOwn = mover !== undefined && tops[place]?.owner === mover;
    const leavesKing = (squares) => this.intoCheck.some((places) => squares.every((one, idx) => places[idx] === one));
    if (!next.has(place) && !first.has(place)) {
      const from = this.chosen.at(-1);
      if (from !== undefined && !(isOwn && leavesKing([place]))) {
        const can = `from ${names([from])}, you can choose ${names([...next])}`;
        if (leavesKing([...this.chosen, place])) return [true, `your king would be in check; ${can}`];
        const how = this.chosen.length === 1 && tops[from]?.kind.moves ? `the ${tops[from].kind.name} ${tops[from].kind.moves}` : "no legal move goes here";
        return [true, `${isOwn ? "your own piece is here; " : ""}${how}; ${can}`];
      }
      // Where pieces are dropped, moves begin on empty squares.
      let why = "no legal move begins here";
      if (this.board.squares[place].kind === "wall") why = "no piece can stand here";
      else if (isOwn) why = leavesKing([place]) ? "if this piece moved, your king would be in check" : "this piece has no legal move now";
      else if (mover !== undefined) why = tops[place] === undefined ? "no piece is here" : tops[place].owner === "" ? "this piece belongs to neither side" : "this piece is not yours";
      return [true, `${why}; choose ${names([...first])}`];
    }
    const chosen = next.has(place) ? [...this.chosen, place] : [place];
    const own = this.entries.filter(({ places }) => chosen.every((one, idx) => places[idx] === one));
    const groups = new Map();
    for (const { move, effect } of own) {
      if (effect !== null && !["captures", "pushes"].includes(effect[1])) groups.set(effect[1], [...(groups.get(effect[1]) ?? []), this.nameOf(move)]);
    }
    const words = [...groups].slice(0, 4).map(([effect, moves]) => `${moves.slice(0, 4).join(", ")}${moves.length <= 4 ? "" : ", ..."}: ${effect}`);
    const isWhole = own.every(({ places }) => places.length === chosen.length);
    return [false, words.length === 0 ? (isWhole ? "choose the move below" : "choose where to go") : words.join("; ")];
  }

  /** What the moves do that end on a square that can be chosen next; `otherwise` if nothing is known of them. */
  kindOf(place, otherwise) {
    const n = this.chosen.length;
    const ending = this.candidates().filter(({ places }) => places[n] === place && places.length === n + 1);
    // Moves only pass over it.
    if (ending.length === 0) return "move";
    const kinds = ending.map(({ effect }) => effect?.[0] ?? otherwise);
    return ["capture", "join", "push", "own", "lose"].find((kind) => kinds.includes(kind)) ?? "move";
  }

  /** An example of each form of spelling among the moves, with what it means. */
  notation() {
    const forms = new Map();
    for (const { move, places, effect } of this.entries) {
      const form = `${move.replace(/[a-z][1-9][0-9]?/g, "#")} ${effect?.[0] ?? ""}`;
      if (forms.has(form)) continue;
      const way = places.map((place) => this.board.squares[place].name);
      const plain = way.length === 0 ? "" : way.length === 1 ? `on ${way[0]}` : `from ${way[0]} ${way.slice(1, -1).map((one) => `over ${one} `).join("")}to ${way.at(-1)}`;
      const [, special = ""] = this.words(move).split(": ");
      forms.set(form, { move: this.nameOf(move), words: [plain, special, effect?.[1] ?? ""].filter((one) => one !== "").join(", ") });
    }
    return [...forms.values()].slice(0, 8);
  }

  /** Chooses a square. Gives the move if there is only one left. */
  choose(place) {
    if (!this.next().has(place)) {
      const [before, isAgain] = [this.chosen, this.chosen.includes(place)];
      this.clear();
      // Another beginning, the end of the choice, or a slip.
      if (!this.next().has(place)) {
        if (!isAgain) this.chosen = before;
        return null;
      }
    }
    this.chosen.push(place);
    const complete = this.complete();
    // Who loses by a move is asked again.
    return complete.length === 1 && this.candidates().length === 1 && complete[0].effect?.[0] !== "lose" ? complete[0].move : null;
  }

  /** The moves to choose from by name: those with the chosen squares, and at the beginning those that name none. */
  choices() {
    const offered = this.chosen.length === 0 ? this.entries.filter(({ places }) => places.length === 0) : this.complete();
    const hasPart = offered.some(({ move }) => this.words(move).includes(": only "));
    return offered.map(({ move, effect }) => {
      const words = this.words(move);
      if (effect?.[0] === "lose") return { move, words: `${this.nameOf(move)}: ${effect[1]}` };
      if (offered.length === 1 && 0 < this.next().size && this.chosen.length !== 0) return { move, words: `${this.nameOf(move)}: only to ${this.board.squares[this.chosen.at(-1)].name}` };
      return { move, words: hasPart && !words.includes(": ") ? `${words}: the whole piece` : words };
    });
  }

  /** What tells a move from others with the same squares. */
  words(move) {
    const words = signsOf(move, this.board);
    return words.length === 0 ? this.nameOf(move) : `${this.nameOf(move)}: ${words.join(", ")}`;
  }
}
