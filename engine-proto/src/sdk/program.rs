//! The description of an engine's program: its name, its options and its games.

use std::io::{self, BufRead, Write};
use std::process::{self, ExitCode};
use std::sync::Arc;

use super::description::{BadProgram, GAME, Identity, MOVE_OVERHEAD, PONDER, RunError};
use super::driver::Driver;
use super::output::{Ending, Output};
use super::table::{GameTable, Table};
use super::{Engine, Factory, Options};
use crate::proto::{OptionSpec, Words};
use crate::{Drawn, GameId, GameWork, Searchable};

/// A complete engine program: `main` describes it and runs it.
///
/// ```no_run
/// # use engine_proto::{Play, Position};
/// # use engine_proto::sdk::{Choice, Engine, Factory, Options, Search};
/// # struct First;
/// # impl<P: Position> Engine<P> for First {
/// #     fn think(&mut self, play: &Play<P>, search: &Search) -> Choice<P::Move> {
/// #         search.root_moves(play)[0].into()
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
/// It speaks the protocol. Where the protocol leaves a choice, it behaves as follows:
///
/// - Two options always exist: `Game`, a combo of the ids of all games, whose default is the first one; and
///   `MoveOverhead`, the milliseconds by which every move is shortened for communication ([`super::Allotment`]). A
///   program that [ponders](Program::pondering) also has the option `Ponder`.
/// - An engine is made when it is first needed: at `isready`, `uginewgame`, `position` or `go`. A new engine is made
///   at the next of these commands after an option changed, and at every `uginewgame`, unless the current engine has not
///   been asked for a move yet. `readyok` is sent when the engine is made. So the time for making it is not on the
///   clock, if the arena sends `isready` after `uginewgame`.
/// - `uginewgame` and a change of the game set the default start position, so a `go` without a `position` has one.
/// - A `position` that only adds moves to the last one plays only these moves. A `position` with a bad FEN or an
///   illegal move is rejected with an `info string error: ...`, and the old position stays. The same holds for a bad `setoption`.
/// - During a search, `isready`, `query` and `stop` are answered at once. Every other command except `quit` ends the
///   search as `stop` does, waits for the `bestmove`, and is then executed.
/// - `go infinite`, or `go` without a limit for the side to move, holds the `bestmove` back until `stop`; `go ponder`
///   until `ponderhit` or `stop`. The limits `nodes` and `depth` of a search that ponders also count what it does before
///   `ponderhit`.
/// - `bestmove <move> ponder <reply>` is sent only while the option `Ponder` is on, because some runners of plain UGI
///   do not read a `bestmove` with more than one word.
/// - `go` in a position where the game is over is answered with an `info string` and `bestmove 0000`, which is not a
///   move of any game: every `go` gets a `bestmove`.
/// - `query perft` answers after it has counted; other commands wait until it is done.
/// - Unknown and malformed lines are ignored, with an `info string error: ...`. `legalmoves` is ignored: a program of this SDK
///   knows the rules.
/// - `quit` and the end of the input stop the search, which has 0.1 s to send its `bestmove`; then the program ends.
///   If the output is closed, the program ends at once with success; if the engine panics, it ends at once with failure.
/// - For people, `d` draws the position, and `perft <depth>` counts move sequences by first move; other commands wait
///   until it is done.
pub struct Program {
    identity: Identity,
    options: Vec<OptionSpec>,
    ponders: bool,
    tables: Vec<Box<dyn Table>>,
}

impl Program {
    /// A program with no options of its own and no games yet.
    pub fn new(name: impl Into<String>, author: impl Into<String>) -> Self {
        let identity = Identity { name: name.into(), author: author.into(), version: None };
        Self { identity, options: Vec::new(), ponders: false, tables: Vec::new() }
    }

    /// Sets the version, which the arena stores with the results (`id version <text>`). Without it, this line is not
    /// sent.
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

    /// Adds the check option `Ponder`, default off: the engine may think while its opponent does. The SDK does all of it
    /// if the engine asks [`Search::must_stop`](super::Search::must_stop) and returns the reply that it expects
    /// ([`Choice::Move`](super::Choice::Move)).
    #[must_use]
    pub const fn pondering(mut self) -> Self {
        self.ponders = true;
        self
    }

    /// Adds a game, of the crate `games` or any other. `factory` makes an engine for it with the current option
    /// values. Data that is slow to load should be captured by the factory.
    #[must_use]
    pub fn game<P: Drawn + Searchable>(
        mut self,
        factory: impl Fn(&Options) -> Box<dyn Engine<P>> + Send + 'static,
    ) -> Self {
        self.tables.push(Box::new(GameTable::new(factory)));
        self
    }

    /// Adds every game of the crate `games` ([`GameId::BUILT_IN`]). Add other games with [`Program::game`].
    #[must_use]
    pub fn all_games(self, factory: impl Factory) -> Self {
        struct WithGame<F> {
            program: Program,
            factory: Arc<F>,
        }
        impl<F: Factory> GameWork for WithGame<F> {
            type Output = Program;
            fn run<P: Drawn + Searchable>(self) -> Program {
                self.program.game::<P>(move |options| self.factory.engine(options))
            }
        }
        let factory = Arc::new(factory);
        GameId::BUILT_IN.iter().fold(self, |program, game| {
            game.with(WithGame { program, factory: Arc::clone(&factory) })
                .expect("a game of the crate `games`")
        })
    }

    /// Serves the arena on standard input and output until `quit` or the end of the input. Call it from `main`: it
    /// ends the process if the engine panics or the output is closed.
    pub fn run(self) -> ExitCode {
        let end_process = |ending| match ending {
            // The message of the panic is already on standard error. This is the exit code of every Rust program that
            // panics.
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

    /// Like [`Program::run`], but over any streams: for tests, and for engines inside another program.
    ///
    /// If the engine panics, `output` is dropped at once, and this returns after the next line of `input`. If writing to
    /// `output` fails, it also returns after the next line.
    ///
    /// # Errors
    /// What ended the program, if it was not `quit` or the end of `input` or `output`.
    pub fn run_with(self, input: impl BufRead, output: impl Write + Send + 'static) -> Result<(), RunError> {
        self.drive(input, Output::new(output, |_| ()))
    }

    fn drive(self, input: impl BufRead, output: Output) -> Result<(), RunError> {
        self.validate()?;
        let game_ids: Vec<_> = self.tables.iter().map(|table| table.info().id).collect();
        let standard_options =
            [OptionSpec::combo(GAME, game_ids[0], game_ids), OptionSpec::spin(MOVE_OVERHEAD, 5, 0, 10_000)];
        let ponder = self.ponders.then(|| OptionSpec::check(PONDER, false));
        let options = Options::new(standard_options.into_iter().chain(ponder).chain(self.options));
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
                .chain(self.ponders.then_some(PONDER))
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
