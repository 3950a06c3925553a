//! The evaluations' weights, one file for each game, written by the tuner. Do not edit them by hand.
//!
//! Each file names the command that wrote it. The tuner starts with the existing weights, so each file is one step
//! after the previous one.

pub mod four_towers;
pub mod push;
pub mod push_push;
pub mod tower_of_power;
pub mod tower_push;
