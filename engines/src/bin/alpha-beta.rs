//! An engine with an iterative deepening alpha-beta search. `Hash` limits the memory of its table in MiB, `Threads` is
//! the number of search threads, `Level` reduces the strength, `Seed` breaks ties. With `go nodes` and one thread, its
//! answers are always the same.

use std::env;
use std::process::ExitCode;

use engines::roster::Kind;

fn main() -> ExitCode {
    Kind::AlphaBeta.main(env::args().skip(1), &[])
}
