//! The trait [`Opponent`], and engines as processes: find the program, start it, talk to it, and end it. It knows no
//! tournaments.

mod analysis;
mod contender;
mod dialect;
mod engine_process;
mod greeting;
mod kept;
mod log;
mod output;
pub mod own_game;
pub mod pauses;
mod pondering;
mod process;
mod program_files;
mod rest;
mod sampler;
mod search_reports;
mod session;
mod stderr;
mod thoughts;

use std::convert::Infallible;
use std::future::pending;
use std::time::{Duration, Instant};

use engine_proto::proto::{GameOver, Limits};
use engine_proto::{AnyPlay, GameId};

pub use contender::{Contender, Folders};
pub use dialect::{Dialect, is_chess};
pub use engine_process::EngineProcess;
pub use greeting::Greeting;
pub use kept::Kept;
pub use log::Log;
pub use process::Spawn;
pub use program_files::{Content, ProgramFile, program_files, read_contents, sha256_of};
pub use rest::OffTurnUse;
pub use search_reports::SearchReports;
pub use session::{
    ANSWER_BYTES, Farewell, GREETING_BYTES, NoStart, Parting, ReceivedLine, Session, Shortage, StartError,
};
pub use thoughts::{Thinking, Thoughts};

use host::machine::run_queue::Waits;
use model::referee::Response;

/// Answers with moves: an engine's process, or a script in a test.
#[expect(async_fn_in_trait, reason = "one thread plays a match, so that no future has to be sent")]
pub trait Opponent {
    /// Gets ready for a match. Returns [`Response::Ready`], or what happened instead.
    ///
    /// # Errors
    /// If the arena cannot ask because of a system error, which is not the fault of an engine.
    async fn prepare(&mut self, setup: &Setup) -> Result<Response, Shortage>;

    /// Answers with a move.
    async fn ask(&mut self, turn: &Turn<'_>) -> Answer;

    /// Thinks on the opponent's time, if it can, about a position that may come up: until [`ask`](Self::ask) or
    /// [`game_over`](Self::game_over).
    async fn ponder(&mut self, _turn: &Turn<'_>) {}

    /// Hears what it says while its opponent is asked. Cancel-safe.
    async fn listen(&mut self) -> Infallible {
        pending().await
    }

    /// The match is over. It is called once for each match, after [`prepare`](Self::prepare).
    async fn game_over(&mut self, _over: &GameOver<'_>) {}
    /// The processor time that it used in this match so far while it was not on the move.
    fn off_turn(&self) -> OffTurnUse {
        OffTurnUse::default()
    }
}

/// The match that an opponent gets ready for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The game.
    pub game: GameId,
    /// The seed of its random choices.
    pub seed: u64,
    /// Whether it may think on its opponent's time.
    pub ponders: bool,
}

/// A request for a move.
pub struct Turn<'a> {
    /// The position as a `position` command.
    pub position: &'a str,
    /// The play so far.
    pub play: &'a dyn AnyPlay,
    /// The limits of the search.
    pub limits: Limits,
    /// The time after which the match is lost.
    pub allowed: Duration,
    /// Whether the opponent offers a draw.
    pub draw_is_offered: bool,
    /// Whether a clock or `movetime` limits the move.
    pub is_timed: bool,
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What the engine did.
    pub heard: Response,
    /// When the request began to be written. The clock starts here.
    pub asked_at: Instant,
    /// When the answer was received.
    pub read_at: Instant,
    /// Whether it pondered before.
    pub pondered: Pondered,
    /// For a late answer: its time, and how long the engine and the arena waited for a processor.
    pub late: Option<(Duration, Waits)>,
}

/// What an opponent did on the other side's time before an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pondered {
    /// Nothing.
    #[default]
    No,
    /// It pondered on the move that was played.
    Hit,
    /// It pondered on another move, and was stopped.
    Miss,
}
