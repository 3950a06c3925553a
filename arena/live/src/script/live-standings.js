// The standings so far, with their intervals, overall and in each game.

import { byId, drawn, element, nameOf } from "./dom.js";

let scopes = [];
let chosen = "";

/** Shows the standings of the chosen scope. */
export function showStandings(all) {
  scopes = all;
  if (scopes.length === 0) return;
  const scope = scopes.find((one) => one.name === chosen) ?? scopes[0];
  showChoice(scope);
  const isOld = byId("standings-body").contains(document.activeElement);
  byId("standings-body").replaceChildren(...scope.pools.map((pool) => tableOf(pool, scope)), notesOf(scope));
  if (isOld) byId("standings-body").querySelector(".wide")?.focus({ preventScroll: true });
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
  showStandings(scopes);
}

function tableOf({ heading, axis, rows }, { title }) {
  const head = element(
    "tr",
    {},
    ...[["Rank", "number"], ["Engine", ""], ["Rating", "number"]].map(([text, type]) => element("th", { scope: "col", class: type }, text)),
    element("th", { scope: "col", class: "plot-head" }, element("span", { class: "unseen" }, "Rating as a plot"), axisOf(axis)),
    ...["Matches", "Score", "Draws", "Forfeits"].map((text) => element("th", { scope: "col", class: "number" }, text)),
  );
  const body = rows.map((row) =>
    element(
      "tr",
      { id: `engine-${row.engine}` },
      element("td", { class: "number rank" }, row.rank),
      element("th", { scope: "row", class: "name" }, nameOf(row.engine)),
      element("td", { class: "number rating" }, row.rating, row.remark === null ? null : element("span", { class: "sub" }, row.remark)),
      element("td", { class: "plot" }, row.whisker === null ? null : whiskerOf(row.whisker, axis)),
      element("td", { class: "number" }, row.matches, element("span", { class: "sub" }, row.results)),
      element("td", { class: "number" }, row.score),
      element("td", { class: "number" }, row.draws),
      element("td", { class: "number" }, row.forfeits === 0 ? "0" : element("span", { class: "fault-count" }, String(row.forfeits))),
    ),
  );
  const caption = element("caption", { class: heading === null ? "unseen" : null }, heading ?? `Standings: ${title}`);
  const table = element("table", { class: "standings" }, caption, element("thead", {}, head), element("tbody", {}, body));
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `Standings: ${title}` }, table);
}

function axisOf({ marks }) {
  return drawn("svg", { class: "axis", "aria-hidden": "true" }, marks.map(({ at, label }) => drawn("text", { x: `${at}%`, y: 12 }, label)));
}

function whiskerOf({ low, high, dot, open }, { marks }) {
  const line = (type, x1, x2, y1, y2) => drawn("line", { class: type, x1: `${x1}%`, x2: `${x2}%`, y1, y2 });
  const parts = marks.map(({ at, label }) => line(`grid${label === "0" ? " zero" : ""}`, at, at, "0", "100%"));
  parts.push(line(`interval${open === "no" ? "" : " open"}`, low, high, "50%", "50%"));
  if (open !== "below") parts.push(line("end", low, low, "35%", "65%"));
  if (open !== "above") parts.push(line("end", high, high, "35%", "65%"));
  if (dot !== null) parts.push(drawn("circle", { cx: `${dot}%`, cy: "50%", r: 5 }));
  return drawn("svg", { class: "whisker", "aria-hidden": "true" }, parts);
}

function notesOf({ notes }) {
  return element("ul", { class: "notes" }, notes.map((note) => element("li", {}, element("bdi", {}, note))));
}
