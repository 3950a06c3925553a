//! Evaluations of positions: the trait, and the evaluation of each game. No search.
//!
//! To add an evaluation for a game: a file next to this one, its `mod` line, and its line in the registry below. The line of a
//! game without its own evaluation is `module::Game => Mobility`.
//!
//! The classic evaluations are sums of terms. Their weights are data in `weights`, made by `examples/tune.rs`. Games that
//! have a network, made by `examples/learn`, list it in [`network`].

mod four_towers;
mod generic;
pub mod network;
mod push;
mod push_push;
mod terms;
mod tower_of_power;
mod tower_push;
mod weights;

use engine_proto::games;
use engine_proto::{Drawn, GameId, Position, Searchable};

use self::network::{Learned, Numbering, Weights};
use crate::search::level::{EFFORTS, Efforts};

pub use four_towers::FourTowersEval;
pub use generic::Mobility;
pub use network::Evaluation;
pub use push::PushEval;
pub use push_push::PushPushEval;
pub use terms::Term;
pub use tower_of_power::TowerOfPowerEval;
pub use tower_push::TowerPushEval;

/// Evaluates positions of one game that are not over, and tells which moves are searched beyond the horizon.
///
/// The results depend only on the position and on the settings of the evaluator. Each thread has its own.
pub trait Evaluator<P: Position>: Clone + Send + Sync + 'static {
    /// The advantage, in centi-units, with which a side scores 75 %.
    const SPREAD: i32;

    /// The limits of the levels below the highest in this game, which make the steps between levels even.
    const EFFORTS: Efforts = EFFORTS;

    /// Whether any move can be forcing; if not, the search does not ask.
    const HAS_FORCING: bool = false;

    /// The terms whose weighted sum is [`Evaluator::evaluate`], for tuning; empty if it is not such a sum.
    const TERMS: &'static [Term] = &[];

    /// The weights of the terms, in centi-units.
    fn weights(&self) -> &'static [i32] {
        &[]
    }

    /// The evaluator with this way of evaluating; unchanged in games without a network.
    #[must_use]
    fn evaluated_by(self, _evaluation: Evaluation) -> Self {
        self
    }

    /// The evaluator with a network that is not in its file, for training; unchanged in games without a network.
    #[must_use]
    fn with_network(self, _weights: &'static Weights) -> Self {
        self
    }

    /// The rows of the network's inputs; `None` in games without a network.
    fn numbering(&self) -> Option<Numbering> {
        None
    }

    /// Adds the network's inputs in `position`. Returns false if the network has not learnt such positions.
    fn list_inputs(&self, _position: &P, _inputs: &mut Vec<u16>) -> bool {
        false
    }

    /// The value of `position` for its side to move, in centi-units. The evaluator may remember the position, to evaluate
    /// the next one faster.
    fn evaluate(&mut self, position: &P) -> i32;

    /// Adds to `counts`, which has one entry per weight: how often it counts in `position` for the side to move, minus
    /// how often for the opponent.
    fn count(&self, _position: &P, _counts: &mut [i32]) {}

    /// Whether `mv` changes the value of `position` so much that evaluating before it is misleading, for example a
    /// capture.
    fn is_forcing(&self, _position: &P, _mv: P::Move) -> bool {
        false
    }

    /// A rank of `mv` without playing it, for move ordering; from -1000 to 1000.
    fn promise(&self, _position: &P, _mv: P::Move) -> i32 {
        0
    }
}

/// Work that is generic over a game and its evaluator: see [`with`].
pub trait EvalWork {
    /// The result of the work.
    type Output;
    /// Does the work for the game of the position `P`.
    fn run<P: Drawn + Searchable, E: Evaluator<P>>(self, evaluator: E) -> Self::Output;
}

macro_rules! registry {
    ($($module:ident::$game:ident => $evaluator:expr,)*) => {
        /// Calls `work` with the position type and the evaluator of a game. `None` if the game is not in this list. No game has
        /// a second evaluator by default, because all searches are compiled for each.
        pub fn with<W: EvalWork>(game: GameId, work: W) -> Option<W::Output> {
            $(
                if game.id() == games::$module::$game::INFO.id {
                    return Some(work.run::<games::$module::$game, _>($evaluator));
                }
            )*
            None
        }
    };
}

registry! {
    tower_push::TowerPush => Learned::new(TowerPushEval),
    four_towers::FourTowers => Learned::new(FourTowersEval::default()),
    tower_of_power::TowerOfPower => Learned::new(TowerOfPowerEval),
    push::Push => Learned::new(PushEval),
    push_push::PushPush => Learned::new(PushPushEval),
}
