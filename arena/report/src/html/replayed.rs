//! The positions of a recorded match for the page, which knows no rules.

use engine_proto::scene::{Effects, Layout, Scene};
use engine_proto::{AnyPlay, End, Games, Square};

use model::Record;
use store::{Replay, ReplayError};

use super::reasons::in_words;

/// The positions of a match; the first one is the opening.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    /// Their FENs.
    pub fens: Vec<String>,
    /// The pieces and notes.
    pub scenes: Vec<Scene>,
    /// The board, if the opening is valid.
    pub layout: Option<Layout>,
    /// The effects of each move.
    pub effects: Vec<Effects>,
    /// Its moves as people write them; empty if that is their own spelling.
    pub written: Vec<String>,
    /// The number of legal moves before each move.
    pub choices: Vec<u32>,
    /// The squares of the pattern that won the match.
    pub winning: Vec<Square>,
    /// How the last position ends by the rules, if it does.
    pub end: Option<End>,
    /// Why the replay ends before the record, if it does.
    pub problem: Option<String>,
    /// What is wrong with the move at which it ends, if it is not illegal.
    pub refusal: Option<&'static str>,
}

impl Replayed {
    /// Replays `record`, which is of one of these games, as long as its moves are legal: one of another program also after a draw that
    /// nobody claimed.
    pub fn of(games: &Games, record: &Record, is_of_other: bool) -> Self {
        let mut replayed = Self::default();
        let mut replay = match Replay::new(games, record) {
            Ok(replay) if is_of_other => replay.going_on(),
            Ok(replay) => replay,
            Err(error) => {
                replayed.problem = Some(format!("the match cannot be shown: {error}"));
                return replayed;
            }
        };
        replayed.layout = Some(replay.play().layout());
        replayed.look_at(replay.play());
        while let Some(mv) = replay.next() {
            let notation = replay.play().notation(&mv.mv).unwrap_or_else(|| mv.mv.clone());
            let n_choices = match replay.play().n_legal_moves() {
                0 => replay.play().position_moves().len(),
                n => n,
            } as u32;
            if let Err(error) = replay.step() {
                let (problem, refusal) = why_it_ends(&replay, &mv.mv, &error);
                (replayed.problem, replayed.refusal) = (Some(problem), refusal);
                break;
            }
            replayed.written.push(notation);
            replayed.choices.push(n_choices);
            replayed.effects.push(replay.play().effects().unwrap_or_default());
            replayed.look_at(replay.play());
        }
        if replayed.written.iter().zip(&record.moves).all(|(notation, mv)| *notation == mv.mv) {
            replayed.written.clear();
        }
        replayed.winning = replay.play().winning_squares();
        replayed.end = replay.play().end();
        replayed
    }

    fn look_at(&mut self, play: &dyn AnyPlay) {
        self.fens.push(play.fen());
        self.scenes.push(play.scene());
    }
}

/// Why a replay ends at a move, and what is wrong with the move, if it is not illegal.
fn why_it_ends(replay: &Replay<'_>, mv: &str, error: &ReplayError) -> (String, Option<&'static str>) {
    let ply = replay.ply();
    if let Some(End { reason, .. }) = replay.play().position_end() {
        let reason = in_words(reason);
        let problem =
            format!("by the rules, the match was over at ply {ply} ({reason}); its moves go on with `{mv}`");
        return (problem, Some("after the end"));
    }
    let meanings = meanings(replay.play(), mv);
    if 1 < meanings.len() {
        let meanings = meanings.join(" or ");
        let problem = format!("the replay ends at ply {}: ambiguous move `{mv}`: {meanings}", ply + 1);
        return (problem, Some("ambiguous"));
    }
    (format!("the replay ends at {error}"), None)
}

/// The moves that a word of chess leaves open: it lacks letters that tell pieces of one kind apart.
fn meanings(play: &dyn AnyPlay, word: &str) -> Vec<String> {
    const SHORTEST: usize = 3;
    let plain = |text: &str| text.replace(['+', '#', 'x', '!', '?'], "");
    let word = plain(word);
    let is_of_piece = SHORTEST <= word.len() && word.starts_with(|letter: char| letter.is_ascii_uppercase());
    let is_meant = |mv: &String| {
        let whole =
            play.notation(mv).filter(|whole| whole != mv).map(|whole| plain(&whole)).unwrap_or_default();
        let mut letters = whole.chars();
        is_of_piece && word.chars().all(|letter| letters.any(|it| it == letter))
    };
    play.position_moves().into_iter().filter(is_meant).collect()
}
