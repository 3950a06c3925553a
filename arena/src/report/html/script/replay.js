// One match, position by position: the board, the engines' times and evaluations, and the navigation between moves.

import { BoardDrawing, piecesOf, token } from "./board.js";
import { addChart } from "./charts.js";
import { data, idOfRow, isFault, partnerOfRow, reasonOfRow, resultOfRow } from "./data.js";
import { attempt, byId, drawn, element, nameOf } from "./dom.js";
import { clock, clockTick, count, decimals, score, signed, time, timeTick } from "./format.js";
import { rowsShown } from "./match-list.js";

const STEP_MS = 700;
const STAY_MS = 300;
/** Scores beyond this are drawn at the edge, in the engines' units. */
const HIGHEST_SCORE = 15;
/** The distances between ticks that a reader of clocks expects, in seconds. */
const CLOCK_STEPS = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400,
];
const SIDES = { w: "White", b: "Black" };

let shown = null;
let isFlipped = false;
let timer = null;
let remembering = null;

/** Listens to the buttons and the keys, once. */
export function startReplay() {
  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => act(button.dataset.step));
  }
  byId("ply").addEventListener("input", (event) => {
    stop();
    go(Number(event.target.value));
  });
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => copy(byId(button.dataset.copy)));
  }
  document.addEventListener("keydown", onKey);
}

/** Shows the match in a row, with its replay, at `ply` if that is given. */
export function showMatch(row, replay, ply) {
  if (shown?.row === row) {
    if (ply !== null) go(ply);
    return;
  }
  leaveMatch();
  const plies = positionsOf(replay);
  shown = { row, replay, positions: plies, fens: fensOf(replay), board: data.boards[replay.board], ply: 0, charts: [] };
  shown.clocks = clocksOf(row, replay);
  byId("ply").max = shown.positions.length - 1;
  // If one part fails, the others are still shown.
  attempt(() => showHead(row, replay));
  attempt(() => showMoves(replay));
  attempt(() => showCharts(row, replay));
  attempt(drawBoard);
  attempt(() => go(ply ?? 0));
}

/** Stops what moves and frees what was drawn. */
export function leaveMatch() {
  stop();
  clearTimeout(remembering);
  shown?.charts.forEach((chart) => chart.remove());
  shown = null;
}

