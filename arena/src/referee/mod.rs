//! One match as a pure state machine: the rules of refereeing, and clocks that are told the time.

mod adjudication;
mod clock;
mod judge;

pub use adjudication::{Adjudication, Adjudicator, DrawRule, Verdict, WinRule};
pub use clock::{Clock, TimeControl};
pub use judge::{Heard, Outcome, Reason, Referee, SearchInfo, State};
