// One engine: its ratings in every game, its opponents, its faults and its matches. The ratings and the faults are in the tables
// of the other views, in words; here they are put together.

import { addressOfMatches, addressOfPairing, countOfMatches, data, hasReasons, isFault } from "./data.js";
import { byId, element, nameOf } from "./dom.js";
import { count, percent } from "./format.js";
import { answerOfTwo, axisOf, pairingsOf, repeatedOf, sumOf, tableOfPairings } from "./pairing.js";
import { equip, ownText, tableOf } from "./table-tools.js";

/** The columns of the standings that are shown, if the tables have them. */
const COLUMNS = ["Rank", "Rating", "Score", "Matches", "Pairs", "Forfeits"];
/** What is shown of an opponent: how well the engine did, by the ratings, or else by the pairs of the two. Their page has the rest. */
const BY_RATINGS = ["Rating difference", "Interval", "P(stronger)", "Score", "Matches", "Pairs"];
const BY_PAIRS = ["Elo", "Interval", "Score", "Matches", "Pairs"];

/** Shows the engine with this place. Says whether there is one. */
export function showEngine(place) {
  const name = data.engines[place];
  if (name === undefined) return false;
  const rows = rowsOf(name);
  byId("engine-title").replaceChildren(nameOf(name));
  byId("engine-body").replaceChildren(
    ...headline(rows),
    element(
      "p",
      { class: "lead" },
      element("a", { href: addressOfMatches({ engine: name }) }, "List of matches"),
      " · ",
      element("a", { href: addressOfMatches({ engine: name, result: "loss" }) }, "Matches lost"),
      " · ",
      element("a", { href: "#engines" }, "Time and search of all engines"),
    ),
    facts(place),
    ratings(rows),
    ...(byId(`faults-${place}`) === null ? [opponents, faults] : [faults, opponents]).flatMap((part) => part(place, rows)),
  );
  byId("engine-body").querySelectorAll("table").forEach((table) => equip(table));
  return true;
}

