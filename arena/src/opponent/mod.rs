//! Who is asked for moves: the interface [`Opponent`], and engines as processes: finding the program, starting it, talking to
//! it, and making sure that it ends. It knows no tournaments.

mod contender;
mod engine_process;
mod kept;
pub mod launch;
mod log;
pub mod pauses;
mod process;
mod program_files;
mod session;
mod stderr;

use std::time::{Duration, Instant};

use engine_proto::proto::Limits;
use engine_proto::{AnyPlay, GameId};

pub use contender::{Contender, Folders};
pub use engine_process::EngineProcess;
pub use kept::Kept;
pub use log::Log;
pub use process::Spawn;
pub use program_files::{Content, ProgramFile, program_files, read_contents};
pub use session::{
    ANSWER_BYTES, Farewell, GREETING_BYTES, Greeting, NoStart, Parting, Said, Session, Shortage, StartError,
};

use crate::machine::run_queue::Waits;
use crate::referee::Heard;

/// Somebody who is asked for moves: an engine's process, a script in a test, later a person.
#[expect(async_fn_in_trait, reason = "one thread plays a match, so that no future has to be sent")]
pub trait Opponent {
    /// Gets ready for a match: [`Heard::Ready`], or what came instead.
    ///
    /// # Errors
    /// If the arena lacks what it takes to ask anybody, which is nobody's fault in the match.
    async fn prepare(&mut self, setup: &Setup) -> Result<Heard, Shortage>;

    /// Is asked for a move.
    async fn ask(&mut self, turn: &Turn<'_>) -> Answer;
}

/// What an opponent gets ready for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The game.
    pub game: GameId,
    /// For its random choices.
    pub seed: u64,
}

/// What an opponent is asked.
pub struct Turn<'a> {
    /// The position, as the command `position`.
    pub position: &'a str,
    /// The game as played so far.
    pub play: &'a dyn AnyPlay,
    /// The limits of its search.
    pub limits: Limits,
    /// How long it may take until the match is lost.
    pub allowed: Duration,
    /// Whether a clock or a time for the move limits it.
    pub is_timed: bool,
    /// Whether anybody wants to know the moves that it expects.
    pub wants_line: bool,
}

/// What came of asking.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was heard.
    pub heard: Heard,
    /// When the question was asked: the clock runs from here.
    pub asked_at: Instant,
    /// When the answer was read.
    pub read_at: Instant,
    /// Of an answer that came too late: the time that it took, and how long processors let the two sides wait meanwhile.
    pub late: Option<(Duration, Waits)>,
}
