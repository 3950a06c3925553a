// What an engine thinks of each move of a line: it evaluates all positions, and the moves that give something away are marked.

import { byId, drawn, element } from "./dom.js";
import { percent } from "./format.js";
import { isNumbered, numbersAfter } from "./move-numbers.js";
import { claimOfWhite, evaluation, isEnd } from "./pgn.js";
import { winProbability } from "./replay-data.js";

/** How much win probability a move gives away, by the limits of lichess (scalachess, `Advice`: 0.3, 0.2, 0.1 on a scale from -1 to 1). */
const FAULTS = [
  { least: 0.15, sign: "??", name: "blunder", plural: "blunders" },
  { least: 0.1, sign: "?", name: "mistake", plural: "mistakes" },
  { least: 0.05, sign: "?!", name: "inaccuracy", plural: "inaccuracies" },
];
const TIMES = [200, 500, 1000, 2000, 5000];
const MOST_LISTED = 5;
/** The least number of moves of which an average, or a count of some of a match, says something. */
const LEAST_AVERAGED = 5;
const SIDES = { w: "White", b: "Black" };
const UNNAMED = "the loaded text";

/** The win probability of White by a score from White's view. */
export function chanceOf(score) {
  return typeof score === "number" ? winProbability(score, "w") : Number(score.startsWith("White"));
}

/** A score from White's view after the best move. */
function onePlyLater(score) {
  const [, end, plies] = /^(.* wins in )([1-9]\d*) /.exec(score) ?? [];
  return end === undefined ? score : `${end}${plies - 1} ${plies === "2" ? "ply" : "plies"}`;
}

/** In chess, evaluations beyond this are the same for a loss, as on lichess (scalachess, `Eval.Cp.CEILING`): all of them win. */
const CEILING = 1000;

/** The value of a score from White's view for a side; a won game is infinite. */
const valueFor = (side, score) => (side === "w" ? 1 : -1) * (typeof score === "number" ? score : score.startsWith("White") ? Infinity : -Infinity);

/** The signs of the numbers with which PGN judges a position or a move, and what they mean: section 10 of its standard, and from 140 on what is in common use. */
const JUDGEMENTS = {
  7: ["□", "the only move"],
  8: ["□", "the only move"],
  10: ["=", "equal"],
  11: ["=", "equal, and quiet"],
  12: ["=", "equal, and active"],
  13: ["∞", "unclear"],
  14: ["⩲", "White is slightly better"],
  15: ["⩱", "Black is slightly better"],
  16: ["±", "White is better"],
  17: ["∓", "Black is better"],
  18: ["+−", "White is winning"],
  19: ["−+", "Black is winning"],
  22: ["⨀", "White must move, and would rather not (zugzwang)"],
  23: ["⨀", "Black must move, and would rather not (zugzwang)"],
  32: ["⟳", "White is ahead in development"],
  33: ["⟳", "Black is ahead in development"],
  36: ["↑", "White has the initiative"],
  37: ["↑", "Black has the initiative"],
  40: ["→", "White attacks"],
  41: ["→", "Black attacks"],
  44: ["=∞", "White has compensation for material"],
  45: ["=∞", "Black has compensation for material"],
  132: ["⇆", "White has counterplay"],
  133: ["⇆", "Black has counterplay"],
  138: ["⊕", "White is short of time"],
  139: ["⊕", "Black is short of time"],
  140: ["∆", "with the idea"],
  146: ["N", "a novelty"],
};

/** Signs of books that many fonts lack are drawn. */
const DRAWN = { "⩲": "M5 1v6M2 4h6M2 9.500h6M2 12.500h6", "⩱": "M2 1.500h6M2 4.500h6M5 7v6M2 10h6" };

export class Review {
  /** `begin` is called with the number of an engine and the time for a position, `end` without anything, `choose` with the name of who evaluated the positions, `go` with the number of a node, `play` with that and moves, and `colourOf` with the name of who evaluated for its class. */
  constructor({ begin, end, choose, go, play, colourOf }) {
    Object.assign(this, { go, play, colourOf, found: {}, sides: {}, others: {}, written: {}, by: null, isWhole: false, isOn: false, hasScores: false, isChess: false });
    byId("author").addEventListener("change", () => choose(this.authors[byId("author").value]));
    byId("review-time").append(...TIMES.map((ms) => element("option", { value: ms, selected: ms === 500 ? "" : null }, `${ms / 1000} s`)));
    byId("review-start").addEventListener("click", () => (this.isOn ? end() : begin(Number(byId("review-engine").value), Number(byId("review-time").value))));
  }

