//! A sequential test of two hypotheses about the difference of two engines: it continues until one of them is
//! accepted. Pure: pairs are added, and it decides when to stop.
//!
//! It is the generalized sequential probability ratio test on pairs, the same as fishtest's (M. Van den Bergh, *Comments on
//! Normalized Elo*). Each hypothesis is represented by the most likely distribution of pairs that fulfils it.

use std::fmt;

use serde::Serialize;

use super::empirical_likelihood::with_mean_zero;
use super::pentanomial::{Moments, PAIR_SCORES, PairOutcome, Pentanomial};
use super::scale::ELO_PER_UNIT;

/// The Elo scale of a hypothesis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EloModel {
    /// Normalized Elo: the score above one half in units of its standard deviation
    #[default]
    Normalized,
    /// Elo as usual: the logistic curve of the expected score
    Logistic,
}

/// Two hypotheses about the strength of the first engine relative to the second, and the error rates of the test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hypotheses {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl fmt::Display for Hypotheses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, elo0, elo1, alpha, beta } = self;
        write!(f, "{elo0} against {elo1} {model} Elo with alpha {alpha} and beta {beta}")
    }
}

/// Why hypotheses cannot be tested.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HypothesesError {
    /// The second hypothesis must be greater than the first.
    #[error("elo0 must be below elo1: {elo0} is not below {elo1}")]
    Order {
        /// The first hypothesis, in Elo.
        elo0: f64,
        /// The second hypothesis, in Elo.
        elo1: f64,
    },
    /// The difference is too large for the test.
    #[error("{elo} is too large for a hypothesis in {model} Elo: -{most} to {most}")]
    Size {
        /// The Elo scale.
        model: EloModel,
        /// The difference as given.
        elo: f64,
        /// The largest possible one.
        most: f64,
    },
    /// The error rate is not valid.
    #[error("{name} must be above 0 and below 0.5: {value} is not")]
    Rate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// The rate as given.
        value: f64,
    },
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtVerdict {
    /// No hypothesis is accepted yet.
    Undecided,
    /// `elo0` is accepted: the results fit it better than `elo1`. Values between the two are not distinguished.
    H0,
    /// `elo1` is accepted: the results fit it better than `elo0`. Values between the two are not distinguished.
    H1,
}

/// A sequential test in progress.
///
/// Pairs must be added **in the order in which they started**. Long matches end late; if their pairs were added late,
/// the test would favour the engine that wins quickly. The test looks at the end of each batch, and the first verdict
/// is final.
#[derive(Clone, Debug)]
pub struct Sprt {
    hypotheses: Hypotheses,
    batch_pairs: u64,
    pairs: Pentanomial,
    decided: Option<Decision>,
}

/// The end of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// The verdict.
    pub verdict: SprtVerdict,
    /// The number of pairs at the end.
    pub pairs: u64,
}

/// The default number of pairs between two looks.
pub const DEFAULT_BATCH_PAIRS: u64 = 8;
/// The smallest number of pairs between two looks: looking after every pair would lead to more errors than the error
/// rates allow.
pub const LEAST_BATCH_PAIRS: u64 = 8;
/// The count of pairs for outcomes that did not occur.
const UNSEEN: f64 = 0.001;

impl Hypotheses {
    /// Tests `elo0` against `elo1` on the scale of `model`. `alpha` is the probability that `elo1` is accepted
    /// although `elo0` is true, `beta` the probability that `elo0` is accepted although `elo1` is true.
    ///
    /// # Errors
    /// If `elo0` is not less than `elo1`, if one of them is too large, or if a rate is not between 0 and 0.5.
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

    /// The Elo scale.
    pub const fn model(&self) -> EloModel {
        self.model
    }

    /// The two hypotheses, in Elo.
    pub const fn elo(&self) -> [f64; 2] {
        [self.elo0, self.elo1]
    }

    /// The log likelihood ratio of `elo1` to `elo0`. Positive values support `elo1`; 0 without pairs.
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

    /// The log likelihood ratios of the decision: at or below the first `elo0` is accepted, at or above the second
    /// `elo1` (A. Wald, *Sequential Analysis*, 1947).
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The verdict if the test looks at `pairs` now.
    pub fn verdict(&self, pairs: &Pentanomial) -> SprtVerdict {
        let [lower, upper] = self.bounds();
        let ratio = self.log_likelihood_ratio(pairs);
        if ratio <= lower {
            return SprtVerdict::H0;
        }
        if upper <= ratio { SprtVerdict::H1 } else { SprtVerdict::Undecided }
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

impl fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Undecided => "undecided",
            Self::H0 => "h0",
            Self::H1 => "h1",
        })
    }
}

impl Sprt {
    /// A test without pairs that looks after every `batch_pairs` pairs, at least [`LEAST_BATCH_PAIRS`].
    pub fn new(hypotheses: Hypotheses, batch_pairs: u64) -> Self {
        let batch_pairs = batch_pairs.max(LEAST_BATCH_PAIRS);
        Self { hypotheses, batch_pairs, pairs: Pentanomial::default(), decided: None }
    }

    /// Adds the pair that started next, and returns the verdict. A verdict is final.
    pub fn add(&mut self, outcome: PairOutcome) -> SprtVerdict {
        self.pairs.count(outcome);
        if self.decided.is_none() && self.pairs.pairs().is_multiple_of(self.batch_pairs) {
            let verdict = self.hypotheses.verdict(&self.pairs);
            if verdict != SprtVerdict::Undecided {
                self.decided = Some(Decision { verdict, pairs: self.pairs.pairs() });
            }
        }
        self.decided.map_or(SprtVerdict::Undecided, |decision| decision.verdict)
    }

    /// The number of pairs at which the test looks next.
    pub fn next_look(&self) -> u64 {
        (self.pairs.pairs() + 1).next_multiple_of(self.batch_pairs)
    }

    /// The end of the test; `None` while it is undecided.
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

/// The most likely distribution of pairs whose normalized Elo is `elo`. The condition μ - ½ = tσ is not linear, so it
/// is linearised around the last solution until nothing changes.
fn with_normalized_elo(observed: &[f64; 5], elo: f64) -> [f64; 5] {
    const MOST_ROUNDS: usize = 200;
    const TOLERANCE: f64 = 1e-12;
    let ratio = 2f64.sqrt() * elo / (2.0 * ELO_PER_UNIT);
    let mut solution = [1.0 / observed.len() as f64; 5];
    for _ in 0..MOST_ROUNDS {
        let Moments { mean, variance } = Moments::of(&PAIR_SCORES.into_iter().zip(solution));
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
