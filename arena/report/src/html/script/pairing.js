// Two engines against each other: the comparison by pairs and by ratings, in each game and overall.

import { addressOfEngine, addressOfMatches, addressOfPairing, data, explain } from "./data.js";
import { addChart, addTestChart, ticksOf } from "./charts.js";
import { byId, drawn, element, headOf, nameOf } from "./dom.js";
import { count, interval, percent, probability, signed } from "./format.js";
import { equip, tableOf } from "./table-tools.js";
import { whiskerOf } from "./whisker.js";

/** The kinds of pairs from the worst to the best for the first engine, and what they are. */
const OUTCOMES = [
  ["ll", "two losses"],
  ["ld", "loss and draw"],
  ["dd", "two draws"],
  ["wl", "win and loss"],
  ["wd", "win and draw"],
  ["ww", "two wins"],
];

/** Shows the pairing of the engines with these places, seen from the one that is ahead. Says whether there is one. */
export function showPairing(...places) {
  const { verdict, rows } = meetingsOf(...places);
  if (verdict === undefined) return false;
  const first = verdict.leader;
  const second = places.find((place) => place !== first);
  const linked = (place) => element("a", { href: addressOfEngine(place) }, nameOf(data.engines[place]));
  byId("pairing-title").replaceChildren(linked(first), " against ", linked(second));
  // Of two engines alone, their pairs decide.
  const isByRatings = 2 < rows[0][1].engines.length && rows.some(([, , { rating }]) => rating !== null);
  const gameOf = (scope) => data.games.find((one) => one.id === scope.name);
  const matchesIn = (game) => addressOfMatches({ ...(game && { game: game.id }), engine: data.engines[first], opponent: data.engines[second] });
  const linkedRows = rows.map(([title, scope, pairing]) => [element("a", { href: matchesIn(gameOf(scope)) }, title), scope, pairing]);
  const hasPairs = rows.some(([, , { pairs }]) => sumOf(pairs) !== 0);
  const [results, others] = isByRatings ? [BY_RATINGS, OWN] : [BY_PAIRS, RATED];
  const parts = [
    ...answerOf(verdict),
    element("p", { class: "lead" }, element("a", { href: matchesIn() }, "List of matches")),
    tableOfPairings("pairing-results", "Results", "Game", results, linkedRows),
    repeatedOf(rows.slice(0, 1).map(([, , pairing]) => pairing)),
    historyOf(rows.map(([, , pairing]) => pairing).find((one) => one.verdict !== undefined), 2 < rows[0][1].engines.length ? "The curve is that of these two engines' own pairs. " : ""),
    element(
      "details",
      { class: "figures" },
      element("summary", {}, "More about these numbers"),
      element(
        "p",
        { class: "fine" },
        `Elo and ${hasPairs ? "the interval of the score" : "LOS"} use only the ${hasPairs ? "pairs" : "matches"} of these two engines; all intervals are ${percent(data.confidence, 0)} intervals. `,
        data.is_any_time
          ? "Results decided which matches were played, so the intervals are valid however often you look. LOS and rating differences would not be valid, and are not shown. "
          : "The rating difference uses the matches of all engines. LOS is 1 minus the p-value of a one-sided test: it shows how surprising the lead would be between equal engines, and is not the probability that the first engine is stronger. ",
        "z is the difference between actual and expected points, in standard errors.",
      ),
      hasPairs ? pairsTable(rows) : null,
      tableOfPairings("pairing-tests", "Expectations and tests", "Game", others, rows),
    ),
  ];
  byId("pairing-body").replaceChildren(...parts.filter((part) => part !== null));
  byId("pairing-body").querySelectorAll("table").forEach((table) => equip(table));
  return true;
}

function answerOf({ text, more }) {
  const said = element("p", { class: "verdict" }, element("bdi", {}, text));
  return more === undefined ? [said] : [said, element("p", { class: "more-said" }, element("bdi", {}, more))];
}

/** The answer of the page of the only two engines; nothing if there are others, or if they did not meet. */
export function answerOfTwo() {
  const { verdict } = data.engines.length === 2 ? meetingsOf(0, 1) : {};
  return verdict === undefined ? [] : answerOf(verdict);
}

