// A match as PGN, in the form of `arena pgn`; one of a PGN file with the tags of the file.

import { data, isOfChess, reasonOfRow } from "./data.js";
import { countFrom } from "./move-numbers.js";
import { fensOf, forWhite, mateInMoves } from "./replay-data.js";

/** The position from which chess starts; it has no tag. */
const STANDARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** The longest line of moves, as the PGN standard recommends. */
const LINE = 79;

export function pgnOf(row, replay) {
  const { matches, engines, games, folders } = data;
  const { id: game, rules: id = game, limits_name: limits, limits: place = 0 } = games[matches.game[row]];
  const fen = fensOf(replay)[0] ?? matches.openings[matches.opening[row]];
  const result = ["0-1", "1/2-1/2", "1-0"][matches.result[row]];
  const isChess = isOfChess(row);
  const isStandard = id === "chess" && fen === STANDARD;
  const clocks = data.clocks[matches.folder[row]][place];
  const [white, black] = [matches.white[row], matches.black[row]].map((engine) => (clocks[engine] ? clocks[engine].control : "?"));
  const tags = {
    Event: folders[matches.folder[row]],
    Site: "?",
    Date: (matches.date?.[row] ?? replay.date ?? "????-??-??").replaceAll("-", "."),
    Round: String(matches.round?.[row] ?? replay.pair ?? "?"),
    White: engines[matches.white[row]],
    Black: engines[matches.black[row]],
    Result: result,
    GameId: String(matches.number[row]),
    ...(id === "chess" ? {} : { Variant: isChess ? "Chess960" : id }),
    ...(limits === undefined ? {} : { Limits: limits }),
    ...(isStandard ? {} : { SetUp: "1", FEN: fen }),
    ...(white === black ? { TimeControl: white } : { WhiteTimeControl: white, BlackTimeControl: black }),
    PlyCount: String(replay.moves.length),
    Termination: reasonOfRow(row),
  };
  const lines = [""];
  const add = (word) => {
    const line = lines.at(-1);
    if (word === "") return;
    if (line !== "" && line.length + 1 + word.length > LINE) lines.push(word);
    else lines[lines.length - 1] += `${line === "" ? "" : " "}${word}`;
  };
  const addComment = (text) => (text === "" ? [] : `{${text}}`.split(" ")).forEach(add);
  let number = countFrom(isChess, fen);
  addComment(replay.introduction ?? "");
  replay.moves.forEach((move, idx) => {
    const [side, before] = [replay.sides[idx], replay.sides[idx - 1]];
    if (before === "b" && side === "w") number += 1;
    if (side === "w" && before !== "w") add(`${number}.`);
    else if (before === undefined) add(`${number}...`);
    add(replay.written?.[idx] ?? move);
    addComment(commentOn(replay, idx));
  });
  replay.unread?.forEach((text) => text.split(" ").forEach(add));
  add(result);
  return `${headOf(replay.tags ?? Object.entries(tags).filter(([, value]) => value !== null))}\n${lines.join("\n")}\n`;
}

/** Names and values of tags as PGN has them. */
export function headOf(tags) {
  return tags.map(([name, value]) => `[${name} "${String(value).replace(/[\\"]/g, "\\$&")}"]\n`).join("");
}

/** What tags say of a match besides its players and its end, as a line. */
export function headingOf(tags) {
  // Days have hyphens on the whole page.
  const shown = (name, value) => (name === "Date" ? value.replaceAll(".", "-") : value);
  const known = new Map(tags.filter(([, value]) => /[^?.\s-]/.test(value)).map(([name, value]) => [name, shown(name, value)]));
  const [white, black, ...facts] = ["WhiteElo", "BlackElo", "Event", "Site", "Date", "ECO", "Opening", "TimeControl"].map((name) => known.get(name));
  if (white !== undefined || black !== undefined) facts.push(`ratings ${white ?? "?"} and ${black ?? "?"}`);
  return facts.filter((fact) => fact !== undefined).join(" · ");
}

/** The evaluation, the depth and the time of a move, and what else a PGN file says of it. */
function commentOn({ scores, depths, time_us, clocks_ms, remarks, is_annotated: isAnnotated, sides }, idx) {
  const score = scores[idx];
  const seconds = time_us[idx] === 0 ? "" : `${(time_us[idx] / 1e6).toFixed(3)}s`;
  const claimed = score === null ? "" : isAnnotated ? evaluationOfFile(forWhite(score, sides[idx])) : `${claimInPgn(score)}/${depths[idx] ?? 0}`;
  const left = clocks_ms?.[idx] ?? null;
  const clock = left === null ? "" : `[%clk ${new Date(left).toISOString().slice(11, 23).replace(".000", "")}]`;
  return [claimed, seconds, remarks?.[idx] ?? "", clock].filter((part) => part !== "").join(" ");
}

function evaluationOfFile(score) {
  return `[%eval ${typeof score === "number" ? (score / 100).toFixed(2) : mateInMoves(score)}]`;
}

/** An engine's own score, as comments of PGN have it. */
export function claimInPgn(score) {
  // A forced end is given in words: `win 5`, `loss 3`.
  const [, end, moves] = /^(win|loss) (\d+)$/.exec(score) ?? [];
  return end === undefined ? `${score < 0 ? "" : "+"}${(score / 100).toFixed(2)}` : `${end === "win" ? "+" : "-"}M${moves}`;
}

/** An engine's own score from White's view, for people: `+0.25`, `−M5` if Black wins in 5 plies, in chess `#−3` in moves. */
export function evaluation(claimed, side, board) {
  const white = forWhite(claimed, side);
  const isMate = typeof white === "string" && board?.game.startsWith("chess");
  return (isMate ? mateInMoves(white) : claimInPgn(white)).replace("-", "−");
}

/** A score from White's view, which may be `Black wins in 8 plies`, as a claim of White: `loss 8`. */
export function claimOfWhite(score) {
  const [, side, plies] = /^(White|Black) wins in (\d+) /.exec(score) ?? [];
  return side === undefined ? score : `${side === "White" ? "win" : "loss"} ${plies}`;
}

/** Whether a score says that the match is over there. */
export const isEnd = (score) => / wins in 0 /.test(score);

/**
 * A score from White's view as lichess writes it in comments, a forced end in moves of the winner, with the best move, if it is known; `null`
 * without a score, or if the match is over there.
 */
export function evaluationInPgn([score, best] = []) {
  if (score === undefined || isEnd(score)) return null;
  return `${evaluationOfFile(claimOfWhite(score))}${best === null ? "" : ` [%best ${best}]`}`;
}
