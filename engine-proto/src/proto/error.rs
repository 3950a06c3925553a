//! Why a line could not be parsed: it is to be ignored, or it is an error of the sender.

/// Why a line could not be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The line is empty, or its first word is unknown: the protocol says to ignore it.
    #[error("unknown word")]
    Unknown,
    /// The first word is known, but the rest is invalid.
    #[error("malformed `{word}`: {reason}")]
    Malformed {
        /// The line's first word.
        word: &'static str,
        /// What is wrong or missing.
        reason: &'static str,
    },
}

impl LineError {
    /// An error in a line that starts with `word`.
    pub(super) const fn malformed(word: &'static str, reason: &'static str) -> Self {
        Self::Malformed { word, reason }
    }
}
