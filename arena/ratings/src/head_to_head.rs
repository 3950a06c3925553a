//! Compares two engines by their own pairs: score, Elo and errors. It does not use matches of other engines, or
//! ratings.

use serde::Serialize;

use super::confidence::{Confidence, probability_below};
use super::empirical_likelihood::tilt;
use super::intervals::FEWEST_DECIDED;
use super::pentanomial::{Moments, Pentanomial};
use super::scale::ELO_PER_UNIT;
use super::scores::Scores;

/// An additional pair: a quarter lost twice, a half level, a quarter won twice. It prevents wrong certainty from few
/// pairs: after one won pair, LOS is not 100 %.
const PSEUDO_PAIR: [(f64, f64); 3] = [(0.0, 0.25), (0.5, 0.5), (1.0, 0.25)];

/// The comparison of one engine with another by their pairs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeadToHead {
    /// The score with its interval, 0 to 1. The interval comes from the profile likelihood of the pairs.
    pub score: Interval,
    /// The Elo difference of the score, with its interval. An end at a score of 0 or 1 is infinite; JSON shows it as
    /// `null`.
    pub elo: Interval,
    /// Normalized Elo. `None` if all pairs had the same score, so that there is no scale, or if several pairs from one opening count as
    /// one: its scale is the spread of single pairs.
    pub normalized_elo: Option<NormalizedElo>,
    /// LOS: 1 minus the one-sided p-value, 0 to 1. It is not the probability of being stronger.
    pub los: f64,
    /// Pairs in which one engine scored more than the other; of several pairs from one opening, one that stands for them.
    pub decided: u64,
    /// Whether fewer than ten pairs were decided.
    pub few: bool,
}

/// An estimate with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The score above one half, in units of its standard deviation in a single match. It determines how many pairs a test
/// needs, and hardly depends on the draw rate of the openings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NormalizedElo {
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub se: f64,
}

impl HeadToHead {
    /// Compares the engines by `pairs`, from the view of the first one. `None` without pairs.
    pub fn new(pairs: &Pentanomial, confidence: Confidence) -> Option<Self> {
        Self::of_scores(&Scores::of_pairs(pairs), confidence)
    }

    /// The same by scores of which each counts once.
    pub fn of_scores(scores: &Scores, confidence: Confidence) -> Option<Self> {
        let decided = scores.decided();
        (scores.n() != 0.0).then(|| {
            let score = score_interval(scores, confidence);
            Self {
                score,
                elo: score.map(elo_of),
                normalized_elo: NormalizedElo::new(scores).filter(|_| !scores.has_means),
                los: los(scores),
                decided,
                few: decided < FEWEST_DECIDED,
            }
        })
    }

    /// The same by `matches` that stand for pairs, as pairs of the same score: without pairs and openings, every match counts as
    /// independent. `None` unless ten are decided, and the first engine had White in half of them, so that the colour favours neither.
    pub(super) fn of_matches(
        matches: &Pentanomial,
        n_more_white: i64,
        confidence: Confidence,
    ) -> Option<Self> {
        let found = Self::new(matches, confidence).filter(|found| !found.few && are_even(n_more_white))?;
        // It is defined by pairs.
        Some(Self { normalized_elo: None, ..found })
    }
}

/// Whether the colour favours neither of two engines, of which the first had White in so many more matches.
pub(super) const fn are_even(n_more_white: i64) -> bool {
    n_more_white.abs() <= 1
}

/// One of two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stronger {
    /// The engine from whose view the pairs are.
    First,
    /// The other one.
    Second,
}

impl HeadToHead {
    /// The engine that is significantly stronger: the interval excludes an even score, and ten pairs were decided.
    pub fn stronger(&self) -> Option<Stronger> {
        match self.score {
            _ if self.few => None,
            Interval { low, .. } if low > 0.5 => Some(Stronger::First),
            Interval { high, .. } if high < 0.5 => Some(Stronger::Second),
            _ => None,
        }
    }

    /// The same from the view of the other engine.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let Interval { value, low, high } = self.score;
        Self {
            score: Interval { value: 1.0 - value, low: 1.0 - high, high: 1.0 - low },
            elo: self.elo.reversed(),
            normalized_elo: self.normalized_elo.map(|it| NormalizedElo { value: -it.value, ..it }),
            los: 1.0 - self.los,
            ..self.clone()
        }
    }
}

impl Interval {
    /// Whether it says anything: one of its ends is finite.
    pub const fn has_end(self) -> bool {
        self.low.is_finite() || self.high.is_finite()
    }

    /// The interval on another increasing scale.
    #[must_use]
    pub fn map(self, onto: impl Fn(f64) -> f64) -> Self {
        Self { value: onto(self.value), low: onto(self.low), high: onto(self.high) }
    }

    /// The same from the other engine's view, of a scale around 0.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { value: -self.value, low: -self.high, high: -self.low }
    }
}

