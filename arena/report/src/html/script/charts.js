// Charts of curves, as SVG: they follow the theme and the width, can be printed, and can be saved.

import { drawn, element, nameOf } from "./dom.js";
import { plotTools } from "./export.js";
import { signed } from "./format.js";

const CHARACTER_WIDTH = 6.6;
const LABEL_HEIGHT = 13;
/** Curves that end so near to each other lie on each other. */
const CLOSE = 2;
const LONGEST_LABEL = 18;
const LONGEST_IN_READOUT = 40;
/** Curves beyond this number have no label at their ends: they are shown when the pointer is on them. */
const MOST_LABELS = 16;

/**
 * A chart in `box`: `title`, `x` (ascending numbers), `series` (each a `label`, `values`, a `colour` class, whether it is
 * `stepped`, whether it `hasGaps` where values are missing), `show` (how a value is written), `tick` (how a value is written on the axis, from it and the distance between two
 * ticks), `ticks` (the values on the axis, instead of round ones; optional), `steps` (what this distance may be; optional), `range` (of the values; optional), `line` (a value with a line of its
 * own; optional), `numbers` (those of the moves that lead to all places but the first one, as people count; optional: then `x` counts
 * plies), `xUnit` (what `x` counts, if not plies), `placeOf` (how a place is called, or `null` if as usual; optional), `pick` (called with the index of a place that is clicked; optional), `hasLabels` (whether curves are
 * labelled at their ends, and all but the coloured ones are faint), `marked` (dots of their own: each has the `idx` of its place, its `value`, a
 * `colour` class and a `label`; optional).
 */
export function addChart(box, options) {
  return new Chart(box, options);
}

/** The chart of a sequential test: its log likelihood ratios after numbers of `pairs`, between the bounds for H0 and H1. */
export function addTestChart(box, { pairs, llr, bounds: [h0, h1], title, height }) {
  const bound = (label, value) => ({ label, values: pairs.map(() => value), colour: "faint" });
  const show = (value) => signed(value, 2);
  const range = [1.15 * Math.min(h0, ...llr), 1.15 * Math.max(h1, ...llr)];
  return addChart(box, { title, x: pairs, xUnit: "pairs", series: [bound("H1", h1), { label: "LLR", values: llr, colour: "series-1" }, bound("H0", h0)], range, show, tick: show, ticks: [h0, 0, h1], hasLabels: true, height });
}

/** The charts of the page. */
const charts = new Set();
// One that was drawn before its place had its width would be printed as it is.
addEventListener("beforeprint", () => charts.forEach((chart) => chart.fit()));

class Chart {
  constructor(box, options) {
    charts.add(this);
    this.options = options;
    this.marker = null;
    this.place = element("div", { class: "chart-place" });
    this.readout = element("p", { class: "readout", "aria-hidden": "true" });
    const caption = element("figcaption", {}, options.title);
    this.box = element("figure", { class: "chart" }, caption, this.place, this.readout);
    caption.append(plotTools(() => this.svg, options.title));
    box.append(this.box);
    this.build();
    // Delayed, because a change of size inside the callback would trigger the observer again.
    this.watch = new ResizeObserver(() => requestAnimationFrame(() => this.fit()));
    this.watch.observe(this.place);
  }

  /** Shows where on the x axis the reader is. */
  mark(x) {
    this.marker = x;
    this.showMarker();
    this.showValues(this.indexOfMarker());
  }

  remove() {
    charts.delete(this);
    this.watch.disconnect();
    this.box.remove();
  }

  fit() {
    if (this.box.isConnected && this.place.clientWidth !== this.builtFor) this.build();
  }

