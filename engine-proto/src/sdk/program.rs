//! An engine's program as its author describes it: who it is, what can be set, which games it plays.

use std::io::{self, BufRead, Write};
use std::process::{self, ExitCode};
use std::sync::Arc;

use super::driver::Driver;
use super::output::{Ending, Output};
use super::table::{GameTable, Table};
use super::{Engine, Factory, Options};
use crate::proto::{BadOption, OptionSpec, Words};
use crate::{GameId, GameWork, Position};

/// An engine's whole program: `main` describes it and runs it.
///
/// ```no_run
/// # use engine_proto::{Play, Position};
/// # use engine_proto::sdk::{Engine, Factory, Options, Search};
/// # struct First;
/// # impl<P: Position> Engine<P> for First {
/// #     fn think(&mut self, play: &Play<P>, _search: &Search) -> P::Move {
/// #         let mut moves = Vec::new();
/// #         play.legal_moves(&mut moves);
/// #         moves[0]
/// #     }
/// # }
/// # struct Firsts;
/// # impl Factory for Firsts {
/// #     fn engine<P: Position>(&self, _options: &Options) -> Box<dyn Engine<P>> { Box::new(First) }
/// # }
/// use std::process::ExitCode;
///
/// use engine_proto::proto::OptionSpec;
/// use engine_proto::sdk::Program;
///
/// fn main() -> ExitCode {
///     Program::new("first", "A. N. Author")
///         .version(env!("CARGO_PKG_VERSION"))
///         .option(OptionSpec::spin("Seed", 0, 0, i64::MAX))
///         .all_games(Firsts)
///         .run()
/// }
/// ```
///
/// # What the program does
/// It speaks the protocol, and where that leaves room, does this:
///
/// - Two options come by themselves: `Game`, a combo of the ids of all games, the first one being the default; and
///   `MoveOverhead`, milliseconds that every move is cut by, for the way to the arena and back ([`super::Allotment`]).
/// - An engine is made when it is first needed: at `isready`, `uginewgame`, `position` or `go`, whichever comes first.
///   A new one is made at the next of these after an option has changed, and at every `uginewgame`, unless the engine at
///   hand has not been asked for a move yet. `isready` is answered when that is done, so an arena that says it after
///   `uginewgame` keeps the making off the clock.
/// - `uginewgame` and a change of the game set up the default start; so a `go` without a `position` has one.
/// - A `position` that goes on from the last one by some moves plays only those. One with a bad FEN or an illegal move is
///   refused with an `info string`, and the position before stays. So is a bad `setoption`, and the value before stays.
/// - In mid-search `isready`, `query` and `stop` are answered at once. Every other command that is not `quit` makes sense
///   only between searches: it ends the search as `stop` does, waits for the `bestmove`, and is then obeyed.
/// - `go infinite`, or `go` with nothing that limits the side to move, keeps its `bestmove` back until `stop`.
/// - `go` in a game that is over, where there is nothing to choose, says so in an `info string` and answers `bestmove 0000`:
///   every `go` gets its `bestmove`, and this one is no game's move.
/// - Unknown and malformed lines are ignored, and an `info string` says so. `legalmoves` is ignored: a program of this SDK
///   knows the rules.
/// - `quit` and the end of the input stop the search, which has a tenth of a second to say its `bestmove`; then the program
///   ends. A closed output ends it quietly, an engine that panics with a failure, both at once.
/// - For people, `d` draws the position, and `perft <depth>` counts move sequences, first move by first move; until it is
///   done, nothing else is heard.
pub struct Program {
    identity: Identity,
    options: Vec<OptionSpec>,
    tables: Vec<Box<dyn Table>>,
}

/// Who the program is: its `id` lines.
pub(super) struct Identity {
    pub(super) name: String,
    pub(super) author: String,
    pub(super) version: Option<String>,
}

/// The name of the option that says which game is played.
pub(super) const GAME: &str = "Game";
/// The name of the option for the time between the engine's clock and the arena's, in milliseconds.
pub(super) const MOVE_OVERHEAD: &str = "MoveOverhead";

impl Program {
    /// A program with no options of its own and no games yet.
    pub fn new(name: impl Into<String>, author: impl Into<String>) -> Self {
        let identity = Identity { name: name.into(), author: author.into(), version: None };
        Self { identity, options: Vec::new(), tables: Vec::new() }
    }

