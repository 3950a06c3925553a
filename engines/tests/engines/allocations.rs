//! The searches allocate when they begin and when they report, not for each position.

use crate::common::{nodes, random_play, small};
use engines::roster::Kind;

#[test]
fn searching_allocates_nothing_for_each_position() {
    const NODES: u64 = 20_000;
    for_all_games!(P, E, |evaluator| {
        for kind in [Kind::AlphaBeta, Kind::Mcts] {
            let mut engine = kind.engine(evaluator.clone(), small(1));
            let play = random_play::<P>(3, 12);
            // The first search grows the buffers to what the game's positions need.
            engine.think(&play, &nodes(NODES));
            let counted = allocation_counter::measure(|| {
                engine.think(&play, &nodes(NODES));
            });
            assert!(
                counted.count_total < NODES / 20,
                "{kind}: {} allocations in {NODES} positions; does `count_legal_moves` allocate?",
                counted.count_total
            );
        }
    });
}
