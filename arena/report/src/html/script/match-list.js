// The list of matches: sorted by any column, and of any length, because only visible rows are in the document.

import { addressOfEngine, addressOfMatches, countOfMatches, data, idOfRow, endingOfRow, isFault, isNamedOpening, resultOfRow, saysWhy, wordsOfReason } from "./data.js";
import { byId, element, nameOf, walkList } from "./dom.js";
import { tableTools } from "./export.js";
import { count, time } from "./format.js";
import { filteredRows, partsOfFilter } from "./match-filter.js";

/** Rows beyond the visible ones, at both ends. */
const SPARE_ROWS = 12;
/** More rows are not printed. */
const MOST_PRINTED = 3000;
/** Below this width of the list, both engines share a cell. */
const NARROW = 560;

/** Name in addresses, heading, class, what to sort by, text, and the cell's content for a row if it is not the text. */
const COLUMNS = [
  ["match", "Match", "c-number", (row) => row, idOfRow, (row) => [element("a", { href: `#match=${idOfRow(row)}`, tabindex: "-1" }, idOfRow(row)), element("span", { class: "of-opening" }, codeOfOpening(row))]],
  ["white", "White", "c-engine c-white", whiteOf, whiteOf, (row) => [engineLink(row, "white"), element("span", { class: "narrow-only" }, engineLink(row, "black"))]],
  ["black", "Black", "c-engine c-black", blackOf, blackOf, (row) => engineLink(row, "black")],
  ["result", "Result", "c-result", (row) => data.matches.result[row], resultOfRow, (row) => [resultOfRow(row), data.games.length < 2 ? null : element("span", { class: "narrow-only is-inline" }, ` ${gameOf(row).name}`), saysWhy() ? element("span", { class: "narrow-only" }, reasonCell(row)) : null]],
  ["game", "Game", "c-game", (row) => data.matches.game[row], (row) => gameOf(row).name, (row) => element("bdi", { title: gameOf(row).name }, gameOf(row).name)],
  ["reason", "Reason", "c-reason", wordsOfReason, wordsOfReason, reasonCell],
  ["plies", "Plies", "c-plies number", (row) => data.matches.plies[row] ?? -1, (row) => (data.matches.plies[row] === null ? "" : count(data.matches.plies[row]))],
  ["time", "Time", "c-time number", timeOf, (row) => (!hasTimes(row) ? "" : timeOf(row) === 0 ? "< 1\u202fms" : time(timeOf(row)))],
  ["round", "Round", "c-round", (row) => Number(data.matches.round?.[row]), (row) => data.matches.round?.[row] ?? ""],
  ["date", "Date", "c-date", (row) => data.matches.date?.[row] ?? "", (row) => data.matches.date?.[row] ?? ""],
  ["opening", "Opening", "c-opening", (row) => (list.hasNamedOpenings ? shortOpening(row) : numberOfOpening(row)), openingOf, openingCell],
];

/** What a cell of a narrow list shows below the content of its column. */
const SECOND_LINES = { White: "Black", Result: "Reason" };

const list = { rows: [], column: 0, isDescending: false, first: -1, last: -1, current: 0, isPrinted: false };

function whiteOf(row) {
  return data.engines[data.matches.white[row]];
}

function blackOf(row) {
  return data.engines[data.matches.black[row]];
}

/** The engine of a side, bold if it has won. The arrow keys and the Tab key stop at the match; its page has these links, too. */
function engineLink(row, side) {
  const { [side]: places, result } = data.matches;
  const hasWon = result[row] === { white: 2, black: 0 }[side];
  return element("a", { href: addressOfEngine(places[row]), tabindex: "-1", class: hasWon ? "has-won" : null }, nameOf(data.engines[places[row]]));
}

function gameOf(row) {
  return data.games[data.matches.game[row]];
}

function openingOf(row) {
  return data.matches.openings[data.matches.opening[row]];
}

/** The openings are numbered as they first occur; their positions are long. */
function numberOfOpening(row) {
  return data.matches.opening[row] + 1;
}

/** Matches of other tools have no times. */
function hasTimes(row) {
  return data.matches.white_ms[row] !== null;
}

/** The code and name of an opening, or its number; that of a position where other openings have names. */
function shortOpening(row) {
  const name = openingOf(row);
  if (isNamedOpening(name)) return name.slice("ECO ".length);
  return name === "" ? "" : `${list.hasNamedOpenings ? "position " : ""}${numberOfOpening(row)}`;
}

/** The same where there is little room: the code, or what the number is of. */
function codeOfOpening(row) {
  const short = shortOpening(row);
  if (/^\d+$/.test(short)) return `opening ${short}`;
  return short.startsWith("position ") ? short : short.split(" ")[0];
}

/** Leads to the matches from the same opening. */
function openingCell(row) {
  const name = openingOf(row);
  return name === "" ? "" : element("a", { href: addressOfMatches({ text: name }), title: `All matches from ${name}`, tabindex: "-1" }, shortOpening(row));
}

