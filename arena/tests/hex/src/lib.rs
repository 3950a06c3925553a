//! Hex on a board of 3x3: a game that no other package knows. It belongs to tests alone.
//!
//! The folder `hex` is the whole game. The line that adds it is in `bin/arena.rs`; `bin/engine.rs` names it once,
//! so that the engines play it.

mod hex;

pub use hex::{Cell, Hex};
