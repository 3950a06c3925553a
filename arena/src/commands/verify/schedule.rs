//! Checks that every scheduled match exists, and no other. It draws the openings of the matches again from the
//! configuration.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use model::{Record, Tournament};
use schedule::Course;
use schedule::openings::{Openings, OpeningsError};
use schedule::planning;

/// The schedule, and the matches that were seen.
#[derive(Debug)]
pub struct Schedule {
    course: Course,
    names: Vec<String>,
    /// By game.
    openings: Vec<Openings>,
}

impl Schedule {
    /// The schedule of a tournament.
    ///
    /// # Errors
    /// If its openings cannot be drawn.
    pub fn of(tournament: &Tournament) -> Result<Self, OpeningsError> {
        let openings = planning::openings(tournament)?;
        Ok(Self { course: planning::course(tournament), names: tournament.names(), openings })
    }

    /// Records the match as seen. Returns its differences from the schedule, in words.
    pub fn check(&mut self, record: &Record) -> Vec<String> {
        let n_matches = self.course.plan().n_matches();
        if !(1..=n_matches).contains(&record.number) {
            return vec![format!("unscheduled match; the last match of the schedule is {n_matches}")];
        }
        self.course.add(record);
        let scheduled = self.course.plan().scheduled(record.number);
        let opening = match self.openings[scheduled.game_idx].fen(scheduled.round as usize) {
            Ok(opening) => opening.to_owned(),
            Err(why) => return vec![format!("unscheduled match: {why}")],
        };
        let [white, black] = scheduled.contenders.map(|idx| self.names[idx].as_str());
        let plan = self.course.plan();
        let named = |limits: Option<&str>| limits.unwrap_or_default().to_owned();
        let fields = [
            ("pair", record.pair.to_string(), scheduled.pair.to_string()),
            ("game", record.game.to_string(), scheduled.game.to_string()),
            ("limits", named(record.limits.as_deref()), named(plan.limits(scheduled.limits_idx))),
            ("opening", record.opening.clone(), opening),
            ("white", record.white.clone(), white.to_owned()),
            ("black", record.black.clone(), black.to_owned()),
        ];
        fields
            .into_iter()
            .filter(|(_, recorded, scheduled)| recorded != scheduled)
            .map(|(field, recorded, scheduled)| {
                format!("`{field}` is `{recorded}`, but `{scheduled}` in the schedule")
            })
            .collect()
    }

    /// The scheduled matches that were not seen, as ranges of numbers. Matches that a stop rule made unnecessary are not missing.
    pub fn missing(&self) -> Vec<RangeInclusive<u32>> {
        let mut runs: BTreeMap<u32, u32> = BTreeMap::new();
        let mut missing: Vec<u32> = self.course.missing().collect();
        missing.sort_unstable();
        for number in missing {
            match runs.last_entry() {
                Some(mut run) if *run.get() + 1 == number => *run.get_mut() = number,
                _ => {
                    runs.insert(number, number);
                }
            }
        }
        runs.into_iter().map(|(first, last)| first..=last).collect()
    }

    /// Says that a range is missing.
    pub fn tell_missing(range: &RangeInclusive<u32>) -> String {
        match (range.start(), range.end()) {
            (first, last) if first == last => format!("match {first} of the schedule is missing"),
            (first, last) => format!("matches {first} to {last} of the schedule are missing"),
        }
    }
}
