//! How ratings are to be worked out and shown: confidence, anchor, validity. Data only; nothing is estimated here.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::confidence::Confidence;

/// How ratings are worked out. The default: 95 % intervals for a number of matches that was fixed beforehand, and
/// ratings relative to their mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RatingSettings {
    /// The confidence level of all intervals.
    pub confidence: Confidence,
    /// The engine whose rating is given; without one, ratings are relative to their mean.
    pub anchor: Option<Anchor>,
    /// When the intervals hold.
    pub validity: Validity,
    /// Which openings the errors are for.
    pub openings: OpeningsMeant,
}

/// Which openings errors are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningsMeant {
    /// Openings like these: how far the numbers would move if other openings of the same kind had been drawn.
    #[default]
    Similar,
    /// Exactly these openings, always played completely.
    These,
}

/// An engine with a given rating, to which the ratings of all others are relative.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Anchor {
    /// The engine's name.
    pub engine: String,
    /// Its rating, Elo; finite.
    pub elo: f64,
}

/// When intervals hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Validity {
    /// If the number of matches was fixed beforehand.
    #[default]
    FixedSize,
    /// However often one looks, and whenever one stops. Such intervals are more than half as wide again.
    AnyTime,
    /// The same for all engines of a table at once.
    AnyTimeAll,
}

impl Validity {
    /// Whether intervals hold however often one looks.
    pub const fn is_any_time(self) -> bool {
        matches!(self, Self::AnyTime | Self::AnyTimeAll)
    }
}

/// A text that names no anchor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an anchor: an engine, `=` and its rating in Elo, such as alpha=2500")]
pub struct NotAnAnchor {
    /// The text as it was given.
    pub text: String,
}

impl RatingSettings {
    /// The default but for the confidence level.
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
