//! One match: the referee with two opponents.

mod forfeit;
mod match_play;

pub use forfeit::{Absence, forfeit};
pub use match_play::play_match;
