//! The arena with one more game.

use std::process::ExitCode;

fn main() -> ExitCode {
    let games = engine_proto::Games::built_in().with::<hex_test::Hex>();
    arena::program::main_with(games.expect("no other game has its id"))
}
