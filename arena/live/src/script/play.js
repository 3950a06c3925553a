// Runs when the page is opened on which a person plays.

import { BoardInput, forPointer, noMove } from "./board-input.js";
import { BoardDrawing } from "./board.js";
import { attempt, byId, element, keepCurrentInView, nameOf, outcomeItem, prose } from "./dom.js";
import { RESULTS, clock, count, percent, time } from "./format.js";
import { showGauge } from "./gauge.js";
import { offerRules, showGuide } from "./guide.js";
import { handOf } from "./hands.js";
import { placesOf } from "./arrows.js";
import { offerKeys } from "./keys.js";
import { showMenu, startMenu } from "./menu.js";
import { earlierInTurn, numbersOf } from "./move-numbers.js";
import { claimInPgn, headOf } from "./pgn.js";
import { captureMark, positionsOf, whoIsAhead, winProbability } from "./replay-data.js";
import { showLegend } from "./replay-panels.js";
import { send } from "./send.js";
import { arenaTime, follow, isCut } from "./stream.js";
import { startTheme } from "./theme.js";

const SIDES = { w: "White", b: "Black" };
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip" };
/** The buttons that keys press. */
const BUTTON_KEYS = { h: "hint", Backspace: "take-back", u: "take-back" };
let match = null;
let positions = [];
/** The number of moves of the position that was shown last. */
let shown = null;
/** The earlier position that is shown; `null` shows the newest one. */
let ply = null;
let isFlipped = null;
let showsEvaluation = false;
/** What plays sounds, once the user wants them. */
let audio = null;
/** What is said while the engine thinks, by the number of squares that are chosen already. */
const AHEAD = [
  "It is the engine's turn.",
  "Choose where this piece goes after the engine's move.",
  "Your next move is marked: it is played after the engine's move, if it is legal. A click elsewhere takes it back.",
];
/** Whether the last move was typed: what is wrong with it is said beside its field. */
let isTyped = false;
/** A running clock with less than this is marked, in milliseconds. */
const LOW_MS = 10_000;
/** So long a first click on "Resign" counts, in milliseconds. */
const RESIGN_MS = 4000;
let lapse;
/** So long an earlier position is shown before more is asked of it, in milliseconds: who walks on does not need that. */
const REST_MS = 150;
let rest;

attempt(startTheme);
offerKeys();
const input = new BoardInput(byId("board"), byId("choices"), (move) => act({ do: "move", move, draw: byId("draw").checked }), say);
startMenu((choice) => act({ do: "begin", ...choice }));
input.onPointed = (words) => {
  byId("pointed").textContent = words;
  byId("pointed").hidden = words === "";
  byId("said").hidden = words !== "";
};
follow("events", {
  snapshot: show,
  frame: show,
  viewers: (n) => (byId("shared").hidden = n < 2),
});
// A click leaves the arrow keys to the moves.
byId("board").addEventListener("mousedown", (event) => event.preventDefault());
document.addEventListener("keydown", onKey);
for (const button of document.querySelectorAll("[data-walk]")) button.addEventListener("click", () => step(button.dataset.walk));
byId("take-back").addEventListener("click", () => act({ do: "take-back" }));
byId("hint").addEventListener("click", () => act({ do: "hint" }));
byId("new").addEventListener("click", () => act(match.over.has_failed ? { do: "store" } : { do: "new", level: wantedLevel() }));
byId("again").addEventListener("click", () => act({ do: "new", same_side: true, level: wantedLevel() }));
byId("other").addEventListener("click", () => act({ do: "menu" }));
byId("sound").addEventListener("click", () => {
  if (audio === null) {
    audio = new AudioContext();
  } else {
    audio.close();
    audio = null;
  }
  byId("sound").setAttribute("aria-pressed", String(audio !== null));
});
byId("analyse").addEventListener("click", analyse);
byId("thoughts").addEventListener("click", () => {
  showsEvaluation = !showsEvaluation;
  byId("thoughts").setAttribute("aria-pressed", String(showsEvaluation));
  showEvaluation();
});
byId("resign").addEventListener("click", () => {
  if (match.can_abort) {
    act({ do: "menu" });
    return;
  }
  // A second click is a sure sign.
  if (!isResigning()) {
    byId("resign").dataset.isAsked = "";
    byId("resign").textContent = "Resign?";
    byId("resign-said").textContent = forPointer("Click again to resign, or elsewhere to play on.");
    lapse = setTimeout(calmResign, RESIGN_MS);
    return;
  }
  act({ do: "resign" });
});
byId("type").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = byId("typed").value.trim();
  if (move === "") return sayOfTyped(noMove(match.legal));
  act({ do: "move", move, draw: byId("draw").checked });
  isTyped = true;
});
byId("typed").addEventListener("input", () => sayOfTyped(""));
document.addEventListener("pointerdown", ({ target }) => {
  if (target !== byId("typed")) sayOfTyped("");
  if (target !== byId("resign") && isResigning()) calmResign();
});
byId("copy").addEventListener("click", () => {
  byId("fen").select();
  navigator.clipboard?.writeText(byId("fen").value);
});
setInterval(() => attempt(showClocks), 200);

