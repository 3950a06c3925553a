// Every table can be sorted by each of its columns, copied and saved. The sorting is a part of the address.

import { explain } from "./data.js";
import { element, headOf, nameOf } from "./dom.js";
import { tableTools } from "./export.js";

/** Called with a table's id and a column, `-` before it if it is descending; the router keeps it in the address. */
let remember = () => {};

/** Prepares the tables of the page. */
export function startTables(onSorted) {
  remember = onSorted;
  document.querySelectorAll("table.sortable").forEach((table) => equip(table));
}

/** On narrow screens, a table whose columns have no mark has its head and this many of its first numbers; the others are below. */
const N_KEPT = 3;

/** A table of numbers with explained columns, the most important ones first; a column may also be its head. Each row has its head and its cells. */
export function tableOf(id, title, kind, first, columns, rows, facts = "") {
  const headed = (column) => (column instanceof Element ? column : element("th", { scope: "col", class: "number" }, headOf(column, explain(column))));
  const heads = columns.map(headed);
  heads.filter((head) => head.matches(".number:not(.bars)")).slice(0, N_KEPT).forEach((head) => head.classList.add("kept"));
  return element(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": title },
    element(
      "table",
      { class: `${kind} sortable`, id },
      element("caption", {}, element("b", {}, title), ` ${facts}`),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, first), heads)),
      element("tbody", {}, rows.map(([head, cells]) => element("tr", {}, element("th", { scope: "row", class: "name" }, head), cells))),
    ),
  );
}

/** Makes a table sortable if it should be, and gives it its tools. */
export function equip(table) {
  const name = (table.caption?.querySelector("b") ?? table.caption)?.textContent.trim() || table.id;
  const box = table.closest(".wide");
  const frame = element("div", { class: "table-frame" }, element("div", { class: "table-bar" }, tableTools(() => read(table), name)));
  box.replaceWith(frame);
  frame.append(box);
  for (const name of table.querySelectorAll(".name bdi")) if (name.title === name.textContent) name.replaceWith(nameOf(name.title));
  if (!table.matches(".matrix")) removeEmpty(table);
  fold(table);
  if (table.classList.contains("sortable")) heads(table).forEach((head, column) => makeSortable(table, head, column));
}

/** Removes the columns that say nothing in any row, as times of another tool's matches do. */
function removeEmpty(table) {
  const rows = [...table.tBodies[0].rows].map((row) => [...row.cells]);
  heads(table).forEach((head, idx) => {
    const column = rows.map((cells) => cells[idx]);
    const isEmpty = !head.matches(".plot-head") && column.every((cell) => cell !== undefined && ["", "–"].includes(cell.textContent.trim()) && cell.childElementCount === cell.querySelectorAll(".sub").length);
    if (isEmpty) [head, ...column].forEach((cell) => cell.remove());
  });
}

/** Says below each row what its columns say that narrow screens leave out: all but its head and those that are `kept`. */
function fold(table) {
  const columns = heads(table);
  const isLeftOut = columns.map((head) => !head.matches(".kept") && table.tBodies[0].rows[0]?.cells[head.cellIndex].scope !== "row");
  if (columns.every((head) => !head.matches(".kept"))) return;
  table.classList.add("folding");
  // As a grid, it is no table any more for those who hear it.
  const ROLES = { table: "table", thead: "rowgroup", tbody: "rowgroup", tr: "row", "thead th": "columnheader", "tbody th": "rowheader", td: "cell" };
  for (const [selector, role] of Object.entries(ROLES)) [table, ...table.querySelectorAll("*")].filter((one) => one.matches(selector)).forEach((one) => one.setAttribute("role", role));
  columns.forEach((head, idx) => head.classList.toggle("left-out", isLeftOut[idx]));
  for (const row of table.tBodies[0].rows) {
    const cells = [...row.cells];
    const said = columns
      .map((head, idx) => [head, partsOf(cells[idx]).filter((part) => part !== "").join(", ")])
      .filter(([head, text], idx) => isLeftOut[idx] && !head.matches(".plot-head") && text !== "" && text !== "–")
      .map(([head, text]) => `${head.textContent.trim()} ${text}`);
    cells.forEach((cell, idx) => cell.classList.toggle("left-out", isLeftOut[idx]));
    const parts = said.flatMap((text, idx) => [element("span", {}, idx + 1 === said.length ? text : `${text} ·`), " "]);
    if (said.length !== 0) row.append(element("td", { class: "rest", role: "cell" }, parts));
  }
}

