//! The workers that the coordinator has heard of. Pure: it is told the time.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use super::message::State;
use super::quota::Quota;
use model::Worker;

/// The longest mark of a process.
const MOST_PROCESS: usize = 64;
/// The most workers that are known at the same time.
const MOST_WORKERS: usize = 10_000;
/// The most places of a worker.
const MOST_PLACES: u16 = 1024;
/// The most matches and orders of a worker.
const MOST_HELD: usize = 4 * MOST_PLACES as usize;
/// How often a worker may come or change its places within [`ARRIVALS_IN`]. Later it counts as absent.
const ARRIVALS: u32 = 20;
const ARRIVALS_IN: Duration = Duration::from_secs(600);

/// All workers.
#[derive(Debug)]
pub struct Roster {
    /// By name.
    entries: BTreeMap<String, Entry>,
    /// The workers that were set aside.
    without: BTreeSet<String>,
    /// The number of wrong results, by worker.
    wrong: BTreeMap<String, u32>,
    arrivals: Quota,
    /// Whether the server cannot be reached, so that no worker can be heard.
    is_cut: bool,
    /// Whether something has changed since the last call of [`Self::changed`].
    has_changed: bool,
}

#[derive(Debug)]
struct Entry {
    state: State,
    heard: Instant,
    n_matches: u32,
    is_lost: bool,
    /// The process that was heard before the present one.
    process_before: Option<String>,
    /// Whether two processes have this name.
    is_double: bool,
}

impl Roster {
    /// No workers. These do not count when they come.
    pub fn without(workers: impl Iterator<Item = String>) -> Self {
        Self {
            entries: BTreeMap::new(),
            without: workers.collect(),
            wrong: BTreeMap::new(),
            arrivals: Quota::new(ARRIVALS, ARRIVALS_IN),
            is_cut: false,
            has_changed: false,
        }
    }

    /// Whether a worker does not count.
    pub fn is_without(&self, name: &str) -> bool {
        self.without.contains(name)
    }

    /// Counts a wrong result of a worker. Returns the number of them.
    pub fn count_wrong(&mut self, name: &str) -> u32 {
        if MOST_WORKERS <= self.wrong.len() && !self.wrong.contains_key(name) {
            return 0;
        }
        let n_wrong = self.wrong.entry(name.to_owned()).or_default();
        *n_wrong += 1;
        *n_wrong
    }

    /// Looks which process sends the state of a worker, before [`Self::hear`]. Returns a warning, once, if two take turns. A
    /// worker that has started again has a new process, too, but the old one is silent.
    pub fn look_for_double(&mut self, name: &str, state: &State) -> Option<String> {
        let entry = self.entries.get_mut(name).filter(|entry| entry.state.process != state.process)?;
        let before = entry.process_before.replace(entry.state.process.clone());
        let is_double = before.as_ref() == Some(&state.process);
        (is_double && !std::mem::replace(&mut entry.is_double, true)).then(|| {
            format!("two workers have the name `{name}`: their matches are counted as those of one; give one of them another `--name`")
        })
    }

