// Runs when the replay of a match is opened on a page of its own.

import { data, idOfRow, replayOfRow } from "./data.js";
import { attempt, byId } from "./dom.js";
import { showMatch, startReplay } from "./replay.js";
import { startTheme } from "./theme.js";

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
  if (isPlayed) for (const one of document.querySelectorAll(".to-analyse")) one.hidden = true;
  byId("match-back").href = "../";
  showMatch(0, replay, ply === undefined ? null : Number(ply));
  const flip = document.querySelector("[data-step=flip]");
  // Who comes from a match as Black sees the board as before.
  if (isFirst && new URLSearchParams(location.search).get("side") === "b") flip.click();
  isFirst = false;
}
