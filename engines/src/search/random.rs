//! An engine that plays random moves: the lowest reference for ratings.

use engine_proto::bits::mix64;
use engine_proto::sdk::{Engine, Search};
use engine_proto::{Play, Position};

use super::settings::Settings;

/// Plays each legal move with the same probability. The choice depends only on the seed and the position's FEN.
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
    fn think(&mut self, play: &Play<P>, _search: &Search) -> P::Move {
        let mut moves = Vec::new();
        play.legal_moves(&mut moves);
        let fen = play.position().to_string();
        let number = fen.bytes().fold(mix64(self.settings.seed), |hash, byte| mix64(hash ^ u64::from(byte)));
        // The remainder's bias is below one in 2^50.
        moves[(number % moves.len() as u64) as usize]
    }
}
