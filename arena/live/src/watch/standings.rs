//! The standings of the matches so far. Computing them takes time, so that it is done rarely enough.

use std::time::{Duration, Instant};

use ratings::{RatingSettings, Standings, Tally, Validity};
use serde_json::{Value, json};

use model::Record;
use report::html::parts::{scopes, title_of};

/// The least time between two computations.
const EVERY: Duration = Duration::from_secs(1);
/// The computations may take this part of the time.
const PART: u32 = 20;

/// The count of matches, and the standings that were computed last.
#[derive(Debug)]
pub struct LiveStandings {
    tally: Tally,
    settings: RatingSettings,
    is_stale: bool,
    /// When the next computation may be done.
    next: Instant,
    last: Value,
}

impl LiveStandings {
    pub fn new() -> Self {
        Self {
            tally: Tally::new(),
            settings: RatingSettings { transitivity: true, ..RatingSettings::default() },
            is_stale: false,
            next: Instant::now(),
            last: json!([]),
        }
    }

    /// Gives intervals that hold whenever one stops, if results decide what is played.
    pub fn depend_on_results(&mut self) {
        self.settings.validity = Validity::AnyTime;
    }

    /// Counts a match.
    pub fn add(&mut self, record: &Record, folder: usize) {
        let pair = format!("{folder} {}", record.pair);
        let played = record.finished(&pair);
        // A match of an engine with itself says nothing about strength.
        self.is_stale |= self.tally.add(&played).is_ok();
    }

    /// The standings, if they are new.
    pub fn new_ones(&mut self) -> Option<&Value> {
        let begun = Instant::now();
        if !self.is_stale || begun < self.next {
            return None;
        }
        self.is_stale = false;
        let standings = Standings::new(&self.tally, &self.settings);
        self.last = json!(scopes(&standings, title_of));
        let now = Instant::now();
        self.next = now + EVERY.max(PART * (now - begun));
        Some(&self.last)
    }

    /// The standings that were computed last.
    pub const fn last(&self) -> &Value {
        &self.last
    }
}
