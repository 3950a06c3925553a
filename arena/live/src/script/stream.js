// The stream of what happens. The browser reconnects by itself, and says which event it got last; the server then goes on
// there, or sends everything anew. The notice on the page says whether there is a connection.

import { byId } from "./dom.js";

/** How far the clock of this machine is ahead of the clock of the arena's machine, in milliseconds. */
let ahead = 0;

/** The time on the arena's machine, in milliseconds since 1970. */
export function arenaTime() {
  return Date.now() - ahead;
}

/** Calls `snapshot` with everything, and `frame` with what is new. */
export function follow(address, { snapshot, frame }) {
  const source = new EventSource(address);
  const notice = byId("lost");
  const take = (handler) => (event) => handler(JSON.parse(event.data));
  source.addEventListener("time", (event) => (ahead = Date.now() - Number(event.data)));
  source.addEventListener("snapshot", take(snapshot));
  source.addEventListener("frame", take(frame));
  source.addEventListener("open", () => (notice.hidden = true));
  source.addEventListener("error", () => (notice.hidden = false));
  source.addEventListener("end", () => {
    source.close();
    notice.textContent = "The arena has ended. The page shows the last state.";
    notice.hidden = false;
    document.body.dataset.ended = "";
  });
}
