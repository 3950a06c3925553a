//! The Monte Carlo tree search on a small game: what it proves is true.

use crate::common::sprint::{Points, Sprint};
use crate::common::{depth, minimax, nodes, random_play, small, think};
use engine_proto::Play;
use engine_proto::proto::Score;
use engines::search::{Mcts, score};

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
fn the_depth_limit_holds() {
    let play = random_play::<Sprint>(2, 0);
    for limit in 1..6 {
        let (_, last) = think(&mut Mcts::new(Points, small(1)), &play, depth(limit));
        assert!(last.seldepth <= Some(limit));
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
