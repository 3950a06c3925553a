// The mouse wheel over a board goes through the moves, and does not scroll the page.

/** How far a wheel turns for a step, in pixels: a notch of a mouse is more, a trackpad sends many small parts of it. */
const STEP = 40;
/** What a line is in pixels, in which some browsers count. */
const LINE = 16;

/** Calls `step` with 1 for each notch downwards over `box`, and with -1 for each upwards. */
export function stepByWheel(box, step) {
  let turned = 0;
  const turn = (event) => {
    // With Ctrl, it zooms the page.
    if (event.ctrlKey || Math.abs(event.deltaY) < Math.abs(event.deltaX)) return;
    event.preventDefault();
    const delta = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE);
    // Who turns back does not undo the rest of a step first.
    turned = (turned < 0 === delta < 0 ? turned : 0) + delta;
    if (Math.abs(turned) < STEP) return;
    turned = 0;
    step(Math.sign(delta));
  };
  box.addEventListener("wheel", turn, { passive: false });
}