  build() {
    const { x, numbers, series, tick, ticks: own, steps, range, line, title, hasLabels, height = 170 } = this.options;
    this.builtFor = this.place.clientWidth;
    const width = Math.max(200, Math.floor(this.builtFor));
    const values = series.flatMap((one) => one.values).filter(isThere);
    const [low, high] = range ?? [Math.min(0, ...extremes(values)), Math.max(...extremes(values))];
    const [least, most] = low < high ? [low, high] : [low, low + 1];
    const ticks = own !== undefined ? { at: own } : ticksOf(least, most, Math.max(2, Math.floor(height / 36)), steps);
    const texts = ticks.at.map((value) => tick(value, ticks.step));
    const labels = hasLabels ? series.map((one) => cut(one.label)) : [];
    const left = 12 + CHARACTER_WIDTH * Math.max(0, ...texts.map((text) => text.length));
    const right = hasLabels ? 10 + CHARACTER_WIDTH * Math.max(...labels.map((text) => text.length)) : 10;
    // The title of a low chart has it, too.
    const xUnit = height < 100 ? undefined : this.options.xUnit;
    const [bottom, top] = [xUnit === undefined ? 22 : 36, 8];
    const [firstX, lastX] = [x[0], x[x.length - 1]];
    this.at = {
      x: (value) => left + ((value - firstX) / (lastX - firstX || 1)) * (width - left - right),
      y: (value) => height - bottom - ((Math.max(least, Math.min(most, value)) - least) / (most - least)) * (height - top - bottom),
      top,
      bottom: height - bottom,
    };
    const { at } = this;
    this.svg = drawn("svg", { class: "curves", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title });
    ticks.at.forEach((value, idx) => {
      this.svg.append(
        drawn("line", { class: "grid", x1: left, x2: width - right, y1: at.y(value), y2: at.y(value) }),
        drawn("text", { class: "tick of-y", x: left - 6, y: at.y(value) + 4 }, texts[idx]),
      );
    });
    if (line !== undefined) this.svg.append(drawn("line", { class: "middle", x1: left, x2: width - right, y1: at.y(line), y2: at.y(line) }));
    // A turn may have several moves: its number stands at the first one.
    const turns = numbers?.map((number) => parseInt(number, 10));
    const placeOfTick = (value) => (turns === undefined || value === 0 ? value : 1 + turns.indexOf(value));
    // A match may begin late: 0 is before move 1 only.
    const isLate = 1 < (turns?.[0] ?? 0);
    const [firstTick, lastTick] = turns === undefined ? [firstX, lastX] : [isLate ? turns[0] : 0, turns.at(-1) ?? 0];
    const xTicks = ticksOf(firstTick, lastTick, Math.max(2, Math.floor((width - left - right) / 60)), [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]);
    for (const value of xTicks.at.filter((value) => firstX <= placeOfTick(value) && placeOfTick(value) <= lastX)) this.svg.append(drawn("text", { class: "tick of-x", x: at.x(placeOfTick(value)), y: height - bottom + 16 }, String(value)));
    if (xUnit !== undefined) this.svg.append(drawn("text", { class: "tick of-x", x: (left + width - right) / 2, y: height - 4 }, xUnit));
    this.lines = series.map((one) => this.curve(one));
    this.svg.append(...this.lines);
    for (const { idx, value, colour, label } of this.options.marked ?? []) this.svg.append(drawn("circle", { class: `mark ${colour}`, cx: at.x(x[idx]), cy: at.y(value), r: 4 }, drawn("title", {}, label)));
    if (hasLabels) this.addLabels(labels);
    this.line = drawn("line", { class: "marker", y1: at.top, y2: at.bottom });
    this.pointer = drawn("g", { class: "pointer" });
    this.svg.append(this.line, this.pointer);
    // A finger stays where it was.
    for (const type of ["pointerdown", "pointermove"]) this.svg.addEventListener(type, (event) => this.onPointer(event));
    this.svg.addEventListener("pointerleave", ({ pointerType }) => pointerType === "touch" || this.onLeave());
    this.svg.addEventListener("click", (event) => this.options.pick?.(this.indexAt(event)));
    this.place.replaceChildren(this.svg);
    this.showMarker();
    // What is below stays where it is.
    this.readout.style.minHeight = "";
    this.showValues(hasLabels ? x.length - 1 : this.widest());
    this.readout.style.minHeight = `${this.readout.offsetHeight}px`;
    this.showValues(this.indexOfMarker());
  }

