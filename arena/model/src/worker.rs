//! A machine that plays matches of a tournament, as reporters show it.

use serde::{Deserialize, Serialize};

/// A worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Worker {
    /// Its name.
    pub name: String,
    /// The number of pairs that it can play at the same time.
    pub places: u16,
    /// The number of matches that it is playing.
    pub n_playing: u32,
    /// The number of matches that it has finished in this run.
    pub n_matches: u32,
    /// Whether it was not heard of for too long.
    pub is_lost: bool,
}
