//! The alpha-beta search on a small game: equal to minimax, true to its limits, the same every time.

mod common;

use std::thread;
use std::time::{Duration, Instant};

use common::sprint::{Move, Points, Sprint};
use common::{depth, is_legal, minimax, nodes, random_play, small, think};
use engine_proto::Play;
use engine_proto::proto::{Limits, Score};
use engine_proto::sdk::Search;
use engines::search::alpha_beta::Pruning;
use engines::search::{AlphaBeta, Settings, score};

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
fn the_same_answer_whatever_was_played_before() {
    let answers = |engine: &mut AlphaBeta<Sprint, Points>| {
        [3, 4, 5, 3].map(|seed| think(engine, &random_play(seed, 3), nodes(3_000)))
    };
    let mut engine = AlphaBeta::new(Points, small(7));
    let [first, .., again] = answers(&mut engine);
    assert_eq!(first.0, again.0);
    assert_eq!((first.1.score, first.1.nodes, first.1.pv), (again.1.score, again.1.nodes, again.1.pv));
}

#[test]
fn a_position_not_looked_at_is_not_called_lost() {
    let (_, last) = think(&mut AlphaBeta::new(Points, small(1)), &random_play::<Sprint>(1, 0), nodes(0));
    assert_eq!(last.score, Some(Score::Centi(0)));
}

#[test]
fn the_node_limit_is_never_exceeded() {
    let play = random_play::<Sprint>(1, 0);
    for limit in [0, 1, 2, 63, 64, 65, 1_000, 10_007] {
        let (mv, last) = think(&mut AlphaBeta::new(Points, small(1)), &play, nodes(limit));
        assert!(is_legal(&play, mv));
        assert!(last.nodes <= Some(limit), "{:?} of {limit}", last.nodes);
    }
}

#[test]
fn the_depth_limit_holds() {
    let play = random_play::<Sprint>(2, 0);
    for limit in 1..6 {
        assert_eq!(think(&mut AlphaBeta::new(Points, small(1)), &play, depth(limit)).1.depth, Some(limit));
    }
}

#[test]
fn it_answers_however_short_the_time() {
    let play = random_play::<Sprint>(2, 0);
    for ms in [0, 1, 20] {
        let begun = Instant::now();
        let limits = Limits { move_time: Some(Duration::from_millis(ms)), ..Limits::default() };
        let (mv, _) = think(&mut AlphaBeta::new(Points, small(1)), &play, Search::with(limits));
        assert!(is_legal(&play, mv));
        assert!(begun.elapsed() < Duration::from_millis(ms + 1_000));
    }
}

#[test]
fn stop_ends_any_number_of_threads() {
    for threads in [1, 2, 3] {
        let play = random_play::<Sprint>(5, 0);
        let search = Search::with(Limits { infinite: true, ..Limits::default() });
        let stop = search.stop();
        let stopper = thread::spawn(move || {
            thread::sleep(Duration::from_millis(30));
            stop.raise();
        });
        let settings = Settings { threads, ..small(1) };
        let (mv, _) = think(&mut AlphaBeta::new(Points, settings), &play, search);
        assert!(is_legal(&play, mv));
        stopper.join().unwrap();
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
