//! The referee of one match: a pure state machine, adjudication, and clocks that are told the time.

mod adjudication;
mod clock;
mod judge;
mod outcome;
#[cfg(test)]
mod tests;

pub use adjudication::{Adjudicated, Adjudicator};
pub use clock::Clock;
pub use judge::{Referee, Response, SearchInfo, State};
pub use outcome::{Outcome, Reason};
