// Numbers formatted for people.

const NARROW_SPACE = "\u202f";
const MINUS = "\u2212";

/** Large numbers in three digits: `10.5M`. */
export const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** Results by twice the points of White. */
export const RESULTS = ["0–1", "½–½", "1–0"];

export function count(n) {
  return n.toLocaleString("en");
}

/** Half a unit is rounded to the even digit, as in the terminal, so that two shares are 100 % together. */
export function percent(fraction, digits = 1) {
  const exact = 100 * fraction * 10 ** digits;
  // 57.5 % may be 57.49999999999999 here; the terminal has no whole percents.
  const units = digits === 0 ? Number(exact.toFixed(9)) : exact;
  const isHalf = units - Math.floor(units) === 0.5;
  const even = isHalf && Math.floor(units) % 2 === 0 ? Math.floor(units) : Math.round(units);
  return `${(even / 10 ** digits).toFixed(digits)}${NARROW_SPACE}%`;
}

/** A probability, which is never certain. */
export function probability(p, digits = 1) {
  const least = 0.1 ** (digits + 2);
  if (p > 1 - least) return `>${NARROW_SPACE}${percent(1 - least, digits)}`;
  return p < least ? `<${NARROW_SPACE}${percent(least, digits)}` : percent(p, digits);
}

/** `+34.2` or `−34.2`, and `0`; what no number bounds is `null` in the data. */
export function signed(value, digits = 1) {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return "0";
  return (value < 0 ? MINUS : "+") + text;
}

/** The ends of an interval, of which `null` is the one without a bound. */
export function interval(low, high, show) {
  return `${low === null ? `${MINUS}∞` : show(low)} to ${high === null ? "+∞" : show(high)}`;
}

/** A time in milliseconds, in the unit that suits it. */
export function time(ms) {
  if (ms === 0) return `0${NARROW_SPACE}ms`;
  if (ms < 0.9995) return `${Math.round(1000 * ms)}${NARROW_SPACE}µs`;
  if (ms < 99.95) return `${ms.toFixed(1)}${NARROW_SPACE}ms`;
  if (ms < 999.5) return `${ms.toFixed(0)}${NARROW_SPACE}ms`;
  if (ms < 59950) return `${(ms / 1000).toFixed(1)}${NARROW_SPACE}s`;
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}${NARROW_SPACE}min ${seconds % 60}${NARROW_SPACE}s`;
}

/** A time on an axis whose ticks are `step` apart, both in milliseconds. */
export function timeTick(ms, step) {
  const UNITS = [
    [1000, "s"],
    [1, "ms"],
    [0.001, "µs"],
  ];
  if (ms === 0) return "0";
  const [unit, name] = UNITS.find(([unit]) => unit <= ms) ?? UNITS[2];
  return `${(ms / unit).toFixed(decimals(step / unit))}${NARROW_SPACE}${name}`;
}

/** What a clock shows: `4:05.3`. */
export function clock(ms, n_decimals = 1) {
  const per_second = 10 ** n_decimals;
  // A value that is short of a whole number by less than the precision of a clock is rounded up.
  const parts = Math.max(0, Math.floor((ms / 1000) * per_second + 1e-6));
  const seconds = Math.floor(parts / per_second);
  const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return n_decimals === 0 ? minutes : `${minutes}.${String(parts % per_second).padStart(n_decimals, "0")}`;
}

/** The same of a move that has been made: below ten seconds with milliseconds, `0:09.250`. */
export function exactClock(ms) {
  return clock(ms, ms < 9999.999 ? 3 : 1);
}

/** What a clock shows on an axis whose ticks are `step` apart, both in milliseconds. */
export function clockTick(ms, step) {
  return clock(ms, decimals(step / 1000));
}

/** The decimals that tell apart numbers which differ by multiples of `step`. */
export function decimals(step) {
  const MOST = 6;
  for (let n_decimals = 0; n_decimals < MOST; n_decimals++) {
    const scaled = step * 10 ** n_decimals;
    if (0.5 < scaled && Math.abs(scaled - Math.round(scaled)) < 1e-6) return n_decimals;
  }
  return MOST;
}

/** A score as the engine claims it: hundredths of its unit, or its words for a forced end. */
export function score(value) {
  if (typeof value !== "number") return value;
  return value === 0 ? "0.00" : signed(value / 100, 2);
}
