//! The small commands: what they print goes to standard output.

mod games;
mod perft;
mod probe;
mod report;
pub mod run;

pub use games::{GamesArgs, games};
pub use perft::{PerftArgs, perft};
pub use probe::{ProbeArgs, probe};
pub use report::{ReportArgs, report};
