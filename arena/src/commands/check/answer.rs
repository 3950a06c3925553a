//! What came of a `go`.

use std::time::Duration;

/// What came of a `go`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move as it was spelled: the first word after `bestmove`.
    pub mv: String,
    /// All that follows `bestmove`.
    pub text: String,
    /// The `info` lines before it.
    pub infos: Vec<String>,
    /// From the end of the writing to the line's reading.
    pub took: Duration,
}
