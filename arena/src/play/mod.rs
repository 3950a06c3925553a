//! One match: a pure state machine that knows the rules of refereeing, a clock that is told the time, and the shell
//! around both that waits for the engines.

mod adjudication;
mod clock;
mod driver;
mod referee;

pub use adjudication::{Adjudication, Adjudicator, DrawRule, Verdict, WinRule};
pub use clock::{Clock, TimeControl};
pub use driver::{Absence, MatchSettings, Players, forfeit, play_match};
pub use referee::{Heard, Outcome, Reason, Referee, SearchInfo, State};