  curve({ label, values, colour, stepped, hasGaps }) {
    const { x } = this.options;
    const isMissing = (idx) => (values[idx] ?? null) === null;
    const isAfterGap = (place) => hasGaps && isMissing(x.indexOf(place) - 1);
    const points = values.map((value, idx) => [x[idx], value]).filter(([, value]) => isThere(value));
    let path = "";
    let before = null;
    for (const [place, value] of points) {
      const [px, py] = [this.at.x(place).toFixed(1), this.at.y(value).toFixed(1)];
      path += before === null || isAfterGap(place) ? `M${px} ${py}` : stepped ? `H${px}V${py}` : `L${px} ${py}`;
      before = value;
    }
    const group = drawn("g", { class: `curve ${colour}` }, drawn("title", {}, label), drawn("path", { d: path }));
    // Between two gaps, there is no line to be seen.
    const isAlone = (place) => isAfterGap(place) && isMissing(x.indexOf(place) + 1);
    const dots = points.length < 12 && colour !== "faint" ? points : points.filter(([place]) => isAlone(place));
    group.append(...dots.map(([place, value]) => drawn("circle", { cx: this.at.x(place), cy: this.at.y(value), r: 2.5 })));
    return group;
  }

  /** Names beside the ends of the curves, right of all of them, moved apart where they would overlap. A dotted line leads there from a curve that ends earlier. */
  addLabels(labels) {
    const { series, x } = this.options;
    const left = this.at.x(x[x.length - 1]) + 6;
    const ends = series
      .map(({ values }, idx) => {
        const last = Math.max(0, values.findLastIndex(isThere));
        const y = this.at.y(values[last] ?? 0);
        return { idx, from: [this.at.x(x[last]), y], y };
      })
      .filter(({ idx }) => idx < MOST_LABELS)
      // Where curves end together, in the order of the series.
      .sort((one, other) => (Math.abs(one.y - other.y) < CLOSE ? one.idx - other.idx : one.y - other.y));
    // Downwards from the top of the chart, then upwards again from its bottom.
    const spread = (placed, sign, limit) => {
      placed.forEach((end, idx) => {
        end.y = sign * Math.max(sign * end.y, idx === 0 ? limit : sign * placed[idx - 1].y + LABEL_HEIGHT);
      });
    };
    spread(ends, 1, this.at.top);
    spread(ends.toReversed(), -1, -(this.at.bottom + 4));
    for (const { idx, from: [endX, endY], y: place } of ends) {
      if (endX + 12 < left) this.svg.append(drawn("path", { class: `leader ${series[idx].colour}`, d: `M${endX} ${endY}L${left - 3} ${place}` }));
      const label = drawn("text", { class: `end-label ${series[idx].colour}`, x: left, y: place + 4 }, drawn("title", {}, series[idx].label), labels[idx]);
      label.addEventListener("pointerenter", () => this.light(idx));
      this.lines[idx].endLabel = label;
      this.svg.append(label);
    }
  }

  indexAt(event) {
    const { x } = this.options;
    const box = this.svg.getBoundingClientRect();
    const place = event.clientX - box.left;
    let best = 0;
    for (let idx = 1; idx < x.length; idx++) {
      if (Math.abs(this.at.x(x[idx]) - place) < Math.abs(this.at.x(x[best]) - place)) best = idx;
    }
    return best;
  }

  onPointer(event) {
    const idx = this.indexAt(event);
    if (this.options.hasLabels) {
      const y = event.clientY - this.svg.getBoundingClientRect().top;
      const distance = ({ values }) => {
        const value = values[idx];
        return isThere(value) ? Math.abs(this.at.y(value) - y) : Infinity;
      };
      const distances = this.options.series.map(distance);
      const nearest = distances.indexOf(Math.min(...distances));
      this.light(distances[nearest] < 20 ? nearest : -1);
    }
    this.showPointer(idx);
    this.showValues(idx);
  }

