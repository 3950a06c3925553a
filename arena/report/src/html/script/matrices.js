// The table of all engines against all: results, and the probability that one is stronger; of two engines alone, their lead.
// Made when a scope is first shown.

import { addressOfEngine, addressOfPairing, data, explain } from "./data.js";
import { element, headOf, nameOf } from "./dom.js";
import { count, percent, probability } from "./format.js";
import { leadOfTwo } from "./pairing.js";
import { equip } from "./table-tools.js";

/** Fills the places for tables in a scope's section, once. */
export function fillMatrices(section) {
  const place = section.querySelector(".matrices");
  if (place.childElementCount !== 0) return;
  const scope = data.scopes.find((one) => one.name === place.dataset.matrices);
  if (scope.engines.length < 2) return;
  place.append(...(scope.engines.length === 2 ? leadOfTwo(scope, section.querySelector(".verdict") !== null) : [crossTable(scope)]));
  place.querySelectorAll("table").forEach((table) => equip(table));
  place.querySelectorAll(".matrix-box").forEach(shade);
}

/** Coloured cells hide the shadow at the edge beyond which other tables go on: the frame has one above them. */
function shade(box) {
  const refresh = () => box.parentElement.classList.toggle("goes-on", box.scrollLeft + box.clientWidth + 1 < box.scrollWidth);
  box.addEventListener("scroll", refresh, { passive: true });
  new ResizeObserver(refresh).observe(box);
}

function crossTable(scope) {
  const cells = new Map();
  for (const { first, second, results, own } of scope.pairings) {
    const { win, draw, loss } = results;
    const known = knownScore(own, (win + draw / 2) / (win + draw + loss));
    cells.set(`${first}-${second}`, { win, draw, loss, known });
    cells.set(`${second}-${first}`, { win: loss, draw, loss: win, known: 1 - known });
  }
  const probabilities = new Map();
  for (const [first, second, p] of scope.stronger) {
    probabilities.set(`${first}-${second}`, p);
    probabilities.set(`${second}-${first}`, 1 - p);
  }
  const cell = (row, column) => {
    const results = cells.get(`${row}-${column}`);
    const p = probabilities.get(`${row}-${column}`);
    const stronger = p === undefined ? null : element("span", { class: "sub" }, `P ${probability(p, 0)}`);
    if (results === undefined) return element("td", {}, stronger ?? "");
    const { win, draw, loss, known } = results;
    const n = win + draw + loss;
    return element(
      "td",
      { class: `heat heat-${Math.round(10 * known)}` },
      element(
        "a",
        { href: addressOfPairing(row, column), title: `${data.engines[row]} against ${data.engines[column]}: ${win} won, ${draw} drawn, ${loss} lost` },
        element("b", {}, share((win + draw / 2) / n)),
        element("span", { class: "sub" }, `of ${count(n)}`),
        stronger ?? "",
      ),
    );
  };
  const meaning = ["score of the row's engine against the column's. Colour: the score, paler if little is known"];
  if (probabilities.size !== 0) meaning.push(". P: ", headOf("probability to be stronger", explain("P(stronger)")), ", by the matches of all engines");
  return matrix(scope, "Cross table", meaning, cell);
}

/** In whole percents, or else with the half that rounding would take from one of two opponents and give to the other. */
function share(score) {
  const halves = Number((200 * score).toFixed(9));
  return percent(score, halves % 2 === 1 ? 1 : 0);
}

/** A quarter of the way from what is known of a score for sure, the end of its interval that is nearer to an equal one, to the score itself; with too few decided pairs, half as far from an equal one. */
function knownScore(own, score) {
  const [low, high] = [own?.score.low ?? 0, own?.score.high ?? 1];
  const end = low > 0.5 ? low : high < 0.5 ? high : 0.5;
  const known = end + (score - end) / 4;
  return own?.los === null && !data.is_any_time ? (known + 0.5) / 2 : known;
}

function matrix(scope, title, meaning, cell) {
  const { engines } = scope;
  const name = (place) => nameOf(data.engines[place]);
  const head = engines.map((place, idx) =>
    element("th", { scope: "col", "data-text": data.engines[place] }, element("abbr", { title: data.engines[place] }, String(idx + 1))),
  );
  const rows = engines.map((row, idx) =>
    element(
      "tr",
      {},
      element(
        "th",
        { scope: "row", class: "name", "data-text": data.engines[row] },
        element("span", { class: "ordinal" }, `${idx + 1} `),
        element("a", { href: addressOfEngine(row) }, name(row)),
      ),
      engines.map((column) => (row === column ? element("td", { class: "self" }) : cell(row, column))),
    ),
  );
  return element(
    "div",
    { class: "wide matrix-box", tabindex: "0", role: "region", "aria-label": `${title}: ${scope.title}` },
    element(
      "table",
      { class: "matrix" },
      element("caption", {}, element("b", {}, headOf(title, explain(title)), `: ${scope.title}`), meaning),
      element("thead", {}, element("tr", {}, element("td", {}), head)),
      element("tbody", {}, rows),
    ),
  );
}
