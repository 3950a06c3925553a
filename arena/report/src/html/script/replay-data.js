// The positions, clocks and evaluations of a match, from the compact data of the page.

import { piecesOf } from "./board.js";
import { data } from "./data.js";
import { element } from "./dom.js";

/** How steep the win probability is, per unit of a score: as on lichess. */
const STEEPNESS = 0.368;

/**
 * The positions: each square's text, what is in hand, the notes, how squares changed, how pieces were displaced, and the place of a king in
 * check, if there is one.
 */
export function positionsOf(board, scenes) {
  if (board === undefined) return [];
  let squares = board.squares.map(() => "");
  let hands = ["", ""];
  let notes = [];
  return scenes.map(({ s = [], h = hands, n = notes, p: shifts = [], c: check = null }, ply) => {
    const before = squares;
    squares = [...squares];
    for (const [place, text] of s) squares[place] = text;
    [hands, notes] = [h, n];
    const changes = ply === 0 ? [] : changesOf(before, squares, s.map(([place]) => place), board);
    return { squares, hands, notes, changes, shifts, check };
  });
}

/** How these places changed: pieces `left` or `entered`, were `replaced` by others, or are `gone`; or another piece `took` one there. */
export function changesOf(before, after, places, board) {
  const all = (texts) => texts.flatMap((text) => piecesOf(text, board));
  const [old, now] = [all(before), all(after)];
  const hasLost = (owner) => now.filter((piece) => piece.owner === owner).length < old.filter((piece) => piece.owner === owner).length;
  const change = (place) => {
    const [was, is] = [before, after].map((texts) => piecesOf(texts[place], board));
    if (is.length !== was.length) return was.length < is.length ? "entered" : now.length < old.length ? "gone" : "left";
    const owner = was.at(-1)?.owner;
    return owner !== is.at(-1)?.owner && hasLost(owner) ? "took" : "replaced";
  };
  return places.map((place) => [place, change(place)]);
}

/** The mark of a move of `side` after which the opponent has fewer pieces on the board, unless its spelling says so; `null` for any other. */
export function captureMark(move, side, before, after, board) {
  const other = side === "w" ? "b" : "w";
  const count = ({ squares }) => squares.flatMap((text) => piecesOf(text, board)).filter(({ owner }) => owner === other).length;
  return captureSign(move, count(after) < count(before));
}

/** The same of a move of which it is known whether it captures something. */
export function captureSign(move, captures) {
  return captures && !move.includes("x") ? element("span", { class: "capture", title: "Captures a piece" }, "✕") : null;
}

/** The FENs, each given by its parts that are not those of the one before: places and parts, or all of it. */
export function fensOf(replay) {
  let parts = [];
  let signs = [];
  return replay.fens.map((difference) => {
    if (difference.length === 1) {
      parts = difference[0].split(/[ /]/);
      signs = [...(difference[0].match(/[ /]/g) ?? []), ""];
    }
    for (let idx = 0; idx + 1 < difference.length; idx += 2) parts[difference[idx]] = difference[idx + 1];
    return parts.map((part, place) => part + signs[place]).join("");
  });
}

/** For each ply what the clocks of White and Black show after it, where there are clocks; `null` for what a file does not say. */
export function clocksOf(row, replay) {
  if (0 < replay.clocks_ms?.length) {
    const last = { w: null, b: null };
    const after = [...replay.sides].map((side, idx) => {
      last[side] = replay.clocks_ms[idx] ?? last[side];
      return [last.w, last.b];
    });
    return [[null, null], ...after];
  }
  const clocks = data.clocks[data.matches.folder[row]][data.games[data.matches.game[row]].limits ?? 0];
  const left = [clocks[data.matches.white[row]], clocks[data.matches.black[row]]];
  if (left.some((one) => (one?.base_ms ?? null) === null)) return null;
  const rest = left.map(({ base_ms: base }) => base);
  const owed = [0, 0];
  const made = [0, 0];
  const after = [[...rest]];
  replay.time_us.forEach((time_us, ply) => {
    const side = replay.sides[ply] === "w" ? 0 : 1;
    const { base_ms: base, increment_ms: increment, moves_to_go: moves } = left[side];
    made[side] += 1;
    // As the arena's clock: time below zero is owed, and paid back by increments.
    const isRenewed = moves !== null && made[side] % moves === 0;
    const credit = rest[side] + increment + (isRenewed ? base : 0);
    const debit = owed[side] + time_us / 1000;
    rest[side] = Math.max(0, credit - debit);
    owed[side] = Math.max(0, debit - credit);
    after.push([...rest]);
  });
  return after;
}

