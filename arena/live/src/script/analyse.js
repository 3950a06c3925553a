// Runs when the page of an analysis is opened.

import { arrow, placesOf, stripe } from "./arrows.js";
import { BoardEditor } from "./board-editor.js";
import { BoardInput, noMove } from "./board-input.js";
import { BoardMarks } from "./board-marks.js";
import { BoardDrawing } from "./board.js";
import { addChart } from "./charts.js";
import { attempt, byId, element, nameOf, prose } from "./dom.js";
import { EngineLines } from "./engine-lines.js";
import { copied } from "./export.js";
import { percent } from "./format.js";
import { showGauge } from "./gauge.js";
import { offerRules, showGuide } from "./guide.js";
import { handOf } from "./hands.js";
import { offerKeys } from "./keys.js";
import { LinePreview } from "./line-preview.js";
import { MoveMenu } from "./move-menu.js";
import { drawTree, lineTo, textOf, treeOf, walk } from "./move-tree.js";
import { changesOf, whoIsAhead, winProbability } from "./replay-data.js";
import { showLegend, showSwings } from "./replay-panels.js";
import { Review, chanceOf } from "./review.js";
import { headingOf } from "./pgn.js";
import { send } from "./send.js";
import { follow, isCut } from "./stream.js";
import { startTheme } from "./theme.js";
import { stepByWheel } from "./wheel.js";

const SIDES = { w: "White", b: "Black" };
/** The largest file that the server takes as a text. */
const MOST_BYTES = 250000;
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "above", ArrowDown: "below", Home: "first", End: "last" };
/** What the server said last of the tree, and of the engines. */
let tree = null;
let now = null;
let nodes = null;
/** For each node the child through which the user came last. */
const visited = new Map();
/** What the server says of a position alone. */
const OF_POSITION = ["command", "position", "before", "to_move", "names", "effects", "legal", "into_check", "won", "end", "ended"];
/** What it said of the last so many positions, by the moves that lead to them: they can be shown again after its end. */
const seen = new Map();
const MOST_SEEN = 1000;
let squares = [];
let drawing = null;
let chart = null;
const DEPTHS = [null, 4, 6, 8, 10, 12, 15, 20, 25, 30];
let isFlipped = new URLSearchParams(location.search).get("side") === "b";
/** Whether this page asked for something, so that an error is about it. */
let hasAsked = false;
/** The node to which the user goes, until the server has answered: the next step begins there. */
let wanted = null;
let isGoing = false;
/** The field whose text was sent, until the server has answered with a position. */
let sent = null;
/** The end of the line that the user had evaluated last, also before the page was loaded again. */
let evaluatedEnd = history.state?.evaluatedEnd ?? null;
/** The name of the file whose text is loaded. */
let fileName = null;
/** While an engine evaluates moves, they are shown again at most so often. */
const REDRAW_MS = 500;
let redrawing = null;
/** Whether the box holds a text that is not loaded, or not to its end, and waits to be mended. */
let isWaiting = false;

