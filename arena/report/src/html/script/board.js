// A board with its pieces, as SVG. It is told the pieces and the squares to mark, and knows no game by name.

import { drawn } from "./dom.js";

const SIZE = 100;
/** How long a piece takes to its square, in milliseconds. */
const SLIDE_MS = 180;
/** Room for the names of files and ranks, and a little at the other two sides. */
export const MARGIN = 42;
export const EDGE = 6;
const RADIUS = 37;
/** A tower with three merlons, in a square of 24. */
const TOWER = "M5 21V10L4 9V4h3.600v2.400h2.700V4h3.400v2.400h2.700V4H20v5l-1 1v11z";

/** For each board, the pieces of the texts that were asked for: a match has few texts on many squares of many positions. */
const piecesOfBoard = new WeakMap();

/** The pieces that a square's text stands for, from bottom to top: each with its kind, its owner and its state. They are shared: nobody may change them. */
export function piecesOf(text, board) {
  if (!piecesOfBoard.has(board)) piecesOfBoard.set(board, new Map());
  const known = piecesOfBoard.get(board);
  if (!known.has(text)) known.set(text, parsePieces(text, board));
  return known.get(text);
}

function parsePieces(text, board) {
  return [...text.matchAll(/([^()])(?:\(([^)]*)\))?/gu)].map(([, sign, state]) => {
    const letter = sign.toUpperCase();
    const kind = board.kinds.find((one) => one.letter === letter) ?? { name: "piece", letter, sign: letter };
    const isNeutral = letter.toLowerCase() === letter;
    return { kind, owner: isNeutral ? "" : sign === letter ? "w" : "b", state };
  });
}

/** A drawing of `board`, with the squares' `heights` as digits. `show` puts pieces and marks on it. */
export class BoardDrawing {
  constructor(board, heights, isFlipped) {
    this.board = board;
    this.heights = heights;
    this.isFlipped = isFlipped;
    const files = board.squares.map((square) => square.file);
    const ranks = board.squares.map((square) => square.rank);
    [this.firstFile, this.lastFile] = [Math.min(...files), Math.max(...files)];
    [this.firstRank, this.lastRank] = [Math.min(...ranks), Math.max(...ranks)];
    const width = (this.lastFile - this.firstFile + 1) * SIZE;
    const height = (this.lastRank - this.firstRank + 1) * SIZE;
    this.grounds = drawn("g", {});
    this.marks = drawn("g", {});
    this.pieces = drawn("g", {});
    this.over = drawn("g", {});
    this.svg = drawn(
      "svg",
      { viewBox: `${-MARGIN} ${-EDGE} ${width + MARGIN + EDGE} ${height + MARGIN + EDGE}`, role: "img", "data-game": board.game },
      this.grounds,
      this.marks,
      this.pieces,
      this.over,
    );
    board.squares.forEach((square, place) => this.addGround(square, Number(heights[place] ?? 0)));
    this.addBorders();
    this.addNames();
  }

  /**
   * Shows a position: each square's text, the squares that the last move names in its order, those of the `earlier` moves of the same turn, how
   * others changed, the square of a king in `check`, and how pieces were displaced: the place of each, the changes of its file and rank, and
   * whether it left the board.
   */
  show({ squares, named, earlier = [], changes, shifts = [], check = null, won, label, slides = false }) {
    this.svg.setAttribute("aria-label", check === null ? label : `${label}, the king on ${this.board.squares[check].name} is in check`);
    this.marks.replaceChildren();
    this.over.replaceChildren();
    const changed = new Map(changes);
    // The arrows say enough of these squares.
    const explained = new Set(shifts.flatMap(([place, files, ranks]) => [place, this.placeBeside(place, files, ranks)]));
    for (const places of earlier) places.forEach((place, idx) => this.markNamed(place, idx, places.length, false));
    // A piece that pushes from where it stands has not moved.
    named.forEach((place, idx) => this.markNamed(place, idx, named.length, idx === 0 && 0 < changes.length && !changed.has(place)));
    for (const [place, change] of changes) {
      if (explained.has(place)) continue;
      if (change === "took") this.over.append(this.crossBeside(place));
      if (!named.includes(place)) this.markChange(place, change);
      else if (change === "gone" && place === named.at(-1) && squares[place] === "") this.markGone(place);
    }
    if (check !== null) this.markCheck(check);
    this.markWon(won);
    // What a pushed piece left is seen as what the moved one left.
    for (const [place] of shifts) if (squares[place] === "" && !named.includes(place)) this.marks.append(this.tint(place, "from"));
    // The cross of a piece that left the board is seen on the frame of a square that decided the match.
    this.over.append(...shifts.map((shift) => this.shiftOf(shift, squares[shift[0]] !== "")));
    this.pieces.replaceChildren(
      ...squares.map((text, place) => (text === "" ? null : this.stack(text, place))).filter((group) => group !== null),
    );
    if (slides) this.slide(named, changed, shifts);
  }

