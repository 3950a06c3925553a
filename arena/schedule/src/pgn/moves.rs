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
    let of_lichess = comment.split_once("[%eval ").and_then(|(_, rest)| rest.split(']').next());
    let words: Vec<&str> =
        comment.split_whitespace().map(|word| word.trim_end_matches(',')).take(2).collect();
    let seconds = words.iter().find_map(|word| word.strip_suffix('s')?.parse::<f64>().ok());
    mv.time_us = seconds.map_or(0, |seconds| (1e6 * seconds) as u64);
    // People write `+1.5 would be too much`, too.
    let is_claim = |word: &&&str| word.contains('/') || words.len() == 1 || seconds.is_some();
    let told = of_lichess.or_else(|| words.first().filter(is_claim).copied()).unwrap_or_default();
    let (value, depth) = told.split_once([',', '/']).unwrap_or((told, ""));
    let is_turned = of_lichess.is_some() && mv.side == SideLetter::Black;
    if let Some(score) = score(value, is_turned) {
        (mv.score, mv.depth) = (Some(score.to_string()), depth.parse().ok().filter(|depth| 0 < *depth));
    }
}

/// The score of `+0.31`, of `-M4` in plies, or of `#-2` in moves; of the other side if it `is_turned`.
fn score(value: &str, is_turned: bool) -> Option<Score> {
    let size = value.trim_start_matches(['+', '-', '#']);
    let is_lost = (value.contains('-')) != is_turned;
    let end = |plies| if is_lost { Score::Loss(plies) } else { Score::Win(plies) };
    if let Some(plies) = size.strip_prefix('M') {
        return Some(end(plies.parse().ok()?));
    }
    if value.starts_with('#') {
        return Some(end(size.parse::<u32>().ok()?.saturating_mul(2).saturating_sub(is_lost.into())));
    }
    let size = size.parse::<f64>().ok().filter(|size| value.contains('.') && *size < 1e6)?;
    let hundredths = (100.0 * size).round() as i32;
    Some(Score::Centi(if is_lost { -hundredths } else { hundredths }))
}

#[cfg(test)]
mod tests {
    use super::super::Parser;
    use super::*;
    use engine_proto::{GameId, Games};

    #[test]
    fn comments_are_read_up_to_an_illegal_move() {
        let text = "1. e4! {+0.31/9 0.5s} e5 { [%eval 0.17,20] [%clk 0:01] } 2. g2g4 {+1.5 is too much} \
                    (2. f4 {-9.00/1}) Nc6 {-M4/0 1s, x} {y} 3. Nf3 {[%eval #-2]} Nf6 {0.1s} 4. Ke5 {a} a6 *";
        let game = Parser::with_moves(text.as_bytes()).next_game().unwrap().unwrap();
        let moves = read_moves(&game, Games::built_in().startpos(GameId::CHESS).unwrap());
        let told = |mv: &MoveRecord| format!("{} {:?} {:?} {}", mv.mv, mv.score, mv.depth, mv.time_us);
        assert_eq!(
            moves.iter().map(told).collect::<Vec<_>>().join("; ").replace("Some", ""),
            "e2e4 (\"cp 31\") (9) 500000; e7e5 (\"cp -17\") (20) 0; g2g4 None None 0; b8c6 (\"loss 4\") None 1000000; \
             g1f3 (\"loss 3\") None 0; g8f6 None None 100000; Ke5 None None 0"
        );
    }
}