attempt(startTheme);
offerKeys();
// A page of its own has no match to go back to.
byId("back").hidden = !location.pathname.endsWith("/analyse/");
const input = new BoardInput(byId("board"), byId("choices"), (move) => play([move]), say);
const marks = new BoardMarks(byId("board"), input, (node, list) => act({ do: "mark", node, marks: list }));
const menu = new MoveMenu(act);
const engines = new EngineLines(byId("engines"), { toggle: (engine, isOn) => act({ do: isOn ? "start" : "stop", engine }), remove: (engine) => act({ do: "remove-engine", engine }), play, preview });
// What is looked at in passing is no action of the user: it fails without a word.
const small = new LinePreview((node, moves) => send("act", { do: "look", node, moves }).catch(() => {}));
const review = new Review({ begin: evaluateLine, end: () => act({ do: "end-review" }), choose: (by) => act({ do: "author", by }), go, play: (node, moves) => act({ do: "play", node, moves }), colourOf });
follow("events", {
  snapshot: show,
  frame: show,
  viewers: (n) => (byId("shared").hidden = n < 2),
});
stepByWheel(byId("board"), (by) => step(by < 0 ? "back" : "forward"));
// A click leaves the arrow keys to the tree.
byId("board").addEventListener("mousedown", (event) => event.preventDefault());
document.addEventListener("keydown", onKey);
// So does one on a button; who presses it by key stays there.
document.addEventListener("click", ({ detail, target }) => 0 < detail && target.closest("button:not(#move-menu button)")?.blur());
for (const button of document.querySelectorAll("[data-walk]")) button.addEventListener("click", () => step(button.dataset.walk));
for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copied(button, byId(button.dataset.copy).value));
byId("tree").addEventListener("contextmenu", (event) => {
  const button = event.target.closest("[data-node]");
  if (button === null) return;
  event.preventDefault();
  menu.open(nodes.get(Number(button.dataset.node)), button);
});
byId("more").addEventListener("click", () => (menu.node === null ? menu.open(nodes.get(tree.current), byId("more")) : menu.close()));
byId("adding").addEventListener("submit", (event) => {
  event.preventDefault();
  act({ do: "add-engine", engine: Number(byId("to-add").value) });
});
byId("lines").addEventListener("change", () => act({ do: "lines", n: Number(byId("lines").value) }));
byId("depth").append(...DEPTHS.map((depth) => element("option", { value: depth ?? "" }, depth === null ? "no limit" : `to depth ${depth}`)));
byId("depth").addEventListener("change", () => act({ do: "depth", n: byId("depth").value === "" ? null : Number(byId("depth").value) }));
document.querySelector("[data-walk=flip]").setAttribute("aria-pressed", String(isFlipped));
byId("to-transfer").addEventListener("click", () => {
  openText(byId("import").hidden);
  if (byId("import").hidden) return;
  // From the start of the text.
  byId("exported").setSelectionRange(0, 0);
  byId("exported").focus();
  byId("exported").scrollTop = 0;
});
byId("import").addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  openText(false);
  byId("to-transfer").focus();
});
const editor = new BoardEditor(() => showPosition(), say, (event) => input.placeAt(event));
byId("edit").addEventListener("click", () => edit(!editor.isOn));
byId("clear").addEventListener("click", () => editor.clear());
byId("to-start").addEventListener("click", () => editor.toStart());
byId("cancel").addEventListener("click", () => edit(false));
byId("edited").addEventListener("submit", (event) => {
  event.preventDefault();
  visited.clear();
  sent = byId("edited-fen");
  act({ do: "set-up", fen: sent.value });
});
byId("import").addEventListener("submit", (event) => {
  event.preventDefault();
  sayOfText("");
  if (byId("exported").value.trim() === "") {
    isWaiting = false;
    sayOfText("Paste the moves of a match here, as text or PGN, and load them then.");
    return;
  }
  const text = byId("exported").value;
  if (MOST_BYTES < text.length) refuse(`The text is larger than ${MOST_BYTES / 1000} kB; \`arena analyse FILE\` opens it from a file.`);
  else load({ do: "import", text, file: fileName, is_from_start: true });
});
byId("match-chosen").addEventListener("change", () => load({ do: "choose", n: Number(byId("match-chosen").value) }));
byId("open").addEventListener("click", () => byId("file").click());
byId("file").addEventListener("change", () => {
  loadFile(byId("file").files[0]);
  byId("file").value = "";
});
document.addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  document.body.classList.add("takes-file");
});
document.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget === null && document.body.classList.remove("takes-file"));
document.addEventListener("drop", (event) => {
  document.body.classList.remove("takes-file");
  if (event.dataTransfer.files.length === 0) return;
  event.preventDefault();
  loadFile(event.dataTransfer.files[0]);
});
byId("save").addEventListener("click", () => {
  const name = tree.title.toLowerCase().match(/[\p{L}\p{N}]+/gu)?.join("-") ?? "analysis";
  const link = element("a", { href: URL.createObjectURL(new Blob([byId("exported").value], { type: "text/plain" })), download: `${name}.${tree.game_id.startsWith("chess") ? "pgn" : "txt"}` });
  link.click();
  URL.revokeObjectURL(link.href);
});
byId("restore").addEventListener("click", restore);
byId("type").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = byId("typed").value.trim();
  if (move === "") return say(noMove(tree.legal), true);
  sent = byId("typed");
  play([move]);
});

// Words about what was wrong cover something, and go with the next click.
document.addEventListener("pointerdown", ({ target }) => {
  if (byId("said").matches(".is-wrong") && !target.closest("#type, .below-status, #board, #editor")) say("", false);
});
byId("edited-fen").addEventListener("keydown", ({ key }) => key === "Escape" && edit(false));
byId("typed").addEventListener("keydown", ({ key, target }) => key === "Escape" && target.blur());

function act(action) {
  wanted = null;
  return request(action);
}

/** Promises whether the request has reached the arena. */
function request(action) {
  hasAsked = true;
  const fail = (error) => {
    wanted = null;
    if (sent?.id === "exported") refuse(error.message);
    else say(error.message, true);
    sent = null;
    return false;
  };
  return send("act", action).then(() => true, fail);
}

