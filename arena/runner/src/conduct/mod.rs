//! The main loop of a tournament: from the scheduler to the pool, and from there to the reporters. It does not know
//! how a match is played or how anything is displayed.

mod attendance;
mod conductor;
mod queue;
#[cfg(test)]
mod tests;

pub use attendance::Attendance;
pub use conductor::{Begun, ConductError, Conductor, Ended, tell};
pub use host::signals::{Signals, StopRequest, StopRequests};
