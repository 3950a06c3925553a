//! The table `[machines]`.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::problem::Problem;

/// How the tournament uses many machines. Only for `arena run --nats`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Machines {
    /// The share of pairs that a second worker plays, too, to compare them move by move, such as 0.02. Needs limits of `nodes`
    /// or `depth`. Default: 0.05 with such limits, if there is a second worker; otherwise 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>", range(min = 0, max = 1)))]
    pub audit: Option<Spanned<f64>>,
    /// Whether workers get the engines from the coordinator: programs, and the files that arguments, options and `readable`
    /// name. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distribute: Option<bool>,
    /// Whether each worker measures its speed, and a slower one gives more time. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale_clocks: Option<bool>,
    /// For `scale-clocks`: the speed of a machine that gives the times of the tournament, as `arena worker --measure` prints
    /// it. Default: the speed of the coordinator's machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u64>", range(min = 1)))]
    pub reference_speed: Option<Spanned<u64>>,
}

impl Machines {
    /// Whether every key has its default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the problems of the table.
    pub(super) fn check(&self, problems: &mut Vec<Problem>) {
        if let Some(audit) = &self.audit
            && !(0.0..=1.0).contains(audit.get_ref())
        {
            let message = format!("`audit` is {}, but must be from 0 to 1", audit.get_ref());
            problems.push(Problem::new(audit.span(), message).help("0.02 audits one pair in fifty"));
        }
        if let Some(speed) = &self.reference_speed {
            if *speed.get_ref() == 0 {
                problems.push(Problem::new(speed.span(), "`reference-speed` is 0, but must be at least 1"));
            } else if self.scale_clocks != Some(true) {
                let problem =
                    Problem::new(speed.span(), "`reference-speed` has no effect without `scale-clocks`");
                problems.push(problem.help("set `scale-clocks = true`, or remove `reference-speed`"));
            }
        }
    }

    pub(super) fn resolve(&self) -> model::Machines {
        model::Machines {
            audit: self.audit.as_ref().map(|audit| *audit.get_ref()),
            distribute: self.distribute.unwrap_or_default(),
            scale_clocks: self.scale_clocks.unwrap_or_default(),
            reference_speed: self.reference_speed.as_ref().map(|speed| *speed.get_ref()),
        }
    }
}
