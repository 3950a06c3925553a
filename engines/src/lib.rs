//! Search and evaluation shared by the engines.
//!
//! - [`search`] holds the searches, each generic over the game.
//! - [`eval`] holds the evaluations, one a game, and says which game has which.
//! - [`roster`] puts them together to the four engines.

pub mod bench;
mod cli;
pub mod eval;
pub mod roster;
pub mod search;