function timeOf(row) {
  return data.matches.white_ms[row] + data.matches.black_ms[row];
}

function reasonCell(row) {
  return element("bdi", { title: endingOfRow(row), class: isFault(row) ? "badge fault" : null }, wordsOfReason(row));
}

/** Makes the table, of those columns that say anything; `changed` is called when the reader sorts it. */
export function startList(changed) {
  const rows = Array.from({ length: countOfMatches() }, (_, row) => row);
  const saysNothing = ([name, , , , text]) => (name === "game" ? data.games.length < 2 : name === "reason" ? !saysWhy() : rows.every((row) => text(row) === ""));
  for (const column of COLUMNS.filter(saysNothing)) COLUMNS.splice(COLUMNS.indexOf(column), 1);
  const box = byId("match-list");
  list.box = box;
  list.hasNamedOpenings = data.matches.openings.some(isNamedOpening);
  box.classList.toggle("has-named-openings", list.hasNamedOpenings);
  box.classList.toggle("has-dates", COLUMNS.some(([name]) => name === "date"));
  list.heads = COLUMNS.map(([, title, type], column) =>
    element(
      "th",
      { scope: "col", class: type },
      element(
        "button",
        {
          type: "button",
          tabindex: column === 0 ? "0" : "-1",
          keydown: moveInHead,
          click: () => {
            list.isDescending = list.column === column && !list.isDescending;
            list.column = column;
            sort();
            changed();
          },
        },
        title,
        title === "Match" && COLUMNS.some(([name]) => name === "opening") ? element("span", { class: "of-opening" }, "Opening") : null,
        title in SECOND_LINES && (title !== "Result" || saysWhy()) ? element("span", { class: "narrow-only" }, SECOND_LINES[title]) : null,
      ),
    ),
  );
  list.body = element("tbody", { click: open, keydown: move });
  list.table = element(
    "table",
    {},
    element("caption", { class: "unseen" }, "Matches"),
    element("colgroup", {}, COLUMNS.map(([, , type]) => element("col", { class: type }))),
    element("thead", {}, element("tr", {}, list.heads)),
    list.body,
  );
  box.append(list.table);
  const frame = element("div", { class: "table-frame" }, element("div", { class: "table-bar" }, tableTools(read, "Matches")));
  box.replaceWith(frame);
  frame.append(box);
  for (const scrolled of [box, window]) scrolled.addEventListener("scroll", () => draw(false), { passive: true });
  new ResizeObserver(() => requestAnimationFrame(() => draw(false))).observe(box);
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
}

/** Shows what the filter means. */
export function refreshList() {
  list.rows = filteredRows();
  list.current = 0;
  const n = list.rows.length;
  byId("match-count").textContent = `${count(n)} of ${count(countOfMatches())} matches`;
  showEmpty();
  sort();
}

/** If nothing fits the filter: which part of it to remove. */
function showEmpty() {
  const box = byId("match-empty");
  box.hidden = list.rows.length !== 0 || countOfMatches() === 0;
  (byId("match-list").closest(".table-frame") ?? byId("match-list")).hidden = !box.hidden;
  if (box.hidden) return;
  const button = (text, click) => element("button", { type: "button", click }, text);
  const helpful = partsOfFilter().filter(({ n_without: n }) => n !== 0);
  const remove = helpful.map(({ words, n_without: n, remove }) => button(`Remove “${words}” (${count(n)} ${n === 1 ? "match" : "matches"})`, remove));
  box.replaceChildren(element("p", {}, "No match fits all parts of the filter."), element("p", { class: "remedies" }, remove, button("Clear the filter", () => byId("filter").reset())));
}

/** The rows shown, in their order: what is before and after a match. */
export function rowsShown() {
  return list.rows;
}

/** The order as addresses have it: a column, `-` before it if it is descending; empty for the order of the schedule. */
export function sortingOfList() {
  if (list.column === 0 && !list.isDescending) return "";
  return `${list.isDescending ? "-" : ""}${COLUMNS[list.column][0]}`;
}

export function setSortingOfList(text) {
  list.isDescending = text.startsWith("-");
  list.column = Math.max(0, COLUMNS.findIndex(([name]) => name === text.replace("-", "")));
}

function read() {
  const heads = COLUMNS.map(([, title]) => [title]);
  const rows = list.rows.map((row) => COLUMNS.map(([, , , , text]) => [text(row)]));
  return { rows: [heads, ...rows], isNumber: COLUMNS.map(([, , type]) => type.endsWith(" number")) };
}

function sort() {
  const [, , , key] = COLUMNS[list.column];
  const sign = list.isDescending ? -1 : 1;
  const compare = (one, other) => {
    const [a, b] = [key(one), key(other)];
    if (a === b) return one - other;
    return a < b ? -sign : sign;
  };
  list.rows.sort(compare);
  list.heads.forEach((head, column) => {
    const order = list.isDescending ? "descending" : "ascending";
    if (column === list.column) head.setAttribute("aria-sort", order);
    else head.removeAttribute("aria-sort");
  });
  list.table.setAttribute("aria-rowcount", list.rows.length + 1);
  list.current = 0;
  if (0 < topOfView()) scrollToTop(0);
  draw(true);
}