function act(action) {
  isTyped = false;
  sayOfTyped("");
  if (action.do === "move") byId("draw").checked = false;
  send("act", action).catch((error) => say(error.message, true));
}

function wantedLevel() {
  return match.level === null ? null : Number(byId("level").value);
}

/** Says what is wrong with a typed move, at its field. */
function sayOfTyped(text) {
  byId("typed-said").replaceChildren(...prose(text));
  if (text !== "") byId("typed-said").scrollIntoView({ block: "nearest" });
}

/** Says something in the place for it, so that nothing moves. */
function say(text, isWrong = false) {
  const idle = ply !== null ? "This is an earlier position. The key End, or the button ▶| under the board, leads back to the match." : match.turn === null ? "" : AHEAD[input.ahead.length];
  const isIdle = input.picker.entries.length === 0 && match.over === null && !isWrong;
  byId("said").replaceChildren(...prose(isIdle ? forPointer(idle) : text === "" && match.over === null ? input.picker.prompt() : text));
  byId("said").classList.toggle("is-wrong", isWrong);
  byId("said").hidden = false;
  byId("pointed").hidden = true;
}

/** The part of an address that keeps the person's side below. */
const sideBelow = () => (match.you === "b" ? "?side=b" : "");

/** The page of the analysis takes the match with the engine's evaluations, as text, and is opened. */
async function analyse() {
  const end = match.over === null ? [] : [["Result", match.over.result], ["Termination", match.over.reason]];
  const tags = [["White", match.names[0]], ["Black", match.names[1]], ...end, ["FEN", match.position.fens[0]]];
  const moves = match.moves.map(([move, , , { score }]) => (score === null ? move : `${move} {${claimInPgn(score)}}`));
  try {
    await send("analyse/act", { do: "import", text: `${headOf(tags)}\n${moves.join(" ")}\n` });
    location.href = `analyse/${sideBelow()}`;
  } catch (error) {
    say(error.message, true);
  }
}

function onKey(event) {
  if (match === null || event.altKey || event.ctrlKey || event.metaKey) return;
  const [name, button] = [KEYS[event.key], BUTTON_KEYS[event.key]];
  if (event.key === "Escape" && isResigning()) calmResign();
  if (event.target.closest("input, select, textarea")) return;
  if (button !== undefined && !event.repeat) byId(button).click();
  // On the board, the arrow keys walk between its squares.
  else if (name !== undefined && (name === "flip" || event.target.closest("#board") === null)) step(name);
  else return;
  event.preventDefault();
}

function step(name) {
  const [last, at] = [match.moves.length, ply ?? match.moves.length];
  if (name === "flip") {
    isFlipped = !isFlipped;
    document.querySelector("[data-walk=flip]").setAttribute("aria-pressed", String(isFlipped));
  }
  go({ first: 0, back: at - 1, forward: at + 1, last, flip: at }[name]);
}

/** Shows the position after so many plies. */
function go(at) {
  ply = at < match.moves.length ? Math.max(0, at) : null;
  showPosition();
  showEvaluation();
  showPlayers();
  say("");
}

