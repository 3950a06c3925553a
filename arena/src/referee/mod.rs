//! The referee of one match: a pure state machine, adjudication, and clocks that are told the time.

mod adjudication;
mod clock;
mod judge;

pub use adjudication::{Adjudicator, Verdict};
pub use clock::Clock;
pub use judge::{Heard, Outcome, Reason, Referee, SearchInfo, State};
