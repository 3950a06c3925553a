//! The positions of a line that an engine expects. They are worked out for whoever asks, and only for rules that are part of this
//! program: no visitor starts another one.

use engine_proto::{GameId, Games};
use serde::Deserialize;

use report::html::parts::{SceneChange, Shown};

/// A line, and where it begins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedLine {
    game: GameId,
    opening: String,
    /// The moves before it, with spaces between them.
    moves: String,
    /// Its own moves, in the same way.
    line: String,
}

impl ExpectedLine {
    /// How each legal move of the line changes the board; `None` if the line begins at no position of a built-in game.
    pub fn scenes(&self) -> Option<Vec<SceneChange>> {
        let mut play = Games::built_in().play(self.game, &self.opening).ok()?;
        for mv in self.moves.split_whitespace() {
            play.play(mv).ok()?;
        }
        let mut shown = Shown::new(play.layout());
        shown.step(&play.scene());
        let mut scenes = Vec::new();
        for mv in self.line.split_whitespace() {
            // Engines may spell moves of chess in another way.
            let Some(mv) = play.read_move(mv) else { break };
            if play.play(&mv).is_err() {
                break;
            }
            scenes.push(shown.step(&play.scene()));
        }
        Some(scenes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_position_for_each_legal_move() {
        let check = |game: &str, moves: &str, line: &str, expected: Option<usize>| {
            let opening = Games::built_in().startpos(GameId::CHESS).expect("a start").fen();
            let asked = serde_json::json!({ "game": game, "opening": opening, "moves": moves, "line": line });
            let line: Result<ExpectedLine, _> = serde_json::from_value(asked);
            let found = line.ok().and_then(|line| line.scenes());
            assert_eq!(found.map(|scenes| scenes.len()), expected, "{game} {moves}");
        };
        check("chess", "e2e4 e7e5", "g1f3 b8c6 g1f3", Some(2));
        check("chess", "", "", Some(0));
        check("chess", "e2e5", "e7e5", None);
        check("push", "", "e2e4", None);
        check("unknown", "", "e2e4", None);
    }
}
