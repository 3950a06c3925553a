//! The matches that are being played.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::tables::text::shown;
use model::{Job, rated_game};

/// By the number of the match, what is played since when.
#[derive(Debug, Default)]
pub struct Running(BTreeMap<u32, (String, Instant)>);

impl Running {
    pub fn begin(&mut self, job: &Job) {
        let [white, black] = job.names();
        let game = rated_game(job.game.id(), job.limits.as_deref());
        self.0.insert(job.number, (format!("{game}: {} - {}", shown(white), shown(black)), Instant::now()));
    }

    pub fn finish(&mut self, number: u32) {
        self.0.remove(&number);
    }

    /// The number, the game with White's engine first, and the beginning of each match; the longest first.
    pub fn longest_first(&self) -> Vec<(u32, &str, Instant)> {
        let mut all: Vec<_> =
            self.0.iter().map(|(number, (what, since))| (*number, what.as_str(), *since)).collect();
        all.sort_by_key(|(_, _, since)| *since);
        all
    }
}
