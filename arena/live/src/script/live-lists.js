// The latest results, and what went wrong.

import { byId, element, nameOf } from "./dom.js";
import { count } from "./format.js";

const MOST = 100;
let results = [];
let sentences = [];

/** Forgets everything, before a snapshot. */
export function clearLists() {
  [results, sentences] = [[], []];
}

export function addResults(fresh) {
  if (fresh.length === 0) return;
  results = [...results, ...fresh].slice(-MOST);
  const head = ["Match", "White", "Black", "Result", "Reason", "Plies"].map((text) => element("th", { scope: "col" }, text));
  const rows = [...results].reverse().map((one) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("a", { href: `match/${one.id}` }, one.id)),
      element("td", {}, nameOf(one.names[0])),
      element("td", {}, nameOf(one.names[1])),
      element("td", {}, ["0–1", "½–½", "1–0"][one.result]),
      element("td", {}, element("span", { class: one.is_fault ? "badge fault" : "" }, one.reason), element("span", { class: "sub" }, one.game)),
      element("td", { class: "number" }, count(one.plies)),
    ),
  );
  const caption = element("caption", { class: "unseen" }, "Latest results");
  const table = element("table", { class: "results" }, caption, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows));
  const box = byId("results-body").querySelector(".wide") ?? element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Latest results" });
  box.replaceChildren(table);
  if (!box.isConnected) byId("results-body").replaceChildren(box);
}

export function addSentences(fresh) {
  if (fresh.length === 0) return;
  sentences = [...sentences, ...fresh].slice(-MOST);
  byId("no-log").hidden = true;
  byId("log-body").replaceChildren(
    ...[...sentences].reverse().map(({ text, id }) =>
      element("li", {}, element("bdi", {}, text), id === undefined ? null : [" ", element("a", { href: `match/${id}` }, `Replay of match ${id}`)].map((part) => part)),
    ),
  );
}
