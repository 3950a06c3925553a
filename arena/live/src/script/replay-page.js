// Runs when the replay of a match is opened on a page of its own.

import { data, idOfRow, replayOfRow } from "./data.js";
import { attempt, byId, element } from "./dom.js";
import { pgnOf } from "./pgn.js";
import { showMatch, startReplay } from "./replay.js";
import { send } from "./send.js";
import { startTheme } from "./theme.js";

const query = new URLSearchParams(location.search);
let isFirst = true;

attempt(startTheme);
attempt(startReplay);
replayOfRow(0).then((replay) => {
  show(replay);
  addEventListener("hashchange", () => show(replay));
});

function show(replay) {
  const [, ply] = /@(\d+)$/.exec(location.hash) ?? [];
  if (!location.hash.startsWith("#match=")) history.replaceState(null, "", `#match=${idOfRow(0)}`);
  byId("match").hidden = false;
  const isPlayed = data.home === null;
  byId("match-back").textContent = isPlayed ? "Back to the board" : "Tournament";
  byId("match-back").href = "../";
  showMatch(0, replay, ply === undefined ? null : Number(ply));
  const flip = document.querySelector("[data-step=flip]");
  // Who comes from a match as Black sees the board as before.
  if (isFirst && query.get("side") === "b") flip.click();
  // The arena with which it was played analyses it, too.
  if (isFirst && query.has("analyse")) byId("copy-link").before(element("button", { type: "button", class: "link", click: () => analyse(replay) }, "Analyse this match"), " ");
  isFirst = false;
}

async function analyse(replay) {
  try {
    // The event is the name of the folder.
    const text = pgnOf(0, replay).replace(/^\[Event .*/, `[Event "Match ${idOfRow(0)}"]`);
    await send("../analyse/act", { do: "import", text });
    location.href = `../analyse/${query.get("side") === "b" ? "?side=b" : ""}`;
  } catch (error) {
    byId("said").textContent = error.message;
  }
}
