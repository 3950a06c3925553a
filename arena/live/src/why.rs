//! Why a piece cannot go to a square, where the game does not say it itself: it looks which change of the position would make that a legal
//! move. It knows no rules.

use engine_proto::scene::{Piece, Shift};
use engine_proto::{AnyPlay, GameId, Games, Square};
use serde::Deserialize;

use crate::position;

/// A move that somebody tried, and that is not legal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    game: String,
    fen: String,
    from: String,
    to: String,
}

/// The answer in words; empty if none is known.
pub fn answer(question: &Question) -> String {
    let Question { game, fen, from, to } = question;
    let answer = || {
        // A program would be asked about every change.
        let games = Games::built_in();
        let game = games.parse(game).ok()?;
        obstacle(game, games.play(game, fen).ok()?.as_ref(), from.parse().ok()?, to.parse().ok()?)
    };
    answer().unwrap_or_default()
}

/// What keeps the piece on one square from going to another one: what the game says of it, or else what a single change of the position
/// would let it pass.
pub fn obstacle(game: GameId, play: &dyn AnyPlay, from: Square, to: Square) -> Option<String> {
    if from != to
        && let Some(reason) = play.refusal(from, to)
    {
        return Some(reason);
    }
    let edited = Edited::of(play)?;
    let (scene, layout) = (play.scene(), play.layout());
    let mover = scene.side_to_move;
    // A push between these squares may be legal as it is.
    let already = play.legal_moves();
    let legal = |fen: &str| legal(game, fen, from, to, &already);
    let is_legal = |fen: &str| legal(fen).is_some();
    let top = |square: Square| scene.stack(square).last().copied();
    let name = |piece: Piece| {
        let whose = piece.owner.map_or("the", |owner| owner.whose(mover));
        format!("{whose} {} on {}", piece.kind.name, piece.square)
    };
    let others = scene.pieces.iter().map(|piece| piece.square).filter(|square| *square != from);
    let mut near: Vec<Square> = others.filter(|square| is_near(*square, from, to)).collect();
    // What stands behind the target explains more than that something stands on it.
    let is_behind = |square: Square| distance(from, to) < distance(from, square);
    near.sort_by_key(|square| (!is_behind(*square), distance(from, *square)));
    for square in &near {
        if is_legal(&edited.with(&[(*square, EMPTY)]))
            && let Some(piece) = top(*square)
        {
            return Some(format!(
                "{} is {}",
                name(piece),
                if is_behind(*square) { "behind it" } else { "in the way" }
            ));
        }
    }
    if top(to).is_none() {
        let kinds = Games::built_in().info(game).ok()?.kinds.iter().map(|kind| kind.fen_sign(Some(!mover)));
        for sign in kinds {
            // One piece more may be too many: another one of its kind goes there.
            let other =
                edited.signs.iter().rfind(|(_, other)| *other == sign).map(|(square, _)| (*square, EMPTY));
            let edits: Vec<_> = [Some((to, sign)), other].into_iter().flatten().collect();
            let found = [&edits[..1], &edits].into_iter().find_map(|edits| legal(&edited.with(edits)));
            if let Some((next, mv)) = found {
                let effects = position::known_effects(game, next.as_ref(), std::slice::from_ref(&mv));
                let pushes = effects.is_some_and(|effects| effects[&mv]["mark"] == "push");
                return Some(format!(
                    "there is nothing to {} on {to}",
                    if pushes { "push" } else { "capture" }
                ));
            }
        }
    }
    let level = layout.ground(from)?.height;
    let way = way(from, to);
    let mut before = level;
    let mut steps = Vec::new();
    for square in &way {
        let height = layout.ground(*square)?.height;
        let what = if height < before { "the cliff down to" } else { "the hill on" };
        let words = format!("{what} {square} (height {height}) stops it");
        if edited.has_heights() && is_legal(&edited.with_both(&[], &[(*square, before)])) {
            return Some(words);
        }
        if height != before {
            steps.push((*square, words));
        }
        before = height;
    }
    // Where several things are on the way, the first one is enough.
    let in_front = || near.iter().copied().filter(|square| !is_behind(*square));
    let free: Vec<_> = in_front().map(|square| (square, EMPTY)).collect();
    let before_it: Vec<_> = free.iter().copied().filter(|(square, _)| *square != to).collect();
    let flat: Vec<_> = way.iter().map(|square| (*square, level)).collect();
    if ![before_it, free].iter().any(|free| is_legal(&edited.with_both(free, &flat))) {
        return None;
    }
    let blocked = in_front().find_map(top);
    let hill = steps.into_iter().next();
    match (blocked, hill) {
        (Some(piece), Some((square, words))) if distance(from, square) <= distance(from, piece.square) => {
            Some(words)
        }
        (Some(piece), _) => Some(format!("{} is in the way", name(piece))),
        (None, hill) => hill.map(|(_, words)| words),
    }
}

/// The sign of a square without a piece.
const EMPTY: char = '1';

