// Runs when the page is opened on which a person plays.

import { BoardInput, TARGETS } from "./board-input.js";
import { BoardDrawing } from "./board.js";
import { attempt, byId, element, keepCurrentInView, nameOf } from "./dom.js";
import { clock, count, score, time } from "./format.js";
import { handOf } from "./hands.js";
import { placesOf } from "./arrows.js";
import { showMenu, startMenu } from "./menu.js";
import { positionsOf } from "./replay-data.js";
import { showLegend } from "./replay-panels.js";
import { send } from "./send.js";
import { arenaTime, follow } from "./stream.js";
import { startTheme } from "./theme.js";

const SIDES = { w: "White", b: "Black" };
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip" };
let match = null;
let positions = [];
/** The earlier position that is shown; `null` shows the newest one. */
let ply = null;
let isFlipped = null;
let showsThoughts = false;
/** What plays sounds, once the user wants them. */
let audio = null;

attempt(startTheme);
const input = new BoardInput(byId("board"), byId("choices"), (move) => act({ do: "move", move, draw: byId("draw").checked }), say);
startMenu((choice) => act({ do: "begin", ...choice }));
follow("events", {
  snapshot: show,
  frame: show,
});
for (const sign of document.querySelectorAll("[data-target]")) sign.setAttribute("d", TARGETS[sign.dataset.target]);
// A click leaves the arrow keys to the moves.
byId("board").addEventListener("mousedown", (event) => event.preventDefault());
document.addEventListener("keydown", onKey);
for (const button of document.querySelectorAll("[data-walk]")) button.addEventListener("click", () => step(button.dataset.walk));
byId("take-back").addEventListener("click", () => act({ do: "take-back" }));
byId("hint").addEventListener("click", () => act({ do: "hint" }));
byId("new").addEventListener("click", () => act(match.over.has_failed ? { do: "store" } : { do: "new", level: wantedLevel() }));
byId("again").addEventListener("click", () => act({ do: "new", same_side: true, level: wantedLevel() }));
for (const id of ["other", "leave"]) byId(id).addEventListener("click", () => act({ do: "menu" }));
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
  showsThoughts = !showsThoughts;
  byId("thoughts").setAttribute("aria-pressed", String(showsThoughts));
  showPlayers();
});
byId("resign").addEventListener("click", () => {
  // A second click is a sure sign.
  if (byId("resign").dataset.isAsked === undefined) {
    byId("resign").dataset.isAsked = "";
    byId("resign").textContent = "Click again to resign";
    return;
  }
  act({ do: "resign" });
});
byId("type").addEventListener("submit", (event) => {
  event.preventDefault();
  act({ do: "move", move: byId("typed").value.trim(), draw: byId("draw").checked });
});
byId("copy").addEventListener("click", () => {
  byId("fen").select();
  navigator.clipboard?.writeText(byId("fen").value);
});
setInterval(() => attempt(showClocks), 200);

function act(action) {
  if (action.do === "move") byId("draw").checked = false;
  send("act", action).catch((error) => say(error.message, true));
}

function wantedLevel() {
  return match.level === null ? null : Number(byId("level").value);
}

/** Says something in the place for it, so that nothing moves. */
function say(text, isWrong = false) {
  const idle = ply !== null ? "This is an earlier position; the button “End of the line” leads back." : match.turn !== null ? "It is the engine's turn." : "";
  const isIdle = input.picker.entries.length === 0 && match.over === null && !isWrong;
  byId("said").textContent = isIdle ? idle : text === "" && match.over === null ? input.picker.prompt() : text;
  byId("said").classList.toggle("is-wrong", isWrong);
}

/** The page of the analysis takes the moves, and is opened. */
async function analyse() {
  try {
    await send("analyse/act", { do: "set-up", fen: match.position.fens[0] });
    await send("analyse/act", { do: "play", node: 0, moves: match.moves.map(([move]) => move) });
    location.href = "analyse/";
  } catch (error) {
    say(error.message, true);
  }
}

