// Shows errors of the page's scripts to the reader. A classic script that runs before all others, so that it also
// shows their syntax errors.

(() => {
  /** More different errors than this are counted. */
  const MOST_SHOWN = 5;
  const texts = new Set();

  function show(error, place) {
    const message = String(error);
    // Some browsers repeat the message in the stack; others do not.
    const stack = String(error?.stack ?? place);
    texts.add(stack.includes(message) ? stack : `${message}\n${stack}`);
    const shown = [...texts].slice(0, MOST_SHOWN);
    if (MOST_SHOWN < texts.size) shown.push(`and ${texts.size - MOST_SHOWN} more`);
    const box = document.getElementById("script-errors");
    box.querySelector("pre").textContent = shown.join("\n\n");
    box.hidden = false;
  }

  addEventListener("error", ({ error, message, lineno, colno }) => show(error ?? message, `line ${lineno}, column ${colno}`));
  addEventListener("unhandledrejection", ({ reason }) => show(reason, "in a promise"));
})();