/** The verdict on two engines; and their meetings in each scope, seen from the one that is ahead, as rows of tables. */
function meetingsOf(...places) {
  const met = data.scopes
    .map((scope) => [scope, scope.pairings.find((one) => isOf(one, ...places))])
    .filter(([, pairing]) => pairing !== undefined);
  const verdict = met.map(([, pairing]) => pairing.verdict).find((one) => one !== undefined);
  const rows = met.map(([scope, pairing]) => [scope.title, scope, seenFrom(pairing, verdict?.leader ?? places[0])]);
  return { verdict, rows };
}

/** The lead of one of the only two engines of a scope, and how it went; below that of all games, that of each. */
export function leadOfTwo(scope, hasOwnAnswer) {
  const { verdict, rows } = meetingsOf(...scope.engines);
  // An answer for this game alone is from the view of the engine that leads in it.
  const isOfOne = hasOwnAnswer && scope !== data.scopes[0];
  // Without a lead, the first one of the standings is also the first one here.
  const hasLead = rows.some(([, , { own }]) => own != null);
  const leader = (isOfOne || !hasLead ? null : verdict?.leader) ?? scope.engines[0];
  const seen = rows.map(([title, one, pairing]) => [title, one, seenFrom(pairing, leader)]);
  const own = seen.filter(([, one]) => one === scope);
  const title = `${hasLead ? "Lead" : "Results"} of ${data.engines[leader]}`;
  const table = tableOfPairings(`lead-${scope.name}`, title, "Game", BY_PAIRS, scope === data.scopes[0] ? seen : own, scope.facts);
  const more = verdict?.more === undefined ? null : element("p", { class: "fine" }, verdict.more);
  const other = scope.engines.find((place) => place !== leader);
  const page = scope !== data.scopes[0] || verdict === undefined ? null : element("p", { class: "fine" }, "More about the two: ", element("a", { href: addressOfPairing(leader, other) }, nameOf(data.engines[leader]), " against ", nameOf(data.engines[other])));
  return [table, more, repeatedOf(own.map(([, , pairing]) => pairing)), historyOf(own[0]?.[2]), page].filter((part) => part !== null);
}

/** Why these pairings have more pairs than count, or `null` if they have not. */
export function repeatedOf(pairings) {
  const [repeated, all] = [({ repeated_openings: n }) => n, ({ pairs }) => sumOf(pairs)].map((of) => pairings.reduce((sum, one) => sum + of(one), 0));
  return repeated === 0 ? null : element("p", { class: "fine" }, `${count(repeated)} of ${count(all)} pairs start from an opening that the two engines had played before. ${data.is_any_time ? "The standings count all pairs from one opening as one; here each pair counts." : "All pairs from one opening count as one, because repeated moves add no information."}`);
}

/** How the lead of two engines, and the test of it, went from pair to pair, or without pairs from match to match. */
function historyOf({ history, pairs: byOutcome } = {}, whose = "") {
  // Where one engine has won every pair, there is no lead in Elo to draw.
  if (history === undefined || (history.llr === undefined && history.elo.every((lead) => lead === null))) return null;
  const { pairs, elo: leads, low, high, llr } = history;
  const [one, all] = sumOf(byOutcome) === 0 ? ["match", "matches"] : ["pair", "pairs"];
  const box = element("div", { class: "cards wide-cards" });
  const chart = (title, series, range, show) => addChart(box, { title, x: pairs, series, range, show, tick: show, xUnit: all, hasLabels: true, height: 240 });
  // The first pairs say nothing, and reach far.
  const seen = [...low, ...high, ...leads].filter((end, idx) => end !== null && pairs.length / 10 <= idx % pairs.length);
  const range = [Math.min(0, ...seen), Math.max(0, ...seen)];
  const inRange = (values) => values.map((value) => (value !== null && range[0] <= value && value <= range[1] ? value : null));
  chart(
    `Lead in Elo after each ${one}`,
    [
      { label: "lead", values: leads, colour: "series-1" },
      { label: "high", values: inRange(high), colour: "faint", hasGaps: true },
      { label: "low", values: inRange(low), colour: "faint", hasGaps: true },
    ].filter(({ values }) => values.some((value) => value !== null)),
    range,
    (value) => signed(value, 0),
  );
  if (llr !== undefined) {
    const [values, bounds] = llr;
    addTestChart(box, { pairs, llr: values, bounds, title: "LLR after each pair", height: 240 });
  }
  const atTheEnd = data.is_any_time ? whose : `${whose}The interval counts at the end only: whoever stops because of an earlier one is wrong too often.`;
  return element("div", { class: "history" }, box, atTheEnd === "" ? null : element("p", { class: "fine" }, atTheEnd));
}

