// Input of moves on a board: by clicking or dragging, and with the keys. It knows no game.

import { arrow, placesOf } from "./arrows.js";
import { piecesOf } from "./board.js";
import { byId, drawn, element } from "./dom.js";
import { MovePicker } from "./move-picker.js";
import { ARROWS } from "./notation.js";

const SIZE = 100;
/** A pointer that moves less than this is not a drag. */
const DRAG_PIXELS = 5;
/** The marks of squares that can be chosen next: a dot, a ring, a diamond, a frame, crosses, and a disc with a cross. */
export const TARGETS = {
  move: "M35 50a15 15 0 1 0 30 0a15 15 0 1 0-30 0z",
  capture: "M7 50a43 43 0 1 0 86 0a43 43 0 1 0-86 0z",
  push: "M50 5L95 50L50 95L5 50z",
  lay: "M50 5L95 50L50 95L5 50z",
  via: "M20 20h60v60h-60z",
  join: "M50 8v84M8 50h84",
  own: "M15 15L85 85M85 15L15 85",
  lose: "M8 50a42 42 0 1 0 84 0a42 42 0 1 0-84 0zM31 31L69 69M69 31L31 69",
};
/** Where the arrows of the directions stand around the pushed piece, from up and to the right: rows and columns. */
const AROUND = ["1 / 2", "1 / 3", "2 / 3", "3 / 3", "3 / 2", "3 / 1", "2 / 1", "1 / 1"];
/** A finger does not click. */
const IS_TOUCH = matchMedia("(pointer: coarse)").matches;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Words for what the user points with. */
export const forPointer = (words) => (IS_TOUCH ? words.replaceAll("click", "tap").replaceAll("Click", "Tap") : words);

