// The menu of a move in an analysis: its sign, what is said of it, its place among the branches, and its deletion.

import { byId, element } from "./dom.js";

const SIGNS = { "!": "Good move", "!!": "Brilliant move", "!?": "Interesting move", "?!": "Dubious move", "?": "Mistake", "??": "Blunder" };
/** The space between the menu and what it belongs to, and around the menu. */
const GAP = 6;

export class MoveMenu {
  /** `act` is called with what the user wants to be done. */
  constructor(act) {
    Object.assign(this, { act, box: byId("move-menu"), node: null });
    byId("signs").append(...Object.entries(SIGNS).map(([sign, title]) => element("button", { type: "button", title, "aria-label": `${sign} ${title}`, "data-sign": sign, click: () => this.setSign(sign) }, sign)));
    byId("promote").addEventListener("click", () => this.finish("promote"));
    byId("make-main").addEventListener("click", () => this.finish("make-main"));
    byId("delete-from").addEventListener("click", () => this.remove());
    this.box.addEventListener("keydown", (event) => this.onKey(event));
    document.addEventListener("pointerdown", ({ target }) => this.box.contains(target) || this.opener?.contains(target) || this.close());
  }

  /** Opens the menu of a node at the element `opener`. */
  open(node, opener) {
    this.close();
    Object.assign(this, { node, opener });
    byId("menu-move").textContent = node.parent === null ? "Start position" : `${node.number} ${node.words}`;
    byId("comment").value = node.comment;
    this.refresh();
    this.box.hidden = false;
    const [at, own] = [opener, this.box].map((one) => one.getBoundingClientRect());
    const fits = at.bottom + GAP + own.height <= innerHeight;
    const top = fits ? at.bottom + GAP : Math.min(at.top, innerHeight) - own.height - GAP;
    this.box.style.left = `${Math.max(GAP, Math.min(at.left, document.documentElement.clientWidth - own.width - GAP))}px`;
    this.box.style.top = `${Math.max(GAP, top)}px`;
    this.box.focus({ preventScroll: true });
  }

  /** Shows what is known of the move now; `nodes` are those of the tree. */
  refresh(nodes = null) {
    if (this.node === null) return;
    const node = nodes === null ? this.node : nodes.get(this.node.id);
    if (node === undefined || node.move !== this.node.move) {
      this.close(false);
      return;
    }
    this.node = node;
    const isStart = node.parent === null;
    for (const id of ["signs", "delete-from"]) byId(id).hidden = isStart;
    for (const button of byId("signs").children) button.setAttribute("aria-pressed", String(button.dataset.sign === node.sign));
    let n = 0;
    for (let at = node; at.parent !== null; at = at.parent) n += at.parent.children[0] === at ? 0 : 1;
    // At a single branch, both are the same.
    byId("promote").hidden = n < 2;
    byId("make-main").hidden = n < 1;
  }

  setSign(sign) {
    this.act({ do: "sign", node: this.node.id, sign: this.node.sign === sign ? "" : sign });
  }

  finish(what) {
    const { id } = this.node;
    this.close();
    this.act({ do: what, node: id });
  }

  remove() {
    const { id } = this.node;
    this.close(false);
    this.act({ do: "remove", node: id });
  }

  /** Closes the menu; `keeps` says whether a comment that was changed is kept. */
  close(keeps = true) {
    const { node, opener } = this;
    if (node === null) return;
    this.node = null;
    const text = byId("comment").value.trim();
    if (keeps && text !== node.comment) this.act({ do: "comment", node: node.id, text });
    const hadFocus = this.box.contains(document.activeElement);
    this.box.hidden = true;
    // The list may have been drawn again.
    if (hadFocus) (opener.isConnected ? opener : document.querySelector(`#tree [data-node="${node.id}"]`))?.focus({ preventScroll: true });
  }

  onKey(event) {
    if (event.key === "Escape") this.close(false);
    else if (event.key === "Enter" && !event.shiftKey && event.target.id === "comment") this.close();
    else return;
    event.preventDefault();
  }
}
