// The latest results, or those that the reader asked for, and what went wrong.

import { byId, element, keepOneStop, nameOf, prose, walkList } from "./dom.js";
import { RESULTS, count } from "./format.js";

const MOST = 100;
/** The number of results beside the board. */
const MOST_RECENT = 20;
/** The time between two looks for new matches of those that were asked for, in milliseconds. */
const LOOK_MS = 1000;
const ASKED = ["engine", "opponent", "game"];

/** A choice in the address, so that whoever opens it sees the same; empty without one. */
export const chosenInAddress = (name) => new URLSearchParams(location.search).get(name) ?? "";
export function chooseInAddress(name, value) {
  const url = new URL(location.href);
  if (value === "") url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  history.replaceState(null, "", url);
}

/** The latest results of all matches, the newest one last. */
let latest = [];
/** What was asked for when the list was shown last; empty for all matches. */
let listed = {};
/** The timer of the next look. */
let nextLook = null;

for (const name of ASKED) byId(`of-${name}`).addEventListener("change", list);
byId("of-all").addEventListener("click", () => ask({}));
for (const id of ["recent", "results-body", "faults"]) byId(id).addEventListener("keydown", (event) => walkList(event, linksOf(event.target.closest("ul, tbody")), "ArrowUp", "ArrowDown"));

/** Forgets everything, before a snapshot. */
export function clearLists() {
  latest = [];
  byId("recent").querySelector("ul").replaceChildren();
  show();
  byId("log-body").replaceChildren();
  byId("faults").replaceChildren();
  byId("no-log").hidden = false;
  byId("log-more").hidden = true;
}

/** Offers the engines and the games whose matches can be asked for. What is there stays, so that an open list does not change under the hand. */
export function offerToList(engines, games) {
  const add = (id, options) => {
    const known = new Set([...byId(id).options].map(({ value }) => value));
    byId(id).append(...options.filter(([value]) => !known.has(value)).map(([value, text]) => element("option", { value }, text)));
  };
  add("of-engine", engines.map((name) => [name, name]));
  add("of-opponent", engines.map((name) => [name, name]));
  add("of-game", games);
  byId("of-game").closest("label").hidden = games.length < 2;
  // What the address asks for may be offered only now.
  const late = ASKED.filter((name) => byId(`of-${name}`).value !== chosenInAddress(name) && [...byId(`of-${name}`).options].some(({ value }) => value === chosenInAddress(name)));
  for (const name of late) byId(`of-${name}`).value = chosenInAddress(name);
  if (0 < late.length) show();
}

/** Lists the matches of an engine, against an opponent, in a game; what is left out may be any. */
export function ask(wanted) {
  for (const name of ASKED) byId(`of-${name}`).value = wanted[name] ?? "";
  list();
}

/** Lists what is asked for. */
function list() {
  for (const name of ASKED) chooseInAddress(name, byId(`of-${name}`).value);
  show();
}

export const countedMatches = (n) => `${count(n)} ${n === 1 ? "match" : "matches"}`;

/** What is asked for; empty for all matches. */
function asked() {
  return Object.fromEntries(ASKED.map((name) => [name, byId(`of-${name}`).value]).filter(([, value]) => value !== ""));
}

export function addResults(fresh) {
  if (fresh.length === 0) return;
  latest = [...latest, ...fresh].slice(-MOST);
  showRecent(fresh);
  if (Object.keys(asked()).length === 0) addRows(fresh);
  else nextLook ??= setTimeout(look, LOOK_MS);
}

/** Puts results before those beside the board. */
function showRecent(fresh) {
  const list = byId("recent").querySelector("ul");
  const item = ({ id, names, result, sentence, game, is_fault: isFault }) => element("li", { title: `${game}: ${sentence}` }, element("a", { href: `match/${id}`, "aria-label": `Match ${id}` }, id), nameOf(names[0]), element("b", { class: isFault ? "badge fault" : null }, RESULTS[result], isFault ? element("span", { class: "unseen" }, " by a fault") : null), nameOf(names[1]), element("span", { class: "sub" }, game));
  list.prepend(...fresh.slice(-MOST_RECENT).reverse().map(item));
  while (MOST_RECENT < list.childElementCount) list.lastElementChild.remove();
  keepOneStop(linksOf(list));
}

/** The links of a list are one stop of the Tab key; the arrow keys go from one to the next. */
const linksOf = (list) => [...(list?.querySelectorAll("a") ?? [])];

