//! Rules of board games for two players: positions, legal moves, ends, FEN texts, perft and drawings.
//!
//! This crate uses no protocol, no files, no processes and no clock.
//!
//! # Use
//! A program that knows its game uses types. A [`Position`] is one position of a game; a [`Play`] is a game in
//! progress, which also detects repetition:
//!
//! ```
//! use games::perft::perft;
//! use games::push_push::PushPush;
//! use games::{Play, Position, Side};
//!
//! let start = PushPush::startpos();
//! assert_eq!(start.to_string(), "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0");
//! assert_eq!(perft(&start, 2), 594);
//!
//! let mut play = Play::new(start);
//! play.play_text("c1c2")?;
//! assert_eq!(play.position().side_to_move(), Side::Black);
//! assert_eq!(play.end(), None);
//! # Ok::<(), games::IllegalMove>(())
//! ```
//!
//! A program for all games uses ids and texts: [`Games`] has the games that it knows by their ids, and [`AnyPlay`] is a
//! game in progress of any of them:
//!
//! ```
//! use games::Games;
//! use games::scene::terminal::{self, Style};
//!
//! let games = Games::built_in();
//! for game in games.all() {
//!     let mut play = games.startpos(game)?;
//!     let first = play.legal_moves().remove(0);
//!     play.play(&first)?;
//!     let board = terminal::draw(&play.layout(), &play.scene(), play.effects().as_ref(), Style::PLAIN);
//!     println!("{game}: {first} leads to {}\n{board}", play.fen());
//! }
//! # Ok::<(), games::PlayError>(())
//! ```
//!
//! [`GameId::with`] goes from an id to the position type, for code that is generic over the game.
//!
//! # Adding a game
//! A game of this crate is a folder next to this file, a `mod` line below and a line in `game_id.rs`. The folder
//! contains the rules page, the type with the rules ([`Position`]), its drawing ([`Drawn`]) and its faster counting
//! ([`Searchable`]). The last two may be empty.
//!
//! A game of another crate is the same folder in that crate. A program adds it to the games that it
//! knows:
//!
//! ```
//! # use games::push::Push as Hex;
//! // The id of `Hex` is in use, because this example borrows the type of another game.
//! let error = games::Games::built_in().with::<Hex>().unwrap_err();
//! assert_eq!(error.to_string(), "the game `push` is already registered; give the new game another id");
//! ```
//!
//! A complete small game is `arena/tests/hex` in this repository.

pub mod chess;
pub mod four_towers;
pub mod push;
pub mod push_push;
pub mod tower_of_power;
pub mod tower_push;

mod any;
pub mod bitboard;
pub mod bits;
pub mod decided;
mod direction;
pub mod fen;
mod game_id;
mod games;
pub mod perft;
mod play;
mod position;
pub mod scene;
mod side;
mod spelling;
mod square;

pub use any::{AnyGame, AnyPlay};
pub use direction::Direction;
pub use fen::{Counters, FenError};
pub use game_id::{GameId, GameWork, UnknownGame};
pub use games::{CONVENTIONS, Games, RegisterError};
pub use play::{IllegalMove, Play, PlayError};
pub use position::{Drawn, End, GameInfo, Position, Searchable, Start};
pub use side::Side;
pub use square::Square;
