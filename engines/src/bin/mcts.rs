//! An engine that grows a tree where it promises most, by Monte Carlo tree search with evaluations instead of random games.
//! `Hash` bounds the tree in MiB, `Threads` grow it together, `Seed` chooses between equals. With `go nodes` and one thread
//! it answers the same every time.

use std::env;
use std::process::ExitCode;

use engines::roster::Kind;

fn main() -> ExitCode {
    Kind::Mcts.main(env::args().skip(1), &[])
}
