//! General strength: what the games have in common, and how far they differ. Uses the games' ratings with their errors,
//! never their matches.

use serde::Serialize;

use super::confidence::Confidence;
use super::overall::{Combined, Mean};

/// What the games have in common, and where they differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct General {
    /// τ: the standard deviation, in Elo, of an engine's rating from game to game beyond the ratings' own errors.
    pub spread: f64,
}

/// Why there is no general strength, in plain words.
pub(super) type Reason = String;

/// The general strength over `combined`.
pub(super) fn general(
    combined: &Combined,
    mean: Option<&Mean>,
    confidence: Confidence,
) -> Result<General, Reason> {
    let _ = (combined, mean, confidence);
    Err(String::new())
}
