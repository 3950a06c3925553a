//! The lines that an engine reports while it searches.

use std::collections::BTreeMap;

use engine_proto::proto::{InfoLine, Score, Words};
use engine_proto::{AnyPlay, GameId, Side};
use serde_json::{Value, json};

use crate::position;

/// The maximum number of lines of an engine.
pub const MOST_LINES: u32 = 10;
/// The start of a line that is shown.
pub const MOST_MOVES: usize = 40;
const MOST_BYTES: usize = 500;

/// What an engine thinks of a position.
#[derive(Clone, Debug)]
pub struct Best {
    /// For the side to move.
    pub score: Score,
    pub depth: Option<u32>,
    /// The best line, at least one move.
    pub moves: Vec<String>,
}

/// What an engine has reported about one position.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// By number; 1 is the best one.
    best: BTreeMap<u32, Line>,
    nodes: Option<u64>,
    nps: Option<u64>,
    depth: Option<u32>,
    time_ms: Option<u64>,
}

#[derive(Clone, Debug, Default)]
struct Line {
    score: Option<Score>,
    depth: Option<u32>,
    moves: Vec<String>,
}

impl Lines {
    /// Takes note of an `info` line. `n_lines` is the number of lines that are wanted.
    pub fn hear(&mut self, info: &InfoLine<'_>, n_lines: u32) {
        self.nodes = info.nodes.or(self.nodes);
        self.nps = info.nps.or(self.nps);
        self.time_ms = info.time.map(|time| time.as_millis() as u64).or(self.time_ms);
        let number = info.multipv.unwrap_or(1);
        if number == 1 {
            self.depth = info.depth.or(self.depth);
        }
        if info.pv.is_empty() || !(1..=n_lines).contains(&number) {
            return;
        }
        let line = Line { score: info.score, depth: info.depth, moves: moves_of(info.pv) };
        // A move that comes from another place leaves that one to the line that it replaces, until there is news of that line.
        let mut places = self.best.iter();
        let before =
            places.find(|(_, known)| known.moves.first() == line.moves.first()).map(|(&place, _)| place);
        if let Some(before) = before.filter(|&before| before != number) {
            self.best.remove(&before);
            if let Some(replaced) = self.best.remove(&number) {
                self.best.insert(before, replaced);
            }
        }
        self.best.insert(number, line);
    }

    /// The best line that has a score.
    pub fn best(&self) -> Option<Best> {
        let scored = self.best.values().filter_map(|Line { score, depth, moves }| {
            moves.first()?;
            Some(Best { score: (*score)?, depth: *depth, moves: moves.clone() })
        });
        scored.max_by_key(|best| value(best.score))
    }

    /// The lines for the page, the best ones for the side to move first, the scores from White's view. `play` is the position.
    pub fn to_json(&self, game: GameId, to_move: Side, play: &dyn AnyPlay) -> Value {
        let Self { best, nodes, nps, depth, time_ms } = self;
        let nps = nps.or_else(|| {
            let thousandfold = 1000 * u128::from((*nodes)?);
            u64::try_from(thousandfold / u128::from(time_ms.filter(|&ms| 0 < ms)?)).ok()
        });
        // An engine may report its second line before it has another first one.
        let mut lines: Vec<&Line> = best.values().collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.score.map(value)));
        let lines: Vec<_> = lines.into_iter().map(|line| line.to_json(game, to_move, play)).collect();
        json!({ "lines": lines, "nodes": nodes, "nps": nps, "depth": depth, "time_ms": time_ms })
    }
}

impl Line {
    fn to_json(&self, game: GameId, to_move: Side, play: &dyn AnyPlay) -> Value {
        json!({
            "score": self.score.map(|score| score_json(score.for_white(to_move))),
            "depth": self.depth,
            "moves": self.moves,
            "words": position::line(game, play, &self.moves),
            "sides": position::sides(game, play, &self.moves),
            "movers": position::movers(game, play, &self.moves),
        })
    }
}

/// A score from White's view as the page gets it: a number, or who wins in how many moves.
pub fn score_json(white: Score) -> Value {
    // The page reads the number.
    let wins =
        |side: Side, n: u32| json!(format!("{side} wins in {n} {}", if n == 1 { "ply" } else { "plies" }));
    match white {
        Score::Centi(n) => json!(n),
        Score::Win(n) => wins(Side::White, n),
        Score::Loss(n) => wins(Side::Black, n),
    }
}

/// What a score is worth to the side to move: early wins are best, late losses better than early ones.
fn value(score: Score) -> i64 {
    const WIN: i64 = 1 << 40;
    match score {
        Score::Centi(n) => n.into(),
        Score::Win(n) => WIN - i64::from(n),
        Score::Loss(n) => i64::from(n) - WIN,
    }
}

