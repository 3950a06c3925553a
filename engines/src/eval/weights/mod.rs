//! The evaluations' weights, a file for each game, as the tuner wrote them: data, no code, and not to be edited by hand.
//!
//! They were made by `cargo run --release -p engines --example tune -- <game>`; each file says how.

pub mod four_towers;
pub mod push;
pub mod push_push;
pub mod tower_of_power;
pub mod tower_push;
