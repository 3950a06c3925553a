//! An engine that searches one ply and plays the move with the best evaluation. `Seed` breaks ties. It does not
//! consider the opponent's answers.

use std::env;
use std::process::ExitCode;

use engines::roster::Kind;

fn main() -> ExitCode {
    Kind::Greedy.main(env::args().skip(1), &[])
}
