//! The events of a tournament, in one fixed order, and the trait of those that receive them.

use std::io;

use serde::{Deserialize, Serialize};

use super::{Decided, FormatVersion, Job, Moved, Record, Worker};

/// Something that happened in a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Event {
    /// A match that an earlier run finished. These events come before all others.
    Restored {
        /// The stored match.
        record: Box<Record>,
    },
    /// The tournament starts or continues.
    Begun {
        /// The format version of all events.
        format_version: FormatVersion<1>,
        /// The tournament's name.
        name: String,
        /// The contenders' names, by index.
        contenders: Vec<String>,
        /// The number of matches in the tournament; the maximum if results may end it early.
        n_matches: u32,
        /// How many of these an earlier run finished.
        n_finished: u32,
    },
    /// A match starts.
    MatchBegun {
        /// The match.
        job: Box<Job>,
    },
    /// A move was made. Sent only if a reporter asks for moves.
    Moved(Moved),
    /// A match is over. Its record is already written.
    MatchFinished {
        /// The stored match.
        record: Box<Record>,
    },
    /// A stop rule is fulfilled, so that no more matches start, or one of several sequential tests is decided.
    Decided {
        /// The decision, and the number of pairs that it is based on.
        #[serde(flatten)]
        decided: Decided,
        /// The number of running matches, if the decision ends the tournament.
        n_running: Option<u32>,
    },
    /// A problem that the user should know, and that does not end the tournament.
    Warning {
        /// What happened, where, and what to do.
        message: String,
    },
    /// The machines that play, in a tournament with several. Sent when it changes, at most once per second.
    Workers {
        /// All of them, by name.
        workers: Vec<Worker>,
    },
    /// The user wants to stop: no more matches start.
    Stopping {
        /// The number of running matches, which are finished.
        n_running: u32,
    },
    /// The tournament ends, complete or not.
    Ended {
        /// The number of finished matches, including earlier runs.
        n_finished: u32,
        /// The number of matches in the tournament; the maximum if results may end it early.
        n_matches: u32,
    },
}

/// Receives the events of a tournament.
pub trait Reporter {
    /// Handles an event. Events arrive in order.
    ///
    /// # Errors
    /// If output cannot be written. The tournament ends then.
    fn on_event(&mut self, event: &Event) -> io::Result<()>;

    /// Called a few times a second, for output that changes with time alone.
    fn on_tick(&mut self) {}

    /// Whether the reporter wants [`Event::Moved`]. If no reporter does, these events are not created.
    fn wants_moves(&self) -> bool {
        false
    }
}
