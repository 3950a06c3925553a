// What stands beside and below the board of a match: curves, swings, the line that an engine expected, the legend.

import { figureOf, piecesOf, token } from "./board.js";
import { addChart } from "./charts.js";
import { data, reasonOfRow } from "./data.js";
import { byId, drawn, element } from "./dom.js";
import { clockTick, exactClock, percent, time, timeTick } from "./format.js";
import { numbersOf } from "./move-numbers.js";
import { formsOf } from "./notation.js";
import { swingsOf } from "./replay-data.js";

const MOST_SWINGS = 5;
/** The distances between ticks that a reader of clocks expects, in seconds. */
const CLOCK_STEPS = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400,
];
const SIDES = { w: "White", b: "Black" };
/** The marks on a board: class of the sign, and what it means. */
const MARKS = [
  ["to", "where the last move ended"],
  ["from", "where it began, and squares on the way"],
  ["entered", "another square that it changed"],
  ["shift", "where a piece was pushed or put"],
  ["gone", "a piece was captured, or died"],
  ["check", "the king is in check"],
  ["won", "decided the match"],
];

/** The curves of a match; each is a chart that can be marked and removed. `pick` is called with a ply. */
export function chartsOf({ row, replay, probabilities, isAnnotated, clocks, numbers, first }, pick) {
  const n = replay.moves.length;
  if (n === 0) return [];
  const x = Array.from({ length: n + 1 }, (_, ply) => ply);
  const names = [data.engines[data.matches.white[row]], data.engines[data.matches.black[row]]];
  const perSide = (value) => ["w", "b"].map((side) => [null, ...replay.moves.map((_, idx) => (replay.sides[idx] === side ? value(idx) : null))]);
  const colours = ["side-w", "side-b"];
  const placeOf = (ply) => (0 < ply && ply <= n ? `after ${numbers[ply - 1]} ${replay.written?.[ply - 1] ?? replay.moves[ply - 1]}` : null);
  const add = (box, title, values, { stepped = false, labels = names, ...options }) => {
    const series = values.map((one, idx) => ({ label: labels[idx], values: one, colour: colours[idx], stepped }));
    return addChart(box, { height: 150, x, numbers, placeOf, ...options, title, series, pick });
  };
  const charts = [];
  if (probabilities.some((value) => value !== null)) {
    charts.push(
      add(byId("win-chart"), "Win probability of White", isAnnotated ? [[null, ...probabilities]] : perSide((idx) => probabilities[idx]), {
        labels: isAnnotated ? ["evaluation of the file"] : names,
        height: 132,
        range: [0, 1],
        steps: [0.25],
        line: 0.5,
        show: (value) => percent(value, 0),
        tick: (value) => percent(value, 0),
      }),
    );
  }
  if (clocks !== null) {
    const values = [0, 1].map((side) => clocks.map((both) => (both[side] === null ? null : both[side] / 1000)));
    charts.push(
      add(byId("graphs"), "Remaining time", values, {
        stepped: true,
        steps: CLOCK_STEPS,
        show: (value) => exactClock(1000 * value),
        tick: (value, step) => clockTick(1000 * value, 1000 * step),
      }),
    );
  }
  // A PGN file need not have times.
  if (replay.time_us.every((us) => us === 0)) return charts;
  const times = perSide((idx) => replay.time_us[idx] / 1000 || null);
  const late = lateMove(row, replay);
  const options = { show: time, tick: timeTick };
  if (late !== null) {
    times.forEach((one, side) => one.push(side === late.side ? late.ms : null));
    options.x = [...x, n + 1];
    options.numbers = numbersOf([...replay.sides, "wb"[late.side]], first);
    options.placeOf = (ply) => (ply === n + 1 ? "no move in time" : placeOf(ply));
  }
  charts.push(add(byId("graphs"), "Time per move", times, options));
  return charts;
}

/** The side that lost on time, and the time of the move that came too late or never: its matches' time less that of its moves. */
function lateMove(row, replay) {
  const { matches } = data;
  if (reasonOfRow(row) !== "time" || matches.result[row] === 1) return null;
  const side = matches.result[row] === 2 ? 1 : 0;
  const played_us = replay.time_us.reduce((sum, us, idx) => (replay.sides[idx] === "wb"[side] ? sum + us : sum), 0);
  const ms = [matches.white_ms, matches.black_ms][side][row] - played_us / 1000;
  return ms < 1 ? null : { side, ms };
}

