// The standings so far, with their intervals, overall and in each game.

import { knowNames } from "./address.js";
import { addChart, addTestChart } from "./charts.js";
import { byId, drawn, element, nameOf, prose } from "./dom.js";
import { count, percent, signed } from "./format.js";
import { ask, chooseInAddress, chosenInAddress, offerToList } from "./live-lists.js";
import { whiskerOf } from "./whisker.js";

/** The number of engines beside the board. */
const MOST_BESIDE = 8;
/** Those of the tournament, before anything is known of them. */
const ENGINES = [...byId("wanted-engines").children].map(({ value }) => value.slice(1));
let all = null;
/** How far the tournament is, as the stream tells it. */
let progress = null;
let scopes = [];
let chosen = chosenInAddress("standings");

// The tables are made anew with each result: a click is worth what is under the pointer now.
for (const id of ["beside-body", "standings-body", "cross-body"]) {
  byId(id).addEventListener("click", (event) => {
    const target = event.detail === 0 ? event.target : document.elementFromPoint(event.clientX, event.clientY);
    const wanted = target?.closest("[data-matches]")?.dataset.matches;
    if (wanted === undefined) return;
    ask(JSON.parse(wanted));
    // Not what a link has led to before.
    if (location.hash === "#cross") history.replaceState(null, "", "#results");
    byId("results").scrollIntoView();
    byId("results-title").focus({ preventScroll: true });
  });
}

/** A button that lists matches. */
function listing(wanted, attributes, ...children) {
  const isOfGame = 1 < scopes.length && chosenScope().name !== "overall";
  return element("button", { type: "button", class: "link", "data-matches": JSON.stringify(isOfGame ? { ...wanted, game: chosenScope().name } : wanted), ...attributes }, ...children);
}

/** Makes tables anew; what had the focus has it again. */
function withFocus(work) {
  const focused = document.activeElement;
  const box = focused?.closest("#beside-body, #standings-body, #cross-body");
  work();
  if (!box || focused.isConnected) return;
  const again = [...box.querySelectorAll("[data-matches]")].find(({ dataset }) => dataset.matches === focused.dataset.matches);
  (again ?? box.querySelector(".wide") ?? box).focus({ preventScroll: true });
}

const chosenScope = () => scopes.find((one) => one.name === chosen) ?? scopes[0];

/** As long as matches are to come, a verdict is provisional. */
export function showProgressOfVerdict(now) {
  const was = isProvisional();
  progress = now;
  if (all === null) showBeside(withAbsent({ pools: [{ rows: [] }], decides: document.body.matches(".has-test") ? "test" : ENGINES.length === 2 ? "pairs" : "ratings" }));
  if (all !== null && was !== isProvisional()) showStandings(all);
  else showVerdict();
}

/** Engines without a match yet have their places in the table, so that nothing moves. */
function withAbsent({ pools, ...scope }) {
  const played = new Set(pools.flatMap(({ rows }) => rows.map(({ engine }) => engine)));
  const [rating, score, matches, pairs] = Array(4).fill("–");
  const absent = ENGINES.filter((engine) => !played.has(engine)).map((engine) => ({ engine, rank: "", rating, score, matches, pairs, remark: null, whisker: null, results: "", forfeits: 0, p_stronger: "", is_hidden: true, is_to_come: true }));
  return { ...scope, pools: pools.map((pool, idx) => (idx === pools.length - 1 ? { ...pool, rows: [...pool.rows, ...absent] } : pool)) };
}

/** As long as matches are to come, a number from so few of them would be read as a result. */
function withoutEarly({ pools, ...scope }, idx) {
  const isEarly = (row) => !all.known[idx].includes(row.engine);
  const hide = (row) => ({ ...row, rank: "", rating: "too early", remark: null, whisker: null, p_stronger: "", is_hidden: true });
  const byScore = (rows) => rows.toSorted((one, other) => Number.parseFloat(other.score) - Number.parseFloat(one.score));
  // As in the terminal.
  const order = (rows) => (rows.every(isEarly) ? byScore(rows) : rows);
  return { ...scope, pools: pools.map(({ rows, ...pool }) => ({ ...pool, rows: order(rows).map((row) => (isEarly(row) ? hide(row) : row)) })) };
}

function isProvisional() {
  if (progress === null) return true;
  const { n_matches: n, state, is_decided: isDecided } = progress;
  return state !== "ended" && !isDecided && (n !== null || state !== "watching");
}

