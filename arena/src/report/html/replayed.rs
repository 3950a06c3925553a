//! One recorded match played again by the rules, for what the page shows of each position. The page itself knows no rules.

use engine_proto::scene::{Layout, Scene};
use engine_proto::{GameWork, Play, Position};

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
        record.game.with(Replaying(record))
    }

    fn look_at(&mut self, position: &impl Position) {
        self.fens.push(position.to_string());
        self.scenes.push(position.scene());
    }
}

struct Replaying<'a>(&'a Record);

impl GameWork for Replaying<'_> {
    type Output = Replayed;

    fn run<P: Position>(self) -> Replayed {
        let record = self.0;
        let mut replayed = Replayed::default();
        let start: P = match record.opening.parse() {
            Ok(start) => start,
            Err(error) => {
                replayed.problem = Some(format!("the opening cannot be shown: {error}"));
                return replayed;
            }
        };
        replayed.layout = Some(start.layout());
        let mut play = Play::new(start);
        replayed.look_at(play.position());
        for (idx, mv) in record.moves.iter().enumerate() {
            let n_choices = play.position().count_legal_moves() as u32;
            if let Err(error) = play.play_text(&mv.mv) {
                replayed.problem = Some(format!("the replay ends at ply {}: {error}", idx + 1));
                break;
            }
            replayed.choices.push(n_choices);
            replayed.look_at(play.position());
        }
        replayed
    }
}
