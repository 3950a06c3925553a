//! A match that is being played, or that ended last, as the pages show it.

use std::time::{Duration, Instant};

use engine_proto::{AnyPlay, GameId, Games, Side};
use ratings::MatchResult;
use serde::Serialize;
use serde_json::{Value, json};

use crate::position::{is_built_in, line, notation};
use model::referee::{Clock, SearchInfo};
use model::{Job, Moved, Record, SideLetter, TimeControl};
use opponent::Thoughts;
use report::html::parts::{Boards, PlayedGame, SceneChange, Score, Shown, heights};

/// The time after a move, and after a thought, until a thought is shown.
const A_MOMENT: Duration = Duration::from_millis(300);

/// A match that is being played.
pub struct Running {
    number: u32,
    pair: u32,
    game: GameId,
    /// The name for people.
    game_name: String,
    names: [String; 2],
    opening: String,
    board: usize,
    heights: String,
    play: Box<dyn AnyPlay>,
    shown: Shown,
    /// The positions before and after each move.
    scenes: Vec<SceneChange>,
    moves: Vec<Made>,
    clocks_ms: [Option<u64>; 2],
    /// Since when the side to move thinks.
    since: Instant,
    /// The number of moves that the viewers have.
    n_shown: usize,
    /// What the side to move thinks, as the viewers have it, and when they got it, or the last move.
    thought: Option<SearchInfo>,
    thought_at: Instant,
}

/// A move: spelling, side, score, how people write it, the clocks after it, how it was searched, and the line that began with it, as
/// the engine and as people write it.
type MadeView<'a> =
    (&'a str, SideLetter, Option<Score<'a>>, &'a str, [Option<u64>; 2], Searched, Option<&'a [String; 2]>);

/// The depth, the nodes and the microseconds of a search.
type Searched = (Option<u32>, Option<u64>, u64);

/// A move that was made.
#[derive(Clone, Debug)]
struct Made {
    mv: String,
    /// The move as people write it.
    words: String,
    side: SideLetter,
    score: Option<String>,
    /// The clocks after it.
    clocks_ms: [Option<u64>; 2],
    searched: Searched,
    /// The line that begins with it, as the engine and as people write it.
    line: Option<[String; 2]>,
}

/// A match for newcomers.
#[derive(Debug, Serialize)]
pub struct WholeMatch<'a> {
    id: u32,
    pair: u32,
    game: &'a str,
    names: &'a [String; 2],
    opening: &'a str,
    board: usize,
    heights: &'a str,
    /// Whether the positions of expected lines can be asked for.
    has_lines: bool,
    #[serde(flatten)]
    change: MatchChange<'a>,
}

/// What is new in a match.
#[derive(Debug, Serialize)]
pub struct MatchChange<'a> {
    #[serde(rename = "match")]
    number: u32,
    ply: usize,
    /// The new positions, each as its changes; for newcomers, the first one as well.
    scenes: &'a [SceneChange],
    /// The side to move.
    next: SideLetter,
    clocks_ms: [Option<u64>; 2],
    /// For how long the side to move has been thinking.
    thinks_ms: u64,
    /// The moves from `ply - moves.len()` on.
    moves: Vec<MadeView<'a>>,
}

impl Running {
    /// A match at its opening; `None` if that is no position of the game.
    pub fn new(games: &Games, job: &Job, boards: &mut Boards) -> Option<Self> {
        let base = |side| job.player(side).engine.time_control.base.map(|base| base.as_millis() as u64);
        // What a match of it would be stored as before its first move.
        let record = Record::without_moves(job, MatchResult::Draw, "");
        Some(Self { clocks_ms: Side::ALL.map(base), ..Self::at_opening(games, &record, boards)? })
    }

