//! The evaluations' weights, a file for each game, as the tuner wrote them: data, no code, and not to be edited by hand.
//!
//! Each file says which command wrote it. The tuner begins with the weights that are there, so a file is one step on from
//! the one before it.

pub mod four_towers;
pub mod push;
pub mod push_push;
pub mod tower_of_power;
pub mod tower_push;
