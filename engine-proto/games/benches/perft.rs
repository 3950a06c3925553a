//! Perft speed of every game's start position, beside cozy-chess's as a yardstick: `cargo bench -p games`.
//!
//! Both count alike: every move is played but the last, and the last ones are counted, not played. A row gives the
//! median of seven runs with their spread, and the ratio to the yardstick of the same run.

#![expect(clippy::print_stdout, reason = "the table is the product")]

use std::time::Instant;

use games::perft::perft;
use games::{Drawn, GameId, GameWork, Searchable};

const RUNS: usize = 7;
/// Deep enough for a run of a good fraction of a second, shallow enough for seven.
const NODES_AT_LEAST: u64 = 3_000_000;

fn main() {
    println!(
        "{:<16} {:>5} {:>12} {:>12} {:>8} {:>7}",
        "game", "depth", "nodes", "nodes/s", "spread", "ratio"
    );
    let chess = cozy_chess::Board::default();
    let yardstick = measure(|depth| chess_perft(&chess, depth));
    yardstick.print("cozy-chess", None);
    for &game in GameId::BUILT_IN.iter().chain(GameId::ON_REQUEST) {
        struct Measured;
        impl GameWork for Measured {
            type Output = Speed;
            fn run<P: Drawn + Searchable>(self) -> Speed {
                let start = P::startpos();
                measure(|depth| perft(&start, depth))
            }
        }
        game.with(Measured).expect("a game of this crate").print(game.id(), Some(&yardstick));
    }
}

struct Speed {
    depth: u32,
    nodes: u64,
    /// Nodes per second of each run, ascending.
    runs: Vec<f64>,
}

impl Speed {
    fn median(&self) -> f64 {
        self.runs[self.runs.len() / 2]
    }

    fn print(&self, name: &str, yardstick: Option<&Self>) {
        let median = self.median();
        let spread = (self.runs[self.runs.len() - 1] - self.runs[0]) / median * 100.0;
        let ratio = yardstick.map_or(1.0, |yardstick| median / yardstick.median());
        println!(
            "{name:<16} {:>5} {:>12} {median:>12.0} {spread:>6.1} % {ratio:>7.2}",
            self.depth, self.nodes
        );
    }
}

fn measure(count: impl Fn(u32) -> u64) -> Speed {
    let (depth, nodes) =
        (1..20).map(|depth| (depth, count(depth))).find(|&(_, n)| n >= NODES_AT_LEAST).expect("games go on");
    let mut runs: Vec<f64> = (0..RUNS)
        .map(|_| {
            let begun = Instant::now();
            assert_eq!(std::hint::black_box(count(depth)), nodes);
            nodes as f64 / begun.elapsed().as_secs_f64()
        })
        .collect();
    runs.sort_by(f64::total_cmp);
    Speed { depth, nodes, runs }
}

fn chess_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += chess_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}
