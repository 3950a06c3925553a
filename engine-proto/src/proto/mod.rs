//! The protocol, UGI for several games: what the arena says ([`Command`]) and what engines say ([`Reply`]).
//!
//! Every type here is read from a line and written to one by the same code on both sides. Writing then reading gives
//! the same value; reading never panics, takes time linear in the line and allocates only for `option` lines. What is
//! here knows lines only: no clock, no process, no game.

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
