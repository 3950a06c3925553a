//! The smallest engine: it plays a random legal move, in every game there is.
//!
//! Start it with `cargo run --example hello` and type, line by line, what the arena would say:
//!
//! ```text
//! ugi
//! position startpos
//! d
//! go movetime 100
//! quit
//! ```
//!
//! (`d` draws the position, for people; the arena does not send it.)
//!
//! An engine is a program that reads such lines and writes answers; `PROTOCOL.md` has them all. The SDK does the reading and
//! the writing, so that all that is left to an author is the question: which move?

use std::process::ExitCode;

use engine_proto::proto::{Info, OptionSpec};
use engine_proto::sdk::{Choice, Engine, Factory, Options, Program, Search};
use engine_proto::{Play, Position};

/// Says who we are, what can be set and what we play, and serves the arena until it says `quit`.
fn main() -> ExitCode {
    Program::new("hello", "A. N. Author")
        // The arena keeps it with the results, so that a new version is told from an old one.
        .version(env!("CARGO_PKG_VERSION"))
        // A whole number that the arena may set: `setoption name Seed value 7`. Default 0, from 0 up.
        .option(OptionSpec::spin("Seed", 0, 0, i64::MAX))
        // Every game of the crate `games`. An engine for one game alone says, with `Push` for example:
        // `.game::<Push>(|options: &Options| Box::new(Hello::new(options)))`
        .all_games(Hellos)
        .run()
}

/// Makes our engines. The SDK asks for a new one for every game that is played.
struct Hellos;

impl Factory for Hellos {
    // `P` is the type of a game's positions: what this makes plays the game of `P`, whichever that is.
    fn engine<P: Position>(&self, options: &Options) -> Box<dyn Engine<P>> {
        Box::new(Hello::new(options))
    }
}

/// Our engine. What it keeps from move to move stands here: it lives for one game.
struct Hello {
    /// The state of the random numbers.
    random: u64,
}

impl Hello {
    fn new(options: &Options) -> Self {
        Self { random: options.spin("Seed").unsigned_abs() }
    }

    /// The next random number (SplitMix64).
    fn next(&mut self) -> u64 {
        self.random = self.random.wrapping_add(1);
        engine_proto::bits::mix64(self.random)
    }
}

impl<P: Position> Engine<P> for Hello {
    /// Chooses a move in the game `play`, which is not over, for the side whose turn it is.
    fn think(&mut self, play: &Play<P>, search: &Search) -> Choice<P::Move> {
        // All legal moves, or those that `go searchmoves` names. Since the game is not over, there is at least one.
        let moves = search.root_moves(play);

        // An engine that searches would look ahead here, for as long as `search` lets it. We take any move,
        let i = self.next() % moves.len() as u64;
        let choice = moves[i as usize];

        // tell whoever watches what we think of it,
        search.report(&Info { depth: Some(0), pv: vec![choice.to_string()], ..Info::default() });

        // and play it. (`Choice` can also resign, offer a draw, and name the reply that we expect.)
        choice.into()
    }
}
