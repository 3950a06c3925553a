//! The tuning of an engine's options: what is tuned, and how.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use engine_proto::GameId;
use serde::{Deserialize, Serialize};

/// The tuning of an engine's options. The tournament's two engines are this engine with values above and below those
/// reached so far: which values a match has follows from its number and the results of earlier matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Tune {
    /// The engine's name.
    pub engine: String,
    /// The number of rounds that are played with the same values.
    pub pairs_per_point: u32,
    /// The values of a point depend on all points but this number of points before it, so that they can be played at the
    /// same time. It is stored, because another number would give other matches.
    pub lag: u32,
    /// The tuning stops after this number of matches lost by a fault of the engine.
    pub max_faults: u32,
    /// The weights of the games in the score of a point; 1 for the others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<GameId, f64>,
    /// The options.
    #[serde(rename = "option")]
    pub options: Vec<TuneOption>,
}

/// An option that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TuneOption {
    /// Its name.
    pub name: String,
    /// The lowest value that is tried.
    pub min: f64,
    /// The highest value that is tried.
    pub max: f64,
    /// The value before tuning; `None` for the engine's default, until the engine has started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// The distance of the values that are compared, from those reached so far, at the end of the tuning.
    pub step: f64,
    /// Whether the engine takes fractions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub float: bool,
    /// The engine takes a value times this number, rounded; `None` for 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
}

impl TuneOption {
    /// A value in the engine's unit, not rounded.
    pub fn scaled(&self, value: f64) -> f64 {
        value * self.scale.unwrap_or(1.0)
    }

    /// All values that the engine can get.
    pub fn range(&self) -> RangeInclusive<f64> {
        let bound = |value| if self.float { value } else { self.scaled(value).round() };
        bound(self.min)..=bound(self.max)
    }

    /// A value as the engine reads it.
    pub fn text(&self, value: f64) -> String {
        self.text_rounded(value, 0.5)
    }

    /// The same, but a whole number is rounded up if its fraction is at least 1 - `up`.
    pub fn text_rounded(&self, value: f64, up: f64) -> String {
        if self.float {
            return format!("{value:.6}");
        }
        let range = self.range();
        format!("{:.0}", (self.scaled(value) + up).floor().clamp(*range.start(), *range.end()))
    }
}
