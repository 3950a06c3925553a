// Runs when the page of a tournament is opened: follows the stream and shows it.

import { sayUnknown } from "./address.js";
import { attempt, byId, drawn, element, prose } from "./dom.js";
import { count } from "./format.js";
import { offerKeys } from "./keys.js";
import { LargeBoard, SmallBoards } from "./live-board.js";
import { addResults, addSentences, clearLists, countedMatches, showFaults } from "./live-lists.js";
import { LiveMatch } from "./live-match.js";
import { showProgressOfVerdict, showStandings } from "./live-standings.js";
import { paced } from "./pace.js";
import { follow, hasEnded, isCut } from "./stream.js";
import { startTheme } from "./theme.js";
import { offerTips } from "./tips.js";

const STATES = { running: "live", stopping: "stopping", ended: "ended", stopped: "stopped", playing: "being played", watching: "results" };
/** Whether the page shows matches while they are played: where the arena is started again, it may do so or not. */
const isFed = () => "fed" in document.body.dataset;
/** The number of folders whose matches are shown together. */
const N_FOLDERS = Number(document.body.dataset.folders);
const IS_PHONE = matchMedia("(max-width: 700px)");
/** There is no room for what is not asked for. */
const IS_SMALL = matchMedia("(max-width: 700px), (max-height: 800px)");
/** From this width on, the figures of a test have their place beside the board. */
const IS_WIDE = matchMedia("(min-width: 1250px)");
IS_PHONE.addEventListener("change", placeResult);
IS_WIDE.addEventListener("change", ({ matches }) => matches && byId("stops").querySelectorAll("details").forEach((figures) => figures.setAttribute("open", "")));
addEventListener("resize", () => (document.querySelector(".page-title").style.minHeight = ""));
const matches = new Map();
let boards = [];
/** The number of the match that the viewer chose; `null` to show any. */
let chosen = numberInAddress();
let focused;
/** The number in the address of which there is no match, at least not yet. */
let missing = null;
/** When the large board began with its match, and when to look for another one after it. */
let [focusedAt, holding] = [0, null];
/** How long the end of a match stays on the large board: a quarter of the time that it was there, but no longer than this, in milliseconds. */
const MOST_HELD_MS = 3000;
/** The game or the engine whose matches are shown, after a sign of which it is; empty for all. */
let wanted = followedInAddress();
/** For each game and engine, after the same signs, and for all, the match of it that ended last. */
const lastOf = new Map();
/** The matches that ended last, where none is played any more. */
let ended = [];
/** What was told since the last drawing. */
let fresh = {};
const wantDrawing = paced(() => {
  const news = fresh;
  fresh = {};
  show(news);
});

attempt(startTheme);
attempt(offerTips);
offerKeys();
const large = new LargeBoard(() => {
  if (chosen !== null) history.replaceState(null, "", addressOf(wanted));
  chosen = null;
  showMatches();
  placeResult();
});
const small = new SmallBoards(byId("boards"), (match) => {
  if (match.isOver) {
    // It ended a moment ago: its last position leads to its replay.
    [chosen, focused] = [match.id, match];
    showMatches();
  } else location.hash = `match=${match.id}`;
  // On a phone, the large board is far above.
  if (IS_PHONE.matches) byId("focus").scrollIntoView();
});
byId("wanted").addEventListener("change", () => {
  setWanted(byId("wanted").value);
  chosen = null;
  // A choice leaves a match that is over, also where somebody steps through it.
  if (focused?.isOver) large.ply = null;
  small.clear();
  attempt(showMatches);
});
byId("follow-all").addEventListener("click", () => {
  byId("wanted").value = "";
  byId("wanted").dispatchEvent(new Event("change"));
});
addEventListener("hashchange", () => {
  chosen = numberInAddress();
  if (chosen === null) wanted = followedInAddress();
  focused = undefined;
  showMatches();
  openEnded();
});
byId("find").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [field, address] = [byId("find-id"), `match/${encodeURIComponent(byId("find-id").value.trim())}`];
  const answer = await headOf(address);
  field.setCustomValidity(answer?.status === 404 ? "No match with this number has ended." : "");
  if (field.reportValidity()) open(address);
});
byId("find-id").addEventListener("input", () => byId("find-id").setCustomValidity(""));
// Where the arena does not answer, a link to it would only lose the page.
addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!isCut() || link === null || link.getAttribute("href").startsWith("#")) return;
  event.preventDefault();
  leadOn(link.getAttribute("href"));
});
for (const one of document.querySelectorAll(".host")) one.textContent = location.host.replace("localhost", "127.0.0.1");
follow("events", {
  snapshot(all) {
    fresh = {};
    document.body.toggleAttribute("data-fed", all.progress.is_fed);
    [boards, ended] = [[], []];
    matches.clear();
    lastOf.clear();
    clearLists();
    small.clear();
    hear(all);
    goOn();
    show(all);
    openEnded();
  },
  frame(news) {
    hear(news);
    const [finished, faults, said] = ["finished", "faults", "said"].map((list) => [...(fresh[list] ?? []), ...(news[list] ?? [])]);
    fresh = { ...fresh, ...news, finished, faults, said };
    wantDrawing();
  },
});

