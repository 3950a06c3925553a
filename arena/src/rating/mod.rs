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
//!     tally.add(&FinishedMatch::new("push", white, black, result))?;
//! }
//! let standings = Standings::new(&tally, &RatingSettings::default());
//! write_table(&standings, &mut std::io::stdout())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod acceptance;
mod anchoring;
mod bootstrap;
mod cluster_counts;
mod comparison;
mod comparison_csv;
mod comparison_table;
mod confidence;
mod confidence_sequence;
mod copies;
mod covariance;
mod design;
mod direct;
mod empirical_likelihood;
mod estimate;
mod fit;
mod fit_quality;
mod game_scope;
mod general;
mod graph;
mod head_to_head;
mod intervals;
mod joint;
mod markdown;
mod mean_score;
mod meta_analysis;
mod model;
mod move_list;
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
pub mod simulation;
mod sprt;
mod sprt_length;
mod standings;
mod table;
mod table_csv;
mod tally;

pub use comparison::{AnyTime, Comparison, Question, ScopeComparison, Test};
pub use comparison_csv::write_comparison_csv;
pub use comparison_table::write_comparison_table;
pub use confidence::{Confidence, NotAConfidence};
pub use confidence_sequence::ConfidenceSequence;
pub use design::Design;
pub use general::{GameGuess, GameSlope, General, GeneralRating, Specialist};
pub use head_to_head::{HeadToHead, Interval, NormalizedElo, elo_of as elo_of_score};
pub use markdown::{write_comparison_markdown, write_markdown, write_run_comparison_markdown};
pub use move_list::{MoveList, MoveListBuilder};
pub use pair_sequence::{GamePairs, OrderedPair, PairSequence};
pub use pentanomial::{EngineResult, PairOutcome, Pentanomial};
pub use rating_difference::{RatingChange, RatingDifference, RatingDifferences};
pub use run_comparison::{RunComparison, ScopeChanges};
pub use run_comparison_table::{write_run_comparison_csv, write_run_comparison_table};
pub use settings::{Anchor, NotAnAnchor, RatingSettings, Validity};
pub use sprt::{DEFAULT_BATCH_PAIRS, Decision, EloModel, Hypotheses, HypothesesError, Sprt, Verdict};
pub use sprt_length::expected_pairs;
pub use standings::{
    Covariance, FitQuality, MOST_ENGINES, Measure, OVERALL, PairingFit, Phi, Rating, Scope, Standings, Status,
};
pub use table::{legend, shown_scopes, write_table};
pub use table_csv::write_csv;
pub use tally::{FinishedMatch, SelfPlay, Tally};
