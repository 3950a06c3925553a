//! Our positions and evaluators in the library's terms. It searches nothing.
//!
//! The library takes it that sides alternate. Where a side moves again, the other one *waits*: a move that changes nothing
//! but the turn, and that is the only one. So scores keep their signs, and such a tree is only deeper by the waiting.
//!
//! It has no history either: it sees the end by the rules and by the quiet limit, and no repetition.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use engine_proto::{Position, Side};
use engines::eval::Evaluator;
use minimax::{Evaluation, Winner};
use rustc_hash::FxHasher;

/// A position, and whose turn it is in a game in which turns alternate.
#[derive(Clone)]
pub struct Turn<P> {
    position: P,
    turn: Side,
}

/// One move of a game in which turns alternate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step<M> {
    /// A move by the rules.
    Move(M),
    /// The other side moves again.
    Wait,
}

/// The game of the positions `P`.
pub struct Rules<P>(PhantomData<P>);

/// An evaluator in the library's terms.
pub struct Judge<P, E> {
    evaluator: E,
    game: PhantomData<P>,
}

/// Places for moves in the library's tables of good answers.
const TABLE_PLACES: u16 = 1 << 12;

/// Evaluations stay well within those of won games.
const LARGEST: i32 = 30_000;

impl<P: Position> Turn<P> {
    pub fn new(position: P) -> Self {
        let turn = position.side_to_move();
        Self { position, turn }
    }

    fn is_waiting(&self) -> bool {
        self.position.side_to_move() != self.turn
    }

    fn winner(&self) -> Option<Winner> {
        let Some(end) = self.position.end() else {
            return (P::INFO.quiet_limit <= self.position.quiet()).then_some(Winner::Draw);
        };
        Some(match end.winner {
            None => Winner::Draw,
            Some(winner) if winner == self.turn => Winner::PlayerToMove,
            Some(_) => Winner::PlayerJustMoved,
        })
    }
}

impl<P: Position> minimax::Game for Rules<P> {
    type S = Turn<P>;
    type M = Step<P::Move>;

    fn generate_moves(state: &Turn<P>, moves: &mut Vec<Self::M>) -> Option<Winner> {
        if let Some(winner) = state.winner() {
            return Some(winner);
        }
        if state.is_waiting() {
            moves.push(Step::Wait);
            return None;
        }
        let mut legal = Vec::with_capacity(64);
        state.position.legal_moves(&mut legal);
        moves.extend(legal.into_iter().map(Step::Move));
        None
    }

    fn apply(state: &mut Turn<P>, step: Self::M) -> Option<Turn<P>> {
        let mut next = Turn { position: state.position.clone(), turn: !state.turn };
        if let Step::Move(mv) = step {
            next.position.play_unchecked(mv);
        }
        Some(next)
    }

    fn get_winner(state: &Turn<P>) -> Option<Winner> {
        state.winner()
    }

    fn zobrist_hash(state: &Turn<P>) -> u64 {
        let waiting = if state.is_waiting() { 0x9e37_79b9_7f4a_7c15 } else { 0 };
        state.position.fingerprint() ^ waiting
    }

    /// By a hash: a move that shares its place in the library's tables is only tried too early.
    fn table_index(step: Self::M) -> u16 {
        let mut hasher = FxHasher::default();
        step.hash(&mut hasher);
        hasher.finish() as u16 % TABLE_PLACES
    }

    fn max_table_index() -> u16 {
        TABLE_PLACES - 1
    }
}

impl<P: Position, E> Judge<P, E> {
    pub const fn new(evaluator: E) -> Self {
        Self { evaluator, game: PhantomData }
    }
}

impl<P: Position, E: Evaluator<P>> minimax::Evaluator for Judge<P, E> {
    type G = Rules<P>;

    fn evaluate(&self, state: &Turn<P>) -> Evaluation {
        let value = self.evaluator.clone().evaluate(&state.position).clamp(-LARGEST, LARGEST) as Evaluation;
        if state.is_waiting() { -value } else { value }
    }

    fn generate_noisy_moves(&self, state: &Turn<P>, moves: &mut Vec<Step<P::Move>>) {
        if !E::HAS_FORCING || state.is_waiting() {
            return;
        }
        let mut legal = Vec::with_capacity(64);
        state.position.legal_moves(&mut legal);
        let forcing = legal.into_iter().filter(|&mv| self.evaluator.is_forcing(&state.position, mv));
        moves.extend(forcing.map(Step::Move));
    }
}
