//! Speed of the alpha-beta search on every game: `cargo bench -p engines`.
//!
//! Each game's default start is searched to a fixed number of nodes with one thread. The best move and the depth are the
//! signature: they change exactly when the search or the evaluation does. A row gives the best of three runs.

#![expect(clippy::print_stdout, reason = "the table is the product")]

use std::sync::{Arc, Mutex};

use engine_proto::proto::{Info, Limits};
use engine_proto::sdk::{Engine, Search};
use engine_proto::{GameId, Play, Position};
use engines::eval::{self, EvalWork, Evaluator};
use engines::search::{AlphaBeta, Settings};

const NODES: u64 = 300_000;
const RUNS: usize = 3;

fn main() {
    println!("{:<16} {:>9} {:>11} {:>6} {:>10}  best", "game", "nodes", "nodes/s", "depth", "score");
    for &game in GameId::ALL {
        println!("{:<16} {}", game.id(), eval::with(game, Row));
    }
}

struct Row;

impl EvalWork for Row {
    type Output = String;

    fn run<P: Position, E: Evaluator<P>>(self, evaluator: E) -> String {
        let runs = (0..RUNS).map(|_| run(&Play::new(P::startpos()), evaluator.clone()));
        let best = runs.max_by(|a, b| a.0.total_cmp(&b.0)).expect("there are runs");
        let (nodes_per_second, best_move, last) = best;
        format!(
            "{NODES:>9} {nodes_per_second:>11.0} {:>6} {:>10}  {best_move}",
            last.depth.unwrap_or_default(),
            last.score.map(|score| format!("{score:?}")).unwrap_or_default(),
        )
    }
}

/// Nodes per second, the best move, the last report.
fn run<P: Position, E: Evaluator<P>>(play: &Play<P>, evaluator: E) -> (f64, P::Move, Info) {
    let last = Arc::new(Mutex::new(Info::default()));
    let kept = Arc::clone(&last);
    let search = Search::with(Limits { nodes: Some(NODES), ..Limits::default() })
        .reporting_to(move |info: &Info| *kept.lock().expect("no run panics") = info.clone());
    let mut engine = AlphaBeta::new(evaluator, Settings::default());
    let best = engine.think(play, &search);
    let seconds = search.elapsed().as_secs_f64();
    let last = last.lock().expect("no run panics").clone();
    (NODES as f64 / seconds, best, last)
}