/** Goes to a node. Of the wishes while a request is under way, the newest one counts. */
async function go(node) {
  // On a phone, the board may be far above what was tapped.
  if (matchMedia("(max-width: 900px)").matches) showBoard();
  if (isCut()) return showSeen(node);
  wanted = node;
  if (isGoing) return;
  isGoing = true;
  for (let asked = null; wanted !== null && asked !== wanted; ) {
    asked = wanted;
    await request({ do: "go", node: asked });
  }
  isGoing = false;
}

/** The moves to a node, as a text. */
const wayTo = (node) => [tree.start, ...lineTo(nodes.get(node)).map(({ move }) => move)].join(" ");

/** Without the arena, only what it has said is shown again. */
function showSeen(node) {
  const known = seen.get(wayTo(node));
  if (known === undefined) return say("Without the arena, only positions can be shown that this page has shown before.", true);
  // What the engines found is about another position.
  for (const engine of now.engines) engine.found = null;
  showTree({ ...tree, ...known, current: node });
  say("", false);
  showEngines();
}

function say(text, isWrong) {
  byId("said").replaceChildren(...prose(text));
  byId("said").classList.toggle("is-wrong", isWrong);
}

/** Loads a match. An imported text stays until it is loaded whole; a match of the list that is refused changes nothing. */
function load(action) {
  if (editor.isOn) edit(false);
  visited.clear();
  sent = byId(action.do === "import" ? "exported" : "match-chosen");
  isWaiting ||= action.do === "import";
  act(action);
}

/** Shows the text of the tree, or hides it: what waits to be mended is forgotten then. */
function openText(isOpen) {
  byId("import").hidden = !isOpen;
  byId("to-transfer").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) return;
  isWaiting = false;
  sayOfText("");
  showText();
}

async function loadFile(file) {
  if (file === undefined) return;
  if (MOST_BYTES < file.size) return refuse(`The file ${file.name} is larger than ${MOST_BYTES / 1000} kB; \`arena analyse ${file.name}\` opens it.`);
  const text = await file.arrayBuffer().then(textIn, () => null);
  if (text?.includes("\0")) return refuse(`The file ${file.name} is no text.`);
  if (text === null || text.trim() === "") return refuse(`The file ${file.name} ${text === null ? "cannot be read" : "is empty"}.`);
  byId("exported").value = text;
  fileName = file.name;
  byId("import").requestSubmit();
  fileName = null;
}

