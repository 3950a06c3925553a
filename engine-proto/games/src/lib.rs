//! Board games: positions, the rules that lead out of them, FEN texts and drawings.
//!
//! This crate knows no protocol, no file, no process and no clock.
//!
//! - [`GameId`] lists the games. Each is a [`Position`] in a folder of its own, with the page of its exact rules.
//! - [`Play`] is a game under way: a position with the moves that led to it, so that it knows repetition.
//! - [`scene`] describes what there is to draw of a position, and draws it as text.
//! - [`GameId::with`] crosses from a game's name to its type; [`AnyPlay`] is a play of any game.
//!
//! ```
//! use games::GameId;
//!
//! let mut play = GameId::PUSH_PUSH.play("abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0")?;
//! play.play("c1c2").expect("a legal move");
//! assert_eq!(play.fen(), "abcdcba/7/7/3*3/7/2C4/AB1DCBA b 3c2 - 1 1");
//! assert_eq!(play.end(), None);
//! # Ok::<(), games::PlayError>(())
//! ```
//!
//! To add a game: a folder beside this file, its `mod` line below and its line in the registry.

pub mod four_towers;
pub mod push;
pub mod push_push;
pub mod tower_of_power;
pub mod tower_push;

mod any;
pub mod bits;
pub mod decided;
mod direction;
pub mod fen;
pub mod perft;
mod play;
mod position;
mod registry;
pub mod scene;
mod side;
mod spelling;
mod square;

pub use any::{AnyGame, AnyPlay};
pub use direction::Direction;
pub use fen::FenError;
pub use play::{IllegalMove, Play, PlayError};
pub use position::{End, GameInfo, Position, Start};
pub use registry::{CONVENTIONS, GameId, GameWork, RegisterError, UnknownGame, register, register_entry};
pub use side::Side;
pub use square::Square;
