// The stream of what happens. The browser reconnects by itself, and says which event it got last; the server then goes on
// there, or sends everything anew.

/** Calls `snapshot` with everything, `frame` with what is new, and `connection` with whether there is one. */
export function follow(address, { snapshot, frame, connection }) {
  const source = new EventSource(address);
  const isLast = (data) => data.progress?.state === "ended";
  const take = (handler) => (event) => {
    const data = JSON.parse(event.data);
    handler(data);
    // Nothing comes any more: the program has ended.
    if (isLast(data)) source.close();
  };
  source.addEventListener("snapshot", take(snapshot));
  source.addEventListener("frame", take(frame));
  source.addEventListener("open", () => connection(true));
  source.addEventListener("error", () => connection(false));
}
