// One match, position by position: the board, the engines' times and evaluations, and the navigation between moves.

import { BoardDrawing, figureOf, piecesOf } from "./board.js";
import { addressOfEngine, data, endingOfRow, idOfRow, isFault, isOfChess, partnerOfRow, resultOfRow, wordsOfReason } from "./data.js";
import { attempt, byId, drawn, element, keepCurrentInView, keepOneStop, nameOf, outcomeItem } from "./dom.js";
import { copied, plotTools } from "./export.js";
import { count, exactClock, percent, time } from "./format.js";
import { showGauge } from "./gauge.js";
import { rowsShown } from "./match-list.js";
import { countFrom, earlierInTurn, numbersOf } from "./move-numbers.js";
import { placesNamed } from "./notation.js";
import { evaluation, headingOf, pgnOf } from "./pgn.js";
import { captureMark, clocksOf, fensOf, positionsOf, winProbability } from "./replay-data.js";
import { chartsOf, showLegend, showLine, showNotation, showSwings } from "./replay-panels.js";
import { stepByWheel } from "./wheel.js";

const STEP_MS = 700;
const STAY_MS = 300;
/** The length of a comment that has room beside its move. */
const MOST_BESIDE = 12;
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
    button.addEventListener("click", () => copied(button, byId(button.dataset.copy).value));
  }
  byId("copy-link").addEventListener("click", (event) => copied(event.target, addressNow()));
  byId("copy-pgn").addEventListener("click", (event) => copied(event.target, pgnOf(shown.row, shown.replay)));
  document.addEventListener("keydown", onKey);
  stepByWheel(byId("board"), (by) => act(0 < by ? "forward" : "back"));
  // A click leaves the keys to the replay; who presses a button by key stays there.
  document.querySelector("#match .controls").addEventListener("click", ({ detail, target }) => 0 < detail && target.closest("button")?.blur());
  // On paper, the end says more than the start, which nobody has chosen.
  addEventListener("beforeprint", () => shown !== null && showOnPaper());
  byId("position-tools").append(plotTools(() => shown.drawing.svg, "position"));
}

/** Shows the match in a row, with its replay, at `ply` if that is given. */
export function showMatch(row, replay, ply) {
  if (shown?.row === row) {
    if (ply !== null) go(ply);
    return;
  }
  leaveMatch();
  const positions = positionsOf(data.boards[replay.board], replay.scenes);
  const fens = fensOf(replay);
  const first = countFrom(isOfChess(row), fens[0] ?? "");
  shown = { row, replay, positions, fens, first, numbers: numbersOf([...replay.sides], first), board: data.boards[replay.board], ply: 0, charts: [] };
  shown.clocks = clocksOf(row, replay);
  // Its evaluations are no thoughts of the players.
  shown.isAnnotated = replay.is_annotated ?? false;
  shown.claims = replay.scores.map((claim, idx) => (claim === null ? null : evaluation(claim, replay.sides[idx], shown.board)));
  shown.probabilities = replay.moves.map((_, idx) => winProbability(replay.scores[idx], replay.sides[idx], replay.depths[idx], replay.nodes[idx]));
  byId("match").classList.toggle("has-no-replay", positions.length === 0 && replay.moves.length === 0);
  byId("match").classList.toggle("has-no-board", positions.length === 0);
  byId("match").classList.toggle("has-no-moves", replay.moves.length === 0 && replay.refused === undefined);
  shown.last = positions.length === 0 ? replay.moves.length : positions.length - 1;
  byId("ply").max = shown.last;
  // If one part fails, the others are still shown.
  attempt(() => showHead(row, replay, positions));
  attempt(() => showMoves(row, replay, shown.numbers));
  attempt(() => (shown.charts = chartsOf(shown, pick)));
  attempt(() => showSwings(shown, pick));
  attempt(drawBoard);
  // Who opens a match that a fault ended wants to see where.
  attempt(() => go(ply ?? (isFault(row) ? shown.last : 0)));
}

function showOnPaper() {
  if (shown.ply !== 0) return;
  go(shown.last);
  addEventListener("afterprint", () => shown !== null && go(0), { once: true });
}

function pick(ply) {
  stop();
  go(ply);
}

/** Stops what moves and frees what was drawn. */
export function leaveMatch() {
  stop();
  clearTimeout(remembering);
  shown?.charts.forEach((chart) => chart.remove());
  shown = null;
}

