// Arrows on a board: from square to square of a move, in the order of its spelling.

import { drawn } from "./dom.js";

const SIZE = 100;
/** The length of a stripe. */
const STRIPE = 20;

/** The places of the squares that a move's spelling names, in its order. */
export function placesOf(move, board) {
  const names = move.match(/[a-z][1-9][0-9]?/g) ?? [];
  return names.map((name) => board.squares.findIndex((square) => square.name === name)).filter((place) => 0 <= place);
}

/** Leaves the part `idx` of `of` parts of an arrow or a ring: stripes, and a slice of the head. The other parts show what is below. */
export function stripe(arrow, idx, of) {
  for (const line of arrow.querySelectorAll(".shaft, circle")) {
    line.setAttribute("stroke-dasharray", `${STRIPE} ${STRIPE * (of - 1)}`);
    line.setAttribute("stroke-dashoffset", -STRIPE * idx);
    line.classList.add("striped");
  }
  const head = arrow.querySelector(".head");
  if (head === null) return;
  const [x, y, ...base] = head.getAttribute("d").match(/-?[\d.]+(e-?\d+)?/g).map(Number);
  const at = (part) => [0, 1].map((axis) => base[axis] + ((base[axis + 2] - base[axis]) * part) / of).join(" ");
  head.setAttribute("d", `M${x} ${y}L${at(idx)}L${at(idx + 1)}z`);
}

/** An arrow through these places of a drawing, or squares, which may lie off the board; a ring if there is only one. */
export function arrow(drawing, places, type, words) {
  const points = places.map((place) => drawing.corner(drawing.board.squares[place] ?? place).map((value) => value + SIZE / 2));
  const group = drawn("g", { class: `arrow ${type}` }, drawn("title", {}, words));
  if (points.length === 0) return group;
  if (points.length === 1) {
    const [[x, y]] = points;
    group.append(drawn("circle", { cx: x, cy: y, r: 40 }));
    return group;
  }
  const [last, before] = [points.at(-1), points.at(-2)];
  // Its ends leave the middle of their squares free, where the sign of a piece stands; the line ends within the head.
  const [start, tip, back, end] = [towards(points[0], points[1], 30), towards(last, before, 16), towards(last, before, 48), towards(last, before, 40)];
  const path = [start, ...points.slice(1, -1), end].map(([one, other], idx) => `${idx === 0 ? "M" : "L"}${one} ${other}`).join("");
  const [dx, dy] = [(tip[0] - back[0]) / 32, (tip[1] - back[1]) / 32];
  group.append(
    drawn("path", { class: "shaft", d: path }),
    drawn("path", { class: "head", d: `M${tip.join(" ")}L${back[0] - 17 * dy} ${back[1] + 17 * dx}L${back[0] + 17 * dy} ${back[1] - 17 * dx}z` }),
  );
  return group;
}

/** The point at a distance from one point towards another one. */
function towards([x, y], [toX, toY], distance) {
  const part = distance / (Math.hypot(toX - x, toY - y) || 1);
  return [x + part * (toX - x), y + part * (toY - y)];
}