function show(now) {
  const isMenu = now.menu !== undefined;
  byId("menu").hidden = !isMenu;
  byId("at-board").hidden = isMenu;
  document.body.dataset.turn = isMenu ? "menu" : "";
  if (isMenu) {
    match = null;
    byId("name").textContent = "Play against an engine";
    showMenu(now.menu, now.said);
  } else {
    showMatch(now);
  }
}

/** Twice the points of White in a match that is over. */
const pointsOf = ({ result }) => ({ "1-0": 2, "0-1": 0 })[result] ?? 1;

/** Whether the person has made a move. */
const hasMoved = ({ moves, you }) => moves.some(([, side]) => side === you);

function showMatch(now) {
  const isOther = match === null || match.you !== now.you || now.moves.length < match.moves.length;
  const isNew = isOther || now.moves.length !== match.moves.length;
  if (isNew) {
    // Who has moved wants to see the moves.
    if (hasMoved(now) && (match === null || !hasMoved(match))) ["how", "marked"].forEach((id) => (byId(id).open = false));
    ply = null;
    byId("typed").value = "";
  }
  if (!isOther && isNew) beep();
  match = now;
  if (isOther) {
    shown = null;
    input.ahead = [];
    byId("cursor").textContent = "";
  }
  if (isOther && match.moves.length === 0) isFlipped = match.you === "b";
  isFlipped ??= match.you === "b";
  const { position, moves, legal, turn, over } = match;
  positions = positionsOf(position.board, position.scenes);
  showPosition();
  document.body.dataset.ply = String(moves.length);
  document.body.dataset.turn = over !== null ? "over" : turn === null ? "" : turn.side === match.you ? "you" : "engine";
  byId("name").textContent = `${match.game}: ${match.names[0]} – ${match.names[1]}`;
  const isYours = 0 < legal.length;
  byId("take-back").disabled = !match.can_take_back;
  byId("hint").hidden = match.adviser === null;
  byId("hint").disabled = !isYours || match.hint === "";
  byId("resign").disabled = turn === null && !match.can_abort;
  // The question stays when the engine moves.
  if (isOther || over !== null || !isResigning()) calmResign();
  byId("draw").disabled = !isYours;
  byId("draw-words").textContent = turn?.draw_is_offered && isYours ? "Accept the draw" : "Offer a draw";
  showAfter();
  const isWrong = match.said !== null && (over === null || over.has_failed);
  const isOfTyped = isWrong && isTyped && over === null;
  sayOfTyped(isOfTyped ? match.said : "");
  if (isOfTyped) say("");
  // What was chosen ahead is asked for already.
  else if (isWrong || input.picker.chosen.length === 0) say(match.said ?? "", isWrong);
  showEvaluation();
  showPlayers();
}

/** Whether the next click on "Resign" gives up. */
const isResigning = () => byId("resign").dataset.isAsked !== undefined;

/** The next click on "Resign" is the first one again. */
function calmResign() {
  clearTimeout(lapse);
  delete byId("resign").dataset.isAsked;
  byId("resign-said").textContent = "";
  byId("resign").textContent = match.can_abort ? "Abort" : "Resign";
  byId("resign").title = match.can_abort ? "Ends the match without a result; nothing is stored" : "";
}

/** A short, low tone for each move. */
function beep() {
  if (audio === null) return;
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = 220;
  volume.gain.setValueAtTime(0.2, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.12);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.12);
}

function showAfter() {
  const { over } = match;
  byId("after").hidden = over === null;
  if (over === null) return;
  byId("new").textContent = over.has_failed ? "Store again" : "Rematch, colours swapped";
  byId("again").hidden = over.has_failed;
  byId("other").hidden = over.has_failed;
  byId("level-label").hidden = match.level === null || over.has_failed;
  if (match.level !== null) {
    const { now, min, max } = match.level;
    const levels = Array.from({ length: max - min + 1 }, (_, idx) => element("option", { value: min + idx }, String(min + idx)));
    byId("level").replaceChildren(...levels);
    byId("level").value = String(now);
  }
  byId("replay").hidden = over.number === null;
  byId("replay").href = `match/${over.number}?analyse${match.you === "b" ? "&side=b" : ""}`;
  byId("replay").textContent = `Replay of match ${over.number}`;
  byId("folder").textContent = over.number === null ? "" : `stored in ${match.folder}`;
}

