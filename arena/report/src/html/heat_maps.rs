//! On which squares moves end, pieces are captured and matches are decided: counts for the designers of games.

use engine_proto::Side;
use serde::Serialize;

use super::replayed::Replayed;
use engine_proto::scene::{Role, Scene};
use model::{Record, SideLetter};

/// The counts of all boards, by their indices.
#[derive(Clone, Debug, Default)]
pub struct HeatMaps {
    maps: Vec<HeatMap>,
}

/// The counts of one board, by its squares.
#[derive(Clone, Debug, Default, Serialize)]
pub struct HeatMap {
    /// Moves that end on a square.
    moves: Vec<u32>,
    /// Those after which the opponent has fewer pieces on the board.
    captures: Vec<u32>,
    /// Those that win a match by the rules.
    wins: Vec<u32>,
}

impl HeatMaps {
    /// Counts a match on the board with this index.
    pub fn add(&mut self, board: usize, record: &Record, replayed: &Replayed) {
        let Some(layout) = &replayed.layout else { return };
        if self.maps.len() <= board {
            self.maps.resize_with(board + 1, HeatMap::default);
        }
        let map = &mut self.maps[board];
        for counts in [&mut map.moves, &mut map.captures, &mut map.wins] {
            counts.resize(layout.grounds.len(), 0);
        }
        let is_won_by_rules = record.result.winner().is_some() && replayed.end.is_some();
        let n_plies = replayed.effects.len();
        for (idx, effects) in replayed.effects.iter().enumerate() {
            let target = effects.touches.iter().find(|touch| touch.role == Some(Role::To));
            let place = target
                .and_then(|touch| layout.grounds.iter().position(|ground| ground.square == touch.square));
            let Some(place) = place else { continue };
            map.moves[place] += 1;
            let opponent = match record.moves[idx].side {
                SideLetter::White => Side::Black,
                SideLetter::Black => Side::White,
            };
            let n_pieces =
                |scene: &Scene| scene.pieces.iter().filter(|piece| piece.owner == Some(opponent)).count();
            if n_pieces(&replayed.scenes[idx + 1]) < n_pieces(&replayed.scenes[idx]) {
                map.captures[place] += 1;
            }
            if is_won_by_rules && idx + 1 == n_plies && n_plies == record.moves.len() {
                map.wins[place] += 1;
            }
        }
    }

    /// The counts, by the indices of boards.
    pub fn all(&self) -> &[HeatMap] {
        &self.maps
    }
}