    /// Takes the state of a worker. Returns a warning for the user if it does not take part.
    pub fn hear(&mut self, name: &str, mut state: State, now: Instant) -> Option<String> {
        if self.is_without(name) {
            return None;
        }
        state.places = state.places.min(MOST_PLACES);
        state.holds.truncate(MOST_HELD);
        state.playing.truncate(MOST_HELD);
        state.process = state.process.chars().take(MOST_PROCESS).collect();
        for text in [&mut state.refusal, &mut state.problem] {
            *text = text.as_deref().map(in_short);
        }
        let n_entries = self.entries.len();
        if state.is_leaving {
            self.has_changed |= self.entries.remove(name).is_some();
            return None;
        }
        let places =
            |entry: &Entry| (!entry.is_lost && entry.state.refusal.is_none()).then_some(entry.state.places);
        let is_news =
            state.refusal.is_none() && self.entries.get(name).and_then(places) != Some(state.places);
        if is_news && !self.arrivals.takes(name, now) {
            return None;
        }
        // A server without room is one problem for all workers.
        let is_known = state.problem.is_some()
            && self
                .entries
                .iter()
                .any(|(other, entry)| other != name && entry.state.problem == state.problem);
        let known = self.entries.get_mut(name);
        let before = known.as_ref().map(|known| (&known.state.refusal, &known.state.problem));
        let is_new = before != Some((&state.refusal, &state.problem));
        let refusal = state.refusal.as_ref().map(|why| format!("worker `{name}` does not take part: {why}"));
        let problem = state.problem.as_ref().map(|what| format!("worker `{name}`: {what}"));
        let warning = refusal.or(problem.filter(|_| !is_known)).filter(|_| is_new);
        match known {
            Some(known) => {
                let was = (known.is_lost, known.state.places, known.state.playing.len());
                self.has_changed |= was != (false, state.places, state.playing.len());
                (known.state, known.heard, known.is_lost) = (state, now, false);
            }
            None if n_entries < MOST_WORKERS => {
                let entry = Entry {
                    state,
                    heard: now,
                    n_matches: 0,
                    is_lost: false,
                    process_before: None,
                    is_double: false,
                };
                self.entries.insert(name.to_owned(), entry);
                self.has_changed = true;
            }
            None => {}
        }
        warning
    }

    /// Counts matches that a worker has played.
    pub fn count(&mut self, name: &str, n_matches: usize) {
        if let Some(entry) = self.entries.get_mut(name) {
            entry.n_matches += n_matches as u32;
            self.has_changed = true;
        }
    }

    /// Finds workers that were silent for `lease`. Returns each with a warning.
    pub fn look(&mut self, now: Instant, lease: Duration) -> Vec<(String, String)> {
        if self.is_cut {
            self.entries.values_mut().for_each(|entry| entry.heard = now);
        }
        // A worker that does not take part has no pairs.
        let silent = self.entries.iter_mut().filter(|(_, entry)| {
            !entry.is_lost && entry.state.refusal.is_none() && entry.heard + lease <= now
        });
        let warnings: Vec<(String, String)> = silent
            .map(|(name, entry)| {
                entry.is_lost = true;
                let lease = humantime::format_duration(lease);
                let what = format!("worker `{name}` was silent for {lease}; other workers play its pairs");
                (name.clone(), what)
            })
            .collect();
        self.has_changed |= !warnings.is_empty();
        warnings
    }

    /// Says whether the server cannot be reached.
    pub const fn set_cut(&mut self, is_cut: bool) {
        self.is_cut = is_cut;
    }

    /// The number of places of all workers that take part.
    pub fn n_places(&self) -> usize {
        self.present().map(|(_, entry)| usize::from(entry.state.places)).sum()
    }

    /// The number of places of a worker.
    pub fn places(&self, name: &str) -> u16 {
        self.entries.get(name).map_or(0, |entry| entry.state.places)
    }

    /// Whether a worker takes part.
    pub fn takes_part(&self, name: &str) -> bool {
        self.present().any(|(known, _)| known == name)
    }

    /// The names of the workers that take part.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.present().map(|(name, _)| name.as_str())
    }

    /// The hashes of the orders that workers hold, each with whether its results can arrive.
    pub fn held(&self) -> HashMap<String, bool> {
        let holds = |entry: &Entry| {
            let can_arrive = entry.state.problem.is_none() && !self.is_cut;
            entry.state.holds.clone().into_iter().map(move |hash| (hash, can_arrive))
        };
        self.present().flat_map(|(_, entry)| holds(entry)).collect()
    }

    /// The number of workers that were heard of, and have not left.
    pub fn n_known(&self) -> usize {
        self.entries.len()
    }

    /// The number of workers that take part.
    pub fn n_workers(&self) -> usize {
        self.present().count()
    }

    /// The workers, if anything has changed since the last call.
    pub fn changed(&mut self) -> Option<Vec<Worker>> {
        if !std::mem::take(&mut self.has_changed) {
            return None;
        }
        let worker = |(name, entry): (&String, &Entry)| Worker {
            name: name.clone(),
            places: entry.state.places,
            n_playing: entry.state.playing.len() as u32,
            n_matches: entry.n_matches,
            is_lost: entry.is_lost,
        };
        let taking_part = self.entries.iter().filter(|(_, entry)| entry.state.refusal.is_none());
        Some(taking_part.map(worker).collect())
    }

    fn present(&self) -> impl Iterator<Item = (&String, &Entry)> {
        self.entries.iter().filter(|(_, entry)| !entry.is_lost && entry.state.refusal.is_none())
    }
}

