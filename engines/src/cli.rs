//! The command line of the four programs: without arguments the protocol, with `tune` the same with options
//! for tuning, with `bench` the bench.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::bench::Bench;
use crate::eval::Evaluation;
use crate::roster::{Kind, PlayedGame};

/// The number of positions that `bench` searches per move.
const BENCH_NODES: u64 = 50_000;

impl Kind {
    /// The `main` of the engine's binary: serves the arena, or measures the speed with the argument `bench`. It plays
    /// the games of the crate `games` and the `further` ones.
    ///
    /// A program that plays a game of your own:
    /// ```no_run
    /// # use engine_proto::games::push::Push as Hex;
    /// use engines::roster::{Kind, PlayedGame};
    ///
    /// fn main() -> std::process::ExitCode {
    ///     Kind::AlphaBeta.main(std::env::args().skip(1), &[PlayedGame::of::<Hex>()])
    /// }
    /// ```
    pub fn main(self, args: impl IntoIterator<Item = String>, further: &[PlayedGame]) -> ExitCode {
        let args: Vec<String> = args.into_iter().collect();
        match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => further.iter().fold(self.program(), |program, game| game.add_to(program, self)).run(),
            ["tune"] if self == Self::AlphaBeta => {
                further.iter().fold(self.tunable_program(), |program, game| game.add_to(program, self)).run()
            }
            ["bench"] => self.bench(Evaluation::Auto),
            ["bench", name] if self == Self::AlphaBeta && Evaluation::named(name).is_some() => {
                self.bench(Evaluation::named(name).unwrap_or_default())
            }
            _ => {
                eprintln!(
                    "{self} reads commands from standard input; the only arguments that it takes are `bench` and, for alpha-beta, `bench network`, `bench classic` and `tune`"
                );
                ExitCode::from(2)
            }
        }
    }

    fn bench(self, evaluation: Evaluation) -> ExitCode {
        let mut out = io::stdout();
        let written = write!(out, "{}", Bench::of(self, evaluation, BENCH_NODES));
        if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