function showHead(row, replay, positions) {
  const { matches } = data;
  const id = idOfRow(row);
  const game = data.games[matches.game[row]];
  const ending = endingOfRow(row);
  byId("match-title").textContent = `Match ${id}`;
  byId("match-meaning").textContent = ending;
  const facts = [
    data.rules
      ? element("a", { href: data.rules }, `${game.name}: rules`)
      : data.endings[game.id] === undefined || document.querySelector(`[data-rules="${CSS.escape(game.rules ?? game.id)}"]`) === null
      ? element("bdi", {}, game.name)
      : element("a", { href: `#rules=${game.rules ?? game.id}`, title: `Rules of ${game.name}` }, `${game.name}: rules`),
    element("b", {}, resultOfRow(row)),
    element("abbr", { class: isFault(row) ? "badge fault" : "", title: ending }, element("bdi", {}, wordsOfReason(row))),
  ];
  const plies = matches.plies[row];
  if (plies !== null) facts.push(`${count(plies)} ${plies === 1 ? "ply" : "plies"}`);
  const linked = (place) => element("a", { href: addressOfEngine(place) }, nameOf(data.engines[place]));
  facts.unshift(element("b", {}, linked(matches.white[row]), " – ", linked(matches.black[row])));
  if (1 < data.folders.length) facts.unshift(nameOf(data.folders[matches.folder[row]]));
  byId("match-facts").replaceChildren(...facts.map((fact) => element("span", {}, fact)));
  byId("match-heading").replaceChildren(
    ...headingOf(replay.tags ?? []).split(/(https:\/\/\S+)/).map((part, idx) => (idx % 2 === 0 ? part : element("a", { href: part, rel: "noopener noreferrer" }, part))),
  );
  byId("match-problem").hidden = replay.problem === undefined;
  byId("match-problem").textContent = (replay.problem ?? "").replaceAll("`", "").replace(/^./, (letter) => letter.toUpperCase());
  // The analysis opens files of one game.
  const rulesOf = (one) => data.games[matches.game[one]].rules ?? data.games[matches.game[one]].id;
  const isOfOtherGame = (_, one) => matches.folder[one] === matches.folder[row] && rulesOf(one) !== rulesOf(row);
  const isOfSeveral = (replay.place ?? null) !== null && matches.number.some(isOfOtherGame);
  const canBeAnalysed = (positions.length !== 0 || (replay.place ?? null) !== null) && !isOfSeveral;
  byId("not-analysed").hidden = !isOfSeveral;
  byId("match-command").hidden = positions.length !== 0 || !canBeAnalysed;
  for (const one of document.querySelectorAll(".to-analyse")) one.hidden = !canBeAnalysed;
  document.querySelector(".engine-example").textContent = `--engine ${isOfChess(row) ? "stockfish" : "target/release/alpha-beta"}`;
  byId("replay-command").value = `arena analyse ${word(data.paths[matches.folder[row]])} ${replay.place}`;
  const evidence = byId("match-evidence");
  evidence.hidden = replay.evidence === undefined;
  evidence.querySelector("pre").textContent = replay.evidence ?? "";
  // Where there are no moves, it has their place.
  if (byId("match").matches(".has-no-moves:not(.has-no-replay)")) byId("said").after(evidence);
  else document.querySelector("#match .replay").before(evidence);

  const rows = rowsShown();
  const place = rows.indexOf(row);
  const at = (one) => (one === undefined || one < 0 ? null : `#match=${idOfRow(one)}`);
  const besides = data.beside ?? [place < 0 ? null : at(rows[place - 1]), place < 0 ? null : at(rows[place + 1]), at(partnerOfRow(row))];
  ["match-previous", "match-next", "match-partner"].forEach((id, idx) => {
    byId(id).hidden = besides[idx] === null;
    if (besides[idx] !== null) byId(id).href = besides[idx];
  });
}

function showMoves(row, replay, numbers) {
  const items = replay.moves.flatMap((move, idx) => {
    const words = replay.written?.[idx] ?? move;
    const [before, after] = shown.positions.slice(idx, idx + 2);
    const remark = replay.remarks?.[idx] ?? "";
    const [beside, below] = remark.length <= MOST_BESIDE ? [remark, ""] : ["", remark];
    const button = element(
      "button",
      {
        type: "button",
        class: `move of-${replay.sides[idx]}`,
        click: () => pick(idx + 1),
      },
      element("span", { class: "ordinal" }, numbers[idx]),
      ...(before !== undefined && after === undefined ? refusal(words, replay) : [words, after === undefined ? null : captureMark(words, replay.sides[idx], before, after, shown.board)]),
      element("span", { class: "unseen" }, ` ${SIDES[replay.sides[idx]]}`),
      shown.claims[idx] === null ? null : element("span", { class: "claim", title: "Evaluation from White's view" }, shown.claims[idx]),
      beside === "" ? null : element("span", { class: "claim" }, beside),
    );
    return [element("li", {}, button), ...(below === "" ? [] : [element("li", { class: "remark" }, below)])];
  });
  if (replay.introduction !== undefined) items.unshift(element("li", { class: "remark" }, replay.introduction));
  if (replay.refused !== undefined) items.push(refusedMove(data.matches.result[row] === 2 ? "b" : "w", replay));
  byId("moves").replaceChildren(...items, outcomeItem(resultOfRow(row)));
}

