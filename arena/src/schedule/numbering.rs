//! Finds a match of the schedule by what it is. Its number may have been another: numbers move when engines come or go.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::{Job, Plan};
use crate::config::GameName;
use crate::record::Record;

/// The game, the opening, White's and Black's name: no two matches of a schedule agree in all.
type Key = (GameName, String, String, String);

/// The numbers of a schedule's matches.
#[derive(Debug)]
pub struct Numbering {
    plan: Plan,
    names: Vec<String>,
    /// Made when a match is looked for that has not kept its number.
    numbers: OnceCell<HashMap<Key, u32>>,
}

impl Numbering {
    /// The numbers in `plan`, whose contenders have these `names`, by index.
    pub fn new(plan: Plan, names: Vec<String>) -> Self {
        Self { plan, names, numbers: OnceCell::new() }
    }

    /// The match of the schedule that `record` is of, if there is one: its number and that of its pair.
    pub fn find(&self, record: &Record) -> Option<(u32, u32)> {
        let key = (record.game, record.opening.clone(), record.white.clone(), record.black.clone());
        let has_kept_its_number = (1..=self.plan.n_matches()).contains(&record.number)
            && self.key(self.plan.job(record.number)) == key;
        let number = if has_kept_its_number { record.number } else { *self.numbers().get(&key)? };
        Some((number, number.div_ceil(2)))
    }

    fn numbers(&self) -> &HashMap<Key, u32> {
        self.numbers.get_or_init(|| {
            self.plan
                .jobs()
                .map(|job| (job.number, self.key(job)))
                .map(|(number, key)| (key, number))
                .collect()
        })
    }

    fn key(&self, job: Job) -> Key {
        let [white, black] = job.contenders.map(|idx| self.names[idx].clone());
        (job.game, job.opening, white, black)
    }
}
