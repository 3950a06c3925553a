//! The protocol (UGI for several games): lines of the arena ([`Command`]) and lines of engines ([`Reply`]).
//!
//! The arena and engines use the same code to parse and write lines. Writing and then parsing gives the same value.
//! Parsing never panics, takes time proportional to the length of the line, and allocates only for `option` lines.
//! This module uses no clock, process or game.

mod command;
mod error;
mod info;
mod limits;
mod lines;
mod options;
mod reply;
mod words;

pub use command::{Command, Query, StartAt};
pub use error::LineError;
pub use info::{Info, InfoLine, InfoOf, Score};
pub use limits::Limits;
pub use lines::{LINE_LIMIT, Line, LineReader};
pub use options::{BadOption, BadValue, OptionKind, OptionSpec, OptionValue};
pub use reply::{Answer, Reply};
pub use words::{Words, first_word};
