//! The SDK: implement [`Engine`] for the games that the engine plays, describe the program with [`Program`], and run
//! it.
//!
//! The smallest example is `examples/hello.rs`. [`Program`] documents how the program answers each command, also where
//! the protocol leaves a choice.

mod allotment;
mod description;
mod driver;
mod engine;
mod options;
mod output;
mod program;
mod search;
mod search_thread;
mod table;

pub use allotment::Allotment;
pub use description::{BadProgram, RunError};
pub use engine::{Choice, Engine, Factory};
pub use options::{Options, SetError};
pub use program::Program;
pub use search::{PonderHit, Search, Stop};
