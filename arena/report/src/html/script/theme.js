// The theme: light, dark, or that of the system. The choice is stored if the browser allows it.

import { byId } from "./dom.js";

const THEMES = ["system", "light", "dark"];
const KEY = "arena-report-theme";

/** A colour of the style sheet by its name. */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function startTheme() {
  const button = byId("theme");
  let theme = remembered();
  const show = () => {
    document.documentElement.dataset.theme = theme;
    button.querySelector("span").textContent = theme;
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    remember(theme);
    show();
  });
  show();
}

function remembered() {
  try {
    const theme = localStorage.getItem(KEY);
    return THEMES.includes(theme) ? theme : THEMES[0];
  } catch {
    return THEMES[0];
  }
}

function remember(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The browser stores nothing for pages from disk: the choice lasts until the page is closed.
  }
}