/** The text of a file. What is not UTF-8 is Latin-1, the character set of the PGN standard. */
function textIn(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function play(moves) {
  act({ do: "play", node: tree.current, moves });
}

function remove() {
  if (!editor.isOn && tree.current !== 0) act({ do: "remove", node: tree.current });
}

function step(name) {
  if (name === "flip") {
    isFlipped = !isFlipped;
    document.querySelector("[data-walk=flip]").setAttribute("aria-pressed", String(isFlipped));
    showPosition();
    showEngines();
    return;
  }
  if (editor.isOn) return;
  const node = nodes.get(wanted) ?? nodes.get(tree.current);
  const other = walk(node, name, visited);
  if (other !== node) go(other.id);
}

function onKey(event) {
  if (tree === null || event.altKey || event.target.closest("input, select, textarea, #move-menu")) return;
  const isUndo = (event.ctrlKey || event.metaKey) && event.key === "z" && !editor.isOn;
  if (!isUndo && (event.ctrlKey || event.metaKey || event.target.closest("#board"))) return;
  if (isUndo) act({ do: "undo" });
  else if (event.key === "Delete") remove();
  else if (event.key === "Escape" && editor.isOn) edit(false);
  else if (event.key === "f") step("flip");
  else if (event.key === "e") toggleEngines();
  else if (event.key === "Enter" && event.target.matches("body, main") && !editor.isOn) playBest();
  else if (KEYS[event.key] !== undefined) step(KEYS[event.key]);
  else return;
  event.preventDefault();
}

/** Stops all engines, or starts them if none searches. */
function toggleEngines() {
  const searching = now.engines.filter(({ is_on }) => is_on);
  for (const { id } of searching.length === 0 ? now.engines : searching) act({ do: searching.length === 0 ? "start" : "stop", engine: id });
}

/** Plays the move that the first engine with a line likes best. */
function playBest() {
  const line = now.engines.map(({ found }) => found?.lines[0]).find((one) => one !== undefined);
  if (line !== undefined) play([line.moves[0]]);
}

/** The first move at each branch. */
const mainLine = () => shownLine(nodes.get(0), new Map());

/** Evaluates the line of the shown position: from a branch, that branch; from the main line, all of it. */
function evaluateLine(engine, ms) {
  const [node, main] = [nodes.get(tree.current), mainLine()];
  const line = (main.includes(node) ? main : shownLine(node)).map(({ id }) => id);
  evaluatedEnd = line.at(-1);
  history.replaceState({ evaluatedEnd }, "");
  act({ do: "review", engine, nodes: line, ms });
}

/** The nodes from the start through a node to the end, by the way that was taken. */
function shownLine(node, taken = visited) {
  return [nodes.get(0), ...lineTo(walk(node, "last", taken))];
}

function show(news) {
  const isSame = news.tree === undefined || (news.tree.current === tree?.current && news.tree.position.fen === tree.position.fen);
  // What an engine says of the shown position on its way through a line stands in the graph, once it has had its time.
  for (const engine of news.engines) if (engine.state === "evaluating") engine.found = null;
  // An engine that evaluates positions, or did so last, has forgotten what it said of the shown one.
  if (isSame) news.engines.filter(({ state, is_on: isOn }) => state === "evaluating" || !isOn).forEach((engine) => keepLines(engine));
  now = news;
  const isReviewed = review.isOn && news.review === null;
  const isOther = review.isOn !== (news.review !== null) || news.evaluations !== undefined;
  Object.assign(review, { isOn: news.review !== null, hasScores: news.review?.has_scores ?? false });
  if (news.evaluations !== undefined) review.take(news.evaluations);
  if (news.tree === undefined && isOther) showMovesSoon();
  if (news.tree !== undefined) {
    showTree(news.tree);
    say((hasAsked && sent?.id !== "exported" ? now.said : null) ?? "", true);
    if (now.removed !== null) sayRemoved(now.removed);
    if (isReviewed && now.said === null && now.reviewed !== null) sayReviewed(now.reviewed);
    if (sent !== null) takeAnswer(sent);
  }
  if (news.glimpse !== null) small.hear(news.glimpse, tree.position, isFlipped);
  showEngines();
}

/** Says what was deleted: a move, and the others of `n` moves. */
function sayRemoved([words, n]) {
  say(`Deleted ${words}${n === 1 ? "" : ` and ${n - 1} more ${n === 2 ? "move" : "moves"}`}. `, false);
  byId("said").append(element("button", { type: "button", id: "undo", title: "Bring it back (Ctrl+Z)", click: () => act({ do: "undo" }) }, "Undo"));
}

/** Leads to what an engine found, if that is out of sight. */
function sayReviewed([done, of]) {
  const faults = byId("faults");
  if (faults.hidden || faults.getBoundingClientRect().bottom < innerHeight) return;
  say(done < of ? `Stopped: ${done} of ${of} moves evaluated. ` : "The moves are evaluated. ", false);
  byId("said").append(element("button", { type: "button", id: "to-faults", click: showFaults }, "Show the result"));
}

function showFaults() {
  byId("faults").scrollIntoView({ block: "nearest" });
  say("", false);
}

function keepLines(engine) {
  const { found = null, n_lines } = now.engines.find(({ name }) => name === engine.name) ?? {};
  if ((engine.found?.lines.length ?? 0) < (found?.lines.length ?? 0) || (engine.found?.depth ?? 0) < (found?.depth ?? 0)) Object.assign(engine, { found, n_lines });
}

/** Scrolls to the board if next to nothing of it is seen. */
function showBoard() {
  if (byId("board").getBoundingClientRect().bottom < 0.25 * innerHeight) byId("board").scrollIntoView();
}

/** Scrolls to the start of the page if the board does not begin in view. */
function showStart() {
  if (byId("board").getBoundingClientRect().top < 0) document.querySelector(".analysis").scrollIntoView();
}

function edit(isOn) {
  byId("edit").setAttribute("aria-pressed", String(isOn));
  // The editor stands where the moves and the engines were, so that nothing else moves.
  const side = byId("side");
  side.style.minHeight = isOn && matchMedia("(min-width: 901px)").matches ? `${side.offsetHeight}px` : "";
  document.body.classList.toggle("is-edited", isOn);
  byId("editor").hidden = !isOn;
  for (const button of document.querySelectorAll("[data-walk]:not([data-walk=flip])")) button.disabled = isOn;
  say("", false);
  input.place = isOn ? (place) => editor.place(place) : null;
  input.drag = isOn ? (from, to) => editor.move(from, to) : null;
  if (isOn) editor.begin(tree.position, squares, tree.usual_start);
  else editor.end();
  showPosition();
  showEngines();
  // Whoever had scrolled down would see neither the board nor the form.
  if (!isOn) return showStart();
  showBoard();
  if (byId("editor").getBoundingClientRect().bottom < 0) byId("editor").scrollIntoView();
}

/** A text that was wrong stays, to be mended, and what is wrong comes into view. */
function takeAnswer(field) {
  sent = null;
  if (now.said !== null) {
    if (field.id === "exported") refuse(now.said);
    else byId("said").scrollIntoView({ block: "nearest" });
  } else if (field.id === "typed") giveKeysBack(field);
  else if (field.id === "edited-fen") {
    if (editor.isOn) edit(false);
    giveKeysBack(field);
    sayLoaded("Position set up.");
  } else {
    const { nodes: { length: n }, matches, unread } = tree;
    if (unread === null) openText(false);
    else keepUnread(unread);
    const offered = matches.names.length;
    const place = matches.chosen === null ? "" : `Match ${matches.chosen + 1} of ${matches.n}${matches.n === offered ? "" : ` (the first ${offered} can be chosen)`}: `;
    const loaded = `${place}${n} ${n === 1 ? "move" : "moves"} loaded`;
    sayLoaded(n === 0 && place === "" ? "Position set up." : unread === null ? `${loaded}.` : `${loaded}, not all.`, unread !== null);
    showStart();
  }
}

/** The arrow keys step through the moves. */
function giveKeysBack(field) {
  field.value = "";
  field.blur();
}

/** Says what is new, with the way back to the tree before it. */
function sayLoaded(words, isWrong = false) {
  say(`${words} `, isWrong);
  if (0 < tree.n_earlier) byId("said").append(element("button", { type: "button", click: restore }, "Earlier tree"));
}

function restore() {
  visited.clear();
  act({ do: "restore" });
}

/** A text of which something was left out stays, to be mended. */
function keepUnread(unread) {
  isWaiting = unread !== null;
  sayOfText(unread?.why ?? "");
  if (isWaiting) byId("exported").value = unread.text;
}

/** Says why a text is not loaded: beside it, or, while the board is edited, where moves are refused. */
function refuse(text) {
  if (editor.isOn) return say(text, true);
  openText(true);
  sayOfText(text);
  byId("exported-said").scrollIntoView({ block: "nearest" });
}

/** Says what is wrong with the text to load, beside it. */
function sayOfText(text) {
  byId("exported-said").replaceChildren(...prose(text));
  byId("exported-said").hidden = text === "";
}

function showTree(other) {
  const old = tree?.current;
  if (tree?.current !== other.current) byId("typed").value = "";
  if (other.current === wanted) wanted = null;
  if (tree?.unread?.text !== other.unread?.text) keepUnread(other.unread);
  tree = other;
  review.isChess = tree.game_id.startsWith("chess");
  nodes = treeOf(tree);
  seen.set(wayTo(tree.current), Object.fromEntries(OF_POSITION.map((fact) => [fact, tree[fact]])));
  if (MOST_SEEN < seen.size) seen.delete(seen.keys().next().value);
  const node = nodes.get(tree.current);
  for (let at = node; at.parent !== null; at = at.parent) visited.set(at.parent.id, at.id);
  byId("name").textContent = `${tree.game}: ${inOneLine(tree.title)}`;
  document.title = `${tree.title} · Arena`;
  // The title of a match of the arena has the names.
  const names = tree.players?.join(" – ") ?? "";
  const played = tree.result === null ? names : `${names}, ${shownResult(tree.result)}`;
  const unread = tree.unread && `Not loaded whole: ${tree.unread.why}`;
  byId("played").replaceChildren(...[tree.title.includes(names) ? null : played, headingOf(tree.tags), tree.doubt, unread].filter(Boolean).map((fact) => element("span", { class: fact === unread ? "unread" : null }, ...prose(fact))));
  byId("played").hidden = byId("played").childElementCount === 0;
  showPosition(node.parent !== null && node.parent.id === old);
  showMoves();
  menu.refresh(nodes);
  showMatches(tree.matches);
  byId("restore").hidden = tree.n_earlier === 0;
  byId("restore").textContent = tree.n_earlier === 1 ? "Earlier tree" : `Earlier trees (${tree.n_earlier})`;
  byId("fen").value = tree.position.fen;
  byId("line").value = lineTo(node).map(({ words }) => words).join(" ");
  byId("command").value = tree.command;
  byId("notes").replaceChildren(...(tree.position.scene.n ?? []).map(([label, value]) => element("span", {}, `${label}: ${value}`)));
  byId("status").textContent = status(node);
  byId("type").hidden = tree.end !== null;
  const { board } = tree.position;
  showLegend({ board, positions: [{ squares: board.kinds.map((kind) => kind.letter), hands: [] }], replay: tree.position });
  offerRules(tree.game_id, tree.game, false);
  showGuide(tree.position.guide, board, tree.legal);
  document.body.dataset.node = String(tree.current);
  document.body.dataset.ply = String(node.ply);
}

/** The matches of the text that was loaded last, of which one can be chosen. */
function showMatches({ names, n, chosen }) {
  const [select, rows] = [byId("match-chosen"), JSON.stringify(names)];
  byId("match-label").hidden = names.length < 2;
  byId("n-matches").textContent = n;
  if (select.dataset.rows !== rows) select.replaceChildren(...names.map((name, idx) => element("option", { value: idx }, `${idx + 1}. ${name}`)));
  select.dataset.rows = rows;
  select.querySelector(".later-one")?.remove();
  // One behind those that can be chosen was named when the arena was started.
  if (names.length <= chosen) select.append(element("option", { class: "later-one", value: chosen }, `${chosen + 1}. ${inOneLine(tree.title)}`));
  select.title = names.length < n ? `The first ${names.length} can be chosen here` : "";
  select.value = chosen ?? "";
}

/** Shows the moves again, a little later while an engine evaluates them: of a long match, that is work for the page. */
function showMovesSoon() {
  if (now.review === null) showMoves();
  else redrawing ??= setTimeout(showMoves, REDRAW_MS);
}

/** The moves with what is known of them. */
function showMoves() {
  clearTimeout(redrawing);
  redrawing = null;
  drawTree(byId("tree"), nodes.get(0), tree.current, tree.result === null || !tree.is_main_line_of_match ? null : shownResult(tree.result), go, (node) => review.signsOf(node, tree.position.board));
  showChart(nodes.get(tree.current));
  if (document.activeElement !== byId("exported")) showText();
}

function showText() {
  if (isWaiting || sent?.id === "exported") return;
  byId("exported").value = textOf(nodes.get(0), tree, review);
}

/** The line of the faults: the main line, unless nothing is known of it, or the user had a branch evaluated. */
function listedLine(node) {
  const [own, main] = [shownLine(node), mainLine()];
  const isKnown = main.some((one) => (one.score ?? null) !== null || review.found[one.id] !== undefined);
  return !isKnown || own.some(({ id }) => id === evaluatedEnd) ? own : main;
}

/** What the engines of a recorded match thought along a line, and what the engine thinks that evaluated it. */
function showChart(node) {
  const listed = listedLine(node);
  const claimed = ({ score, side }) => (score === null ? null : winProbability(score, side));
  const moves = listed.slice(1);
  const replay = { sides: moves.map(({ side }) => side), moves: moves.map(({ words }) => words) };
  const evaluation = (one) => {
    const score = review.isWhole ? review.scoreOf(one) : undefined;
    return score === undefined ? null : chanceOf(score);
  };
  const own = shownLine(node);
  const isKnown = own.some((one) => claimed(one) !== null || evaluation(one) !== null);
  // The graph has the shown position, also in a branch; of one in which nothing is known, it stays what it was.
  const line = listed.includes(node) || !isKnown ? listed : own;
  const isEvaluated = review.showFaults(moves, line === listed ? "E" : "Main line, e");
  byId("swings").querySelector("h3").textContent = `Largest changes of the evaluation${line === listed ? "" : " in the main line"}`;
  showSwings({ replay, probabilities: isEvaluated ? [] : moves.map(claimed), numbers: moves.map(({ number }) => number) }, (ply) => go(listed[ply].id));
  const known = line.map(claimed);
  const evaluated = line.map(evaluation);
  const names = [...new Set(line.filter((_, idx) => evaluated[idx] !== null).map((one) => review.nameAt(one)))];
  chart?.remove();
  chart = null;
  if ([...known, ...evaluated].every((value) => value === null)) return;
  const claims = ["w", "b"].map((side) => ({ label: `${playerOf(side)} in the match`, values: known.map((value, idx) => (line[idx].side === side ? value : null)), colour: `claimed ${colourOf(playerOf(side), `side-${side}`)}` }));
  const evaluations = names.map((name) => ({ label: `evaluation by ${name}`, values: evaluated.map((value, idx) => (review.nameAt(line[idx]) === name ? value : null)), colour: `evaluated ${colourOf(name)}`, hasGaps: true }));
  const series = [...claims, ...evaluations].filter(({ values }) => values.some((value) => value !== null));
  const faults = line.map((one, idx) => ({ idx, value: evaluated[idx], fault: review.faultOf(one) })).filter(({ fault }) => fault !== null);
  const marked = faults.map(({ idx, value, fault }) => ({ idx, value, colour: fault.name, label: `${line[idx].number} ${line[idx].words}${fault.sign}` }));
  const show = (value) => percent(value, 0);
  chart = addChart(byId("chart"), { title: "Win probability of White", x: line.map(({ ply }) => ply), numbers: line.slice(1).map(({ number, words }) => `${number} ${words}`), series, marked, height: 100, range: [0, 1], steps: [0.5], line: 0.5, show, tick: show, pick: (idx) => go(line[idx].id) });
  if (line.includes(node)) chart.mark(node.ply);
}

/** The colour of an engine on the page, or another one. */
function colourOf(name, other = "") {
  const place = now.engines.findIndex((engine) => engine.name === name);
  return place < 0 ? other : `best-${place}`;
}

/** A title whose result is not broken. */
const inOneLine = (title) => title.replace(/(1|0|1\/2)-(1|0|1\/2)$/, (result) => shownResult(result).split("").join("\u2060"));
const shownResult = (result) => result.replaceAll("1/2", "½").replace("-", "–");
/** What the clock of a side shows at a node, by the commands of comments; empty if they do not say it. */
const clockOf = (side, node) => {
  const told = node.side === side ? /\[%clk ([\d:.]+)\]/.exec(node.commands) : null;
  return told?.[1] ?? (node.parent === null ? "" : clockOf(side, node.parent));
};
const playerOf = (side) => tree.players?.["wb".indexOf(side)] ?? SIDES[side];

function status(node) {
  const start = tree.start === tree.usual_start ? "Start position" : tree.players === null ? "Set-up position" : "Opening of the match";
  const place = node.ply === 0 ? start : `After ${node.number} ${node.words}`;
  if (tree.ended !== null) return `${place}. ${tree.ended}`;
  if (tree.end === null) return `${place}. ${SIDES[tree.to_move]} to move${tree.position.scene.c === undefined ? "" : ", in check"}.`;
  return `${place}. ${tree.end.sentence}`;
}

/** The text of each square of a scene. */
function squaresOf(scene) {
  const texts = tree.position.board.squares.map(() => "");
  for (const [place, text] of scene?.s ?? []) texts[place] = text;
  return texts;
}

/** Draws the shown position. */
function showPosition(slides = false) {
  const { position, legal } = tree;
  const { board } = position;
  const node = nodes.get(tree.current);
  squares = squaresOf(position.scene);
  if (editor.isOn) squares = [...editor.squares];
  drawing = new BoardDrawing(board, editor.isOn ? editor.heights.join("") : position.heights, isFlipped);
  const { width, height } = drawing.svg.viewBox.baseVal;
  document.body.style.setProperty("--ratio", height / width);
  const places = (names) => names.map((name) => board.squares.findIndex((square) => square.name === name)).filter((place) => 0 <= place);
  const named = (one) => placesOf(one.move ?? "", board);
  const earlier = [];
  for (let one = node.parent; one !== null && one.side === node.side; one = one.parent) earlier.unshift(named(one));
  drawing.show({
    slides: slides && !input.takesDropped(),
    squares,
    named: editor.isOn ? [] : named(node),
    earlier: editor.isOn ? [] : earlier,
    check: editor.isOn ? null : position.scene.c,
    changes: node.ply === 0 || editor.isOn ? [] : changesOf(squaresOf(tree.before), squares, places(position.touched), board),
    shifts: node.ply === 0 || editor.isOn ? [] : position.scene.p,
    won: editor.isOn ? [] : places(tree.won),
    label: `Position after ${node.ply} plies: ${position.fen}`,
  });
  byId("board").replaceChildren(drawing.svg);
  const { effects, names, into_check: intoCheck } = tree;
  input.show(drawing, squares, editor.isOn ? [] : legal, null, { effects, names, intoCheck, guide: position.guide, remarks: editor.isOn ? [] : position.remarks, question: { game: tree.game_id, fen: position.fen } });
  marks.show(drawing, tree.current, editor.isOn ? null : node.marks);
  const [top, bottom] = isFlipped ? [0, 1] : [1, 0];
  for (const [id, side] of [["top", top], ["bottom", bottom]]) {
    const letter = ["w", "b"][side];
    const isNext = tree.end === null && tree.to_move === letter;
    byId(id).replaceChildren(
      element("span", { class: `side-sign of-${letter}${isNext ? " to-move" : ""}`, "aria-hidden": "true" }),
      element("span", { class: "who" }, nameOf(playerOf(letter))),
      ...handOf((position.scene.h ?? ["", ""])[side], board),
      element("span", { class: "clock" }, editor.isOn ? "" : clockOf(letter, node)),
    );
  }
}

function showEngines() {
  byId("no-engines").hidden = 0 < now.engines.length + now.others.length;
  byId("no-review").hidden = 0 < now.engines.length;
  [...byId("no-review").children].forEach((words, idx) => (words.hidden = (0 < now.others.length) !== (idx === 0)));
  byId("with-engine").textContent = `arena analyse ${/[^\w./-]/.test(now.file ?? "") ? `"${now.file}"` : (now.file ?? tree.game_id)} --engine ${tree.game_id.startsWith("chess") ? "stockfish" : "./my-engine"}`;
  showOthers(now.others);
  const select = byId("lines");
  if (select.childElementCount === 0) select.append(...Array.from({ length: now.most_lines }, (_, idx) => element("option", { value: idx + 1 }, idx === 0 ? "1 line" : `${idx + 1} lines`)));
  if (select !== document.activeElement) select.value = String(now.n_lines);
  select.hidden = byId("depth").hidden = now.engines.length === 0;
  if (byId("depth") !== document.activeElement) byId("depth").value = String(now.depth ?? "");
  // What is evaluated has one line: the buttons below keep their places.
  const box = byId("engines");
  if (now.review === null) box.style.minHeight = "";
  else if (box.style.minHeight === "") box.style.minHeight = `${box.offsetHeight}px`;
  review.showState(now.engines, now.review, 0 < nodes.get(0).children.length);
  engines.show(now.engines, now.n_lines, nodes.get(tree.current), tree.position.board);
  showArrows();
  // What is known stands there until an engine searches.
  const node = nodes.get(tree.current);
  const { score: stored, side } = node;
  const { board } = tree.position;
  const evaluated = review.scoreOf(node);
  const speaks = ({ found }) => found?.lines[0]?.score != null;
  // The lines of a stopped engine give way to what another one says in the graph.
  const speaker = now.engines.find((one) => speaks(one) && (one.is_on || evaluated === undefined || one.name === review.nameAt(node)));
  const best = speaker?.found.lines[0].score ?? null;
  const result = { w: 1, b: 0 }[tree.end?.winner] ?? 0.5;
  let [white, words] = [null, "No evaluation yet"];
  if (editor.isOn) words = "";
  else if (tree.end !== null) [white, words] = [result, tree.end.sentence];
  else if (best !== null) [white, words] = [chanceOf(best), `${whoIsAhead(best, "w", board)}, says ${speaker.name}`];
  else if (evaluated !== undefined) [white, words] = [chanceOf(evaluated), `${whoIsAhead(evaluated, "w", board)}, says ${review.nameAt(node)}`];
  else if (stored !== null) [white, words] = [winProbability(stored, side), `${whoIsAhead(stored, side, board)}, said ${playerOf(side)} in the match`];
  showGauge(byId("gauge"), white, isFlipped, words || "No evaluation while the board is edited");
  const facts = tree.end !== null || words === "" ? [] : [words];
  const fault = editor.isOn ? null : review.faultOf(node);
  if (fault !== null) facts.push(review.wordsOf(fault));
  // On a phone, the bar is enough; the words of a fault have it.
  const chance = tree.end === null && white !== null && fault === null ? [element("span", { class: "chance" }, `Win probability of White: ${percent(white, 0)}`)] : [];
  // On a phone, the list with its comments is far from the board.
  const comment = node.comment === "" || editor.isOn ? [] : [element("span", { class: "comment" }, node.comment)];
  byId("bar-words").replaceChildren(...facts.map((fact) => element("span", {}, fact)), ...chance, ...comment);
}

/** The engines that can be added. */
function showOthers(others) {
  byId("adding").hidden = others.length === 0;
  const [select, rows] = [byId("to-add"), JSON.stringify(others)];
  if (select.dataset.rows === rows) return;
  select.dataset.rows = rows;
  select.replaceChildren(...others.map(([id, name]) => element("option", { value: id }, name)));
}

/** Shows moves of a line on the board, the last one strongest, and the position after them beside the button of the last one. */
function preview(moves, button) {
  if (moves.length === 0) small.hide();
  else small.show(tree.current, moves, button);
  drawing.over.querySelectorAll(".previewed").forEach((one) => one.remove());
  moves.forEach((move, idx) => drawing.over.append(arrow(drawing, placesOf(move, drawing.board), `previewed${idx + 1 === moves.length ? " last" : ""}`, move)));
}

/** The best moves of the engines on the board, each one once, in the colours of all engines that prefer it. */
function showArrows() {
  drawing.over.querySelectorAll(".arrow:not(.previewed, .drawn)").forEach((one) => one.remove());
  if (editor.isOn) return;
  const all = now.engines.map(({ name, found }, idx) => ({ name, best: found?.lines[0], type: `best-${idx}` })).filter(({ best }) => best !== undefined);
  const byMove = Map.groupBy(all, ({ best }) => best.moves[0]);
  for (const [move, agreeing] of byMove) {
    const words = `${agreeing.map(({ name }) => name).join(", ")}: ${agreeing[0].best.words[0]}`;
    agreeing.forEach(({ type }, idx) => {
      const arrows = input.arrowsOf(move, type, words);
      if (0 < idx) arrows.forEach((one) => stripe(one, idx, agreeing.length));
      drawing.over.append(...arrows);
    });
  }
}