/** Whether a page is there, without its content; `null` if the arena does not answer. */
const headOf = async (address) => (isCut() ? null : fetch(address, { method: "HEAD" }).catch(() => null));

/** An address that names a match which has ended leads to its replay. */
async function openEnded() {
  if (chosen === null || matches.has(chosen) || focused?.id === chosen) return;
  const [asked, address] = [chosen, `match/${chosen}`];
  const answer = await headOf(address);
  if (chosen !== asked) return;
  const isOver = ["ended", "stopped"].includes(document.body.dataset.state);
  // The page without a match says which numbers there are.
  if (answer?.ok || (isOver && answer?.status === 404)) location.replace(address);
  else if (answer?.status === 404) {
    missing = asked;
    showMatches();
  }
}

/** After a snapshot, keeps what is shown of a match if the arena goes on with it, or if the viewer studies it. */
function goOn() {
  if (focused === undefined) return;
  focused.isAlone = !isFed();
  const now = matches.get(focused.id);
  if (focused.goesOnAs(now)) {
    focused = now;
    large.goOnWith(now);
  } else if (large.ply === null) {
    focused = now;
    if (now !== undefined) now.isAgain = true;
  } else if (!focused.isOver) {
    // It may have ended since then, also after it was played again from its start.
    [focused.isOver, focused.isCutOff, focused.result] = [true, true, null];
  }
}

function open(address) {
  if (isCut()) leadOn(address);
  else location.href = address;
}

/** Leads to what can be done where the arena does not answer, instead of to an address. */
function leadOn(address) {
  if (hasEnded()) {
    showEnd(address);
  } else {
    byId("lost").open = true;
    byId("lost").querySelector("summary").focus();
  }
}

