// What players are told of a game that they may not know: the marks of targets, how moves are written, how it is played.

import { TARGETS } from "./board-input.js";
import { byId, drawn, element } from "./dom.js";
import { formsOf } from "./notation.js";
import { drawPictures } from "./rule-pictures.js";

/** Shows the texts of a game; `moves` are examples for a game that has none of its own. */
export function showGuide({ marks, notation }, board, moves) {
  const sign = (kind) => drawn("svg", { viewBox: "0 0 100 100", width: 18, height: 18, "aria-hidden": "true" }, drawn("path", { class: `target ${kind}`, d: TARGETS[kind] }));
  byId("marks").replaceChildren(...marks.map(([kind, words]) => element("li", {}, sign(kind), ` ${words}`)));
  const forms = 0 < notation.length ? notation : formsOf(moves, board).map(({ move, words }) => [move, words]);
  if (0 < forms.length) byId("notation").replaceChildren(...forms.flatMap(([move, words]) => [element("dt", {}, element("code", {}, move)), element("dd", {}, words)]));
}

/**
 * The page of the rules of a game, and what it says of how the game is played, if it does. `opensOthers` opens that for every further game.
 */
export function offerRules(id, name, opensOthers) {
  const box = byId("how");
  if (box.dataset.game === id) return;
  // Another game is as new as the first one.
  if (box.dataset.game !== undefined && opensOthers) box.open = true;
  box.dataset.game = id;
  box.hidden = true;
  byId("rules").href = `rules/${id}`;
  box.querySelector("summary").textContent = `How to play ${name}`;
  box.querySelector("div").replaceChildren();
  // The browser reads the page: no script turns text into markup.
  const request = new XMLHttpRequest();
  request.responseType = "document";
  request.onload = () => {
    if (box.dataset.game !== id) return;
    const how = request.response?.querySelector(".how");
    if (how) {
      const text = box.querySelector("div");
      box.hidden = false;
      // The summary is its heading.
      how.querySelector("h3")?.remove();
      // What is not needed at once stands below a heading of its own.
      const heading = how.querySelector("h4");
      if (heading !== null) {
        const rest = element("details", {}, element("summary", {}, heading.textContent));
        while (heading.nextSibling !== null) rest.append(heading.nextSibling);
        heading.replaceWith(rest);
      }
      text.replaceChildren(document.adoptNode(how));
      drawPictures(text);
    } else {
      // Chess, and games whose rules are a program, have no such text: what is said of the pieces helps more.
      const marked = document.getElementById("marked");
      if (box.open && marked !== null) marked.open = true;
    }
  };
  request.open("GET", `rules/${id}`);
  request.send();
}
