// Numbers as people read them.

const NARROW_SPACE = "\u202f";
const MINUS = "\u2212";

export function count(n) {
  return n.toLocaleString("en");
}

export function percent(fraction, digits = 1) {
  return `${(100 * fraction).toFixed(digits)}${NARROW_SPACE}%`;
}

/** `+34.2` or `−34.2`; what no number bounds is `null` in the data. */
export function signed(value, digits = 1) {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? MINUS : "+") + text;
}

/** The ends of an interval, of which `null` is the one without a bound. */
export function interval(low, high, show) {
  return `${low === null ? `${MINUS}∞` : show(low)} to ${high === null ? "+∞" : show(high)}`;
}

/** A time in milliseconds, in the unit that suits it. */
export function time(ms) {
  if (ms === 0) return "0";
  if (ms < 0.9995) return `${Math.round(1000 * ms)}${NARROW_SPACE}µs`;
  if (ms < 99.95) return `${ms.toFixed(1)}${NARROW_SPACE}ms`;
  if (ms < 999.5) return `${ms.toFixed(0)}${NARROW_SPACE}ms`;
  if (ms < 59950) return `${(ms / 1000).toFixed(1)}${NARROW_SPACE}s`;
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}${NARROW_SPACE}min ${seconds % 60}${NARROW_SPACE}s`;
}

/** What a clock shows: `4:05.3`. */
export function clock(ms) {
  const tenths = Math.max(0, Math.floor(ms / 100));
  const seconds = String(Math.floor(tenths / 10) % 60).padStart(2, "0");
  return `${Math.floor(tenths / 600)}:${seconds}.${tenths % 10}`;
}

/** A score as the engine claims it: hundredths of its unit, or its words for a forced end. */
export function score(value) {
  return typeof value === "number" ? signed(value / 100, 2) : value;
}