function showVerdict() {
  if (all === null || progress === null) return;
  const isOpen = isProvisional();
  // How many matches that are is in the head of the page.
  const soFar = () => (isOpen ? [element("span", { class: "badge so-far" }, "so far"), " "] : []);
  const early = "it is too early to tell the engines apart.";
  const words = ({ answer, remarks }) => [...soFar(), ...prose(isOpen && all.is_early ? early : answer), remarks.length === 0 ? "" : element("bdi", { class: "remarks" }, prose(remarks.join(" ")))];
  for (const place of document.querySelectorAll(".verdict > :first-child")) place.replaceChildren(...(all.verdict === null ? [] : words(all.verdict)));
  const caution = isOpen && all.is_for_fixed_number ? ". The intervals are valid at the end: do not stop early because of them" : "";
  document.querySelector(".basis").textContent = `${all.basis}${caution}.`;
}

/** Shows the standings of the chosen scope. */
export function showStandings(now) {
  all = now;
  scopes = (isProvisional() ? all.scopes.map(withoutEarly) : all.scopes).map(withAbsent);
  if (scopes.length === 0) return;
  showVerdict();
  const scope = chosenScope();
  showChoice(scope);
  const engines = scopes[0].pools.flatMap(({ rows }) => rows.map(({ engine }) => engine));
  knowNames(engines, [...now.games, ...scopes.map(({ name }) => name)]);
  offerToList(engines, scopes.filter(({ name }) => name !== "overall").map(({ name, title }) => [name, title]));
  withFocus(() => {
    byId("standings-body").replaceChildren(...scope.pools.map((pool) => tableOf(pool, scope)), notesOf(scope));
    // The sentence above it is that of all games, too.
    showBeside(scopes[0]);
    showCrossTable(scope);
  });
  showHistory();
  showTests();
}

function showChoice(scope) {
  const box = byId("scopes");
  box.hidden = scopes.length < 2;
  if (box.childElementCount !== scopes.length) {
    const button = ({ name, title }) => element("button", { type: "button", "data-scope": name, click: () => choose(name) }, title);
    box.replaceChildren(...scopes.map(button));
  }
  for (const button of box.children) button.setAttribute("aria-pressed", String(button.dataset.scope === scope.name));
}

function choose(name) {
  chosen = name;
  chooseInAddress("standings", name === scopes[0].name ? "" : name);
  showStandings(all);
}

