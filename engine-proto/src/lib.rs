//! The protocol that engines of several board games speak, and an SDK to write such engines with.
//!
//! This crate knows no file and no process: it is text and a loop over lines. Only the SDK knows a clock. The rules of
//! the games are the crate [`games`], given on here with what the SDK's signatures need of it.

pub mod proto;
pub mod sdk;

pub use games::{
    self, AnyGame, AnyPlay, CONVENTIONS, Direction, End, FenError, GameId, GameInfo, GameWork, IllegalMove,
    Play, PlayError, Position, RegisterError, Side, Square, Start, UnknownGame, bits, fen, perft, register,
    register_entry, scene,
};
