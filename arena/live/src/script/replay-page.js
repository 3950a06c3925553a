// Runs when the replay of a match is opened on a page of its own.

import { idOfRow, replayOfRow } from "./data.js";
import { attempt, byId } from "./dom.js";
import { showMatch, startReplay } from "./replay.js";
import { startTheme } from "./theme.js";

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
  byId("match-back").textContent = "Tournament";
  byId("match-back").href = "../";
  showMatch(0, replay, ply === undefined ? null : Number(ply));
}