function onKey(event) {
  if (match === null || event.altKey || event.ctrlKey || event.metaKey) return;
  const name = KEYS[event.key];
  if (name === undefined || event.target.closest("input, select, textarea, #board")) return;
  step(name);
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

function showMatch(now) {
  const isOther = match === null || match.you !== now.you || now.moves.length < match.moves.length;
  const isNew = isOther || now.moves.length !== match.moves.length;
  if (isNew) {
    ply = null;
    byId("typed").value = "";
  }
  if (!isOther && isNew) beep();
  match = now;
  if (isOther && match.moves.length === 0) isFlipped = match.you === "b";
  isFlipped ??= match.you === "b";
  const { position, moves, legal, turn, over } = match;
  positions = positionsOf(position.board, position.scenes);
  showPosition();
  document.body.dataset.ply = String(moves.length);
  document.body.dataset.turn = over !== null ? "over" : turn === null ? "" : turn.side === match.you ? "you" : "engine";
  byId("name").textContent = `${match.game}: ${match.names[0]} – ${match.names[1]}`;
  const isYours = 0 < legal.length;
  byId("leave").hidden = over !== null || moves.some(([, side]) => side === match.you);
  byId("take-back").disabled = !match.can_take_back;
  byId("hint").disabled = !isYours || match.hint === "";
  byId("resign").disabled = !isYours;
  delete byId("resign").dataset.isAsked;
  byId("resign").textContent = "Resign";
  byId("draw").disabled = !isYours;
  byId("draw-words").textContent = turn?.draw_is_offered && isYours ? "Accept the draw with the next move" : "Offer a draw with the next move";
  byId("status").textContent = status();
  showAfter();
  say(match.said ?? "", match.said !== null && over === null);
  showPlayers();
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
  byId("replay").href = `match/${over.number}`;
  byId("replay").textContent = `Replay of match ${over.number}`;
  byId("folder").textContent = over.number === null ? "" : `stored in ${match.folder}`;
}

function showPosition() {
  const { position, moves, legal } = match;
  const { board } = position;
  const at = ply ?? moves.length;
  const { squares, hands, notes, changes } = positions[at];
  const drawing = new BoardDrawing(board, position.heights, isFlipped);
  const label = `Position after ${at} plies: ${position.fens[at]}`;
  drawing.show({ squares, named: at === 0 ? [] : placesOf(moves[at - 1][0], board), changes, won: at === moves.length ? match.won.map((name) => board.squares.findIndex((square) => square.name === name)) : [], label });
  byId("board").replaceChildren(drawing.svg);
  if (ply === null) input.show(drawing, squares, legal, match.hint, match.effects, match.notations, match.into_check);
  else input.show(drawing, squares, [], null);
  byId("fen").value = position.fens[at];
  byId("notes").replaceChildren(...notes.map(([label, value]) => element("span", {}, `${label}: ${value}`)));
  byId("place").textContent = `Ply ${at} of ${moves.length}`;
  const list = byId("moves");
  list.replaceChildren(
    ...moves.map(([, side, words], idx) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", class: `move of-${side}`, "aria-current": idx + 1 === at ? "true" : null, click: () => go(idx + 1) },
          element("span", { class: "ordinal" }, String(idx + 1)),
          words,
          element("span", { class: "unseen" }, ` ${SIDES[side]}`),
        ),
      ),
    ),
  );
  keepCurrentInView(list);
  byId("about").textContent = match.about;
  byId("rules").href = `rules/${match.game_id}`;
  // All kinds of pieces may come up.
  const kinds = { squares: board.kinds.map((kind) => kind.letter), hands: [] };
  showLegend({ board, positions: [kinds], replay: position });
  const notation = input.picker.notation();
  if (0 < notation.length) byId("notation").replaceChildren(...notation.flatMap(({ move, words }) => [element("dt", {}, element("code", {}, move)), element("dd", {}, words)]));
}

function status() {
  const { over, turn, hint, you } = match;
  if (over !== null) return `${over.sentence} ${over.number !== null ? `Stored as match ${over.number}.` : over.has_failed ? "The match is not stored." : over.is_busy ? "The machine was busy, so that the match is not stored." : "The match is not stored, because you made no move."}`;
  if (turn === null) return "The match begins.";
  if (turn.side !== you) return "The engine thinks.";
  const waits = turn.since_ms === null && match.clocks_ms.some((one) => one !== null) ? " Your clock starts with your first move." : "";
  const offer = turn.draw_is_offered ? " The engine offers a draw." : waits;
  if (hint === "") return `Your move.${offer} The engine looks for a hint.`;
  return `Your move.${offer}${hint === null ? "" : ` ${match.names[you === "w" ? 1 : 0]} would play ${match.notations[hint] ?? hint}.`}`;
}

function showPlayers() {
  const [top, bottom] = isFlipped ? [0, 1] : [1, 0];
  for (const [id, side] of [["top", top], ["bottom", bottom]]) {
    const letter = ["w", "b"][side];
    const thought = letter === match.you || !showsThoughts ? null : match.thoughts[side];
    const facts = [];
    if (thought !== null) {
      if (thought.score !== null) facts.push(score(thought.score));
      if (thought.depth !== null) facts.push(`depth ${thought.depth}`);
      if (thought.nodes !== null) facts.push(`${count(thought.nodes)} nodes`);
      facts.push(time(thought.time_us / 1000));
    }
    const isNext = match.over === null && match.turn?.side === letter;
    byId(id).replaceChildren(
      element("span", { class: `side-sign of-${letter}${isNext ? " to-move" : ""}`, "aria-hidden": "true" }),
      element("span", { class: "who" }, nameOf(match.names[side]), element("span", { class: "unseen" }, ` plays ${SIDES[letter]}`)),
      ...handOf(positions[ply ?? match.moves.length].hands[side], match.position.board),
      element("span", { class: "thought" }, facts.map((fact) => element("span", {}, fact))),
      ...(match.clocks_ms[side] === null ? [] : [element("span", { class: "clock", "data-side": side })]),
    );
  }
  showClocks();
}

/** The clock of the side that thinks runs. */
function showClocks() {
  if (match === null) return;
  for (const box of document.querySelectorAll(".clock[data-side]")) {
    const side = Number(box.dataset.side);
    const isRunning = match.over === null && match.turn?.side === ["w", "b"][side];
    const used = isRunning && match.turn.since_ms !== null ? arenaTime() - match.turn.since_ms : 0;
    box.textContent = clock(Math.max(0, match.clocks_ms[side] - used));
  }
}
