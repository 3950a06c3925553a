//! What a designer asks of a game: who wins, how matches end, how long they are, how many moves there are to choose from.
//! Counts only; ratings are worked out elsewhere.

use std::collections::{BTreeMap, HashSet};

use engine_proto::Side;

use super::distribution::Distribution;
use crate::referee::Reason;
use crate::tournament::Record;

/// The counts of one game's matches.
#[derive(Clone, Debug, Default)]
pub struct GameFigures {
    /// All matches.
    pub n_matches: u64,
    /// Who won them.
    pub results: Results,
    /// How they ended: who won by each reason.
    pub reasons: BTreeMap<String, Results>,
    /// The lengths in plies of the matches that were played to an end: no fault ended them, and nobody had retired.
    pub lengths: Distribution,
    /// The numbers of legal moves in the positions in which a move was made.
    pub choices: Distribution,
    /// The time of moves in all, in microseconds.
    pub time_us: u64,
    /// How many moves were made.
    pub n_moves: u64,
    /// Matches that an engine lost by its own fault.
    pub n_faults: u64,
    openings: HashSet<String>,
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
    /// Counts a match, with the numbers of legal moves in its positions.
    pub fn add(&mut self, record: &Record, choices: &[u32]) {
        self.n_matches += 1;
        self.results.add(record.result.winner());
        self.reasons.entry(record.reason.clone()).or_default().add(record.result.winner());
        let reason = Reason::of_arena(&record.reason);
        self.n_faults += u64::from(reason.is_some_and(Reason::is_fault));
        if reason.is_none_or(|reason| !reason.is_fault() && reason != Reason::Retired) {
            self.lengths.add(record.plies);
        }
        for &n in choices {
            self.choices.add(n);
        }
        self.time_us = record.moves.iter().fold(self.time_us, |sum, mv| sum.saturating_add(mv.time_us));
        self.n_moves += record.moves.len() as u64;
        if !self.openings.contains(&record.opening) {
            self.openings.insert(record.opening.clone());
        }
    }

    /// How many different openings were played.
    pub fn n_openings(&self) -> usize {
        self.openings.len()
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
