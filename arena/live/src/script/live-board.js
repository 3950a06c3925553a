// The matches that are being played: one large, with what its engines think, the others small.

import { arrow, placesOf, stripe } from "./arrows.js";
import { BoardDrawing } from "./board.js";
import { addChart } from "./charts.js";
import { byId, element, keepCurrentInView, keepOneStop, nameOf, outcomeItem } from "./dom.js";
import { ExpectedLines } from "./expected-lines.js";
import { RESULTS, SHORT, clock, percent, time } from "./format.js";
import { showGauge } from "./gauge.js";
import { handOf } from "./hands.js";
import { evaluation } from "./pgn.js";
import { captureMark } from "./replay-data.js";
import { showLegend } from "./replay-panels.js";
import { isCut } from "./stream.js";

/** How often clocks are shown, and from when on it is said that an engine without a clock thinks. */
const TICK_MS = 100;
const LONG_MS = 1000;
const SIDES = ["White", "Black"];
const LETTERS = ["w", "b"];
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip" };

/** The last second is shown in hundredths. */
const shortClock = (ms) => clock(ms, ms < 1000 ? 2 : 1);

/** A board that shows a match, and is drawn again only when it shows another position. */
class MatchBoard {
  constructor(match, isFlipped) {
    this.match = match;
    this.drawing = new BoardDrawing(match.board, match.heights, isFlipped);
    // It has a name even before it is seen, and drawn.
    this.drawing.svg.setAttribute("aria-label", match.label(match.ply));
    this.shown = -1;
  }

  /** Says whether there was something new. */
  refresh(ply = this.match.ply) {
    const { match, drawing } = this;
    if (this.shown === ply) return false;
    const slides = this.shown !== -1 && ply === this.shown + 1;
    this.shown = ply;
    drawing.show({ ...match.at(ply), slides, won: [], label: match.label(ply) });
    return true;
  }

  /** Shows the position after the first `n` moves of a line. */
  showLine({ moves, words, positions, n }, expects) {
    const { match, drawing } = this;
    this.shown = -1;
    drawing.show({ ...positions[n], named: placesOf(moves[n - 1], match.board), earlier: [], won: [], label: `${match.names.join(" against ")}. ${expects} ${words.slice(0, n).join(" ")}` });
  }
}

/**
 * The small boards. A match that is over stays until another one takes its place, so that no board moves while somebody is about to
 * click it. `pick` is called with the match that is chosen.
 */
export class SmallBoards {
  constructor(list, pick) {
    this.list = list;
    this.pick = pick;
    this.slots = [];
    // What is not seen is not drawn.
    this.watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const slot = this.slots.find((one) => one.node === target);
        if (slot !== undefined) slot.isSeen = isIntersecting;
        if (slot?.isSeen) slot.board.refresh();
      }
    });
  }

  /** Shows these matches, by number. Those that `ended` last take the places of earlier ones. */
  show(matches, focused, ended) {
    for (const match of matches.values()) {
      if (this.slots.some((slot) => slot.match === match)) continue;
      const free = this.slots.find((slot) => slot.match.isOver || matches.get(slot.match.id) !== slot.match);
      this.fill(free ?? this.add(), match);
    }
    const newest = ended.slice(-this.slots.length);
    const isIn = (all, { id }) => all.some((one) => String(one.id) === String(id));
    const shown = this.slots.map(({ match }) => match);
    const late = newest.filter((match) => !isIn(shown, match));
    const early = this.slots.filter(({ match }) => match.isOver && !match.isStopped && !isIn(newest, match));
    early.slice(0, late.length).forEach((slot, idx) => this.fill(slot, late[idx]));
    for (const slot of this.slots) {
      slot.button.setAttribute("aria-pressed", String(slot.match.id === focused));
      slot.node.dataset.ply = String(slot.match.ply);
      slot.ply.textContent = `${slot.match.game} \u00b7 match\u00a0${slot.match.id}, ${slot.match.isStopped ? "stopped" : slot.match.isOver ? "over" : slot.match.ply === 0 ? "start" : `move\u00a0${parseInt(slot.match.numberAt(slot.match.ply), 10)}`}`;
      if (slot.isSeen) slot.board.refresh();
    }
    this.list.hidden = this.slots.length < 2;
  }

  /** Forgets all matches. */
  clear() {
    this.watch.disconnect();
    this.slots = [];
    this.list.replaceChildren();
  }

  add() {
    const slot = { isSeen: false };
    slot.button = element("button", { type: "button", click: () => this.pick(slot.match) });
    slot.node = element("li", {}, slot.button);
    this.slots.push(slot);
    this.list.append(slot.node);
    this.watch.observe(slot.node);
    return slot;
  }

  fill(slot, match) {
    slot.match = match;
    slot.board = new MatchBoard(match, false);
    slot.ply = element("span", { class: "fine" });
    const name = (side) => element("span", { class: "small-name" }, element("span", { class: `side-sign of-${LETTERS[side]}`, "aria-hidden": "true" }), nameOf(match.names[side]));
    slot.button.replaceChildren(name(1), element("span", { class: "board" }, slot.board.drawing.svg), name(0), slot.ply);
  }
}

