//! The result of a `go`.

use std::time::Duration;

/// The result of a `go`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move as it was written: the first word after `bestmove`.
    pub mv: String,
    /// All text after `bestmove`.
    pub text: String,
    /// The `info` lines before it.
    pub infos: Vec<String>,
    /// The time from the end of writing `go` until the line was read.
    pub took: Duration,
}