/** The illegal move of a side, after which no position comes. */
function refusedMove(side, replay) {
  const number = numbersOf([...replay.sides, side], shown.first).at(-1);
  return element(
    "li",
    {},
    element("span", { class: `move refused of-${side}` }, element("span", { class: "ordinal" }, number), ...refusal(replay.refused, replay)),
  );
}

function refusal(words, { refusal: what = "illegal" }) {
  return [element("s", {}, words), element("span", { class: "badge fault" }, what)];
}

function drawBoard() {
  if (shown.positions.length === 0) {
    byId("board").replaceChildren();
    byId("legend").replaceChildren();
    byId("notation").replaceChildren();
    return;
  }
  shown.drawing = new BoardDrawing(shown.board, shown.replay.heights, isFlipped);
  byId("board").replaceChildren(shown.drawing.svg);
  showLegend(shown);
  showNotation(shown);
}

/** Shows the position after `ply` moves. */
function go(ply) {
  const { replay, positions, fens, row, ply: before } = shown;
  shown.ply = Math.max(0, Math.min(ply, shown.last));
  const at = shown.ply;
  const move = replay.moves[at - 1];
  const fen = fens[at] ?? "";
  if (shown.drawing) {
    const { squares, changes, shifts, check } = positions[at];
    const named = at === 0 ? [] : placesNamed(move, shown.board);
    const earlier = at === 0 ? [] : earlierInTurn(replay.sides, at - 1).map((idx) => placesNamed(replay.moves[idx], shown.board));
    shown.drawing.show({ slides: before !== undefined && at === before + 1, squares, changes, shifts, named, earlier, check, won: wonSquares(at, named, changes, squares), label: `Position after ${at} plies: ${fen}` });
  }
  byId("ply").value = at;
  byId("ply").setAttribute("aria-valuetext", `${at} of ${shown.last}`);
  byId("fen").value = fen;
  byId("command").value = commandOf(at);
  byId("analyse").value = commandToAnalyse(at);
  const path = data.paths[data.matches.folder[row]];
  for (const one of document.querySelectorAll(".analyse-where")) {
    one.hidden = path.startsWith("/");
    one.querySelector("code").textContent = path;
  }
  showPlayers(at);
  showBar(at);
  showLine(shown, at);
  showNotes(positions[at]?.notes ?? []);
  byId("said").textContent = sentence(at);
  markMove(at);
  shown.charts.forEach((chart) => chart.mark(at));
  if (timer === null) remember(`#match=${idOfRow(row)}`, at);
}

