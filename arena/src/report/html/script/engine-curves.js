// Curves of time and depth over the length of a match, for every engine in one game.

import { addChart } from "./charts.js";
import { data } from "./data.js";
import { byId, element } from "./dom.js";
import { decimals, time, timeTick } from "./format.js";

/** Colours for so many engines at once; the others are there to be chosen. */
const COLOURS = ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6"];
/** A mean of fewer moves says nothing. */
const FEWEST_MOVES = 5;
let charts = [];

/** Makes the curves, once. */
export function fillCurves() {
  const box = byId("engine-curves");
  if (box.childElementCount !== 0) return;
  const plots = element("div", { class: "cards wide-cards" });
  const select = element(
    "select",
    { change: () => draw(plots, Number(select.value)) },
    data.games.map((game, place) => element("option", { value: place }, game.name)),
  );
  box.append(
    element("h3", {}, "Time and depth during a match"),
    element("p", {}, element("label", {}, "Game ", select)),
    plots,
    element("p", { class: "fine" }, `Each point is the mean of at least ${FEWEST_MOVES} moves.`),
  );
  draw(plots, 0);
}

function draw(plots, game) {
  charts.forEach((chart) => chart.remove());
  const curves = data.curves.filter((curve) => curve.game === game);
  const longest = Math.max(0, ...curves.map((curve) => curve.moves.length));
  const step = curves[0]?.plies_per_point ?? 1;
  const x = Array.from({ length: longest }, (_, point) => point * step + (step - 1) / 2);
  const series = (values) =>
    curves.map((curve, idx) => ({
      label: data.engines[curve.engine],
      values: Array.from({ length: longest }, (_, point) => (FEWEST_MOVES <= (curve.moves[point] ?? 0) ? curve[values][point] : null)),
      colour: COLOURS[idx % COLOURS.length],
      dash: idx < COLOURS.length ? undefined : [6, 4],
    }));
  const chart = (title, values, show, tick) => addChart(plots, { title, x, series: series(values), show, tick, height: 240 });
  charts = [
    chart("Mean time per move", "time_ms", time, timeTick),
    chart(
      "Mean reported depth, in plies",
      "depth",
      (value) => value.toFixed(1),
      (value, step) => value.toFixed(decimals(step)),
    ),
  ];
}
