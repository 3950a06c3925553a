//! Settings for the computation of ratings: confidence level, anchor, validity. Data only.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::confidence::Confidence;
use super::signed::signed;

/// How ratings are computed. The default: 95 % intervals that are valid for a number of matches fixed beforehand, and
/// ratings relative to their mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RatingSettings {
    /// The confidence level of all intervals.
    pub confidence: Confidence,
    /// The engine with a given rating; `None` for ratings relative to their mean.
    pub anchor: Option<Anchor>,
    /// When the intervals are valid.
    pub validity: Validity,
    /// Which openings the errors refer to.
    pub openings: OpeningsMeant,
    /// How far the ratings are checked against the results.
    pub checks: Checks,
}

/// How far ratings are checked against the results. No check changes a rating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Checks {
    /// Not at all. With hundreds of engines, the checks take longer than the ratings.
    None,
    /// Whether they explain the result of every pairing: [`Scope::fit`](crate::Scope::fit).
    #[default]
    Fit,
    /// Also how much they explain: [`Scope::transitivity`](crate::Scope::transitivity).
    All,
}

/// Which openings the errors refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningsMeant {
    /// Similar openings: how far the numbers would change with other openings of the same kind.
    #[default]
    Similar,
    /// Exactly these openings, if each was played by all pairings.
    These,
}

/// An engine with a given rating. The ratings of all others are relative to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Anchor {
    /// The engine's name.
    pub engine: String,
    /// Its rating in Elo; finite.
    pub elo: f64,
}

impl Anchor {
    /// Its rating as it is shown: with a decimal only if it is not a whole number.
    pub fn shown(&self) -> String {
        signed(self.elo, usize::from(self.elo.fract() != 0.0))
    }
}

/// When intervals are valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Validity {
    /// If the number of matches was fixed beforehand.
    #[default]
    FixedSize,
    /// At any time: the results may be looked at repeatedly, and may decide when to stop. These intervals are 1.5 to
    /// 1.9 times as wide.
    AnyTime,
    /// At any time, for all engines of a table together.
    AnyTimeAll,
}

impl Validity {
    /// Whether the intervals are valid at any time.
    pub const fn is_any_time(self) -> bool {
        matches!(self, Self::AnyTime | Self::AnyTimeAll)
    }
}

/// A text that is not an anchor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an anchor: an engine, `=` and its rating in Elo, such as alpha=2500")]
pub struct NotAnAnchor {
    /// The text as given.
    pub text: String,
}

impl RatingSettings {
    /// The default settings with another confidence level.
    pub fn with_confidence(confidence: Confidence) -> Self {
        Self { confidence, ..Self::default() }
    }
}

impl FromStr for Anchor {
    type Err = NotAnAnchor;

    /// Reads `ENGINE=ELO`. Names may contain `=`, so the last one counts.
    fn from_str(text: &str) -> Result<Self, NotAnAnchor> {
        let unusable = || NotAnAnchor { text: games::fen::shown(text) };
        let (engine, elo) = text.rsplit_once('=').ok_or_else(unusable)?;
        let elo: f64 = elo.trim().parse().map_err(|_| unusable())?;
        if engine.trim().is_empty() || !elo.is_finite() {
            return Err(unusable());
        }
        Ok(Self { engine: engine.trim().to_owned(), elo })
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.engine, self.elo)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_is_read_from_its_last_equals_sign() {
        for (text, engine, elo) in [
            ("alpha=2500", "alpha", 2500.0),
            ("a=b=-12.5", "a=b", -12.5),
            ("my engine = +3", "my engine", 3.0),
        ] {
            let anchor: Anchor = text.parse().unwrap();
            assert_eq!((anchor.engine.as_str(), anchor.elo), (engine, elo), "{text}");
            assert_eq!(anchor.to_string().parse(), Ok(anchor), "{text}");
        }
    }

    #[test]
    fn what_is_no_anchor_is_refused() {
        for text in ["", "alpha", "alpha=", "=2500", " =1", "alpha=strong", "alpha=inf", "alpha=NaN"] {
            assert_eq!(text.parse::<Anchor>().unwrap_err().text, text);
        }
    }
}
