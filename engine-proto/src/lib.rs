//! The text protocol that engines and the arena use for several board games, and an SDK to write such engines.
//!
//! This crate uses no files and no processes: it is text and a loop over lines. Only the SDK uses a clock. The rules
//! of the games are in the crate [`games`]; the types of it that appear in the SDK's signatures are re-exported here.

pub mod proto;
pub mod sdk;

pub use games::{
    self, AnyGame, AnyPlay, CONVENTIONS, Counters, Direction, Drawn, End, FenError, GameId, GameInfo,
    GameWork, Games, IllegalMove, Play, PlayError, Position, RegisterError, Searchable, Side, Square, Start,
    UnknownGame, bits, fen, perft, scene,
};
