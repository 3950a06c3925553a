// What happens when the page is opened.

import { data } from "./data.js";
import { startFilter } from "./match-filter.js";
import { refreshList, startList } from "./match-list.js";
import { startReplay } from "./replay.js";
import { startRouter } from "./router.js";
import { startTheme } from "./theme.js";
import { byId } from "./dom.js";

startTheme();
if (data !== null) {
  startFilter((filter) => {
    const hash = filter === "" ? "#matches" : `#matches=${filter}`;
    byId("match-back").href = hash;
    try {
      history.replaceState(null, "", hash);
    } catch {
      // A browser that does not allow it for pages from disk.
    }
    refreshList();
  });
  startList();
  refreshList();
  startReplay();
  startRouter();
}
