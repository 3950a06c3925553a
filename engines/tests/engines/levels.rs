//! The levels of alpha-beta: true to their limits, the same every time, and the highest stronger than the lowest.

use crate::common::{is_legal, nodes, random_play, small, think};
use engine_proto::Side;
use engines::roster::Kind;
use engines::search::{Level, Settings};

#[test]
fn every_level_plays_legally_and_the_same_twice() {
    for_all_games!(P, E, |evaluator| {
        for number in 1..=10 {
            let level = Level::new(number).unwrap();
            let answer = |seed: u64| {
                let play = random_play::<P>(seed, 8);
                let settings = Settings { level, ..small(seed) };
                let mut engine = Kind::AlphaBeta.engine(evaluator.clone(), settings);
                let (mv, last) = think(&mut *engine, &play, nodes(5_000));
                assert!(is_legal(&play, mv), "level {number} plays {mv} from {play}");
                let n_moves = play.position().count_legal_moves();
                let most = level.effort(&E::EFFORTS).map_or(5_000, |effort| effort.nodes_for(n_moves));
                assert!(last.nodes <= Some(most), "level {number}: {:?} nodes", last.nodes);
                (mv, last.nodes)
            };
            assert_eq!(answer(2), answer(2), "level {number}");
        }
    });
}

#[test]
fn the_highest_level_beats_the_lowest() {
    for_all_games!(P, E, |evaluator| {
        const MATCHES: u64 = 6;
        let mut points = 0;
        for seed in 0..MATCHES {
            let mut play = random_play::<P>(seed / 2, 4);
            let highest = if seed % 2 == 0 { Side::White } else { Side::Black };
            let mut engines = [Level::FULL, Level::LOWEST]
                .map(|level| Kind::AlphaBeta.engine(evaluator.clone(), Settings { level, ..small(seed) }));
            while play.end().is_none() && play.moves().len() < 200 {
                let who = usize::from(play.position().side_to_move() != highest);
                let (mv, _) = think(&mut *engines[who], &play, nodes(1_500));
                play.play(mv).unwrap();
            }
            points += match play.end().and_then(|end| end.winner) {
                Some(winner) if winner == highest => 2,
                Some(_) => 0,
                None => 1,
            };
        }
        assert!(MATCHES * 2 * 3 / 4 <= points, "{points} half points of {}", MATCHES * 2);
    });
}

#[test]
fn each_level_is_given_more_than_the_one_below() {
    for_all_games!(P, E, |_| {
        for pair in E::EFFORTS.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes && pair[1].slips < pair[0].slips, "{pair:?}");
        }
        assert!(E::EFFORTS.iter().all(|effort| effort.slips < 1_000));
    });
}
