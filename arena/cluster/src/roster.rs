//! The workers that the coordinator has heard of, and the orders that each of them has. Pure: it is told the time. What is
//! counted over all workers is counted as it changes, so that a message costs the same with one worker and with thousands.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
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
/// The most engines that a worker may lack. If it lacks more, it gets orders that it does not take.
const MOST_LACKED: usize = 1000;
/// How often a worker may come or change its places within [`ARRIVALS_IN`]. Later it counts as absent.
const ARRIVALS: u32 = 20;
const ARRIVALS_IN: Duration = Duration::from_secs(600);
/// A worker that has kept this number of orders gets one at a time.
const MOST_KEPT: u32 = 3;

/// All workers.
#[derive(Debug)]
pub struct Roster {
    /// By name.
    entries: BTreeMap<String, Entry>,
    /// The workers that have the open orders, by hash.
    holders: HashMap<String, String>,
    /// The workers with a free place, those with the fewest orders first.
    free: BTreeSet<(usize, String)>,
    /// The orders that were given, in the order of time, with their workers.
    given: VecDeque<(Instant, String, String)>,
    /// The number of workers that take part, and of their places.
    n_workers: usize,
    n_places: usize,
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
    /// Its last state, without the hashes that it holds.
    state: State,
    heard: Instant,
    n_matches: u32,
    is_lost: bool,
    /// The open orders that it has, by hash.
    orders: HashMap<String, Held>,
    /// The number of pairs that it plays in addition: they are not open.
    n_others: usize,
    /// The engines of an open tournament that it cannot play.
    lacks: HashSet<String>,
    /// The number of orders that it has kept since it has sent a result.
    n_kept: u32,
    /// Its number of orders in the list of workers with a free place.
    free_with: Option<usize>,
    /// The process that was heard before the present one.
    process_before: Option<String>,
    /// Whether two processes have this name.
    is_double: bool,
}

/// What a worker must have to play a pair of an open tournament.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The engines.
    pub engines: [&'a str; 2],
    /// Whether one of them plays in the strict sandbox only.
    pub needs_sandbox: bool,
}

/// An order that a worker has.
#[derive(Clone, Copy, Debug)]
struct Held {
    since: Instant,
    /// Whether the worker has said so.
    is_reported: bool,
}

/// What follows from a state.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct StateChange {
    /// A warning for the user.
    pub warning: Option<String>,
    /// The orders that the worker has, and was not given: it may have them from an earlier run.
    pub taken: Vec<String>,
    /// The orders that it no longer has.
    pub released: Vec<String>,
}

/// An order that a worker has kept.
#[derive(Debug, PartialEq, Eq)]
pub struct Kept {
    pub worker: String,
    /// The hash of the order.
    pub hash: String,
    /// For how long.
    pub time: Duration,
}

impl Entry {
    const fn takes_part(&self) -> bool {
        !self.is_lost && self.state.refusal.is_none()
    }

    fn has_place(&self) -> bool {
        let most = if self.n_kept < MOST_KEPT { usize::from(self.state.places) } else { 1 };
        self.takes_part() && !self.state.pauses && self.orders.len() + self.n_others < most
    }
}

