//! The protocol, UGI for several games: what the arena says and what engines say, typed both ways.

mod info;
mod limits;

pub use info::{Info, Score};
pub use limits::Limits;
