// Runs when the page is opened.

import { data } from "./data.js";
import { attempt } from "./dom.js";
import { startFilter } from "./match-filter.js";
import { refreshList, startList } from "./match-list.js";
import { startReplay } from "./replay.js";
import { keepMatches, keepSorting, startRouter } from "./router.js";
import { startTables } from "./table-tools.js";
import { startTheme } from "./theme.js";
import { offerTips } from "./tips.js";

attempt(startTheme);
attempt(offerTips);
if (data !== null) {
  attempt(() => startTables(keepSorting));
  attempt(() =>
    startFilter(() => {
      keepMatches();
      refreshList();
    }),
  );
  attempt(() => startList(keepMatches));
  attempt(refreshList);
  attempt(startReplay);
  startRouter();
}
