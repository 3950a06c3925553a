//! Write an engine: implement [`Engine`] for the games it plays, name it in a [`Program`], run that.

mod engine;
mod search;

pub use engine::Engine;
pub use search::Search;
