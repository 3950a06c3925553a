//! The Monte Carlo tree search on a small game: what it proves is true, its limits hold, it answers the same every time.

mod common;

use std::thread;
use std::time::{Duration, Instant};

use common::sprint::{Points, Sprint};
use common::{depth, is_legal, minimax, nodes, random_play, small, think};
use engine_proto::Play;
use engine_proto::proto::{Limits, Score};
use engine_proto::sdk::Search;
use engines::search::{Mcts, Settings, score};

#[test]
fn what_is_proven_is_true() {
    for stones in 1..=9 {
        for lead in -4..=4 {
            let position: Sprint = format!("{stones} w {lead} 0 0 50").parse().unwrap();
            let play = Play::new(position);
            let (_, last) = think(&mut Mcts::new(Points, small(1)), &play, nodes(20_000));
            let truth = score::to_proto(minimax(&Points, &play, 10));
            match (last.score, truth) {
                (Some(Score::Win(_)), Score::Win(_)) | (Some(Score::Loss(_)), Score::Loss(_)) => {}
                (Some(Score::Centi(found)), Score::Centi(0)) => assert!(found.abs() < 100, "{play}: {found}"),
                (found, truth) => panic!("{play}: found {found:?}, but it is {truth:?}"),
            }
        }
    }
}

#[test]
fn the_same_answer_whatever_was_played_before() {
    let mut engine = Mcts::new(Points, small(7));
    let [first, .., again] = [3, 4, 5, 3].map(|seed| think(&mut engine, &random_play(seed, 3), nodes(3_000)));
    assert_eq!(first.0, again.0);
    assert_eq!((first.1.score, first.1.nodes, first.1.pv), (again.1.score, again.1.nodes, again.1.pv));
}

#[test]
fn the_node_limit_is_never_exceeded() {
    let play = random_play::<Sprint>(1, 0);
    for limit in [0, 1, 2, 63, 64, 65, 1_000, 10_007] {
        let (mv, last) = think(&mut Mcts::new(Points, small(1)), &play, nodes(limit));
        assert!(is_legal(&play, mv));
        assert!(last.nodes <= Some(limit), "{:?} of {limit}", last.nodes);
    }
}

#[test]
fn the_depth_limit_holds() {
    let play = random_play::<Sprint>(2, 0);
    for limit in 1..6 {
        let (_, last) = think(&mut Mcts::new(Points, small(1)), &play, depth(limit));
        assert!(last.seldepth <= Some(limit));
    }
}

#[test]
fn it_answers_however_short_the_time() {
    let play = random_play::<Sprint>(2, 0);
    for ms in [0, 1, 20] {
        let begun = Instant::now();
        let limits = Limits { move_time: Some(Duration::from_millis(ms)), ..Limits::default() };
        let (mv, _) = think(&mut Mcts::new(Points, small(1)), &play, Search::with(limits));
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
        let (mv, _) = think(&mut Mcts::new(Points, Settings { threads, ..small(1) }), &play, search);
        assert!(is_legal(&play, mv));
        stopper.join().unwrap();
    }
}

#[test]
fn a_game_is_played_to_its_end_on_one_tree() {
    // Without a node limit the tree is kept from move to move: a whole game walks down it.
    let mut engine = Mcts::new(Points, small(3));
    let mut play = random_play::<Sprint>(1, 0);
    while play.end().is_none() {
        let (mv, _) = think(&mut engine, &play, depth(4));
        play.play(mv).unwrap();
    }
}
