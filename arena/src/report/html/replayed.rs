//! One recorded match played again by the rules, for what the page shows of each position. The page itself knows no rules.

use engine_proto::AnyPlay;
use engine_proto::scene::{Layout, Scene};

use crate::tournament::Record;

/// The positions of a match, the opening first.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    /// Their FENs.
    pub fens: Vec<String>,
    /// What stands where.
    pub scenes: Vec<Scene>,
    /// The board, where the opening can be read.
    pub layout: Option<Layout>,
    /// How many legal moves there were, before each move.
    pub choices: Vec<u32>,
    /// Why it ends before the record does, where it does.
    pub problem: Option<String>,
}

impl Replayed {
    /// Replays `record` as far as the rules go along.
    pub fn of(record: &Record) -> Self {
        let mut replayed = Self::default();
        let mut play = match record.game.play(&record.opening) {
            Ok(play) => play,
            Err(error) => {
                replayed.problem = Some(format!("the opening cannot be shown: {error}"));
                return replayed;
            }
        };
        replayed.layout = Some(play.layout());
        replayed.look_at(play.as_ref());
        for (idx, mv) in record.moves.iter().enumerate() {
            let n_choices = play.n_legal_moves() as u32;
            if let Err(error) = play.play(&mv.mv) {
                replayed.problem = Some(format!("the replay ends at ply {}: {error}", idx + 1));
                break;
            }
            replayed.choices.push(n_choices);
            replayed.look_at(play.as_ref());
        }
        replayed
    }

    fn look_at(&mut self, play: &dyn AnyPlay) {
        self.fens.push(play.fen());
        self.scenes.push(play.scene());
    }
}
