//! A sequential test of two hypotheses on the difference of two engines: play on until one of them is plain. Pure: it
//! is told of pairs, and decides when to stop; it starts no match.
//!
//! It is the generalized sequential probability ratio test on pairs, the same as fishtest's (M. Van den Bergh, *Comments on
//! Normalized Elo*). Each hypothesis is represented by the most likely distribution of pairs that fulfils it.

use std::fmt;

use serde::Serialize;

use super::empirical_likelihood::with_mean_zero;
use super::pentanomial::{Moments, PAIR_SCORES, PairOutcome, Pentanomial};
use super::scale::ELO_PER_UNIT;

/// What an Elo difference of a hypothesis means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EloModel {
    /// Normalized Elo: the score above one half in units of its standard deviation
    #[default]
    Normalized,
    /// Elo as usual: the logistic curve of the expected score
    Logistic,
}

/// Two hypotheses on how much stronger the first engine is, and how often the test may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hypotheses {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Why hypotheses can't be tested.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HypothesesError {
    /// The hypotheses must differ, the second one above the first.
    #[error("elo0 must be below elo1: {elo0} is not below {elo1}")]
    Order {
        /// The difference of the first hypothesis.
        elo0: f64,
        /// The difference of the second hypothesis.
        elo1: f64,
    },
    /// So large a difference is out of the test's reach.
    #[error("{elo} is too large for a hypothesis in {model} Elo: -{most} to {most}")]
    Size {
        /// What Elo means.
        model: EloModel,
        /// The difference as it was given.
        elo: f64,
        /// The largest one.
        most: f64,
    },
    /// An error rate that isn't one.
    #[error("{name} must be above 0 and below 0.5: {value} is not")]
    Rate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// The rate as it was given.
        value: f64,
    },
}

/// What a test has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Neither hypothesis is plain yet.
    Undecided,
    /// The results fit `elo0` better than `elo1`; what lies between is not told apart.
    H0,
    /// The results fit `elo1` better than `elo0`; what lies between is not told apart.
    H1,
}

/// A test under way.
///
/// Pairs must be added **in the order in which they were started**: long matches end late, and if their pairs came late, the
/// test would favour whoever wins quickly. It looks at the end of each batch, and the first verdict stands.
#[derive(Clone, Debug)]
pub struct Sprt {
    hypotheses: Hypotheses,
    batch_pairs: u64,
    pairs: Pentanomial,
    decided: Option<Decision>,
}

/// When a test ended, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// What it found.
    pub verdict: Verdict,
    /// After how many pairs.
    pub pairs: u64,
}

/// How many pairs are added between two looks, if nothing else is said.
pub const DEFAULT_BATCH_PAIRS: u64 = 8;
/// The fewest pairs between two looks: who looks after every pair is misled oftener than the error rates say.
pub const LEAST_BATCH_PAIRS: u64 = 8;
/// What stands for outcomes that never came.
const UNSEEN: f64 = 0.001;

impl Hypotheses {
    /// Tests the difference `elo0` against `elo1`, in the Elo of `model`. `alpha` is how often `elo1` is accepted where
    /// `elo0` is true, `beta` the reverse.
    ///
    /// # Errors
    /// If `elo0` isn't below `elo1`, if they are out of reach, or if a rate isn't above 0 and below 0.5.
    pub fn new(
        model: EloModel,
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
    ) -> Result<Self, HypothesesError> {
        let most = model.largest_elo();
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| elo.is_nan() || most < elo.abs()) {
            return Err(HypothesesError::Size { model, elo, most });
        }
        if elo1 <= elo0 {
            return Err(HypothesesError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(0.0 < value && value < 0.5) {
                return Err(HypothesesError::Rate { name, value });
            }
        }
        Ok(Self { model, elo0, elo1, alpha, beta })
    }

    /// What Elo means here.
    pub const fn model(&self) -> EloModel {
        self.model
    }

    /// The two differences, Elo.
    pub const fn elo(&self) -> [f64; 2] {
        [self.elo0, self.elo1]
    }

