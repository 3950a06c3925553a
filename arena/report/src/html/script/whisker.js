// An interval with its estimate, as it is drawn in tables.

import { drawn } from "./dom.js";

/** Places in percent, `null` where there is none: without an end, the interval goes on to the edge. `marks` are those of the scale, each with its place and whether it is that of 0. */
export function whiskerOf({ low, dot, high, is_rough = false, is_undecided = false }, marks) {
  const line = (type, x1, x2, y1, y2) => drawn("line", { class: type, x1: `${x1}%`, x2: `${x2}%`, y1: `${y1}%`, y2: `${y2}%` });
  const end = (place, edge, inwards) =>
    place === null ? drawn("svg", { class: "onward", x: `${edge}%`, y: "50%" }, drawn("path", { d: `M${inwards} -5L0 0L${inwards} 5` })) : line("end", place, place, 35, 65);
  return drawn(
    "svg",
    { class: is_undecided ? "whisker undecided" : "whisker", "aria-hidden": "true" },
    marks.map(([at, isZero]) => line(`grid${isZero ? " zero" : ""}`, at, at, 0, 100)),
    low === null && high === null && is_rough ? [] : [line("interval", low ?? 0, high ?? 100, 50, 50), end(low, 0, 7), end(high, 100, -7)],
    dot === null ? [] : drawn("circle", { class: is_rough ? "rough" : null, cx: `${dot}%`, cy: "50%", r: is_rough ? 5 : 4 }),
  );
}