/** The main numbers: `Rank 1–2 of 4 · +169 ± 93 Elo · score 73.3 %`; of two engines, their answer comes first. */
function headline([[, , cells]]) {
  const text = (column) => (cells.has(column) ? ownText(cells.get(column)).trim() : "");
  const [rank, rating, score] = ["Rank", "Rating", "Score"].map(text);
  const [forfeits, matches] = ["Forfeits", "Matches"].map(text);
  const areMany = (cells.get("Forfeits")?.querySelector(".are-many") ?? null) !== null;
  const said = [/^\d/.test(rank) && `Rank ${rank} of ${data.engines.length}`, rating && (/\d/.test(rating) ? rating.replace(/ \(|$/, " Elo$&") : rating), score && `score ${score}`, areMany && `${forfeits} of ${matches} matches forfeited`].filter(Boolean).join(" · ");
  const answer = answerOfTwo();
  return [...answer, element("p", { class: answer.length === 0 ? "verdict" : "lead" }, said)];
}

/** What the program is, and how it searches: from the tables of all engines. */
function facts(place) {
  const isOwn = (row) => row.querySelector("bdi").title === data.engines[place];
  const builds = [...document.querySelectorAll("#builds tbody tr")].filter(isOwn);
  const row = byId(`engine-${place}`);
  const cellOf = (column) => (one) => cellsOf(one).get(column)?.firstChild?.textContent.trim() ?? "";
  const named = ["Version", "Build", "Options"].map((column) => [column, builds.map(cellOf(column))]);
  const searched = ["Time per move", "Depth", "Nodes per second"].map((column) => [column, row === null ? [] : [cellOf(column)(row)]]);
  const known = [...named, ...searched].map(([label, values]) => [label, [...new Set(values)].filter((value) => !["", "–"].includes(value)).join("; ")]);
  return element("p", { class: "facts" }, known.filter(([, text]) => text !== "").map(([label, text]) => element("span", {}, `${label}: `, element("bdi", {}, text))));
}

/** The engine's row in each scope: the scope, its title and the cells by their headings. */
function rowsOf(name) {
  return [...document.querySelectorAll(".scope")].flatMap((scope) => {
    const row = [...scope.querySelectorAll("tr[data-engine]")].find((one) => one.dataset.engine === name);
    return row === undefined ? [] : [[scope.dataset.scope, scope.querySelector("h3").textContent, cellsOf(row)]];
  });
}

/** The same as a table, with the plots of all scopes on one scale. */
function ratings(found) {
  const columns = COLUMNS.filter((column) => found.some(([, , cells]) => (cells.get(column)?.textContent ?? "") !== ""));
  const intervals = found.map(([, , cells]) => drawnIn(cells));
  const axis = intervals.some((one) => one !== null) ? axisOf(intervals) : null;
  const plot = (interval) => (axis === null ? [] : [element("td", { class: "plot" }, interval === null ? null : axis.drawing(interval))]);
  const rows = found.map(([scope, title, cells], idx) => [
    element("a", { href: `#standings=${encodeURIComponent(scope)}` }, title),
    [...columns.map((column) => copyOf(cells.get(column))), ...plot(intervals[idx])],
  ]);
  return tableOf("engine-ratings", columns.includes("Rating") ? "Ratings by game" : "Results by game", "standings", "Game", axis === null ? columns : [...columns, axis.head("Rating as a plot")], rows);
}

/** What a phone does not show in the standings, it shows here. */
function copyOf(cell) {
  const copy = cell?.cloneNode(true) ?? element("td", {});
  copy.classList.remove("wide-only");
  return copy;
}

/** The interval that is drawn in a row, or `null`. */
function drawnIn(cells) {
  const ends = [...cells.values()].find((cell) => cell.dataset.ends)?.dataset.ends.split(",");
  if (ends === undefined) return null;
  const [low, value, high] = ends.slice(0, 3).map((end) => (end === "" ? null : Number(end)));
  return { low, value, high, is_rough: ends[3] === "rough" };
}

/** The cells of a row by their headings. */
function cellsOf(row) {
  const heads = row.closest("table").tHead.rows[0].cells;
  return new Map([...heads].map((head, idx) => [head.textContent.trim(), row.cells[idx]]));
}

/** How the engine did against each of the others. */
function opponents(place, [[, , cells]]) {
  const [scope] = data.scopes;
  const met = pairingsOf(scope, place);
  if (met.length === 0) return [];
  const name = data.engines[place];
  const rows = met.map((pairing) => [element("a", { href: addressOfPairing(place, pairing.second) }, nameOf(data.engines[pairing.second])), scope, pairing]);
  return [
    tableOfPairings("engine-opponents", `Opponents: ${scope.title}`, "Opponent", 2 < scope.engines.length && met.some(({ rating }) => rating !== null) ? BY_RATINGS : BY_PAIRS, rows),
    element("p", { class: "fine" }, "The results of ", nameOf(name), " against each opponent", orderOf(met, cells), ".", unusedOf(met, cells.get("Pairs")?.textContent ?? "")),
    repeatedOf(met) ?? [],
  ].flat();
}

/** In which order the opponents stand: that of the standings. */
function orderOf(met, cells) {
  if (met.length === 1) return "";
  return cells.has("Rating") ? ", the strongest first" : ", the best score first";
}

/** Why the standings have fewer of these pairs than their rows, if they have: `used` is `34/36`. */
function unusedOf(met, used) {
  const n = met.some(({ lone_matches: lone }) => lone !== 0) ? NaN : Number(/^\d+\/(\d+)$/.exec(used)?.[1]);
  const pairs = met.reduce((sum, one) => sum + sumOf(one.pairs) - one.repeated_openings, 0);
  return n < pairs ? ` The ratings use ${count(n)} of these ${count(pairs)} pairs: not those of an engine that won or lost every match against the rated engines of the game.` : "";
}

/** The faults with their evidence, as the view of all engines lists them. */
function faults(place) {
  const listed = byId(`faults-${place}`);
  if (listed === null) return [element("h3", {}, "Faults"), element("p", {}, hasReasons() ? "It lost no match by a fault." : "Not recorded: the results do not say why matches ended.")];
  const [, ...shown] = listed.children;
  const { n, points } = finishedOf(place);
  const finished = element("p", {}, `Finished matches: ${count(n)}${n === 0 ? "" : `, score ${percent(points / n)}`}`);
  return [element("h3", {}, "Faults ", listed.querySelector(".badge").cloneNode(true)), finished, element("div", { class: "faults" }, shown.map((one) => one.cloneNode(true)))];
}

/** The number of an engine's matches that ended without a fault of either side, and its points in them. */
function finishedOf(place) {
  const { white, black, result } = data.matches;
  const rows = Array.from({ length: countOfMatches() }, (_, row) => row).filter((row) => [white[row], black[row]].includes(place) && !isFault(row));
  const points = rows.map((row) => (white[row] === place ? result[row] : 2 - result[row]) / 2);
  return { n: rows.length, points: points.reduce((sum, one) => sum + one, 0) };
}
