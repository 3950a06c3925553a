// How often a page is drawn.

/** The time between two drawings, in times of what a drawing took. */
const PAUSE = 3;
/** A page that is not seen has no frames, and waits for none. */
const LONGEST_FRAME_MS = 1000;

/** A function that wants a drawing. Drawings take a quarter of the time at most, however much happens. */
export function paced(draw) {
  let isWanted = false;
  let isResting = false;
  function run() {
    [isWanted, isResting] = [false, true];
    const begun = performance.now();
    draw();
    const rest = once(() => setTimeout(goOn, PAUSE * (performance.now() - begun)));
    // After the next frame, the browser has laid out and painted what was drawn.
    requestAnimationFrame(() => setTimeout(rest));
    setTimeout(rest, LONGEST_FRAME_MS);
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
