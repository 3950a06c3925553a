//! How a tournament uses many machines.

use serde::{Deserialize, Serialize};

/// How a tournament uses many machines. The default does nothing in addition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Machines {
    /// The share of pairs that a second worker plays, too, from 0 to 1.
    #[serde(skip_serializing_if = "is_zero")]
    pub audit: f64,
}

impl Machines {
    /// Whether this is the default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(share: &f64) -> bool {
    *share == 0.0
}
