//! Ratings of engines from the results of their matches, with confidence intervals. Pure functions: no files, no clock, no
//! text layout.
#![doc = ""]
#![doc = include_str!("../README.md")]

#[cfg(test)]
mod acceptance;
mod anchoring;
mod bootstrap;
mod cell_draws;
mod cluster_counts;
mod combined;
mod compact_map;
mod comparison;
mod confidence;
mod confidence_sequence;
mod copies;
mod covariance;
mod design;
mod empirical_likelihood;
mod estimate;
mod fit;
mod fit_quality;
mod fit_simulation;
mod game_scope;
mod general;
mod graph;
mod head_to_head;
mod holm;
mod intervals;
mod joint;
mod match_result;
mod mean_score;
mod met;
mod meta_analysis;
mod model;
mod move_list;
mod names;
mod note;
mod notes;
mod overall;
mod pair_sequence;
mod payoff;
mod pentanomial;
mod perfect;
mod ranking;
mod rate;
mod rating_difference;
mod regularised;
mod results;
mod run_comparison;
mod scale;
mod scores;
mod series;
mod settings;
mod shared_openings;
mod signed;
pub mod simulation;
mod sprt;
mod sprt_length;
mod standings;
mod stronger;
mod tally;
mod transitivity;

pub use comparison::{AnyTime, Comparison, NoDifference, Question, ScopeComparison, Test, head_to_head};
pub use confidence::{Confidence, NotAConfidence};
pub use confidence_sequence::{Change, ConfidenceSequence, Found};
pub use design::Design;
pub use head_to_head::{HeadToHead, Interval, NormalizedElo, Stronger, elo_of as elo_of_score};
pub use intervals::FEWEST_DECIDED;
pub use match_result::{MatchResult, UnknownResult};
pub use move_list::{MoveList, MoveListBuilder};
pub use note::{Note, listed};
pub use pair_sequence::{GamePairs, OrderedPair, PairSequence};
pub use payoff::{GamePayoffs, Payoff};
pub use pentanomial::{EngineResult, PairOutcome, Pentanomial};
pub use rating_difference::{RatingChange, RatingDifference, RatingDifferences};
pub use run_comparison::{RunComparison, ScopeChanges};
pub use scores::{OpeningScores, Scores};
pub use series::{Series, SeriesStep, checkpoints, in_order_of_numbers};
pub use settings::{Anchor, Checks, NotAnAnchor, OpeningsMeant, RatingSettings, Validity};
pub use signed::{count, signed, with_verb};
pub use sprt::{
    DEFAULT_BATCH_PAIRS, Decision, EloModel, Hypotheses, HypothesesError, LEAST_BATCH_PAIRS, Sprt,
    SprtVerdict,
};
pub use sprt_length::expected_pairs;
pub use standings::{
    Covariance, EstimateKind, FitMethod, FitQuality, GameDeviation, GameGuess, GameSlope, General,
    GeneralRating, MOST_ENGINES, MatrixCell, Measure, OVERALL, PairingFit, Phi, Rating, Scope, Standings,
    Status, Transitivity,
};
pub use tally::{Ending, FinishedMatch, SelfPlay, Tally};
