//! The alpha-beta search on a small game: equal to minimax.

use crate::common::sprint::{Move, Points, Sprint};
use crate::common::{depth, minimax, nodes, random_play, small, think};
use engine_proto::Play;
use engine_proto::proto::Score;
use engines::search::alpha_beta::Pruning;
use engines::search::{AlphaBeta, score};

#[test]
fn exact_search_finds_the_minimax_value() {
    for seed in 0..40 {
        let play = random_play::<Sprint>(seed, seed as usize % 12);
        for plies in 1..=6 {
            let mut engine = AlphaBeta::with_pruning(Points, small(seed), Pruning::Exact);
            let (_, last) = think(&mut engine, &play, depth(plies));
            let expected = score::to_proto(minimax(&Points, &play, plies));
            assert_eq!(last.score, Some(expected), "depth {plies} from {play}");
        }
    }
}

#[test]
fn selective_search_finds_the_outcome() {
    let position: Sprint = "9 w 0 0 0 50".parse().unwrap();
    let play = Play::new(position);
    let expected = score::to_proto(minimax(&Points, &play, 11));
    assert!(matches!(expected, Score::Win(_) | Score::Loss(_)), "{expected:?}");
    let (_, last) = think(&mut AlphaBeta::new(Points, small(1)), &play, depth(16));
    assert_eq!(last.score, Some(expected));
}

#[test]
fn a_position_not_looked_at_is_not_called_lost() {
    let (_, last) = think(&mut AlphaBeta::new(Points, small(1)), &random_play::<Sprint>(1, 0), nodes(0));
    assert_eq!(last.score, Some(Score::Centi(0)));
}

#[test]
fn the_depth_limit_holds() {
    let play = random_play::<Sprint>(2, 0);
    for limit in 1..6 {
        assert_eq!(think(&mut AlphaBeta::new(Points, small(1)), &play, depth(limit)).1.depth, Some(limit));
    }
}

#[test]
fn what_neither_side_may_touch_is_a_draw() {
    // The last stone costs three points, more than White's lead: both sides rest until the position has come back.
    for quiet in [0, 28] {
        let position: Sprint = format!("1 w 1 0 {quiet} 50").parse().unwrap();
        let play = Play::new(position);
        for plies in [2, 3, 8] {
            let (mv, last) = think(&mut AlphaBeta::new(Points, small(1)), &play, depth(plies));
            assert_eq!((mv, last.score), (Move::Rest, Some(Score::Centi(0))), "depth {plies}");
        }
    }
}

#[test]
fn a_third_time_in_the_game_is_a_draw() {
    // Black may bring the start back for the third time, and is lost otherwise.
    let start: Sprint = "3 w 30 0 0 50".parse().unwrap();
    let play = Play::from_moves(start, ["rest", "rest", "rest"]).unwrap();
    let (mv, last) = think(&mut AlphaBeta::new(Points, small(1)), &play, depth(1));
    assert_eq!((mv, last.score), (Move::Rest, Some(Score::Centi(0))));
}
