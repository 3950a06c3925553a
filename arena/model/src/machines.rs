//! How a tournament uses many machines.

use serde::{Deserialize, Serialize};

/// How a tournament uses many machines. The default does nothing in addition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Machines {
    /// The share of pairs that a second worker plays, too, from 0 to 1; `None` for a small one where it is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<f64>,
    /// Whether workers get the engines from the coordinator.
    #[serde(skip_serializing_if = "is_false")]
    pub distribute: bool,
    /// Whether the clocks of each worker follow its speed.
    #[serde(skip_serializing_if = "is_false")]
    pub scale_clocks: bool,
    /// The speed of a machine whose clocks are not changed; `None` if it is that of the coordinator, and not measured yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_speed: Option<u64>,
}

impl Machines {
    /// Whether this is the default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
const fn is_false(value: &bool) -> bool {
    !*value
}
