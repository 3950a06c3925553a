//! The one loop of a tournament: from the scheduler to the pool, from there to the reporters. It knows neither how a match is
//! played nor how anything is shown.

mod attendance;
mod conductor;
mod queue;
mod signals;
#[cfg(test)]
mod tests;

pub use attendance::Attendance;
pub use conductor::{Begun, ConductError, Conductor, Ended, tell};
pub use signals::{Signals, Wishes};
