//! The library's Monte Carlo tree search with its random rollouts, on one thread. It takes the time of a move from `go`,
//! and no other limit.

mod program;
mod rules;

use std::process::ExitCode;

use engine_proto::Position;
use engines::eval::Evaluator;
use minimax::{MCTSOptions, MonteCarloTreeSearch, Strategy};
use program::Maker;
use rules::Rules;

#[derive(Clone, Copy)]
struct Mcts;

impl Maker for Mcts {
    fn strategy<P: Position, E: Evaluator<P>>(self, _evaluator: E) -> Box<dyn Strategy<Rules<P>> + Send> {
        Box::new(MonteCarloTreeSearch::new(MCTSOptions::default().with_num_threads(1)))
    }
}

fn main() -> ExitCode {
    program::program("minimax-mcts", Mcts).run()
}
