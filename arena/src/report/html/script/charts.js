// Curves over plies, drawn by uPlot, in the page's colours and with the available width.

import { element } from "./dom.js";
import { colour, onColours } from "./theme.js";

const charts = new Set();
const FONT = "12px system-ui, sans-serif";
/** Plies are whole. */
const PLY_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];

onColours(() => charts.forEach((chart) => chart.build()));

/**
 * A chart in `box`: `title`, `x` (numbers), `series` (each a `label`, `values`, the name of a `colour`, and whether it is
 * `stepped`), `show` (how a value is written), `tick` (how a value is written on the axis, from it and the distance between two
 * ticks), `steps` (what this distance may be; optional), `range` (of the values; optional), `pick` (called with the index of a
 * place that is clicked; optional).
 */
export function addChart(box, options) {
  const chart = new Chart(box, options);
  charts.add(chart);
  return chart;
}

class Chart {
  constructor(box, options) {
    this.options = options;
    this.place = element("div", { class: "chart-place", role: "img", "aria-label": options.title });
    this.box = element("figure", { class: "chart" }, element("figcaption", {}, options.title), this.place);
    box.append(this.box);
    this.marker = null;
    this.build();
    // Delayed, because a change of size inside the callback would trigger the observer again.
    this.watch = new ResizeObserver(() => requestAnimationFrame(() => this.fit()));
    this.watch.observe(this.place);
  }

  build() {
    const { x, series, show, tick, steps, pick, range, height = 170, xLabel = "ply" } = this.options;
    this.plot?.destroy();
    const axis = {
      stroke: colour("muted"),
      grid: { stroke: colour("line"), width: 1 },
      ticks: { show: false },
      font: FONT,
    };
    this.plot = new uPlot(
      {
        width: this.width(),
        height,
        cursor: { drag: { x: false, y: false }, y: false, points: { size: 7 } },
        legend: { live: true },
        scales: { x: { time: false }, y: range ? { range } : {} },
        axes: [
          { ...axis, size: 26, incrs: PLY_STEPS },
          {
            ...axis,
            size: 62,
            space: 24,
            incrs: steps,
            values: (_plot, values, _axis, _space, step) => values.map((value) => tick(value, step)),
          },
        ],
        series: [
          { label: xLabel },
          ...series.map((one) => ({
            label: one.label,
            stroke: colour(one.colour),
            width: 2,
            dash: one.dash,
            spanGaps: true,
            points: { show: x.length < 12, size: 5 },
            paths: one.stepped ? uPlot.paths.stepped({ align: 1 }) : uPlot.paths.linear(),
            value: (_, value) => (value === null || value === undefined ? "–" : show(value)),
          })),
        ],
        hooks: {
          draw: [(plot) => this.drawMarker(plot)],
          ready: [() => this.showValues()],
          setCursor: [(plot) => plot.cursor.idx === null && this.showValues()],
        },
      },
      [x, ...series.map((one) => one.values)],
      this.place,
    );
    if (pick) {
      this.plot.over.addEventListener("click", () => {
        if (this.plot.cursor.idx !== null) pick(this.plot.cursor.idx);
      });
    }
  }

  /** Shows where on the x axis the reader is. */
  mark(x) {
    this.marker = x;
    this.plot.redraw(false);
    this.showValues();
  }

  /** The values where the reader is, when the pointer is nowhere. */
  showValues() {
    const idx = this.marker === null ? -1 : this.options.x.indexOf(this.marker);
    if (0 <= idx) this.plot?.setLegend({ idx });
  }

  remove() {
    this.watch.disconnect();
    this.plot.destroy();
    this.box.remove();
    charts.delete(this);
  }

  width() {
    return Math.max(200, Math.floor(this.place.clientWidth));
  }

  fit() {
    if (!this.box.isConnected) return;
    const width = this.width();
    if (width !== this.plot.width) this.plot.setSize({ width, height: this.plot.height });
  }

  drawMarker(plot) {
    if (this.marker === null) return;
    const { ctx, bbox } = plot;
    const x = Math.round(plot.valToPos(this.marker, "x", true));
    ctx.save();
    ctx.strokeStyle = colour("text");
    ctx.globalAlpha = 0.55;
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }
}
