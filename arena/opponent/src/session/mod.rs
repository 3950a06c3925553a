//! The conversation with one engine process: writing and reading with limits. The referee decides what an answer means
//! for a match.

mod asking;
mod ending;
mod error;
mod lines;
mod patience;

use std::fmt;
use std::time::{Duration, Instant};

use engine_proto::GameId;
use engine_proto::fen::shown;
use tokio::process::ChildStdin;

pub use ending::{Farewell, Parting};
pub use error::{LastWords, NoStart, Shortage, StartError};
pub(super) use lines::printable;
pub use lines::{NoLine, Pipe, ReceivedLine};

use super::contender::Contender;
use super::dialect::Dialect;
use super::greeting::Greeting;
use super::log::Log;
use super::output::Output;
use super::pauses;
use super::pondering::Pondering;
use super::process::Process;
use super::rest::{OffTurnUse, Rest};
use super::stderr::Stderr;
use super::thoughts::Thinking;
use host::launch::{self, Confinement};
use host::machine::run_queue::{RunQueue, Waits};
use model::Protocol;

/// The maximum number of bytes of an answer, including all lines before it.
pub const ANSWER_BYTES: usize = 64 << 20;
/// The maximum number of bytes of a greeting; smaller, because the greeting is stored.
pub const GREETING_BYTES: usize = 1 << 20;

/// An engine's process that has sent its greeting.
pub struct Session {
    process: Process,
    stdin: ChildStdin,
    pub(super) output: Output,
    stderr: Stderr,
    greeting: Greeting,
    game: Option<GameId>,
    quit_timeout: Duration,
    /// When the last line was received.
    read_at: Instant,
    /// When the last request for a move began to be written. The clock starts here.
    asked_at: Instant,
    /// The total time of pauses of the arena at that moment.
    stood_still: Duration,
    /// What the engine has used for this move before that moment.
    pub(super) used: Duration,
    /// How long the engine waited for a processor, if this is measured.
    run_queue: Option<RunQueue>,
    /// The engine's search on its opponent's time, if there is one.
    pub(super) pondering: Option<Pondering>,
    /// The protocol log, if there is one.
    pub(super) log: Option<Log>,
    /// Where it says what it thinks, if somebody watches.
    pub(super) thinking: Option<Thinking>,
    /// What the engine may use.
    confinement: Confinement,
    /// The number of lines that the engine sent out of turn.
    n_out_of_turn: u64,
    /// Its rest while it is not on the move; `None` if it may compute at any time.
    rest: Option<Rest>,
}

impl Session {
    /// Starts the contender's process and reads its greeting. The conversation is logged to `log`.
    ///
    /// # Errors
    /// If it cannot be started, or does not send `ugiok` in time.
    pub async fn start(contender: &Contender, log: Option<Log>) -> Result<Self, StartError> {
        let mut session = Self::open(contender, log)?;
        let what = match session.greet(&contender.engine).await {
            Ok(()) => {
                // The engine's own processes may not have been there at its start.
                session.run_queue = None;
                return Ok(session);
            }
            Err(NoLine::Silence | NoLine::Late(_)) => {
                let line = session.greeting.unknown.as_deref().map(shown);
                let tip = match contender.engine.protocol {
                    Protocol::Ugi => {
                        "; if this is a UCI engine, it needs `protocol = \"uci\"`, or on a command line the game `chess`"
                    }
                    Protocol::Uci | Protocol::Auto => "",
                };
                let said = line.map_or_else(String::new, |line| format!("; it said `{line}`"));
                format!(" within {:?}{}{said}{tip}", contender.engine.timeouts.start, session.wait_in_words())
            }
            Err(NoLine::Closed(pipe)) => format!(": it {}", session.end_in_words(pipe).await),
            Err(NoLine::NotText(line)) => format!(": {}", lines::not_text(&line)),
            Err(NoLine::Rubbish(what)) => format!(": {what}"),
        };
        let what = format!("did not say {}{what}", contender.engine.protocol.end_of_greeting());
        let last_words = session.stderr.last_words();
        if session.process.lacked_means() {
            return Err(Shortage::Means { engine: contender.engine.name.clone(), reason: last_words }.into());
        }
        session.kill().await;
        Err(NoStart { engine: contender.engine.name.clone(), what, last_words: LastWords(last_words) }.into())
    }

