// The choice of a game, an engine and a clock, before a match.

import { BoardDrawing } from "./board.js";
import { byId, element, prose } from "./dom.js";
import { positionsOf } from "./replay-data.js";

let menu = null;
/** What the board shows, so that an answer which is late is not shown. */
let preview = "";
/** The first position that is chosen; `null` while there is none. */
let first = null;
/** While a FEN is typed, the board follows after this rest, in milliseconds. */
const REST_MS = 300;
/** The longest list without groups. */
const MOST_UNGROUPED = 8;
let typing;

/** `begin` is called with what the user has chosen. */
export function startMenu(begin) {
  byId("choose-game").addEventListener("change", () => {
    // A position belongs to its game.
    byId("choose-fen").value = "";
    byId("choose-said").replaceChildren();
    showGame();
  });
  byId("choose-engine").addEventListener("change", () => showLevels(null));
  byId("choose-start").addEventListener("change", () => {
    byId("choose-fen").value = "";
    byId("choose-said").replaceChildren();
    showStart();
  });
  byId("choose-fen").addEventListener("change", showStart);
  for (const radio of byId("choose").elements.colour) radio.addEventListener("change", drawFirst);
  byId("choose-fen").addEventListener("input", () => {
    byId("choose-said").replaceChildren();
    clearTimeout(typing);
    typing = setTimeout(showStart, REST_MS);
  });
  byId("choose").addEventListener("submit", (event) => {
    event.preventDefault();
    const colour = event.target.elements.colour.value;
    const { level } = menu.engines[Number(byId("choose-engine").value)];
    begin({
      game: byId("choose-game").value,
      engine: Number(byId("choose-engine").value),
      level: level === null ? null : Number(byId("choose-level").value),
      is_black: colour === "any" ? Math.random() < 0.5 : colour === "b",
      time: byId("choose-time").value,
      start: byId("choose-start").value,
      fen: byId("choose-fen").value.trim(),
    });
  });
}

/** Shows what can be chosen; `said` is what was wrong with the last choice. */
export function showMenu(now, said) {
  menu = now;
  const { chosen } = menu;
  byId("choose-said").replaceChildren(...prose(said ?? ""));
  fill("choose-game", menu.games.map(({ id, name }) => [id, name]), chosen.game);
  fill("choose-time", menu.times, chosen.time);
  byId("choose").elements.colour.value = chosen.is_black ? "b" : "w";
  drawFirst();
  byId("choose-fen").value = chosen.fen;
  fill("choose-engine", menu.engines.map(({ name }, idx) => [String(idx), name]), String(chosen.engine));
  showGame();
  fill("choose-start", starts(), chosen.start);
  showLevels(chosen.level);
  showStart();
}

const gameNow = () => menu.games.find(({ id }) => id === byId("choose-game").value);
const starts = () => gameNow().starts.map(([name, words, group], idx) => (idx === 0 ? ["", name === "default" ? "the usual one" : words === name ? `${name} (the usual one)` : `${name} (the usual one, random)`, group] : [name, words, group]));

/** Not every engine plays every game. */
function showGame() {
  const { id, about } = gameNow();
  byId("game-about").textContent = about;
  byId("choose-rules").href = `rules/${id}`;
  fill("choose-start", starts(), "");
  const options = [...byId("choose-engine").options];
  for (const option of options) option.disabled = !menu.engines[Number(option.value)].games.includes(id);
  if (byId("choose-engine").selectedOptions[0]?.disabled) {
    byId("choose-engine").value = options.find((option) => !option.disabled).value;
    showLevels(null);
  }
  showStart();
}

/** The first position that is chosen, or what is wrong with it. */
async function showStart() {
  clearTimeout(typing);
  const [game, start, fen] = ["game", "start", "fen"].map((name) => byId(`choose-${name}`).value);
  const wanted = JSON.stringify({ game, start, fen });
  if (preview === wanted) return;
  preview = wanted;
  const answer = await fetch(`start/${encodeURIComponent(wanted)}`).catch(() => null);
  if (!answer?.ok) return;
  const { said, position, is_random: isRandom } = await answer.json();
  if (preview !== wanted) return;
  first = position ?? null;
  drawFirst();
  byId("preview-said").textContent = isRandom ? "One of many: each new match begins with another one, a rematch with the same one." : "";
  if (said !== undefined || fen !== "") byId("choose-said").replaceChildren(...prose(said ?? ""));
}

/** Draws the first position as the person will see it. */
function drawFirst() {
  byId("preview").replaceChildren();
  if (first === null) return;
  const { board, heights, scenes } = first;
  const drawing = new BoardDrawing(board, heights, byId("choose").elements.colour.value === "b");
  drawing.show({ ...positionsOf(board, scenes)[0], named: [], won: [], label: `Start position of ${gameNow().name}` });
  byId("preview").append(drawing.svg);
}

/** The levels of an engine; at first a weak one. */
function showLevels(wanted) {
  const { about, level } = menu.engines[Number(byId("choose-engine").value)];
  byId("engine-about").textContent = about;
  byId("choose-level-label").hidden = level === null;
  if (level === null) return;
  const { min, max } = level;
  const levels = Array.from({ length: max - min + 1 }, (_, idx) => String(min + idx));
  const words = (one) => (one === String(max) ? `${one} (strongest)` : one === String(min) ? `${one} (weakest)` : one);
  fill("choose-level", levels.map((one) => [one, words(one)]), String(wanted ?? min + Math.floor((max - min) / 3)));
}

/** Fills a list with values and their words, a long one by groups, and chooses one of them: the wanted one, if it is there. */
function fill(id, rows, wanted) {
  const options = (some) => some.map(([value, words]) => element("option", { value }, words));
  const groups = MOST_UNGROUPED < rows.length ? [...Map.groupBy(rows, ([, , group]) => group)] : [];
  byId(id).replaceChildren(...(1 < groups.length ? groups.map(([label, some]) => element("optgroup", { label }, options(some))) : options(rows)));
  byId(id).value = rows.some(([value]) => value === wanted) ? wanted : rows[0][0];
}
