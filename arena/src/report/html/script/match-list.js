// The list of matches: sorted by any column, and of any length, because only visible rows are in the document.

import { countOfMatches, data, idOfRow, isFault, reasonOfRow, resultOfRow } from "./data.js";
import { byId, element, nameOf } from "./dom.js";
import { filteredRows } from "./match-filter.js";
import { count, time } from "./format.js";

const ROW_HEIGHT = 36;
/** Rows beyond the visible ones, at both ends. */
const SPARE_ROWS = 12;

/** Heading, class, what to sort by, and the cell's content for a row. */
const COLUMNS = [
  ["Match", "c-number", (row) => row, (row) => element("a", { href: `#match=${idOfRow(row)}` }, idOfRow(row))],
  ["Game", "c-game", (row) => data.matches.game[row], (row) => data.games[data.matches.game[row]].name],
  ["White", "c-engine", (row) => data.matches.white[row], (row) => nameOf(data.engines[data.matches.white[row]])],
  ["Black", "c-engine", (row) => data.matches.black[row], (row) => nameOf(data.engines[data.matches.black[row]])],
  ["Result", "c-result", (row) => data.matches.result[row], resultOfRow],
  ["Reason", "c-reason wide-only", reasonOfRow, (row) => (isFault(row) ? element("span", { class: "badge fault" }, reasonOfRow(row)) : element("bdi", {}, reasonOfRow(row)))],
  ["Plies", "c-plies number wide-only", (row) => data.matches.plies[row], (row) => count(data.matches.plies[row])],
  ["Time", "c-time number wide-only", timeOf, (row) => (timeOf(row) === 0 ? "< 1\u202fms" : time(timeOf(row)))],
  ["Opening", "c-opening wide-only", (row) => data.matches.opening[row], (row) => nameOf(data.matches.openings[data.matches.opening[row]])],
];

const list = { rows: [], column: 0, isDescending: false, first: -1, last: -1 };

function timeOf(row) {
  return data.matches.white_ms[row] + data.matches.black_ms[row];
}

/** Makes the table. */
export function startList() {
  const box = byId("match-list");
  list.box = box;
  list.heads = COLUMNS.map(([title, type], column) =>
    element("th", { scope: "col", class: type }, element("button", { type: "button", click: () => sortBy(column) }, title)),
  );
  list.body = element("tbody", { click: open, keydown: move });
  list.table = element(
    "table",
    {},
    element("caption", { class: "unseen" }, "Matches"),
    element("colgroup", {}, COLUMNS.map(([, type]) => element("col", { class: type }))),
    element("thead", {}, element("tr", {}, list.heads)),
    list.body,
  );
  box.append(list.table);
  box.addEventListener("scroll", () => draw(false), { passive: true });
  new ResizeObserver(() => requestAnimationFrame(() => draw(true))).observe(box);
}

/** Shows what the filter means. */
export function refreshList() {
  list.rows = filteredRows();
  const n = list.rows.length;
  byId("match-count").textContent = `${count(n)} of ${count(countOfMatches())} matches`;
  sort();
}

/** The rows shown, in their order: what is before and after a match. */
export function rowsShown() {
  return list.rows;
}

function sortBy(column) {
  list.isDescending = list.column === column && !list.isDescending;
  list.column = column;
  sort();
}

function sort() {
  const [, , key] = COLUMNS[list.column];
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
  list.box.scrollTop = 0;
  draw(true);
}

/** Puts the rows there that can be seen, between two empty ones as high as the others would be. */
function draw(isChanged) {
  const { box, rows, body } = list;
  const n_visible = Math.ceil((box.clientHeight || 600) / ROW_HEIGHT);
  const first = Math.max(0, Math.floor(box.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
  const last = Math.min(rows.length, first + n_visible + 2 * SPARE_ROWS);
  if (!isChanged && first === list.first && last === list.last) return;
  const focused = body.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  [list.first, list.last] = [first, last];
  body.replaceChildren(
    gap(first),
    ...rows.slice(first, last).map((row, idx) => rowOf(row, first + idx)),
    gap(rows.length - last),
  );
  if (focused !== null) body.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

function rowOf(row, place) {
  const cells = COLUMNS.map(([, type, , content]) => element("td", { class: type }, content(row)));
  return element("tr", { "aria-rowindex": place + 2, class: isFault(row) ? "match is-fault" : "match" }, cells);
}

function gap(n_rows) {
  const cell = element("td", {});
  cell.style.height = `${n_rows * ROW_HEIGHT}px`;
  return element("tr", { class: "gap", "aria-hidden": "true" }, cell);
}

/** A click anywhere in a row opens its match. */
function open(event) {
  const link = event.target.closest("tr")?.querySelector("a");
  if (link && !event.target.closest("a")) location.hash = link.getAttribute("href");
}

/** The arrow keys go from row to row. */
function move(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const place = Number(event.target.closest("tr").getAttribute("aria-rowindex")) - 2 + step;
  if (place < 0 || list.rows.length <= place) return;
  const top = place * ROW_HEIGHT;
  const height = list.box.clientHeight - ROW_HEIGHT;
  if (top < list.box.scrollTop) list.box.scrollTop = top;
  if (list.box.scrollTop + height < top + ROW_HEIGHT) list.box.scrollTop = top + ROW_HEIGHT - height;
  draw(false);
  list.body.querySelector(`tr[aria-rowindex="${place + 2}"] a`)?.focus({ preventScroll: true });
}
