//! Pages for a browser while the arena runs: watch a tournament. Other modules know nothing of browsers.

mod assets;
pub mod site;
pub mod watch;
