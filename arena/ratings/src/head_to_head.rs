//! Compares two engines by their own pairs: score, Elo and errors. It does not use matches of other engines, or
//! ratings.

use serde::Serialize;

use super::confidence::{Confidence, probability_below};
use super::empirical_likelihood::with_mean_zero;
use super::intervals::FEWEST_DECIDED;
use super::pentanomial::{Moments, PAIR_SCORES, Pentanomial, counted_by_score};
use super::scale::ELO_PER_UNIT;

/// An additional pair: a quarter lost twice, a half level, a quarter won twice. It prevents wrong certainty from few
/// pairs: after one won pair, LOS is not 100 %.
const PSEUDO_PAIR: [f64; 5] = [0.25, 0.0, 0.5, 0.0, 0.25];

/// The comparison of one engine with another by their pairs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeadToHead {
    /// The score with its interval, 0 to 1. The interval comes from the profile likelihood of the pairs.
    pub score: Interval,
    /// The Elo difference of the score, with its interval. An end at a score of 0 or 1 is infinite; JSON shows it as
    /// `null`.
    pub elo: Interval,
    /// Normalized Elo. `None` if all pairs had the same score, so that there is no scale.
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
        (pairs.pairs() != 0).then(|| Self::of_counts(&pairs.by_score(), pairs.decided(), confidence))
    }

    /// The same by one score of each opening, 0 to 1, which is the mean of all its pairs: an opening that is played again is no new
    /// evidence.
    pub fn of_openings(scores: &[f64], confidence: Confidence) -> Option<Self> {
        let decided = scores.iter().filter(|&&score| (score - 0.5).abs() > 1e-9).count() as u64;
        (!scores.is_empty()).then(|| Self::of_counts(&counted_by_score(scores), decided, confidence))
    }

    fn of_counts(counts: &[f64; 5], decided: u64, confidence: Confidence) -> Self {
        let moments = Moments::of(counts);
        let score = score_interval(counts, moments.mean, confidence);
        Self {
            score,
            elo: score.map(elo_of),
            normalized_elo: NormalizedElo::new(counts, moments),
            los: los(counts),
            decided,
            few: decided < FEWEST_DECIDED,
        }
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
    fn new(counts: &[f64; 5], moments: Moments) -> Option<Self> {
        if moments.variance <= 0.0 {
            return None;
        }
        let value = (moments.mean - 0.5) / (2.0 * moments.variance).sqrt() * 2.0 * ELO_PER_UNIT;
        let n_pairs: f64 = counts.iter().sum();
        let with_pseudo_pair = with_pseudo_pair(counts);
        let Moments { mean, variance } = Moments::of(&with_pseudo_pair);
        let t = (mean - 0.5) / variance.sqrt();
        let standardized = |power: i32| {
            let sum: f64 = with_pseudo_pair
                .iter()
                .zip(PAIR_SCORES)
                .map(|(count, score)| count * ((score - mean) / variance.sqrt()).powi(power))
                .sum();
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
pub(super) fn regularized(counts: &[f64; 5]) -> (Moments, f64) {
    let counts = with_pseudo_pair(counts);
    (Moments::of(&counts), counts.iter().sum())
}

fn with_pseudo_pair(counts: &[f64; 5]) -> [f64; 5] {
    std::array::from_fn(|place| counts[place] + PSEUDO_PAIR[place])
}

/// The scores that the pairs and the pseudo-pair do not contradict, by the empirical likelihood ratio and the F
/// distribution with 1 and N - 1 degrees of freedom. If all pairs were won, or all lost, the interval is exact.
fn score_interval(counts: &[f64; 5], mean: f64, confidence: Confidence) -> Interval {
    let n_pairs: f64 = counts.iter().sum();
    let perfect = confidence.tail().powf(1.0 / n_pairs);
    if n_pairs <= counts[4] {
        return Interval { value: 1.0, low: perfect, high: 1.0 };
    }
    if n_pairs <= counts[0] {
        return Interval { value: 0.0, low: 0.0, high: 1.0 - perfect };
    }
    if n_pairs < 1.5 {
        // One pair does not show the spread of pairs.
        return Interval { value: mean, low: 0.0, high: 1.0 };
    }
    let counts = with_pseudo_pair(counts);
    let total = n_pairs + 1.0;
    let weights = counts.map(|count| count / total);
    let centre = Moments::of(&counts).mean;
    // F with 1 and ν degrees of freedom is the square of Student's t with ν.
    let most = confidence.half_width(n_pairs - 1.0).powi(2);
    let is_inside = |score: f64| 2.0 * total * divergence(&weights, score) <= most;
    let low = boundary(centre, 0.0, is_inside);
    let high = boundary(centre, 1.0, is_inside);
    Interval { value: mean, low: low.min(mean), high: high.max(mean) }
}

/// Σ p̂ ln(p̂ / p), where p is the most likely distribution of pairs with the mean `score`. Weights of 0 do not count.
fn divergence(weights: &[f64; 5], score: f64) -> f64 {
    let Some(tilted) = with_mean_zero(weights, &PAIR_SCORES.map(|pair_score| pair_score - score)) else {
        return f64::INFINITY;
    };
    weights
        .iter()
        .zip(tilted)
        .filter(|&(&weight, _)| 0.0 < weight)
        .map(|(&weight, tilted)| weight * (weight / tilted).ln())
        .sum()
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

/// The likelihood of superiority by pairs counted by score: Student's t with the pseudo-pair.
pub(super) fn los(counts: &[f64; 5]) -> f64 {
    let n_pairs: f64 = counts.iter().sum();
    let (moments, total) = regularized(counts);
    probability_below((moments.mean - 0.5) / (moments.variance / total).sqrt(), n_pairs)
}
