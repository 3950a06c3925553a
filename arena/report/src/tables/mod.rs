//! Ratings, comparisons and forecasts as text: tables of at most 80 columns, CSV and Markdown. All numbers come from
//! the crate [`ratings`]. A table writes to the writer that it is given and opens no file.

mod comparison_csv;
mod comparison_table;
mod fishtest;
mod forecast_csv;
mod forecast_table;
mod history_table;
mod markdown;
mod matrix;
mod number;
mod payoff_csv;
mod payoff_table;
mod run_comparison_table;
mod series_table;
mod standings_csv;
mod standings_table;
pub mod text;
mod verdict;

pub use comparison_csv::write_comparison_csv;
pub use comparison_table::{Detail, answer as comparison_answer, write_comparison_table};
pub use fishtest::write_fishtest;
pub use forecast_csv::write_forecast_csv;
pub use forecast_table::write_forecast_table;
pub use history_table::{HistoryBuild, write_history_csv, write_history_table};
pub use markdown::{write_comparison_markdown, write_markdown, write_run_comparison_markdown};
pub use matrix::{write_matrix, write_matrix_csv};
pub use number::{Number, error_width};
pub use payoff_csv::write_payoffs;
pub use payoff_table::write_payoff_table;
pub use run_comparison_table::{
    Listed, answer as run_comparison_answer, write_run_comparison_csv, write_run_comparison_table,
};
pub use series_table::{write_series_csv, write_series_table};
pub use standings_csv::write_csv;
pub use standings_table::{
    Decides, Next, ToldNote, basis, draw_rate, first_player, fit, is_early, is_useful, lead, notes_of,
    openings, pairs, rank_or_place, ranks, shared_notes, shown_scopes, too_early_for, write_end_of_run,
    write_table_with, write_verdict,
};
pub use text::{counted, write_wrapped};
pub use verdict::{
    ALIKE, LEAST_PROBABILITY, Verdict, answer, has_many_forfeits, has_verdict, is_of_tests, many_forfeits,
    verdict, verdict_of, with_cautions,
};
