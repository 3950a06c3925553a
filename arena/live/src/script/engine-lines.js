// The engines of an analysis: what they do, and the lines that they found.

import { byId, element, nameOf } from "./dom.js";
import { count, score, time } from "./format.js";

/** The number of colours of engines. */
export const MOST_MARKS = 4;
const STATES = { idle: "stopped", starting: "starts", searching: "searches", quiet: "searches, nothing new", stopping: "stops", waiting: "waits: the position is over", finished: "has finished", failed: "failed" };

export class EngineLines {
  /** `toggle` is called with the index of an engine and whether it shall search, `play` with moves. */
  constructor(box, toggle, play) {
    Object.assign(this, { box, toggle, play });
    this.cards = [];
  }

  show(engines) {
    while (this.cards.length < engines.length) this.add(this.cards.length);
    engines.forEach((engine, idx) => this.refresh(this.cards[idx], engine));
  }

  add(idx) {
    const facts = element("span", { class: "facts" });
    const name = element("h3", {});
    const mark = element("span", { class: `engine-mark best-${idx % MOST_MARKS}`, "aria-hidden": "true" });
    const button = element("button", { type: "button", "data-engine": idx, click: () => this.toggle(idx, button.getAttribute("aria-pressed") !== "true") });
    const why = element("p", { class: "notice", hidden: true });
    const lines = element("ol", { class: "engine-lines" });
    const node = element("div", { class: "engine" }, element("div", { class: "engine-head" }, element("span", {}, mark), name, facts, button), why, lines);
    this.box.append(node);
    this.cards.push({ node, facts, name, button, why, lines });
  }

  refresh({ node, facts, name, button, why, lines }, engine) {
    const { found, state } = engine;
    if (name.textContent !== engine.name) name.replaceChildren(nameOf(engine.name));
    node.dataset.state = state;
    node.dataset.depth = String(found?.depth ?? "");
    setText(button, engine.is_on ? "Stop" : "Start");
    button.setAttribute("aria-pressed", String(engine.is_on));
    button.setAttribute("aria-label", `${engine.is_on ? "Stop" : "Start"} ${engine.name}`);
    const words = [STATES[state]];
    if (found !== null) {
      if (found.depth !== null) words.push(`depth ${found.depth}`);
      if (found.nodes !== null) words.push(`${count(found.nodes)} nodes`);
      if (found.nps !== null) words.push(`${count(found.nps)}/s`);
      if (found.time_ms !== null) words.push(time(found.time_ms));
    }
    facts.replaceChildren(...words.map((word) => element("span", {}, word)));
    why.hidden = engine.why === null;
    setText(why, engine.why ?? "");
    this.refreshLines(lines, found?.lines ?? []);
  }

  /** Lines that stay the same keep their buttons, so that a click on one finds it. */
  refreshLines(list, lines) {
    while (lines.length < list.childElementCount) list.lastElementChild.remove();
    lines.forEach((line, idx) => {
      const item = list.children[idx] ?? list.appendChild(element("li", {}, element("b", { class: "line-score" }), element("span", { class: "line-moves" })));
      const [mark, moves] = item.children;
      setText(mark, line.score === null ? "?" : score(line.score));
      const depth = line.depth === null ? "" : `depth ${line.depth}`;
      if (mark.title !== depth) mark.title = depth;
      if (item.dataset.moves === line.moves.join(" ")) return;
      item.dataset.moves = line.moves.join(" ");
      line.moves.forEach((move, place) => {
        const button = moves.children[place] ?? moves.appendChild(element("button", { type: "button", class: "link", click: () => this.play(item.dataset.moves.split(" ").slice(0, place + 1)) }));
        setText(button, line.words[place]);
        button.title = `Play ${place === 0 ? "this move" : `${place + 1} moves`}`;
        // The first move of a line is a stop of the Tab key.
        button.tabIndex = place === 0 ? 0 : -1;
      });
      while (line.moves.length < moves.childElementCount) moves.lastElementChild.remove();
    });
  }
}

/** The bar at the board: White's win probability by the best line. */
export function showGauge(white, isFlipped, words) {
  const gauge = byId("gauge");
  gauge.classList.toggle("is-unknown", white === null);
  gauge.classList.toggle("is-flipped", isFlipped);
  gauge.firstElementChild.style.height = `${100 * (white ?? 0.5)}%`;
  gauge.setAttribute("aria-label", words);
  gauge.title = words;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