/** Leads to what can be done after the end, instead of to an address. */
function showEnd(address) {
  const [, match] = /^match\/([^#]+)/.exec(address) ?? [];
  for (const one of document.querySelectorAll(".wanted-match")) one.textContent = match === undefined ? "the matches" : `match ${match}`;
  const box = byId(isResultShown() ? "over" : "ended");
  (box.querySelector("details") ?? box).open = true;
  box.scrollIntoView({ block: "center" });
  box.focus();
}

function numberInAddress() {
  const found = /^#match=(\d+)$/.exec(location.hash);
  return found === null ? null : Number(found[1]);
}

const addressOf = (followed) => (followed === "" ? location.pathname + location.search : `#follow=${encodeURIComponent(followed)}`);

function followedInAddress() {
  const found = /^#follow=(.+)$/.exec(location.hash);
  try {
    return found === null ? "" : decodeURIComponent(found[1]);
  } catch {
    return found[1];
  }
}

/** Whether a game or an engine that is followed is one of those that there are. */
const isKnown = (one) => [...byId("wanted").options].some(({ value }) => value === one);

/** Takes in what happened in the matches. */
function hear({ progress, boards: others = [], begun = [], moved = [], thoughts = [], over = [], finished = [], last = [] }) {
  boards.push(...others);
  for (const change of moved) matches.get(change.match)?.hear(change);
  for (const thought of thoughts) matches.get(thought.match)?.think(thought);
  // A match that begins again has another number of moves, so it is removed first.
  for (const number of over) {
    const match = matches.get(number);
    if (match !== undefined) {
      match.isOver = true;
      match.overAt = performance.now();
      // What an end in the middle of a match leaves is no result.
      match.isStopped = progress?.state === "stopped" && finished.every(({ id }) => id !== String(number));
      for (const key of keysOf(match)) lastOf.set(key, match);
    }
    matches.delete(number);
  }
  for (const one of finished) {
    for (const match of [focused, ...lastOf.values()]) if (match?.id === Number(one.id)) match.end(one);
  }
  for (const one of begun) {
    const before = matches.get(one.id);
    const match = new LiveMatch(one, boards[one.board]);
    if (before !== undefined) [before.isOver, before.isStopped, match.isAgain] = [true, true, true];
    if (before !== undefined && before === focused && large.ply === null) focused = match;
    matches.set(one.id, match);
  }
  if (last.length !== 0) ended = last.map(hearLast);
}

/** One of the matches that ended last, where nobody tells of those that are being played. */
function hearLast({ finished, moves }) {
  // What was seen stays: somebody may study it.
  const seen = [focused, ...lastOf.values()].find((one) => String(one?.id) === finished.id && one.ply === moves.ply && !one.isCutOff);
  const match = seen ?? new LiveMatch({ ...moves, id: finished.id }, boards[moves.board]);
  [match.isOver, match.isAlone] = [true, !isFed()];
  match.end(finished);
  for (const key of keysOf(match)) lastOf.set(key, match);
  return match;
}

/** What may be followed with a match. */
const keysOf = (match) => ["", `g${match.game}`, ...match.names.map((name) => `e${name}`)];

function show({ progress, standings, rounds, finished = [], faults = [], said = [] }) {
  // Then there is nothing to follow any more, and the choice is not shown.
  if (["ended", "stopped"].includes(progress?.state) && wanted !== "" && isKnown(wanted)) setWanted("");
  if (standings !== undefined) {
    const [overall, ...games] = standings.scopes;
    // A game under several limits is followed by its own name.
    const plain = games.filter(({ name }) => !name.includes("@"));
    offerToFollow(plain.map(({ title }) => title), overall?.pools.flatMap(({ rows }) => rows.map(({ engine }) => engine)) ?? []);
  }
  // By then, it is known what there is to follow.
  attempt(showMatches);
  if (progress !== undefined) attempt(() => showProgress(progress));
  if (standings !== undefined) attempt(() => showStandings(standings));
  attempt(sayUnknown);
  if (rounds !== undefined) attempt(() => showRounds(rounds));
  attempt(() => addResults(finished));
  attempt(() => showFaults(faults));
  attempt(() => addSentences(said));
}

/** Follows a game or an engine. Whoever opens the address follows the same. */
function setWanted(one) {
  wanted = one;
  byId("wanted").value = one;
  if (numberInAddress() === null || chosen === null) history.replaceState(null, "", addressOf(one));
}

/** Whether a match is of the game or the engine that is followed. */
function isWanted(match) {
  const [kind, name] = [wanted.slice(0, 1), wanted.slice(1)];
  return wanted === "" || !isKnown(wanted) || (kind === "g" ? match.game === name : match.names.includes(name));
}

/** Lists the games and the engines that were seen. What is there stays, so that an open list does not change under the hand. */
function offerToFollow(games, engines) {
  const add = (box, kind, names) => {
    const known = new Set([...box.children].map((option) => option.value));
    box.append(...[...new Set(names)].filter((name) => !known.has(kind + name)).map((name) => element("option", { value: kind + name }, name)));
    box.hidden = box.childElementCount === 0;
  };
  add(byId("wanted-games"), "g", games);
  add(byId("wanted-engines"), "e", engines);
  // What the address follows may be offered only now.
  if (byId("wanted").value !== wanted && isKnown(wanted)) byId("wanted").value = wanted;
}

function showMatches() {
  offerToFollow([...matches.values()].map(({ game }) => game), [...matches.values()].flatMap(({ names }) => names));
  const shown = new Map([...matches].filter(([, match]) => isWanted(match)));
  byId("follow").hidden = matches.size === 0 && focused === undefined;
  const before = focused;
  const held = focused?.overAt === undefined ? 0 : focused.overAt + Math.min(MOST_HELD_MS, (focused.overAt - focusedAt) / 4) - performance.now();
  clearTimeout(holding);
  if (chosen !== null && matches.has(chosen)) {
    focused = matches.get(chosen);
  } else if (0 < held && chosen === null && isWanted(focused)) {
    holding = setTimeout(() => attempt(showMatches), held);
  } else if (focused === undefined || (chosen === null && (!isWanted(focused) || (focused.isOver && large.ply === null)))) {
    // The last board stays until there is another match to follow; without one, any match is shown, so that there is a choice.
    focused = shown.values().next().value ?? lastOf.get(wanted) ?? focused ?? matches.values().next().value;
  }
  if (focused !== before) focusedAt = performance.now();
  large.show(focused);
  showNoMatch(shown.size);
  small.show(shown, focused?.id, ended.filter(isWanted));
}

/** Says that none of the matches that are being played is followed, and what is shown instead. */
function showNoMatch(n_shown) {
  const isElsewhere = n_shown === 0 && 0 < matches.size;
  byId("follow-all").hidden = !isElsewhere;
  byId("no-match").hidden = focused !== undefined || isElsewhere;
  const instead = () => (isWanted(focused) ? `Its last one, match ${focused.id}, is shown` : `Match ${focused.id}, of ${focused.game}, is shown meanwhile`);
  const said = () => {
    if (chosen !== null && chosen === missing && focused !== undefined) return `There is no match ${missing}${isFed() ? " yet" : ""}: match ${focused.id} is shown.`;
    if (!isKnown(wanted)) return `The address follows \u201c${wanted}\u201d, which is no engine or game here: all matches are shown.`;
    return isElsewhere ? `No match of ${wanted.slice(1)} is being played now; waiting for the next one. ${instead()}.` : "";
  };
  byId("elsewhere").textContent = said();
}

function showProgress(progress) {
  showFacts(progress);
  showStops(progress.stops);
  showProgressOfVerdict(progress);
  showOver(progress);
}

/** After the end, the result stands beside the last match, unless somebody still studies that one. */
const isResultShown = () => document.body.dataset.state === "ended" && large.ply === null;

/** The result of a tournament that has ended, and what there is to do with it. */
function showOver({ reports }) {
  placeResult();
  const linkTo = ({ address, folder }) => [element("a", { href: address }, N_FOLDERS === 1 ? "Report" : `Report of ${folder}`), " "];
  // The scripts of a report of another version would not run here. Of several folders, the page of each one says so.
  const again = ({ folder }) => (N_FOLDERS === 1 ? ["No report of this version: ", element("code", {}, `arena report ${folder}`), " writes one. "] : []);
  byId("reports").replaceChildren(...reports.flatMap((one) => (one.address === null ? again(one) : linkTo(one))));
}

function placeResult() {
  byId("over").hidden = !isResultShown();
  byId("now").hidden = document.body.dataset.state === "ended" && !isFed() && focused === undefined;
  // Without a board, it is above the tables; on a phone, above the board.
  const next = byId("focus").hidden ? byId("now") : IS_PHONE.matches ? document.querySelector("#focus > .stage") : byId("beside");
  if (byId("over").nextElementSibling !== next) next.before(byId("over"));
}

/** How many matches there are. The most that a test may need are no goal. */
function countOf({ n_finished: n, n_matches: all, stops, is_decided: isDecided, state }) {
  if (all === null) return countedMatches(n);
  const most = `${count(n)} of ${0 < stops.length ? "at most " : ""}${count(all)} matches`;
  if (isDecided) return `decided after ${countedMatches(n)}`;
  if (state === "stopped") return `stopped after ${most}`;
  return areTests(stops) && state !== "ended" ? `${countedMatches(n)}, at most ${count(all)}` : most;
}

const areTests = (stops) => 0 < stops.length && stops.every((stop) => stop.is_test);

function showFacts(progress) {
  const { name, n_finished: n, n_matches: all, n_running: running, left, speed, state, workers, stops, is_decided: isDecided } = progress;
  byId("name").textContent = name;
  document.title = `${name} · Arena`;
  document.body.dataset.state = state;
  byId("state").textContent = 1 < N_FOLDERS ? `${N_FOLDERS} folders` : STATES[state];
  byId("state").className = `badge is-${state}`;
  const title = isFed() && !["ended", "stopped"].includes(state) ? "Matches that are being played" : "A match that has ended";
  byId("now-title").textContent = title;
  const isStopped = state === "stopped" && N_FOLDERS === 1;
  byId("stopped").hidden = !isStopped;
  if (isStopped) byId("stopped").querySelector("span").textContent = countOf({ ...progress, state: "ended" });
  const facts = isStopped ? [] : [countOf(progress)];
  const isRunning = ["running", "playing"].includes(state) && !isDecided;
  if (0 < running || (isRunning && isFed())) facts.push(`${running} being played`);
  if (state === "playing") facts.push("finished ones only");
  if (byId("facts").dataset.limits !== undefined) facts.push(byId("facts").dataset.limits);
  // What is not known yet has its place. A test ends long before the most matches that it may need.
  const later = (text) => (isRunning ? [element("span", { class: "later" }, text)] : []);
  facts.push(...(speed === null ? later("30 a minute") : [speed]));
  const how = isFed() ? "From the length of the matches of each game: where the games that are left take longer or shorter, it does not follow from the speed so far." : "From the speed at which matches were seen to end.";
  // Rules may end it earlier.
  const most = 0 < stops.length && !left?.startsWith("at most") ? "at most " : "";
  const time = () => element("abbr", { title: how }, `${most}${left} left`);
  if (all !== null && !isDecided && !areTests(stops)) facts.push(...(left === null ? later("10 to 30 min left") : [time()]));
  for (const worker of workers) facts.push(`${worker.name}: ${worker.n_playing} being played, ${worker.n_matches} finished${worker.is_lost ? ", lost" : ""}`);
  byId("facts").replaceChildren(...facts.map((fact) => element("span", {}, fact)));
  // What was a line longer keeps its room, so that nothing below moves.
  const head = document.querySelector(".page-title");
  if (isRunning) head.style.minHeight = `${head.offsetHeight}px`;
  byId("find-id").max = all ?? "";
  byId("bar").hidden = all === null;
  byId("bar").max = Math.max(1, all ?? 1);
  byId("bar").value = isDecided ? byId("bar").max : Math.min(n, all ?? 1);
}

/** What the stop rules have found. The verdict of a test stands for that of the standings. */
function showStops(stops) {
  document.body.classList.toggle("has-test", areTests(stops));
  // Without a verdict, the card of the end has nothing else. On a phone, it stands above the board.
  if (areTests(stops) && !IS_SMALL.matches) byId("over").querySelector("details")?.setAttribute("open", "");
  byId("stops").hidden = stops.length === 0;
  // The charts have their room before they are there, so that the board below them stays where it is.
  const n_tests = stops.filter((stop) => stop.is_test).length;
  byId("tests").hidden = n_tests === 0;
  byId("tests").style.minHeight = `${8 * n_tests}rem`;
  // What is the same stays, so that a tip is not lost.
  const key = JSON.stringify(stops);
  if (byId("stops").dataset.key === key) return;
  byId("stops").dataset.key = key;
  // In a small window, the board comes before the figures, until they are wanted.
  const before = [...byId("stops").querySelectorAll("details")].map((one) => one.open);
  byId("stops").replaceChildren(...stops.map((stop, idx) => stopOf(stop, IS_WIDE.matches || before[idx])));
}

function stopOf({ answer, remark, bar, place, details }, isOpen) {
  const scale = ([start, length]) =>
    element(
      "p",
      { class: "llr" },
      "H0 ",
      drawn("svg", { class: "scale", role: "img", "aria-label": "Log likelihood ratio" }, drawn("rect", { class: "of-llr", x: `${start}%`, width: `${length}%`, height: "100%" }), drawn("line", { class: "grid zero", x1: "50%", x2: "50%", y1: "0", y2: "100%" })),
      " H1",
      element("span", {}, place),
    );
  const figure = (line) => {
    const [, before, pairs, after] = /^(.* pairs: )(.* WW)(.*)$/.exec(line) ?? [];
    if (pairs === undefined) return prose(line);
    return [before, element("abbr", { title: "Pairs of matches by their two results: L is a loss, D a draw, W a win" }, pairs), ...prose(after)];
  };
  const lines = details.map((line) => element("li", {}, element("bdi", {}, figure(line))));
  return element("div", { class: "stop" }, element("p", {}, element("b", {}, prose(answer)), remark === null ? null : element("bdi", { class: "remarks" }, prose(remark))), bar === null ? null : scale(bar), element("details", { class: "figures", open: isOpen ? "" : null }, element("summary", {}, "Figures"), element("ul", { class: "notes" }, lines)));
}

/** The tables of a tournament with rounds. What is open stays open. */
function showRounds(tables) {
  const before = [...byId("rounds-body").querySelectorAll("details")].map((one) => one.open);
  const tableOf = ({ title, columns, rows }, idx) => {
    const classOf = (column) => (column.is_number ? "number" : null);
    const head = columns.map((column) => element("th", { scope: "col", class: classOf(column) }, column.name));
    const body = rows.map((row) => element("tr", {}, row.map((cell, place) => element("td", { class: classOf(columns[place]) }, element("bdi", {}, cell)))));
    const table = element("table", { class: "standings" }, element("caption", { class: "unseen" }, title), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body));
    const isOpen = before[idx] ?? idx === 0;
    return element("details", { class: "folded", open: isOpen ? "" : null }, element("summary", {}, element("bdi", {}, title)), element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": title }, table));
  };
  byId("rounds").hidden = false;
  byId("rounds-body").replaceChildren(...tables.map(tableOf));
}