/// A text from another machine, not longer than a screen. Its further lines are indented, so that none looks like a message
/// of this program.
pub fn in_short(text: &str) -> String {
    const LONGEST: usize = 1000;
    const MOST_LINES: usize = 10;
    let text: String = text.chars().take(LONGEST).collect();
    text.lines().take(MOST_LINES).collect::<Vec<_>>().join("\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_workers_with_one_name_are_found_and_one_that_starts_again_is_not() {
        let now = Instant::now();
        let mut roster = Roster::without(std::iter::empty());
        let mut hear = |process: &str| {
            let state = State { process: process.to_owned(), ..State::default() };
            let warning = roster.look_for_double("desk", &state);
            roster.hear("desk", state, now);
            warning.is_some()
        };
        assert_eq!(["a", "a", "b", "b", "c"].map(&mut hear), [false; 5], "it starts again");
        assert_eq!(["b", "c", "b"].map(&mut hear), [true, false, false], "the user is told once");
    }

    #[test]
    fn a_worker_is_silent_only_while_it_could_be_heard() {
        let (now, lease) = (Instant::now(), Duration::from_secs(10));
        let mut roster = Roster::without(std::iter::empty());
        let state = State { holds: vec!["h".to_owned()], ..State::default() };
        roster.hear("desk", state, now);
        roster.set_cut(true);
        assert!(roster.look(now + 2 * lease, lease).is_empty());
        assert_eq!(roster.held().get("h"), Some(&false));
        roster.set_cut(false);
        assert_eq!(roster.held().get("h"), Some(&true));
        assert!(roster.look(now + 2 * lease, lease).is_empty());
        assert_eq!(roster.look(now + 3 * lease, lease).len(), 1);
    }

    #[test]
    fn a_worker_that_comes_and_goes_is_left_out() {
        let now = Instant::now();
        let mut roster = Roster::without(std::iter::empty());
        let mut n_changes = 0;
        for turn in 0..1000 {
            let state = match turn % 3 {
                0 => State { places: 1 + turn, ..State::default() },
                1 => State { refusal: Some("no".to_owned()), ..State::default() },
                _ => State { is_leaving: true, ..State::default() },
            };
            roster.hear("liar", state, now);
            n_changes += usize::from(roster.takes_part("liar"));
        }
        assert_eq!(n_changes, 20);
        roster.hear("desk", State::default(), now);
        assert!(roster.takes_part("desk"));
        roster.hear("liar", State::default(), now + ARRIVALS_IN);
        assert!(roster.takes_part("liar"));
    }

    #[test]
    fn a_text_of_another_machine_does_not_look_like_a_message_of_this_one() {
        assert_eq!(in_short("no\nwarning: x"), "no\n  warning: x");
        assert_eq!(in_short(&"a\n".repeat(1000)).lines().count(), 10);
        assert_eq!(in_short(&"a".repeat(2000)).len(), 1000);
    }

    #[test]
    fn a_problem_of_the_server_is_shown_once() {
        let now = Instant::now();
        let mut roster = Roster::without(std::iter::empty());
        let mut hear = |name: &str, problem: Option<&str>| {
            let state = State { problem: problem.map(str::to_owned), ..State::default() };
            roster.hear(name, state, now).is_some()
        };
        assert!(hear("a", Some("full")) && !hear("a", Some("full")) && !hear("b", Some("full")));
        assert!(hear("b", Some("other")) && !hear("a", None) && !hear("b", None) && hear("a", Some("full")));
    }
}
