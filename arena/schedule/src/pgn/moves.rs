//! From the words of a PGN game to moves as records have them, with what comments say of them.

use engine_proto::{AnyPlay, Side};

use super::Game;
use super::comment::{Comment, evaluation};
use model::MoveRecord;

/// The moves of `game`, which begins with `play`, up to the first one that is not legal, which stands there as it is written. A draw by
/// repetition or the quiet limit that nobody claimed ends nothing.
pub fn read_moves(game: &Game, mut play: Box<dyn AnyPlay>) -> Vec<MoveRecord> {
    let mut moves = Vec::with_capacity(game.words.len());
    for (word, comment) in game.words.iter().zip(&game.comments) {
        let mover = play.side_to_move();
        let found = play.read_move(word).or_else(|| play.read_move(without_mark(word)));
        let mut mv = MoveRecord::new(found.as_deref().unwrap_or(word), mover.into(), 0);
        let is_illegal = play.play_on(&mv.mv).is_err();
        add_comment(&mut mv, comment, [mover, play.side_to_move()]);
        moves.push(mv);
        if is_illegal {
            break;
        }
    }
    moves
}

/// A move without its mark, such as `?!`.
pub fn without_mark(word: &str) -> &str {
    word.trim_end_matches(['!', '?'])
}

/// Takes over what engines say in a comment of a move of `mover`; `next` is to move after it.
fn add_comment(mv: &mut MoveRecord, comment: &str, [mover, next]: [Side; 2]) {
    let told = Comment::read(comment);
    mv.time_us = told.time_us.unwrap_or_default();
    let of_white = evaluation(comment, next);
    let of_mover = of_white.map(|(score, depth)| (score.for_white(mover), depth));
    if let Some((score, depth)) = of_mover.or(told.score.map(|score| (score, told.depth))) {
        (mv.score, mv.depth) = (Some(score.to_string()), depth);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Parser;
    use super::super::comment::clock_ms;
    use super::*;
    use engine_proto::{GameId, Games};

    #[test]
    fn clocks_are_read() {
        let of = |time: &str| clock_ms(&format!("[%eval 0.1] [%clk {time}]"));
        let read = ["0:01:30.5", "90", "24:00:00", "-1:00", "1:NaN", ""].map(of);
        assert_eq!(read, [Some(90_500), Some(90_000), None, None, None, None]);
    }

    #[test]
    fn comments_are_read_up_to_an_illegal_move() {
        let text = "1. e4! {+0.31/9 0.5s} e5 $6 { [%eval 0.17,20] [%clk 0:01] } 2. g2g4 {+1.5 is too much} \
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