function showPosition() {
  const { position, moves, legal } = match;
  const { board } = position;
  const at = ply ?? moves.length;
  const { squares, hands, notes, changes, shifts, check } = positions[at];
  const sides = moves.map(([, side]) => side);
  const named = (idx) => placesOf(moves[idx][0], board);
  const drawing = new BoardDrawing(board, position.heights, isFlipped);
  const label = `Position after ${at} plies: ${position.fens[at]}`;
  drawing.show({ slides: shown !== null && at === shown + 1 && !input.takesDropped(), squares, shifts, named: at === 0 ? [] : named(at - 1), earlier: at === 0 ? [] : earlierInTurn(sides, at - 1).map(named), changes, check, won: at === moves.length ? match.won.map((name) => board.squares.findIndex((square) => square.name === name)) : [], label });
  byId("board").replaceChildren(drawing.svg);
  shown = at;
  const { effects, notations: names, into_check: intoCheck } = match;
  clearTimeout(rest);
  if (ply === null) input.show(drawing, squares, legal, match.hint, { effects, names, intoCheck, guide: position.guide, remarks: match.remarks, waiting: match.over === null && match.turn?.side !== match.you ? match.you : null, question: { game: match.game_id, fen: position.fens.at(-1) } });
  else {
    input.show(drawing, squares, [], null);
    rest = setTimeout(() => learnOf(at), REST_MS);
  }
  const earlier = ply === null ? "" : `Earlier position${check === null ? "" : ": check"}.`;
  // How the match ended is said wherever one looks.
  const now = ply === null || match.over !== null ? status(ply === null && check !== null) : "";
  byId("status").textContent = `${now} ${earlier}`.trim();
  byId("last-turn").textContent = ply === null ? lastTurn() : "";
  byId("fen").value = position.fens[at];
  byId("notes").replaceChildren(...notes.map(([label, value]) => element("span", {}, `${label}: ${value}`)));
  const numbers = numbersOf(sides);
  byId("place").textContent = at === 0 ? "Start position" : `After ${numbers[at - 1]} ${moves[at - 1][2]}`;
  const list = byId("moves");
  list.replaceChildren(
    ...moves.map(([, side, words], idx) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", class: `move of-${side}`, "aria-current": idx + 1 === at ? "true" : null, click: () => go(idx + 1) },
          element("span", { class: "ordinal" }, numbers[idx]),
          words,
          captureMark(words, side, positions[idx], positions[idx + 1], board),
          element("span", { class: "unseen" }, ` ${SIDES[side]}`),
        ),
      ),
    ),
    ...(match.over === null ? [] : [outcomeItem(RESULTS[pointsOf(match.over)])]),
  );
  keepCurrentInView(list);
  offerRules(match.game_id, match.game, !hasMoved(match));
  // All kinds of pieces may come up.
  const kinds = { squares: board.kinds.map((kind) => kind.letter), hands: [] };
  showLegend({ board, positions: [kinds], replay: position });
  showGuide(position.guide, board, legal);
}

/** What is known of the squares of an earlier position, such as the effects of towers. */
async function learnOf(at) {
  const { game_id: game, position } = match;
  const answer = await fetch(`start/${encodeURIComponent(JSON.stringify({ game, start: "", fen: position.fens[at] }))}`).catch(() => null);
  const { remarks } = answer?.ok ? await answer.json() : {};
  if (remarks !== undefined && ply === at && match?.position === position) input.learn(remarks);
}

/** What the engine did in its last turn, for the person who moves next. */
function lastTurn() {
  const { over, turn, moves, you } = match;
  if (over !== null || turn?.side !== you) return "";
  const first = moves.findLastIndex(([, side]) => side === you) + 1;
  const all = moves.slice(first).map(([move, , name, , words], idx) => input.describe(move, name, input.picker.turned(words), positions[first + idx].squares));
  return all.length === 0 ? "" : `${SIDES[moves.at(-1)[1]]}: ${all.join("; then ")}.`;
}