    /// Starts the contender's process without writing to it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn open(contender: &Contender, log: Option<Log>) -> Result<Self, StartError> {
        let (process, pipes) = Process::start(&contender.spawn).map_err(|error| {
            let engine = contender.engine.name.clone();
            if launch::is_shortage(&error) {
                return StartError::Arena(Shortage::Means { engine, reason: error.to_string() });
            }
            let what = format!("cannot be started: `{}`: {error}", contender.spawn.program.display());
            NoStart { engine, what, last_words: LastWords(String::new()) }.into()
        })?;
        Ok(Self {
            process,
            stdin: pipes.stdin,
            output: Output::of(pipes.stdout),
            stderr: Stderr::read(pipes.stderr, contender.spawn.log.as_deref()),
            greeting: Greeting::awaited(contender.engine.protocol),
            game: None,
            quit_timeout: contender.engine.timeouts.quit,
            read_at: Instant::now(),
            asked_at: Instant::now(),
            stood_still: Duration::ZERO,
            used: Duration::ZERO,
            run_queue: None,
            pondering: None,
            log,
            thinking: None,
            confinement: contender.spawn.confinement.clone(),
            n_out_of_turn: 0,
            rest: None,
        })
    }

    /// Stops the engine's processes from now on while it is not, or no longer, on the move.
    pub fn stop_off_turn(&mut self, is_wanted: bool) {
        if !is_wanted {
            self.wake();
            self.rest = None;
        } else if self.rest.is_none() && self.process.is_supervised() {
            self.rest = self.process.id().and_then(|id| Rest::of(id, &self.confinement));
        }
    }

    /// The engine is not on the move, since `at` until something is sent to it.
    pub fn begin_rest(&mut self, at: Instant) {
        if let Some(rest) = &mut self.rest {
            rest.begin(at);
        }
    }

    /// The engine goes on. The clock must not run yet.
    fn wake(&mut self) {
        if let Some(rest) = &mut self.rest {
            rest.end();
        }
    }

    /// What the engine used off its turn since the last call.
    pub fn take_off_turn(&self) -> OffTurnUse {
        self.rest.as_ref().map(Rest::take).unwrap_or_default()
    }

    /// The same, without a new start.
    pub fn off_turn(&self) -> OffTurnUse {
        self.rest.as_ref().map(Rest::off_turn).unwrap_or_default()
    }

    /// What the engine reported about itself.
    pub const fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    /// Logs the conversation to `log` from now on; `None` stops logging.
    pub fn log_to(&mut self, log: Option<Log>) {
        self.log = log;
    }

    /// The number of lines that the engine sent out of turn.
    pub const fn n_out_of_turn(&self) -> u64 {
        self.n_out_of_turn
    }

    /// When the last line was received.
    pub const fn read_at(&self) -> Instant {
        self.read_at
    }

    /// When the last request for a move began to be written.
    pub const fn asked_at(&self) -> Instant {
        self.asked_at
    }

    /// Starts to measure how long the engine waits for a processor. Call this before each request for a move.
    pub fn watch_run_queue(&mut self, now: Instant) {
        if self.run_queue.is_none() {
            self.run_queue = self.process.id().map(RunQueue::of);
        }
        if let Some(run_queue) = &mut self.run_queue {
            run_queue.begin(now);
        }
    }

    /// How long the engine and this thread waited for a processor during the last move; `None` if it was not measured
    /// or the system does not report it.
    pub fn waits(&mut self) -> Option<Waits> {
        self.run_queue.as_mut()?.waits()
    }

    /// Closes files that are only needed for the next move.
    pub fn rest(&mut self) {
        if let Some(run_queue) = &mut self.run_queue {
            run_queue.rest();
        }
    }

    /// The time that the engine has used for its move until `moment`, without pauses of the arena.
    pub fn took_until(&self, moment: Instant) -> Duration {
        let paused = pauses::since(self.asked_at, self.stood_still, moment);
        self.used + moment.saturating_duration_since(self.asked_at).saturating_sub(paused)
    }

    /// The protocol that the engine speaks.
    pub const fn dialect(&self) -> Dialect {
        self.greeting.dialect
    }

    /// Whether the engine asks for the legal moves.
    pub fn wants_legal_moves(&self) -> bool {
        self.greeting.option("LegalMoves").is_some()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("process", &self.process)
            .field("game", &self.game)
            .finish_non_exhaustive()
    }
}
