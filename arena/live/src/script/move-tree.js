// The tree of an analysis: its moves with all branches, as buttons, and the ways through it.

import { element, keepCurrentInView, outcomeItem } from "./dom.js";
import { countAfter, countFrom, numberOf } from "./move-numbers.js";
import { claimInPgn, evaluationInPgn, headOf } from "./pgn.js";
import { captureSign } from "./replay-data.js";

const SIDES = { w: "White", b: "Black" };
/** The tags with which PGN begins. */
const ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/**
 * The nodes by number: `0` is the start, of which `comment` is said; `extras` are the marks, the other commands and the judgements of PGN that some have, and what its player thought of it in the words of a text. Each has its parent, its move, its side, its ply and its children; the
 * count, the number and the sign of its move; and what is said of it.
 */
export function treeOf({ nodes: rows, comment: opening, extras, game_id: game, start }) {
  const extrasOf = (id) => ({ marks: extras[id]?.[0] ?? [], commands: extras[id]?.[1] ?? "", judgements: extras[id]?.[2] ?? [], claim: extras[id]?.[3] ?? "" });
  const nodes = new Map([[0, { id: 0, parent: null, ply: 0, score: null, count: countFrom(game.startsWith("chess"), start) - 1, sign: null, comment: opening, children: [], ...extrasOf(0) }]]);
  for (const [id, parent, move, side, words, captures, score, sign, comment] of rows) {
    const before = nodes.get(parent);
    const count = countAfter(before.count, before.side, side);
    const node = { id, parent: before, move, words, captures, score, sign, comment, side, count, number: numberOf(count, side), ply: before.ply + 1, children: [], ...extrasOf(id) };
    before.children.push(node);
    nodes.set(id, node);
  }
  return nodes;
}

/** The nodes from the start to a node, without the start. */
export function lineTo(node) {
  const nodes = [];
  for (let at = node; at.parent !== null; at = at.parent) nodes.unshift(at);
  return nodes;
}

/**
 * The tree as text: PGN in chess, and in other games the same with their moves. The second argument has the game, its start and
 * its title; the third one what is known of its positions, and by whom.
 */
export function textOf(root, { game_id: game, start, usual_start: usual, title, players, result: known, reason, is_main_line_of_match: isOfMatch, result_by_rules: byRules, tags }, review) {
  const { by, others: othersBy } = review;
  const isChess = game.startsWith("chess");
  // The result of a match is that of no other line, which may end by the rules.
  const result = isOfMatch ? known : byRules;
  const n = lineTo(walk(root, "last", new Map())).length;
  const rest = tags.filter(([name, value]) => name !== "PlyCount" || Number(value) === n);
  const names = players === null ? [] : [["White", players[0]], ["Black", players[1]]];
  const authors = rest.filter(([name]) => name === "Annotator").map(([, author]) => author);
  const annotators = [...new Set([...authors, by, ...Object.values(othersBy)])].filter((name) => name !== null).join(", ");
  const annotator = annotators === "" ? [] : [["Annotator", annotators]];
  const head = [["Event", title], ...rest.filter(([name]) => name !== "Annotator"), ...names, ...annotator, ["Game", game], ...(isChess ? (start === usual ? [] : [["SetUp", "1"], ["FEN", start]]) : [["FEN", start]]), ["Result", result ?? "*"], ...(!isOfMatch || result === null || reason === null ? [] : [["Termination", reason]])];
  const place = ([name]) => (ROSTER.includes(name) ? ROSTER.indexOf(name) : ROSTER.length);
  head.sort((one, other) => place(one) - place(other));
  const words = [];
  let isNew = true;
  const add = (node) => {
    if (isNew || (node.side === "w" && node.parent.side !== "w")) words.push(node.number);
    words.push(`${node.words}${node.sign ?? review.faultOf(node)?.sign ?? ""}`);
    const comments = commentsOn(node, review);
    words.push(...node.judgements.map((number) => `$${number}`), ...comments);
    isNew = 0 < comments.length;
  };
  const line = (node, others) => {
    while (node !== undefined) {
      add(node);
      for (const other of others) {
        const place = words.length;
        isNew = true;
        line(other, []);
        words[place] = `(${words[place]}`;
        words.push(`${words.pop()})`);
        isNew = true;
      }
      [node, ...others] = node.children;
    }
  };
  const [node, ...others] = root.children;
  words.push(...commentsOn(root, review));
  line(node, others);
  return `${headOf(head)}\n${[...words, result ?? "*"].join(" ")}\n`;
}

/** The comments of PGN on a position: what engines think of it, its marks and other commands, and what a person says. */
function commentsOn(node, { found, written }) {
  const [rings, arrows] = [1, 2].map((n) => node.marks.filter((mark) => mark.match(/[a-z]\d+/g)?.length === n).join(","));
  const claim = node.claim === "" && node.score !== null ? claimInPgn(node.score) : node.claim;
  const [evaluated, text] = [evaluationInPgn(found[node.id]) ?? "", written[node.id]];
  const facts = [claim, evaluated.replace(/^\[%eval [^\]]*/, (own) => (text === undefined ? own : `[%eval ${text}`)), node.commands.trim(), rings && `[%csl ${rings}]`, arrows && `[%cal ${arrows}]`];
  const known = facts.filter((fact) => fact !== "").join(" ");
  return [known, node.comment].filter((text) => text !== "").map((text) => `{${text}}`);
}

