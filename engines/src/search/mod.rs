//! Searches for any game. They know no game by name.

pub mod alpha_beta;
mod doubt;
pub mod greedy;
pub mod level;
mod manners;
pub mod mcts;
mod meter;
mod negamax;
mod one_ply;
mod ordering;
mod path;
mod pruning;
pub mod random;
pub mod score;
mod settings;
mod table;
mod tree;

pub use alpha_beta::AlphaBeta;
pub use greedy::Greedy;
pub use level::Level;
pub use mcts::Mcts;
pub use pruning::Numbers;
pub use random::Random;
pub use settings::Settings;