/** Shows the matches that are asked for, from the first one on. */
function show() {
  clearTimeout(nextLook);
  nextLook = null;
  byId("of-all").hidden = Object.keys(asked()).length === 0;
  if (!byId("of-all").hidden) {
    look();
    return;
  }
  listed = {};
  byId("results-title").textContent = "Latest results";
  byId("results-said").textContent = "";
  showRows(latest);
}

/** Asks the arena. */
async function look() {
  nextLook = null;
  const wanted = asked();
  const key = JSON.stringify(wanted);
  const answer = await fetch(`results/${encodeURIComponent(key)}`).catch(() => null);
  const found = answer?.ok ? await answer.json() : null;
  // Somebody may have asked for others since then.
  if (key !== JSON.stringify(asked())) return;
  if (found === null) {
    // The list stays, and says what it has.
    for (const name of ASKED) chooseInAddress(name, (byId(`of-${name}`).value = listed[name] ?? ""));
    byId("of-all").hidden = Object.keys(listed).length === 0;
    byId("results-said").textContent = "The arena does not answer; the list is as before.";
    return;
  }
  listed = wanted;
  const nameOfGame = wanted.game === undefined ? "" : ` in ${byId("of-game").selectedOptions[0].text}`;
  const one = wanted.engine ?? wanted.opponent;
  const whose = one === undefined ? "" : ` of ${one}${wanted.engine !== undefined && wanted.opponent !== undefined ? ` against ${wanted.opponent}` : ""}`;
  byId("results-title").textContent = `Matches${whose}${nameOfGame}`;
  byId("results-said").textContent = `${countedMatches(found.n)}${found.finished.length < found.n ? `, the newest ${count(found.finished.length)}` : ""}`;
  showRows(found.finished);
}

/** Shows these matches only. */
function showRows(all) {
  byId("results-body").replaceChildren(element("p", { class: "fine when-known" }, "No match has finished yet."));
  addRows(all);
}

/** Puts matches before those that are there. Rows that are there stay, so that a click on one finds it. */
function addRows(fresh) {
  if (fresh.length === 0) return;
  const rows = fresh.slice(-MOST).reverse().map(rowOf);
  const body = byId("results-body").querySelector("tbody");
  if (body !== null) {
    body.prepend(...rows);
    while (MOST < body.childElementCount) body.lastElementChild.remove();
    keepOneStop(linksOf(body));
    return;
  }
  const head = ["Match", "White", "Black", "Result", "Why", "Plies"].map((text) => element("th", { scope: "col" }, text === "Plies" ? element("abbr", { title: "Moves of both sides" }, text) : text));
  const caption = element("caption", { class: "unseen" }, "Results");
  const table = element("table", { class: "results" }, caption, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows));
  byId("results-body").replaceChildren(element("div", { class: "wide", role: "region", "aria-label": "Results by match" }, table));
  keepOneStop(linksOf(table));
}

function rowOf({ id, names, result, is_fault: isFault, sentence, game, plies }) {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("a", { href: `match/${id}` }, id)),
    element("td", {}, nameOf(names[0])),
    element("td", {}, nameOf(names[1])),
    element("td", {}, RESULTS[result]),
    element("td", {}, isFault ? [element("span", { class: "badge fault" }, "fault"), " "] : null, sentence, element("span", { class: "sub" }, game)),
    element("td", { class: "number" }, count(plies)),
  );
}

export function addSentences(fresh) {
  if (fresh.length === 0) return;
  byId("no-log").hidden = true;
  byId("log-body").prepend(...fresh.slice(-MOST).reverse().map((text) => element("li", {}, element("bdi", {}, prose(text)))));
  while (MOST < byId("log-body").childElementCount) byId("log-body").lastElementChild.remove();
  byId("log-more").hidden = byId("log-body").childElementCount < MOST;
}

/** Each engine and cause has a line, in the order of the first matches. The newest match is told whole. */
export function showFaults(groups) {
  if (groups.length === 0) return;
  byId("no-log").hidden = true;
  const list = byId("faults");
  const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  for (const { place, text, newest } of groups) {
    while (list.childElementCount <= place) list.append(element("li"));
    const replay = ({ id, text: what }) => [" ", element("a", { href: `match/${id}`, title: what }, id)];
    const about = ["The last one: ", element("bdi", {}, prose(newest.at(-1).text)), ". Replays, the newest first:", ...newest.toReversed().flatMap(replay)];
    list.children[place].replaceChildren(element("b", {}, element("bdi", {}, prose(text))), element("span", { class: "sub" }, ...about));
  }
  const links = linksOf(list);
  const again = links.find((one) => one.getAttribute("href") === focused);
  keepOneStop(links, again);
  if (focused !== null) (again ?? links[0]).focus({ preventScroll: true });
}