    /// A match that is over, at its end; `None` if it cannot be replayed. Its clocks follow from the times of the moves.
    pub fn over(
        games: &Games,
        record: &Record,
        controls: [Option<&TimeControl>; 2],
        boards: &mut Boards,
    ) -> Option<Self> {
        let mut clocks = controls.map(|control| control.cloned().map(Clock::new));
        let mut it = Self::at_opening(games, record, boards)?;
        for (ply, made) in (1..).zip(record.moves.iter().cloned()) {
            // One that is too late ends the match.
            if let Some(clock) = &mut clocks[usize::from(made.side == SideLetter::Black)] {
                let _ = clock.spend(Duration::from_micros(made.time_us));
            }
            it.hear(Moved {
                number: record.number,
                ply,
                side: made.side,
                mv: made.mv,
                time_us: made.time_us,
                clocks_ms: clocks.each_ref().map(|clock| Some(clock.as_ref()?.left()?.as_millis() as u64)),
                score: made.score,
                depth: made.depth,
                nodes: made.nodes,
                principal_variation: made.principal_variation,
            });
        }
        it.n_shown = it.moves.len();
        Some(it)
    }

    fn at_opening(games: &Games, record: &Record, boards: &mut Boards) -> Option<Self> {
        let play = games.play(record.game, &record.opening).ok()?;
        let layout = play.layout();
        let mut shown = Shown::new(layout.clone());
        let first = shown.step(&play.scene());
        Some(Self {
            number: record.number,
            pair: record.pair,
            game: record.game,
            game_name: PlayedGame::of(record).name(games).into_owned(),
            names: [record.white.clone(), record.black.clone()],
            opening: record.opening.clone(),
            board: boards.place(games, record.game, &layout),
            heights: heights(&layout),
            play,
            shown,
            scenes: vec![first],
            moves: Vec::new(),
            clocks_ms: [None; 2],
            since: Instant::now(),
            n_shown: 0,
            thought: None,
            thought_at: Instant::now(),
        })
    }

    /// Its number.
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// A move was made.
    pub fn hear(&mut self, moved: Moved) {
        // What is heard twice, or of another attempt at the match, is left out.
        if moved.ply as usize != self.moves.len() + 1 {
            return;
        }
        let words = notation(self.game, self.play.as_ref(), &moved.mv);
        let line = moved.principal_variation.map(|pv| self.line_of(&pv));
        if self.play.play(&moved.mv).is_err() {
            return;
        }
        let Moved { side, mv, time_us, clocks_ms, score, depth, nodes, .. } = moved;
        self.scenes.push(self.shown.step(&self.play.scene()));
        let searched = (depth, nodes, time_us);
        self.moves.push(Made { mv, words, side, score, clocks_ms, searched, line });
        (self.clocks_ms, self.since) = (clocks_ms, Instant::now());
        (self.thought, self.thought_at) = (None, self.since);
    }