function isOf(pairing, first, second) {
  return (
    (pairing.first === first && pairing.second === second) || (pairing.first === second && pairing.second === first)
  );
}

/** The pairings of an engine in a scope, seen from it, its strongest opponent first. */
export function pairingsOf(scope, engine) {
  const own = scope.pairings.filter(({ first, second }) => first === engine || second === engine);
  const seen = own.map((pairing) => seenFrom(pairing, engine));
  const place = ({ second }) => scope.engines.indexOf(second);
  return seen.sort((one, other) => place(one) - place(other));
}

const number = (text) => element("td", { class: "number" }, text);
const within = (text, ends) => element("td", { class: "number" }, text, element("span", { class: "sub" }, ends));
const below = (cell, text) => {
  if (text !== null) cell.append(element("span", { class: "sub" }, text));
  return cell;
};
const marked = (cell, isFew) => below(cell, isFew ? "too few decided pairs" : null);
/** The matches that are in no pair, which the numbers by pairs leave out; where nothing is in pairs, that is no news. */
const lonely = ({ pairs, lone_matches: lone }) => (lone === 0 || sumOf(pairs) === 0 ? null : `${count(lone)} without a partner`);
const matchesOf = ({ results: { win, draw, loss } }) => win + draw + loss;

/** Elo with tenths only if an interval of this width is narrow; an infinite one is `null`. */
const elo = (value, width) => signed(value, width !== null && width < 20 ? 1 : 0);

/** The lead by the pairs of the two alone, if there are any. */
function ownLead(own, what = "") {
  if (own === null) return null;
  const { value, low, high } = own.elo;
  const show = (one) => elo(one, low === null || high === null ? null : high - low);
  return marked(within(value === null ? (own.score.value < 0.5 ? "−∞" : "+∞") : show(value), what + interval(low, high, show)), own.los === null && !data.is_any_time);
}

/** Whether a difference of ratings says more than the pairs of the two alone: both have intervals, and enough pairs were decided. */
const isRated = (rating) => rating !== null && !rating.is_few;

