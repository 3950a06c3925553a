// Routing: from the page's address to the view that is shown. Each view has its own link.

import { fillCurves } from "./engine-curves.js";
import { replayOfRow, rowOfId } from "./data.js";
import { attempt, byId } from "./dom.js";
import { refreshList } from "./match-list.js";
import { setFilter } from "./match-filter.js";
import { fillMatrices } from "./matrices.js";
import { showPairing } from "./pairing.js";
import { leaveMatch, showMatch } from "./replay.js";

/** Below which entry of the sections' list a view stands. */
const SECTION_OF = { match: "matches", pairing: "standings" };
const VIEWS = ["standings", "games", "engines", "matches", "match", "pairing"];
let current = null;

export function startRouter() {
  addEventListener("hashchange", () => route(true));
  // A printed page shows all scopes.
  addEventListener("beforeprint", () => document.querySelectorAll(".scope").forEach(fillMatrices));
  route(false);
}

/** Shows what the address names, and moves the focus there if the reader came from within the page. */
async function route(isFromWithin) {
  const address = location.hash;
  const [name, value = ""] = decoded(address.slice(1)).split(/=(.*)/s);
  if (name === "main") return;
  let view = name === "engine" ? "engines" : VIEWS.includes(name) ? name : "standings";
  if (view === "match") {
    const [id, ply] = value.split("@");
    const row = rowOfId(id);
    const replay = row < 0 ? null : await replayOfRow(row).catch(reportError);
    // The reader may have opened another view in the meantime.
    if (location.hash !== address) return;
    const isShown = replay && attempt(() => showMatch(row, replay, ply === undefined ? null : Number(ply) || 0) ?? true);
    if (!isShown) view = "matches";
  }
  if (view !== "match") attempt(leaveMatch);
  if (view === "pairing" && !attempt(() => showPairing(...value.split("-").map(Number)))) view = "standings";
  show(view);
  attempt(() => fill(view, view === name ? value : ""));
  const place = `${view} ${view === "match" ? value.split("@")[0] : value}`;
  const isNew = current !== place;
  current = place;
  if (isFromWithin && isNew) focus(view, name, value);
}

/** Fills a view that is filled only when it is looked at. */
function fill(view, value) {
  if (view === "standings") showScope(value);
  if (view === "engines") fillCurves();
  if (view === "matches") {
    setFilter(value);
    refreshList();
    byId("match-back").href = value === "" ? "#matches" : `#matches=${value}`;
  }
}

function show(view) {
  for (const section of document.querySelectorAll(".view")) section.hidden = section.id !== view;
  for (const link of document.querySelectorAll(".sections a")) {
    const isHere = link.getAttribute("href") === `#${SECTION_OF[view] ?? view}`;
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function showScope(name) {
  const scopes = [...document.querySelectorAll(".scope")];
  const scope = scopes.find((one) => one.dataset.scope === name) ?? scopes[0];
  for (const one of scopes) one.hidden = one !== scope;
  for (const link of document.querySelectorAll(".scopes a")) {
    const isHere = link.getAttribute("href") === `#standings=${scope.dataset.scope}`;
    if (isHere) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  fillMatrices(scope);
}

function focus(view, name, value) {
  if (name === "engine") {
    const faults = byId(`faults-${value}`);
    if (faults !== null) {
      faults.open = true;
      faults.scrollIntoView();
      faults.querySelector("summary").focus();
      return;
    }
  }
  // The focus stays if only the filter or the scope changed.
  if (view === "matches" && value !== "") return;
  if (view === "standings" && document.activeElement.closest(".scopes") !== null) return;
  scrollTo(0, 0);
  byId(`${view}-title`).focus({ preventScroll: true });
}

function decoded(text) {
  try {
    return text.startsWith("matches") ? text : decodeURIComponent(text);
  } catch {
    return text;
  }
}
