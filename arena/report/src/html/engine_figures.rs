//! Counts for the authors of engines: times, depths, reported times compared with measured ones, speed and faults.

use std::collections::BTreeMap;

use engine_proto::Side;
use serde::Serialize;

use super::played_game::PlayedGame;
use model::referee::Reason;
use model::{MoveRecord, Record, SideLetter};
use ratings::{Ending, FinishedMatch};

/// The number of plies that make one point of a curve.
pub const PLIES_PER_POINT: usize = 5;

/// The counts of one engine's moves.
#[derive(Clone, Debug, Default)]
pub struct EngineFigures {
    /// The times of its moves, in microseconds.
    pub time_us: Series,
    /// The longest wait for a move that lost on time, in microseconds: such a move is not among the moves of a record.
    pub longest_late_us: u64,
    /// Measured time minus reported time, in microseconds, of moves with a reported time.
    pub difference_us: Series,
    /// The arena's own time before its moves, in microseconds.
    pub arena_us: Series,
    /// The reported depths, in plies.
    pub depth: Series,
    /// The reported positions of moves that report them.
    pub nodes: u64,
    /// The measured time of these moves, in microseconds.
    pub nodes_time_us: u64,
    /// The matches lost by a fault, in the order of the journal.
    pub faults: Vec<Fault>,
    /// The time used in each match, for the share of the clock.
    pub spent: Vec<Spent>,
    /// The matches lost without a fault.
    pub losses: Vec<Loss>,
    /// The engine's own numbers (`info stat`), by name: one value for each move that has it.
    pub stats: BTreeMap<String, StatSum>,
    /// Time and depth, by game and by point.
    pub curves: BTreeMap<PlayedGame, Vec<Point>>,
}

/// The values of one of the engine's own numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatSum {
    /// The number of moves that have it.
    pub n_moves: u64,
    /// The sum of its values.
    pub sum: i128,
    /// The largest value.
    pub largest: i64,
}

/// The maximum number of different names of one engine's numbers. An engine that has more is not believed.
const MOST_STATS: usize = 64;

/// A match lost by a fault.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The match: the index of its folder, and its number.
    pub id: (usize, u32),
    /// The game.
    pub game: PlayedGame,
    /// The reason as in records.
    pub reason: String,
    /// The evidence; empty in files of other tools.
    pub evidence: String,
}

/// The time that an engine used in a match.
#[derive(Clone, Debug)]
pub struct Spent {
    /// The index of the folder.
    pub folder: usize,
    /// The name of the limits, if there are several.
    pub limits: Option<String>,
    /// The time, in microseconds.
    pub us: u64,
    /// Its moves.
    pub n_moves: u64,
    /// Whether it lost the match on time.
    pub is_late: bool,
}

/// A match lost without a fault.
#[derive(Clone, Debug)]
pub struct Loss {
    /// The match: the index of its folder, and its number.
    pub id: (usize, u32),
    /// The game.
    pub game: PlayedGame,
    /// The winner.
    pub opponent: String,
    /// The highest score that the loser reported, in hundredths; a forced win is infinite.
    pub best_score: Option<f64>,
}

/// The moves within some plies of a match.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// Their times, in microseconds.
    pub time_us: Series,
    /// Their depths, in plies.
    pub depth: Series,
}

/// The mean and the largest of some numbers.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Series {
    n: u64,
    sum: f64,
    largest: f64,
}

