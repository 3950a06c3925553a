// A board that is edited: pieces are placed, and the FEN follows. It knows no game, only the FEN: rows of letters and numbers.

import { figureOf, piecesOf } from "./board.js";
import { forPointer } from "./board-input.js";
import { byId, element } from "./dom.js";

/** The squares of each row of a FEN. */
function rowsOf(board) {
  const rows = new Map();
  board.squares.forEach((square, place) => rows.set(square.rank, [...(rows.get(square.rank) ?? []), place]));
  const byFile = (one, other) => board.squares[one].file - board.squares[other].file;
  return [...rows].sort(([one], [other]) => other - one).map(([, places]) => places.sort(byFile));
}

/** What a FEN has on the squares of each row; a stack in brackets is on one of them. */
function signsOf(placed, board) {
  const empty = (n) => "1".repeat(Math.min(n, board.squares.length));
  return placed.split("/").map((row) => row.replace(/\d+/g, empty).match(/\([^()]{2,}\)|[^]/g) ?? []);
}

/** What a FEN has on squares without pieces, such as a tower of the board, by place. */
function groundsOf({ board, fen }, squares) {
  const grounds = new Map();
  const rows = signsOf(fen.split(" ")[0], board);
  rowsOf(board).forEach((places, idx) => {
    places.forEach((place, at) => {
      const sign = rows[idx]?.[at] ?? "1";
      if (squares[place] === "" && sign !== "1") grounds.set(place, sign);
    });
  });
  return grounds;
}

/** Whether stones are piled on each other in a game: the FEN has them in brackets, from bottom to top. */
const hasPiles = (board) => board.game === "tower-of-power";

/** The text of a square without the states of its pieces. */
const lettersOf = (text) => text.replace(/\([^)]*\)/g, "");

/** The squares with pieces of a state as a part of a FEN, such as `a2,b3`. */
function stateText(state, squares, board) {
  const names = board.squares.filter((_, place) => squares[place].endsWith(`(${state})`)).map(({ name }) => name);
  return names.toSorted().join(",") || "-";
}

/** The first part of the FEN of these squares. */
function placement(squares, board, grounds) {
  const ofSquare = (text) => (hasPiles(board) && 1 < text.length ? `(${text})` : lettersOf(text));
  const text = (places) => places.map((place) => ofSquare(squares[place]) || (grounds.get(place) ?? "1")).join("").replace(/1+/g, (ones) => String(ones.length));
  return rowsOf(board).map(text).join("/");
}

/** The heights of the squares as a part of a FEN. */
function heightsText(heights, board) {
  return rowsOf(board).map((places) => places.map((place) => heights[place]).join("")).join("/");
}

const HEIGHT = "height";
const STATE = "state";
/** The rights to castle in chess, with the first squares of the king and of the rook. */
const CASTLING = { K: ["e1", "h1"], Q: ["e1", "a1"], k: ["e8", "h8"], q: ["e8", "a8"] };
const OWNERS = { w: "white", b: "black" };
/** The other side by its letter. */
const OTHER = { w: "b", b: "w" };

export class BoardEditor {
  /**
   * `show` is called with the squares when they change, and `say` with a sentence and whether it says what cannot be done; `placeAt` gives
   * the square below a pointer.
   */
  constructor(show, say, placeAt) {
    Object.assign(this, { show, say, placeAt, isOn: false, rights: new Set() });
    byId("edited-side").addEventListener("change", () => this.edited());
    byId("edited-fen").addEventListener("input", () => this.read());
    byId("chess-fields").addEventListener("change", ({ target }) => {
      this.rights[target.checked ? "add" : "delete"](target.value);
      this.follow();
    });
  }

