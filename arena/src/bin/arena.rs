//! The program `arena`.

use std::process::ExitCode;

fn main() -> ExitCode {
    arena::program::main()
}
