//! Searches over any game: none of them knows a game by name.

pub mod alpha_beta;
pub mod greedy;
mod meter;
mod negamax;
mod ordering;
mod path;
pub mod random;
pub mod score;
mod settings;
mod table;

pub use alpha_beta::AlphaBeta;
pub use greedy::Greedy;
pub use random::Random;
pub use settings::Settings;