impl EngineFigures {
    /// Counts the moves of `side` in a match, and its fault if there is one.
    pub fn add(&mut self, record: &Record, side: Side, folder: usize) {
        let letter = SideLetter::from(side);
        let curve = self.curves.entry(PlayedGame::of(record)).or_default();
        for (ply, mv) in record.moves.iter().enumerate().filter(|(_, mv)| mv.side == letter) {
            let place = ply / PLIES_PER_POINT;
            if curve.len() <= place {
                curve.resize_with(place + 1, Point::default);
            }
            if let Some(time_us) = mv.known_time_us() {
                curve[place].time_us.add(time_us as f64);
            }
            if let Some(depth) = mv.depth {
                curve[place].depth.add(f64::from(depth));
                self.depth.add(f64::from(depth));
            }
        }
        record.moves.iter().filter(|mv| mv.side == letter).for_each(|mv| self.add_move(mv));
        let own = || record.moves.iter().filter(|mv| mv.side == letter);
        let us = own().map(|mv| mv.time_us).fold(0, u64::saturating_add);
        let is_late = record.reason == Reason::Time.text()
            && record.result.winner().is_some_and(|winner| winner != side);
        if is_late {
            let total_ms = if side == Side::White { record.white_ms } else { record.black_ms };
            let late_us = total_ms.saturating_mul(1000).saturating_sub(us);
            self.longest_late_us = self.longest_late_us.max(late_us);
        }
        let n_moves = own().count() as u64;
        self.spent.push(Spent { folder, limits: record.limits.clone(), us, n_moves, is_late });
        // Nobody wins if both engines are at fault.
        if Ending::of_reason(&record.reason).is_fault(record.result) && record.result.winner() != Some(side) {
            let evidence = record.evidence.as_deref().unwrap_or_default();
            self.faults.push(Fault {
                id: (folder, record.number),
                game: PlayedGame::of(record),
                reason: record.reason.clone(),
                evidence: evidence.to_owned(),
            });
        } else if record.result.winner() == Some(!side) {
            let opponent = if side == Side::White { &record.black } else { &record.white };
            self.losses.push(Loss {
                id: (folder, record.number),
                game: PlayedGame::of(record),
                opponent: opponent.clone(),
                best_score: own().filter_map(|mv| hundredths(mv.score.as_deref()?)).reduce(f64::max),
            });
        }
    }

    /// Counts the fault of `side` in a match of which the moves are not known, if there is one.
    pub fn add_result(
        &mut self,
        played: &FinishedMatch<'_>,
        reason: &str,
        side: Side,
        game: &PlayedGame,
        id: (usize, u32),
    ) {
        if played.ending.is_fault(played.result) && played.result.winner() != Some(side) {
            let (game, reason) = (game.clone(), reason.to_owned());
            self.faults.push(Fault { id, game, reason, evidence: String::new() });
        }
    }

    fn add_move(&mut self, mv: &MoveRecord) {
        if let Some(time_us) = mv.known_time_us() {
            self.time_us.add(time_us as f64);
        }
        if let Some(claimed) = mv.claimed_on_clock_us() {
            self.difference_us.add(mv.time_us as f64 - claimed as f64);
        }
        if let Some(arena) = mv.arena_us {
            self.arena_us.add(arena as f64);
        }
        // The positions that an engine searched while it pondered have no time of their own.
        if let Some(nodes) = mv.nodes.filter(|_| !mv.ponder_hit) {
            self.nodes = self.nodes.saturating_add(nodes);
            self.nodes_time_us = self.nodes_time_us.saturating_add(mv.time_us);
        }
        for (key, &value) in &mv.stats {
            if let Some(stat) = self.stats.get_mut(key) {
                stat.add(value);
            } else if self.stats.len() < MOST_STATS {
                self.stats.insert(key.clone(), StatSum { n_moves: 1, sum: value.into(), largest: value });
            }
        }
    }

    /// The number of matches lost on time.
    pub fn n_time_losses(&self) -> usize {
        // Other tools write `Time forfeit`, or `timeout`.
        self.faults
            .iter()
            .filter(|fault| fault.reason.to_ascii_lowercase().starts_with(Reason::Time.text()))
            .count()
    }

    /// Positions per second: reported positions by measured time; `None` if none are reported.
    pub fn nodes_per_second(&self) -> Option<f64> {
        (0 < self.nodes_time_us).then(|| self.nodes as f64 / (self.nodes_time_us as f64 / 1e6))
    }
}

impl StatSum {
    fn add(&mut self, value: i64) {
        self.n_moves += 1;
        self.sum += i128::from(value);
        self.largest = self.largest.max(value);
    }

    /// The mean per move.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.n_moves.max(1) as f64
    }
}

impl Fault {
    /// What faults that differ only in their numbers, or in what is quoted between backticks, have in common.
    pub fn kind(&self) -> String {
        // The moves that would have been legal differ in every position.
        let evidence = if self.reason == Reason::IllegalMove.text() {
            self.evidence.split(';').next().unwrap_or_default()
        } else {
            &self.evidence
        };
        let unquoted = evidence.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let words = unquoted.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty());
        format!("{} {}", self.reason, words.collect::<Vec<_>>().join("0"))
    }
}

