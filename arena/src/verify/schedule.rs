//! Whether the matches are those of the schedule, each there. It draws the schedule again from the configuration.

use std::collections::BTreeMap;

use crate::config::Config;
use crate::openings::OpeningsError;
use crate::planning;
use crate::record::Record;
use crate::schedule::Plan;

/// The schedule, and which of its matches were seen.
#[derive(Debug)]
pub struct Schedule {
    plan: Plan,
    names: Vec<String>,
    seen: Vec<bool>,
}

impl Schedule {
    /// The schedule of a tournament.
    ///
    /// # Errors
    /// If its openings cannot be had.
    pub fn of(config: &Config) -> Result<Self, OpeningsError> {
        let plan = planning::plan(config, planning::openings(config)?);
        let names = config.engines.iter().map(|engine| engine.name.get_ref().clone()).collect();
        Ok(Self { names, seen: vec![false; plan.n_matches() as usize], plan })
    }

    /// Notes the match as seen. What of it is not as the schedule has it, in words.
    pub fn check(&mut self, record: &Record) -> Vec<String> {
        let n_matches = self.plan.n_matches();
        if !(1..=n_matches).contains(&record.number) {
            return vec![format!("the schedule ends with match {n_matches}")];
        }
        self.seen[record.number as usize - 1] = true;
        let job = self.plan.job(record.number);
        let [white, black] = job.contenders.map(|idx| self.names[idx].as_str());
        let fields = [
            ("pair", record.pair.to_string(), job.pair.to_string()),
            ("game", record.game.to_string(), job.game.to_string()),
            ("opening", record.opening.clone(), job.opening),
            ("white", record.white.clone(), white.to_owned()),
            ("black", record.black.clone(), black.to_owned()),
        ];
        fields
            .into_iter()
            .filter(|(_, recorded, scheduled)| recorded != scheduled)
            .map(|(field, recorded, scheduled)| {
                format!("`{field}` is `{recorded}`, and in the schedule `{scheduled}`")
            })
            .collect()
    }

    /// The matches that were not seen, in words: one message for each run of numbers.
    pub fn missing(&self) -> Vec<String> {
        let mut runs: BTreeMap<usize, usize> = BTreeMap::new();
        let unseen = self.seen.iter().enumerate().filter(|(_, seen)| !**seen).map(|(idx, _)| idx + 1);
        for number in unseen {
            match runs.last_entry() {
                Some(mut run) if *run.get() + 1 == number => *run.get_mut() = number,
                _ => {
                    runs.insert(number, number);
                }
            }
        }
        let text = |(first, last): (usize, usize)| {
            if first == last {
                format!("match {first} of the schedule is missing")
            } else {
                format!("matches {first} to {last} of the schedule are missing")
            }
        };
        runs.into_iter().map(text).collect()
    }
}
