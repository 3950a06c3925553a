// The latest results, and what went wrong.

import { byId, element, nameOf, prose } from "./dom.js";
import { count } from "./format.js";

const MOST = 100;
/** By twice White's points. */
const RESULTS = ["0–1", "½–½", "1–0"];

/** Forgets everything, before a snapshot. */
export function clearLists() {
  byId("results-body").replaceChildren(element("p", { class: "fine" }, "No match has finished yet."));
  byId("log-body").replaceChildren();
  byId("no-log").hidden = false;
}

export function addResults(fresh) {
  if (fresh.length === 0) return;
  const body = byId("results-body").querySelector("tbody");
  const head = ["Match", "White", "Black", "Result", "Why", "Plies"].map((text) => element("th", { scope: "col" }, text === "Plies" ? element("abbr", { title: "Moves of both sides" }, text) : text));
  const rows = fresh.slice(-MOST).reverse().map((one) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("a", { href: `match/${one.id}` }, one.id)),
      element("td", {}, nameOf(one.names[0])),
      element("td", {}, nameOf(one.names[1])),
      element("td", {}, RESULTS[one.result]),
      element("td", {}, one.is_fault ? [element("span", { class: "badge fault" }, "fault"), " "] : null, one.sentence, element("span", { class: "sub" }, one.game)),
      element("td", { class: "number" }, count(one.plies)),
    ),
  );
  // Rows that are there stay, so that a click on one finds it.
  if (body !== null) {
    body.prepend(...rows);
    while (MOST < body.childElementCount) body.lastElementChild.remove();
    return;
  }
  const caption = element("caption", { class: "unseen" }, "Latest results");
  const table = element("table", { class: "results" }, caption, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows));
  byId("results-body").replaceChildren(element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Results by match" }, table));
}

export function addSentences(fresh) {
  if (fresh.length === 0) return;
  byId("no-log").hidden = true;
  byId("log-body").prepend(
    ...fresh.slice(-MOST).reverse().map(({ text, id }) =>
      element("li", {}, element("bdi", {}, prose(text)), id === undefined ? null : [" ", element("a", { href: `match/${id}` }, `Replay of match ${id}`)]),
    ),
  );
  while (MOST < byId("log-body").childElementCount) byId("log-body").lastElementChild.remove();
}