  /** `usualStart` is the FEN with which the game usually begins; a game whose rules are a program may have none. */
  begin(position, squares, usualStart) {
    this.usualStart = usualStart;
    byId("to-start").hidden = usualStart === null || usualStart === undefined;
    const { board, fen } = position;
    const [placed, ...rest] = fen.split(" ");
    Object.assign(this, { isOn: true, board, squares: [...squares], grounds: groundsOf(position, squares), placed, rest });
    // Where squares do not say all that the FEN says of the board, clicks would lose it.
    this.allowPlacing(placement(squares, board, this.grounds) === placed);
    this.heights = board.squares.map((_, place) => Number(position.heights[place] ?? 0));
    this.highest = position.highest;
    const first = (this.first = usualStart?.split(" ").slice(1) ?? []);
    this.namesSide = first.map((field) => field in OTHER);
    this.heightField = this.rest.indexOf(heightsText(this.heights, board));
    [this.state = null] = board.states ?? [];
    this.stateField = this.state === null ? -1 : this.rest.indexOf(stateText(this.state, squares, board));
    this.isChess = first[1] === "KQkq";
    byId("chess-fields").hidden = !this.isChess;
    this.startFields(rest);
    const letters = board.kinds.flatMap(({ letter }) => (letter.toLowerCase() === letter.toUpperCase() ? [letter] : [letter, letter.toLowerCase()]));
    this.letter = letters[0];
    const button = (letter, title, ...content) => element("button", { type: "button", title, "data-piece": letter, "aria-pressed": String(letter === this.letter), click: () => this.choose(letter), pointerdown: (event) => this.drag(event, letter) }, content);
    const ofPiece = (letter) => {
      const [piece] = piecesOf(letter, board);
      const sign = figureOf(piece, board, { width: 28, height: 28, class: "board", "aria-hidden": "true" });
      const whose = element("span", { class: "unseen" }, { w: "White's ", b: "Black's ", "": "" }[piece.owner]);
      return button(letter, null, sign, element("span", { class: "name" }, whose, piece.kind.name), element("span", { class: "count" }));
    };
    const ofOwner = (owner) => letters.filter((letter) => piecesOf(letter, board)[0].owner === owner).map(ofPiece);
    const height = button(HEIGHT, `Each click on a square raises it; after ${position.highest} comes 0`, "Height");
    const state = button(STATE, `A click on a piece makes it ${this.state}; a second click takes that back`, `✶ ${this.state?.charAt(0).toUpperCase()}${this.state?.slice(1)}`);
    byId("palette").replaceChildren(
      element("div", {}, ofOwner("w")),
      element("div", {}, ofOwner("b")),
      element("div", { class: "neutral" }, ofOwner(""), button("", null, hasPiles(board) ? "✕ Remove the top stone" : "✕ Remove a piece"), this.stateField < 0 ? null : state, this.heightField < 0 ? null : height),
    );
    byId("second-click").textContent = forPointer(hasPiles(board) ? "a stone comes on top of what stands there, and a stack is dragged as a whole" : "a second click takes it away");
    this.follow();
  }

  end() {
    this.isOn = false;
  }

  /** Pieces can be placed where that loses nothing. */
  allowPlacing(isAllowed) {
    this.canPlace = isAllowed;
    byId("pieces").hidden = !isAllowed;
    byId("no-pieces").hidden = isAllowed;
  }