  onLeave() {
    this.light(-1);
    this.pointer.replaceChildren();
    this.showValues(this.indexOfMarker());
  }

  /** Makes one curve stand out; -1 is none. */
  light(idx) {
    this.lit = idx;
    this.svg.classList.toggle("has-lit", 0 <= idx);
    this.lines.forEach((line, place) => {
      line.classList.toggle("lit", place === idx);
      line.endLabel?.classList.toggle("lit", place === idx);
    });
  }

  showMarker() {
    this.line.setAttribute("visibility", this.marker === null ? "hidden" : "visible");
    if (this.marker === null) return;
    this.line.setAttribute("x1", this.at.x(this.marker));
    this.line.setAttribute("x2", this.at.x(this.marker));
  }

  /** A line at the place that is pointed at, and a dot on each curve whose value is told. */
  showPointer(idx) {
    const { x, series } = this.options;
    const { at } = this;
    const place = at.x(x[idx]);
    const there = series.filter(({ values }) => isThere(values[idx]));
    this.pointer.replaceChildren(drawn("line", { class: "marker", x1: place, x2: place, y1: at.top, y2: at.bottom }), ...there.map(({ colour, values }) => drawn("circle", { class: colour, cx: place, cy: at.y(values[idx]), r: 3.5 })));
  }

  /** The place with the most to tell. */
  widest() {
    const { x, numbers, series } = this.options;
    const widths = x.map((_, idx) => 6 * series.filter(({ values }) => isThere(values[idx])).length + (numbers?.[idx - 1]?.length ?? 0));
    return widths.indexOf(Math.max(...widths));
  }

  indexOfMarker() {
    return this.marker === null ? -1 : this.options.x.indexOf(this.marker);
  }

  /** The values at a place, below the chart. */
  showValues(idx) {
    const { x, numbers, placeOf, xUnit, series, show, hasLabels } = this.options;
    const place = (n) => placeOf?.(n) ?? (xUnit !== undefined ? `after ${n} ${xUnit}` : numbers === undefined ? `ply ${n}` : n === 0 ? "start" : `after ${numbers[n - 1]}`);
    const value = (one) => (0 <= idx ? one.values[idx] : null);
    // From above to below, as in the chart.
    const shown = hasLabels ? series.filter((one) => isThere(value(one))).toSorted((one, other) => value(other) - value(one)) : series;
    const text = (one) => (isThere(value(one)) ? [" ", element("b", {}, show(value(one)))] : []);
    this.readout.replaceChildren(
      ...(idx < 0 && hasLabels ? [element("span", {}, "Point at the curves to see their values.")] : []),
      ...(0 <= idx ? [element("span", {}, place(x[idx]))] : []),
      ...shown.map((one) =>
        element("span", { class: `of-series ${one.colour}${series.indexOf(one) === this.lit ? " lit" : ""}` }, nameOf(cut(one.label, LONGEST_IN_READOUT), one.label), text(one)),
      ),
    );
  }
}

const isThere = (value) => value !== null && value !== undefined;

function extremes(values) {
  if (values.length === 0) return [0, 1];
  let [low, high] = [values[0], values[0]];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [low, high];
}

/** Round numbers between two others, at most about so many, and their distance. */
export function ticksOf(low, high, most, steps) {
  const wanted = (high - low) / most;
  const decade = 10 ** Math.floor(Math.log10(wanted || 1));
  const round = [1, 2, 5, 10].map((factor) => factor * decade).find((step) => wanted <= step * (1 + 1e-9)) ?? 10 * decade;
  const step = (steps ?? []).find((one) => wanted <= one) ?? round;
  const at = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) at.push(n * step);
  return { at, step };
}

/** A name's beginning and end: engines' names differ at both. */
export function cut(name, longest = LONGEST_LABEL) {
  const letters = [...name];
  if (letters.length <= longest) return name;
  const n_end = Math.floor((longest - 1) / 2);
  return `${letters.slice(0, longest - 1 - n_end).join("")}…${letters.slice(-n_end).join("")}`;
}
