//! Four engines, and the search and evaluation code that they share.
//!
//! - [`search`]: the searches, each generic over the game.
//! - [`eval`]: the evaluations, one per game.
//! - [`roster`]: the engines, made from both.

pub mod bench;
mod cli;
pub mod eval;
pub mod roster;
pub mod search;
