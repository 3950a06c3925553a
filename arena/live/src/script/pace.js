// How often a page is drawn.

/** The time between two drawings: so many times what a drawing took, and not more than this. */
const PAUSE = 3;
const LONGEST_PAUSE_MS = 1000;
/** A page that is not seen has no frames, and waits for none. */
const LONGEST_FRAME_MS = 1000;

/** A function that wants a drawing. However much happens, there is time for other things between two drawings. */
export function paced(draw) {
  let isWanted = false;
  let isResting = false;
  function run() {
    [isWanted, isResting] = [false, true];
    const begun = performance.now();
    const rest = once(() => setTimeout(goOn, Math.min(PAUSE * (performance.now() - begun), LONGEST_PAUSE_MS)));
    // After the next frame, the browser has laid out and painted what was drawn.
    requestAnimationFrame(() => setTimeout(rest));
    setTimeout(rest, LONGEST_FRAME_MS);
    draw();
  }
  function goOn() {
    isResting = false;
    if (isWanted) run();
  }
  return () => {
    isWanted = true;
    if (!isResting) run();
  };
}

function once(work) {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