function print(isPrinted) {
  list.isPrinted = isPrinted;
  draw(true);
}

function rowHeight() {
  return (list.box.clientWidth || innerWidth) < NARROW ? 40 : 36;
}

/** On a phone, the page scrolls and not the list: what is seen of the list begins so far below its top. */
function topOfView() {
  return isOfPage() ? -list.box.getBoundingClientRect().top : list.box.scrollTop;
}

function scrollToTop(top) {
  if (isOfPage()) scrollBy(0, top - topOfView());
  else list.box.scrollTop = top;
}

function heightOfView() {
  return isOfPage() ? innerHeight : list.box.clientHeight;
}

function isOfPage() {
  return getComputedStyle(list.box).overflowY === "visible";
}

/** Puts the rows there that can be seen, between two empty ones as high as the others would be. */
function draw(isChanged) {
  const { box, rows, body } = list;
  const height = rowHeight();
  // Its height says how many rows can be seen.
  box.classList.toggle("is-short", rows.length <= SPARE_ROWS);
  const n_visible = Math.ceil((heightOfView() || 600) / height);
  const first = list.isPrinted ? 0 : Math.max(0, Math.floor(topOfView() / height) - SPARE_ROWS);
  const last = Math.min(rows.length, list.isPrinted ? MOST_PRINTED : first + n_visible + 2 * SPARE_ROWS);
  const isNarrow = height !== 36;
  // Rows that can stay do: a click may be on one of them.
  if (!isChanged && isNarrow === box.classList.contains("is-narrow") && first === list.first && last === list.last) return;
  const hasFocus = body.contains(document.activeElement);
  [list.first, list.last] = [first, last];
  box.classList.toggle("is-narrow", isNarrow);
  body.replaceChildren(
    gap(first * height),
    ...rows.slice(first, last).map((row, idx) => rowOf(row, first + idx)),
    gap(list.isPrinted ? 0 : (rows.length - last) * height),
  );
  byId("match-unprinted").textContent = list.isPrinted && last < rows.length ? `The first ${count(last)} matches are printed.` : "";
  showCurrent(hasFocus);
}

/** One row takes part in the order of the Tab key: the current one, or the first that is there. */
function showCurrent(hasFocus) {
  const place = Math.max(list.first, Math.min(list.current, list.last - 1));
  const link = list.body.querySelector(`tr[aria-rowindex="${place + 2}"] a`);
  list.body.querySelector("a[tabindex='0']")?.setAttribute("tabindex", "-1");
  link?.setAttribute("tabindex", "0");
  if (hasFocus) link?.focus({ preventScroll: true });
}

function rowOf(row, place) {
  const cells = COLUMNS.map(([, , type, , text, content]) => element("td", { class: type, title: content === undefined ? text(row) : null }, content === undefined ? text(row) : content(row)));
  return element("tr", { "aria-rowindex": place + 2, class: isFault(row) ? "match is-fault" : "match" }, cells);
}

function gap(height) {
  const cell = element("td", {});
  cell.style.height = `${height}px`;
  return element("tr", { class: "gap", "aria-hidden": "true" }, cell);
}

/** A click anywhere in a row opens its match. */
function open(event) {
  const row = event.target.closest("tr");
  const link = row?.querySelector("a");
  if (!link) return;
  list.current = Number(row.getAttribute("aria-rowindex")) - 2;
  if (!event.target.closest("a")) location.hash = link.getAttribute("href");
}

/** The arrow keys go from row to row. */
function move(event) {
  const page = Math.max(1, Math.floor(heightOfView() / rowHeight()) - 2);
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -list.rows.length, End: list.rows.length }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const here = Number(event.target.closest("tr").getAttribute("aria-rowindex")) - 2;
  goTo(Math.max(0, Math.min(list.rows.length - 1, here + step)));
}

/** Goes to a match of the list; says whether it is there. */
export function showInList(row) {
  const place = list.rows.indexOf(row);
  if (place < 0) return false;
  goTo(place);
  return true;
}

function goTo(place) {
  list.current = place;
  const top = list.current * rowHeight();
  const height = heightOfView() - list.table.tHead.offsetHeight;
  if (top < topOfView()) scrollToTop(top);
  if (topOfView() + height < top + rowHeight()) scrollToTop(top + rowHeight() - height);
  draw(false);
  showCurrent(true);
}

/** The heads are one stop of the Tab key: the arrow keys go from one to the next. */
function moveInHead(event) {
  const buttons = list.heads.map((head) => head.firstChild).filter((button) => button.offsetParent !== null);
  walkList(event, buttons, "ArrowLeft", "ArrowRight");
}
