// The stream of what happens. The browser reconnects by itself, and says which event it got last; the server then goes on
// there, or sends everything anew. The notice on the page says whether there is a connection.

import { byId } from "./dom.js";

/** How far the clock of this machine is ahead of the clock of the arena's machine, in milliseconds. */
let ahead = 0;

/** The time between two attempts where the browser makes none. */
const PAUSE_MS = 1000;

/** The time on the arena's machine, in milliseconds since 1970. */
export function arenaTime() {
  return Date.now() - ahead;
}

/** Whether nothing is heard of the arena now. */
export const isCut = () => "lost" in document.body.dataset || hasEnded();

/** Whether the arena has said that it ends. */
export const hasEnded = () => "ended" in document.body.dataset;

/** Calls `snapshot` with everything, `frame` with what is new, and `viewers` with the number of windows that show the page. */
export function follow(address, handlers) {
  const { snapshot, frame, viewers = () => {} } = handlers;
  const source = new EventSource(address);
  const notice = byId("lost");
  const take = (handler) => (event) => handler(JSON.parse(event.data));
  source.addEventListener("time", (event) => (ahead = Date.now() - Number(event.data)));
  source.addEventListener("snapshot", take(snapshot));
  source.addEventListener("frame", take(frame));
  source.addEventListener("viewers", take(viewers));
  const again = () => setTimeout(() => follow(address, handlers), PAUSE_MS);
  const showLost = (isLost) => {
    if (notice.hidden) byId("lost-at").textContent = new Date().toLocaleTimeString("en-GB");
    notice.hidden = !isLost;
    document.body.toggleAttribute("data-lost", isLost);
  };
  const showEnd = (hasEnded) => {
    document.body.toggleAttribute("data-ended", hasEnded);
    byId("ended").hidden = !hasEnded;
  };
  let wasOpen = false;
  source.addEventListener("open", () => {
    wasOpen = true;
    showLost(false);
    showEnd(false);
  });
  source.addEventListener("error", () => {
    showLost(byId("ended").hidden);
    // The browser gives up where the answer is an error, and takes longer where it never had one.
    if (wasOpen && source.readyState !== EventSource.CLOSED) return;
    source.close();
    again();
  });
  source.addEventListener("end", () => {
    source.close();
    showEnd(true);
    again();
  });
}