/**
 * The expected score of White that a claimed score stands for, from 0 to 1; `null` without one, or without a search: with one legal
 * move or a book, engines claim what they like. Engines use different units, so it is a guide.
 */
export function winProbability(claimed, side, depth, nodes) {
  if (claimed === null || depth === 0 || nodes === 0) return null;
  let own = null;
  if (typeof claimed === "number") own = 1 / (1 + Math.exp((-STEEPNESS * claimed) / 100));
  else if (claimed.startsWith("win")) own = 1;
  else if (claimed.startsWith("loss")) own = 0;
  if (own === null) return null;
  return side === "w" ? own : 1 - own;
}

/** A claimed score of a side from White's view. */
export function forWhite(claimed, side) {
  if (side === "w") return claimed;
  return typeof claimed === "number" ? -claimed : claimed.replace(/win|loss/, (end) => (end === "win" ? "loss" : "win"));
}

/** A forced end in the form of files of chess: `#-2` for "loss 4", a mate in two moves. */
export function mateInMoves(claimed) {
  return String(claimed).replace(/^(win|loss) (\d+)$/, (_, end, plies) => `#${end === "win" ? "" : "-"}${Math.ceil(plies / 2)}`);
}

/** Who wins in how many plies; in chess, who mates in how many moves. */
export function winInWords(words, board) {
  return board.game.startsWith("chess") ? words.replace(/ wins in (\d+) pl(y|ies)$/, (_, n) => ` mates in ${Math.ceil(n / 2)}`) : words;
}

/** Who is ahead by a claimed score of a side, in words. */
export function whoIsAhead(claimed, side, board) {
  const [own, other] = side === "w" ? ["White", "Black"] : ["Black", "White"];
  if (typeof claimed !== "number") return winInWords(claimed.replace(/^(win|loss) (\d+)$/, (_, end, n) => `${end === "win" ? own : other} wins in ${n} ${n === "1" ? "ply" : "plies"}`), board);
  const size = (Math.abs(claimed) / 100).toFixed(2);
  return Number(size) === 0 ? "Neither side is ahead" : `${0 < claimed ? own : other} is ahead by ${size}`;
}

/**
 * The largest changes between two evaluations of the same engine, each with its ply and the probabilities before and after. What both
 * engines saw, one after the other, is one change. Of an annotated match, the changes are those of its one view.
 */
export function swingsOf(probabilities, sides, isAnnotated, most) {
  const last = {};
  const swings = [];
  probabilities.forEach((now, idx) => {
    if (now === null) return;
    const whose = isAnnotated ? "file" : sides[idx];
    const before = last[whose] ?? null;
    last[whose] = now;
    if (before !== null) swings.push({ ply: idx + 1, side: sides[idx], before, now });
  });
  const size = ({ before, now }) => Math.abs(now - before);
  const isSame = (one, other) => one.side !== other.side && Math.abs(one.ply - other.ply) === 1 && one.now > one.before === other.now > other.before;
  return swings
    .filter((swing) => 0.1 <= size(swing))
    .sort((one, other) => size(other) - size(one))
    .filter((swing, idx, all) => isAnnotated || !all.slice(0, idx).some((larger) => isSame(swing, larger)))
    .slice(0, most);
}
