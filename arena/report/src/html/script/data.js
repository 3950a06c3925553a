// The data of the page: the list of matches, and the replays, which are unpacked block by block on demand.

import { byId } from "./dom.js";
import { RESULTS } from "./format.js";

/** Everything but the replays; `null` on a page without matches. */
export const data = byId("data") === null ? null : JSON.parse(byId("data").textContent);

const blocks = new Map();

export function countOfMatches() {
  return data.matches.number.length;
}

/** How the match in a row is called in links. */
export function idOfRow(row) {
  const number = data.matches.number[row];
  return data.folders.length === 1 ? String(number) : `${data.matches.folder[row] + 1}-${number}`;
}

/** The row of the match that is called exactly so, or -1. */
export function rowOfId(id) {
  return data.matches.number.findIndex((_, row) => idOfRow(row) === id);
}

/** Whether this is the name of an opening, such as `ECO C11 French Defence`, from which matches may differ in their first moves. */
export function isNamedOpening(opening) {
  return opening.startsWith("ECO ");
}

/** The other match of a row's pair, with the sides swapped, or else the nearest one from the same opening; or -1. */
export function partnerOfRow(row) {
  const { matches } = data;
  const opening = matches.openings[matches.opening[row]];
  const hasSame = (column, other) => matches[column][other] === matches[column][row];
  const isSwapped = (other) =>
    matches.white[other] === matches.black[row] && matches.black[other] === matches.white[row] && hasSame("folder", other) && hasSame("game", other);
  const ofPair = matches.pair[row] === null ? -1 : nearest(row, (other) => isSwapped(other) && hasSame("pair", other));
  if (0 <= ofPair || opening === "") return ofPair;
  // Only of neighbours, the name alone says enough.
  return nearest(row, (other) => isSwapped(other) && hasSame("opening", other), isNamedOpening(opening) ? 1 : countOfMatches());
}

/** The nearest row for which `is` holds, at most so far away; or -1. */
function nearest(row, is, most = countOfMatches()) {
  for (let distance = 1; distance <= most; distance++) {
    const found = [row + distance, row - distance].find(is);
    if (found !== undefined) return found;
  }
  return -1;
}

/** The index of the engine with this name, or -1. */
export function placeOfEngine(name) {
  return data.engines.indexOf(name);
}

/**
 * Links name engines, because indices change with every engine that is added. A page of one match has them elsewhere, or, with
 * the home `null`, nowhere.
 */
export function addressOfEngine(place) {
  return data.home === null ? null : `${data.home ?? ""}#engine=${encodeURIComponent(data.engines[place])}`;
}

export function addressOfPairing(first, second) {
  return `#pairing=${encodeURIComponent(data.engines[first])}/${encodeURIComponent(data.engines[second])}`;
}

/** The list of matches with this filter: values by the names of its fields. */
export function addressOfMatches(filter) {
  const parts = Object.entries(filter).map(([name, value]) => `${name}:${encodeURIComponent(value)}`);
  return `#matches=${parts.join(",")}`;
}

/** How the match of a row ended, in a sentence. */
export function endingOfRow(row) {
  const { result, game } = data.matches;
  const reason = reasonOfRow(row);
  return data.endings[data.games[game[row]].id]?.[reason]?.[result[row]] ?? `${resultOfRow(row)}, ${wordsOfReason(row)}.`;
}

/** The explanation of a heading. */
export function explain(term) {
  return data.terms.find((one) => one.name === term)?.meaning ?? "";
}

/** `1–0`, `½–½` or `0–1`. */
export function resultOfRow(row) {
  return RESULTS[data.matches.result[row]];
}

export function reasonOfRow(row) {
  return data.matches.reasons[data.matches.reason[row]];
}

/** The same as people read it. */
export function wordsOfReason(row) {
  return data.matches.reason_words[data.matches.reason[row]];
}

export function isFault(row) {
  return data.matches.fault[row] === 1;
}

/** Whether a match is one of chess, from any start. */
export function isOfChess(row) {
  const { id, rules = id } = data.games[data.matches.game[row]];
  return ["chess", "chess960"].includes(rules);
}

/** Whether it is known why any match ended. */
export function hasReasons() {
  return data.matches.reasons.some((reason) => reason !== "not recorded");
}

/** Whether any reason says more than that a match ended, as other tools write of most matches. */
export function saysWhy() {
  return data.matches.reasons.some((reason) => !["normal", "not recorded"].includes(reason.toLowerCase()));
}

/** The replay of a row's match. */
export async function replayOfRow(row) {
  const place = Math.floor(row / data.matches.per_block);
  if (!blocks.has(place)) blocks.set(place, unpacked(byId(`block-${place}`).textContent));
  const { rest, ...fields } = await blocks.get(place);
  const idx = row % data.matches.per_block;
  const replay = Object.entries(fields).map(([name, values]) => [name, values[idx]]);
  return { ...Object.fromEntries(replay), ...rest[idx] };
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}
