//! Five board games, the protocol that their engines speak, and an SDK to write such engines with.
//!
//! This crate knows no file and no process: it is rules, text and a loop over lines. Only the SDK knows a clock.
//!
//! - [`games`] lists the games. Each is a [`Position`]; its module's page holds the exact rules.
//! - [`Play`] is a game under way: a position with the moves that led to it, so that it knows repetition.
//! - [`scene`] says what there is to draw of a position, and draws it as text.
//! - [`GameId::with`] crosses from a game's name to its type; [`AnyPlay`] is a play of whichever game.

pub mod bits;
mod direction;
pub mod fen;
pub mod games;
pub mod perft;
mod play;
mod position;
pub mod proto;
pub mod scene;
pub mod sdk;
mod side;
mod square;

pub use direction::Direction;
pub use fen::FenError;
pub use games::{GameId, GameWork, UnknownGame};
pub use play::{AnyPlay, IllegalMove, Play, PlayError};
pub use position::{End, GameInfo, Position, Start, Symmetry};
pub use side::Side;
pub use square::Square;