/// The move that begins with these squares, and the play in which it is legal; not one that is legal `already`.
fn legal(
    game: GameId,
    fen: &str,
    from: Square,
    to: Square,
    already: &[String],
) -> Option<(Box<dyn AnyPlay>, String)> {
    let play = Games::built_in().play(game, fen).ok()?;
    let start = format!("{from}{to}");
    let push = format!("{from}x{to}");
    let is_it = |mv: &String| {
        let whole = mv.trim_start_matches(|first: char| first.is_ascii_uppercase());
        [&start, &push]
            .into_iter()
            .filter_map(|start| whole.strip_prefix(start.as_str()))
            .any(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
    };
    let mv = play.legal_moves().into_iter().find(|mv| is_it(mv) && !already.contains(mv))?;
    Some((play, mv))
}

/// The steps from one square to another; as files and ranks.
fn steps(from: Square, to: Square) -> (i8, i8) {
    let Shift { files, ranks, .. } = Shift::between(from, to);
    (files, ranks)
}

fn distance(from: Square, to: Square) -> i8 {
    let (files, ranks) = steps(from, to);
    files.abs().max(ranks.abs())
}

/// Whether a square is between two others, or behind the second one in the same direction.
fn is_near(square: Square, from: Square, to: Square) -> bool {
    let ((files, ranks), (to_files, to_ranks)) = (steps(from, square), steps(from, to));
    let is_ahead = files.signum() == to_files.signum() && ranks.signum() == to_ranks.signum();
    is_ahead && i16::from(files) * i16::from(to_ranks) == i16::from(ranks) * i16::from(to_files)
}

/// The squares after the first one, on a straight line to the second one; none if there is no such line.
fn way(from: Square, to: Square) -> Vec<Square> {
    let (files, ranks) = steps(from, to);
    if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
        return Vec::new();
    }
    let at = |at: u8, by: i8, n: i8| at.checked_add_signed(by.signum() * n);
    let square = |n| Some(Square { file: at(from.file, files, n)?, rank: at(from.rank, ranks, n)? });
    (1..=distance(from, to)).filter_map(square).collect()
}

/// A FEN with its squares: rows of letters and numbers, from the highest rank.
struct Edited {
    signs: Vec<(Square, char)>,
    heights: Option<(usize, Vec<(Square, u8)>)>,
    fields: Vec<String>,
}

impl Edited {
    /// The position of a play; `None` if its FEN has another form.
    fn of(play: &dyn AnyPlay) -> Option<Self> {
        let fields: Vec<String> = play.fen().split(' ').map(str::to_owned).collect();
        let layout = play.layout();
        let mut grounds = layout.grounds.clone();
        grounds.sort_by_key(|ground| (std::cmp::Reverse(ground.square.rank), ground.square.file));
        let signs = signs_of(&fields[0])?;
        if signs.len() != grounds.len() {
            return None;
        }
        let digits: String = grounds.iter().map(|ground| ground.height.to_string()).collect();
        let is_heights = |field: &String| field.replace('/', "") == digits;
        let heights = fields
            .iter()
            .skip(1)
            .position(is_heights)
            .map(|idx| (idx + 1, grounds.iter().map(|ground| (ground.square, ground.height)).collect()));
        let signs = grounds.iter().map(|ground| ground.square).zip(signs).collect();
        Some(Self { signs, heights, fields })
    }

    /// Whether the FEN has heights.
    const fn has_heights(&self) -> bool {
        self.heights.is_some()
    }

    /// The FEN with other signs on some squares.
    fn with(&self, edits: &[(Square, char)]) -> String {
        self.with_both(edits, &[])
    }

    /// The FEN with other signs and heights of some squares.
    fn with_both(&self, signs: &[(Square, char)], levels: &[(Square, u8)]) -> String {
        let mut fields = self.fields.clone();
        let cells = self.signs.iter().map(|(square, sign)| (*square, edited(signs, *square, *sign)));
        fields[0] = rows(cells);
        if let Some((idx, heights)) = &self.heights {
            let digits = heights.iter().map(|(square, height)| {
                let height = edited(levels, *square, *height);
                (*square, char::from_digit(height.into(), 10).unwrap_or('9'))
            });
            fields[*idx] = joined(digits);
        }
        fields.join(" ")
    }
}

/// What a square has after the edits.
fn edited<T: Copy>(edits: &[(Square, T)], square: Square, now: T) -> T {
    edits.iter().find(|(one, _)| *one == square).map_or(now, |(_, edit)| *edit)
}

/// Rows of signs, separated by `/`.
fn joined(cells: impl Iterator<Item = (Square, char)>) -> String {
    let mut text = String::new();
    let mut rank = None;
    for (square, sign) in cells {
        if rank.is_some_and(|rank| rank != square.rank) {
            text.push('/');
        }
        rank = Some(square.rank);
        text.push(sign);
    }
    text
}

