//! An engine that searches deeper and deeper with alpha-beta until its time is up. `Hash` bounds the memory of its table in
//! MiB, `Threads` search side by side, `Level` holds strength back, `Seed` chooses between equals. With `go nodes` and one
//! thread it answers the same every time.

use std::env;
use std::process::ExitCode;

use engines::roster::Kind;

fn main() -> ExitCode {
    Kind::AlphaBeta.main(env::args().skip(1), &[])
}