/** Marks a move in the list. It is the list's one stop of the Tab key, and keeps the focus if the list has it. */
function markMove(ply) {
  const list = byId("moves");
  const buttons = [...list.querySelectorAll("button")];
  const hasFocus = list.contains(document.activeElement);
  buttons.forEach((button, idx) => {
    if (idx + 1 === ply) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
  keepOneStop(buttons, buttons[Math.max(0, ply - 1)]);
  keepCurrentInView(list);
  if (hasFocus) buttons[Math.max(0, ply - 1)].focus({ preventScroll: true });
}

/**
 * The squares that won the match by the rules, at its end: those of the pattern on the board, or those of the winner's pieces
 * that the last move changed.
 */
function wonSquares(ply, named, changes, squares) {
  const { row, replay, board } = shown;
  const result = data.matches.result[row];
  if (ply === 0 || ply < replay.moves.length || result === 1 || replay.is_stopped) return [];
  if (replay.winning) return replay.winning.map((name) => board.squares.findIndex((square) => square.name === name));
  const winner = result === 2 ? "w" : "b";
  const isOfWinner = (place) => piecesOf(squares[place], board).at(-1)?.owner === winner;
  return [...new Set([...named, ...changes.map(([place]) => place)])].filter(isOfWinner);
}

/** The bar beside the board: White's win probability by the last evaluation, and the result at an end by the rules. */
function showBar(ply) {
  const { row, replay, probabilities } = shown;
  const isOver = ply === replay.moves.length && !replay.is_stopped;
  const last = probabilities.slice(0, ply).findLast((value) => value !== null) ?? null;
  const white = isOver ? data.matches.result[row] / 2 : last;
  const words = white === null ? "No evaluation yet" : isOver ? `Result ${resultOfRow(row)}` : `Win probability of White: ${percent(white, 0)}`;
  showGauge(byId("gauge"), white, isFlipped, words);
}

/** The protocol's command that sets this position. */
function commandOf(ply) {
  const moves = shown.replay.moves.slice(0, ply);
  return `position fen ${shown.fens[0]}${moves.length === 0 ? "" : ` moves ${moves.join(" ")}`}`;
}

/** What to type in a terminal to analyse this position. */
function commandToAnalyse(ply) {
  const { folder, number, game } = data.matches;
  const path = data.paths[folder[shown.row]];
  const { id, rules = id } = data.games[game[shown.row]];
  const referee = data.referees[folder[shown.row]][rules];
  const option = referee === undefined ? "" : ` --referee ${word(referee)}`;
  return `arena${option} analyse ${word(path)} ${shown.replay.place ?? number[shown.row]} --ply ${ply}`;
}

/** A word of a command, in quotes if a shell would read it in another way. */
function word(text) {
  return /^[\w.,/+:@%=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
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
      if (shown.claims[last] !== null && !shown.isAnnotated) facts.push(shown.claims[last]);
      if (replay.depths[last] !== null) facts.push(`depth ${replay.depths[last]}`);
      if (replay.time_us[last] !== 0) facts.push(time(replay.time_us[last] / 1000));
      if (replay.nodes[last] !== null) facts.push(`${count(replay.nodes[last])} ${replay.nodes[last] === 1 ? "node" : "nodes"}`);
    }
    const clock = shown.clocks?.[ply][side === "w" ? 0 : 1] ?? null;
    const hand = positions[ply]?.hands[side === "w" ? 0 : 1] ?? "";
    byId(id).replaceChildren(
      element("span", { class: `side-sign of-${side}${next === side && !isOver ? " to-move" : ""}`, "aria-hidden": "true" }),
      element("a", { class: "who", href: addressOfEngine(engine) }, nameOf(data.engines[engine]), element("span", { class: "unseen" }, ` plays ${SIDES[side]}`)),
      ...(isOver ? [points(row, side)] : []),
      ...handOf(hand),
      element("span", { class: "thought" }, facts.map((fact) => element("span", {}, fact))),
      ...(clock === null ? [] : [element("span", { class: "clock" }, exactClock(clock))]),
    );
  }
}

/** What a side got, and whether it has won. */
function points(row, side) {
  const twice = side === "w" ? data.matches.result[row] : 2 - data.matches.result[row];
  return element("span", { class: `points${twice === 2 ? " has-won" : ""}` }, ["0", "½", "1 · won"][twice]);
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
    const one = () => figureOf(piece, shown.board, { width: 22, height: 22, "aria-hidden": "true" });
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
  // A file's comment on the last move says how the match ended.
  const end = ply === n && !replay.remarks?.[n - 1] ? ` ${endingOfRow(row)}` : "";
  if (ply === 0) return `${n === 0 && replay.refused === undefined ? "No move was made" : "Opening position"}.${said(replay.introduction)}${end}`;
  const idx = ply - 1;
  const check = ply < n && shown.positions[ply]?.check != null ? " Check." : "";
  const claimed = shown.claims[idx] === null ? "" : `, score ${shown.claims[idx]} for White`;
  const used = replay.time_us[idx] === 0 ? "" : `, ${time(replay.time_us[idx] / 1000)}`;
  return `After ${shown.numbers[idx]} ${replay.written?.[idx] ?? replay.moves[idx]} (${SIDES[replay.sides[idx]]}${claimed}${used}).${said(replay.remarks?.[idx])}${check}${end}`;
}

/** The words of a comment. */
const said = (words = "") => (words === "" ? "" : ` “${words}”`);

function act(step) {
  if (step === "flip") {
    isFlipped = !isFlipped;
    document.querySelector("[data-step=flip]").setAttribute("aria-pressed", String(isFlipped));
    drawBoard();
    return go(shown.ply);
  }
  if (step === "play") return timer === null ? play() : stop();
  stop();
  go({ first: 0, back: shown.ply - 1, forward: shown.ply + 1, last: shown.last }[step]);
}

function play() {
  const { last } = shown;
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

/** The address of what is shown, which the browser's own may lack yet. */
function addressNow() {
  const [page, hash] = [location.href.split("#")[0], location.hash.split("@")[0]];
  return `${page}${hash}${shown.ply === 0 ? "" : `@${shown.ply}`}`;
}
