//! An engine that looks one move ahead and plays the one after which the evaluation likes its position best. `Seed`
//! chooses between equals. It does not ask what the other side may answer.

use std::env;
use std::process::ExitCode;

use engines::roster::Kind;

fn main() -> ExitCode {
    Kind::Greedy.main(env::args().skip(1), &[])
}