  /** Takes note of what is known: all who evaluated a line, who of them is shown, for each position its score for White, its best line and the sides of those moves, where somebody else fills a gap, how a text writes a score, and whether more was evaluated than what was searched in passing. */
  take({ authors, by, found, sides, others, written, is_whole: isWhole }) {
    const all = authors.includes(by) ? authors : [...authors, by];
    Object.assign(this, { authors: all, by, found, sides, others, written, isWhole });
    byId("author-label").hidden = all.length < 2;
    byId("author").replaceChildren(...all.map((name, idx) => element("option", { value: idx, selected: name === by ? "" : null }, name ?? UNNAMED)));
  }

  /** Who evaluated a position, or the one before it, in words. */
  nameAt({ id, parent }) {
    const known = this.found[id] === undefined ? parent?.id : id;
    return (known in this.others ? this.others[known] : this.by) ?? UNNAMED;
  }

  /** Shows what can be done: `progress` is that of the engine that evaluates, if one does; `hasMoves` says whether there is anything to evaluate. */
  showState(engines, progress, hasMoves) {
    const able = engines.filter(({ is_mute: isMute }) => !isMute);
    byId("review").hidden = able.length === 0 || !hasMoves;
    const names = able.map(({ name }) => name);
    const select = byId("review-engine");
    if (names.join("\n") !== [...select.options].map(({ text }) => text).join("\n")) {
      const chosen = select.value;
      select.replaceChildren(...able.map(({ id, name }) => element("option", { value: id, selected: String(id) === chosen ? "" : null }, name)));
    }
    byId("review-engine-label").hidden = names.length < 2;
    for (const one of [select, byId("review-time")]) one.disabled = this.isOn;
    const words = this.isOn ? `Stop (${progress.done} of ${progress.of})` : "Evaluate all moves";
    if (byId("review-start").textContent !== words) byId("review-start").textContent = words;
  }

  /** The score of a position for White; that of a best move is what the engine found before it, one ply nearer to a forced end. */
  scoreOf({ id, parent, words }) {
    const [before, best] = this.found[parent?.id] ?? [];
    return this.found[id]?.[0] ?? (best === words ? onePlyLater(before) : undefined);
  }

  /** What the move to a node gives away, and the better move; `null` if that is not known. */
  lossOf(node) {
    const [before, best, ...rest] = this.found[node.parent?.id] ?? [];
    const [after] = this.found[node.id] ?? [];
    // What two engines say is not compared.
    if (before === undefined || after === undefined || this.nameAt(node) !== this.nameAt(node.parent)) return null;
    const chances = [before, after].map(chanceOf);
    const values = [before, after].map((score) => valueFor(node.side, score));
    const most = this.isChess ? CEILING : Infinity;
    const [was, is] = values.map((value) => winProbability(Math.max(-most, Math.min(value, most)), "w"));
    return { node, best, rest, chances, values, loss: best === node.words ? 0 : Math.max(0, was - is) };
  }

  /** What the move to a node gives away; `null` if it is little, or not known. */
  faultOf(node) {
    const found = this.lossOf(node);
    const [was, is] = found?.values ?? [];
    // A win that is missed or allowed matters less if the game is won or lost in any case (lila, `MateAdvice`).
    const isMissed = was === Infinity;
    const sure = isMissed ? is : -was;
    const isOfMate = found !== null && found.best !== node.words && is < was && (isMissed || is === -Infinity);
    const kind = isOfMate ? FAULTS[999 < sure ? 2 : 700 < sure ? 1 : 0] : FAULTS.find(({ least }) => least <= (found?.loss ?? 0));
    return kind === undefined ? null : { ...kind, ...found };
  }

  /** The value of the position after a move, as the bar has it, behind the last move of a turn. */
  valueOf(node, board) {
    if (node.children[0]?.side === node.side) return null;
    const score = this.scoreOf(node);
    const [claim, side] = score === undefined ? [node.score, node.side] : [claimOfWhite(score), "w"];
    if (claim === null || isEnd(score)) return null;
    const [by, colour] = score === undefined ? ["the player of the match", ""] : [this.nameAt(node), this.colourOf(this.nameAt(node))];
    return element("span", { class: `claim ${colour}`, title: `Evaluation from White's view, by ${by}` }, evaluation(claim, side, board));
  }

  /** The signs of the judgements of a position, and the numbers of those that have none. */
  judgementsOf({ judgements }) {
    return judgements.map((number) => {
      const [sign, words] = JUDGEMENTS[number] ?? [`$${number}`, "a judgement of the text"];
      const content = DRAWN[sign] === undefined ? [sign] : [drawn("svg", { viewBox: "1.5 0 7 14", "aria-hidden": "true" }, drawn("path", { d: DRAWN[sign] })), element("span", { class: "unseen" }, sign)];
      return element("span", { class: "judgement", title: words[0].toUpperCase() + words.slice(1) }, ...content);
    });
  }