/// A reported score in hundredths; a forced end is infinite.
fn hundredths(score: &str) -> Option<f64> {
    match score.split_once(' ') {
        Some(("cp", number)) => number.parse().ok(),
        Some(("win", _)) => Some(f64::INFINITY),
        Some(("loss", _)) => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

impl Series {
    /// Adds a number.
    pub fn add(&mut self, value: f64) {
        self.largest = if self.n == 0 { value } else { self.largest.max(value) };
        self.n += 1;
        self.sum += value;
    }

    /// The number of values.
    pub const fn n(&self) -> u64 {
        self.n
    }

    /// The mean; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (0 < self.n).then(|| self.sum / self.n as f64)
    }

    /// The largest value; `None` without values.
    pub fn max(&self) -> Option<f64> {
        (0 < self.n).then_some(self.largest)
    }
}

#[cfg(test)]
mod tests {
    use model::samples;

    use super::*;

    #[test]
    fn numbers_of_the_engine_are_summed() {
        let mut figures = EngineFigures::default();
        for value in [i64::MAX, 4, i64::MAX] {
            let stats = BTreeMap::from([("cuts".to_owned(), value), (format!("once {value}"), 1)]);
            figures.add_move(&MoveRecord { stats, ..MoveRecord::new("a1a2", SideLetter::White, 1) });
        }
        let sum = 2 * i128::from(i64::MAX) + 4;
        assert_eq!(figures.stats["cuts"], StatSum { n_moves: 3, sum, largest: i64::MAX });
        assert_eq!(figures.stats.len(), 3);
        for n in 0..100 {
            let stats = BTreeMap::from([(n.to_string(), n)]);
            figures.add_move(&MoveRecord { stats, ..MoveRecord::new("a1a2", SideLetter::White, 1) });
        }
        assert_eq!(figures.stats.len(), MOST_STATS);
    }

    #[test]
    fn faults_that_differ_only_in_numbers_and_quotations_are_of_one_kind() {
        let kind = |reason: Reason, evidence: &str| {
            let (id, game) = ((0, 1), PlayedGame::named(engine_proto::Games::built_in(), "push"));
            Fault { id, game, reason: reason.text().to_owned(), evidence: evidence.to_owned() }.kind()
        };
        let late = kind(Reason::Time, "no move after 550.527ms; the limit was 549.841ms");
        assert_eq!(late, kind(Reason::Time, "no move after 5.6ms; the limit was 549.841ms"));
        assert_ne!(late, kind(Reason::Time, "`bestmove` came after 550.527ms; the limit was 549.841ms"));
        assert_ne!(late, kind(Reason::Crash, "no move after 550.527ms; the limit was 549.841ms"));
        let illegal =
            kind(Reason::IllegalMove, "`a1` is not legal in the position `x 1`; legal moves: a2 a3");
        assert_eq!(
            illegal,
            kind(Reason::IllegalMove, "`b` is not legal in the position `y`; legal moves: c4")
        );
        let crash = kind(Reason::Crash, "ended with signal: 11; ValueError at ply 6");
        assert_eq!(crash, kind(Reason::Crash, "ended with signal: 11; ValueError at ply 12"));
        assert_ne!(crash, kind(Reason::Crash, "ended with signal: 11; KeyError at ply 6"));
    }

    #[test]
    fn the_move_that_lost_on_time_counts() {
        let moves = vec![MoveRecord::new("a1a2", SideLetter::White, 2_000_000)];
        let mut record =
            Record { moves, white_ms: 6321, reason: Reason::Time.text().to_owned(), ..samples::record() };
        record.result = ratings::MatchResult::BlackWins;
        let [mut white, mut black] = [EngineFigures::default(), EngineFigures::default()];
        white.add(&record, Side::White, 0);
        black.add(&record, Side::Black, 0);
        assert_eq!([white.longest_late_us, black.longest_late_us], [4_321_000, 0]);
        assert_eq!([white.spent[0].is_late, black.spent[0].is_late], [true, false]);
        assert_eq!(white.time_us.max(), Some(2e6));
    }

    #[test]
    fn positions_of_pondering_have_no_speed() {
        let mut figures = EngineFigures::default();
        let mv = MoveRecord { nodes: Some(100), ..MoveRecord::new("a1a2", SideLetter::White, 1_000_000) };
        figures.add_move(&mv);
        figures.add_move(&MoveRecord { ponder_hit: true, time_us: 1, ..mv });
        assert_eq!(figures.nodes_per_second(), Some(100.0));
    }
}
