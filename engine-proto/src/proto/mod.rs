//! The protocol (UGI for several games): lines of the arena ([`Command`]) and lines of engines ([`Reply`]).
//!
//! It is the protocol's second edition, which calls itself [`EDITION`]. A first-edition engine or runner passes over what
//! it does not know.
//!
//! The arena and engines use the same code to parse and write lines. Writing and then parsing gives the same value.
//! Parsing never panics, takes time proportional to the length of the line, and allocates only for `option` lines.
//! This module uses no clock, process or game.

/// What an engine of this edition says after `id protocol`.
pub const EDITION: &str = "ugi-2";

mod command;
mod error;
mod info;
mod limits;
mod lines;
mod options;
mod reply;
mod words;

pub use command::{Command, GameOver, Query, StartAt};
pub use error::LineError;
pub use info::{Info, InfoLine, InfoOf, LONGEST_STAT_KEY, MOST_STATS, Score, Stat};
pub use limits::{Go, Limits};
pub use lines::{LINE_LIMIT, Line, LineReader};
pub use options::{BadOption, BadValue, OptionKind, OptionSpec, OptionValue};
pub use reply::{Answer, BestMove, NULL_MOVE, RESIGN, Reply};
pub use words::{Words, first_word};
