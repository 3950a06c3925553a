// The bar beside a board: White's win probability. It is as high as the squares, without the names of the files below them.

import { EDGE, MARGIN } from "./board.js";

/** Shows what is White's, from 0 to 1, or `null` if nothing is known. `words` say it to those who do not see the bar. */
export function showGauge(gauge, white, isFlipped, words) {
  gauge.classList.toggle("is-unknown", white === null);
  gauge.classList.toggle("is-flipped", isFlipped);
  // A match that cannot be replayed has no board.
  const height = gauge.parentElement.querySelector(".board svg")?.viewBox.baseVal.height;
  gauge.style.top = `${(100 * EDGE) / height}%`;
  gauge.style.bottom = `${(100 * MARGIN) / height}%`;
  const [part, number] = gauge.children;
  part.style.height = `${100 * (white ?? 0.5)}%`;
  // There is no room for a space in it. The number of the side that is ahead stands at its end, in its part.
  const isWhites = 0.5 <= (white ?? 0.5);
  number.className = isWhites ? "of-w" : "of-b";
  number.textContent = white === null ? "" : `${Math.round(100 * (isWhites ? white : 1 - white))}%`;
  gauge.setAttribute("aria-label", words);
  gauge.title = words;
}
