//! The engines with one more game: `hex-engine alpha-beta`.

use std::env;
use std::process::ExitCode;

use engines::roster::{Kind, PlayedGame};

fn main() -> ExitCode {
    let mut args = env::args().skip(1);
    let Some(Ok(kind)) = args.next().as_deref().map(str::parse::<Kind>) else {
        eprintln!("name an engine: random, greedy, alpha-beta or mcts");
        return ExitCode::from(2);
    };
    kind.main(args, &[PlayedGame::of::<hex_test::Hex>()])
}