function status(isCheck) {
  const { over, turn, hint, you, moves } = match;
  if (over !== null) return `${over.sentence} ${over.number !== null ? `Stored as match ${over.number}.` : over.has_failed ? "The match is not stored." : over.is_busy ? "The machine was busy, so that the match is not stored." : "The match is not stored, because you made no move."}`;
  if (turn === null) return "The match begins.";
  if (turn.side !== you) return `The engine thinks.${isCheck ? " It is in check." : ""}`;
  const check = isCheck ? " You are in check." : "";
  const waits = turn.since_ms === null && match.clocks_ms.some((one) => one !== null) ? " Your clock starts with your first move." : "";
  const offer = turn.draw_is_offered ? " The engine offers a draw." : waits;
  const yours = moves.at(-1)?.[1] === you ? "Your turn goes on." : "Your move.";
  if (hint === "") return `${yours}${check}${offer} ${match.adviser || "The engine"} looks for a hint.`;
  return `${yours}${check}${offer}${hint === null ? "" : ` Hint${match.adviser === "" ? "" : ` of ${match.adviser}`}: ${input.wordsOf(hint)}.`}`;
}

/** What the engine thought of the position that is shown: it searched the one from which it moves, and its move leads to the next one. */
function showEvaluation() {
  byId("gauge").hidden = byId("bar-words").hidden = !showsEvaluation;
  if (!showsEvaluation) return;
  const { moves, names, over } = match;
  const at = ply ?? moves.length;
  const isKnown = (idx) => (moves[idx]?.[3].score ?? null) !== null;
  const idx = [at - 1, at].find(isKnown) ?? moves.slice(0, at).findLastIndex((_, idx) => isKnown(idx));
  const result = over !== null && at === moves.length ? pointsOf(over) / 2 : null;
  const [facts, effort] = [[], []];
  let white = result;
  if (result === null && isKnown(idx)) {
    const [, side, , { score, depth, nodes, time_us: us }] = moves[idx];
    white = winProbability(score, side);
    facts.push(`${whoIsAhead(score, side, match.position.board)}, says ${names[side === "w" ? 0 : 1]}`, `win probability of White: ${percent(white, 0)}`);
    if (idx < at - 1) facts.push(`before ${numbersOf(moves.map(([, side]) => side))[at - 1]} ${moves[at - 1][2]}`);
    if (depth !== null) effort.push(`depth ${depth}`);
    if (nodes !== null) effort.push(`${count(nodes)} ${nodes === 1 ? "node" : "nodes"}`);
    effort.push(time(us / 1000));
  }
  byId("bar-words").replaceChildren(...(result === null && facts.length === 0 ? ["No evaluation yet"] : facts).map((fact) => element("span", {}, fact)), ...effort.map((fact) => element("span", { class: "effort" }, fact)));
  showGauge(byId("gauge"), white, isFlipped, facts[0] ?? (result === null ? "No evaluation yet" : over.sentence));
}

function showPlayers() {
  const [top, bottom] = isFlipped ? [0, 1] : [1, 0];
  for (const [id, side] of [["top", top], ["bottom", bottom]]) {
    const letter = ["w", "b"][side];
    const isNext = match.over === null && match.turn?.side === letter;
    byId(id).replaceChildren(
      element("span", { class: `side-sign of-${letter}${isNext ? " to-move" : ""}`, "aria-hidden": "true" }),
      element("span", { class: "who" }, nameOf(match.names[side]), element("span", { class: "unseen" }, ` ${match.names[side] === "you" ? "play" : "plays"} ${SIDES[letter]}`)),
      ...handOf(positions[ply ?? match.moves.length].hands[side], match.position.board),
      ...(match.clocks_ms[side] === null ? [] : [element("span", { class: "clock", "data-side": side })]),
    );
  }
  showClocks();
}

/** The clock of the side that thinks runs. */
function showClocks() {
  // A clock that runs on would say that the arena does.
  if (match === null || isCut()) return;
  for (const box of document.querySelectorAll(".clock[data-side]")) {
    const side = Number(box.dataset.side);
    const isRunning = match.over === null && match.turn?.side === ["w", "b"][side];
    const used = isRunning && match.turn.since_ms !== null ? arenaTime() - match.turn.since_ms : 0;
    const left = Math.max(0, match.clocks_ms[side] - used);
    box.textContent = clock(left);
    box.classList.toggle("is-low", isRunning && left < LOW_MS);
  }
}
