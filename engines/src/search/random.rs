//! An engine that plays random moves: the lowest reference for ratings.

use engine_proto::bits::mix64;
use engine_proto::sdk::{Choice, Engine, Search};
use engine_proto::{Play, Position};

use super::settings::Settings;

/// Plays each legal move with the same probability. The choice depends only on the seed and the position's FEN. It knows
/// only the rules: it resigns if every move loses at once, and accepts every draw.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    settings: Settings,
}

impl Random {
    /// The engine with these settings.
    pub const fn new(settings: Settings) -> Self {
        Self { settings }
    }
}

impl<P: Position> Engine<P> for Random {
    fn think(&mut self, play: &Play<P>, search: &Search) -> Choice<P::Move> {
        let moves = search.root_moves(play);
        let position = play.position();
        let side = position.side_to_move();
        let after = |mv: P::Move| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            next
        };
        let loses = |mv: &P::Move| after(*mv).end().is_some_and(|end| end.winner == Some(!side));
        if self.settings.resigns && moves.iter().all(loses) {
            return Choice::Resign;
        }
        let mv = self.any_of(position, &moves);
        let next = after(mv);
        let mut replies = Vec::new();
        if next.side_to_move() != side {
            next.legal_moves(&mut replies);
        }
        let reply = (!replies.is_empty()).then(|| self.any_of(&next, &replies));
        Choice::Move { mv, reply, draw: self.settings.draws && search.draw_is_offered() }
    }
}

impl Random {
    /// One of the moves of `position`, which has some.
    fn any_of<P: Position>(&self, position: &P, moves: &[P::Move]) -> P::Move {
        let fen = position.to_string();
        let number = fen.bytes().fold(mix64(self.settings.seed), |hash, byte| mix64(hash ^ u64::from(byte)));
        // The remainder's bias is below one in 2^50.
        moves[(number % moves.len() as u64) as usize]
    }
}
