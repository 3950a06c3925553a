// Tables as CSV, for programs that calculate: what a cell shows in one text, such as a rating with its interval, has a column for each number.

const NUMBER = "([+−]?(?:[\\d,]*\\.?\\d+|∞))";
const UNIT = "\\s?(%|µs|ms|min|s|h|k|M|G)?";
/** The units that a column cannot mix: what one of them is, and in which unit its column is. */
const UNITS = { "%": [1, "%"], µs: [1e-6, "s"], ms: [1e-3, "s"], s: [1, "s"], min: [60, "s"], h: [3600, "s"], k: [1e3, ""], M: [1e6, ""], G: [1e9, ""] };

/** What signs say of a number, for the notes: its own column has nothing but numbers. */
const SAID = { "≈": "rough", "<": "less than", ">": "more than", "≥": "at least", "≤": "at most", "*": "too few decided pairs" };
const NOTE = " note";

/** What cells look like, and the fields that they have: the end of the heading, the text of the number, and its unit. */
const FORMS = [
  [`([≈<>≥≤])? ?${NUMBER}${UNIT}(?: ± ${NUMBER})?(?: \\((.*)\\))?(\\*)?`, ([sign, value, unit, error, more = "", star]) => [["", value, unit], [" ±", error], [NOTE, SAID[sign]], ...inBrackets(more), [NOTE, SAID[star]]]],
  [`\\((\\d+)\\)`, ([place]) => [[NOTE, `place ${place}`]]],
  [`(above|below) ${NUMBER}`, ([end, bound]) => [[` ${end}`, bound]]],
  [`(\\d+) (h|min) (\\d+) (min|s)`, ([one, unit, other, small]) => [["", String(Number(one) * UNITS[unit][0] + Number(other) * UNITS[small][0]), "s"]]],
  [`${NUMBER}${UNIT} to ${NUMBER}${UNIT}`, ([low, unit, high]) => [[" low", low, unit], [" high", high, unit]]],
  [`own pairs: (.+)`, ([interval]) => [...fieldsOf(interval), [NOTE, "own pairs"]]],
  [`\\+(\\d+) =(\\d+) −(\\d+)`, ([won, drawn, lost]) => [[" won", won], [" drawn", drawn], [" lost", lost]]],
  [`((?:[LDW]{2} [\\d,]+(?:, )?)+)`, ([list]) => ["LL", "LD", "DD", "WL", "WD", "WW"].map((name) => [` ${name}`, list.split(", ").find((one) => one.startsWith(name))?.slice(3) ?? "0"])],
  [`(–|[\\d,]+)/([\\d,]+)`, ([decided, all]) => [[" decided", decided === "–" ? "" : decided], ["", all]]],
  [`(\\d+)–(\\d+)`, ([from, to]) => [[" from", from], [" to", to]]],
  [`${NUMBER} of ${NUMBER}`, ([part, whole]) => [["", part], [" of", whole]]],
  [`of ${NUMBER}`, ([whole]) => [[" of", whole]]],
  [`P ([<>])? ?${NUMBER}${UNIT}`, ([sign, p, unit]) => [[" P", p, unit], [` P${NOTE}`, SAID[sign]]]],
  [`at most ${NUMBER}${UNIT}`, ([most, unit]) => [[" at most", most, unit]]],
].map(([form, fields]) => [new RegExp(`^${form}$`), fields]);

/** The ends of headings that come first, in this order. */
const FIRST = ["", " from", " to", " ±", " low", " high", " above", " below"];
const placeOf = (end) => (FIRST.includes(end) ? FIRST.indexOf(end) : FIRST.length + end.endsWith(NOTE));

/** Rows of cells, each a text and its small print; the heads are the first row. */
export function csv(rows, isNumber) {
  const [heads, ...body] = rows;
  const columns = heads.flatMap(([head], idx) => columnsOf(head, body.map((row) => row[idx]), isNumber[idx]));
  const lines = [columns.map(([head]) => head), ...body.map((_, row) => columns.map(([, cells]) => cells[row]))];
  return lines.map((line) => `${line.map(cellOf).join(",")}\r\n`).join("");
}

/** The columns of a column: headings, and texts. */
function columnsOf(head, cells, isNumber) {
  if (!isNumber) return [[head, cells.map(([text, ...small]) => (small.length === 0 ? text : `${text} (${small.join(", ")})`))]];
  const fields = cells.map((parts) => merged(parts.flatMap(fieldsOf)));
  const ends = [...new Set(fields.flatMap((one) => [...one.keys()]))].sort((one, other) => placeOf(one) - placeOf(other));
  // A single rank among ranges of ranks.
  const isRange = ends.includes(" from") && !fields.some((one) => one.has("") && one.has(" from"));
  const kept = isRange ? ends.filter((end) => end !== "") : ends;
  const valueOf = (one, end) => one.get(end) ?? (isRange && [" from", " to"].includes(end) ? one.get("") : undefined);
  const unitOf = (end) => fields.map((one) => valueOf(one, end)?.[1]).find((unit) => unit !== undefined && unit !== "");
  const isText = kept.every((end) => end === NOTE);
  const headOf = (end) => `${head}${isText ? "" : end}${unitOf(end) === undefined ? "" : ` (${unitOf(end)})`}`;
  if (kept.length === 0) return [[head, cells.map(() => "")]];
  return kept.map((end) => [headOf(end), fields.map((one) => valueOf(one, end)?.[0] ?? "")]);
}

/** Fields by the ends of their headings. A cell may have several notes. */
function merged(fields) {
  const all = new Map();
  for (const [end, text, unit] of fields) all.set(end, end.endsWith(NOTE) && all.has(end) ? [joined([...all.get(end)[0].split("; "), text]), ""] : [text, unit]);
  return all;
}

/** Notes in a text, without those that another one says, too: "rough" beside "0 is rough". */
function joined(notes) {
  const isSaid = (note) => notes.some((other) => other !== note && other.includes(note));
  return [...new Set(notes)].filter((note) => !isSaid(note)).join("; ");
}

/** The fields of a text: the end of its heading, the number, and its unit; what is no number is a note. */
function fieldsOf(text) {
  if (text === "" || text === "–") return [];
  for (const [form, fields] of FORMS) {
    const found = form.exec(text.replaceAll("\u202f", " ").replaceAll("\u00a0", " "));
    if (found !== null) return fields(found.slice(1)).filter(([, value]) => value !== undefined).map(([end, ...field]) => (end.endsWith(NOTE) ? [end, field[0], ""] : [end, ...plain(...field)]));
  }
  return [[NOTE, text, ""]];
}

/** The fields of what stands in brackets behind a number; a number is its share. */
function inBrackets(text) {
  return fieldsOf(text).map(([end, ...field]) => [end === "" ? " share" : end, ...field]);
}

/** A number as programs read it, and the unit of its column. */
function plain(text, unit = "") {
  const [factor, shown] = UNITS[unit] ?? [1, ""];
  const digits = text.replaceAll(",", "").replace("−", "-").replace("+", "").replace("∞", "inf");
  return [factor === 1 ? digits : String(Number((Number(digits) * factor).toPrecision(12))), shown];
}

function cellOf(text) {
  const plain = text.replace(/[\u2212\u2013]/g, "-").replaceAll("\u202f", " ");
  // A spreadsheet must not take a name for a formula. Numbers stay numbers.
  const isFormula = /^[=+\-@\t\r]./s.test(plain) && Number.isNaN(Number(plain)) && plain !== "-inf";
  const harmless = isFormula ? `'${plain}` : plain;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
