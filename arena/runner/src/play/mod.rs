//! One match: the referee with two opponents.

mod forfeit;
mod match_play;
#[cfg(test)]
mod tests;

pub use forfeit::{Absence, forfeit};
pub use match_play::play_match;