/**
 * The node to which a step leads, or the same one. `visited` has for each node the child through which the user came last, so that
 * a way back can be walked forward again.
 */
export function walk(node, step, visited) {
  const next = (one) => one.children.find(({ id }) => id === visited.get(one.id)) ?? one.children[0];
  if (step === "back") return node.parent ?? node;
  if (step === "forward") return next(node) ?? node;
  if (step === "first") {
    let at = node;
    while (at.parent !== null) at = at.parent;
    return at;
  }
  if (step === "last") {
    let at = node;
    while (0 < at.children.length) at = next(at);
    return at;
  }
  const others = node.parent?.children ?? [node];
  const place = others.indexOf(node) + (step === "above" ? -1 : 1);
  return others[place] ?? node;
}

/**
 * Draws the tree into `box`: the main line in a column for each side, and between its rows what belongs to a move: what is said of it, and the
 * other moves in its place; below it the `result` of a match, or `null`. `go` is called with the number of a node; `signsOf` gives what
 * stands behind the move of a node.
 */
export function drawTree(box, root, current, result, go, signsOf) {
  const hasFocus = box.contains(document.activeElement);
  const button = (node, ordinal) =>
    element(
      "button",
      {
        type: "button",
        class: `move of-${node.side}`,
        "data-node": node.id,
        "aria-current": node.id === current ? "true" : null,
        // The list is one stop of the Tab key.
        tabindex: node.id === current || (current === 0 && node === root.children[0]) ? "0" : "-1",
        click: () => go(node.id),
      },
      element("span", { class: ordinal }, `${node.number} `),
      node.words,
      captureSign(node.words, node.captures),
      ...signsOf(node),
      element("span", { class: "unseen" }, ` ${SIDES[node.side]}`),
    );
  /** A branch: the moves from a node on in a row, and after each move the other ones in its place. */
  const branchFrom = (first, others) => {
    const list = element("ol", { class: "branch" });
    let [node, rest] = [first, others];
    while (node !== undefined) {
      list.append(element("li", {}, button(node, node.side === "w" ? "ordinal" : "ordinal again")));
      if (node.comment !== "") list.append(element("li", { class: "comment" }, node.comment));
      if (0 < rest.length) list.append(element("li", { class: "others" }, rest.map((other) => branchFrom(other, []))));
      [node, ...rest] = node.children;
    }
    return list;
  };
  const list = element("ol", { class: "main-line" });
  const addBetween = ({ comment }, others) => {
    if (comment === "" && others.length === 0) return false;
    list.append(element("li", { class: "others" }, comment === "" ? null : element("p", { class: "comment" }, comment), others.map((other) => branchFrom(other, []))));
    return true;
  };
  const dots = () => element("span", { class: "dots", "aria-hidden": "true" }, "…");
  addBetween(root, []);
  let row = null;
  let [node, ...others] = root.children;
  while (node !== undefined) {
    // All moves of a turn stand in one cell.
    if (row?.count !== node.count) {
      row = { count: node.count, w: element("span", {}), b: element("span", {}) };
      if (node.side === "b") row.w.append(dots());
      list.append(element("li", { class: "turns" }, element("span", { class: "ordinal", "aria-hidden": "true" }, `${node.count}.`), row.w, row.b));
    }
    row[node.side].append(button(node, "unseen"));
    const [next, ...rest] = node.children;
    if (addBetween(node, others)) {
      if (node.side === "w" && next?.side === "b") row.b.append(dots());
      row = null;
    }
    [node, others] = [next, rest];
  }
  if (result !== null) list.append(outcomeItem(result));
  box.replaceChildren(list.childElementCount === 0 ? element("p", { class: "fine" }, "No moves yet.") : list);
  // The focus is on the move that is shown, so that Enter does not lead back.
  if (hasFocus) box.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  keepCurrentInView(box);
  tops.unobserve(box);
  tops.observe(box);
}

/** Lets a list begin with a whole row once its current move is in view: this observer comes after the one that sees to that. */
const tops = new ResizeObserver((entries) => {
  for (const { target: box } of entries) {
    const list = box.firstElementChild;
    list.style.paddingBottom = "";
    const { top } = box.getBoundingClientRect();
    const cut = [...list.children].map((row) => row.getBoundingClientRect()).find((row) => row.top < top && top < row.bottom);
    const current = box.querySelector("[aria-current]")?.getBoundingClientRect();
    if (box.scrollTop === 0 || cut === undefined || current === undefined || current.top < cut.bottom || box.clientHeight < 4 * cut.height) continue;
    const missing = cut.bottom - top;
    const room = box.scrollHeight - box.clientHeight - box.scrollTop;
    if (room < missing) list.style.paddingBottom = `${missing - room}px`;
    box.scrollTop += missing;
  }
});
