//! What happens in a tournament, in the one order in which it happened, and who listens.

use std::io;

use serde::{Deserialize, Serialize};

use super::{Decided, FormatVersion, Job, Moved, Record};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Event {
    /// A match that an earlier run has finished. These come first, before the tournament goes on.
    Restored {
        /// What is stored of it.
        record: Box<Record>,
    },
    /// The tournament begins, or goes on where it was left.
    Begun {
        /// The version of the form of all events.
        format_version: FormatVersion<1>,
        /// Its name.
        name: String,
        /// The contenders' names, by index.
        contenders: Vec<String>,
        /// Matches in all; where results may end it, the most.
        n_matches: u32,
        /// Of these, those that an earlier run has finished.
        n_finished: u32,
    },
    /// A match begins.
    MatchBegun {
        /// The match.
        job: Box<Job>,
    },
    /// A move was made. Told only if a reporter wants to know of moves.
    Moved(Moved),
    /// A match is over and its record is written.
    MatchFinished {
        /// What is stored of it.
        record: Box<Record>,
    },
    /// A rule that ends the tournament is fulfilled: no more matches begin, and those under way are finished.
    Decided {
        /// What was decided, and by how many pairs.
        #[serde(flatten)]
        decided: Decided,
        /// Matches under way.
        n_running: u32,
    },
    /// Something that a user should know of, and that ends nothing.
    Warning {
        /// The message: what, where, what to do.
        message: String,
    },
    /// No more matches begin: the user wants to stop.
    Stopping {
        /// Matches under way, which are finished.
        n_running: u32,
    },
    /// The tournament ends, complete or not.
    Ended {
        /// Matches finished, those of earlier runs included.
        n_finished: u32,
        /// Matches in all; where results may end it, the most.
        n_matches: u32,
    },
}

/// Somebody who listens.
pub trait Reporter {
    /// Takes an event. Events come in order.
    ///
    /// # Errors
    /// If what it writes cannot be written: the tournament then ends.
    fn on_event(&mut self, event: &Event) -> io::Result<()>;

    /// Called a few times a second, for what changes with time alone.
    fn on_tick(&mut self) {}

    /// Whether it wants to know of each move. Where no reporter does, nothing is done for it.
    fn wants_moves(&self) -> bool {
        false
    }
}
