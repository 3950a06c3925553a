// For the designers of games: on which squares things happen, and how the number of legal moves changes during a match.

import { BoardDrawing } from "./board.js";
import { addChart } from "./charts.js";
import { data } from "./data.js";
import { byId, element } from "./dom.js";
import { plotTools } from "./export.js";
import { count, decimals } from "./format.js";

const KINDS = [
  ["moves", "Moves", "moves that end on the square"],
  ["captures", "Captures", "moves that end on the square and leave the opponent fewer pieces on the board"],
  ["wins", "Decisions", "moves that end on the square and win the match by the rules"],
];

/** Makes the figures, once. */
export function fillGames() {
  const box = byId("game-figures");
  if (box === null || box.childElementCount !== 0) return;
  foldCards();
  fillChoices(box);
  fillHeatMaps(box);
}

/** On a phone, the cards of all games but the first of each row are folded; elsewhere, none is. */
function foldCards() {
  const isNarrow = matchMedia("(max-width: 700px)");
  const fit = () => {
    for (const card of document.querySelectorAll("#games .cards > details")) {
      card.open = !isNarrow.matches || card.previousElementSibling === null;
      card.firstElementChild.tabIndex = isNarrow.matches ? 0 : -1;
    }
  };
  isNarrow.addEventListener("change", fit);
  fit();
}

function fillChoices(box) {
  const longest = Math.max(0, ...data.choices.map((values) => values.length));
  if (longest < 2) return;
  const plots = element("div", {});
  box.append(element("h3", {}, "Legal moves during a match"), plots);
  const step = data.plies_per_point;
  const series = data.games
    .map((game, idx) => ({
      label: game.name,
      values: Array.from({ length: longest }, (_, point) => data.choices[idx]?.[point] ?? null),
      colour: idx < 6 ? `series-${idx + 1}` : "faint",
    }))
    .filter((one) => one.values.some((value) => value !== null));
  addChart(plots, {
    title: "Mean number of legal moves, by ply",
    x: Array.from({ length: longest }, (_, point) => point * step + (step - 1) / 2),
    series,
    show: (value) => value.toFixed(1),
    tick: (value, distance) => value.toFixed(decimals(distance)),
    height: 260,
    hasLabels: true,
  });
}

function fillHeatMaps(box) {
  const placeOf = ([, board]) => data.games.findIndex((game) => board.game === (game.rules ?? game.id));
  const shown = data.heat_maps
    .map((map, board) => [map, data.boards[board]])
    .filter(([map, board]) => board !== undefined && map.moves.some((n) => n !== 0))
    .sort((one, other) => placeOf(one) - placeOf(other));
  if (shown.length === 0) return;
  const maps = element("div", { class: "heat-maps" });
  const select = element(
    "select",
    { change: () => draw(maps, ...shown[Number(select.value)]) },
    shown.map(([, board], idx) => element("option", { value: idx }, nameOfBoard(board, shown))),
  );
  box.append(
    element("h3", {}, "Squares"),
    element("p", {}, element("label", {}, "Board ", select)),
    maps,
    element("p", { class: "fine" }, `${KINDS.map(([, title, words]) => `${title}: ${words}`).join("; ")}. The darkest square of each board has the number in its heading.`),
  );
  draw(maps, ...shown[0]);
}

/** The game's name; where it has several boards, with their sizes. */
function nameOfBoard(board, all) {
  const name = data.games.find((game) => game.id === board.game)?.name ?? board.game;
  const size = (squares) => `${new Set(squares.map((square) => square.file)).size}×${new Set(squares.map((square) => square.rank)).size}`;
  return all.filter(([, other]) => other.game === board.game).length === 1 ? name : `${name} ${size(board.squares)} (${board.squares.length} squares)`;
}

function draw(maps, map, board) {
  maps.replaceChildren(
    ...KINDS.map(([kind, title, words]) => {
      const most = Math.max(...map[kind]);
      const drawing = new BoardDrawing(board, "", false);
      drawing.showHeat(map[kind], (n, name) => `${name}: ${count(n)} ${words.replace("the square", "it")}`);
      drawing.svg.setAttribute("aria-label", `${title} by square`);
      return element(
        "figure",
        { class: "card" },
        element("figcaption", {}, element("b", {}, title), `at most ${count(most)} on a square`, plotTools(() => drawing.svg, `${title} ${board.game}`)),
        element("div", { class: "board" }, drawing.svg),
      );
    }),
  );
}