/** The first engines, beside the board. */
function showBeside({ pools, decides }) {
  const rows = pools.flatMap((pool) => pool.rows);
  const hasRanks = rows.some((row) => row.rank !== "");
  const hasRatings = decides === "ratings";
  const head = [...(hasRanks ? [["Rank", "number rank"]] : []), ["Engine", ""], ...(hasRatings ? [["Rating", "number rating"]] : []), ["Score", "number score"]].map(([text, type]) => element("th", { scope: "col", class: type }, text));
  // There is little room: no rank is a sign, whose reason stands below the name.
  const why = (row) => (row.rank === "" ? (row.remark ?? row.rating) : null);
  const rank = (row) => (row.rank === "" ? element("td", { class: "number rank" }, element("abbr", { title: `no rank: ${why(row)}` }, "–")) : rankOf(row));
  const engine = (row) => {
    // Also names that would have room elsewhere are cut in the middle.
    const cell = engineOf(row, nameOf(row.engine, row.engine, 9));
    if (hasRanks && row.remark !== null && row.rank === "") cell.append(element("span", { class: "why", title: `no rank: ${row.remark}` }, row.remark));
    return cell;
  };
  const rating = (row) => {
    const isEarly = row.is_hidden || /\(too\searly\)/.test(row.rating);
    return ratingOf({ ...row, rating: row.is_hidden ? row.rating : isEarly ? "too early" : row.rating.split(/\s\(/)[0], is_hidden: isEarly, remark: null });
  };
  const shown = new Set(rows.slice(0, MOST_BESIDE));
  const rowOf = (row) => element("tr", {}, hasRanks ? rank(row) : null, engine(row), hasRatings ? rating(row) : null, element("td", { class: "number" }, row.score));
  const bodies = pools.map((pool) => element("tbody", {}, pool.rows.filter((row) => shown.has(row)).map(rowOf)));
  byId("beside-body").replaceChildren(element("table", { class: "standings beside" }, element("caption", { class: "unseen" }, "Standings"), element("thead", {}, element("tr", {}, head)), bodies));
  byId("beside-body").ariaLabel = isProvisional() ? "Standings so far" : "The first engines";
  byId("beside").hidden = rows.length === 0;
  byId("beside-more").textContent = MOST_BESIDE < rows.length ? `All ${rows.length} engines` : `${hasRatings ? "Intervals, games" : "Games"} and cross table`;
}

/** Every engine against every other one: the score of the row's engine. */
function showCrossTable({ name, title, pools }) {
  byId("cross-title").textContent = name === scopes[0].name ? "Cross table" : `Cross table: ${title}`;
  const engines = pools.flatMap((pool) => pool.rows.filter((row) => !row.is_to_come).map((row) => row.engine));
  /** By the names of two engines, how often the first one has won, drawn and lost. */
  const met = new Map();
  const add = (one, other, results) => {
    const key = JSON.stringify([one, other]);
    const before = met.get(key) ?? [0, 0, 0];
    met.set(key, before.map((n, idx) => n + results[idx]));
  };
  for (const [game, white, black, results] of all.met) {
    if (name !== "overall" && name !== game) continue;
    add(white, black, results);
    add(black, white, [...results].reverse());
  }
  byId("cross").hidden = met.size === 0;
  const cell = (row, column) => {
    const [won, drawn, lost] = met.get(JSON.stringify([row, column])) ?? [0, 0, 0];
    const n = won + drawn + lost;
    if (n === 0) return element("td", { class: row === column ? "self" : null });
    const share = (won + drawn / 2) / n;
    const title = `${row} against ${column}: ${won} won, ${drawn} drawn, ${lost} lost; list the matches`;
    return element("td", { class: `heat heat-${Math.round(10 * knownScore(share, n))}` }, listing({ engine: row, opponent: column }, { title }, element("b", {}, percent(share, 0)), element("span", { class: "sub" }, `of ${count(n)}`), element("span", { class: "sub results" }, `+${won} =${drawn} −${lost}`)));
  };
  const head = engines.map((engine, idx) => element("th", { scope: "col" }, element("abbr", { title: engine }, String(idx + 1))));
  const body = engines.map((row, idx) => element("tr", {}, element("th", { scope: "row", class: "name" }, element("span", { class: "ordinal" }, `${idx + 1} `), nameOf(row)), engines.map((column) => cell(row, column))));
  byId("cross-body").replaceChildren(element("table", { class: "matrix" }, element("caption", { class: "unseen" }, "Score of the row's engine against the column's"), element("thead", {}, element("tr", {}, element("td", {}), head)), element("tbody", {}, body)));
}

/** The end of a rough 95 % interval that is nearer to an equal score; an equal one if that is in the interval. */
function knownScore(score, n) {
  const error = 1 / Math.sqrt(n);
  return score - error > 0.5 ? score - error : score + error < 0.5 ? score + error : 0.5;
}

let testCharts = [];

/** How far each test was after each of its pairs. */
function showTests() {
  const { tests } = all;
  const box = byId("tests");
  const key = JSON.stringify(tests.map(({ title, pairs }) => [title, pairs.at(-1)]));
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  for (const one of testCharts) one.remove();
  testCharts = tests.filter(({ pairs }) => 2 < pairs.length).map(({ title, ...test }) => addTestChart(box, { ...test, title: tests.length === 1 ? "LLR after each pair" : `LLR after each pair: ${title}`, height: 95 }));
}

let chart = null;

/** The overall ratings after so many matches, of the engines that have one in the table. */
function showHistory() {
  const { history } = all;
  byId("history").hidden = history.length < 2 || scopes[0].decides === "test";
  if (byId("history").hidden) return;
  const rated = scopes[0].pools.flatMap((pool) => pool.rows.filter((row) => !row.is_hidden));
  const engines = rated.map((row) => row.engine).filter((engine) => engine in history.at(-1)[1]);
  const series = engines.map((engine, idx) => ({ label: engine, values: history.map(([, elo]) => elo[engine] ?? null), colour: `series-${(idx % 6) + 1}` }));
  chart?.remove();
  chart = null;
  byId("history-early").hidden = engines.length !== 0;
  if (engines.length === 0) return;
  chart = addChart(byId("history-chart"), { title: "Rating by number of matches", x: history.map(([n]) => n), xUnit: "matches", series, height: 260, hasLabels: true, show: (value) => signed(value, 0), tick: (value) => signed(value, 0) });
}

/** The table of a pool. A column in which nothing stands is left out. */
function tableOf({ heading, axis, rows }, { title, decides }) {
  const hasRanks = rows.some((row) => row.rank !== "");
  const hasRatings = decides === "ratings";
  // A test counts its own pairs.
  const hasPairs = decides !== "test";
  const hasPlot = hasRatings && rows.some((row) => row.whisker !== null);
  const hasForfeits = rows.some((row) => row.forfeits !== 0);
  const hasNext = rows.some((row) => row.p_stronger !== "");
  // A phone has no room for all of them, as in the report.
  const wide = "number wide-only";
  const number = (term, type = "number") => element("th", { scope: "col", class: type }, explained(term));
  const head = element(
    "tr",
    {},
    hasRanks ? number("Rank") : null,
    element("th", { scope: "col" }, "Engine"),
    hasRatings ? number("Rating") : null,
    number("Score"),
    hasPlot ? element("th", { scope: "col", class: "plot-head" }, element("span", { class: "unseen" }, "Rating as a plot"), axisOf(axis)) : null,
    number("Matches", wide),
    hasPairs ? number("Pairs", wide) : null,
    hasForfeits ? number("Forfeits") : null,
    hasNext ? number("P>next", wide) : null,
  );
  const body = rows.map((row) =>
    element(
      "tr",
      { id: `engine-${row.engine}` },
      hasRanks ? rankOf(row) : null,
      engineOf(row),
      hasRatings ? ratingOf(row) : null,
      element("td", { class: "number" }, row.score),
      hasPlot ? element("td", { class: "plot" }, row.whisker === null ? null : whiskerOf(row.whisker, axis.marks.map(({ at, label }) => [at, label === "0"]))) : null,
      element("td", { class: wide }, row.matches, element("span", { class: "sub" }, row.results)),
      hasPairs ? element("td", { class: wide }, row.pairs) : null,
      hasForfeits ? element("td", { class: "number" }, row.forfeits === 0 ? "0" : element("span", { class: "fault-count" }, String(row.forfeits))) : null,
      hasNext ? element("td", { class: wide }, row.p_stronger) : null,
    ),
  );
  const caption = element("caption", { class: heading === null ? "unseen" : null }, heading ?? `Standings: ${title}`);
  const table = element("table", { class: "standings" }, caption, element("thead", {}, head), element("tbody", {}, body));
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `Standings: ${title}` }, table);
}