    /// Names the version, which the arena keeps with the results: `id version <text>`. Without it no such line is sent.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.identity.version = Some(version.into());
        self
    }

    /// Adds an option.
    #[must_use]
    pub fn option(mut self, spec: OptionSpec) -> Self {
        self.options.push(spec);
        self
    }

    /// Adds a game: one of the crate `games` or any other. `factory` makes an engine for it, set up as the options say.
    /// Data that is slow to load belongs in what the factory captures.
    #[must_use]
    pub fn game<P: Position>(
        mut self,
        factory: impl Fn(&Options) -> Box<dyn Engine<P>> + Send + 'static,
    ) -> Self {
        self.tables.push(Box::new(GameTable::new(factory)));
        self
    }

    /// Adds every game of the crate `games` ([`GameId::BUILT_IN`]). Further games are added with [`Program::game`].
    #[must_use]
    pub fn all_games(self, factory: impl Factory) -> Self {
        struct WithGame<F> {
            program: Program,
            factory: Arc<F>,
        }
        impl<F: Factory> GameWork for WithGame<F> {
            type Output = Program;
            fn run<P: Position>(self) -> Program {
                self.program.game::<P>(move |options| self.factory.engine(options))
            }
        }
        let factory = Arc::new(factory);
        GameId::BUILT_IN.iter().fold(self, |program, game| {
            game.with(WithGame { program, factory: Arc::clone(&factory) })
                .expect("a game of the crate `games`")
        })
    }

    /// Serves the arena on standard input and output until it says `quit` or goes away. To be called by `main`: when the
    /// engine panics or the output is closed, this ends the process.
    pub fn run(self) -> ExitCode {
        let end_process = |ending| match ending {
            // The panic's message is on standard error already; this is the status of any Rust program that panics.
            Ending::EnginePanicked => process::exit(101),
            Ending::OutputLost => process::exit(0),
            Ending::ProgramEnded => {}
        };
        let result = self.drive(io::stdin().lock(), Output::new(io::stdout(), end_process));
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        }
    }

    /// As [`Program::run`], over any streams: for tests and for engines that live in another program.
    ///
    /// When the engine panics, `output` is dropped at once, and this returns after the next line of `input`; when
    /// writing to `output` fails, it returns after the next line too.
    ///
    /// # Errors
    /// What ended the program, if it was neither `quit` nor the end of `input` or of `output`.
    pub fn run_with(self, input: impl BufRead, output: impl Write + Send + 'static) -> Result<(), RunError> {
        self.drive(input, Output::new(output, |_| ()))
    }

    fn drive(self, input: impl BufRead, output: Output) -> Result<(), RunError> {
        self.validate()?;
        let game_ids: Vec<_> = self.tables.iter().map(|table| table.info().id).collect();
        let standard_options =
            [OptionSpec::combo(GAME, game_ids[0], game_ids), OptionSpec::spin(MOVE_OVERHEAD, 5, 0, 10_000)];
        let options = Options::new(standard_options.into_iter().chain(self.options));
        Driver::new(self.identity, options, self.tables, Arc::new(output))?.run(input)
    }

    fn validate(&self) -> Result<(), BadProgram> {
        if self.tables.is_empty() {
            return Err(BadProgram::NoGames);
        }
        for (i, table) in self.tables.iter().enumerate() {
            let id = table.info().id;
            if self.tables[..i].iter().any(|earlier| earlier.info().id == id) {
                return Err(BadProgram::GameTwice { id });
            }
        }
        for (i, spec) in self.options.iter().enumerate() {
            let name = spec.name.clone();
            if let Err(reason) = spec.validate() {
                return Err(BadProgram::Option { name, reason });
            }
            let mut earlier = [GAME, MOVE_OVERHEAD]
                .into_iter()
                .chain(self.options[..i].iter().map(|earlier| earlier.name.as_str()));
            if earlier.any(|earlier| Words::new(&name).is_named(earlier)) {
                return Err(BadProgram::OptionTwice { name });
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").field("name", &self.identity.name).finish_non_exhaustive()
    }
}

/// Why a program ended before it was told to.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The program contradicts itself: a mistake of its author.
    #[error(transparent)]
    Program(#[from] BadProgram),
    /// The input could not be read.
    #[error("cannot read the input: {0}")]
    Input(#[source] io::Error),
    /// The thread for searches could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[source] io::Error),
    /// The engine panicked while it was thinking.
    #[error("the engine panicked")]
    EnginePanicked,
}

/// What is wrong with a program's description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadProgram {
    /// It plays no game.
    #[error("the program plays no game")]
    NoGames,
    /// It has two engines for one game.
    #[error("the program has two engines for the game `{id}`")]
    GameTwice {
        /// The game's id.
        id: &'static str,
    },
    /// One of its options contradicts itself.
    #[error("option `{name}`: {reason}")]
    Option {
        /// The option's name.
        name: String,
        /// What is wrong with it.
        reason: BadOption,
    },
    /// Two of its options have one name, or one has that of an option that every program has.
    #[error("the option `{name}` is declared twice")]
    OptionTwice {
        /// The second one's name.
        name: String,
    },
}
