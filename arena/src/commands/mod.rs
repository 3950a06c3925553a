//! The commands: arguments in, text out. None imports another.

pub mod analyse;
pub mod arguments;
pub mod check;
pub mod compare;
#[cfg(feature = "packaging")]
pub mod completions;
pub mod export;
pub mod games;
pub mod history;
pub mod import_fastchess;
mod journal;
#[cfg(feature = "league")]
pub mod league;
#[cfg(not(all(feature = "league", feature = "nats", feature = "packaging")))]
pub mod left_out;
#[cfg(feature = "packaging")]
pub mod man;
pub mod merge;
pub mod perft;
pub mod pgn;
pub mod play;
pub mod probe;
pub mod rate;
pub mod report;
pub mod run;
pub mod sandbox;
pub mod schema;
pub mod serve;
pub mod show;
pub mod simulate;
pub mod tune;
pub mod verify;
#[cfg(feature = "nats")]
pub mod worker;
