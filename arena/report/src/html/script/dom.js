// Creates elements from attributes and text. No script turns text into markup, so names are displayed and never
// executed.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** An HTML element. Children are nodes or texts; `null` is none. Attributes that are functions listen to events. */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element, in the same way. */
export function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

export function byId(id) {
  return document.getElementById(id);
}

/** A name that somebody else chose: set apart from the text around it, whatever its direction. The `whole` name, if it is shortened, is its title. */
export function nameOf(text, whole = text, least = 16) {
  // Where there is no room, the middle is left out: versions differ at their ends.
  const letters = [...text];
  const end = letters.length - (letters.length < least ? 0 : Math.min(7, Math.floor(letters.length / 2)));
  return element("bdi", { title: whole }, element("span", {}, letters.slice(0, end).join("")), letters.slice(end).join(""));
}

/** A message: what stands between backticks, as terminals need them, is shown as it is written. A number stays with its percent sign and its error. */
export function prose(text) {
  return text.split("`").flatMap((part, idx) => (idx % 2 === 0 ? whole(part.replaceAll(/ (?=[%±])|(?<=±) /g, "\u00a0")) : element("code", { class: idx === 1 && text.startsWith("`") ? "leading" : null }, part)));
}

/** A text whose words with a hyphen, such as names, are not broken there. */
const whole = (text) => text.split(/([^\s-]+(?:-[^\s-]+)+)/).map((part, idx) => (idx % 2 === 1 && part.length <= 24 ? element("span", { class: "whole" }, part) : part));

/** A heading with its explanation. */
export function headOf(term, meaning) {
  return meaning === "" ? term : element("abbr", { title: meaning }, term);
}

/** The end of a list of moves. */
export const outcomeItem = (result) => element("li", { class: "outcome" }, result);

/** Scrolls a list, and nothing around it, so that its current item can be seen, once the list has its height and whenever that changes. */
export function keepCurrentInView(list) {
  // A new observation looks once in any case, after the layout.
  heights.unobserve(list);
  heights.observe(list);
}

const heights = new ResizeObserver((entries) => {
  for (const { target: list } of entries) {
    // So does the result beside the last move, also below what is said of it.
    const item = list.querySelector("li:has([aria-current]) + .outcome, li:has([aria-current]) + :is(.remark, .comment, .others) + .outcome") ?? list.querySelector("[aria-current]");
    const [outer, inner] = [list.getBoundingClientRect(), item?.getBoundingClientRect()];
    // The next row stays in view, too.
    const margin = item === null ? 0 : Math.min(inner.height, (outer.height - inner.height) / 2);
    if (item === null) list.scrollTo(0, 0);
    else if (inner.top - margin < outer.top) list.scrollTop -= Math.ceil(outer.top - inner.top + margin);
    else if (outer.bottom < inner.bottom + margin) list.scrollTop += Math.ceil(inner.bottom + margin - outer.bottom);
    // A list may also be one line.
    if (inner === undefined) continue;
    if (inner.left < outer.left) list.scrollLeft -= Math.ceil(outer.left - inner.left);
    else if (outer.right < inner.right) list.scrollLeft += Math.ceil(inner.right - outer.right);
  }
});

/** Makes one of these elements the stop of the Tab key for all of them: the one that has the focus, or the first, unless it is named. */
export function keepOneStop(items, stop = items.find((one) => one === document.activeElement) ?? items[0]) {
  for (const one of items) one.tabIndex = one === stop ? 0 : -1;
}

/** Two keys lead from the one of these elements that has the focus to its neighbours. */
export function walkList(event, items, back, forward) {
  const next = items[items.indexOf(event.target) + { [back]: -1, [forward]: 1 }[event.key]];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  keepOneStop(items);
}

/** Does `work` and gives what it gives; if it fails, the reader is told why, and the rest of the page goes on. */
export function attempt(work) {
  try {
    return work();
  } catch (error) {
    reportError(error);
    return undefined;
  }
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      node.addEventListener(name, value);
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children.flat().filter((child) => child !== null));
  return node;
}
