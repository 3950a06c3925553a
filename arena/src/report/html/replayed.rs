//! What the page shows of each position of a recorded match. The page itself knows no rules.

use engine_proto::AnyPlay;
use engine_proto::scene::{Layout, Scene};

use crate::results::Replay;
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
        let mut replay = match Replay::new(record) {
            Ok(replay) => replay,
            Err(error) => {
                replayed.problem = Some(format!("the match cannot be shown: {error}"));
                return replayed;
            }
        };
        replayed.layout = Some(replay.play().layout());
        replayed.look_at(replay.play());
        while replay.next().is_some() {
            let n_choices = replay.play().n_legal_moves() as u32;
            if let Err(error) = replay.step() {
                replayed.problem = Some(format!("the replay ends at {error}"));
                break;
            }
            replayed.choices.push(n_choices);
            replayed.look_at(replay.play());
        }
        replayed
    }

    fn look_at(&mut self, play: &dyn AnyPlay) {
        self.fens.push(play.fen());
        self.scenes.push(play.scene());
    }
}
