// The engines of an analysis: what they do, and the lines that they found.

import { figureOf, piecesOf } from "./board.js";
import { drawn, element, nameOf, prose } from "./dom.js";
import { SHORT, score, time } from "./format.js";
import { isNumbered, numbersAfter } from "./move-numbers.js";
import { claimOfWhite, evaluation } from "./pgn.js";
import { winInWords } from "./replay-data.js";

const STATES = { idle: "stopped", starting: "starts", searching: "searches", quiet: "searches; no news for a while", stopping: "stops", waiting: "waits: the position is over", finished: "has finished", silent: "reports nothing more", mute: "gives no evaluation", evaluating: "evaluates the moves", failed: "failed" };
/** What the sign of an engine looks like: it runs, pauses, is stopped or has failed. */
const SIGNS = { run: "M5 3L20 12L5 21z", pause: "M5 3h5v18H5zM14 3h5v18h-5z", stop: "M4 4h16v16H4z", fail: "M6 2L12 8L18 2L22 6L16 12L22 18L18 22L12 16L6 22L2 18L8 12L2 6z" };
const SIGN_OF = { idle: "stop", starting: "run", searching: "run", quiet: "run", stopping: "stop", waiting: "pause", finished: "pause", silent: "pause", mute: "pause", evaluating: "run", failed: "fail" };

/** An engine whose last news are of this time, in milliseconds, seems to be done: nothing but silence says so. */
const AT_ONCE = 50;

/** What an engine does. The protocol keeps the end of a search without limits to itself: silence after it is no search. */
function stateOf({ state, found, is_on: isOn }) {
  if (state === "finished" && !isOn) return "idle";
  if (found === null || !["quiet", "finished"].includes(state)) return state;
  if (found.lines.every(({ score }) => score === null)) return "mute";
  return found.time_ms !== null && found.time_ms < AT_ONCE && state === "quiet" ? "silent" : state;
}

export class EngineLines {
  /** `toggle` is called with the number of an engine and whether it shall search, `remove` with its number, `play` with moves, and `preview` with those at which the pointer or the focus is, and the place of the last one on the page. */
  constructor(box, { toggle, remove, play, preview }) {
    Object.assign(this, { box, toggle, remove, play, preview });
    this.cards = new Map();
    box.addEventListener("keydown", (event) => this.onKey(event));
    box.addEventListener("pointerdown", ({ pointerType }) => (this.pointerType = pointerType));
    // A finger leaves no place: what it has opened closes with the next touch elsewhere.
    document.addEventListener("pointerdown", ({ target }) => box.contains(target) || this.leave());
    addEventListener("resize", () => offerWhole(box));
  }

  /** Shows the engines, of which `nLines` lines are wanted at the shown `node`. */
  show(engines, nLines, node, board) {
    if (node.id !== this.node?.id) {
      this.leave();
      // What was held are lines of another position.
      for (const { hold } of this.cards.values()) hold(false);
    }
    Object.assign(this, { nLines, node, board });
    for (const [id, card] of this.cards) {
      if (engines.some((engine) => engine.id === id)) continue;
      card.node.remove();
      this.cards.delete(id);
    }
    engines.forEach((engine, idx) => {
      if (!this.cards.has(engine.id)) this.add(engine.id);
      this.refresh(this.cards.get(engine.id), engine, idx);
    });
  }

