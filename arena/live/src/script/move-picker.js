// From squares to a move. It knows only the legal moves as texts: the squares that a spelling names, in order, are the steps
// of the move, and where several moves have the same steps, the user chooses.

import { placesOf } from "./arrows.js";
import { ARROWS, pushOf, signsOf } from "./notation.js";

/** What a click on a mark does, by the mark; in the order of a sentence. */
const CLICKS = { move: "a dot to move", capture: "a ring to capture", push: "a diamond to push", lay: "a diamond to lay a row out", join: "a plus to join a piece of your own", own: "a cross to lose a piece", lose: "a disc with a cross to lose the match" };
/** The marks of moves that are asked again. */
const ASKED = ["own", "lose"];

/** The square of the piece that is lost at the end of what a move to its last square pushes; -1 if none is lost beyond that square. */
function lostBeyond(places, effect) {
  const gone = ["own", "capture"].includes(effect?.mark) ? (effect.after.p ?? []).filter(([, , , isGone]) => isGone).map(([place]) => place) : [];
  return gone.includes(places.at(-1)) ? -1 : (gone[0] ?? -1);
}

/** The square of the rook with which a king castles, which it leaves; -1 for another move. */
function rookOf([king], effect) {
  if (effect?.words !== "castles") return -1;
  return effect.after.s.find(([place, text]) => place !== king && text === "")?.[0] ?? -1;
}

/** Whether only a part of a piece moves. */
const isPart = (move) => /^[A-Z]/.test(move);
/** The letter of the piece that a pawn becomes by a move of chess. */
const becomes = (move) => /\d([qrbn])$/.exec(move)?.[1];
/** The place of a move among those to choose from: whole pieces before parts, and the most useful piece that a pawn becomes first. */
const rankOf = (move) => (isPart(move) ? 4 : "qrbn".indexOf(becomes(move) ?? "q"));

export class MovePicker {
  /**
   * `effects` says for moves what they do: the board after them, and for some a mark, words, and, if these are the game's own, the squares of
   * what is captured; `names` how people write them, where that differs; `intoCheck` has the moves that only the king forbids; `guide` says
   * what marks mean, and `further` what to ask while some moves end and others go on; `remarks` what to know of squares.
   */
  constructor(moves, { board, isFlipped }, { effects = {}, names = {}, intoCheck = [], guide: { marks, further } = { marks: [], further: null }, remarks = [] }) {
    // Arrows point as the reader sees the board.
    this.seen = (direction) => (isFlipped ? (direction + 4) % 8 : direction);
    this.turned = (words) => words.replace(/[←-↙]/g, (sign) => ARROWS[this.seen(ARROWS.indexOf(sign))]);
    const effectOf = (move) => (effects?.[move] === undefined ? null : { ...effects[move], words: this.turned(effects[move].words ?? "") });
    const placeOf = (name) => board.squares.findIndex((square) => square.name === name);
    this.board = board;
    this.learn(remarks ?? []);
    this.further = further;
    // Not in every game is what goes captured.
    this.captures = marks.some(([mark, words]) => mark === "capture" && words.startsWith("captures"));
    this.intoCheck = intoCheck.map((move) => placesOf(move, board));
    this.names = names;
    this.entries = moves.map((move) => {
      const [places, effect] = [placesOf(move, board), effectOf(move)];
      return { move, places, effect, captured: (effects?.[move]?.captured ?? []).map(placeOf), lost: lostBeyond(places, effect), rook: rookOf(places, effect) };
    });
    this.chosen = [];
  }

  /** Takes what to know of squares. */
  learn(remarks) {
    const placeOf = (name) => this.board.squares.findIndex((square) => square.name === name);
    this.remarks = new Map(remarks.map(([name, words, area]) => [placeOf(name), { words, area: area.map(placeOf) }]));
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
    return this.inWords(this.isPlacing() ? "Place a piece on a marked square." : "Choose a piece.");
  }