  /** Lets the pieces of the last move come from where they were: the one that moved along the squares that it names, and those that were displaced. */
  slide(named, changed, shifts) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const pieces = new Map([...this.pieces.children].map((piece) => [Number(piece.dataset.place), piece]));
    const run = (places) => {
      const piece = pieces.get(places.at(-1));
      const steps = places.map((place) => {
        const [x, y] = this.corner(this.board.squares[place]);
        return { transform: `translate(${x + SIZE / 2}px, ${y + SIZE / 2}px)` };
      });
      if (piece === undefined || places.length < 2) return;
      // What moves is above what stands.
      this.pieces.append(piece);
      piece.animate(steps, { duration: SLIDE_MS, easing: "ease-out" });
    };
    for (const [place, files, ranks, isGone] of shifts) if (!isGone) run([place, this.placeBeside(place, files, ranks)]);
    if (changed.has(named[0])) run(named);
  }

  /** What a move would change: the squares afterwards, and how pieces are displaced. */
  ghostOf({ s: squares = [], p: shifts = [] }) {
    const ghost = drawn("g", { class: "ghost" });
    for (const [place, text] of squares) {
      const [x, y] = this.corner(this.board.squares[place]);
      ghost.append(drawn("rect", { class: "veil", x: x + 2, y: y + 2, width: SIZE - 4, height: SIZE - 4 }));
      if (text !== "") ghost.append(this.stack(text, place));
    }
    // What stands on a square that does not change is of the same kind as what was there.
    const after = new Map(squares);
    ghost.append(...shifts.map((shift) => this.shiftOf(shift, after.get(shift[0]) !== "")));
    return ghost;
  }

  /** The place of the square so many files and ranks further; -1 if there is none. */
  placeBeside(place, files, ranks) {
    const from = this.board.squares[place];
    return this.board.squares.findIndex(({ file, rank }) => file === from.file + files && rank === from.rank + ranks);
  }

  /**
   * An arrow for a piece that was displaced; for one that left the board, a cross at the edge, or where it died. If another piece stands on
   * its square now, nothing covers that.
   */
  shiftOf([place, files, ranks, isGone], isOccupied) {
    if (isGone && isOccupied && files === 0 && ranks === 0) return drawn("g", { class: "shift" }, this.crossBeside(place));
    const [left, top] = this.corner(this.board.squares[place]);
    const [x, y] = [left + SIZE / 2, top + SIZE / 2];
    const turn = this.isFlipped ? -1 : 1;
    const n = Math.max(1, Math.abs(files), Math.abs(ranks));
    // Beyond the edge there is no room.
    const part = isGone ? (isOccupied ? 0.44 : 0.36) / n : 1;
    const [dx, dy] = [files * turn * part * SIZE, -ranks * turn * part * SIZE];
    const [endX, endY] = [x + dx, y + dy];
    const group = drawn("g", { class: "shift" });
    const cross = isGone && crossAt(endX, endY, isOccupied ? 9 : 13);
    const length = Math.hypot(dx, dy);
    if (0 < length && !(isGone && isOccupied)) {
      const [ux, uy] = [dx / length, dy / length];
      const [tipX, tipY] = [endX - 14 * ux, endY - 14 * uy];
      // It begins at its tip, so that the dots of several that end there lie on each other.
      group.append(drawn("path", { class: "shaft", d: isGone ? `M${x} ${y}L${endX} ${endY}` : `M${tipX - 18 * ux} ${tipY - 18 * uy}L${x + 14 * ux} ${y + 14 * uy}` }));
      if (!isGone) group.append(drawn("path", { class: "head", d: `M${tipX} ${tipY}l${-26 * ux - 15 * uy} ${-26 * uy + 15 * ux}l${30 * uy} ${-30 * ux}z` }));
    }
    if (cross) group.append(cross);
    return group;
  }

  /** Shows a number for each square as a depth of colour; `words` says what it is. */
  showHeat(counts, words) {
    const most = Math.max(1, ...counts);
    this.marks.replaceChildren(
      ...this.board.squares.map((square, place) => {
        const [x, y] = this.corner(square);
        const part = counts[place] / most;
        return drawn(
          "g",
          {},
          drawn("title", {}, words(counts[place], square.name)),
          drawn("rect", { class: "warmth", x: x + 1, y: y + 1, width: SIZE - 2, height: SIZE - 2, "fill-opacity": (0.95 * Math.sqrt(part)).toFixed(3) }),
        );
      }),
    );
  }

  /** The upper left corner of a square. */
  corner({ file, rank }) {
    const [column, row] = [file - this.firstFile, this.lastRank - rank];
    if (!this.isFlipped) return [column * SIZE, row * SIZE];
    return [(this.lastFile - this.firstFile - column) * SIZE, (this.lastRank - this.firstRank - row) * SIZE];
  }

  addGround(square, height) {
    const [x, y] = this.corner(square);
    const shade = (square.file + square.rank) % 2 === 0 ? "dark" : "light";
    const part = square.region === 0 ? "" : ` part-${square.region % 2}`;
    const group = drawn("g", { transform: `translate(${x} ${y})`, "data-square": square.name }, drawn("title", {}, nameOfGround(square, height, this.board.goal)));
    group.append(
      drawn("rect", { class: `ground ${square.kind} ${shade}${part} height-${height}`, width: SIZE, height: SIZE }),
    );
    if (0 < height) {
      // A step of the terrain: light falls from the upper left.
      const edge = 5 + 4 * height;
      const far = SIZE - edge;
      group.append(
        drawn("path", { class: "slope lit", d: `M0 0H${SIZE}L${far} ${edge}H${edge}V${far}L0 ${SIZE}z` }),
        drawn("path", { class: "slope shaded", d: `M${SIZE} ${SIZE}V0L${far} ${edge}V${far}H${edge}L0 ${SIZE}z` }),
        // In the corner, where no piece covers it.
        drawn("text", { class: "height", x: SIZE - 5, y: SIZE - 5 }, String(height)),
      );
    }
    if (square.kind !== "open") {
      group.append(drawn("path", { class: `tower-sign ${square.kind}`, d: TOWER, transform: "translate(8 5) scale(3.5)" }));
    }
    if (square.goal !== "" && square.kind === "open") {
      group.append(drawn("path", { class: `goal goal-${square.goal}`, d: "M4 4h26l-26 26z" }));
    }
    this.grounds.append(group);
  }

  /** Lines where the board or one of its parts ends. */
  addBorders() {
    const regions = new Map(this.board.squares.map((square) => [`${square.file} ${square.rank}`, square.region]));
    const lines = [];
    for (const square of this.board.squares) {
      const [x, y] = this.corner(square);
      const turn = this.isFlipped ? -1 : 1;
      const sides = [
        [-turn, 0, `M${x} ${y}v${SIZE}`],
        [turn, 0, `M${x + SIZE} ${y}v${SIZE}`],
        [0, turn, `M${x} ${y}h${SIZE}`],
        [0, -turn, `M${x} ${y + SIZE}h${SIZE}`],
      ];
      for (const [files, ranks, line] of sides) {
        if (regions.get(`${square.file + files} ${square.rank + ranks}`) !== square.region) lines.push(line);
      }
    }
    this.grounds.append(drawn("path", { class: "border", d: lines.join("") }));
  }

  /** Files below the lowest square of each file, ranks left of the leftmost of each rank, as the reader sees the board. */
  addNames() {
    const below = new Map();
    const left = new Map();
    for (const square of this.board.squares) {
      const [x, y] = this.corner(square);
      const name = /^([a-z]+)(\d+)$/.exec(square.name);
      if (name === null) continue;
      if (!below.has(name[1]) || below.get(name[1])[1] < y) below.set(name[1], [x, y]);
      if (!left.has(name[2]) || x < left.get(name[2])[0]) left.set(name[2], [x, y]);
    }
    for (const [text, [x, y]] of below) {
      this.grounds.append(drawn("text", { class: "coordinate", x: x + SIZE / 2, y: y + SIZE + 28 }, text));
    }
    for (const [text, [x, y]] of left) {
      this.grounds.append(drawn("text", { class: "coordinate of-rank", x: x - 11, y: y + SIZE / 2 + 9 }, text));
    }
  }

  markNamed(place, idx, n, isStill) {
    const [x, y] = this.corner(this.board.squares[place]);
    const kind = isStill ? "still" : idx + 1 === n ? "to" : idx === 0 ? "from" : "via";
    this.marks.append(this.tint(place, kind));
    this.over.append(drawn("rect", { class: `mark-edge ${kind}`, x: x + 4, y: y + 4, width: SIZE - 8, height: SIZE - 8, rx: 5 }));
  }

  tint(place, kind) {
    const [x, y] = this.corner(this.board.squares[place]);
    return drawn("rect", { class: `mark ${kind}`, x, y, width: SIZE, height: SIZE });
  }

  /** A square that the move does not name, but changed. */
  markChange(place, change) {
    const [x, y] = this.corner(this.board.squares[place]);
    this.over.append(drawn("rect", { class: `mark-edge ${change}`, x: x + 4, y: y + 4, width: SIZE - 8, height: SIZE - 8, rx: 5 }));
    if (change === "gone") this.markGone(place);
  }

  markGone(place) {
    const [x, y] = this.corner(this.board.squares[place]);
    this.marks.append(crossAt(x + SIZE / 2, y + SIZE / 2, 16));
  }

  /** A cross for a piece that was captured where another one stands now. */
  crossBeside(place) {
    const [x, y] = this.corner(this.board.squares[place]);
    return crossAt(x + SIZE - 15, y + 15, 9);
  }

  markCheck(place) {
    const [x, y] = this.corner(this.board.squares[place]);
    this.marks.append(drawn("rect", { class: "check", x, y, width: SIZE, height: SIZE }));
  }

  /** The squares that decided the match. */
  markWon(places) {
    for (const place of places) {
      const [x, y] = this.corner(this.board.squares[place]);
      this.over.append(drawn("rect", { class: "won", x: x + 9, y: y + 9, width: SIZE - 18, height: SIZE - 18, rx: 16 }));
    }
  }

  stack(text, place) {
    const pieces = piecesOf(text, this.board);
    const square = this.board.squares[place];
    const [x, y] = this.corner(square);
    const words = pieces.map((piece) => nameOfPiece(piece)).join(" under ");
    const group = drawn(
      "g",
      { transform: `translate(${x + SIZE / 2} ${y + SIZE / 2})`, "data-place": place },
      drawn("title", {}, `${square.name}: ${words}`),
    );
    if (pieces.length === 1) {
      group.append(token(pieces[0], RADIUS));
      return group;
    }
    const step = Math.min(13, 44 / (pieces.length - 1));
    const lowest = (step * (pieces.length - 1)) / 2;
    pieces.forEach((piece, level) => {
      group.append(drawn("g", { transform: `translate(0 ${lowest - step * level})` }, token(piece, RADIUS - 7)));
    });
    const top = pieces[pieces.length - 1];
    group.append(
      drawn("text", { class: `count on-${top.owner}`, y: lowest - step * (pieces.length - 1) + 11 }, String(pieces.length)),
    );
    return group;
  }
}

