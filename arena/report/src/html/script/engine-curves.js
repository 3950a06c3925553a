// Curves of time and depth over the length of a match, for every engine in one game.

import { addChart } from "./charts.js";
import { data } from "./data.js";
import { byId, element } from "./dom.js";
import { decimals, time, timeTick } from "./format.js";

/** The engines that have a colour: those that are highest in the ratings. The others are faint. */
const N_COLOURS = 6;
/** A mean of fewer matches is one match's peak. */
const FEWEST_MATCHES = 3;
let charts = [];

/** Makes the curves, once. */
export function fillCurves() {
  const box = byId("engine-curves");
  const isEmpty = ({ time_ms, depth }) => ![...time_ms, ...depth].some((value) => 0 < value);
  if (box.childElementCount !== 0 || data.curves.every(isEmpty)) return;
  const plots = element("div", { class: "cards wide-cards" });
  const games = [...new Set(data.curves.map((curve) => curve.game))].sort((one, other) => one - other);
  const select = element(
    "select",
    { change: () => draw(plots, Number(select.value)) },
    games.map((game) => element("option", { value: game }, data.games[game].name)),
  );
  box.append(
    element("h3", {}, "Time and depth during a match"),
    element("p", {}, element("label", {}, "Game ", select)),
    plots,
    element("p", { class: "fine" }, `Each point is the mean of at least ${FEWEST_MATCHES} matches, where as many were played; what only fewer matches reached is left out.${N_COLOURS < data.engines.length ? ` The ${N_COLOURS} strongest engines have a colour; point at any curve or name to see it.` : ""}`),
  );
  draw(plots, games[0]);
}

function draw(plots, game) {
  charts.forEach((chart) => chart.remove());
  const order = data.scopes.find((scope) => scope.name === data.games[game].id)?.engines ?? [];
  const place = (curve) => (order.includes(curve.engine) ? order.indexOf(curve.engine) : order.length);
  const curves = data.curves.filter((curve) => curve.game === game).sort((one, other) => place(one) - place(other));
  const step = curves[0]?.plies_per_point ?? 1;
  // A match has at most `step` moves of an engine at a point.
  const fewest = (curve) => Math.min((FEWEST_MATCHES - 1) * step + 1, Math.max(...curve.moves));
  const longest = Math.max(0, ...curves.map((curve) => curve.moves.findLastIndex((moves) => fewest(curve) <= moves) + 1));
  const x = Array.from({ length: longest }, (_, point) => point * step + (step - 1) / 2);
  const series = (values) =>
    curves
      .map((curve, idx) => ({
        label: data.engines[curve.engine],
        values: Array.from({ length: longest }, (_, point) => (fewest(curve) <= (curve.moves[point] ?? 0) ? curve[values][point] : null)),
        colour: idx < N_COLOURS ? `series-${idx + 1}` : "faint",
      }))
      .filter((one) => one.values.some((value) => 0 < value));
  const chart = (title, values, show, tick) =>
    addChart(plots, { title, x, series: series(values), show, tick, height: 280, hasLabels: true, steps: values === "depth" ? [1, 2, 5, 10, 20, 50] : undefined });
  charts = [
    chart("Mean time per move, by ply", "time_ms", time, timeTick),
    chart(
      "Mean reported depth in plies, by ply",
      "depth",
      (value) => value.toFixed(1),
      (value, step) => value.toFixed(decimals(step)),
    ),
  ].filter((one) => one.options.series.length !== 0 || (one.remove(), false));
}
