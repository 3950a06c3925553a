//! An engine that plays each legal move with the same probability. With the same `Seed`, it plays the same move in the
//! same position. It does not evaluate the moves.

use std::env;
use std::process::ExitCode;

use engines::roster::Kind;

fn main() -> ExitCode {
    Kind::Random.main(env::args().skip(1), &[])
}