impl Roster {
    /// No workers. These do not count when they come.
    pub fn without(workers: impl Iterator<Item = String>) -> Self {
        Self {
            entries: BTreeMap::new(),
            holders: HashMap::new(),
            free: BTreeSet::new(),
            given: VecDeque::new(),
            n_workers: 0,
            n_places: 0,
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

    /// Takes the state of a worker. `is_open` knows the hashes of the open orders.
    pub fn hear(
        &mut self,
        name: &str,
        mut state: State,
        now: Instant,
        is_open: impl Fn(&str) -> bool,
    ) -> StateChange {
        if self.is_without(name) {
            return StateChange::default();
        }
        bound(&mut state);
        if state.is_leaving {
            return StateChange { released: self.remove(name), ..StateChange::default() };
        }
        let places = |entry: &Entry| entry.takes_part().then_some(entry.state.places);
        let is_news =
            state.refusal.is_none() && self.entries.get(name).and_then(places) != Some(state.places);
        if is_news && !self.arrivals.takes(name, now) {
            return StateChange::default();
        }
        let warning = self.warning(name, &state);
        let holds = std::mem::take(&mut state.holds);
        let lacks = std::mem::take(&mut state.lacks).into_iter().collect();
        if let Some(known) = self.entries.get_mut(name) {
            let was = (known.is_lost, known.state.places, known.state.playing.len());
            self.has_changed |= was != (false, state.places, state.playing.len());
            self.uncount(name);
            let known = self.entries.get_mut(name).expect("it is known");
            (known.state, known.heard, known.is_lost) = (state, now, false);
        } else if self.entries.len() < MOST_WORKERS {
            let entry = Entry {
                state,
                heard: now,
                n_matches: 0,
                is_lost: false,
                orders: HashMap::new(),
                n_others: 0,
                lacks: HashSet::new(),
                n_kept: 0,
                free_with: None,
                process_before: None,
                is_double: false,
            };
            self.entries.insert(name.to_owned(), entry);
            self.has_changed = true;
        } else {
            return StateChange { warning, ..StateChange::default() };
        }
        self.entries.get_mut(name).expect("it is known").lacks = lacks;
        let (taken, released) = self.reconcile(name, &holds, now, is_open);
        self.count_again(name);
        StateChange { warning, taken, released }
    }

    /// Compares the orders that a worker has with those that it says to hold.
    fn reconcile(
        &mut self,
        name: &str,
        holds: &[String],
        now: Instant,
        is_open: impl Fn(&str) -> bool,
    ) -> (Vec<String>, Vec<String>) {
        let entry = self.entries.get_mut(name).expect("it is known");
        let holds: HashSet<&String> = holds.iter().filter(|hash| is_open(hash)).collect();
        let n_holds = holds.len();
        let takes_part = entry.takes_part();
        // An order that was given is on its way until it was reported once.
        let is_gone = |hash: &String, held: &Held| !takes_part || held.is_reported && !holds.contains(hash);
        let released: Vec<String> = entry
            .orders
            .iter()
            .filter(|(hash, held)| is_gone(hash, held))
            .map(|(hash, _)| hash.clone())
            .collect();
        for hash in &released {
            entry.orders.remove(hash);
            self.holders.remove(hash);
        }
        let mut taken = Vec::new();
        for hash in holds {
            if let Some(held) = entry.orders.get_mut(hash) {
                held.is_reported = true;
            } else if takes_part && !self.holders.contains_key(hash) {
                entry.orders.insert(hash.clone(), Held { since: now, is_reported: true });
                self.holders.insert(hash.clone(), name.to_owned());
                taken.push(hash.clone());
            }
        }
        entry.n_others = entry.state.playing.len().saturating_sub(n_holds);
        (taken, released)
    }

    /// What the user should know of a state that is not that of before.
    fn warning(&self, name: &str, state: &State) -> Option<String> {
        let before = self.entries.get(name).map(|known| (&known.state.refusal, &known.state.problem));
        if before.unwrap_or((&None, &None)) == (&state.refusal, &state.problem) {
            return None;
        }
        if let Some(why) = &state.refusal {
            return Some(format!("worker `{name}` does not take part: {why}"));
        }
        let what = state.problem.as_ref()?;
        // A server without room is one problem for all workers.
        let has = |entry: &Entry| entry.state.problem.as_ref() == Some(what);
        let is_known = self.entries.iter().any(|(other, entry)| other != name && has(entry));
        (!is_known).then(|| format!("worker `{name}`: {what}"))
    }

    /// Removes a worker. Returns the orders that it had.
    fn remove(&mut self, name: &str) -> Vec<String> {
        self.uncount(name);
        let Some(entry) = self.entries.remove(name) else { return Vec::new() };
        self.has_changed = true;
        entry.orders.into_keys().inspect(|hash| drop(self.holders.remove(hash))).collect()
    }

    /// Takes a worker out of the sums, before it changes.
    fn uncount(&mut self, name: &str) {
        let Some(entry) = self.entries.get_mut(name) else { return };
        if let Some(n_orders) = entry.free_with.take() {
            self.free.remove(&(n_orders, name.to_owned()));
        }
        if entry.takes_part() {
            self.n_workers -= 1;
            self.n_places -= usize::from(entry.state.places);
        }
    }

    /// Adds it to the sums again.
    fn count_again(&mut self, name: &str) {
        let Some(entry) = self.entries.get_mut(name) else { return };
        if entry.takes_part() {
            self.n_workers += 1;
            self.n_places += usize::from(entry.state.places);
        }
        if entry.has_place() {
            entry.free_with = Some(entry.orders.len());
            self.free.insert((entry.orders.len(), name.to_owned()));
        }
    }

    fn change(&mut self, name: &str, change: impl FnOnce(&mut Entry)) {
        self.uncount(name);
        if let Some(entry) = self.entries.get_mut(name) {
            change(entry);
        }
        self.count_again(name);
    }

    /// Gives the order with this hash to a worker.
    pub fn give(&mut self, hash: &str, name: &str, now: Instant) {
        let held = Held { since: now, is_reported: false };
        self.change(name, |entry| {
            entry.orders.insert(hash.to_owned(), held);
        });
        self.holders.insert(hash.to_owned(), name.to_owned());
        self.given.push_back((now, hash.to_owned(), name.to_owned()));
    }

    /// The order with this hash is no longer open, or is taken from the worker that has it. Returns the worker, and for how
    /// long it had the order.
    pub fn take_away(&mut self, hash: &str, now: Instant) -> Option<(String, Duration)> {
        let name = self.holders.remove(hash)?;
        let mut since = now;
        self.change(&name, |entry| since = entry.orders.remove(hash).map_or(now, |held| held.since));
        Some((name, now.saturating_duration_since(since)))
    }

    /// A worker has sent a result: it has a place again, even if it had the order from an earlier run.
    pub fn has_answered(&mut self, name: &str, was_given: bool) {
        self.change(name, |entry| {
            entry.n_kept = 0;
            entry.n_others = entry.n_others.saturating_sub(usize::from(!was_given));
        });
    }

    /// The number of open orders that workers have.
    pub fn n_held(&self) -> usize {
        self.holders.len()
    }

    /// The worker that has the order with this hash.
    pub fn holder(&self, hash: &str) -> Option<&str> {
        self.holders.get(hash).map(String::as_str)
    }

    /// The workers with a free place, those with the fewest orders first.
    pub fn free(&self) -> impl Iterator<Item = &str> {
        self.free.iter().map(|(_, name)| name.as_str())
    }

    /// Whether a worker has a free place.
    pub fn is_free(&self, name: &str) -> bool {
        self.entries.get(name).is_some_and(|entry| entry.free_with.is_some())
    }

    /// Takes the orders away that were given before `lease`, and that their workers, though heard, do not report.
    pub fn take_unreported(&mut self, now: Instant, lease: Duration) -> Vec<Kept> {
        let mut kept = Vec::new();
        while self.given.front().is_some_and(|(given, ..)| *given + lease <= now) {
            let Some((given, hash, worker)) = self.given.pop_front() else { break };
            let held = self.entries.get(&worker).and_then(|entry| entry.orders.get(&hash));
            if held.is_some_and(|held| !held.is_reported && held.since == given) {
                self.take_away(&hash, now);
                self.change(&worker, |entry| entry.n_kept += 1);
                kept.push(Kept { worker, hash, time: now.saturating_duration_since(given) });
            }
        }
        kept
    }

    /// The orders that a worker has for this time.
    pub fn held_for(&self, time: Duration, now: Instant) -> Vec<Kept> {
        let of = |(worker, entry): (&String, &Entry)| {
            let kept = |(hash, held): (&String, &Held)| Kept {
                worker: worker.clone(),
                hash: hash.clone(),
                time: now.saturating_duration_since(held.since),
            };
            entry.orders.iter().map(kept).filter(|kept| kept.time >= time).collect::<Vec<_>>()
        };
        self.entries.iter().flat_map(of).collect()
    }

    /// A worker has kept an order for too long.
    pub fn count_kept(&mut self, name: &str) {
        self.change(name, |entry| entry.n_kept += 1);
    }

    /// Counts matches that a worker has played.
    pub fn count(&mut self, name: &str, n_matches: usize) {
        if let Some(entry) = self.entries.get_mut(name) {
            entry.n_matches += n_matches as u32;
            self.has_changed = true;
        }
    }

    /// Finds workers that were silent for `lease`. Returns each with the orders that it had.
    pub fn look(&mut self, now: Instant, lease: Duration) -> Vec<(String, Vec<String>)> {
        if self.is_cut {
            self.entries.values_mut().for_each(|entry| entry.heard = now);
        }
        // A worker that does not take part has no pairs.
        let silent: Vec<String> = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.takes_part() && entry.heard + lease <= now)
            .map(|(name, _)| name.clone())
            .collect();
        self.has_changed |= !silent.is_empty();
        let lose = |name: String| {
            let mut orders = Vec::new();
            self.change(&name, |entry| {
                entry.is_lost = true;
                orders = entry.orders.drain().map(|(hash, _)| hash).collect();
            });
            for hash in &orders {
                self.holders.remove(hash);
            }
            (name, orders)
        };
        silent.into_iter().map(lose).collect()
    }

    /// Says whether the server cannot be reached.
    pub const fn set_cut(&mut self, is_cut: bool) {
        self.is_cut = is_cut;
    }

    /// The number of places of all workers that take part.
    pub const fn n_places(&self) -> usize {
        self.n_places
    }

    /// The number of workers that take part.
    pub const fn n_workers(&self) -> usize {
        self.n_workers
    }

    /// The number of places of a worker.
    pub fn places(&self, name: &str) -> u16 {
        self.entries.get(name).map_or(0, |entry| entry.state.places)
    }

    /// Takes the orders away that a worker was given, and cannot play, as it has said meanwhile. `engines_of` knows the engines of
    /// open orders.
    pub fn take_lacking<'a>(
        &mut self,
        name: &str,
        now: Instant,
        engines_of: impl Fn(&str) -> Option<[&'a str; 2]>,
    ) -> Vec<String> {
        let Some(entry) = self.entries.get(name).filter(|entry| !entry.lacks.is_empty()) else {
            return Vec::new();
        };
        let lacks = |hash: &str| {
            engines_of(hash).is_some_and(|engines| engines.iter().any(|engine| entry.lacks.contains(*engine)))
        };
        let orders = entry.orders.iter().filter(|(hash, held)| !held.is_reported && lacks(hash));
        let hashes: Vec<String> = orders.map(|(hash, _)| hash.clone()).collect();
        for hash in &hashes {
            self.take_away(hash, now);
        }
        hashes
    }

    /// Whether a worker can play a pair, as far as it has said.
    pub fn can_play(&self, name: &str, Wanted { engines, needs_sandbox }: Wanted<'_>) -> bool {
        self.entries.get(name).is_some_and(|entry| {
            (entry.state.has_strict_sandbox || !needs_sandbox)
                && engines.iter().all(|engine| !entry.lacks.contains(*engine))
        })
    }

    /// Whether workers take part, and none of them can play a pair.
    pub fn nobody_can_play(&self, wanted: Wanted<'_>) -> bool {
        0 < self.n_workers && !self.names().any(|name| self.can_play(name, wanted))
    }

    /// Whether a worker takes part.
    pub fn takes_part(&self, name: &str) -> bool {
        self.entries.get(name).is_some_and(Entry::takes_part)
    }

    /// The names of the workers that take part.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.entries.iter().filter(|(_, entry)| entry.takes_part()).map(|(name, _)| name.as_str())
    }