/** Lists the moves after which an engine saw the match with other eyes. */
export function showSwings({ replay, probabilities, numbers, isAnnotated }, pick) {
  const swings = swingsOf(probabilities, replay.sides, isAnnotated, MOST_SWINGS);
  byId("swings").hidden = swings.length === 0;
  byId("swings").querySelector("ol").replaceChildren(
    ...swings.map(({ ply, side, before, now }) =>
      element(
        "li",
        {},
        element("button", { type: "button", class: "link", click: () => pick(ply) }, `${numbers[ply - 1]} ${replay.written?.[ply - 1] ?? replay.moves[ply - 1]} (${SIDES[side]})`),
        ` ${percent(before, 0)} → ${percent(now, 0)}`,
      ),
    ),
  );
}

/** The principal variation of the last move, after it; of another move, if the engine chose that after its last report. */
export function showLine({ replay, row }, ply) {
  const moves = ply === 0 ? [] : (replay.lines[ply - 1] ?? "").split(" ");
  const isPlayed = [replay.moves[ply - 1], replay.written?.[ply - 1]].includes(moves[0]);
  const line = 1 < moves.length ? moves.slice(Number(isPlayed)).join(" ") : null;
  const side = replay.sides[ply - 1];
  const engine = side === "w" ? data.matches.white[row] : data.matches.black[row];
  byId("line").replaceChildren(
    ...(line === null ? [] : [element("b", {}, element("bdi", {}, data.engines[engine]), isPlayed ? " expected " : " reported last "), element("bdi", { class: "moves-text" }, line)]),
  );
}

/** The meaning of all marks and grounds of a board, and of the pieces that stand on it or in a hand during the match. */
export function showLegend({ board, positions, claims = [], replay: { heights } }) {
  // No move of chess pushes a piece, and no other game has checks.
  const isChess = board.game.startsWith("chess");
  const marks = MARKS.filter(([type]) => type !== (isChess ? "shift" : "check")).map(([type, words]) => element("li", {}, element("span", { class: `mark-sign ${type}` }), ` ${words}`));
  const texts = new Set(positions.flatMap(({ squares, hands }) => [...squares, ...hands]));
  const seen = new Set([...texts].flatMap((text) => piecesOf(text, board)).map(({ kind }) => kind.letter));
  const pieces = board.kinds.filter((kind) => seen.has(kind.letter)).map((kind) => {
    const [piece] = piecesOf(kind.letter, board);
    const sign = figureOf(piece, board, { width: 22, height: 22, class: "board", "aria-hidden": "true" });
    return element("li", {}, sign, ` ${kind.name} (${kind.letter})${kind.moves === undefined ? "" : `: ${kind.moves}`}`);
  });
  const has = (test) => board.squares.some(test);
  const grounds = [
    [has((square) => square.goal === "w" && square.kind === "open"), "goal-w", `White's ${board.goal}`],
    [has((square) => square.goal === "b" && square.kind === "open"), "goal-b", `Black's ${board.goal}`],
    [has((square) => square.goal === "wb" && square.kind === "open"), "goal-wb", `a ${board.goal}, for both sides`],
    [has((square) => square.kind === "tower"), "tower", "a tower"],
    [has((square) => square.kind === "wall"), "wall", "the Tower: no piece can stand there"],
    [heights !== "", "height", "a number in the corner of a square is its height"],
  ];
  const forced = isChess ? "#5: White mates in 5 moves" : "+M5: White wins in 5 plies";
  byId("legend").replaceChildren(
    ...(claims.some((claim) => claim !== null) ? [element("li", {}, `+0.25 beside a move: the evaluation from White's view; ${forced}`)] : []),
    ...pieces,
    ...statesOf(board),
    ...marks,
    ...grounds.filter(([is]) => is).map(([, type, words]) => element("li", {}, element("span", { class: `mark-sign ${type}` }), ` ${words}`)),
    ...board.legend.map((words) => element("li", {}, words)),
  );
}

/** The states that pieces can have, each with its sign. */
function statesOf({ kinds, states = [] }) {
  return states.map((state) => {
    const sign = drawn("svg", { viewBox: "-50 -50 100 100", width: 22, height: 22, class: "board", "aria-hidden": "true" }, token({ kind: kinds[0], owner: "w", state }, 37));
    return element("li", {}, sign, ` ${state}`);
  });
}

/** How the moves of a match are written, by examples. Chess players know how chess is written. */
export function showNotation({ board, replay: { moves, written } }) {
  const forms = written === undefined ? formsOf(moves, board) : [];
  byId("notation").replaceChildren(...forms.flatMap(({ move, words }) => [element("dt", {}, element("code", {}, move)), element("dd", {}, words)]));
}