/** Sorts the table that an address names: `engines-table.-2`. */
export function sortAs(text) {
  const [, id, minus, column] = /^(.*)\.(-?)(\d+)$/.exec(text) ?? [];
  const table = id === undefined ? null : document.getElementById(id);
  if (table?.classList.contains("sortable") && Number(column) < heads(table).length) sort(table, Number(column), minus === "-");
}

function heads(table) {
  return [...table.tHead.rows[0].cells];
}

function makeSortable(table, head, column) {
  // A drawing has no order; what compares a row with the next one is hidden in any other order.
  if (head.matches(".plot-head, .of-next")) return;
  const button = element("button", { type: "button", class: "sort" });
  button.append(...head.childNodes);
  // A link in a heading stays a link; its sign sorts.
  const link = button.querySelector("a");
  if (link !== null) {
    head.append(link);
    button.setAttribute("aria-label", `Sort by ${link.textContent}`);
    button.classList.add("only-sign");
  }
  head.append(button);
  button.addEventListener("click", () => {
    // Numbers are most interesting from the largest to the smallest.
    const order = head.getAttribute("aria-sort");
    const isNumber = head.classList.contains("number");
    const isDescending = order === null ? isNumber : order === "ascending";
    sort(table, column, isDescending);
    remember(`${table.id}.${isDescending ? "-" : ""}${column}`);
  });
}

/** The rows of tables as they came. */
const ranked = new WeakMap();

function sort(table, column, isDescending) {
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row, idx) => [keyOf(row.cells[column]), idx, row]);
  const compare = ([one, oneIdx], [other, otherIdx]) => {
    // Empty cells are last in both orders.
    if (one === null || other === null) return (one === null) - (other === null) || oneIdx - otherIdx;
    const order = typeof one === "number" && typeof other === "number" ? one - other : String(one) < String(other) ? -1 : String(one) === String(other) ? 0 : 1;
    return (isDescending ? -order : order) || oneIdx - otherIdx;
  };
  const before = ranked.get(table) ?? [...body.rows];
  ranked.set(table, before);
  body.append(...keyed.sort(compare).map(([, , row]) => row));
  table.classList.toggle("is-reordered", before.some((row, idx) => row !== body.rows[idx]));
  heads(table).forEach((head, idx) => {
    if (idx === column) head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
}

const UNITS = { "%": 1, µs: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, k: 1e3, M: 1e6, G: 1e9, "": 1 };

/** What a cell is sorted by: its `data-value`, the number that its text begins with, or its text; `null` if it is empty. */
function keyOf(cell) {
  const given = cell?.dataset.value;
  const text = (given ?? (cell === undefined ? "" : ownText(cell))).trim();
  if (text === "" || text === "–") return null;
  const number = /^([+−-]?)([\d,]*\.?\d+)[\s\u202f]*(%|µs|ms|s|min|h|k|M|G)?\b/.exec(text);
  if (number === null || (given === undefined && !cell.classList.contains("number"))) return text.toLowerCase();
  const value = Number(number[2].replaceAll(",", "")) * UNITS[number[3] ?? ""];
  return number[1] === "" || number[1] === "+" ? value : -value;
}

/** The text of a cell without what is below it in small print. */
export function ownText(cell) {
  return [...cell.childNodes].filter((node) => !node.classList?.contains("sub")).map((node) => node.textContent).join("");
}

/** The cells of a table as texts, each with its small print, and which columns are numbers; drawings have no column. `data-text` replaces what is shown. */
function read(table) {
  const columns = heads(table);
  const isShown = columns.map((head) => !head.classList.contains("plot-head") && (head.classList.contains("left-out") || getComputedStyle(head).display !== "none"));
  const isMatrix = table.classList.contains("matrix");
  const shown = (values) => values.filter((_, idx) => isShown[idx] ?? true);
  return {
    rows: [...table.rows].map((row) => shown([...row.cells].filter((cell) => !cell.matches(".rest"))).map(partsOf)),
    isNumber: shown(columns.map((head, idx) => head.classList.contains("number") || (isMatrix && idx !== 0))),
  };
}

/** What a cell says, then its small print. */
function partsOf(cell) {
  if (cell.dataset.text !== undefined) return [cell.dataset.text];
  const copy = cell.cloneNode(true);
  const small = [...copy.querySelectorAll(".sub")].map((one) => one.textContent.trim()).filter((text) => text !== "");
  copy.querySelectorAll(".sub, .unseen, .narrow-only, svg").forEach((one) => one.remove());
  return [copy.textContent.replace(/\s+/g, " ").trim(), ...small];
}
