// From the page's address to what is shown: one view at a time, and for each a link of its own.

import { fillCurves } from "./engine-curves.js";
import { data } from "./data.js";
import { byId } from "./dom.js";
import { refreshList } from "./match-list.js";
import { setFilter } from "./match-filter.js";
import { fillMatrices } from "./matrices.js";
import { showPairing } from "./pairing.js";
import { leaveMatch, showMatch } from "./replay.js";

/** Below which entry of the sections' list a view stands. */
const SECTION_OF = { match: "matches", pairing: "standings", engine: "engines" };
let current = null;

export function startRouter() {
  addEventListener("hashchange", () => route(true));
  // Paper has all scopes.
  addEventListener("beforeprint", () => document.querySelectorAll(".scope").forEach(fillMatrices));
  route(false);
}

/** Shows what the address names, and moves the focus there if the reader came from within the page. */
async function route(isFromWithin) {
  const [name, value = ""] = decoded(location.hash.slice(1)).split(/=(.*)/s);
  if (name === "main") return;
  let view = name;
  if (view === "match") {
    const [id, ply] = value.split("@");
    if (!(await showMatch(id, ply === undefined ? null : Number(ply)))) view = "matches";
  }
  if (view !== "match") leaveMatch();
  if (view === "pairing") {
    const [first, second] = value.split("-").map(Number);
    if (!showPairing(first, second)) view = "standings";
  }
  if (view === "engine") view = "engines";
  if (!["standings", "games", "engines", "matches", "match", "pairing"].includes(view)) view = "standings";
  show(view);
  if (view === "standings") showScope(value);
  if (view === "engines") fillCurves();
  if (view === "matches") {
    setFilter(value);
    refreshList();
    byId("match-back").href = value === "" ? "#matches" : `#matches=${value}`;
  }
  const isNew = current !== `${view} ${view === "match" ? value.split("@")[0] : value}`;
  current = `${view} ${view === "match" ? value.split("@")[0] : value}`;
  if (isFromWithin && isNew) focus(view, name, value);
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
  // A change of filter or of scope is made where the reader already is.
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
