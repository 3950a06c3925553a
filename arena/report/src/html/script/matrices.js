// Tables of all engines against all: results, and the probability that one is stronger. Made when a scope is first
// shown.

import { addressOfEngine, addressOfPairing, data, explain } from "./data.js";
import { element, headOf, nameOf } from "./dom.js";
import { count, percent } from "./format.js";
import { equip } from "./table-tools.js";

/** A probability is shown as 0 % below this one. */
const SURE = 0.005;
/** Where so many probabilities are 0 or 100 %, they are folded away. */
const MOSTLY = 0.8;

/** Fills the places for tables in a scope's section, once. */
export function fillMatrices(section) {
  const place = section.querySelector(".matrices");
  if (place.childElementCount !== 0) return;
  const scope = data.scopes.find((one) => one.name === place.dataset.matrices);
  if (scope.engines.length < 2) return;
  place.append(crossTable(scope), stronger(scope));
  place.querySelectorAll("table").forEach((table) => equip(table));
}

function crossTable(scope) {
  const cells = new Map();
  for (const { first, second, results } of scope.pairings) {
    const { win, draw, loss } = results;
    cells.set(`${first}-${second}`, { win, draw, loss });
    cells.set(`${second}-${first}`, { win: loss, draw, loss: win });
  }
  const cell = (row, column) => {
    const results = cells.get(`${row}-${column}`);
    if (results === undefined) return element("td", {});
    const { win, draw, loss } = results;
    const n = win + draw + loss;
    const score = (win + draw / 2) / n;
    const words = `${win} won, ${draw} drawn, ${loss} lost`;
    return element(
      "td",
      { class: heat(score) },
      element(
        "a",
        { href: addressOfPairing(row, column), title: words },
        element("b", {}, percent(score, 0)),
        element("span", { class: "sub" }, `of ${count(n)}`),
      ),
    );
  };
  return matrix(scope, "Cross table", "Score of the row's engine against the column's", cell);
}

function stronger(scope) {
  const cells = new Map();
  for (const [first, second, probability] of scope.stronger) {
    cells.set(`${first}-${second}`, probability);
    cells.set(`${second}-${first}`, 1 - probability);
  }
  if (cells.size === 0) return element("p", { class: "fine" }, "No two engines have ratings that can be compared.");
  const cell = (row, column) => {
    const probability = cells.get(`${row}-${column}`);
    if (probability === undefined) return element("td", {});
    const n_decimals = probability < 0.995 && 0.005 < probability ? 0 : 1;
    return element("td", { class: heat(probability) }, percent(probability, n_decimals));
  };
  const table = matrix(scope, "P(stronger)", "Probability that the row's engine is stronger than the column's", cell);
  const n_sure = [...cells.values()].filter((probability) => probability < SURE || 1 - SURE < probability).length;
  if (n_sure < MOSTLY * cells.size) return table;
  return element(
    "details",
    { class: "folded" },
    element("summary", {}, `P(stronger): ${count(n_sure / 2)} of ${count(cells.size / 2)} pairings are decided (0 or 100\u202f%)`),
    table,
  );
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
      element("caption", {}, element("b", {}, headOf(title, explain(title))), ` ${meaning}`),
      element("thead", {}, element("tr", {}, element("td", {}), head)),
      element("tbody", {}, rows),
    ),
  );
}

/** The class of a colour for a fraction: eleven steps from the worst to the best. */
function heat(fraction) {
  return `heat heat-${Math.round(10 * fraction)}`;
}
