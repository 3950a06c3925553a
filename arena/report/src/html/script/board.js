// A board with its pieces, as SVG. It is told the pieces and the squares to mark, and knows no game by name.

import { drawn } from "./dom.js";

const SIZE = 100;
/** Room for the names of files and ranks, and a little at the other two sides. */
const MARGIN = 42;
const EDGE = 6;
const RADIUS = 37;
/** A tower with three merlons, in a square of 24. */
const TOWER = "M5 21V10L4 9V4h3.600v2.400h2.700V4h3.400v2.400h2.700V4H20v5l-1 1v11z";

/** The pieces that a square's text stands for, from bottom to top: each with its kind, its owner and its state. */
export function piecesOf(text, board) {
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
      { viewBox: `${-MARGIN} ${-EDGE} ${width + MARGIN + EDGE} ${height + MARGIN + EDGE}`, role: "img" },
      this.grounds,
      this.marks,
      this.pieces,
      this.over,
    );
    board.squares.forEach((square, place) => this.addGround(square, Number(heights[place] ?? 0)));
    this.addBorders();
    this.addNames();
  }

  /** Shows a position: each square's text, the squares that the last move names in its order, and how others changed. */
  show({ squares, named, changes, won, label }) {
    this.svg.setAttribute("aria-label", label);
    this.marks.replaceChildren();
    this.over.replaceChildren();
    named.forEach((place, idx) => this.markNamed(place, idx, named.length));
    for (const [place, change] of changes) {
      if (!named.includes(place)) this.markChange(place, change);
      // The target of a push is empty afterwards.
      else if (place === named.at(-1) && squares[place] === "") this.markGone(place);
    }
    this.markWon(won);
    this.pieces.replaceChildren(
      ...squares.map((text, place) => (text === "" ? null : this.stack(text, place))).filter((group) => group !== null),
    );
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
    const group = drawn("g", { transform: `translate(${x} ${y})`, "data-square": square.name }, drawn("title", {}, nameOfGround(square, height)));
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
        drawn("text", { class: "height", x: SIZE - edge - 3, y: SIZE - edge - 3 }, String(height)),
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

  markNamed(place, idx, n) {
    const [x, y] = this.corner(this.board.squares[place]);
    const kind = idx + 1 === n ? "to" : idx === 0 ? "from" : "via";
    this.marks.append(drawn("rect", { class: `mark ${kind}`, x, y, width: SIZE, height: SIZE }));
    this.over.append(drawn("rect", { class: `mark-edge ${kind}`, x: x + 4, y: y + 4, width: SIZE - 8, height: SIZE - 8, rx: 5 }));
  }

  /** A square that the move does not name, but changed: something was pushed there, or is gone. */
  markChange(place, change) {
    const [x, y] = this.corner(this.board.squares[place]);
    this.over.append(drawn("rect", { class: `mark-edge ${change}`, x: x + 4, y: y + 4, width: SIZE - 8, height: SIZE - 8, rx: 5 }));
    if (change === "left") this.markGone(place);
  }

  markGone(place) {
    const [x, y] = this.corner(this.board.squares[place]);
    this.marks.append(drawn("path", { class: "gone", d: `M${x + 34} ${y + 34}l32 32m0 -32l-32 32` }));
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
      { transform: `translate(${x + SIZE / 2} ${y + SIZE / 2})` },
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
    group.append(drawn("text", { class: isLetter ? "sign letter" : "sign figure", y: isLetter ? 15 : 18 }, kind.sign));
  }
  if (state) {
    group.append(
      drawn("circle", { class: "state-ring", r: radius + 4 }),
      drawn("text", { class: "state", x: radius - 6, y: -radius + 14 }, "✶"),
    );
  }
  return group;
}

function nameOfPiece({ kind, owner, state }) {
  const whose = { w: "White's ", b: "Black's ", "": "the " }[owner];
  return `${whose}${kind.name}${state ? `, ${state}` : ""}`;
}

function nameOfGround(square, height) {
  const goal = { "": "", w: ", White's goal", b: ", Black's goal", wb: ", a goal of both" }[square.goal];
  const kind = { open: "", tower: ", a tower", wall: ", the Tower" }[square.kind];
  return `${square.name}${kind}${0 < height ? `, height ${height}` : ""}${goal}`;
}