    /// Whether a worker has the order with this hash, and its results can arrive.
    pub fn can_answer(&self, hash: &str) -> bool {
        let entry = self.holder(hash).and_then(|name| self.entries.get(name));
        !self.is_cut && entry.is_some_and(|entry| entry.state.problem.is_none())
    }

    /// The number of workers that were heard of, and have not left.
    pub fn n_known(&self) -> usize {
        self.entries.len()
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
}

/// Bounds what another machine says.
fn bound(state: &mut State) {
    state.places = state.places.min(MOST_PLACES);
    state.holds.truncate(MOST_HELD);
    state.lacks.truncate(MOST_LACKED);
    state.playing.truncate(MOST_HELD);
    state.process = state.process.chars().take(MOST_PROCESS).collect();
    for text in [&mut state.refusal, &mut state.problem] {
        *text = text.as_deref().map(in_short);
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
            hear_state(&mut roster, "desk", state, now);
            warning.is_some()
        };
        assert_eq!(["a", "a", "b", "b", "c"].map(&mut hear), [false; 5], "it starts again");
        assert_eq!(["b", "c", "b"].map(&mut hear), [true, false, false], "the user is told once");
    }

    #[test]
    fn a_worker_is_silent_only_while_it_could_be_heard() {
        let (now, lease) = (Instant::now(), Duration::from_secs(10));
        let mut roster = Roster::without(std::iter::empty());
        hear_state(&mut roster, "desk", holding(&["h"]), now);
        roster.set_cut(true);
        assert!(roster.look(now + 2 * lease, lease).is_empty() && !roster.can_answer("h"));
        roster.set_cut(false);
        assert!(roster.look(now + 2 * lease, lease).is_empty() && roster.can_answer("h"));
        let lost = [("desk".to_owned(), vec!["h".to_owned()])];
        assert_eq!(roster.look(now + 3 * lease, lease), lost);
        assert_eq!((roster.holder("h"), roster.n_workers(), roster.n_places()), (None, 0, 0));
    }

