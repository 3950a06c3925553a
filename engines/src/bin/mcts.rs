//! An engine with a Monte Carlo tree search that expands the most promising nodes, with evaluations instead of random
//! playouts. `Hash` limits the memory of the tree in MiB, `Threads` is the number of search threads, `Seed` breaks
//! ties. With `go nodes` and one thread, its answers are always the same.

use std::env;
use std::process::ExitCode;

use engines::roster::Kind;

fn main() -> ExitCode {
    Kind::Mcts.main(env::args().skip(1), &[])
}
