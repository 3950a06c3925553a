//! The faults of the engines: one sentence for each engine and cause, with the newest matches of it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use model::Record;
use report::{Faults, lost};
use serde::Serialize;

/// So many matches of a group are named.
const MOST_NEWEST: usize = 10;

/// All faults so far.
#[derive(Debug)]
pub struct FaultList {
    faults: Faults,
    groups: Vec<FaultGroup>,
    /// The index of the group of an engine, or of two at once, and a reason.
    places: BTreeMap<(Option<String>, String), usize>,
    /// The indices of the groups that have changed.
    changed: BTreeSet<usize>,
}

/// The faults of an engine with the same cause.
#[derive(Debug, Serialize)]
pub struct FaultGroup {
    place: usize,
    /// How many there are, in a sentence.
    text: String,
    #[serde(skip)]
    n: u32,
    /// The newest one last.
    newest: VecDeque<Fault>,
}

#[derive(Debug, Serialize)]
struct Fault {
    /// The name of the match in addresses.
    id: String,
    text: String,
}

impl FaultList {
    pub fn new() -> Self {
        Self { faults: Faults::all(), groups: Vec::new(), places: BTreeMap::new(), changed: BTreeSet::new() }
    }

    /// A match is over, which has this name in addresses.
    pub fn add(&mut self, record: &Record, id: &str) {
        let Some(text) = self.faults.line(record) else { return };
        let loser = record.loser();
        let place =
            *self.places.entry((loser.map(str::to_owned), record.reason.clone())).or_insert_with(|| {
                let place = self.groups.len();
                self.groups.push(FaultGroup { place, text: String::new(), n: 0, newest: VecDeque::new() });
                place
            });
        let group = &mut self.groups[place];
        group.n += 1;
        group.text = lost(loser, &record.reason, group.n);
        group.newest.push_back(Fault { id: id.to_owned(), text });
        if MOST_NEWEST < group.newest.len() {
            group.newest.pop_front();
        }
        self.changed.insert(place);
    }

    /// In the order of their first matches.
    pub fn all(&self) -> Vec<&FaultGroup> {
        self.groups.iter().collect()
    }

    /// Those that have changed since the last call.
    pub fn changed(&mut self) -> Vec<&FaultGroup> {
        let changed = std::mem::take(&mut self.changed);
        changed.into_iter().map(|place| &self.groups[place]).collect()
    }
}

#[cfg(test)]
mod tests {
    use model::samples;
    use serde_json::json;

    use super::*;

    #[test]
    fn faults_of_one_engine_and_cause_are_one_sentence() {
        let mut list = FaultList::new();
        let add = |list: &mut FaultList, number: u32, reason: &str, evidence: Option<&str>| {
            let (reason, evidence) = (reason.to_owned(), evidence.map(str::to_owned));
            list.add(&Record { number, reason, evidence, ..samples::record() }, &number.to_string());
        };
        add(&mut list, 1, "time", None);
        assert!(list.changed().is_empty(), "no fault");
        for number in 2..20 {
            add(&mut list, number, "time", Some("late"));
        }
        add(&mut list, 20, "crash", Some("ended with exit status: 3; no output"));
        let of = |groups: &[&FaultGroup]| {
            let words = |group: &&FaultGroup| json!([group.place, group.text, group.newest.back()]);
            groups.iter().map(words).collect::<Vec<_>>()
        };
        let time = json!([0, "two lost 18 matches: time exceeded", { "id": "19", "text": "match 19 (push-push): two loses, time exceeded" }]);
        let crash = json!([1, "two lost 1 match: crash", { "id": "20", "text": "match 20 (push-push): two loses, crash (exit status: 3)" }]);
        assert_eq!(of(&list.changed()), [time.clone(), crash.clone()]);
        assert_eq!(list.groups[0].newest.len(), MOST_NEWEST);
        add(&mut list, 21, "crash", Some("again"));
        assert_eq!(list.changed().len(), 1);
        assert_eq!(of(&list.all())[0], time);
    }
}
