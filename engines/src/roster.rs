//! The four engines by name: their options, and how an engine is made for a game. Used by the binaries.

use std::fmt;
use std::str::FromStr;

use engine_proto::proto::{OptionSpec, OptionValue};
use engine_proto::sdk::{Engine, Options, Program};
use engine_proto::{Drawn, GameId, Searchable};

use crate::eval::{self, EvalWork, Evaluation, Evaluator, Mobility};
use crate::search::{AlphaBeta, Greedy, Level, Mcts, Numbers, Random, Settings};

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

    /// The engine's program, with its options and the games of the crate `games`. Add other games with
    /// [`PlayedGame::add_to`].
    pub fn program(self) -> Program {
        let program =
            Program::new(self.name(), env!("CARGO_PKG_NAME")).version(env!("CARGO_PKG_VERSION")).pondering();
        let program = self.options().into_iter().fold(program, Program::option);
        GameId::BUILT_IN.iter().fold(program, |program, &game| {
            eval::with(game, AddGame { program, kind: self }).expect("a game of the crate `games`")
        })
    }

    /// The same with options for the numbers of its search, which only tuning needs.
    pub fn tunable_program(self) -> Program {
        let spin = |(name, default): (&str, i32)| {
            let default = i64::from(default);
            OptionSpec::spin(name, default, (default / 5).max(1), 4 * default)
        };
        NUMBERS
            .into_iter()
            .zip(of_numbers(&Numbers::default()))
            .map(spin)
            .fold(self.program(), Program::option)
    }

    /// A new engine.
    pub fn engine<P: Searchable, E: Evaluator<P>>(
        self,
        evaluator: E,
        settings: Settings,
    ) -> Box<dyn Engine<P>> {
        let is_measured = self == Self::AlphaBeta && settings.level == Level::FULL;
        let evaluation = match settings.evaluation {
            Evaluation::Auto if !is_measured => Evaluation::Classic,
            evaluation => evaluation,
        };
        let evaluator = evaluator.evaluated_by(evaluation);
        match self {
            Self::Random => Box::new(Random::new(settings)),
            Self::Greedy => Box::new(Greedy::new(evaluator, settings)),
            Self::AlphaBeta => Box::new(AlphaBeta::new(evaluator, settings)),
            Self::Mcts => Box::new(Mcts::new(evaluator, settings)),
        }
    }

    /// The engine's name, which is also the name of its binary.
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
        let level = OptionSpec::spin(LEVEL, highest, lowest, highest);
        let lines = OptionSpec::spin(LINES, Settings::default().lines as i64, 1, 256);
        let manners = [RESIGN, DRAWS].map(|name| OptionSpec::check(name, false));
        let evaluation = OptionSpec::combo(
            EVALUATION,
            Evaluation::default().name(),
            Evaluation::ALL.map(Evaluation::name),
        );
        let own = match self {
            Self::Random | Self::Greedy => vec![seed],
            Self::AlphaBeta => vec![hash, threads, level, evaluation, lines, seed],
            Self::Mcts => vec![hash, threads, lines, seed],
        };
        own.into_iter().chain(manners).collect()
    }
}

const HASH: &str = "Hash";
const THREADS: &str = "Threads";
const SEED: &str = "Seed";
const LEVEL: &str = "Level";
const EVALUATION: &str = "Evaluation";
const LINES: &str = "MultiPV";
const RESIGN: &str = "Resign";
const DRAWS: &str = "Draws";

/// The options of the numbers of the search, in the order of [`of_numbers`].
const NUMBERS: [&str; 5] =
    ["FarMargin", "FutileMargin", "FutileMarginPerPly", "Reduction", "AspirationWindow"];

const fn of_numbers(numbers: &Numbers) -> [i32; 5] {
    let Numbers { far, futile, futile_per_ply, reduction, aspiration } = *numbers;
    [far, futile, futile_per_ply, reduction, aspiration]
}

/// The settings from a program's options; the default for an option that the program does not have.
fn settings(options: &Options) -> Settings {
    let value = |name| match options.get(name) {
        Some(OptionValue::Spin(value)) => Some(value.unsigned_abs()),
        _ => None,
    };
    let evaluation = match options.get(EVALUATION) {
        Some(OptionValue::Combo(name)) => Evaluation::named(name),
        _ => None,
    };
    let is_on = |name| options.get(name) == Some(&OptionValue::Check(true));
    let default = Settings::default();
    let mut numbers = of_numbers(&default.numbers);
    for (number, name) in numbers.iter_mut().zip(NUMBERS) {
        *number = value(name).map_or(*number, |value| value as i32);
    }
    let [far, futile, futile_per_ply, reduction, aspiration] = numbers;
    Settings {
        numbers: Numbers { far, futile, futile_per_ply, reduction, aspiration },
        hash_mib: value(HASH).map_or(default.hash_mib, |mib| mib as usize),
        threads: value(THREADS).map_or(default.threads, |threads| threads as usize),
        seed: value(SEED).unwrap_or(default.seed),
        level: value(LEVEL).and_then(|number| Level::new(number as u8)).unwrap_or(default.level),
        evaluation: evaluation.unwrap_or(default.evaluation),
        lines: value(LINES).map_or(default.lines, |lines| lines as usize),
        resigns: is_on(RESIGN),
        draws: is_on(DRAWS),
    }
}

/// A game in addition to those of the crate `games`: its position type and its evaluation.
pub struct PlayedGame {
    add: Box<dyn Fn(Program, Kind) -> Program>,
}

impl PlayedGame {
    /// The game of `P`, evaluated by [`Mobility`].
    pub fn of<P: Drawn + Searchable>() -> Self {
        Self::evaluated::<P, Mobility>(Mobility)
    }

    /// The game of `P` with an evaluation of its own.
    pub fn evaluated<P: Drawn + Searchable, E: Evaluator<P>>(evaluator: E) -> Self {
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

    fn run<P: Drawn + Searchable, E: Evaluator<P>>(self, evaluator: E) -> Program {
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

/// A text that is not the name of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownKind;

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an engine: random, greedy, alpha-beta or mcts")
    }
}

impl std::error::Error for UnknownKind {}
