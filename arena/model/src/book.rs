//! How the openings of a file are used.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the openings of a file are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Book {
    /// The number of plies of each game in a PGN file; `None` for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// The order.
    pub order: BookOrder,
    /// The first opening that is played, from 1. After the last one, the first follows.
    pub start: u32,
    /// Whether openings are played again if there are fewer than pairs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub repeats: bool,
    /// The number of openings that are left out before the first one: another tournament has played them. Drawn openings
    /// are left out, too.
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped: u32,
}

impl Default for Book {
    fn default() -> Self {
        Self { plies: None, order: BookOrder::default(), start: 1, repeats: false, skipped: 0 }
    }
}

impl Book {
    /// Whether this is the default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The order of the openings of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BookOrder {
    /// As they are in the file.
    #[default]
    Sequential,
    /// Shuffled with the tournament's seed.
    Random,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
const fn is_zero(n: &u32) -> bool {
    *n == 0
}