  /** Whether all pieces have the same name. */
  get isOfOneKind() {
    return this.board.kinds.every(({ name }) => name === this.board.kinds[0].name);
  }

  /** Words about a piece, with its name if all have the same. */
  inWords(words) {
    return this.isOfOneKind ? words.replace(/\bpiece\b/g, this.board.kinds[0].name) : words;
  }

  /** The squares that can be chosen next. */
  next() {
    return new Set(this.candidates().map(({ places }) => places[this.chosen.length]).filter((place) => place !== undefined));
  }

  /** The moves whose squares are all chosen. */
  complete() {
    return this.chosen.length === 0 ? [] : this.candidates().filter(({ places }) => places.length === this.chosen.length);
  }

  /**
   * What the user should know of a choice: whether it is wrong, the words, and, if the position may tell why, the squares between which no
   * move goes. `tops` has for each square the piece on top, if there is one. A piece is dropped on a target, and not on another piece to begin with.
   */
  judge(clicked, tops, isDrop = false) {
    const next = this.next();
    const place = this.meant(clicked);
    const first = this.first();
    const isFirst = !isDrop && first.has(place);
    if (this.entries.length === 0 || this.isDropped(place) || this.isSure(place)) return { isWrong: false, words: "" };
    const mover = tops[[...first][0]]?.owner;
    const isOwn = mover !== undefined && tops[place]?.owner === mover;
    const leavesKing = (squares) => this.intoCheck.some((places) => squares.every((one, idx) => places[idx] === one));
    const wrong = (words, asked = null) => ({ isWrong: true, words, asked });
    if (!next.has(place) && !isFirst && !this.isKept(place)) {
      const from = this.chosen.at(-1);
      const remark = this.remarks.get(place)?.words;
      if (from !== undefined && (isDrop || !(isOwn && leavesKing([place])))) {
        if (leavesKing([...this.chosen, place])) return wrong("that leaves your king in check");
        const { name } = this.board.squares[from];
        const { kind } = tops[from] ?? {};
        const rule = kind?.moves ? `the ${kind.name} on ${name} ${kind.moves}` : "no legal move goes here";
        return wrong(this.chosen.length === 1 ? rule : "the move cannot go on here; click one of the marked squares", this.chosen.length === 1 ? [name, this.board.squares[place].name] : null);
      }
      if (this.board.squares[place].kind === "wall") return wrong("no piece can stand here");
      if (isOwn && leavesKing([place])) return wrong("every move of this piece leaves your king in check; choose another");
      if (isOwn) return wrong(remark ?? "this piece has no legal move now; choose another");
      // Where pieces are dropped, moves begin on empty squares.
      if (mover === undefined) return wrong("no legal move begins here");
      if (tops[place] === undefined) return wrong("no piece is here; choose one of your own");
      const whose = tops[place].owner === "" ? "this piece belongs to neither side" : "this piece is not yours";
      return wrong(`${whose}; choose one of your own${remark === undefined ? "" : ` (${remark})`}`);
    }
    const chosen = next.has(place) ? [...this.chosen, place] : this.isKept(place) ? this.chosen : [place];
    const own = this.entries.filter(({ places }) => chosen.every((one, idx) => places[idx] === one));
    const goesOn = this.further !== null && own.some(({ places }) => 2 < places.length);
    if (goesOn && chosen.length === 2) return { isWrong: false, words: this.filled(1, chosen) };
    const isWhole = own.every(({ places }) => places.length === chosen.length);
    if (isWhole && own.length === 1 && ASKED.includes(own[0].effect?.mark)) return { isWrong: false, words: `this ${own[0].effect.words}. Click again to play it, Esc to choose another square` };
    if (isWhole && own.length === 1) return { isWrong: false, words: `you play ${this.nameOf(own[0].move)}` };
    if (isWhole && own.every(({ move }) => becomes(move))) return { isWrong: false, words: "choose what the pawn becomes" };
    if (isWhole) {
      const again = new Set(own.map(({ move }) => isPart(move))).size === 2 ? ". A second click here moves the whole piece" : "";
      const hasLandings = 0 < this.landingsOf(own, place).size;
      const landings = own.map(({ move }) => this.landingOf(move, place)).filter((landing) => landing !== null);
      const signs = [...(landings.some((one) => one.place === -1) ? ["off: off the board"] : []), ...(landings.some((one) => one.place !== -1 && one.isGone) ? ["✕: lost there"] : [])];
      if (MovePicker.areDirections(own)) return { isWrong: false, words: `click ${hasLandings ? "a marked square or " : ""}an arrow${signs.length === 0 ? "" : ` (${signs.join(", ")})`}${again}` };
      return { isWrong: false, words: `choose the move: click ${hasLandings ? "the square where the pushed piece shall go, or " : ""}a button${again}` };
    }
    const grouped = (marks) => [...Map.groupBy(own.filter(({ effect }) => marks.includes(effect?.mark)), ({ effect }) => effect.words)];
    const named = ([effect, all], most) => {
      const names = [...new Set(all.map(({ places }) => this.board.squares[places.at(-1)].name))];
      const rest = names.splice(names.length <= most + 1 ? names.length : most).length;
      return `${names.join(", ")}${rest === 0 ? "" : ` and ${rest} others`}: ${effect}`;
    };
    // All that loses something is named; of what joins, examples are enough, and where all pieces are alike, the plus says it.
    const joining = grouped(["join"]);
    // One word, such as "castles", says all of them.
    const [joinWord = null] = joining.length === 1 && !joining[0][0].includes(" ") ? joining[0] : [];
    const joins = this.isOfOneKind || joinWord !== null ? [] : joining.slice(0, 2);
    const odd = [...grouped(ASKED).map((group) => named(group, Infinity)), ...joins.map((group) => named(group, 4))];
    const ending = own.filter(({ places }) => !goesOn || places.length === 2);
    const kinds = new Set(ending.map(({ effect, places }) => effect?.mark ?? (tops[places[chosen.length]] === undefined ? "move" : "capture")));
    const wordsOf = ([kind, words]) => (kind === "join" && joinWord !== null ? `a plus (${joinWord})` : kind === "capture" && !this.captures ? "a ring to remove a piece" : words);
    const clicks = [...Object.entries(CLICKS).filter(([kind]) => kinds.has(kind)).map(wordsOf), ...(goesOn ? [this.filled(0, chosen)] : [])];
    const click = `click ${clicks.length < 2 ? clicks[0] : `${clicks.slice(0, -1).join(", ")}${2 < clicks.length ? "," : ""} or ${clicks.at(-1)}`}`;
    const remark = this.remarks.get(place)?.words;
    return { isWrong: false, words: [...(remark === undefined ? [] : [remark]), click, ...odd].join("; ") };
  }

