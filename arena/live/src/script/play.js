// Runs when the page is opened on which a person plays.

import { BoardInput } from "./board-input.js";
import { BoardDrawing, piecesOf } from "./board.js";
import { attempt, byId, element, nameOf } from "./dom.js";
import { clock, count, score, time } from "./format.js";
import { handOf } from "./hands.js";
import { send } from "./send.js";
import { arenaTime, follow } from "./stream.js";
import { startTheme } from "./theme.js";

const SIDES = { w: "White", b: "Black" };
let match = null;
let squares = [];
/** The squares before the last move. */
let before = [];
let isFlipped = null;

attempt(startTheme);
const input = new BoardInput(byId("board"), byId("choices"), (move) => act({ do: "move", move, draw: byId("draw").checked }));
follow("events", {
  snapshot: show,
  frame: show,
});
byId("take-back").addEventListener("click", () => act({ do: "take-back" }));
byId("hint").addEventListener("click", () => act({ do: "hint" }));
byId("new").addEventListener("click", () => act({ do: match?.over?.number === null ? "store" : "new" }));
byId("resign").addEventListener("click", () => {
  // A second click is a sure sign.
  if (byId("resign").dataset.isAsked === undefined) {
    byId("resign").dataset.isAsked = "";
    byId("resign").textContent = "Click again to resign";
    return;
  }
  act({ do: "resign" });
});
byId("flip").addEventListener("click", () => {
  isFlipped = !isFlipped;
  byId("flip").setAttribute("aria-pressed", String(isFlipped));
  show(match);
});
byId("type").addEventListener("submit", (event) => {
  event.preventDefault();
  act({ do: "move", move: byId("typed").value.trim(), draw: byId("draw").checked });
  byId("typed").value = "";
});
byId("copy").addEventListener("click", () => {
  byId("fen").select();
  navigator.clipboard?.writeText(byId("fen").value);
});
setInterval(() => attempt(showClocks), 200);

function act(action) {
  if (action.do === "move") byId("draw").checked = false;
  send("act", action).catch((error) => {
    byId("said").hidden = false;
    byId("said").textContent = error.message;
  });
}

function show(now) {
  const isOther = match === null || match.you !== now.you || now.moves.length < match.moves.length;
  if (match !== null && match.moves.length !== now.moves.length) before = squares;
  match = now;
  if (isOther && match.moves.length === 0) isFlipped = match.you === "b";
  isFlipped ??= match.you === "b";
  const { position, moves, legal, turn, over } = match;
  const { board } = position;
  squares = board.squares.map(() => "");
  for (const [place, text] of match.position.scene.s ?? []) squares[place] = text;
  const drawing = new BoardDrawing(board, match.position.heights, isFlipped);
  const last = moves.at(-1)?.[0] ?? "";
  const places = (names) => names.map((name) => board.squares.findIndex((square) => square.name === name)).filter((place) => 0 <= place);
  const size = (texts, place) => piecesOf(texts[place] ?? "", board).length;
  const change = (place) => [place, size(squares, place) < size(before, place) ? "left" : size(before, place) < size(squares, place) ? "entered" : "replaced"];
  drawing.show({
    squares,
    named: places(last.match(/[a-z][1-9][0-9]?/g) ?? []),
    changes: places(match.position.touched).map(change),
    won: [],
    label: `Position after ${moves.length} plies: ${match.position.fen}`,
  });
  byId("board").replaceChildren(drawing.svg);
  input.show(drawing, squares, legal, match.hint);
  document.body.dataset.ply = String(moves.length);
  document.body.dataset.turn = over !== null ? "over" : turn === null ? "" : turn.side === match.you ? "you" : "engine";
  byId("name").textContent = `${match.game}: ${match.names[0]} – ${match.names[1]}`;
  const isYours = 0 < legal.length;
  byId("take-back").disabled = !match.can_take_back;
  byId("hint").disabled = !isYours || match.hint === "";
  byId("resign").disabled = !isYours;
  delete byId("resign").dataset.isAsked;
  byId("resign").textContent = "Resign";
  byId("draw").disabled = !isYours;
  byId("draw-words").textContent = turn?.draw_is_offered && isYours ? "Accept the draw with the next move" : "Offer a draw with the next move";
  byId("new").hidden = over === null;
  byId("new").textContent = over?.number === null ? "Store again" : "New match";
  byId("said").hidden = match.said === null;
  byId("said").textContent = match.said ?? "";
  byId("fen").value = match.position.fen;
  byId("notes").replaceChildren(...(match.position.scene.n ?? []).map(([label, value]) => element("span", {}, `${label}: ${value}`)));
  byId("status").textContent = status();
  const list = byId("moves");
  list.replaceChildren(
    ...moves.map(([move, side], idx) =>
      element(
        "li",
        {},
        element("span", { class: `move of-${side}`, "aria-current": idx + 1 === moves.length ? "true" : null }, element("span", { class: "ordinal" }, String(idx + 1)), move, element("span", { class: "unseen" }, ` ${SIDES[side]}`)),
      ),
    ),
  );
  list.scrollTop = list.scrollHeight;
  showPlayers();
}

function status() {
  const { over, turn, hint, you } = match;
  if (over !== null) return `${over.sentence} ${over.number === null ? "The match is not stored." : `Stored as match ${over.number}.`}`;
  if (turn === null) return "The match begins.";
  if (turn.side !== you) return "The engine thinks.";
  const offer = turn.draw_is_offered ? " The engine offers a draw." : "";
  if (hint === "") return `Your move.${offer} The engine looks for a hint.`;
  return `Your move.${offer}${hint === null ? "" : ` Hint: ${hint}`}`;
}

function showPlayers() {
  const [top, bottom] = isFlipped ? [0, 1] : [1, 0];
  for (const [id, side] of [["top", top], ["bottom", bottom]]) {
    const letter = ["w", "b"][side];
    const thought = letter === match.you ? null : match.thoughts[side];
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
      ...handOf((match.position.scene.h ?? ["", ""])[side], match.position.board),
      element("span", { class: "thought" }, facts.map((fact) => element("span", {}, fact))),
      ...(match.clocks_ms[side] === null ? [] : [element("span", { class: "clock", "data-side": side })]),
    );
  }
  showClocks();
}

/** The clock of the side that thinks runs. */
function showClocks() {
  for (const box of document.querySelectorAll(".clock[data-side]")) {
    const side = Number(box.dataset.side);
    const isRunning = match.over === null && match.turn?.side === ["w", "b"][side];
    const used = isRunning ? arenaTime() - match.turn.since_ms : 0;
    box.textContent = clock(Math.max(0, match.clocks_ms[side] - used));
  }
}
