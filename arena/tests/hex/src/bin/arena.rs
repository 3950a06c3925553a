//! The arena with one more game.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine_proto::register::<hex_test::Hex>().expect("no other game has its id");
    arena::program::main()
}
