// Routing: from the page's address to the view that is shown. An address is `#view=value;sort=...`: it says what is shown, by
// names, and how it is sorted.

import { placeOfEngine, replayOfRow, rowOfId } from "./data.js";
import { attempt, byId } from "./dom.js";
import { fillCurves } from "./engine-curves.js";
import { showEngine } from "./engine-page.js";
import { fillGames } from "./game-figures.js";
import { filterText, setFilter } from "./match-filter.js";
import { refreshList, setSortingOfList, showInList, sortingOfList } from "./match-list.js";
import { fillMatrices } from "./matrices.js";
import { showPairing } from "./pairing.js";
import { leaveMatch, showMatch } from "./replay.js";
import { drawPictures } from "./rule-pictures.js";
import { sortAs } from "./table-tools.js";

/** Below which entry of the sections' list a view stands. */
const SECTION_OF = { match: "matches", pairing: "standings", engine: "engines", rules: "help" };
/** What shows that a screen has a term, where that is not its heading. */
const SIGNS = { "±": /±/, "0 is rough": /0.is.rough/, "Rough number": /[≈≥]/, Fit: /fit p/, "Normalized Elo": /normalized Elo/i, LLR: /LLR/ };
/** How intervals are written: `± 12`, `−3 to +∞`, `(below +430)`. */
const INTERVAL = /±|[\d∞] to [+−\d]|\((below|above)\s/;
const VIEWS = ["standings", "games", "engines", "matches", "match", "pairing", "engine", "help", "rules"];
let current = null;
/** How far down the reader was in each place, and whether it is shown again by Back or Forward. */
const depths = new Map();
let isBack = false;
let tournamentTitle = null;

export function startRouter() {
  addEventListener("hashchange", () => route(true));
  addEventListener("scroll", () => depths.set(current, scrollY), { passive: true });
  window.navigation?.addEventListener("navigate", ({ navigationType }) => (isBack = navigationType === "traverse"));
  // A printed page shows all scopes.
  addEventListener("beforeprint", () => document.querySelectorAll(".scope").forEach(fillMatrices));
  route(false).finally(() => document.documentElement.classList.remove("is-starting"));
}

/** Puts the filter and the sorting of the list of matches into the address. */
export function keepMatches() {
  const [filter, sorting] = [filterText(), sortingOfList()];
  const address = `#matches${filter === "" ? "" : `=${filter}`}${sorting === "" ? "" : `;sort=${sorting}`}`;
  byId("match-back").href = address;
  keep(address);
}

/** Puts the sorting of a table into the address. */
export function keepSorting(sorting) {
  keep(`${location.hash.split(";")[0] || "#standings"};sort=${sorting}`);
}

function keep(address) {
  try {
    history.replaceState(null, "", address);
  } catch {
    // The browser does not allow it for pages from disk.
  }
}

/** Shows what the address names, and moves the focus there if the reader came from within the page. */
async function route(isFromWithin) {
  const address = location.hash;
  const [main, ...options] = address.slice(1).split(";");
  const [name, value = ""] = main.split(/=(.*)/s);
  const sorting = options.find((option) => option.startsWith("sort="))?.slice(5) ?? "";
  if (name === "main") return;
  let view = VIEWS.includes(name) ? name : "standings";
  // What is shown instead is said to be so.
  let isUnknown = name !== "" && !VIEWS.includes(name);
  const turnTo = (other) => {
    view = other;
    isUnknown = true;
  };
  if (view === "match") {
    const [id, ply] = value.split("@");
    const row = rowOfId(id);
    const replay = row < 0 ? null : await replayOfRow(row).catch(reportError);
    // The reader may have opened another view in the meantime.
    if (location.hash !== address) return;
    const isShown = replay && attempt(() => showMatch(row, replay, ply === undefined ? null : Number(ply) || 0) ?? true);
    if (!isShown) turnTo("matches");
  }
  if (view !== "match") attempt(leaveMatch);
  if (view === "pairing" && !attempt(() => showPairing(...value.split("/").map((part) => placeOfEngine(decoded(part)))))) turnTo("standings");
  if (view === "rules" && !showRules(decoded(value))) turnTo("help");
  if (view === "engine" && !attempt(() => showEngine(placeOfEngine(decoded(value))))) turnTo("engines");
  if (name === "standings" && value !== "" && scopeOf(decoded(value)) === undefined) isUnknown = true;
  // A filter that says something unknown is not dropped silently.
  if (view === "matches" && !attempt(() => setFilter(view === name ? value : ""))) isUnknown = true;
  byId("unknown-address").hidden = !isUnknown;
  byId("unknown-address").textContent = isUnknown ? `Unknown address: ${decoded(address)}` : "";
  show(view);
  attempt(() => nameTab(view, value));
  attempt(() => fill(view, view === name ? value : "", sorting));
  const place = `${view} ${view === "match" ? value.split("@")[0] : value}`;
  const from = current;
  current = place;
  if (from !== place && isFromWithin) focus(view, name, value, from);
  // Browsers scroll to the section that the address names, past the page's head.
  else if (!isFromWithin) {
    const place = () => requestAnimationFrame(() => showTerm(name, value) || scrollTo(0, 0));
    // The replay of a match may come after all else.
    if (document.readyState === "complete") place();
    else addEventListener("load", place);
  }
}

/** The title of the tab: what is shown, then the name of the tournament. */
function nameTab(view, value) {
  tournamentTitle ??= document.title;
  const title = view === "match" ? `Match ${value.split("@")[0]}` : view === "standings" ? null : byId(`${view}-title`)?.textContent.trim();
  document.title = title ? `${title} · ${tournamentTitle}` : tournamentTitle;
}

/** Fills a view that is filled only when it is looked at. */
function fill(view, value, sorting) {
  if (view === "standings") showScope(decoded(value));
  if (view === "games") fillGames();
  if (view === "engines") fillCurves();
  // While the page starts, its text is not visible.
  requestAnimationFrame(() => attempt(() => nameTerms(byId(view))));
  if (view === "matches") {
    setSortingOfList(sorting);
    refreshList();
    byId("match-back").href = location.hash.startsWith("#matches") ? location.hash : "#matches";
  } else if (sorting !== "") {
    sortAs(sorting);
  }
}

/** Names only those terms that the screen has, and says what its intervals mean only if there are some. */
function nameTerms(view) {
  const [list, basis] = [view.querySelector(".used-terms"), view.querySelector(".basis")];
  if (list === null) return;
  for (const one of [list, basis]) if (one !== null) one.hidden = true;
  const text = view.innerText;
  if (basis !== null) basis.hidden = !INTERVAL.test(text);
  const heads = new Set([...view.querySelectorAll("abbr")].filter((one) => one.checkVisibility()).map((one) => one.textContent));
  for (const item of list.children) item.hidden = !(SIGNS[item.textContent]?.test(text) ?? heads.has(item.textContent));
  list.hidden = [...list.children].every((item) => item.hidden);
}

function show(view) {
  document.body.dataset.view = view;
  for (const section of document.querySelectorAll(".view")) section.hidden = section.id !== view;
  for (const link of document.querySelectorAll(".sections a")) {
    const isHere = link.getAttribute("href") === `#${SECTION_OF[view] ?? view}`;
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function showScope(name) {
  const scope = scopeOf(name) ?? document.querySelector(".scope");
  for (const one of document.querySelectorAll(".scope")) one.hidden = one !== scope;
  for (const link of document.querySelectorAll(".scopes a")) {
    const isHere = link.getAttribute("href") === `#standings=${encodeURIComponent(scope.dataset.scope)}`;
    if (isHere) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  fillMatrices(scope);
}

function scopeOf(name) {
  return [...document.querySelectorAll(".scope")].find((one) => one.dataset.scope === name);
}

/** Shows the rules page with this name; says whether there is one. */
function showRules(name) {
  const pages = [...document.querySelectorAll("[data-rules]")];
  const page = pages.find((one) => one.dataset.rules === name);
  for (const one of pages) one.hidden = one !== page;
  if (page === undefined) return false;
  byId("rules-title").textContent = page.dataset.name;
  drawPictures(page);
  return true;
}

/** Moves to the term of the help that an address names; says whether there is one. */
function showTerm(name, value) {
  const terms = name === "help" ? [...document.querySelectorAll("#help :is(dt, h3)")] : [];
  const term = terms.find((one) => one.textContent === decoded(value));
  if (term === undefined) return false;
  term.tabIndex = -1;
  term.scrollIntoView({ block: term.matches("h3") ? "start" : "center" });
  term.focus({ preventScroll: true });
  return true;
}

function focus(view, name, value, from) {
  if (showTerm(name, value)) return;
  // Who comes back from a match goes on at its row.
  if (view === "matches" && from?.startsWith("match ")) {
    scrollTo(0, 0);
    if (showInList(rowOfId(from.slice("match ".length)))) return;
  }
  if (isBack && depths.has(current)) {
    byId(`${view}-title`).focus({ preventScroll: true });
    scrollTo(0, depths.get(current));
    return;
  }
  // The focus stays if only the filter or the scope changed.
  if (view === "matches" && value !== "") return;
  if (view === "standings" && document.activeElement.closest(".scopes, .ratings") !== null) return;
  scrollTo(0, 0);
  byId(`${view}-title`).focus({ preventScroll: true });
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
