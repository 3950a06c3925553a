//! Pages for a browser while the arena runs: watch a tournament, play against an engine, or analyse a position. Other
//! modules know nothing of browsers.

pub mod analysis;
mod assets;
mod desk;
mod frames;
pub mod person;
mod position;
mod rules;
pub mod site;
pub mod watch;
mod why;
