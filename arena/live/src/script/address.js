// Says what the address names that there is not.

import { byId } from "./dom.js";

/** The names that an address may have, by what it has them for; `null` before they are known. */
let known = null;

for (const event of ["hashchange", "change", "click"]) addEventListener(event, sayUnknown);

/** Takes note of the engines, and of the games by their names in the ratings. */
export function knowNames(engines, games) {
  known = { engine: engines, opponent: engines, game: games, standings: ["overall", ...games] };
}

/** Of the part after `#`, it is known that there is a match, and what is followed is said beside the boards as long as there is something to follow. */
export function sayUnknown() {
  if (known === null) return;
  const chosen = [...new URLSearchParams(location.search)].filter(([name, value]) => value !== "" && known[name]?.includes(value) === false).map(([, value]) => value);
  const [part, name] = /^#([^=]+)=/.exec(location.hash) ?? [];
  const isUnknown = part !== undefined && name !== "match" && (name !== "follow" || ["ended", "stopped"].includes(document.body.dataset.state));
  const named = [...new Set([...chosen, ...(isUnknown ? [readable(location.hash)] : [])])].map((one) => `\u201c${one}\u201d`);
  byId("unknown").hidden = named.length === 0;
  byId("unknown").textContent = `The address names ${named.join(" and ")}, which this page does not have: it shows all engines and games.`;
}

function readable(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
