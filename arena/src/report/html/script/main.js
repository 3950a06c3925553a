// Runs when the page is opened.

import { data } from "./data.js";
import { startFilter } from "./match-filter.js";
import { refreshList, startList } from "./match-list.js";
import { startReplay } from "./replay.js";
import { startRouter } from "./router.js";
import { startTheme } from "./theme.js";
import { attempt, byId } from "./dom.js";

attempt(startTheme);
if (data !== null) {
  attempt(() => startFilter(showFiltered));
  attempt(startList);
  attempt(refreshList);
  attempt(startReplay);
  startRouter();
}

function showFiltered(filter) {
  const hash = filter === "" ? "#matches" : `#matches=${filter}`;
  byId("match-back").href = hash;
  try {
    history.replaceState(null, "", hash);
  } catch {
    // The browser does not allow it for pages from disk.
  }
  refreshList();
}
