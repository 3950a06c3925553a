//! One match: the referee with two engines.

mod match_play;

pub use match_play::{Absence, MatchSettings, Players, forfeit, play_match};