/** Headings, and the cell for a pairing in a scope, seen from the first engine; `null` if it is not known. */
const MEASURES = new Map([
  ["Matches", (_, pairing) => below(within(count(matchesOf(pairing)), `+${pairing.results.win} =${pairing.results.draw} −${pairing.results.loss}`), lonely(pairing))],
  ["Score", (_, pairing) => number(percent((pairing.results.win + pairing.results.draw / 2) / matchesOf(pairing)))],
  ["Score by pairs", (_, { own, pairs }) => (own === null || sumOf(pairs) === 0 ? null : within(percent(own.score.value), `${percent(own.score.low)} to ${percent(own.score.high)}`))],
  ["P(stronger)", (scope, { first, second }) => {
    const p = strongerOf(scope, first, second);
    return p === null ? null : number(probability(p));
  }],
  ["Elo", (_, { own }) => ownLead(own)],
  ["Interval", (_, pairing, { intervalOf, drawing }) => {
    const found = intervalOf(pairing);
    return found === null ? null : element("td", { class: "plot" }, drawing({ ...found, is_undecided: (found.low ?? -1) < 0 && 0 < (found.high ?? 1) }));
  }],
  ["LOS by pairs", (_, { own, pairs }) => (own === null || own.los === null || sumOf(pairs) === 0 ? null : number(probability(own.los)))],
  // Without pairs, matches stand for them.
  ["LOS", (_, { own, pairs }) => (own === null || own.los === null || sumOf(pairs) !== 0 ? null : number(probability(own.los)))],
  ["Rating difference", ({ engines }, { rating, own }) => {
    if (!isRated(rating)) return engines.length === 2 ? null : ownLead(own, "own pairs: ");
    const width = rating.high - rating.low;
    return number(`${elo(rating.elo, width)} ±\u00a0${(width / 2).toFixed(width < 20 ? 1 : 0)}`);
  }],
  ["LOS by ratings", (_, { rating }) => (isRated(rating) ? number(probability(rating.los)) : null)],
  ["Expected points", (_, pairing) => (pairing.expected === null ? null : number(`${pairing.expected.toFixed(1)} of ${count(matchesOf(pairing))}`))],
  ["z", (_, { z }) => (z === null ? null : number(signed(z)))],
  ["Pairs by outcome", (_, { pairs }) => {
    if (sumOf(pairs) === 0) return null;
    const { ll, ld, dd, wl, wd, ww } = pairs;
    const points = (ld + 2 * (dd + wl) + 3 * wd + 4 * ww) / sumOf(pairs);
    return element("td", { class: "plot", "data-value": points }, pairsBar(pairs), element("span", { class: "sub" }, [["LL", ll], ["LD", ld], ["DD", dd], ["WL", wl], ["WD", wd], ["WW", ww]].filter(([, n]) => n !== 0).map(([name, n]) => `${name} ${count(n)}`).join(", ")));
  }],
  ["Pairs", (_, { pairs }) => sumOf(pairs) === 0 ? null : number(`${count(pairs.ll + pairs.ld + pairs.wd + pairs.ww)}/${count(sumOf(pairs))}`)],
]);
/** What a reader looks for first: one lead with its interval, one probability; and the rest. */
const BY_RATINGS = ["Rating difference", "Interval", "P(stronger)", "Score", "Matches"];
const OWN = ["Elo", "Score by pairs", "LOS by pairs", "LOS", "LOS by ratings", "Expected points", "z"];
const BY_PAIRS = ["Elo", "Interval", "Score", "LOS by pairs", "LOS", "Pairs by outcome", "Matches"];
const RATED = ["Score by pairs", "Rating difference", "LOS by ratings", "Expected points", "z"];

/** The probability that the first engine is stronger, as the cross table has it. */
function strongerOf(scope, first, second) {
  for (const [one, other, p] of scope.stronger) {
    if (one === first && other === second) return p;
    if (one === second && other === first) return 1 - p;
  }
  return null;
}

/** A table of pairings with these measures. Each row has its head, the scope and the pairing; measures that none of them has are left out. */
export function tableOfPairings(id, title, first, measures, rows, facts = "") {
  const leadOf = measures[0] === "Rating difference" ? ({ rating, own }) => (isRated(rating) ? { value: rating.elo, low: rating.low, high: rating.high } : own && own.elo) : ({ own }) => own && own.elo;
  // Without any bound, it would be an arrow over the whole width.
  const intervalOf = (pairing) => [leadOf(pairing)].find((one) => one !== null && (one.low ?? one.high) !== null) ?? null;
  const axis = { intervalOf, ...axisOf(rows.map(([, , pairing]) => intervalOf(pairing))) };
  const cells = rows.map(([, scope, pairing]) => measures.map((name) => MEASURES.get(name)(scope, pairing, axis)));
  const isKnown = measures.map((_, idx) => cells.some((row) => row[idx] !== null));
  if (!isKnown.includes(true)) return null;
  const known = (values) => values.filter((_, idx) => isKnown[idx]);
  const shown = rows.map(([head], idx) => [head, known(cells[idx]).map((cell) => cell ?? number(""))]);
  return tableOf(id, title, "", first, known(measures).map((name) => HEADS[name]?.(axis) ?? name), shown, facts);
}

/** The heads of columns that are drawn. */
const HEADS = {
  Interval: (axis) => axis.head("Interval as a plot"),
  "Pairs by outcome": () => element("th", { scope: "col", class: "number bars" }, headOf("Pairs by outcome", explain("Pairs by outcome"))),
};

