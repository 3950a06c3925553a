// The filter of the list of matches: the form's fields, their text in the page's address, and the test of a match.

import { countOfMatches, data, hasReasons, idOfRow, isFault, placeOfEngine, resultOfRow, saysWhy } from "./data.js";
import { byId, element } from "./dom.js";

/** Fills the form's lists of choices and calls `changed` whenever it says something else. */
export function startFilter(changed) {
  const form = byId("filter");
  const add = (name, options) =>
    form.elements[name].append(...options.map(([value, text]) => element("option", { value }, text)));
  const engines = data.engines.map((name) => [name, shortened(name)]);
  add("game", data.games.map((game) => [game.id, game.name]));
  add("engine", engines);
  add("opponent", engines);
  const { reasons, reason_words: words } = data.matches;
  form.elements.game.closest("label").hidden = data.games.length === 1;
  add("reason", reasons.map((reason, idx) => [reason, words[idx]]).sort(([, one], [, other]) => (one < other ? -1 : 1)));
  form.elements.reason.closest("label").hidden = !saysWhy();
  const hasPlies = data.matches.plies.some((plies) => plies !== null);
  for (const name of ["from", "to"]) form.elements[name].closest("label").hidden = !hasPlies;
  form.elements.faults.closest("label").hidden = !hasReasons();
  // On a narrow screen the list comes first.
  const isNarrow = matchMedia("(max-width: 700px)");
  const fit = () => (byId("filter-box").open = !isNarrow.matches);
  isNarrow.addEventListener("change", fit);
  fit();
  form.addEventListener("input", () => {
    fitResults();
    changed();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () =>
    setTimeout(() => {
      fitResults();
      changed();
    }),
  );
}

/** Whether an engine won or lost can be asked only of one that is chosen. */
function fitResults() {
  const { engine, result } = byId("filter").elements;
  for (const option of result.options) if (["win", "loss"].includes(option.value)) option.disabled = engine.value === "";
  if (result.selectedOptions[0]?.disabled) result.value = "";
}

/** Sets the form to what an address says: `game:push,engine:alpha-beta`. Says whether the form has all of it. */
export function setFilter(text) {
  const wanted = new Map(parts(text));
  for (const field of fields()) {
    const value = wanted.get(field.name) ?? "";
    if (field.type === "checkbox") field.checked = value === "1";
    else field.value = value;
  }
  fitResults();
  const n_parts = (one) => one.split(",").filter((part) => part !== "").length;
  return n_parts(filterText()) === n_parts(text);
}

/** The rows that the form means. */
export function filteredRows() {
  return rowsOf(new Map(parts(filterText())));
}

/** What the form says, part by part: in words, how many matches fit the other parts, and what removes it. */
export function partsOfFilter() {
  const wanted = new Map(parts(filterText()));
  return fields()
    .filter((field) => wanted.has(field.name))
    .map((field) => {
      const label = field.closest("label").textContent.trim();
      const title = field.closest("label").firstChild.textContent.trim();
      const others = new Map([...wanted].filter(([name]) => name !== field.name));
      return {
        words: field.type === "checkbox" ? label : `${title}: ${field.selectedOptions?.[0].textContent ?? field.value}`,
        n_without: rowsOf(others).length,
        remove: () => {
          if (field.type === "checkbox") field.checked = false;
          else field.value = "";
          field.dispatchEvent(new Event("input", { bubbles: true }));
        },
      };
    });
}

function rowsOf(wanted) {
  const isMeant = test(wanted);
  const rows = [];
  for (let row = 0; row < countOfMatches(); row++) if (isMeant(row)) rows.push(row);
  return rows;
}

function fields() {
  return [...byId("filter").elements].filter((field) => field.name !== "");
}

/** What the form says, as in an address. */
export function filterText() {
  const value = (field) => (field.type === "checkbox" ? (field.checked ? "1" : "") : field.value);
  return fields()
    .filter((field) => value(field) !== "")
    .map((field) => `${field.name}:${encodeURIComponent(value(field))}`)
    .join(",");
}

function parts(text) {
  return text
    .split(",")
    .filter((part) => part.includes(":"))
    .map((part) => [part.slice(0, part.indexOf(":")), decoded(part.slice(part.indexOf(":") + 1))]);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function test(wanted) {
  const { matches } = data;
  const number = (name) => (wanted.has(name) ? Number(wanted.get(name)) : null);
  const [from, to] = ["from", "to"].map(number);
  const [engine, opponent] = ["engine", "opponent"].map((name) => (wanted.has(name) ? placeOfEngine(wanted.get(name)) : null));
  const reason = wanted.has("reason") ? matches.reasons.indexOf(wanted.get("reason")) : null;
  const game = data.games.findIndex((one) => one.id === wanted.get("game"));
  const side = wanted.get("side");
  const result = wanted.get("result");
  const text = wanted.has("text") ? plain(wanted.get("text").trim()) : undefined;
  // The whole text is found, or otherwise all of its words.
  const [whole, ...words] = text === undefined ? [] : [text, ...text.split(/\s+/)].map(search);
  const hasWhole = whole !== undefined && matches.result.some((_, row) => whole(row));
  const isFound = (row) => text === undefined || (hasWhole ? whole(row) : words.every((is) => is(row)));

  const plays = (row, one, other) => {
    const [white, black] = [matches.white[row], matches.black[row]];
    const asWhite = (one === null || white === one) && (other === null || black === other);
    const asBlack = (one === null || black === one) && (other === null || white === other);
    if (side === "w") return asWhite;
    if (side === "b") return asBlack;
    return asWhite || asBlack;
  };
  const points = (row) => (matches.white[row] === engine ? matches.result[row] : 2 - matches.result[row]);
  const hasResult = (row) => {
    const of_white = matches.result[row];
    switch (result) {
      case "1": return of_white !== 1;
      case "d": return of_white === 1;
      case "w": return of_white === 2;
      case "b": return of_white === 0;
      case "win": return engine === null || points(row) === 2;
      case "loss": return engine === null || points(row) === 0;
      default: return true;
    }
  };
  return (row) =>
    (game < 0 || matches.game[row] === game) &&
    plays(row, engine, opponent) &&
    hasResult(row) &&
    (reason === null || matches.reason[row] === reason) &&
    (from === null || (matches.plies[row] !== null && from <= matches.plies[row])) &&
    (to === null || (matches.plies[row] !== null && matches.plies[row] <= to)) &&
    (!wanted.has("faults") || isFault(row)) &&
    isFound(row);
}

/** A text without case and accents. */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether a row of the list has a text, by row. */
function search(text) {
  const { matches } = data;
  const match = /^(?:match |#)(\d.*)$/.exec(text)?.[1];
  if (match !== undefined) return (row) => idOfRow(row) === match;
  const round = /^round (\S+)$/.exec(text)?.[1];
  if (round !== undefined && matches.round != null) return (row) => matches.round[row] === round;
  // A number is that of a match, or all of an opening's name; `opening 3` is what the list calls 3.
  const isNumber = /^\d+(-\d+)?$/.test(text);
  const listed = /^(?:opening|position) (\d+)$/.exec(text)?.[1];
  const isOpening = matches.openings.map((opening, idx) => (listed !== undefined ? String(idx + 1) === listed : isNumber ? opening === text : plain(opening).includes(text)));
  const has = (words) => !isNumber && plain(words).includes(text);
  const [isNamed, isOfReason] = [data.engines, matches.reason_words].map((all) => all.map(has));
  const isOfGame = data.games.map(({ name, id }) => has(name) || has(id));
  const asResult = ["draw", "½", "1/2"].includes(text) ? "½–½" : text.replaceAll("1/2", "½").replace(/[-−]/, "–");
  // PGN writes days with dots.
  const hasDate = (date) => has(date) || has(date.replaceAll("-", "."));
  return (row) => idOfRow(row) === text || isOpening[matches.opening[row]] || isNamed[matches.white[row]] || isNamed[matches.black[row]] || isOfGame[matches.game[row]] || isOfReason[matches.reason[row]] || resultOfRow(row) === asResult || hasDate(matches.date?.[row] ?? "");
}

function shortened(name) {
  return name.length <= 60 ? name : `${name.slice(0, 59)}…`;
}
