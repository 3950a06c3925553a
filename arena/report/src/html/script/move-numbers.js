// The numbers of moves, as people count them: a turn of White and one of Black have the same number, written `3.` and `3...`. The moves of a
// turn of several moves share it, so that no later move changes the numbers of earlier ones.

/** The count of a move of `side`, after a move of the side `before` with the count `count`; before the first move, the side is unknown. */
export function countAfter(count, before, side) {
  return before === undefined || (side === "w" && before !== "w") ? count + 1 : count;
}

/** The count of the first move from a position: that of the FEN in chess. */
export function countFrom(isChess, fen) {
  return isChess ? Number(fen.split(" ").at(-1)) || 1 : 1;
}

/** A count as a number. */
export function numberOf(count, side) {
  return `${count}${side === "w" ? "." : "..."}`;
}

/** The number of each move, by the side that made it; the first one has the count `first`. */
export function numbersOf(sides, first = 1) {
  return numbersAfter({ count: first - 1 }, sides);
}

/** The same after a move, by its count and its side. */
export function numbersAfter({ count, side: before }, sides) {
  return sides.map((side) => {
    [count, before] = [countAfter(count, before, side), side];
    return numberOf(count, side);
  });
}

/** Whether a move of a line is written with its number: a later move of Black only after several moves of White. */
export function isNumbered(sides, idx) {
  const [side, before, second] = [idx, idx - 1, idx - 2].map((at) => sides[at]);
  return idx === 0 || (side !== before && (side === "w" || second === "w"));
}

/** Which moves a side made just before the move `idx`, in the same turn. */
export function earlierInTurn(sides, idx) {
  let first = idx;
  while (0 < first && sides[first - 1] === sides[idx]) first -= 1;
  return Array.from({ length: idx - first }, (_, n) => first + n);
}