impl NormalizedElo {
    /// (μ - ½) / (√2 σ) · 2K (M. Van den Bergh, *Normalized Elo*).
    ///
    /// The standard error √2 K √((1 - tγ + t²(κ - 1)/4) / N) is that of a mean in standard deviations, which are estimated too: t
    /// is (μ - ½) / σ, γ the skewness and κ the kurtosis of the pairs with the pseudo-pair. Between equals it is 2K / √(2N).
    fn new(scores: &Scores) -> Option<Self> {
        let (moments, n_pairs) = (scores.moments(), scores.n());
        if moments.variance <= 0.0 {
            return None;
        }
        let value = (moments.mean - 0.5) / (2.0 * moments.variance).sqrt() * 2.0 * ELO_PER_UNIT;
        let with_pseudo_pair = with_pseudo_pair(scores);
        let Moments { mean, variance } = with_pseudo_pair.moments();
        let t = (mean - 0.5) / variance.sqrt();
        let standardized = |power: i32| {
            let scores = with_pseudo_pair.iter();
            let sum: f64 = scores.map(|(score, n)| n * ((score - mean) / variance.sqrt()).powi(power)).sum();
            sum / (n_pairs + 1.0)
        };
        let (skewness, kurtosis) = (standardized(3), standardized(4));
        let inflation = 1.0 - t * skewness + 0.25 * t * t * (kurtosis - 1.0);
        Some(Self { value, se: 2f64.sqrt() * ELO_PER_UNIT * (inflation / n_pairs).sqrt() })
    }
}

/// The Elo difference of a score; infinite for 0 and 1.
pub fn elo_of(score: f64) -> f64 {
    ELO_PER_UNIT * (score / (1.0 - score)).ln()
}

/// Mean and variance of the pairs with the pseudo-pair, and their number.
pub(super) fn regularized(scores: &Scores) -> (Moments, f64) {
    let scores = with_pseudo_pair(scores);
    (scores.moments(), scores.n())
}

fn with_pseudo_pair(scores: &Scores) -> Scores {
    let mut scores = scores.clone();
    for (score, count) in PSEUDO_PAIR {
        scores.add(score, count);
    }
    scores
}

/// The scores that the pairs and the pseudo-pair do not contradict, by the empirical likelihood ratio and the F
/// distribution with 1 and N - 1 degrees of freedom. If all pairs were won, or all lost, the interval is exact.
fn score_interval(scores: &Scores, confidence: Confidence) -> Interval {
    let (mean, n_pairs) = (scores.moments().mean, scores.n());
    let perfect = confidence.tail().powf(1.0 / n_pairs);
    if scores.iter().all(|(score, _)| 1.0 <= score) {
        return Interval { value: 1.0, low: perfect, high: 1.0 };
    }
    if scores.iter().all(|(score, _)| score <= 0.0) {
        return Interval { value: 0.0, low: 0.0, high: 1.0 - perfect };
    }
    if n_pairs < 2.0 {
        // One pair does not show the spread of pairs.
        return Interval { value: mean, low: 0.0, high: 1.0 };
    }
    let scores = with_pseudo_pair(scores);
    let total = n_pairs + 1.0;
    let (scores, weights): (Vec<f64>, Vec<f64>) =
        scores.iter().map(|(score, count)| (score, count / total)).unzip();
    let centre = scores.iter().zip(&weights).map(|(score, weight)| score * weight).sum();
    // F with 1 and ν degrees of freedom is the square of Student's t with ν.
    let most = confidence.half_width(n_pairs - 1.0).powi(2);
    let is_inside = |score: f64| 2.0 * total * divergence(&scores, &weights, score) <= most;
    let low = boundary(centre, 0.0, is_inside);
    let high = boundary(centre, 1.0, is_inside);
    Interval { value: mean, low: low.min(mean), high: high.max(mean) }
}

/// Σ p̂ ln(p̂ / p), where p is the most likely distribution of pairs with this `mean`.
fn divergence(scores: &[f64], weights: &[f64], mean: f64) -> f64 {
    let values: Vec<f64> = scores.iter().map(|score| score - mean).collect();
    let Some(x) = tilt(weights, &values) else { return f64::INFINITY };
    weights.iter().zip(values).map(|(weight, value)| weight * (x * value).ln_1p()).sum()
}

/// The point at which `is_inside`, which is true at `inside`, becomes false; `end` if it is true everywhere.
fn boundary(mut inside: f64, end: f64, is_inside: impl Fn(f64) -> bool) -> f64 {
    const TOLERANCE: f64 = 1e-12;
    let mut outside = end;
    while TOLERANCE < (inside - outside).abs() {
        let middle = 0.5 * (inside + outside);
        if is_inside(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    // `outside` was not changed: everything before the end is inside.
    if outside.to_bits() == end.to_bits() { end } else { inside }
}

/// The likelihood of superiority: Student's t with the pseudo-pair.
pub(super) fn los(scores: &Scores) -> f64 {
    let (moments, total) = regularized(scores);
    probability_below((moments.mean - 0.5) / (moments.variance / total).sqrt(), scores.n())
}
