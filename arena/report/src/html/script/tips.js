// What a dotted word means: a mouse that rests on it is told by the browser, a finger is told here.

import { element } from "./dom.js";

/** Shows the meaning of a word that is tapped, until the next tap. */
export function offerTips() {
  const tip = element("p", { class: "tip", popover: "auto" });
  document.body.append(tip);
  document.addEventListener("click", ({ pointerType, target }) => {
    const word = pointerType === "touch" ? target.closest("abbr[title]:not(:is(a, button) abbr)") : null;
    if (word === null) return;
    tip.textContent = word.title;
    tip.showPopover();
    const { left, bottom } = word.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(left, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${bottom + 6}px`;
  });
}