    /// The whole match as the viewers have it.
    pub fn whole(&self) -> WholeMatch<'_> {
        let Self { number, pair, game, game_name, names, opening, board, heights, .. } = self;
        let change = self.view(&self.scenes[..=self.n_shown], 0, self.n_shown);
        WholeMatch {
            id: *number,
            pair: *pair,
            game: game_name,
            names,
            opening,
            board: *board,
            heights,
            has_lines: is_built_in(*game),
            change,
        }
    }

    /// What the viewers do not have yet, if there is something.
    pub fn change(&mut self) -> Option<MatchChange<'_>> {
        if self.n_shown == self.moves.len() {
            return None;
        }
        let from = std::mem::replace(&mut self.n_shown, self.moves.len());
        Some(self.view(&self.scenes[from + 1..], from, self.n_shown))
    }

    /// What the side to move thinks, if it is new.
    pub fn new_thought(&mut self, thoughts: &Thoughts) -> Option<Value> {
        if self.n_shown < self.moves.len() || self.thought_at.elapsed() < A_MOMENT {
            return None;
        }
        let side = self.play.side_to_move();
        let info = thoughts.now(self.number, side).filter(|info| self.thought.as_ref() != Some(info))?;
        let lines = info.principal_variation.as_deref().map(|pv| self.line_of(pv));
        let score = info.score.map(|score| score.to_string());
        let time_us = info.time.map(|time| time.as_micros() as u64);
        let thought = json!({
            "match": self.number,
            "ply": self.moves.len(),
            "score": score.as_deref().map(Score::of),
            "searched": (info.depth, info.nodes, time_us),
            "lines": lines,
        });
        (self.thought, self.thought_at) = (Some(info), Instant::now());
        Some(thought)
    }

    /// A line from here, as the engine and as people write it.
    fn line_of(&self, pv: &str) -> [String; 2] {
        let moves: Vec<String> = pv.split_whitespace().map(str::to_owned).collect();
        let words = line(self.game, self.play.as_ref(), &moves);
        [moves, words].map(|moves| moves.join(" "))
    }

    fn view<'a>(&'a self, scenes: &'a [SceneChange], from: usize, to: usize) -> MatchChange<'a> {
        MatchChange {
            number: self.number,
            ply: to,
            scenes,
            next: self.play.side_to_move().into(),
            clocks_ms: self.clocks_ms,
            thinks_ms: self.since.elapsed().as_millis() as u64,
            moves: self.moves[from..to]
                .iter()
                .map(|Made { mv, words, side, score, clocks_ms, searched, line }| {
                    let score = score.as_deref().map(Score::of);
                    (mv.as_str(), *side, score, words.as_str(), *clocks_ms, *searched, line.as_ref())
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::samples;

    fn moved(ply: u32, side: SideLetter, mv: &str, pv: &str) -> Moved {
        Moved {
            number: 1,
            ply,
            side,
            mv: mv.to_owned(),
            time_us: 1500,
            clocks_ms: [Some(1000), None],
            score: Some("cp 12".to_owned()),
            depth: Some(3),
            nodes: Some(100),
            principal_variation: Some(pv.to_owned()),
        }
    }

    fn json_of(view: &impl Serialize) -> Value {
        serde_json::to_value(view).expect("a view is JSON")
    }

    #[test]
    fn viewers_get_changes_and_newcomers_the_same_in_one() {
        let mut boards = Boards::default();
        let mut running = Running::new(Games::built_in(), &samples::job(), &mut boards).expect("an opening");
        assert!(running.change().is_none());
        let mut play = Games::built_in().startpos(samples::job().game).expect("a start");
        let mut line = Vec::new();
        for _ in 0..4 {
            let mv = play.legal_moves().remove(0);
            play.play(&mv).expect("a legal move");
            line.push(mv);
        }
        let (white, black) = (SideLetter::White, SideLetter::Black);
        running.hear(moved(1, white, &line[0], &line[..].join(" ")));
        // A repetition, and a move of another attempt.
        running.hear(moved(1, white, &line[0], ""));
        running.hear(moved(3, white, &line[2], ""));
        let change = json_of(&running.change().expect("a move"));
        assert_eq!(change["ply"], 1);
        assert_eq!(
            change["moves"],
            json!([[
                line[0],
                "w",
                12,
                line[0],
                [1000, null],
                [3, 100, 1500],
                [line.join(" "), line.join(" ")]
            ]])
        );
        assert_eq!(change["next"], "b");
        running.hear(moved(2, black, &line[1], &format!("{} a1a1", line[1])));
        let change = json_of(&running.change().expect("a move"));
        assert_eq!(change["moves"].as_array().map(Vec::len), Some(1));
        assert_eq!(change["scenes"].as_array().map(Vec::len), Some(1));
        let whole = json_of(&running.whole());
        assert_eq!(whole["moves"].as_array().map(Vec::len), Some(2));
        assert_eq!(whole["scenes"].as_array().map(Vec::len), Some(3));
        assert_eq!((&whole["ply"], &whole["moves"][1]), (&json!(2), &change["moves"][0]));
        assert_eq!(whole["clocks_ms"], json!([1000, null]));
    }
}
