// The positions, clocks and evaluations of a match, from the compact data of the page.

import { piecesOf } from "./board.js";
import { data } from "./data.js";

/** How steep the win probability is, per unit of a score: as on lichess. */
const STEEPNESS = 0.368;

/** The positions: each square's text, what is in hand, the notes, and how squares changed. */
export function positionsOf(board, scenes) {
  if (board === undefined) return [];
  let squares = board.squares.map(() => "");
  let hands = ["", ""];
  let notes = [];
  return scenes.map(({ s = [], h = hands, n = notes }, ply) => {
    const before = squares;
    squares = [...squares];
    for (const [place, text] of s) squares[place] = text;
    [hands, notes] = [h, n];
    const change = (place) => {
      const [old, now] = [before[place], squares[place]].map((text) => piecesOf(text, board).length);
      return now < old ? "left" : old < now ? "entered" : "replaced";
    };
    const changes = ply === 0 ? [] : s.map(([place]) => [place, change(place)]);
    return { squares, hands, notes, changes };
  });
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

/** For each ply what the clocks of White and Black show after it, where there are clocks. */
export function clocksOf(row, replay) {
  const clocks = data.clocks[data.matches.folder[row]][data.games[data.matches.game[row]].limits ?? 0];
  const left = [clocks[data.matches.white[row]], clocks[data.matches.black[row]]];
  if (left.includes(null) || left.includes(undefined)) return null;
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
 * The expected score of White that a claimed score stands for, from 0 to 1; `null` without one. Engines use different units, so
 * it is a guide.
 */
export function winProbability(claimed, side) {
  if (claimed === null) return null;
  let own = null;
  if (typeof claimed === "number") own = 1 / (1 + Math.exp((-STEEPNESS * claimed) / 100));
  else if (claimed.startsWith("win")) own = 1;
  else if (claimed.startsWith("loss")) own = 0;
  if (own === null) return null;
  return side === "w" ? own : 1 - own;
}

/** The largest changes between two evaluations of the same engine: each with its ply and the probabilities before and after. */
export function swingsOf(probabilities, sides, most) {
  const last = { w: null, b: null };
  const swings = [];
  probabilities.forEach((now, idx) => {
    if (now === null) return;
    const before = last[sides[idx]];
    last[sides[idx]] = now;
    if (before !== null) swings.push({ ply: idx + 1, side: sides[idx], before, now });
  });
  const size = ({ before, now }) => Math.abs(now - before);
  return swings
    .filter((swing) => 0.1 <= size(swing))
    .sort((one, other) => size(other) - size(one))
    .slice(0, most);
}
