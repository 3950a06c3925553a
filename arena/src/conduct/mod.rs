//! The one loop of a tournament: from the schedule to the pool, from there to the reporters.

pub mod attendance;
pub mod conductor;
mod queue;
mod signals;
