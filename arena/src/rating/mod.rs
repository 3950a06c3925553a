//! How strong the engines are: pure functions over results. No file, no clock.
#![doc = ""]
#![doc = include_str!("README.md")]
//!
//! ## Example
//! ```
//! use arena::rating::{FinishedMatch, RatingSettings, Standings, Tally, write_table};
//! use arena::record::MatchResult;
//!
//! let mut tally = Tally::new();
//! for (white, black, result) in [
//!     ("alpha", "beta", MatchResult::WhiteWins),
//!     ("beta", "alpha", MatchResult::Draw),
//!     ("alpha", "beta", MatchResult::BlackWins),
//! ] {
//!     tally.add(&FinishedMatch { game: "push", white, black, result, pair: None, opening: None })?;
//! }
//! let standings = Standings::new(&tally, &RatingSettings::default());
//! write_table(&standings, &mut std::io::stdout())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod acceptance;
mod comparison;
mod comparison_csv;
mod comparison_table;
mod confidence;
mod confidence_sequence;
mod covariance;
mod direct;
mod empirical_likelihood;
mod estimate;
mod fit;
mod fit_quality;
mod game_scope;
mod general;
mod graph;
mod head_to_head;
mod joint;
mod mean_score;
mod meta_analysis;
mod model;
mod names;
mod notes;
mod overall;
mod pair_sequence;
mod pentanomial;
mod perfect;
mod ranking;
mod rating_difference;
mod results;
mod run_comparison;
mod run_comparison_table;
mod scale;
mod settings;
mod sprt;
mod standings;
mod table;
mod table_csv;
mod tally;

pub use comparison::{AnyTime, Comparison, Question, ScopeComparison, Test};
pub use comparison_csv::write_comparison_csv;
pub use comparison_table::write_comparison_table;
pub use confidence::{Confidence, NotAConfidence};
pub use confidence_sequence::ConfidenceSequence;
pub use general::{GameGuess, GameSlope, General, GeneralRating, Specialist};
pub use head_to_head::{HeadToHead, Interval, NormalizedElo};
pub use pair_sequence::{GamePairs, OrderedPair, PairSequence};
pub use pentanomial::{EngineResult, PairOutcome, Pentanomial};
pub use rating_difference::{RatingChange, RatingDifference};
pub use run_comparison::{RunComparison, ScopeChanges};
pub use run_comparison_table::{write_run_comparison_csv, write_run_comparison_table};
pub use settings::{Anchor, NotAnAnchor, RatingSettings, Validity};
pub use sprt::{DEFAULT_BATCH_PAIRS, Decision, EloModel, Hypotheses, HypothesesError, Sprt, Verdict};
pub use standings::{
    Covariance, FitQuality, Measure, OVERALL, PairingFit, Phi, Rating, Scope, Standings, Status,
};
pub use table::write_table;
pub use table_csv::write_csv;
pub use tally::{FinishedMatch, SelfPlay, Tally};
