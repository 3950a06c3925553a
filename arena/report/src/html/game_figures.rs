//! Counts for the designers of games: who wins, how matches end, how long they are, how many legal moves there are.

use std::collections::{BTreeMap, HashMap};

use engine_proto::Side;

use super::distribution::Distribution;
use super::engine_figures::{PLIES_PER_POINT, Series};
use model::{MoveRecord, Record};
use ratings::{Ending, MatchResult};

/// The counts of one game's matches.
#[derive(Clone, Debug, Default)]
pub struct GameFigures {
    /// All matches.
    pub n_matches: u64,
    /// The results.
    pub results: Results,
    /// The results for each reason.
    pub reasons: BTreeMap<String, Results>,
    /// The lengths in plies of matches that did not end by a fault or because an engine had retired.
    pub lengths: Distribution,
    /// The numbers of legal moves in the positions in which a move was made.
    pub choices: Distribution,
    /// The numbers of legal moves by point: every [`PLIES_PER_POINT`] plies.
    pub choices_by_point: Vec<Series>,
    /// The total time of moves, in microseconds.
    pub time_us: u64,
    /// The number of moves of which the time is known.
    pub n_moves: u64,
    /// The number of matches lost by a fault.
    pub n_faults: u64,
    /// The results from each opening.
    pub openings: HashMap<String, Results>,
}

/// Who won some matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// White.
    pub white: u64,
    /// Nobody.
    pub draw: u64,
    /// Black.
    pub black: u64,
}

impl GameFigures {
    /// Adds a match, with the numbers of legal moves in its positions and with its opening as the list has it.
    pub fn add(&mut self, record: &Record, choices: &[u32], opening: &str) {
        self.add_result(record.result, &record.reason, opening);
        if Ending::of_reason(&record.reason) == Ending::Played {
            self.lengths.add(record.plies);
        }
        for (ply, &n) in choices.iter().enumerate() {
            self.choices.add(n);
            let point = ply / PLIES_PER_POINT;
            if self.choices_by_point.len() <= point {
                self.choices_by_point.resize_with(point + 1, Series::default);
            }
            self.choices_by_point[point].add(f64::from(n));
        }
        self.time_us = record.moves.iter().fold(self.time_us, |sum, mv| sum.saturating_add(mv.time_us));
        self.n_moves += record.moves.iter().filter_map(MoveRecord::known_time_us).count() as u64;
    }

    /// Adds what every file has of a match; an opening may be unknown, and is empty then.
    pub fn add_result(&mut self, result: MatchResult, reason: &str, opening: &str) {
        let winner = result.winner();
        self.n_faults += u64::from(Ending::of_reason(reason).is_fault(result));
        self.n_matches += 1;
        self.results.add(winner);
        self.reasons.entry(reason.to_owned()).or_default().add(winner);
        if let Some(results) = self.openings.get_mut(opening) {
            results.add(winner);
        } else if !opening.is_empty() {
            let mut results = Results::default();
            results.add(winner);
            self.openings.insert(opening.to_owned(), results);
        }
    }
}

impl Results {
    fn add(&mut self, winner: Option<Side>) {
        match winner {
            Some(Side::White) => self.white += 1,
            Some(Side::Black) => self.black += 1,
            None => self.draw += 1,
        }
    }

    /// All of them.
    pub const fn n(&self) -> u64 {
        self.white + self.draw + self.black
    }
}
