// Tables as CSV, Markdown and LaTeX; drawings as SVG and PNG. They are copied or saved as files, and nothing is sent.

import { csv } from "./csv.js";
import { element } from "./dom.js";

const FORMATS = {
  CSV: { ending: "csv", type: "text/csv", write: csv },
  Markdown: { ending: "md", type: "text/markdown", write: markdown },
  LaTeX: { ending: "tex", type: "text/x-tex", write: latex },
};
/** The style properties that a drawing needs outside of the page. */
const DRAWN = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-opacity", "opacity",
  "font-family", "font-size", "font-weight", "text-anchor", "paint-order", "visibility", "display",
];
const PNG_SCALE = 2;

/** Buttons that copy or save a table. `read` gives its rows, the heads first, each cell a text and its small print; and which columns are numbers. */
export function tableTools(read, name) {
  const choose = (format) => [
    element("button", { type: "button", click: (event) => copied(event.target, written(format, read())) }, `Copy ${format}`),
    element(
      "button",
      { type: "button", click: () => save(`${fileName(name)}.${FORMATS[format].ending}`, FORMATS[format].type, written(format, read())) },
      `Save ${format}`,
    ),
  ];
  return tools(`Export ${name}`, Object.keys(FORMATS).flatMap(choose));
}

function written(format, { rows, isNumber }) {
  return FORMATS[format].write(rows, isNumber);
}

/** A cell's text, and its small print in brackets. */
function textOf([text, ...small]) {
  return small.length === 0 ? text : `${text} (${small.join(", ")})`;
}

/** Buttons that save a drawing. */
export function plotTools(svg, name) {
  return tools(`Save ${name}`, [
    element("button", { type: "button", click: () => saveSvg(svg(), name) }, "Save SVG"),
    element("button", { type: "button", click: () => savePng(svg(), name) }, "Save PNG"),
  ]);
}

function tools(label, buttons) {
  const summary = element("summary", { "aria-label": label, title: label }, "⋯");
  const menu = element("details", { class: "tools" }, summary, element("div", {}, buttons));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    summary.focus();
  });
  // A click anywhere else closes it, also one that opens another menu.
  const close = (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  };
  // What is saved is shown by the browser; what is copied, by the button.
  menu.addEventListener("click", ({ target }) => {
    if (target.textContent.startsWith("Save")) menu.open = false;
  });
  menu.addEventListener("toggle", () => {
    if (menu.open) document.addEventListener("pointerdown", close);
    else document.removeEventListener("pointerdown", close);
  });
  return menu;
}

export function saveSvg(svg, name) {
  save(`${fileName(name)}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(standalone(svg)));
}

export async function savePng(svg, name) {
  const copy = standalone(svg);
  const [width, height] = ["width", "height"].map((side) => Number(copy.getAttribute(side)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = element("canvas", { width: width * PNG_SCALE, height: height * PNG_SCALE });
  const context = canvas.getContext("2d");
  context.scale(PNG_SCALE, PNG_SCALE);
  context.drawImage(image, 0, 0, width, height);
  canvas.toBlob((blob) => saveBlob(`${fileName(name)}.png`, blob), "image/png");
}

/** A copy of a drawing that looks the same without the page's styles, on the page's background. */
export function standalone(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [svg, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((node, idx) => {
    const style = getComputedStyle(node);
    const kept = DRAWN.map((name) => [name, style.getPropertyValue(name)]).filter(([, value]) => value !== "");
    to[idx].removeAttribute("class");
    for (const [name, value] of kept) to[idx].setAttribute(name, value);
  });
  const box = svg.viewBox.baseVal;
  const { width, height } = svg.getBoundingClientRect();
  const scale = width === 0 ? 1 : width / box.width;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", Math.round(box.width * scale));
  copy.setAttribute("height", Math.round(height === 0 ? box.height : box.height * scale));
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const fill = getComputedStyle(svg.closest(".chart, .card") ?? document.body).backgroundColor;
  for (const [name, value] of Object.entries({ x: box.x, y: box.y, width: box.width, height: box.height, fill })) paper.setAttribute(name, value);
  copy.prepend(paper);
  return copy;
}

/** Copies a text and says so on the button. */
export async function copied(button, text) {
  const label = button.textContent;
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    isCopied = copiedBySelection(text);
  }
  button.textContent = isCopied ? "Copied" : "Copying failed";
  setTimeout(() => (button.textContent = label), 1500);
}

/** For browsers that deny the clipboard to pages from disk. */
function copiedBySelection(text) {
  const field = element("textarea", { class: "unseen", "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}

function save(name, type, text) {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

function saveBlob(name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A name that every system takes. */
function fileName(name) {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60) || "table";
}

function markdown(rows) {
  const cell = (it) => textOf(it).replace(/[\\`*_[\]<>|~#]/g, (sign) => `\\${sign}`);
  const line = (row) => `| ${row.map(cell).join(" | ")} |\n`;
  const [head, ...body] = rows;
  return `${line(head)}|${head.map(() => "---|").join("")}\n${body.map(line).join("")}`;
}

/** What LaTeX reads as a command, and what it or one of its fonts lacks. The brackets and the star would belong to the end of the row before. */
const IN_LATEX = {
  "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}", "[": "{[}", "]": "{]}", "*": "{*}",
  "&": "\\&", "%": "\\%", $: "\\$", "#": "\\#", _: "\\_", "{": "\\{", "}": "\\}",
  "−": "$-$", "±": "$\\pm$", "≈": "$\\approx$", "≤": "$\\leq$", "≥": "$\\geq$", "∞": "$\\infty$", "½": "$\\frac12$", "×": "$\\times$", "·": "$\\cdot$", "→": "$\\rightarrow$", "↔": "$\\leftrightarrow$", "µ": "$\\mu$",
  "–": "--", "—": "---", "…": "\\ldots{}", "“": "``", "”": "''", "\u00a0": "~", "\u202f": "\\,",
};

function latex(rows, isNumber) {
  const cell = (it) => [...textOf(it)].map((sign) => IN_LATEX[sign] ?? sign).join("");
  const line = (row) => `  ${row.map(cell).join(" & ")} \\\\\n`;
  const [head, ...body] = rows;
  return `\\begin{tabular}{${isNumber.map((is) => (is ? "r" : "l")).join("")}}\n${line(head)}  \\hline\n${body.map(line).join("")}\\end{tabular}\n`;
}
