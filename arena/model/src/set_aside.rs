//! A worker whose matches do not count.

use serde::{Deserialize, Serialize};

/// A worker that was set aside: its matches are played again by others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SetAside {
    /// Its name.
    pub worker: String,
    /// What it has done.
    pub why: String,
}