/** The large board with everything around it. `goOn` is called when the viewer has seen enough of a match that is over. */
export class LargeBoard {
  constructor(goOn) {
    this.goOn = goOn;
    setInterval(() => this.tick(), TICK_MS);
    this.board = null;
    this.chart = null;
    this.isFlipped = false;
    /** The earlier position that is shown; `null` follows the match. */
    this.ply = null;
    /** The expected line that is shown, with the earlier position that was shown before; `null` shows the match. */
    this.line = null;
    this.lines = new ExpectedLines(byId("focus-lines"), (line, n, at) => this.showLine(line, n, at));
    byId("leave-line").addEventListener("click", () => this.leaveLine());
    for (const button of document.querySelectorAll("[data-walk]")) button.addEventListener("click", () => this.step(button.dataset.walk));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.line !== null) this.leaveLine();
      if (event.altKey || event.ctrlKey || event.metaKey || KEYS[event.key] === undefined || this.board === null) return;
      if (event.target.closest("input, select, textarea, .wide")) return;
      this.step(KEYS[event.key]);
      event.preventDefault();
    });
  }

  /** Shows how long the side to move thinks, without drawing anything again. */
  tick() {
    const match = this.board?.match;
    const box = document.querySelector("#focus .player:has(.to-move)");
    // What the match is at may not be drawn yet: then the clock that runs there is another one.
    if (match === undefined || box === null || isCut() || this.n_moves !== match.moves.length) return;
    const thinks = match.thinksFor();
    if (thinks === null) return;
    const left = match.clocks[LETTERS.indexOf(match.next)];
    const shown = box.querySelector(".clock");
    if (left !== null && shown !== null) shown.textContent = shortClock(Math.max(0, left - thinks));
    const words = thinks < LONG_MS ? "" : `thinking, ${Math.floor(thinks / 1000)}\u202fs`;
    const node = box.querySelector(".thinks");
    if (left === null && node.textContent !== words) node.textContent = words;
  }

  step(name) {
    const { match } = this.board;
    const at = this.ply ?? match.ply;
    const { line } = this;
    if (line === null) this.lines.release();
    if (line !== null && (name === "back" || name === "forward")) {
      this.walkLine(line.n + (name === "back" ? -1 : 1));
      return;
    }
    if (name === "flip") {
      this.isFlipped = !this.isFlipped;
      document.querySelector("[data-walk=flip]").setAttribute("aria-pressed", String(this.isFlipped));
      this.draw(match);
      this.refresh(match);
      return;
    }
    this.go({ first: 0, back: at - 1, forward: at + 1, last: match.ply }[name]);
    if (name === "last" && match.isOver) this.leave();
  }

  /** Shows the position after so many plies. */
  go(at) {
    const { match } = this.board;
    // Whoever steps through a match that is over stays with it.
    this.ply = at < match.ply || match.isOver ? Math.min(Math.max(0, at), match.ply) : null;
    this.line = null;
    this.refresh(match);
  }

  /** Shows the position after `n` moves of a line that was expected at an earlier or the newest position. */
  async showLine(line, n, at) {
    const { match } = this.board;
    const positions = await match.positionsOf(line);
    if (this.board?.match !== match) return;
    if (positions === null || positions.length < 2) {
      byId("focus-place").textContent = positions === null ? "The arena does not answer." : "The line is not legal.";
      return;
    }
    this.line = { ...line, positions, n: 0, before: this.line === null ? this.ply : this.line.before };
    this.ply = at;
    this.walkLine(n);
    // On a phone, the lines are far below the board.
    byId("focus-board").scrollIntoView({ block: "nearest" });
  }

  /** An engine may expect moves that are not legal; they have no position. */
  walkLine(n) {
    if (n < 1) {
      this.leaveLine();
      return;
    }
    this.line.n = Math.min(n, this.line.positions.length - 1);
    this.refresh(this.board.match);
  }

  /** Returns to what was shown before. Whoever looks at a match that is over stays with it. */
  leaveLine() {
    const { match } = this.board;
    this.ply = this.line.before ?? (match.isOver ? match.ply : null);
    this.line = null;
    this.lines.release();
    this.refresh(match);
  }

  /** Leaves a match that is over to others. */
  leave() {
    [this.ply, this.line] = [null, null];
    this.goOn();
  }

  /** Shows a match, or nothing. */
  show(match) {
    byId("focus").hidden = match === undefined;
    if (match === undefined) {
      this.board = null;
      return;
    }
    if (this.board?.match !== match) this.begin(match);
    if (this.n_moves !== match.moves.length || this.isNew) this.refresh(match);
    else if (this.thought !== match.thought) this.showThoughts(match);
    const said = match.isOver ? `over ${match.isAlone} ${match.ending ?? ""}` : "";
    byId("focus-over").hidden = said === "" && !match.isAgain;
    if (byId("focus-over").dataset.said !== said) {
      byId("focus-over").dataset.said = said;
      // Nobody is to move, and no move is expected any more.
      this.refresh(match);
      const replay = element("a", { class: "replay-link", href: this.replayOf(match) }, "Open its replay");
      const others = element("button", { type: "button", class: "link", click: () => this.leave() }, "Watch the matches that are being played");
      const more = match.isAlone ? [] : [others];
      const rest = match.ending === undefined ? [] : [`${match.ending} `, replay, " "];
      const cutOff = () => [`The connection was lost during match ${match.id}: this is what was seen of it. `, ...rest, ...more];
      byId("focus-over").replaceChildren(...(match.isStopped ? [`Match ${match.id} was stopped; it is played again when the tournament goes on.`] : match.isCutOff ? cutOff() : [`Match ${match.id} is over. ${match.ending ?? ""} `, replay, " ", ...more]));
    }
  }

  /** The address of the replay, at the position that is shown. */
  replayOf(match) {
    return `match/${match.id}#match=${match.id}@${this.ply ?? match.ply}`;
  }

  /** Goes on with a match that the arena has told again. What is shown of it stays. */
  goOnWith(match) {
    this.draw(match);
    this.isNew = true;
  }

  begin(match) {
    this.draw(match);
    [this.n_moves, this.ply, this.line, this.isNew] = [0, null, null, true];
    this.buttons = [];
    byId("focus-over").dataset.said = "";
    byId("focus-over").textContent = match.isAgain ? `Match ${match.id} was stopped, and is played again.` : "";
    byId("focus-moves").replaceChildren();
    byId("focus-title").textContent = `Match ${match.id}`;
    // All kinds of pieces may come up.
    const kinds = { squares: match.board.kinds.map((kind) => kind.letter), hands: [] };
    showLegend({ board: match.board, positions: [kinds], replay: match });
  }

  draw(match) {
    this.board = new MatchBoard(match, this.isFlipped);
    byId("focus-board").replaceChildren(this.board.drawing.svg);
  }

  refresh(match) {
    this.isNew = false;
    const { drawing } = this.board;
    const at = this.ply ?? match.ply;
    const { line } = this;
    const expects = line === null ? null : `${match.names[line.side]} ${at === match.ply ? "expects" : "expected"}`;
    if (line === null) this.board.refresh(at);
    else this.board.showLine(line, expects);
    byId("focus").classList.toggle("shows-line", line !== null);
    byId("leave-line").hidden = line === null;
    this.showThoughts(match);
    const { notes, check } = line === null ? match.at(at) : line.positions[line.n];
    const probabilities = match.probabilities();
    byId("focus-over").querySelector(".replay-link")?.setAttribute("href", this.replayOf(match));
    if (match.isByRules && match.result !== null && at === match.ply) this.showGauge(match.result / 2, match.ending);
    else this.showGauge(probabilities.slice(0, at).findLast((one) => one !== null) ?? null);
    this.showMoves(match, at);
    this.showChart(match, probabilities, at);
    byId("focus-facts").replaceChildren(element("span", {}, match.game));
    // At the end, how it ended says more than what the position allows.
    const isEnd = match.ending !== undefined && at === match.ply && line === null;
    const isCheck = check === null || isEnd ? "" : ", check";
    const place = line === null ? `${match.placeAt(at)}${isCheck}` : `Line of ${match.names[line.side]}, ${line.n} of ${line.positions.length - 1}${isCheck}`;
    const newest = () => `${match.numberAt(match.ply)} ${match.moves.at(-1)[3]}`;
    const where = () => (match.isCutOff ? `Its last move seen is ${newest()}` : match.isOver ? `The match ended with ${newest()}` : `The match is at ${newest()}`);
    byId("focus-place").textContent = at === match.ply || line !== null ? place : `${place}. ${where()}`;
    byId("focus-name").textContent = isEnd ? match.ending : [`Match ${match.id}, ${match.game}`, ...notes.map((note) => note.join(": "))].join(" \u00b7 ");
    byId("focus-notes").title = isEnd ? "" : notes.map((note) => note.join(": ")).join("; ");
    byId("focus-notes").replaceChildren(...(isEnd ? [] : notes).map(([label, value]) => element("span", {}, `${label}: ${value}`)));
  }

  /** Who plays, and what the engines think at the shown position. */
  showThoughts(match) {
    this.thought = match.thought;
    const { line, board: { drawing } } = this;
    const at = this.ply ?? match.ply;
    drawing.over.querySelectorAll(".arrow").forEach((one) => one.remove());
    const intended = [0, 1].map((side) => match.thoughtAt(side, at)?.intended);
    for (const side of line !== null || (match.isOver && at === match.ply) ? [] : [0, 1]) {
      if (!intended[side]) continue;
      const one = arrow(drawing, placesOf(intended[side], match.board), `of-${LETTERS[side]}`, `${match.names[side]} expects ${intended[side]}`);
      if (intended[0] === intended[1]) stripe(one, side, 2);
      drawing.over.append(one);
    }
    const { hands } = line === null ? match.at(at) : line.positions[line.n];
    const [top, bottom] = this.isFlipped ? [0, 1] : [1, 0];
    showPlayer(byId("focus-top"), match, top, hands, at);
    showPlayer(byId("focus-bottom"), match, bottom, hands, at);
    this.tick();
    this.lines.show(match, at, line);
  }

  showGauge(white, words = white === null ? "No evaluation yet" : `Win probability of White: ${percent(white, 0)}`) {
    showGauge(byId("focus-gauge"), white, this.isFlipped, words);
  }

  /** New moves are added; those that are there keep their buttons. The moves of a turn share a cell. */
  showMoves(match, at) {
    const list = byId("focus-moves");
    match.moves.slice(this.n_moves).forEach(([, side, , words], idx) => {
      const ply = this.n_moves + idx + 1;
      const isFirst = match.moves[ply - 2]?.[1] !== side;
      const ordinal = isFirst ? element("span", { class: "ordinal" }, match.numberAt(ply)) : null;
      const button = element("button", { type: "button", class: `move of-${side}`, click: () => this.go(ply) }, ordinal, words, captureMark(words, side, match.at(ply - 1), match.at(ply), match.board));
      this.buttons.push(button);
      if (isFirst) list.append(element("li", {}, button));
      else list.lastElementChild.append(button);
    });
    this.n_moves = match.moves.length;
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const hadFocus = list.contains(document.activeElement);
    if (match.result !== null && list.querySelector(".outcome") === null) list.append(outcomeItem(RESULTS[match.result]));
    this.buttons[at - 1]?.setAttribute("aria-current", "true");
    // The list is one stop of the Tab key, and keeps the focus if it has it.
    const stop = this.buttons[Math.max(0, at - 1)];
    keepOneStop(this.buttons, stop);
    if (hadFocus) stop?.focus({ preventScroll: true });
    keepCurrentInView(list);
  }

  showChart(match, probabilities, at) {
    const isKnown = probabilities.some((value) => value !== null);
    const key = `${match.id} ${match.moves.length}`;
    if (this.charted !== key || !isKnown) {
      this.charted = key;
      this.chart?.remove();
      this.chart = isKnown ? this.newChart(match, probabilities) : null;
    }
    this.chart?.mark(at);
  }

  newChart(match, probabilities) {
    const series = LETTERS.map((letter, idx) => ({
      label: match.names[idx],
      values: [null, ...probabilities.map((value, ply) => (match.moves[ply][1] === letter ? value : null))],
      colour: `side-${letter}`,
    }));
    return addChart(byId("focus-chart"), {
      title: "Win probability of White",
      x: [0, ...match.moves.map((_, idx) => idx + 1)],
      numbers: match.moves.map(([, , , words], idx) => `${match.numberAt(idx + 1)} ${words}`),
      series,
      height: 110,
      range: [0, 1],
      steps: [0.5],
      line: 0.5,
      show: (value) => percent(value, 0),
      tick: (value) => percent(value, 0),
      pick: (ply) => this.go(ply),
    });
  }
}

