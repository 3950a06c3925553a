//! Speed of the alpha-beta search on every game: `cargo bench -p engines --bench search`.
//!
//! Each game's default start is searched with one thread to the first depth that takes [`NODES_AT_LEAST`]. Depth, nodes and
//! best move are the signature: they change exactly when rules, search or evaluation do. The speed is the best of
//! three runs, the one least disturbed.

#![expect(clippy::print_stdout, reason = "the table is the product")]

use std::sync::{Arc, Mutex};

use engine_proto::proto::{Info, Limits};
use engine_proto::sdk::{Engine, Search};
use engine_proto::{GameId, Play, Position};
use engines::eval::{self, EvalWork, Evaluator};
use engines::search::{AlphaBeta, Settings};

const NODES_AT_LEAST: u64 = 300_000;
const RUNS: usize = 3;

fn main() {
    println!("{:<16} {:>5} {:>9} {:>11}  best", "game", "depth", "nodes", "nodes/s");
    for &game in GameId::ALL {
        println!("{:<16} {}", game.id(), eval::with(game, Row));
    }
}

struct Row;

impl EvalWork for Row {
    type Output = String;

    fn run<P: Position, E: Evaluator<P>>(self, evaluator: E) -> String {
        let play = Play::new(P::startpos());
        let mut depth = 1;
        let mut run = search_to(&play, &evaluator, depth);
        while run.nodes < NODES_AT_LEAST {
            depth += 1;
            run = search_to(&play, &evaluator, depth);
        }
        let speeds = (0..RUNS).map(|_| search_to(&play, &evaluator, depth).nodes_per_second);
        let speed = speeds.fold(0.0, f64::max);
        format!("{depth:>5} {:>9} {speed:>11.0}  {}", run.nodes, run.best)
    }
}

struct Run {
    nodes: u64,
    nodes_per_second: f64,
    best: String,
}

fn search_to<P: Position, E: Evaluator<P>>(play: &Play<P>, evaluator: &E, depth: u32) -> Run {
    let last = Arc::new(Mutex::new(Info::default()));
    let kept = Arc::clone(&last);
    let mut engine = AlphaBeta::new(evaluator.clone(), Settings::default());
    let search = Search::with(Limits { depth: Some(depth), ..Limits::default() })
        .reporting_to(move |info: &Info| *kept.lock().expect("no run panics") = info.clone());
    let best = engine.think(play, &search).to_string();
    let seconds = search.elapsed().as_secs_f64();
    let nodes = last.lock().expect("no run panics").nodes.unwrap_or_default();
    Run { nodes, nodes_per_second: nodes as f64 / seconds, best }
}