  choose(letter) {
    this.letter = letter;
    for (const button of byId("palette").querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.piece === letter));
  }

  /** A mouse drags what was pressed in the palette to a square; a finger scrolls there. */
  drag(event, letter) {
    if (event.pointerType === "touch" || event.button !== 0) return;
    this.choose(letter);
    const ghost = event.currentTarget.querySelector("svg")?.cloneNode(true);
    ghost?.classList.add("dragged");
    const follow = ({ clientX, clientY }) => {
      if (ghost === undefined) return;
      [ghost.style.left, ghost.style.top] = [`${clientX}px`, `${clientY}px`];
      document.body.append(ghost);
    };
    const drop = (released) => {
      removeEventListener("pointermove", follow);
      ghost?.remove();
      const place = released.type === "pointerup" ? this.placeAt(released) : null;
      // A piece that stands there already stays.
      if (place !== null && (hasPiles(this.board) || [HEIGHT, STATE].includes(letter) || this.squares[place] !== letter)) this.place(place);
      for (const end of ["pointerup", "pointercancel"]) removeEventListener(end, drop);
    };
    addEventListener("pointermove", follow);
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, drop);
  }

  /** Places the chosen piece, or takes it away where it is already; where pieces are piled, one comes on top, or goes from there. */
  place(place) {
    if (!this.canPlace || this.isBarred(place)) return;
    const text = this.squares[place];
    if (this.letter === STATE) this.squares[place] = text === "" || text !== lettersOf(text) ? lettersOf(text) : `${text}(${this.state})`;
    else if (this.letter === HEIGHT) this.heights[place] = (this.heights[place] + 1) % (this.highest + 1);
    else if (hasPiles(this.board)) this.squares[place] = this.letter === "" ? text.slice(0, -1) : text + this.letter;
    else this.squares[place] = text === this.letter ? "" : this.letter;
    this.edited();
    this.show(this.squares);
    this.sayStack(place);
  }

  /** Says what is piled on a square: the board shows only the upper stones well. */
  sayStack(place) {
    const text = this.squares[place];
    if (!hasPiles(this.board) || text.length < 2) return;
    const owners = [...text].map((letter) => OWNERS[piecesOf(letter, this.board)[0].owner]);
    this.say(`On ${this.board.squares[place].name}, from bottom to top: ${owners.join(", ")}.`, false);
  }

  /** Whether nothing can ever stand on a square, such as that of a tower of the board; says so. */
  isBarred(place) {
    const isBarred = this.grounds.has(place);
    this.say(isBarred ? `Nothing can stand on ${this.board.squares[place].name}.` : "", isBarred);
    return isBarred;
  }

  /** Moves what stands on a square to another one, on top of a stack there, or takes it away. */
  move(from, to) {
    const piece = this.squares[from];
    if (piece === "" || !this.canPlace || (to !== null && this.isBarred(to))) return;
    this.squares[from] = "";
    if (to !== null) this.squares[to] = hasPiles(this.board) ? this.squares[to] + piece : piece;
    this.edited();
    this.show(this.squares);
    if (to !== null) this.sayStack(to);
  }

  /** Takes all pieces away. The other fields are as when the game begins, but for the heights of the squares. */
  clear() {
    this.allowPlacing(true);
    this.squares = this.squares.map(() => "");
    if (this.usualStart) this.startFields(this.usualStart.split(" ").slice(1));
    this.rights.clear();
    this.follow();
    this.show(this.squares);
  }

  /** Puts the pieces as they stand when the game begins. */
  toStart() {
    byId("edited-fen").value = this.usualStart;
    this.read();
  }

  /** Follows a FEN that is typed. Rows that cannot be read stay on the board as they were, and that is said. */
  read() {
    const [placed, ...rest] = byId("edited-fen").value.trim().split(/\s+/);
    const rows = signsOf(placed, this.board).map((row) => row.map((sign) => (hasPiles(this.board) && 1 < sign.length ? sign.slice(1, -1) : sign)));
    const letters = new Set(this.board.kinds.flatMap(({ letter }) => [letter, letter.toLowerCase()]));
    const arePieces = (sign) => [...sign].every((letter) => letters.has(letter));
    const isRead = (sign, place) => sign === (this.grounds.get(place) ?? "1") || (arePieces(sign) && !this.grounds.has(place));
    const unread = rowsOf(this.board).filter((places, idx) => {
      const signs = rows[idx] ?? [];
      if (signs.length !== places.length || !places.every((place, at) => isRead(signs[at], place))) return true;
      places.forEach((place, at) => (this.squares[place] = arePieces(signs[at]) ? signs[at] : ""));
      return false;
    });
    const names = unread.map((places) => `${this.board.squares[places[0]].name}\u2013${this.board.squares[places.at(-1)].name}`);
    this.say(names.length === 0 ? "" : `The FEN cannot be read for ${names.join(", ")}: the board has ${names.length === 1 ? "that row" : "those rows"} as before.`, 0 < names.length);
    // Whoever clicks later goes on from what was typed.
    this.placed = placed;
    if (unread.length === 0) this.allowPlacing(true);
    if (rest.length === this.rest.length && rest[0] in OTHER) this.startFields(rest);
    const named = rest[this.stateField]?.split(",") ?? [];
    this.squares = this.squares.map((text, place) => (text !== "" && named.includes(this.board.squares[place].name) ? `${lettersOf(text)}(${this.state})` : text));
    const heights = rest[this.heightField]?.split("/") ?? [];
    rowsOf(this.board).forEach((places, idx) => places.forEach((place, at) => heights[idx]?.[at] <= this.highest && (this.heights[place] = Number(heights[idx][at]))));
    this.refresh();
    this.show(this.squares);
  }

  startFields(fields) {
    // What is empty when a game begins comes from moves, such as a pawn that can be taken in passing: no move led to an edited position.
    const afterEdit = fields.map((field, idx) => (this.first[idx] === "-" ? "-" : field));
    [this.rest, this.afterEdit, this.side] = [[...fields], afterEdit, fields[0]];
    byId("edited-side").value = this.side;
    if (!this.isChess) return;
    this.rights = new Set(fields[1]);
    byId("en-passant").replaceChildren(element("option", {}, fields[2]));
  }

  /** Another side to move is that of every field that names one. */
  edited() {
    const isOther = byId("edited-side").value !== this.side;
    this.rest = this.afterEdit.map((field, idx) => (isOther && this.namesSide[idx] ? OTHER[field] : field));
    this.follow();
  }

  /** Castling and capturing en passant, as far as the pieces allow them. */
  followChess() {
    const at = (name) => this.squares[this.board.squares.findIndex((square) => square.name === name)];
    const boxes = [...byId("chess-fields").querySelectorAll("input")];
    for (const box of boxes) {
      box.disabled = CASTLING[box.value].map(at).join("") !== (box.value < "a" ? "KR" : "kr");
      box.checked = !box.disabled && this.rights.has(box.value);
    }
    this.rest[1] = boxes.filter(({ checked }) => checked).map(({ value }) => value).join("") || "-";
    // A pawn has just come from the other side of the square, and another one beside it can capture it.
    const [crossed, from, to, taken, own] = byId("edited-side").value === "w" ? [6, 7, 5, "p", "P"] : [3, 2, 4, "P", "p"];
    const files = [..."abcdefgh"];
    const isBeside = (idx) => [files[idx - 1], files[idx + 1]].some((file) => at(`${file}${to}`) === own);
    const can = files.filter((file, idx) => at(`${file}${to}`) === taken && [crossed, from].every((rank) => at(`${file}${rank}`) === "") && isBeside(idx));
    const select = byId("en-passant");
    const chosen = select.value;
    select.replaceChildren(...["-", ...can.map((file) => `${file}${crossed}`)].map((name) => element("option", { value: name, selected: name === chosen ? "" : null }, name === "-" ? "none" : name)));
    select.disabled = can.length === 0;
    this.rest[2] = select.value;
  }

  follow() {
    this.refresh();
    if (0 <= this.heightField) this.rest[this.heightField] = heightsText(this.heights, this.board);
    if (0 <= this.stateField) this.rest[this.stateField] = stateText(this.state, this.squares, this.board);
    const placed = this.canPlace ? placement(this.squares, this.board, this.grounds) : this.placed;
    byId("edited-fen").value = [placed, byId("edited-side").value, ...this.rest.slice(1)].join(" ");
  }

  /** Shows what can be chosen, and how many pieces there are. */
  refresh() {
    if (this.isChess) this.followChess();
    const atStart = [...(this.usualStart?.split(" ")[0] ?? "")];
    for (const count of byId("palette").querySelectorAll(".count")) {
      const isOne = (letter) => letter === count.parentNode.dataset.piece;
      const [n, of] = [(hasPiles(this.board) ? [...this.squares.join("")] : this.squares.map(lettersOf)).filter(isOne).length, atStart.filter(isOne).length];
      count.textContent = of === 0 ? String(n) : `${n}/${of}`;
      count.title = "on the board / at the start";
    }
  }
}
