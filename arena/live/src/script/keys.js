// The list of what the keys do.

import { byId } from "./dom.js";

/** The key "?" shows what the keys do, and hides it again. */
export function offerKeys() {
  document.addEventListener("keydown", ({ key, target }) => key === "?" && !target.closest("input, select, textarea") && byId("keys").togglePopover());
}