fn moves_of(pv: Words<'_>) -> Vec<String> {
    let mut room = MOST_BYTES;
    let fits = |mv: &&str| {
        let left = room.checked_sub(mv.len() + 1);
        room = left.unwrap_or_default();
        left.is_some()
    };
    pv.iter().take(MOST_MOVES).take_while(fits).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use engine_proto::Games;
    use engine_proto::proto::Reply;

    use super::*;

    fn heard(said: &[&str], to_move: Side) -> Value {
        let mut lines = Lines::default();
        for line in said {
            let Ok(Reply::Info(info)) = Reply::parse(line) else { panic!("{line}") };
            lines.hear(&info, 3);
        }
        let game = GameId::PUSH_PUSH;
        lines.to_json(game, to_move, Games::built_in().startpos(game).expect("a start").as_ref())
    }

    #[test]
    fn the_last_report_of_each_line_counts() {
        let shown = heard(
            &[
                "info depth 3 multipv 2 score cp -5 pv b1b2",
                "info depth 3 multipv 1 score cp 30 nodes 500 time 20 pv a1a2 c3c4",
                "info depth 4 multipv 1 score win 7 nodes 900 time 30 pv a1a3",
                "info depth 4 multipv 4 score cp 1 pv d1d2",
                "info nodes 1000 time 50",
                "info string pv x",
                "info depth 5 currmove a1a2",
            ],
            Side::White,
        );
        assert_eq!(
            shown["lines"],
            json!([
                { "score": "White wins in 7 plies", "depth": 4, "moves": ["a1a3"], "words": ["a1a3"], "sides": ["w"], "movers": [null] },
                { "score": -5, "depth": 3, "moves": ["b1b2"], "words": ["b1b2"], "sides": ["w"], "movers": ["B"] },
            ])
        );
        let rest = ["nodes", "nps", "depth", "time_ms"].map(|key| shown[key].clone());
        assert_eq!(rest, [json!(1000), json!(20000), json!(5), json!(50)]);
    }

    #[test]
    fn any_number_of_nodes_has_a_speed() {
        let nps = |time_ms: u32| {
            heard(&[&format!("info nodes {} time {time_ms} pv a1a2", u64::MAX)], Side::White)["nps"].clone()
        };
        assert_eq!([nps(0), nps(1), nps(2000)], [Value::Null, Value::Null, json!(u64::MAX / 2)]);
    }

    #[test]
    fn a_move_has_one_line() {
        let first_moves = |said: &[&str]| {
            let shown = heard(said, Side::White);
            let lines = shown["lines"].as_array().expect("lines").clone();
            lines.iter().map(|line| line["moves"][0].as_str().expect("a move").to_owned()).collect::<Vec<_>>()
        };
        let mut said = vec![
            "info depth 3 multipv 1 pv a",
            "info depth 3 multipv 2 pv b c",
            "info depth 4 multipv 1 pv b d",
        ];
        assert_eq!(first_moves(&said), ["b", "a"]);
        said.push("info depth 4 multipv 2 pv c");
        assert_eq!(first_moves(&said), ["b", "c"]);
        said.push("info depth 4 multipv 3 pv b");
        assert_eq!(first_moves(&said), ["c", "b"]);
    }

    #[test]
    fn scores_are_those_of_white() {
        let shown = heard(&["info score cp 30 pv a", "info multipv 2 score mate -2 pv b"], Side::Black);
        let scores = [0, 1].map(|idx| shown["lines"][idx]["score"].clone());
        assert_eq!(scores, [json!(-30), json!("White wins in 4 plies")]);
    }

    #[test]
    fn lines_are_sorted_by_value() {
        let said = ["cp -5", "cp 30", "mate 3", "mate -2", "mate -4", "mate 1"];
        let said: Vec<_> = said
            .iter()
            .zip(1..)
            .map(|(score, n)| format!("info multipv {n} score {score} pv m{n}"))
            .collect();
        let mut lines = Lines::default();
        for line in &said {
            let Ok(Reply::Info(info)) = Reply::parse(line) else { panic!("{line}") };
            lines.hear(&info, 9);
        }
        let game = GameId::PUSH_PUSH;
        let shown =
            lines.to_json(game, Side::White, Games::built_in().startpos(game).expect("a start").as_ref());
        let order: Vec<_> =
            shown["lines"].as_array().expect("lines").iter().map(|line| &line["moves"][0]).collect();
        assert_eq!(order, ["m6", "m3", "m2", "m1", "m5", "m4"]);
    }

    #[test]
    fn lines_are_bounded() {
        let n_moves = |pv: &str| {
            heard(&[&format!("info pv {pv}")], Side::White)["lines"][0]["moves"].as_array().map(Vec::len)
        };
        assert_eq!(n_moves(&"a1a2 ".repeat(1000)), Some(40));
        assert_eq!(n_moves(&format!("a1a2 {}", "x".repeat(600))), Some(1));
    }
}