    #[test]
    fn an_order_whose_engines_a_worker_lacks_is_taken_away_at_once() {
        let now = Instant::now();
        let mut roster = Roster::without(std::iter::empty());
        hear_state(&mut roster, "desk", holding(&[]), now);
        assert!(
            roster.can_play("desk", wanted(["one", "two"]))
                && !roster.nobody_can_play(wanted(["one", "two"]))
        );
        roster.give("h", "desk", now);
        let lacks = State { lacks: vec!["two".to_owned()], ..holding(&[]) };
        hear_state(&mut roster, "desk", lacks, now);
        assert!(
            roster.nobody_can_play(wanted(["one", "two"]))
                && !roster.nobody_can_play(wanted(["one", "three"]))
        );
        let engines_of = |engines: [&'static str; 2]| move |_: &str| Some(engines);
        assert!(roster.take_lacking("desk", now, engines_of(["one", "three"])).is_empty());
        assert_eq!(roster.take_lacking("desk", now, engines_of(["one", "two"])), ["h"]);
        assert!(roster.holder("h").is_none() && roster.is_free("desk"));
        // It may get what it lacks.
        hear_state(&mut roster, "desk", holding(&[]), now);
        assert!(roster.can_play("desk", wanted(["one", "two"])));
    }

    #[test]
    fn an_order_that_is_not_reported_goes_to_others_and_one_that_is_given_back_at_once() {
        let (now, lease) = (Instant::now(), Duration::from_secs(10));
        let mut roster = Roster::without(std::iter::empty());
        hear_state(&mut roster, "desk", holding(&[]), now);
        assert!(roster.is_free("desk"));
        for hash in ["a", "b"] {
            roster.give(hash, "desk", now);
        }
        assert!(!roster.is_free("desk") && roster.holder("a") == Some("desk"));
        let heard = hear_state(&mut roster, "desk", holding(&["a"]), now);
        assert_eq!(heard, StateChange::default(), "the other one may be on its way");
        let heard = hear_state(&mut roster, "attic", holding(&["a", "c"]), now);
        assert_eq!(heard.taken, ["c"], "the first worker that has it is believed");
        assert!(roster.take_unreported(now + lease / 2, lease).is_empty());
        let kept = Kept { worker: "desk".to_owned(), hash: "b".to_owned(), time: lease };
        assert_eq!(roster.take_unreported(now + lease, lease), [kept]);
        assert_eq!(roster.holder("b"), None);
        assert_eq!(hear_state(&mut roster, "desk", holding(&[]), now).released, ["a"]);
        assert_eq!(roster.take_away("c", now + lease), Some(("attic".to_owned(), lease)));
    }

    #[test]
    fn who_keeps_orders_gets_one_at_a_time_until_it_sends_a_result() {
        let (now, lease) = (Instant::now(), Duration::from_secs(10));
        let mut roster = Roster::without(std::iter::empty());
        hear_state(&mut roster, "liar", holding(&[]), now);
        for hash in ["a", "b", "c"] {
            roster.give(hash, "liar", now);
            roster.take_unreported(now + lease, lease);
        }
        roster.give("d", "liar", now);
        assert!(!roster.is_free("liar"));
        roster.has_answered("liar", true);
        assert!(roster.is_free("liar"));
    }

    const fn wanted(engines: [&str; 2]) -> Wanted<'_> {
        Wanted { engines, needs_sandbox: false }
    }