  /** The squares with which moves begin. */
  first() {
    return new Set(this.entries.map(({ places }) => places[0]).filter((one) => one !== undefined));
  }

  /** Whether a second click on this square ends the choice. */
  isDropped(place) {
    return this.chosen.includes(place) && !this.next().has(place) && !this.isSure(place) && !this.isKept(place);
  }

  /** Whether this square is the target of several moves, among which the user has to choose: a second click changes nothing. */
  isKept(place) {
    return 1 < this.chosen.length && place === this.chosen.at(-1) && 1 < this.complete().length && !this.next().has(place) && !this.isSure(place);
  }

  /** Whether a second click on this square plays a move that was asked for, or that of a whole piece. */
  isSure(place) {
    return place === this.chosen.at(-1) && this.surely() !== null;
  }

  /** The move that a second click on its last square plays. */
  surely() {
    const choices = this.choices();
    if (choices[0]?.isWhole) return choices[0].move;
    return this.isAsked() ? choices[0].move : null;
  }

  /** Whether the chosen squares are those of one move that is asked again. */
  isAsked() {
    const candidates = this.candidates();
    return candidates.length === 1 && this.complete().length === 1 && ASKED.includes(candidates[0].effect?.mark);
  }

  /** The square of another piece that could be meant instead of the target of a move that is asked again. */
  instead() {
    const place = this.chosen.at(-1);
    return this.isAsked() && 1 < this.chosen.length && this.first().has(place) ? place : null;
  }