function showPlayer(box, match, side, hands, at) {
  const thought = match.thoughtAt(side, at);
  const isEarlier = at < match.ply;
  const facts = [];
  if (thought !== null) {
    if (thought.score !== null) facts.push(evaluation(thought.score, LETTERS[side], match.board));
    if (thought.depth !== null) facts.push(`depth ${thought.depth}`);
    // What has no room is left out from the end.
    if (thought.time_us !== null) facts.push(time(thought.time_us / 1000));
    if (thought.nodes !== null) facts.push(`${SHORT.format(thought.nodes)} ${thought.nodes === 1 ? "node" : "nodes"}`);
  }
  const isNext = match.next === LETTERS[side] && !match.isOver && !isEarlier;
  box.replaceChildren(
    element("span", { class: `side-sign of-${LETTERS[side]}${isNext ? " to-move" : ""}`, "aria-hidden": "true" }),
    element("span", { class: "who" }, nameOf(match.names[side]), element("span", { class: "unseen" }, ` plays ${SIDES[side]}`)),
    ...handOf(hands[side], match.board),
    element("span", { class: "thought" }, facts.map((fact) => element("span", {}, fact)), element("span", { class: "thinks" })),
    ...(match.clocksAt(at)[side] === null ? [] : [element("span", { class: "clock" }, shortClock(match.clocksAt(at)[side]))]),
  );
}