    #[test]
    fn engines_of_strangers_are_for_workers_with_the_strict_sandbox() {
        let now = Instant::now();
        let mut roster = Roster::without(std::iter::empty());
        let strange = Wanted { needs_sandbox: true, ..wanted(["one", "two"]) };
        assert!(!roster.nobody_can_play(strange), "nobody is there yet");
        hear_state(&mut roster, "trusting", State::default(), now);
        assert!(roster.can_play("trusting", wanted(["one", "two"])));
        assert!(!roster.can_play("trusting", strange) && roster.nobody_can_play(strange));
        hear_state(&mut roster, "safe", State { has_strict_sandbox: true, ..State::default() }, now);
        assert!(roster.can_play("safe", strange) && !roster.nobody_can_play(strange));
        // It no longer has it.
        hear_state(&mut roster, "safe", State::default(), now);
        assert!(roster.nobody_can_play(strange));
    }

    /// A worker with two places that holds these orders.
    fn holding(holds: &[&str]) -> State {
        let holds = holds.iter().map(|hash| (*hash).to_owned()).collect();
        State { places: 2, holds, ..State::default() }
    }

    fn hear_state(roster: &mut Roster, name: &str, state: State, now: Instant) -> StateChange {
        roster.hear(name, state, now, |_| true)
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
            hear_state(&mut roster, "liar", state, now);
            n_changes += usize::from(roster.takes_part("liar"));
        }
        assert_eq!(n_changes, 20);
        hear_state(&mut roster, "desk", State::default(), now);
        assert!(roster.takes_part("desk"));
        hear_state(&mut roster, "liar", State::default(), now + ARRIVALS_IN);
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
            hear_state(&mut roster, name, state, now).warning.is_some()
        };
        assert!(hear("a", Some("full")) && !hear("a", Some("full")) && !hear("b", Some("full")));
        assert!(hear("b", Some("other")) && !hear("a", None) && !hear("b", None) && hear("a", Some("full")));
    }
}
