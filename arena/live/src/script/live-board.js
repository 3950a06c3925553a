// The matches that are being played: one large, with what its engines think, the others small.

import { arrow, placesOf } from "./arrows.js";
import { BoardDrawing } from "./board.js";
import { byId, element, nameOf } from "./dom.js";
import { clock, count, percent, score, time } from "./format.js";
import { handOf } from "./hands.js";

const SIDES = ["White", "Black"];
const LETTERS = ["w", "b"];

/** A board that shows a match, and is drawn again only when the match has changed. */
class MatchBoard {
  constructor(match, isFlipped) {
    this.match = match;
    this.drawing = new BoardDrawing(match.board, match.heights, isFlipped);
    // It has a name even before it is seen, and drawn.
    this.drawing.svg.setAttribute("aria-label", match.label());
    this.shown = -1;
  }

  /** Says whether there was something new. */
  refresh() {
    const { match, drawing } = this;
    if (this.shown === match.ply) return false;
    this.shown = match.ply;
    const { squares, changes, named } = match;
    drawing.show({ squares, changes, named, won: [], label: match.label() });
    return true;
  }
}

/** The small boards. `pick` is called with the number of the one that is chosen. */
export class SmallBoards {
  constructor(list, pick) {
    this.list = list;
    this.pick = pick;
    this.items = new Map();
    // What is not seen is not drawn.
    this.watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const item = [...this.items.values()].find((one) => one.node === target);
        if (item !== undefined) item.isSeen = isIntersecting;
        if (item?.isSeen) this.refresh(item);
      }
    });
  }

  show(matches, focused) {
    for (const [id, item] of this.items) {
      if (matches.get(id) === item.match) continue;
      this.watch.unobserve(item.node);
      item.node.remove();
      this.items.delete(id);
    }
    for (const [id, match] of matches) {
      if (!this.items.has(id)) this.add(match);
      const item = this.items.get(id);
      item.button.setAttribute("aria-pressed", String(id === focused));
      if (item.isSeen) this.refresh(item);
    }
    this.list.hidden = matches.size < 2;
  }

  add(match) {
    const board = new MatchBoard(match, false);
    const ply = element("span", { class: "fine" });
    const button = element(
      "button",
      { type: "button", click: () => this.pick(match.id) },
      element("span", { class: "small-name" }, element("span", { class: "side-sign of-b", "aria-hidden": "true" }), nameOf(match.names[1])),
      element("span", { class: "board" }, board.drawing.svg),
      element("span", { class: "small-name" }, element("span", { class: "side-sign of-w", "aria-hidden": "true" }), nameOf(match.names[0])),
      ply,
    );
    const node = element("li", {}, button);
    this.items.set(match.id, { match, board, node, button, ply, isSeen: false });
    this.list.append(node);
    this.watch.observe(node);
  }

  refresh({ match, board, ply }) {
    if (!board.refresh()) return;
    ply.textContent = `Match ${match.id}, ply ${match.ply}`;
  }
}

/** The large board with everything around it. */
export class LargeBoard {
  constructor() {
    this.board = null;
    this.isFlipped = false;
    byId("flip").addEventListener("click", () => {
      this.isFlipped = !this.isFlipped;
      byId("flip").setAttribute("aria-pressed", String(this.isFlipped));
      const match = this.board?.match;
      this.board = null;
      this.show(match);
    });
  }

  /** Shows a match, or nothing. */
  show(match) {
    byId("focus").hidden = match === undefined;
    byId("no-match").hidden = match !== undefined;
    if (match === undefined) {
      this.board = null;
      return;
    }
    const isOther = this.board?.match !== match;
    if (isOther) this.begin(match);
    if (this.board.refresh() || isOther) this.refresh(match);
    byId("focus-over").hidden = !match.isOver;
    if (match.isOver && byId("focus-over").childElementCount === 0) {
      const replay = element("a", { href: `match/${match.id}` }, "Open its replay");
      byId("focus-over").replaceChildren(...(match.isStopped ? [`Match ${match.id} was stopped.`] : [`Match ${match.id} is over. `, replay]));
    }
  }

