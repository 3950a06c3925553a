//! What positions are worth without search: the trait, and which game has which evaluator. No search here.
//!
//! To give a game an evaluator of its own: a file beside this one, its `mod` line and its line in the registry below.
//! A game without one is judged by its mobility.
//!
//! The evaluators here are sums of terms, and their weights are data in `weights`, made by `examples/tune.rs`.

mod four_towers;
mod generic;
mod push;
mod push_push;
mod terms;
mod tower_of_power;
mod tower_push;
mod weights;

use engine_proto::games;
use engine_proto::{GameId, GameWork, Position};

use crate::search::level::{EFFORTS, Efforts};

pub use four_towers::FourTowersEval;
pub use generic::Mobility;
pub use push::PushEval;
pub use push_push::PushPushEval;
pub use terms::Term;
pub use tower_of_power::TowerOfPowerEval;
pub use tower_push::TowerPushEval;

/// Judges positions of one game that are not over, and says which moves are worth looking at beyond the horizon.
///
/// Its answers depend on nothing but the position and what was set when it was made.
pub trait Evaluator<P: Position>: Clone + Send + Sync + 'static {
    /// The advantage, in centi-units, with which a side wins three games of four.
    const SPREAD: i32;

    /// What the levels below the highest may do in this game, so that their steps are even.
    const EFFORTS: Efforts = EFFORTS;

    /// Whether any move is ever called forcing; without one, no time is spent on asking.
    const HAS_FORCING: bool = false;

    /// What [`Evaluator::evaluate`] is the weighted sum of, so that the weights can be tuned; empty if it is no such sum.
    const TERMS: &'static [Term] = &[];

    /// The weights of the terms, in centi-units.
    fn weights(&self) -> &'static [i32] {
        &[]
    }

    /// What `position` is worth to its side to move, in centi-units.
    fn evaluate(&self, position: &P) -> i32;

    /// Adds to `counts`, which has one entry for each weight of the terms, how often it counts in `position` for the side
    /// to move, less how often for the other.
    fn count(&self, _position: &P, _counts: &mut [i32]) {}

    /// Whether `mv` changes the value of `position` so much at once that evaluating before it misleads: a capture, say.
    fn is_forcing(&self, _position: &P, _mv: P::Move) -> bool {
        false
    }

    /// How good `mv` looks without playing it, to be tried earlier; from -1000 to 1000.
    fn promise(&self, _position: &P, _mv: P::Move) -> i32 {
        0
    }
}

/// Work that is generic over a game and its evaluator, to be done for a game known by its id: see [`with`].
pub trait EvalWork {
    /// What comes of it.
    type Output;
    /// Does the work for the game of the position `P`.
    fn run<P: Position, E: Evaluator<P>>(self, evaluator: E) -> Self::Output;
}

/// The same for a game without an evaluator of its own.
struct ByMobility<W>(W);

impl<W: EvalWork> GameWork for ByMobility<W> {
    type Output = W::Output;

    fn run<P: Position>(self) -> W::Output {
        self.0.run::<P, Mobility>(Mobility)
    }
}

macro_rules! registry {
    ($($module:ident::$game:ident => $evaluator:expr,)*) => {
        /// Does `work` for a game's position type and its evaluator: the step from a name to the types. `None` if
        /// the game is not of the crate `games`: see [`GameId::with`].
        pub fn with<W: EvalWork>(game: GameId, work: W) -> Option<W::Output> {
            $(
                if game.id() == games::$module::$game::INFO.id {
                    return Some(work.run::<games::$module::$game, _>($evaluator));
                }
            )*
            game.with(ByMobility(work))
        }
    };
}

registry! {
    tower_push::TowerPush => TowerPushEval,
    four_towers::FourTowers => FourTowersEval::default(),
    tower_of_power::TowerOfPower => TowerOfPowerEval,
    push::Push => PushEval,
    push_push::PushPush => PushPushEval,
}
