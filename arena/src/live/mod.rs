//! Pages for a browser while the arena runs: watch a tournament, or play against an engine. Other modules know nothing of
//! browsers.

mod assets;
mod frames;
pub mod person;
pub mod site;
pub mod watch;