  begin(match) {
    this.board = new MatchBoard(match, this.isFlipped);
    this.n_moves = 0;
    byId("focus-over").replaceChildren();
    byId("focus-moves").replaceChildren();
    byId("focus-board").replaceChildren(this.board.drawing.svg);
    byId("focus-title").textContent = `Match ${match.id}`;
  }

  refresh(match) {
    const { drawing } = this.board;
    for (const [idx, thought] of match.thoughts.entries()) {
      if (!thought?.intended) continue;
      const words = `${match.names[idx]} expects ${thought.intended}`;
      drawing.over.append(arrow(drawing, placesOf(thought.intended, match.board), `of-${LETTERS[idx]}`, words));
    }
    const [top, bottom] = this.isFlipped ? [0, 1] : [1, 0];
    showPlayer(byId("focus-top"), match, top);
    showPlayer(byId("focus-bottom"), match, bottom);
    this.showGauge(match);
    this.addMoves(match);
    byId("focus-facts").replaceChildren(element("span", {}, match.game), element("span", {}, `ply ${match.ply}`));
    byId("focus-notes").replaceChildren(...match.notes.map(([label, value]) => element("span", {}, `${label}: ${value}`)));
    byId("focus-lines").replaceChildren(...[0, 1].flatMap((side) => lineOf(match, side)));
  }

  showGauge(match) {
    const white = match.whiteWins();
    const gauge = byId("focus-gauge");
    gauge.classList.toggle("is-unknown", white === null);
    gauge.classList.toggle("is-flipped", this.isFlipped);
    gauge.firstElementChild.style.height = `${100 * (white ?? 0.5)}%`;
    gauge.title = white === null ? "No evaluation yet" : `Win probability of White: ${percent(white, 0)}`;
    gauge.setAttribute("aria-label", gauge.title);
  }

  addMoves(match) {
    const list = byId("focus-moves");
    const fresh = match.moves.slice(this.n_moves).map(([move, side], idx) =>
      element("li", {}, element("span", { class: `move of-${side}` }, element("span", { class: "ordinal" }, String(this.n_moves + idx + 1)), move)),
    );
    this.n_moves = match.moves.length;
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    list.append(...fresh);
    list.lastElementChild?.firstElementChild.setAttribute("aria-current", "true");
    list.scrollTop = list.scrollHeight;
  }
}

function showPlayer(box, match, side) {
  const thought = match.thoughts[side];
  const facts = [];
  if (thought !== null) {
    if (thought.score !== null) facts.push(score(thought.score));
    if (thought.depth !== null) facts.push(`depth ${thought.depth}`);
    if (thought.nodes !== null) facts.push(`${count(thought.nodes)} ${thought.nodes === 1 ? "node" : "nodes"}`);
    facts.push(time(thought.time_us / 1000));
  }
  const isNext = match.next === LETTERS[side] && !match.isOver;
  box.replaceChildren(
    element("span", { class: `side-sign of-${LETTERS[side]}${isNext ? " to-move" : ""}`, "aria-hidden": "true" }),
    element("span", { class: "who" }, nameOf(match.names[side]), element("span", { class: "unseen" }, ` plays ${SIDES[side]}`)),
    ...handOf(match.hands[side], match.board),
    element("span", { class: "thought" }, facts.map((fact) => element("span", {}, fact))),
    ...(match.clocks[side] === null ? [] : [element("span", { class: "clock" }, clock(match.clocks[side]))]),
  );
}

function lineOf(match, side) {
  const pv = match.thoughts[side]?.pv;
  if (!pv) return [];
  return [element("dt", {}, nameOf(match.names[side]), " expects"), element("dd", {}, element("bdi", { class: "moves-text" }, pv))];
}
