// What the spelling of a move says. It knows no game by name: the games share these signs.

const SQUARE = /[a-z][1-9][0-9]?/g;
const DIRECTIONS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
export const ARROWS = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"];

/** What a move's spelling has besides squares. */
const restOf = (move) => move.replace(/^[^a-z@]*(?:@|x|>)?(?:[a-z][1-9][0-9]?[x>]?)+/, "");

/** Where a move pushes, as a place among `ARROWS`; -1 if its spelling does not say. */
export const pushOf = (move) => DIRECTIONS.indexOf(/^:([nesw]{1,2})$/.exec(restOf(move))?.[1]);

/** What a move does besides naming squares. */
export function signsOf(move, board) {
  const rest = restOf(move);
  const part = /^[A-Z]/.exec(move)?.[0];
  const kind = (letter) => board.kinds.find((one) => one.letter === letter)?.name ?? letter;
  const words = [];
  if (part !== undefined) words.push(`only the ${kind(part)}`);
  if (pushOf(move) !== -1) words.push(`push ${ARROWS[pushOf(move)]}`);
  // As UCI spells it, or as other games do.
  const promotion = (/^([nbrq])$/.exec(rest) ?? /=([A-Z])/.exec(rest))?.[1].toUpperCase();
  if (promotion !== undefined) words.push(`becomes a ${kind(promotion)}`);
  if (rest.endsWith("+")) words.push("the turn goes on");
  if (rest === "d") words.push("deflected");
  if (rest === "~") words.push("swap");
  if (rest === "!") words.push("falls");
  return words;
}

/** An example of each form of spelling among `moves`, with what it means. */
export function formsOf(moves, board) {
  const forms = new Map();
  for (const move of moves) {
    const squares = move.match(SQUARE) ?? [];
    const form = move.replace(SQUARE, "#").replace(/:[nesw]+$/, ":");
    if (forms.has(form) || squares.length === 0) continue;
    const [to, over] = [squares.at(-1), squares.slice(1, -1).map((one) => `over ${one} `).join("")];
    const way = squares.length === 1 ? `on ${to}` : move.includes("x") ? `${squares[0]} against the piece on ${to}` : `from ${squares[0]} ${over}to ${to}`;
    forms.set(form, { move, words: [way, ...signsOf(move, board)].join(", ") });
  }
  return [...forms.values()];
}

/** The places of the squares that a move's spelling names, in its order. */
export function placesNamed(move, board) {
  const names = move.match(SQUARE) ?? [];
  return names.map((name) => board.squares.findIndex((square) => square.name === name)).filter((place) => 0 <= place);
}
