//! The table `[machines]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::problem::Problem;
use crate::tournament;

/// How the tournament uses many machines. Only for `arena run --nats`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Machines {
    /// The share of pairs that a second worker plays, too, to compare them move by move, such as 0.02. Needs limits of `nodes`
    /// or `depth`. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>", range(min = 0, max = 1))]
    pub audit: Option<Spanned<f64>>,
}

impl Machines {
    /// Whether every key has its default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the problems of the table.
    pub(super) fn check(&self, problems: &mut Vec<Problem>) {
        let Some(audit) = &self.audit else { return };
        if !(0.0..=1.0).contains(audit.get_ref()) {
            let message = format!("`audit` is {}, but must be from 0 to 1", audit.get_ref());
            problems.push(Problem::new(audit.span(), message).help("0.02 audits one pair in fifty"));
        }
    }

    pub(super) fn resolve(&self) -> tournament::Machines {
        tournament::Machines { audit: self.audit.as_ref().map_or(0.0, |audit| *audit.get_ref()) }
    }
}
