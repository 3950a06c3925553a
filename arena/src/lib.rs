//! Plays engines against each other over several games and says how strong they are, and how sure that is.
//!
//! Data flows one way: configuration, schedule, matches, records, ratings. What is pure says so.

pub mod rate;
pub mod rating;
pub mod record;