/** What is said where a move should have been typed. */
export const noMove = ([example]) => `Type a move first${example === undefined ? "" : `, such as \`${example}\``}.`;

export class BoardInput {
  /**
   * `box` holds the board, `choices` the buttons of moves that squares do not tell apart; `made` is called with a move, and
   * `say` with what the user should know of a choice, and whether it was wrong.
   */
  constructor(box, choices, made, say) {
    Object.assign(this, { box, choices, made, say: (words, isWrong) => say(forPointer(this.picker.inWords(words)), isWrong) });
    /** The square of the keys, and whether the user has chosen it. */
    Object.assign(this, { cursor: null, isCursorChosen: false });
    /** The first two squares of the move that shall follow that of the other side. */
    this.ahead = [];
    this.drawing = null;
    this.pressed = null;
    /** The piece that is dragged, where on the screen that began, and whether the pointer has moved since then. */
    this.held = null;
    /** Whether the last move was made by dropping its piece, which is there already. */
    this.wasDropped = false;
    /** The square that a pointer or the keys point at. */
    this.pointed = null;
    /** Called with what is known of the square that is pointed at; empty if nothing is. */
    this.onPointed = () => {};
    /** Called with a square instead of all that follows, while the board is edited. */
    this.place = null;
    /** Called while the board is edited with the squares where a drag begins and ends; `null` is beside the board. */
    this.drag = null;
    box.addEventListener("pointerdown", (event) => this.onPress(event));
    box.addEventListener("pointermove", (event) => event.pointerType !== "touch" && this.point(this.placeAt(event)));
    box.addEventListener("pointerleave", () => this.point(null));
    addEventListener("keydown", (event) => event.key === "Escape" && this.drawing !== null && event.target !== box && this.drop());
    addEventListener("pointermove", (event) => this.onDrag(event));
    addEventListener("pointerup", (event) => this.onRelease(event));
    addEventListener("pointercancel", () => this.cancel());
    box.addEventListener("keydown", (event) => this.onKey(event));
    // Only the marks: a press on one of the choices must find the same button at its release.
    box.addEventListener("focus", () => this.showMarks());
    box.addEventListener("blur", () => this.showMarks());
  }

  /** Shows another position, with these legal moves, and what is known of them; `hint` is a move to point at. */
  show(drawing, squares, moves, hint, known = {}) {
    // What names squares of another board is forgotten.
    const board = drawing.board.squares.map(({ name }) => name).join();
    if (board !== this.shownBoard) {
      Object.assign(this, { shownBoard: board, isCursorChosen: false, pressed: null, held: null, ahead: [] });
      byId("cursor").textContent = "";
    }
    this.drawing = drawing;
    this.squares = squares;
    this.picker = new MovePicker(moves, drawing, known);
    this.question = known.question;
    this.pointed = null;
    this.layer = drawn("g", { class: "input-marks" });
    this.preview = drawn("g", { class: "preview", "aria-hidden": "true" });
    this.hint = hint;
    /** The side that waits for its turn, if this is such a position. */
    this.waiting = known.waiting ?? null;
    drawing.svg.append(this.preview, this.layer);
    if (this.held !== null) this.held = { ...this.held, piece: this.pieceOn(this.pressed) };
    if (!this.isCursorChosen) this.cursor = this.nearest();
    // What was said of the square of the keys is said anew, unless that was another board.
    if (byId("cursor").textContent !== "") this.tell();
    const ahead = this.waiting === null ? this.ahead.splice(0) : [];
    this.refresh();
    // What is not legal is forgotten.
    if (0 < ahead.length && ahead.every((place, idx) => this.picker.entries.some(({ places }) => places[idx] === place && places[0] === ahead[0]))) ahead.forEach((place) => this.choose(place));
  }

  /** Takes what is known of squares, of a position that is shown already. */
  learn(remarks) {
    this.picker.learn(remarks);
    this.showPreview();
    if (this.pointed !== null) this.onPointed(this.known(this.pointed));
  }

  /** The square of a piece that can move, as near to the lower edge as there is one. */
  nearest() {
    const down = (place) => this.drawing.corner(this.drawing.board.squares[place])[1];
    return [...this.picker.next()].sort((one, other) => down(other) - down(one))[0] ?? 0;
  }

  /** Takes a square of a move that shall follow that of the other side; a click elsewhere takes the move back. */
  chooseAhead(place) {
    const isOwn = piecesOf(this.squares[place], this.drawing.board).at(-1)?.owner === this.waiting;
    const isTarget = this.ahead.length === 1 && this.ahead[0] !== place;
    this.ahead = isTarget ? [...this.ahead, place] : isOwn && this.ahead[0] !== place ? [place] : [];
    this.showMarks();
    this.say("", false);
  }

  choose(place) {
    if (this.place !== null) {
      this.place(place);
      return;
    }
    if (this.waiting !== null) {
      this.chooseAhead(place);
      return;
    }
    const offered = this.picker.landings().get(place) ?? this.picker.promotions().get(place)?.move;
    if (offered !== undefined) {
      this.finish(offered);
      return;
    }
    if (this.picker.isDropped(place)) {
      this.drop();
      return;
    }
    this.judge(place);
    const move = this.picker.choose(place);
    if (move === null) this.refresh();
    else this.finish(move);
  }

  /** Says what comes of choosing a square, or of dropping the chosen piece there. */
  judge(place, isDrop = false) {
    const tops = this.squares.map((text) => piecesOf(text, this.drawing.board).at(-1));
    const say = (words, isWrong) => this.say(words === "" ? "" : this.saidOf(place, words), isWrong);
    const { isWrong, words, asked } = this.picker.judge(place, tops, isDrop);
    say(words, isWrong);
    if (asked) this.ask(asked, say);
  }

  saidOf(place, words) {
    const pieces = this.piecesAt(place);
    return `\`${this.drawing.board.squares[place].name}\`${pieces === "" ? "" : ` (${pieces})`}: ${words}`;
  }

  /** Asks the arena what is in the way, which is better than the rule. */
  async ask([from, to], say) {
    const { picker, question } = this;
    if (!question) return;
    const key = picker.chosen.join();
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ ...question, from, to }) };
    const answer = await fetch("why", options).catch(() => null);
    const words = answer?.ok ? await answer.text() : "";
    if (words !== "" && this.picker === picker && picker.chosen.join() === key) say(words, true);
  }

  /** Begins again, as the user wants. */
  drop() {
    const [place] = [...this.picker.chosen, ...this.ahead];
    if (place === undefined) return;
    this.ahead = [];
    this.clear();
    this.say(this.saidOf(place, `dropped. ${this.picker.prompt()}`), false);
  }

  clear() {
    this.picker.clear();
    this.refresh();
  }

  refresh() {
    this.showMarks();
    this.showChoices();
    this.showPreview();
  }

  /** Points at a square. */
  point(place) {
    if (this.pointed === place || this.drawing === null || this.place !== null) return;
    this.pointed = place;
    this.onPointed(this.known(place));
    this.showPreview();
  }

  /** What is known of a square: what a move to it does, and of its piece. */
  known(place) {
    if (place === null) return "";
    const { picker } = this;
    const ending = picker.chosen.length === 0 && !picker.isPlacing() ? [] : picker.endingOn(picker.meant(place));
    const remark = picker.remarks.get(place);
    const pieces = this.piecesAt(place);
    const landing = picker.entries.filter(({ move }) => move === picker.landings().get(place));
    const told = MovePicker.areDirections(ending) ? [{ effect: { words: `pushes ${pieces}; you choose the direction` } }] : [...landing, ...ending.slice(0, 2)];
    const words = told.flatMap(({ effect }) => (effect?.words ? [`${this.drawing.board.squares[place].name}: ${effect.words}`] : []));
    // What a tower does now is of no use beside what it will do.
    if (remark !== undefined && (words.length === 0 || remark.area.length === 0)) words.push(`${this.drawing.board.squares[place].name}${pieces === "" ? "" : ` (${pieces})`}: ${remark.words}`);
    return words.join("; ");
  }

  /** A move in words: the piece, its squares and what it does, as far as its name and these words do not say it. */
  wordsOf(move) {
    const { effect } = this.picker.entries.find((entry) => entry.move === move) ?? {};
    return this.describe(move, this.picker.nameOf(move), effect?.words ?? "", this.squares);
  }

  /** The same of any move: `name` is how people write it, `words` what it does, `squares` what was on the board before it. */
  describe(move, name, words, squares) {
    const { board } = this.drawing;
    const places = placesOf(move, board);
    const names = places.map((place) => board.squares[place].name);
    const isNamed = places.length < 2 || name !== move;
    if (!isNamed && words !== "" && names.every((one) => words.includes(one))) return words;
    const piece = piecesOf(squares[places[0]] ?? "", board).at(-1)?.kind.name ?? "piece";
    const named = isNamed ? name : `${piece} from ${names[0]} to ${names.at(-1)}`;
    return words === "" ? named : `${named}: ${words}`;
  }

  /** What the move to the square that is pointed at would change, and the squares that something there concerns. */
  showPreview(move = null) {
    if (this.drawing === null) return;
    const { picker, pointed } = this;
    move ??= picker.landings().get(pointed) ?? null;
    const shown = [];
    const concerned = [pointed, picker.chosen[0]].map((place) => picker.remarks.get(place)?.area ?? []).find((area) => 0 < area.length) ?? [];
    for (const place of concerned) {
      const [x, y] = this.drawing.corner(this.drawing.board.squares[place]);
      shown.push(drawn("rect", { class: "area", x, y, width: SIZE, height: SIZE }));
    }
    const ending = move !== null ? picker.entries.filter((entry) => entry.move === move) : pointed === null || (picker.chosen.length === 0 && !picker.isPlacing()) ? [] : picker.endingOn(picker.meant(pointed));
    // Which of the directions it will be is not known yet.
    const after = ((MovePicker.areDirections(ending) ? undefined : ending[0]) ?? (picker.isAsked() ? picker.candidates()[0] : undefined))?.effect?.after;
    if (after !== undefined) shown.push(this.drawing.ghostOf(after));
    this.preview.replaceChildren(...shown);
  }

  showMarks() {
    if (this.drawing === null) return;
    const { picker, drawing } = this;
    const at = (place) => drawing.corner(drawing.board.squares[place]);
    const marks = [];
    const next = picker.next();
    const frame = (place, type) => {
      const [x, y] = at(place);
      marks.push(drawn("rect", { class: type, x: x + 3, y: y + 3, width: SIZE - 6, height: SIZE - 6, rx: 8 }));
    };
    for (const place of this.ahead) frame(place, "ahead");
    if (0 < picker.chosen.length || picker.isPlacing()) {
      for (const place of picker.chosen) frame(place, "chosen");
      const add = (place, kind) => {
        const [x, y] = at(place);
        marks.push(drawn("path", { class: `target ${kind}`, d: TARGETS[kind], transform: `translate(${x} ${y})` }));
      };
      const captured = picker.captured();
      for (const place of next) {
        const owner = (one) => piecesOf(this.squares[one], drawing.board).at(-1)?.owner;
        const otherwise = this.squares[place] === "" ? "move" : owner(place) === owner(picker.chosen[0]) ? "join" : "capture";
        const kind = picker.kindOf(place, otherwise);
        if (kind === "capture") captured.delete(place);
        // One mark is enough: the other move is offered once the square is chosen.
        const [{ lost } = { lost: -1 }, ...others] = picker.endingOn(place);
        if (picker.isPassed(place)) add(place, "via");
        else if (lost !== -1 && others.length === 0 && !next.has(lost)) {
          // The mark of what is lost stands on it, and not on what is pushed against it.
          add(place, "push");
          add(lost, kind);
        } else if (kind !== null) add(place, kind);
      }
      for (const place of captured) add(place, "capture");
      for (const [place, move] of picker.landings()) add(place, picker.landingOf(move, picker.chosen.at(-1)).isGone ? "capture" : "push");
    }
    for (const [place, { piece }] of picker.promotions()) {
      const [x, y] = at(place);
      marks.push(drawn("g", { class: "offered" }, drawn("rect", { x, y, width: SIZE, height: SIZE }), drawing.stack(piece, place)));
    }
    if (this.cursor !== null && this.box === document.activeElement && this.box.matches(":focus-visible")) {
      const [x, y] = at(this.cursor);
      marks.push(drawn("rect", { class: "cursor", x: x + 8, y: y + 8, width: SIZE - 16, height: SIZE - 16 }));
    }
    if (this.hint) marks.push(...this.arrowsOf(this.hint, "hinted", `Hint: ${picker.nameOf(this.hint)}`));
    this.layer.replaceChildren(...marks);
  }

  /** The arrow of a legal move, and that of the piece which it pushes. */
  arrowsOf(move, type, words) {
    const { drawing } = this;
    const places = placesOf(move, drawing.board);
    const landing = this.picker.landingOf(move, places.at(-1));
    return [arrow(drawing, places, type, words), ...(landing === null ? [] : [arrow(drawing, [places.at(-1), landing.square], type, words)])];
  }

  showChoices() {
    const choices = this.picker.choices();
    const directions = this.picker.directions();
    this.choices.classList.toggle("around", directions !== null);
    this.choices.classList.toggle("on-board", 0 < this.picker.promotions().size);
    const instead = this.picker.instead();
    const look = (move = null) => {
      this.showPreview(move);
      this.onPointed(move !== null && directions !== null ? (choices.find((choice) => choice.move === move)?.words ?? "") : "");
    };
    const shows = (move) => ({ mouseenter: () => look(move), focus: () => look(move), mouseleave: () => look(), blur: () => look() });
    const other = () => {
      this.picker.clear();
      this.choose(instead);
    };
    if (directions !== null) {
      const button = ([direction, { move, mark, to }]) => {
        const { words } = choices.find((choice) => choice.move === move);
        const [isHinted, title] = [move === this.hint, move === this.hint ? `Hint: ${words}` : words];
        const one = element("button", { type: "button", class: `${mark ?? ""}${isHinted ? " hinted" : ""}`, "data-move": move, "aria-label": title, title, click: () => this.finish(move), ...shows(move) }, ARROWS[direction], element("span", {}, to));
        one.style.gridArea = AROUND[direction];
        return one;
      };
      this.choices.replaceChildren(...[...directions].sort().map(button));
      return;
    }
    this.choices.replaceChildren(
      ...choices.map(({ move, words, isWhole }) =>
        element("button", { type: "button", class: `${isWhole ? "first" : ""}${move === this.hint ? " hinted" : ""}`, "data-move": move, click: () => this.finish(move), ...shows(move) }, words, ...(move === this.hint ? [element("b", {}, " (hint)")] : [])),
      ),
      ...(instead === null ? [] : [element("button", { type: "button", "data-instead": "", click: other }, `Choose the ${piecesOf(this.squares[instead], this.drawing.board).at(-1)?.kind.name ?? "piece"} on ${this.drawing.board.squares[instead].name} instead`)]),
      ...(0 < this.picker.chosen.length && 0 < choices.length && 0 < this.picker.next().size ? [element("span", { class: "fine" }, forPointer("or click another square"))] : []),
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
    Object.assign(this, { cursor: place, isCursorChosen: true });
    this.wasDropped = false;
    const hold = () => (this.held = { piece: this.pieceOn(place), from: [event.clientX, event.clientY], isMoved: false });
    // While the board is edited, the release says whether it is a click or a drag.
    if (this.place !== null) {
      if (this.drag !== null) hold();
      return;
    }
    // A press on the chosen piece may begin to drag it.
    this.drops = this.picker.isDropped(place);
    if (!this.drops) this.choose(place);
    if (this.picker.chosen.length === 1 && this.picker.chosen[0] === place) hold();
  }

  pieceOn(place) {
    return [...this.drawing.pieces.children].find((piece) => Number(piece.dataset.place) === place) ?? null;
  }

  /** The piece follows the pointer. */
  onDrag(event) {
    if (this.held === null || this.held.piece === null) return;
    const { piece, from, isMoved } = this.held;
    if (!isMoved && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < DRAG_PIXELS) return;
    // What is dragged is above what stands.
    if (!isMoved) piece.parentNode.append(piece);
    this.held.isMoved = true;
    const at = this.pointAt(event);
    if (at !== null) piece.setAttribute("transform", `translate(${at.x} ${at.y})`);
  }

  /** The browser has taken the pointer. */
  cancel() {
    if (this.held?.isMoved) put(this.held.piece, this.drawing, this.pressed);
    this.pressed = this.held = null;
  }

  /** A drag ends on another square than it began on. */
  onRelease(event) {
    const from = this.pressed;
    this.pressed = null;
    if (from === null || this.drawing === null) return;
    const place = this.placeAt(event);
    const { piece = null, isMoved: isDragged = false } = this.held ?? {};
    this.held = null;
    const isTarget = place !== null && place !== from && 0 < this.picker.chosen.length && this.picker.next().has(this.picker.meant(place));
    if (isDragged) put(piece, this.drawing, this.place === null && isTarget ? place : from);
    if (this.place !== null) {
      if (place === from) this.place(place);
      else this.drag?.(from, place);
      return;
    }
    if (this.waiting !== null && place !== null && place !== from && this.ahead.join() === String(from)) this.chooseAhead(place);
    if (place === from && this.drops) this.drop();
    this.drops = false;
    if (!isTarget) {
      // Why it does not go there is said as after a click.
      if (isDragged && this.waiting === null && place !== null && place !== from) this.judge(place, true);
      return;
    }
    this.wasDropped = isDragged;
    this.choose(place);
    // The move has further squares: until they are chosen, the piece is where it was.
    if (isDragged && 0 < this.picker.chosen.length) {
      this.wasDropped = false;
      put(piece, this.drawing, from);
    }
  }

  /** Whether the last move was made by dropping its piece. It is told once. */
  takesDropped() {
    const { wasDropped } = this;
    this.wasDropped = false;
    return wasDropped;
  }

  /** A point of the screen on the drawing. */
  pointAt({ clientX, clientY }) {
    const matrix = this.drawing?.svg.getScreenCTM() ?? null;
    return matrix === null ? null : new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  }

  /** The square at a point of the screen. */
  placeAt(event) {
    const at = this.pointAt(event);
    if (at === null) return null;
    const { x, y } = at;
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
    else if (event.key === "Escape") this.drop();
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
    this.isCursorChosen = true;
    this.refresh();
    this.point(this.cursor);
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
    const known = this.known(this.cursor);
    const words = `${square.name}: ${pieces || "empty"}${isChosen}${isNext}${known === "" ? "" : `; ${known}`}`;
    // The same words would be read out once more.
    if (byId("cursor").textContent !== words) byId("cursor").textContent = words;
  }
}

/** Puts a piece on the middle of a square. */
function put(piece, drawing, place) {
  const [x, y] = drawing.corner(drawing.board.squares[place]);
  piece?.setAttribute("transform", `translate(${x + SIZE / 2} ${y + SIZE / 2})`);
}