/** The positions: each square's text, what is in hand, the notes, and how squares changed. */
function positionsOf(replay) {
  const board = data.boards[replay.board];
  if (board === undefined || replay.scenes.length === 0) return [];
  let squares = board.squares.map(() => "");
  let hands = ["", ""];
  let notes = [];
  return replay.scenes.map(({ s = [], h = hands, n = notes }, ply) => {
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
function fensOf(replay) {
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
function clocksOf(row, replay) {
  const clocks = data.clocks[data.matches.folder[row]];
  const left = [clocks[data.matches.white[row]], clocks[data.matches.black[row]]];
  if (left.includes(null) || left.includes(undefined)) return null;
  const rest = left.map(({ base_ms: base }) => base);
  const made = [0, 0];
  const after = [[...rest]];
  replay.time_us.forEach((time_us, ply) => {
    const side = replay.sides[ply] === "w" ? 0 : 1;
    const { base_ms: base, increment_ms: increment, moves_to_go: moves } = left[side];
    made[side] += 1;
    // Time within the margin does not count: the clock is at zero.
    rest[side] = Math.max(0, rest[side] - time_us / 1000) + increment;
    if (moves !== null && made[side] % moves === 0) rest[side] += base;
    after.push([...rest]);
  });
  return after;
}

function showHead(row, replay) {
  const { matches } = data;
  const id = idOfRow(row);
  byId("match-title").textContent = `Match ${id}`;
  const facts = [
    data.games[matches.game[row]].name,
    resultOfRow(row),
    element("span", { class: isFault(row) ? "badge fault" : "" }, element("bdi", {}, reasonOfRow(row))),
    `${count(matches.plies[row])} ${matches.plies[row] === 1 ? "ply" : "plies"}`,
  ];
  if (1 < data.folders.length) facts.unshift(nameOf(data.folders[matches.folder[row]]));
  byId("match-facts").replaceChildren(...facts.map((fact) => element("span", {}, fact)));
  byId("match-problem").hidden = replay.problem === undefined;
  byId("match-problem").textContent = replay.problem ?? "";
  const evidence = byId("match-evidence");
  evidence.hidden = replay.evidence === undefined;
  evidence.querySelector("pre").textContent = replay.evidence ?? "";

  const rows = rowsShown();
  const place = rows.indexOf(row);
  link("match-previous", place < 0 ? -1 : (rows[place - 1] ?? -1));
  link("match-next", place < 0 ? -1 : (rows[place + 1] ?? -1));
  link("match-partner", partnerOfRow(row));
}

function link(id, row) {
  byId(id).hidden = row < 0;
  if (0 <= row) byId(id).href = `#match=${idOfRow(row)}`;
}

function showMoves(replay) {
  const items = replay.moves.map((move, idx) =>
    element(
      "li",
      {},
      element(
        "button",
        {
          type: "button",
          class: `move of-${replay.sides[idx]}`,
          "aria-label": `Ply ${idx + 1}: ${SIDES[replay.sides[idx]]} ${move}`,
          click: () => {
            stop();
            go(idx + 1);
          },
        },
        element("span", { class: "ordinal" }, String(idx + 1)),
        move,
      ),
    ),
  );
  byId("moves").replaceChildren(...items);
}

function showCharts(row, replay) {
  const n = replay.moves.length;
  const x = Array.from({ length: n + 1 }, (_, ply) => ply);
  const names = [data.engines[data.matches.white[row]], data.engines[data.matches.black[row]]].map(labelOf);
  const pick = (ply) => {
    stop();
    go(ply);
  };
  const perSide = (value) => ["w", "b"].map((side) => [null, ...replay.moves.map((_, idx) => (replay.sides[idx] === side ? value(idx) : null))]);
  const colours = ["side-w", "side-b"];
  const add = (title, values, { stepped = false, ...options }) => {
    const series = values.map((one, idx) => ({ label: names[idx], values: one, colour: colours[idx], stepped }));
    shown.charts.push(addChart(byId("graphs"), { ...options, title, x, series, pick, height: 150 }));
  };
  if (n === 0) return;
  const scores = perSide((idx) => forWhite(replay.scores[idx], replay.sides[idx]));
  if (scores.some((values) => values.some((value) => value !== null))) {
    const range = (_, low, high) => {
      const most = Math.max(1, Math.abs(low ?? 0), Math.abs(high ?? 0));
      return [-1.08 * most, 1.08 * most];
    };
    add("Evaluation (White's view)", scores, {
      range,
      show: (value) => score(100 * value),
      tick: (value, step) => signed(value, decimals(step)),
    });
  }
  if (shown.clocks !== null) {
    const values = [0, 1].map((side) => shown.clocks.map((clocks) => clocks[side] / 1000));
    add("Remaining time", values, {
      stepped: true,
      steps: CLOCK_STEPS,
      show: (value) => clock(1000 * value),
      tick: (value, step) => clockTick(1000 * value, 1000 * step),
    });
  }
  add("Time per move", perSide((idx) => replay.time_us[idx] / 1000), { show: time, tick: timeTick });
}

/** A claimed score from White's view, in the engine's units; forced ends are at the edge. */
function forWhite(claimed, side) {
  if (claimed === null) return null;
  const sign = side === "w" ? 1 : -1;
  if (typeof claimed === "number") return sign * Math.max(-HIGHEST_SCORE, Math.min(HIGHEST_SCORE, claimed / 100));
  if (claimed.startsWith("win")) return sign * HIGHEST_SCORE;
  if (claimed.startsWith("loss")) return -sign * HIGHEST_SCORE;
  return null;
}

function labelOf(name) {
  return name.length <= 32 ? name : `${name.slice(0, 31)}…`;
}

function drawBoard() {
  if (shown.positions.length === 0) {
    byId("board").replaceChildren(element("p", { class: "notice" }, "The board of this match cannot be shown."));
    byId("legend").textContent = "";
    return;
  }
  shown.drawing = new BoardDrawing(shown.board, shown.replay.heights, isFlipped);
  byId("board").replaceChildren(shown.drawing.svg);
  byId("legend").textContent = shown.board.legend.join("; ");
}

/** Shows the position after `ply` moves. */
function go(ply) {
  const { replay, positions, fens, row } = shown;
  shown.ply = Math.max(0, Math.min(ply, Math.max(0, positions.length - 1)));
  const at = shown.ply;
  const move = replay.moves[at - 1];
  const fen = fens[at] ?? "";
  if (shown.drawing) {
    const { squares, changes } = positions[at];
    const named = at === 0 ? [] : placesNamed(move, shown.board);
    shown.drawing.show({ squares, changes, named, label: `Position after ${at} plies: ${fen}` });
  }
  byId("ply").value = at;
  byId("ply").setAttribute("aria-valuetext", `${at} of ${positions.length - 1}`);
  byId("fen").value = fen;
  byId("command").value = commandOf(at);
  showPlayers(at);
  showNotes(positions[at]?.notes ?? []);
  byId("said").textContent = sentence(at);
  const items = [...byId("moves").children];
  items.forEach((item, idx) => {
    if (idx + 1 === at) item.firstChild.setAttribute("aria-current", "true");
    else item.firstChild.removeAttribute("aria-current");
  });
  keepInView(byId("moves"), items[at - 1]);
  shown.charts.forEach((chart) => chart.mark(at));
  if (timer === null) remember(`#match=${idOfRow(row)}`, at);
}

/** The protocol's command that sets this position. */
function commandOf(ply) {
  const moves = shown.replay.moves.slice(0, ply);
  const opening = data.matches.openings[data.matches.opening[shown.row]];
  return `position fen ${opening}${moves.length === 0 ? "" : ` moves ${moves.join(" ")}`}`;
}

/** The places of the squares that a move's spelling names, in its order. */
function placesNamed(move, board) {
  const names = move.match(/[a-z][1-9][0-9]?/g) ?? [];
  return names.map((name) => board.squares.findIndex((square) => square.name === name)).filter((place) => 0 <= place);
}

function showPlayers(ply) {
  const { row, replay, positions } = shown;
  const next = replay.sides[ply] ?? replay.next;
  const isOver = ply === replay.moves.length;
  const [top, bottom] = isFlipped ? ["w", "b"] : ["b", "w"];
  for (const [id, side] of [["player-top", top], ["player-bottom", bottom]]) {
    const engine = side === "w" ? data.matches.white[row] : data.matches.black[row];
    const last = lastOf(replay, side, ply);
    const facts = [];
    if (last !== -1) {
      if (replay.scores[last] !== null) facts.push(score(replay.scores[last]));
      if (replay.depths[last] !== null) facts.push(`depth ${replay.depths[last]}`);
      if (replay.nodes[last] !== null) facts.push(`${count(replay.nodes[last])} ${replay.nodes[last] === 1 ? "node" : "nodes"}`);
      facts.push(time(replay.time_us[last] / 1000));
    }
    const hand = positions[ply]?.hands[side === "w" ? 0 : 1] ?? "";
    byId(id).replaceChildren(
      element("span", { class: `side-sign of-${side}${next === side && !isOver ? " to-move" : ""}`, "aria-hidden": "true" }),
      element("span", { class: "who" }, nameOf(data.engines[engine]), element("span", { class: "unseen" }, ` plays ${SIDES[side]}`)),
      ...handOf(hand),
      element("span", { class: "thought" }, facts.map((fact) => element("span", {}, fact))),
      ...(shown.clocks === null ? [] : [element("span", { class: "clock" }, clock(shown.clocks[ply][side === "w" ? 0 : 1]))]),
    );
  }
}

/** The index of a side's last move within the first `ply` ones, or -1. */
function lastOf(replay, side, ply) {
  return replay.sides.slice(0, ply).lastIndexOf(side);
}

/** What a side has in hand, each piece drawn, or its number where there are many. */
function handOf(text) {
  if (text === "") return [];
  const MOST = 8;
  const tokens = [];
  for (const [, sign, number] of text.matchAll(/([^\d])(\d+)/g)) {
    const [piece] = piecesOf(sign, shown.board);
    const one = () => drawn("svg", { viewBox: "-42 -42 84 84", width: 22, height: 22, "aria-hidden": "true" }, token(piece, 37));
    if (Number(number) <= MOST) tokens.push(...Array.from({ length: Number(number) }, one));
    else tokens.push(one(), element("span", {}, `× ${number}`));
  }
  return [element("span", { class: "hand" }, element("span", { class: "unseen" }, `in hand: ${text}`), tokens)];
}

function showNotes(notes) {
  byId("position-notes").replaceChildren(
    ...notes.map(([label, value]) => element("span", {}, `${label}: ${value}`)),
  );
}

function sentence(ply) {
  const { replay, row } = shown;
  const n = replay.moves.length;
  const end = ply === n ? ` ${resultOfRow(row)}, ${reasonOfRow(row)}.` : "";
  if (ply === 0) return `Opening position.${end}`;
  const idx = ply - 1;
  const claimed = replay.scores[idx] === null ? "" : `, score ${score(replay.scores[idx])}`;
  return `Ply ${ply} of ${n}: ${SIDES[replay.sides[idx]]} ${replay.moves[idx]}${claimed}, ${time(replay.time_us[idx] / 1000)}.${end}`;
}

function act(step) {
  const last = shown.positions.length - 1;
  if (step === "flip") {
    isFlipped = !isFlipped;
    document.querySelector("[data-step=flip]").setAttribute("aria-pressed", String(isFlipped));
    drawBoard();
    return go(shown.ply);
  }
  if (step === "play") return timer === null ? play() : stop();
  stop();
  go({ first: 0, back: shown.ply - 1, forward: shown.ply + 1, last }[step]);
}

function play() {
  const last = shown.positions.length - 1;
  if (last < 1) return;
  if (shown.ply === last) go(0);
  timer = setInterval(() => {
    go(shown.ply + 1);
    if (shown.ply === last) stop();
  }, STEP_MS);
  showPlaying(true);
}

function stop() {
  if (timer === null) return;
  clearInterval(timer);
  timer = null;
  showPlaying(false);
  if (shown !== null) go(shown.ply);
}

function showPlaying(isPlaying) {
  const button = document.querySelector("[data-step=play]");
  button.classList.toggle("is-playing", isPlaying);
  button.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  // A screen reader would announce every move.
  byId("said").setAttribute("aria-live", isPlaying ? "off" : "polite");
}

function onKey(event) {
  if (shown === null || event.altKey || event.ctrlKey || event.metaKey) return;
  const { target } = event;
  if (target.closest("select, textarea, pre, input:not([type=range])")) return;
  const isButton = target.closest("button, summary") !== null;
  const step = {
    ArrowLeft: "back",
    ArrowRight: "forward",
    Home: "first",
    End: "last",
    " ": isButton ? undefined : "play",
    f: "flip",
  }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  act(step);
}

async function copy(field) {
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    isCopied = document.execCommand("copy");
  }
  byId("copied").textContent = isCopied ? "Copied." : "Copying failed. Select the text and copy it.";
  const button = document.querySelector(`[data-copy=${field.id}]`);
  button.textContent = isCopied ? "Copied" : "Select it";
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

/**
 * Gives what is shown its address, without a step in the browser's history, once the reader stays there: browsers refuse many
 * changes at once.
 */
function remember(address, ply) {
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    // The reader may have opened another view in the meantime.
    if (location.hash.split("@")[0] !== address) return;
    try {
      history.replaceState(null, "", ply === 0 ? address : `${address}@${ply}`);
    } catch {
      // The browser does not allow it for pages from disk.
    }
  }, STAY_MS);
}

/** Scrolls a box, and nothing around it, so that an item can be seen. */
function keepInView(box, item) {
  if (item === undefined) {
    box.scrollTop = 0;
    return;
  }
  const [top, bottom] = [item.offsetTop, item.offsetTop + item.offsetHeight];
  if (top < box.scrollTop) box.scrollTop = top;
  else if (box.scrollTop + box.clientHeight < bottom) box.scrollTop = bottom - box.clientHeight;
}
