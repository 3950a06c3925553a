//! The four engines by name: what can be set, and how one is made for a game. The binaries' mains stand on this.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use std::str::FromStr;

use engine_proto::proto::OptionSpec;
use engine_proto::sdk::{Engine, Options, Program};
use engine_proto::{GameId, Position};

use crate::bench::Bench;
use crate::eval::{self, EvalWork, Evaluator, Mobility};
use crate::search::{AlphaBeta, Greedy, Level, Mcts, Random, Settings};

/// One of the engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// See [`Random`].
    Random,
    /// See [`Greedy`].
    Greedy,
    /// See [`AlphaBeta`].
    AlphaBeta,
    /// See [`Mcts`].
    Mcts,
}

impl Kind {
    /// All engines, the weakest first.
    pub const ALL: [Self; 4] = [Self::Random, Self::Greedy, Self::AlphaBeta, Self::Mcts];

    /// The engine's program: the options that concern this engine, and the games of the crate `games`. Further games are
    /// added with [`PlayedGame::add_to`].
    pub fn program(self) -> Program {
        let program = Program::new(self.name(), env!("CARGO_PKG_NAME")).version(env!("CARGO_PKG_VERSION"));
        let program = self.options().into_iter().fold(program, Program::option);
        GameId::BUILT_IN.iter().fold(program, |program, &game| {
            eval::with(game, AddGame { program, kind: self }).expect("a game of the crate `games`")
        })
    }

    /// What the engine's binary does: it serves the arena, or with the argument `bench` measures itself. It plays the
    /// games of the crate `games` and the `further` ones.
    ///
    /// An engine that plays a game of your own is this program:
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
            ["bench"] => {
                let mut out = io::stdout();
                let written = write!(out, "{}", Bench::of(self, BENCH_NODES));
                if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
            }
            _ => {
                eprintln!(
                    "{self} reads commands from standard input; the only argument that it takes is `bench`"
                );
                ExitCode::from(2)
            }
        }
    }

    /// A new engine.
    pub fn engine<P: Position, E: Evaluator<P>>(
        self,
        evaluator: E,
        settings: Settings,
    ) -> Box<dyn Engine<P>> {
        match self {
            Self::Random => Box::new(Random::new(settings)),
            Self::Greedy => Box::new(Greedy::new(evaluator, settings)),
            Self::AlphaBeta => Box::new(AlphaBeta::new(evaluator, settings)),
            Self::Mcts => Box::new(Mcts::new(evaluator, settings)),
        }
    }

    /// The engine's name, which is its binary's.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::AlphaBeta => "alpha-beta",
            Self::Mcts => "mcts",
        }
    }

    fn options(self) -> Vec<OptionSpec> {
        let seed = OptionSpec::spin(SEED, 0, 0, i64::MAX);
        let hash = OptionSpec::spin(HASH, Settings::default().hash_mib as i64, 1, 65_536);
        let threads = OptionSpec::spin(THREADS, Settings::default().threads as i64, 1, 256);
        let [lowest, highest] = [Level::LOWEST, Level::FULL].map(|level| i64::from(level.number()));
        match self {
            Self::Random | Self::Greedy => vec![seed],
            Self::AlphaBeta => vec![hash, threads, OptionSpec::spin(LEVEL, highest, lowest, highest), seed],
            Self::Mcts => vec![hash, threads, seed],
        }
    }
}

/// Positions that `bench` searches for each move.
const BENCH_NODES: u64 = 50_000;

const HASH: &str = "Hash";
const THREADS: &str = "Threads";
const SEED: &str = "Seed";
const LEVEL: &str = "Level";

/// The settings that a program's options say; the defaults for options that it does not have.
fn settings(options: &Options) -> Settings {
    let value = |name| match options.get(name) {
        Some(engine_proto::proto::OptionValue::Spin(value)) => Some(value.unsigned_abs()),
        _ => None,
    };
    let default = Settings::default();
    Settings {
        hash_mib: value(HASH).map_or(default.hash_mib, |mib| mib as usize),
        threads: value(THREADS).map_or(default.threads, |threads| threads as usize),
        seed: value(SEED).unwrap_or(default.seed),
        level: value(LEVEL).and_then(|number| Level::new(number as u8)).unwrap_or(default.level),
    }
}

/// A game that the engines play in addition to those of the crate `games`: its position type and its evaluation.
pub struct PlayedGame {
    add: Box<dyn Fn(Program, Kind) -> Program>,
}

impl PlayedGame {
    /// The game of `P`, evaluated by [`Mobility`].
    pub fn of<P: Position>() -> Self {
        Self::evaluated::<P, Mobility>(Mobility)
    }

    /// The game of `P` with an evaluation of its own.
    pub fn evaluated<P: Position, E: Evaluator<P>>(evaluator: E) -> Self {
        Self { add: Box::new(move |program, kind| AddGame { program, kind }.run::<P, E>(evaluator.clone())) }
    }

    /// Adds the game to the program of an engine of this kind.
    pub fn add_to(&self, program: Program, kind: Kind) -> Program {
        (self.add)(program, kind)
    }
}

impl fmt::Debug for PlayedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayedGame").finish_non_exhaustive()
    }
}

/// Adds a game to a program.
struct AddGame {
    program: Program,
    kind: Kind,
}

impl EvalWork for AddGame {
    type Output = Program;

    fn run<P: Position, E: Evaluator<P>>(self, evaluator: E) -> Program {
        let kind = self.kind;
        self.program.game::<P>(move |options: &Options| kind.engine(evaluator.clone(), settings(options)))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or(UnknownKind)
    }
}

/// A text that is no engine's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownKind;

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an engine: random, greedy, alpha-beta or mcts")
    }
}

impl std::error::Error for UnknownKind {}