/** What the plots of some intervals share: 0 is in the middle, the farthest end or estimate at an edge, but for the room in which an interval without an end goes on. */
export function axisOf(found) {
  const intervals = found.filter((one) => one !== null);
  const isOpen = ({ low, high }) => low === null || high === null;
  const reaches = intervals.flatMap((one) => [one.low, one.value, one.high].map((end) => Math.abs(end ?? 0) * (isOpen(one) ? 1.5 : 1)));
  // Beside an interval without an end, a fine scale would say what is not known.
  const reach = Math.max(intervals.some(isOpen) ? 100 : 10, ...reaches);
  const at = (elo) => (elo === null ? null : 50 + (47 * elo) / reach);
  const ticks = ticksOf(-reach, reach, 5).at;
  const marks = () => ticks.map((elo) => drawn("text", { class: elo === 0 && "zero", x: `${at(elo)}%`, y: 12 }, signed(elo, 0)));
  const head = (title) => element("th", { scope: "col", class: "plot-head" }, element("span", { class: "unseen" }, title), drawn("svg", { class: "axis", "aria-hidden": "true" }, marks()));
  const drawing = ({ value, low, high, ...kind }) => whiskerOf({ low: at(low), dot: at(value), high: at(high), ...kind }, ticks.map((elo) => [at(elo), elo === 0]));
  return { drawing, head };
}

function pairsTable(rows) {
  return element(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": "Pairs by outcome" },
    element(
      "table",
      { class: "pairs sortable", id: "pairing-pairs" },
      element("caption", {}, element("b", {}, "Pairs by outcome"), " A pair is two matches from one opening with the sides swapped"),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          element("th", { scope: "col" }, "Game"),
          element("th", { scope: "col", class: "number" }, headOf("Pairs", explain("Pairs"))),
          OUTCOMES.map(([key, words]) => element("th", { scope: "col", class: "number" }, headOf(key.toUpperCase(), words), element("span", { class: "sub" }, words))),
          element("th", { scope: "col", class: "plot-head" }, element("span", { class: "unseen" }, "Bar chart")),
        ),
      ),
      element(
        "tbody",
        {},
        rows.map(([title, scope, pairing]) =>
          element(
            "tr",
            {},
            element("th", { scope: "row", class: "name" }, title),
            below(MEASURES.get("Pairs")(scope, pairing), lonely(pairing)),
            OUTCOMES.map(([key]) => number(count(pairing.pairs[key]))),
            element("td", {}, pairsBar(pairing.pairs)),
          ),
        ),
      ),
    ),
  );
}

export const sumOf = (pairs) => OUTCOMES.reduce((sum, [key]) => sum + pairs[key], 0);

function pairsBar(pairs) {
  const n = sumOf(pairs);
  const bar = drawn("svg", { class: "bar pentanomial", "aria-hidden": "true" });
  let x = 0;
  for (const [key, words] of OUTCOMES) {
    const width = n === 0 ? 0 : (100 * pairs[key]) / n;
    bar.append(
      drawn(
        "rect",
        { class: `pair-${key}`, x: `${x}%`, width: `${width}%`, height: "100%" },
        drawn("title", {}, `${key.toUpperCase()}, ${words}: ${pairs[key]}`),
      ),
    );
    x += width;
  }
  return bar;
}

const seenFrom = (pairing, engine) => (pairing.first === engine ? pairing : swapped(pairing));

function swapped(pairing) {
  const { results, pairs, own, history, rating } = pairing;
  const n = results.win + results.draw + results.loss;
  const turned = ({ value, low, high }, turn) => ({ value: turn(value), low: turn(high), high: turn(low) });
  const negative = (value) => (value === null ? null : -value);
  return {
    ...pairing,
    first: pairing.second,
    second: pairing.first,
    results: { win: results.loss, draw: results.draw, loss: results.win },
    pairs: { ll: pairs.ww, ld: pairs.wd, dd: pairs.dd, wl: pairs.wl, wd: pairs.ld, ww: pairs.ll },
    own: own && {
      score: turned(own.score, (score) => 1 - score),
      elo: turned(own.elo, negative),
      los: own.los === null ? null : 1 - own.los,
    },
    history: history && { ...history, elo: history.elo.map(negative), low: history.high.map(negative), high: history.low.map(negative) },
    rating: rating && { ...rating, elo: -rating.elo, low: -rating.high, high: -rating.low, los: 1 - rating.los },
    expected: pairing.expected === null ? null : n - pairing.expected,
    z: negative(pairing.z),
  };
}