    /// The logarithm of the likelihood ratio of `elo1` to `elo0`. Positive speaks for `elo1`; 0 without pairs.
    pub fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.by_score().map(|count| if count == 0.0 { UNSEEN } else { count });
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let [null, alternative] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => with_elo(&observed, elo),
            EloModel::Normalized => with_normalized_elo(&observed, elo),
        });
        let ratio = |place: usize| observed[place] * (alternative[place] / null[place]).ln();
        total * (0..observed.len()).map(ratio).sum::<f64>()
    }

    /// The log likelihood ratio at or below which `elo0` is accepted, and that at or above which `elo1` is (A. Wald,
    /// *Sequential Analysis*, 1947).
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// What `pairs` say if the test looks now.
    pub fn verdict(&self, pairs: &Pentanomial) -> Verdict {
        let [lower, upper] = self.bounds();
        let ratio = self.log_likelihood_ratio(pairs);
        if ratio <= lower {
            return Verdict::H0;
        }
        if upper <= ratio { Verdict::H1 } else { Verdict::Undecided }
    }
}

impl EloModel {
    /// The largest difference that every set of pairs can be made to have.
    const fn largest_elo(self) -> f64 {
        match self {
            Self::Normalized => 200.0,
            Self::Logistic => 1000.0,
        }
    }
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Undecided => "undecided",
            Self::H0 => "h0",
            Self::H1 => "h1",
        })
    }
}

impl Sprt {
    /// A test without pairs, which looks after every `batch_pairs` of them, or [`LEAST_BATCH_PAIRS`] if these are more.
    pub fn new(hypotheses: Hypotheses, batch_pairs: u64) -> Self {
        let batch_pairs = batch_pairs.max(LEAST_BATCH_PAIRS);
        Self { hypotheses, batch_pairs, pairs: Pentanomial::default(), decided: None }
    }

    /// Adds the pair that was started next, and says what the test has found. A verdict once found stands.
    pub fn add(&mut self, outcome: PairOutcome) -> Verdict {
        self.pairs.count(outcome);
        if self.decided.is_none() && self.pairs.pairs().is_multiple_of(self.batch_pairs) {
            let verdict = self.hypotheses.verdict(&self.pairs);
            if verdict != Verdict::Undecided {
                self.decided = Some(Decision { verdict, pairs: self.pairs.pairs() });
            }
        }
        self.decided.map_or(Verdict::Undecided, |decision| decision.verdict)
    }

    /// How and when it ended; none while it is undecided.
    pub const fn decision(&self) -> Option<Decision> {
        self.decided
    }
}

/// The most likely distribution of pairs whose score is that of an Elo difference of `elo`.
fn with_elo(observed: &[f64; 5], elo: f64) -> [f64; 5] {
    let score = 1.0 / (1.0 + (-elo / ELO_PER_UNIT).exp());
    with_mean_zero(observed, &PAIR_SCORES.map(|pair_score| pair_score - score))
        .expect("an Elo difference in reach has a score between 0 and 1")
}

/// The most likely distribution of pairs whose normalized Elo is `elo`. The condition μ - ½ = tσ isn't linear, so it is
/// linearized around the last solution until nothing changes.
fn with_normalized_elo(observed: &[f64; 5], elo: f64) -> [f64; 5] {
    const MOST_ROUNDS: usize = 200;
    const TOLERANCE: f64 = 1e-12;
    let ratio = 2f64.sqrt() * elo / (2.0 * ELO_PER_UNIT);
    let mut solution = [1.0 / observed.len() as f64; 5];
    for _ in 0..MOST_ROUNDS {
        let Moments { mean, variance } = Moments::of(&solution);
        let deviation = variance.sqrt();
        let values = PAIR_SCORES.map(|score| {
            let standard = (score - mean) / deviation;
            score - 0.5 - 0.5 * ratio * deviation * (1.0 + standard * standard)
        });
        let next =
            with_mean_zero(observed, &values).expect("a difference in reach is on both sides of some pairs");
        let change = solution.iter().zip(next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        solution = next;
        if change < TOLERANCE {
            break;
        }
    }
    solution
}