function crossAt(x, y, size) {
  return drawn("path", { class: "gone", d: `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}` });
}

/** One piece around the origin. */
export function token({ kind, owner, state }, radius) {
  const group = drawn("g", { class: `piece ${owner === "" ? "neutral" : `of-${owner}`}${state ? " has-state" : ""}` });
  group.append(drawn("circle", { class: "disc", r: radius }));
  if (owner === "") {
    group.append(drawn("circle", { class: "shine", cx: -radius / 3, cy: -radius / 3, r: radius / 4 }));
  } else {
    group.append(drawn("circle", { class: "rim", r: radius - 6 }));
  }
  if (kind.sign !== null) {
    const isLetter = /^[\x21-\x7e]$/.test(kind.sign);
    const signs = isLetter ? [kind.sign] : kind.sign.match(/.\ufe0e?/gu);
    if (signs.length === 1) group.append(drawn("text", { class: isLetter ? "sign letter" : "sign figure", y: isLetter ? 15 : 18 }, kind.sign));
    else group.append(...signs.map((sign, idx) => drawn("text", { class: "sign figure of-two", x: idx === 0 ? -14 : 14, y: 15 }, sign)));
  }
  if (state) {
    group.append(
      drawn("circle", { class: "state-ring", r: radius + 4 }),
      drawn("text", { class: "state", x: radius - 6, y: -radius + 14 }, "✶"),
    );
  }
  return group;
}

/** A piece of a board beside it or in a text. */
export function figureOf(piece, board, attributes) {
  return drawn("svg", { viewBox: "-42 -42 84 84", "data-game": board.game, ...attributes }, token(piece, 37));
}

function nameOfPiece({ kind, owner, state }) {
  const whose = { w: "White's ", b: "Black's ", "": "the " }[owner];
  return `${whose}${kind.name}${state ? `, ${state}` : ""}`;
}

function nameOfGround(square, height, noun) {
  const goal = { "": "", w: `, White's ${noun}`, b: `, Black's ${noun}`, wb: `, a ${noun} for both sides` }[square.goal];
  const kind = { open: "", tower: ", a tower", wall: ", the Tower" }[square.kind];
  return `${square.name}${kind}${0 < height ? `, height ${height}` : ""}${goal}`;
}
