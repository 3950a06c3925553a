//! All engines on all games: what no game may break.

use crate::common::{depth, examples, is_legal, minimax, nodes, random_play, small, think};
use engine_proto::perft::perft;
use engine_proto::proto::Limits;
use engine_proto::sdk::Search;
use engine_proto::{Play, Position};
use engines::roster::Kind;
use engines::search::alpha_beta::Pruning;
use engines::search::{AlphaBeta, Settings, score};

/// Plays from the rules page and by chance.
fn plays<P: Position>() -> impl Iterator<Item = Play<P>> {
    examples().into_iter().chain((0..24).map(|seed| random_play(seed, 6 * seed as usize)))
}

#[test]
fn exact_alpha_beta_equals_minimax() {
    const LARGEST_TREE: u64 = 15_000;
    for_all_games!(P, E, |evaluator| {
        let mut compared = [0; 5];
        for (seed, play) in plays::<P>().enumerate() {
            for plies in 1..=4 {
                if perft(play.position(), plies) > LARGEST_TREE {
                    break;
                }
                let mut engine =
                    AlphaBeta::with_pruning(evaluator.clone(), small(seed as u64), Pruning::Exact);
                let (_, last) = think(&mut engine, &play, depth(plies));
                let expected = score::to_proto(minimax(&evaluator, &play, plies));
                assert_eq!(last.score, Some(expected), "depth {plies} from {play}");
                compared[plies as usize] += 1;
            }
        }
        assert!(compared[1..4].iter().all(|&n| n >= 3), "too few small trees: {compared:?}");
    });
}

#[test]
fn a_win_in_one_is_played() {
    for_all_games!(P, E, |evaluator| {
        let chances = plays::<P>().chain((0..400).map(|seed| random_play(seed, 8 + seed as usize / 2)));
        let mut found = 0;
        for play in chances.filter(|play| !winning_moves(play).is_empty()).take(6) {
            let wins = winning_moves(&play);
            for kind in [Kind::Greedy, Kind::AlphaBeta, Kind::Mcts] {
                let mv = think(&mut *kind.engine(evaluator.clone(), small(1)), &play, nodes(2_000)).0;
                assert!(wins.contains(&mv), "{kind} plays {mv} from {play}");
            }
            found += 1;
        }
        assert!(found >= 2, "only {found} positions with a win in one");
    });
}

#[test]
fn nodes_and_seed_fix_the_answer() {
    for_all_games!(P, E, |evaluator| {
        for kind in Kind::ALL {
            let mut engine = kind.engine(evaluator.clone(), small(5));
            let [first, .., again] =
                [1, 2, 1].map(|seed| think(&mut *engine, &random_play(seed, 10), nodes(2_000)));
            assert_eq!((first.0, first.1.nodes, first.1.pv), (again.0, again.1.nodes, again.1.pv), "{kind}");
        }
    });
}

#[test]
fn limits_hold_and_the_answer_is_legal() {
    for_all_games!(P, E, |evaluator| {
        let play = random_play::<P>(3, 12);
        let answer = |kind: Kind, threads, search| {
            let mut engine = kind.engine(evaluator.clone(), Settings { threads, ..small(1) });
            let (mv, last) = think(&mut *engine, &play, search);
            assert!(is_legal(&play, mv), "{kind} plays {mv} from {play}");
            last
        };
        for kind in Kind::ALL {
            for limit in [0, 1, 7, 64, 777] {
                assert!(answer(kind, 1, nodes(limit)).nodes <= Some(limit), "{kind}");
            }
            let no_time = Limits { move_time: Some(std::time::Duration::ZERO), ..Limits::default() };
            answer(kind, 1, Search::with(no_time));
            answer(kind, 2, nodes(3_000));
            assert!(answer(kind, 1, depth(2)).depth <= Some(2), "{kind}");
        }
    });
}

/// The moves that win for the side that makes them, at once.
fn winning_moves<P: Position>(play: &Play<P>) -> Vec<P::Move> {
    let mut moves = Vec::new();
    play.legal_moves(&mut moves);
    moves.retain(|&mv| {
        let mut next = play.position().clone();
        next.play_unchecked(mv);
        next.end().is_some_and(|end| end.winner == Some(play.position().side_to_move()))
    });
    moves
}