  add(id) {
    const facts = element("span", { class: "facts" });
    const name = element("h3", {});
    const sign = drawn("path", {});
    const mark = drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, sign);
    const button = element("button", { type: "button", "data-engine": id, click: () => this.toggle(id, button.getAttribute("aria-pressed") !== "true") });
    const remove = element("button", { type: "button", class: "remove", "data-remove": id, title: "Remove this engine", click: () => this.remove(id) }, "✕");
    const why = element("p", { class: "notice", hidden: true });
    const lines = element("ol", { class: "engine-lines", focusout: ({ relatedTarget }) => (lines.isNew &&= lines.contains(relatedTarget)) });
    // Lines stay as they are from the moment on at which the mouse moves over one of their moves, until it leaves them.
    const hold = (isHeld) => {
      lines.held = isHeld;
      node.toggleAttribute("data-held", isHeld);
    };
    lines.addEventListener("pointermove", ({ pointerType, target, movementX, movementY }) => {
      const moves = movementX !== 0 || movementY !== 0;
      if (pointerType === "mouse" && moves && target.closest(".line-moves button") !== null) hold(true);
    });
    lines.addEventListener("pointerleave", ({ pointerType }) => {
      if (pointerType !== "mouse") return;
      hold(false);
      this.leave();
      if (lines.latest !== undefined) this.refreshLines(lines, lines.latest);
    });
    const node = element("div", { class: "engine" }, element("div", { class: "engine-head" }, mark, name, facts, button, remove), why, lines);
    this.box.append(node);
    this.cards.set(id, { node, mark, sign, facts, name, button, remove, why, lines, hold });
  }

  refresh({ node, mark, sign, facts, name, button, remove, why, lines }, engine, idx) {
    mark.setAttribute("class", `engine-mark best-${idx}`);
    const { found } = engine;
    const state = stateOf(engine);
    if (name.textContent !== engine.name) name.replaceChildren(nameOf(engine.name));
    name.title = engine.name;
    node.dataset.state = state;
    node.dataset.sign = SIGN_OF[state];
    sign.setAttribute("d", SIGNS[SIGN_OF[state]]);
    node.dataset.depth = String(found?.depth ?? "");
    // While it searches, what is below keeps its place.
    node.style.setProperty("--lines", engine.is_on && state !== "evaluating" ? Math.min(this.nLines, engine.most_lines) : 0);
    const action = engine.is_on ? "Stop" : "Start";
    setText(button, action);
    button.setAttribute("aria-pressed", String(engine.is_on));
    button.setAttribute("aria-label", `${action}: ${engine.name}`);
    remove.setAttribute("aria-label", `Remove: ${engine.name}`);
    // It keeps its place.
    button.style.visibility = state === "evaluating" && !engine.is_on ? "hidden" : "";
    const words = [];
    if (found !== null && state !== "evaluating") {
      if (found.depth !== null) words.push(`depth ${found.depth}`);
      if (found.nodes !== null) words.push(`${SHORT.format(found.nodes)} nodes`);
      if (found.nps !== null) words.push(`${SHORT.format(found.nps)}/s`);
      if (found.time_ms !== null) words.push(time(found.time_ms));
    }
    // Numbers of a search say that it runs; the sign says so, too.
    const isClear = state === "searching" && 0 < words.length;
    // It was stopped before more lines were wanted.
    const nLines = Math.min(this.nLines, engine.most_lines);
    const stateWords = state === "idle" && found !== null && engine.n_lines < nLines ? `stopped; press Start to see ${nLines} lines` : STATES[state];
    // What has no room is left out from the end.
    facts.replaceChildren(element("span", { class: isClear ? "unseen" : null }, stateWords), ...words.map((word) => element("span", {}, word)));
    why.hidden = engine.why === null;
    if (why.textContent !== (engine.why ?? "").replaceAll("`", "")) why.replaceChildren(...prose(engine.why ?? ""));
    this.refreshLines(lines, found?.lines.slice(0, nLines) ?? []);
    this.goOn(lines, button, engine.is_on);
  }

  /** Lines that stay the same keep their buttons, so that a click on one finds it. */
  refreshLines(list, lines) {
    list.latest = lines;
    const isHeld = list.held || list.contains(this.tapped) || (!list.isNew && list.querySelector(":focus-visible") !== null);
    if (isHeld && list.node === this.node.id) return;
    list.node = this.node.id;
    requestAnimationFrame(() => offerWhole(list));
    while (lines.length < list.childElementCount) list.lastElementChild.remove();
    lines.forEach((line, idx) => {
      const item = list.children[idx] ?? list.appendChild(element("li", {}, element("b", { class: "line-score" }), element("span", { class: "line-moves" }), this.newMore()));
      const [mark, moves] = item.children;
      const isForced = typeof line.score === "string";
      setText(mark, line.score === null ? "?" : isForced ? evaluation(claimOfWhite(line.score), "w", this.board) : score(line.score));
      const facts = [isForced ? winInWords(line.score, this.board) : null, line.depth === null ? null : `depth ${line.depth}`];
      const title = facts.filter((fact) => fact !== null).join(", ");
      if (mark.title !== title) mark.title = title;
      const key = `${this.node.id} ${line.moves.join(" ")}`;
      if (item.dataset.key === key) return;
      item.dataset.key = key;
      const numbers = numbersAfter(this.node, line.sides);
      line.moves.forEach((move, place) => {
        const button = moves.children[place] ?? moves.appendChild(this.newMove(item, place));
        const number = isNumbered(line.sides, place) ? `${numbers[place]} ` : "";
        const [piece] = line.movers[place] === null ? [] : piecesOf(line.movers[place], this.board);
        const figure = piece === undefined ? "" : figureOf(piece, this.board, { role: "img", "aria-label": `${piece.kind.name} ` });
        button.replaceChildren(element("span", {}, number), figure, line.words[place]);
        button.dataset.words = `${numbers[place]} ${line.words[place]}`;
        // The first move of a line is a stop of the Tab key.
        button.tabIndex = place === 0 ? 0 : -1;
      });
      while (line.moves.length < moves.childElementCount) moves.lastElementChild.remove();
    });
  }

  /** The button that shows the whole of a line, and not only its first row. */
  newMore() {
    const more = element("button", { type: "button", class: "more", "aria-label": "Whole line", "aria-expanded": "false", click: () => more.setAttribute("aria-expanded", String(more.getAttribute("aria-expanded") === "false")) });
    return more;
  }

  /** The button of the move at a place of a line. A finger shows the position first, and plays the moves when it comes again. */
  newMove(item, place) {
    const moves = () => item.dataset.key.split(" ").slice(1, place + 2);
    const look = () => this.preview(moves(), button);
    const click = () => {
      if (this.pointerType === "touch" && this.tapped !== button) {
        look();
        this.tapped = button;
        return;
      }
      this.leave();
      // Whoever plays by key goes on with the best move of the same engine, as soon as there is one.
      this.goesOn = this.pointerType === "keys" ? { list: item.parentNode, node: this.node.id } : null;
      this.play(moves());
    };
    const button = element("button", { type: "button", class: "link", click, pointerenter: ({ pointerType }) => pointerType === "mouse" && look(), focus: () => button.matches(":focus-visible") && !item.parentNode.isNew && look(), blur: () => this.pointerType !== "touch" && this.leave() });
    return button;
  }

  /** Puts the focus where whoever played by key goes on, unless it is elsewhere by now. */
  goOn(list, toggle, isOn) {
    if (this.goesOn?.list !== list || this.goesOn.node === this.node.id) return;
    const target = list.querySelector(".line-moves button") ?? (isOn ? null : toggle);
    if (target === null) return;
    this.goesOn = null;
    if (document.activeElement !== document.body && !list.contains(document.activeElement)) return;
    // Nobody looks along these lines yet: they go on changing.
    list.isNew = true;
    target.focus({ focusVisible: true });
  }

  leave() {
    this.tapped = null;
    this.preview([], null);
  }

  /** The arrow keys lead from move to move of a line, and from line to line. */
  onKey(event) {
    const { target, key } = event;
    this.pointerType = "keys";
    const item = target.closest(".engine-lines li");
    if (item === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const beside = { ArrowLeft: target.previousElementSibling, ArrowRight: target.nextElementSibling };
    const line = { ArrowUp: item.previousElementSibling, ArrowDown: item.nextElementSibling };
    item.parentNode.isNew = false;
    if (key === "Escape") this.leave();
    else if (key in beside) beside[key]?.focus();
    else if (key in line) line[key]?.querySelector("button").focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Offers to show the whole of each line that has more than its row. */
function offerWhole(box) {
  for (const moves of box.querySelectorAll(".line-moves")) {
    const isWhole = moves.scrollHeight <= moves.clientHeight && moves.nextElementSibling.getAttribute("aria-expanded") === "false";
    moves.nextElementSibling.style.visibility = isWhole ? "hidden" : "";
  }
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
