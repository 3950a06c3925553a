//! Write an engine: implement [`Engine`] for the games it plays, name them in a [`Program`], run that.
//!
//! The smallest engine of all is `examples/hello.rs`. What a program does with its lines, and what it does where the
//! protocol leaves room, is told at [`Program`].

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
pub use engine::{Engine, Factory};
pub use options::{Options, SetError};
pub use program::Program;
pub use search::{Search, Stop};