/** An engine, which leads to its matches. */
function engineOf({ engine }, name = nameOf(engine)) {
  return element("th", { scope: "row", class: "name" }, listing({ engine }, { title: engine }, name));
}

/** A heading with its explanation. */
function explained(term) {
  return [...byId("terms").content.children].find(({ textContent }) => textContent === term).cloneNode(true);
}

/** An engine without a rank has a place in the table, which says nothing: so the cell says that it has none. */
function rankOf({ rank, rating, remark }) {
  return element("td", { class: "number rank" }, rank === "" ? element("span", { class: "sub", title: remark ?? rating }, "no rank") : rank);
}

function ratingOf({ rating, remark, is_hidden: isHidden }) {
  // A note below the table says why.
  const words = rating.replace(/\(0.is.rough\)/, "(still\u00a0rough)");
  return element("td", { class: "number rating" }, isHidden ? element("span", { class: "early", title: "too few pairs for a rating" }, words) : words, remark === null ? null : element("span", { class: "sub" }, remark));
}

function axisOf({ marks }) {
  return drawn("svg", { class: "axis", "aria-hidden": "true" }, marks.map(({ at, label }) => drawn("text", { class: label === "0" && "zero", x: `${at}%`, y: 12 }, label)));
}

/** What to know or do, and the figures behind the ratings, which stay open once they are. */
function notesOf({ notes, figures }) {
  // As long as matches are to come, nobody needs to play more.
  const whole = ({ text, advice }) => (advice === null || isProvisional() ? text : `${text}; ${advice}`);
  const list = (some) => (some.length === 0 ? null : element("ul", { class: "notes" }, some.map((note) => element("li", {}, element("bdi", {}, prose(whole(note)))))));
  const isOpen = byId("standings-body").querySelector(".figures")?.open;
  const more = () => element("details", { class: "figures", open: isOpen ? "" : null }, element("summary", {}, "More about these numbers"), list(figures));
  return element("div", {}, list(notes), figures.length === 0 ? null : more());
}