  /** The moves that end on a square which can be chosen next; that of a whole piece comes first. */
  endingOn(place) {
    const n = this.chosen.length;
    const ending = this.candidates().filter(({ places }) => places[n] === place && places.length === n + 1);
    return ending.toSorted((one, other) => isPart(one.move) - isPart(other.move));
  }

  /** Whether moves go on from a square that can be chosen next. */
  isPassed(place) {
    const n = this.chosen.length;
    return this.candidates().some(({ places }) => places[n] === place && n + 1 < places.length);
  }

  /** What the moves do that end on a square that can be chosen next; `otherwise` if nothing is known of them, `null` if none ends there. */
  kindOf(place, otherwise) {
    const kinds = this.endingOn(place).map(({ effect }) => effect?.mark ?? otherwise);
    return ["capture", "join", "push", "lay", "own", "lose"].find((kind) => kinds.includes(kind)) ?? (kinds.length === 0 ? null : "move");
  }

  /** The squares of what the moves capture that can be chosen next, beside their targets. */
  captured() {
    return new Set(this.ending().flatMap(({ captured }) => captured));
  }

  /** The moves that one more square ends. */
  ending() {
    return this.candidates().filter(({ places }) => places.length === this.chosen.length + 1);
  }

  /** The target of the only move that captures or loses what is clicked, or castles with it, if that is not a target itself; otherwise the clicked square. */
  meant(place) {
    if (this.chosen.length === 0 || this.next().has(place)) return place;
    if (this.isAsked() && this.candidates()[0].lost === place) return this.chosen.at(-1);
    const meant = this.ending().filter(({ captured, lost, rook }) => captured.includes(place) || [lost, rook].includes(place));
    return meant.length === 1 ? meant[0].places.at(-1) : place;
  }

  /** The pieces that a pawn can become: from its target away from the edge, the squares that offer them, each with the move and the piece as text. */
  promotions() {
    const offered = this.complete().filter(({ move, effect }) => becomes(move) && effect?.after?.s !== undefined);
    if (offered.length < 2) return new Map();
    const { file, rank } = this.board.squares[this.chosen.at(-1)];
    const inwards = rank < this.board.squares[this.chosen[0]].rank ? 1 : -1;
    const squareOf = (idx) => this.board.squares.findIndex((square) => square.file === file && square.rank === rank + inwards * idx);
    const pieceOf = ({ after }) => after.s.find(([place]) => place === this.chosen.at(-1))[1];
    return new Map(offered.toSorted((one, other) => rankOf(one.move) - rankOf(other.move)).map(({ move, effect }, idx) => [squareOf(idx), { move, piece: pieceOf(effect) }]));
  }

  /** Where the moves to choose from push the piece on the last chosen square: the squares, each with its move. */
  landings() {
    return this.landingsOf(this.complete(), this.chosen.at(-1));
  }

  landingsOf(entries, pushed) {
    const landings = new Map();
    if (entries.length < 2) return landings;
    for (const { move, effect } of entries) {
      // A click on the board does not lose a piece of one's own.
      const landing = ASKED.includes(effect?.mark) ? -1 : (this.landingOf(move, pushed)?.place ?? -1);
      // Squares that do not tell the moves apart are of no use.
      if (landings.has(landing)) return new Map();
      if (landing !== -1) landings.set(landing, move);
    }
    return landings;
  }

