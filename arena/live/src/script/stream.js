// The stream of what happens. The browser reconnects by itself, and says which event it got last; the server then goes on
// there, or sends everything anew. The notice on the page says whether there is a connection.

import { byId } from "./dom.js";

/** How far the clock of this machine is ahead of the clock of the arena's machine, in milliseconds. */
let ahead = 0;

/** The time between two attempts where the browser makes none. */
const PAUSE_MS = 5000;

/** The time on the arena's machine, in milliseconds since 1970. */
export function arenaTime() {
  return Date.now() - ahead;
}

/** Whether the arena has said that it ends. */
export const hasEnded = () => "ended" in document.body.dataset;

/** Calls `snapshot` with everything, and `frame` with what is new. */
export function follow(address, handlers) {
  const { snapshot, frame } = handlers;
  const source = new EventSource(address);
  const notice = byId("lost");
  const take = (handler) => (event) => handler(JSON.parse(event.data));
  source.addEventListener("time", (event) => (ahead = Date.now() - Number(event.data)));
  source.addEventListener("snapshot", take(snapshot));
  source.addEventListener("frame", take(frame));
  const again = () => setTimeout(() => follow(address, handlers), PAUSE_MS);
  const showLost = (isLost) => {
    notice.hidden = !isLost;
    document.body.toggleAttribute("data-lost", isLost);
  };
  const showEnd = (hasEnded) => {
    document.body.toggleAttribute("data-ended", hasEnded);
    byId("ended").hidden = !hasEnded;
  };
  source.addEventListener("open", () => {
    showLost(false);
    showEnd(false);
  });
  source.addEventListener("error", () => {
    showLost(byId("ended").hidden);
    // The browser gives up where the answer is an error.
    if (source.readyState === EventSource.CLOSED) again();
  });
  source.addEventListener("end", () => {
    source.close();
    showEnd(true);
    again();
  });
}