  /** What stands behind a move: one sign, that of a person before that of an engine, with who gave it; then the judgements, and the value. */
  signsOf(node, board) {
    const [fault, value] = [this.faultOf(node), this.valueOf(node, board)];
    return [this.signOf(node, fault), ...this.judgementsOf(node), value];
  }

  signOf(node, fault) {
    if (fault === null && node.sign === null) return null;
    const found = fault === null ? [] : [this.wordsOf(fault)];
    if (node.sign === null || node.sign === fault?.sign) return element("b", { class: `fault ${fault.name}`, title: found[0] }, fault.sign, element("span", { class: "unseen" }, ` ${fault.name}`));
    // One that an evaluation contradicts has no colour.
    const kind = FAULTS.find(({ sign }) => sign === node.sign && this.lossOf(node) === null);
    return element("b", { class: `sign${kind === undefined ? "" : ` fault ${kind.name}`}`, title: ["Sign of the text, or your own", ...found].join(". ") }, node.sign);
  }

  /** What a fault is, in words. */
  wordsOf({ node, name, best, chances }) {
    const by = best === null ? `, by ${this.nameAt(node)}` : `; ${this.nameAt(node)} prefers ${best}`;
    return `${name[0].toUpperCase()}${name.slice(1)}: win probability of White ${chances.map((chance) => percent(chance, 0)).join(" → ")}${by}`;
  }

  /** The moves of the better line, each with its number; a click on one plays the line up to it. */
  better(node, line) {
    const sides = this.sides[node.id];
    const numbers = numbersAfter(node, sides);
    return line.flatMap((words, idx) => [isNumbered(sides, idx) ? ` ${numbers[idx]} ` : " ", element("button", { type: "button", class: "link", click: () => this.play(node.id, line.slice(0, idx + 1)) }, words)]);
  }

  /** Lists the faults of a line, as far as it was evaluated; its `title` says which one it is. Returns whether there is something to list: not while an engine finds something else. */
  showFaults(line, title) {
    const known = Map.groupBy(line.filter((node) => this.lossOf(node) !== null), (node) => this.nameAt(node));
    const isKnown = 0 < known.size && this.isWhole && !this.hasScores;
    const faults = line.map((node) => this.faultOf(node)).filter((fault) => fault !== null);
    byId("faults").hidden = !isKnown;
    const count = (side) => {
      const own = faults.filter(({ node }) => node.side === side);
      const words = FAULTS.map(({ sign, name, plural }) => [own.filter((fault) => fault.sign === sign).length, name, plural]);
      const moves = line.filter((node) => node.side === side);
      const losses = moves.flatMap((node) => this.lossOf(node)?.loss ?? []);
      const part = losses.length < moves.length ? `${losses.length} of ${moves.length} moves` : "";
      // A few moves of many are no verdict on a match.
      if (losses.length === 0 || (part !== "" && losses.length < LEAST_AVERAGED)) return `${SIDES[side]}: ${part || "no move"} evaluated`;
      const average = losses.length < LEAST_AVERAGED ? "" : `; average loss ${((100 * losses.reduce((sum, loss) => sum + loss, 0)) / losses.length).toFixed(1)} points of win probability`;
      return `${SIDES[side]}: ${words.map(([n, one, many]) => `${n} ${n === 1 ? one : many}`).join(", ")}${part && ` in ${part}`}${average}`;
    };
    byId("faults").querySelector("h3").textContent = `${title}valuated ${[...known].map(([name, { length }]) => `by ${name}${length < line.length ? `, ${length} of ${line.length} moves` : ""}`).join("; ")}`;
    byId("fault-counts").replaceChildren(...["w", "b"].map((side) => element("li", {}, count(side))));
    const worst = !isKnown ? [] : faults.sort((one, other) => other.least - one.least || other.loss - one.loss).slice(0, MOST_LISTED);
    byId("worst").replaceChildren(
      ...worst.map(({ node, sign, chances, best, rest }) =>
        element(
          "li",
          {},
          element("button", { type: "button", class: "link", click: () => this.go(node.id) }, `${node.number} ${node.words}${sign}`),
          ` ${chances.map((chance) => percent(chance, 0)).join(" → ")}`,
          ...(best === null ? [] : [", better", ...this.better(node.parent, [best, ...rest])]),
        ),
      ),
    );
    return isKnown;
  }
}