  /** Where a move pushes the piece on a square, and whether it is lost there: to a place, or -1 off the board; `null` if it is not pushed. */
  landingOf(move, pushed) {
    const { squares } = this.board;
    const { effect } = this.entries.find((entry) => entry.move === move) ?? {};
    const [, files, ranks, isGone] = effect?.after?.p?.find(([place]) => place === pushed) ?? [];
    if (files === undefined) return null;
    const at = (reach) => ({ file: squares[pushed].file + reach * files, rank: squares[pushed].rank + reach * ranks });
    const place = squares.findIndex(({ file, rank }) => file === at(1).file && rank === at(1).rank);
    // Beyond the edge there is no room.
    return { square: at(place === -1 ? 0.6 : 1), place, isGone };
  }

  /** Whether moves differ in the direction alone in which they push. */
  static areDirections(entries) {
    return 1 < entries.length && new Set(entries.map(({ move }) => pushOf(move))).size === entries.length && entries.every(({ move }) => pushOf(move) !== -1);
  }

  /** The moves to choose from, if they differ in the direction alone in which they push: each with that direction and with where it leads. */
  directions() {
    const complete = this.complete();
    if (!MovePicker.areDirections(complete)) return null;
    const nameOf = (landing) => (landing === null ? "" : landing.place === -1 ? "off" : `${this.board.squares[landing.place].name}${landing.isGone ? " ✕" : ""}`);
    return new Map(complete.map(({ move, effect }) => [this.seen(pushOf(move)), { move, mark: effect?.mark, to: nameOf(this.landingOf(move, this.chosen.at(-1))) }]));
  }

  /** What the game asks or offers here, with the names of the first two chosen squares. */
  filled(idx, chosen) {
    return this.further[idx].replace(/\{(\d)\}/g, (_, place) => this.board.squares[chosen[place]].name);
  }

  /** Chooses a square. Gives the move if there is only one left. */
  choose(clicked) {
    const place = this.meant(clicked);
    if (this.isSure(place)) return this.surely();
    if (this.isKept(place)) return null;
    if (this.isDropped(place)) {
      this.clear();
      return null;
    }
    if (!this.next().has(place)) {
      // Another beginning, or a slip.
      if (!this.first().has(place)) return null;
      this.clear();
    }
    this.chosen.push(place);
    const complete = this.complete();
    // A move that loses the match or a piece of one's own is asked again.
    return complete.length === 1 && this.candidates().length === 1 && !this.isAsked() ? complete[0].move : null;
  }

  /** The moves to choose from by name: those with the chosen squares, and at the beginning those that name none. */
  choices() {
    const offered = this.chosen.length === 0 ? this.entries.filter(({ places }) => places.length === 0) : this.complete();
    const hasPart = offered.some(({ move }) => isPart(move));
    // A move that does nothing more stands beside others that do.
    const plain = offered.some(({ effect }) => effect?.words) ? "moves there, and nothing more" : "";
    const saidOf = ({ move, effect }) => {
      const signs = effect?.captured === undefined ? signsOf(move, this.board) : [];
      return [...signs, ...(effect === null || effect.words === "" ? [] : [effect.words])].join(", ") || plain;
    };
    const all = offered.map(saidOf);
    return offered.toSorted((one, other) => rankOf(one.move) - rankOf(other.move)).map((entry) => {
      const { move, effect } = entry;
      // A move that ends where others go on.
      const ends = offered.length === 1 && 0 < this.next().size && this.chosen.length !== 0 && !ASKED.includes(effect?.mark);
      if (ends) return { move, words: this.further === null ? `Only to ${this.board.squares[this.chosen.at(-1)].name}` : this.filled(2, this.chosen) };
      const [name, said] = [this.nameOf(move), saidOf(entry)];
      // The squares are chosen already: words that tell the moves apart say more than the spelling.
      const isEnough = name === move && all.indexOf(said) === all.lastIndexOf(said);
      const words = said === "" ? name : isEnough ? `${said.charAt(0).toUpperCase()}${said.slice(1)}` : `${name}: ${said}`;
      return { move, words, isWhole: hasPart && /^([a-z]\d+)+$/.test(move) };
    });
  }
}
