//! Why a line could not be read: to be ignored, or to be held against its sender.

/// Why a line is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The line is empty or its first word is none of the protocol's: the protocol says to ignore it.
    #[error("unknown word")]
    Unknown,
    /// The first word is the protocol's, what follows it is not.
    #[error("malformed `{word}`: {reason}")]
    Malformed {
        /// The line's first word.
        word: &'static str,
        /// What is wrong or missing.
        reason: &'static str,
    },
}

impl LineError {
    /// A line that begins with `word` and goes wrong thereafter.
    pub(super) const fn malformed(word: &'static str, reason: &'static str) -> Self {
        Self::Malformed { word, reason }
    }
}
