//! From the words of a PGN game to moves as records have them, with what comments say of them.

use engine_proto::AnyPlay;
use engine_proto::proto::Score;

use super::Game;
use model::{MoveRecord, SideLetter};

/// The moves of `game`, which begins with `play`, up to the first one that is not legal, which stands there as it is written. A
/// time that is not known is 0.
pub fn read_moves(game: &Game, mut play: Box<dyn AnyPlay>) -> Vec<MoveRecord> {
    let mut moves = Vec::with_capacity(game.words.len());
    for (word, comment) in game.words.iter().zip(&game.comments) {
        let found = play.read_move(word);
        let mut mv = MoveRecord::new(found.as_deref().unwrap_or(word), play.side_to_move().into(), 0);
        add_comment(&mut mv, comment);
        let is_illegal = play.play(&mv.mv).is_err();
        moves.push(mv);
        if is_illegal {
            break;
        }
    }
    moves
}

/// Takes over evaluation, depth and time from a comment in the form of the arena, fastchess and Cute Chess, `+0.31/9 0.5s`, from the
/// view of the side that moved, or in that of lichess, `[%eval 0.31,9]`, from White's.
fn add_comment(mv: &mut MoveRecord, comment: &str) {
    let words: Vec<&str> =
        comment.split_whitespace().map(|word| word.trim_end_matches(',')).take(2).collect();
    let seconds = words.iter().find_map(|word| word.strip_suffix('s')?.parse::<f64>().ok());
    mv.time_us = seconds.map_or(0, |seconds| (1e6 * seconds) as u64);
    let told = match comment.split_once("[%eval ") {
        Some((_, value)) => value.split(']').next().and_then(|value| of_lichess(value, mv.side)),
        // People write `+1.5 would be too much`, too.
        None => words
            .first()
            .filter(|word| word.contains('/') || words.len() == 1 || seconds.is_some())
            .and_then(|word| claim(word)),
    };
    if let Some((score, depth)) = told {
        mv.score = Some(score.to_string());
        mv.depth = depth.parse().ok().filter(|depth| 0 < *depth);
    }
}

/// The score and the depth of `+0.31/9` or `-M4/20`.
fn claim(word: &str) -> Option<(Score, &str)> {
    let (value, depth) = word.split_once('/').unwrap_or((word, ""));
    let score = match value.trim_start_matches(['+', '-']).strip_prefix('M') {
        Some(moves) if value.starts_with('-') => Score::Loss(moves.parse().ok()?),
        Some(moves) => Score::Win(moves.parse().ok()?),
        None => Score::Centi(hundredths(value)?),
    };
    Some((score, depth))
}

/// The same of `0.31`, `-1.2,20`, or `#-4` for a mate by Black, for the side that moved; a mate in plies.
fn of_lichess(value: &str, mover: SideLetter) -> Option<(Score, &str)> {
    let (value, depth) = value.split_once(',').unwrap_or((value, ""));
    let sign = if mover == SideLetter::White { 1 } else { -1 };
    let score = match value.strip_prefix('#') {
        None => Score::Centi(sign * hundredths(value)?),
        Some(moves) => {
            let moves = sign * moves.parse::<i32>().ok()?;
            let plies = moves.unsigned_abs().saturating_mul(2);
            if 0 < moves { Score::Win(plies) } else { Score::Loss(plies.saturating_sub(1)) }
        }
    };
    Some((score, depth))
}

fn hundredths(value: &str) -> Option<i32> {
    let score = value.parse::<f64>().ok().filter(|score| value.contains('.') && score.abs() < 1e6)?;
    Some((100.0 * score).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::super::Parser;
    use super::*;
    use engine_proto::{GameId, Games};

    #[test]
    fn comments_are_read_up_to_an_illegal_move() {
        let text = "1. e4! {+0.31/9 0.5s} e5 { [%eval 0.17,20] [%clk 0:01] } 2. g2g4 {+1.5 is too much} \
                    (2. f4 {-9.00/1}) Nc6 {-M4/0 1s, x} 3. Nf3 {[%eval #-2]} Nf6 {0.1s} 4. Ke5 {a} a6 *";
        let game = Parser::with_moves(text.as_bytes()).next_game().unwrap().unwrap();
        let moves = read_moves(&game, Games::built_in().startpos(GameId::CHESS).unwrap());
        let told = |mv: &MoveRecord| {
            format!("{} {:?} {:?} {}", mv.mv, mv.score, mv.depth, mv.time_us).replace("Some", "")
        };
        assert_eq!(
            moves.iter().map(told).collect::<Vec<_>>(),
            [
                "e2e4 (\"cp 31\") (9) 500000",
                "e7e5 (\"cp -17\") (20) 0",
                "g2g4 None None 0",
                "b8c6 (\"loss 4\") None 1000000",
                "g1f3 (\"loss 3\") None 0",
                "g8f6 None None 100000",
                "Ke5 None None 0",
            ]
        );
    }
}
