//! An engine that plays each legal move with the same probability. With the same `Seed` it moves the same in the same
//! position. It does not look at what the moves do.

use std::env;
use std::process::ExitCode;

use engines::roster::Kind;

fn main() -> ExitCode {
    Kind::Random.main(env::args().skip(1), &[])
}
