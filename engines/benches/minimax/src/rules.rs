//! Our games as the library's. It changes no rule, but hides from the library that a side may move twice in a row.
//!
//! The library takes for granted that sides alternate. Where ours do not, the side that is not on the move has one move,
//! to wait; so the library's alternation is true, a line only gets longer by the waits. It knows no history, so of the
//! draws by repetition it sees none.

use std::marker::PhantomData;

use engine_proto::{Position, Side};
use minimax::{Game, Winner};

/// The rules of `P` for the library.
pub struct Rules<P>(PhantomData<P>);

/// A position with the side that the library believes to be on the move.
#[derive(Clone)]
pub struct State<P> {
    /// The position.
    pub position: P,
    /// The side whose view evaluations have.
    pub mover: Side,
}

/// A move as the library sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move<M> {
    /// One of the game.
    Real(M),
    /// The other side is on the move once more.
    Wait,
}

impl<P: Position> State<P> {
    /// A position as a search finds it.
    pub fn new(position: &P) -> Self {
        Self { position: position.clone(), mover: position.side_to_move() }
    }
}

impl<P: Position> Game for Rules<P> {
    type S = State<P>;
    type M = Move<P::Move>;

    fn generate_moves(state: &State<P>, moves: &mut Vec<Move<P::Move>>) -> Option<Winner> {
        let winner = Self::get_winner(state);
        if winner.is_some() {
            return winner;
        }
        if state.mover == state.position.side_to_move() {
            let mut real = Vec::with_capacity(64);
            state.position.legal_moves(&mut real);
            moves.extend(real.into_iter().map(Move::Real));
        } else {
            moves.push(Move::Wait);
        }
        None
    }

    fn apply(state: &mut State<P>, mv: Move<P::Move>) -> Option<State<P>> {
        let mut next = State { position: state.position.clone(), mover: !state.mover };
        if let Move::Real(mv) = mv {
            next.position.play_unchecked(mv);
        }
        Some(next)
    }

    fn get_winner(state: &State<P>) -> Option<Winner> {
        match state.position.end() {
            Some(end) => Some(match end.winner {
                None => Winner::Draw,
                Some(side) if side == state.mover => Winner::PlayerToMove,
                Some(_) => Winner::PlayerJustMoved,
            }),
            None => (P::INFO.quiet_limit <= state.position.quiet()).then_some(Winner::Draw),
        }
    }

    fn zobrist_hash(state: &State<P>) -> u64 {
        let waits = state.mover != state.position.side_to_move();
        state.position.fingerprint() ^ if waits { 0x9E37_79B9_7F4A_7C15 } else { 0 }
    }
}
