//! The table `[machines]`.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;
#[cfg(feature = "schema")]
use serde::Serialize;

use super::problem::Problem;
use super::value::Key;

/// How the tournament uses many machines. Only for `arena run --nats`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Machines {
    /// The share of pairs that a second worker plays, too, to compare them move by move, such as 0.02. Needs limits of `nodes`
    /// or `depth`. Default: 0.05 with such limits, if there is a second worker; otherwise 0.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    pub audit: Option<Key<f64>>,
    /// Whether workers get the engines from the coordinator: programs, and the files that arguments, options and `readable`
    /// name. Default: false.
    pub distribute: Option<bool>,
    /// Whether each worker measures its speed, and a slower one gives more time. Default: false.
    pub scale_clocks: Option<bool>,
    /// For `scale-clocks`: the speed of a machine that gives the times of the tournament, as `arena worker --measure` prints
    /// it. Default: the speed of the coordinator's machine.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub reference_speed: Option<Key<u64>>,
}

impl Machines {
    /// Adds the problems of the table.
    pub(super) fn check(&self, problems: &mut Vec<Problem>) {
        if let Some(audit) = &self.audit
            && !(0.0..=1.0).contains(audit.get_ref())
        {
            let message = format!("`audit` is {}, but must be from 0 to 1", audit.get_ref());
            problems.push(Problem::new(audit.span(), message).help("0.02 audits one pair in fifty"));
        }
        if let Some(speed) = &self.reference_speed {
            if let Some(problem) = speed.zero("reference-speed") {
                problems.push(problem);
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