/// The rows of a FEN: numbers stand for squares without a piece.
fn rows(cells: impl Iterator<Item = (Square, char)>) -> String {
    let mut text = String::new();
    let mut n_empty = 0;
    for sign in joined(cells).chars().chain(['/']) {
        if sign == EMPTY {
            n_empty += 1;
            continue;
        }
        if 0 < n_empty {
            text += &n_empty.to_string();
        }
        n_empty = 0;
        text.push(sign);
    }
    text.pop();
    text
}

/// The signs of the squares in the first field of a FEN.
fn signs_of(board: &str) -> Option<Vec<char>> {
    let mut signs = Vec::new();
    let mut rest = board;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if 0 < end {
            let n: usize = rest[..end].parse().ok().filter(|n| *n <= 100)?;
            signs.extend(std::iter::repeat_n(EMPTY, n));
            rest = &rest[end..];
        } else {
            if first != '/' {
                signs.push(first);
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    Some(signs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_way_is_named() {
        let check = |game: GameId, fen: Option<&str>, [from, to]: [&str; 2], expected: &str| {
            let fen =
                fen.map_or_else(|| Games::built_in().startpos(game).expect("a start").fen(), str::to_owned);
            let [from, to] = [from, to].map(str::to_owned);
            let question = Question { game: game.id().to_owned(), fen, from, to };
            assert_eq!(answer(&question), expected, "{question:?}");
        };
        check(GameId::CHESS, None, ["a1", "a5"], "your pawn on a2 is in the way");
        check(GameId::CHESS, None, ["a1", "a8"], "your pawn on a2 is in the way");
        check(GameId::CHESS, None, ["e2", "d3"], "there is nothing to capture on d3");
        check(GameId::CHESS, None, ["g1", "e2"], "your pawn on e2 is in the way");
        let attacked = "4k3/8/8/8/5r2/8/8/4K2R w K - 0 1";
        let said = "your king would come to an attacked square on its way";
        check(GameId::CHESS, Some(attacked), ["e1", "g1"], said);
        // The rule of the piece says it.
        check(GameId::CHESS, None, ["e2", "e5"], "");
        let hill = "7k/8/8/8/8/8/R7/K7 w 00000000/00000000/00000000/00000000/00000000/20000000/00000000/00000000 - 0 0 0";
        check(GameId::PUSH, Some(hill), ["a2", "a3"], "the hill on a3 (height 2) stops it");
        check(GameId::PUSH, Some(hill), ["a2", "a6"], "the hill on a3 (height 2) stops it");
        check(GameId::PUSH, Some(hill), ["a2", "c4"], "");
        // Two pieces and a hill: the nearest one is named.
        let full = "7k/8/8/B7/8/N7/P7/RK6 w 00000000/00000000/00000000/10000000/20000000/00000000/00000000/00000000 - 0 0 0";
        check(GameId::PUSH, Some(full), ["a1", "a8"], "your pawn on a2 is in the way");
        let fen = "7/7/7/Cca*3/7/7/7 w - - 3 20";
        let less = "a piece pushes only what is worth less";
        let said = format!("a three cannot push the three on b4: {less}");
        check(GameId::PUSH_PUSH, Some(fen), ["a4", "b4"], &said);
        let fen = "7/7/7/Cbc*3/7/7/7 w - - 3 20";
        let said = format!("a two cannot push the three on c4: {less}");
        check(GameId::PUSH_PUSH, Some(fen), ["a4", "b4"], &said);
        check(GameId::PUSH_PUSH, None, ["a1", "a3"], "that is too far: a piece steps one square");
        let fen = "7/7/7/5D*/7/7/7 w - - 3 20";
        let said = "the ball cannot leave the board over the left or right edge";
        check(GameId::PUSH_PUSH, Some(fen), ["f4", "g4"], said);
        // Black answers White's first step.
        let mut play = Games::built_in().startpos(GameId::PUSH_PUSH).expect("a start");
        play.play("d1d2").expect("legal");
        let said =
            "Black's first move must not bring a four into line with White's four on d2 and the centre";
        check(GameId::PUSH_PUSH, Some(&play.fen()), ["d7", "d6"], said);
        let banned = "7/7/7/3T3/3x3/2x1X2/7 w 0 0 w e2d2 1 12";
        let said = "that step would only undo the opponent's last push, and is not allowed in this turn";
        check(GameId::TOWER_PUSH, Some(banned), ["e2", "d2"], said);
        let stacks = "8/8/8/8/8/8/1(Ss)6/SS1S4 w 0 0";
        let said = |rest: &str| format!("that is too far for one stone, and {rest}");
        let row = said("a1-d1 is no row of yours: c1 is empty");
        check(GameId::TOWER_OF_POWER, Some(stacks), ["a1", "d1"], &row);
        let row = said("a1-d4 is no row of yours: b2 is Black's (a stack of 2, Black on top)");
        check(GameId::TOWER_OF_POWER, Some(stacks), ["a1", "d4"], &row);
        check(GameId::FOUR_TOWERS, None, ["d3", "z9"], "");
        check(GameId::FOUR_TOWERS, None, ["d3", "nonsense"], "");
    }
}
