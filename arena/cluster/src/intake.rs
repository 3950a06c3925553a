//! What the pool does with what workers send: states, moves and outcomes.

use std::time::Instant;

use engine_proto::GameId;

use super::access::{LINK_LOST, LINK_RESTORED};
use super::audit::{Finding, Judgement};
use super::ledger::{Again, Open, OutcomeVerdict};
use super::link::{Command, Settled};
use super::message::{Moves, Outcome, State};
use super::pool::NatsPool;
use super::reception::Received;
use super::roster::in_short;
use model::{Moved, Record, SetAside};
use runner::pool::PoolEvent;

/// The longest texts of a move that is shown while its match runs.
const LONGEST_MOVE: usize = 100;
const LONGEST_LINE: usize = 1000;
/// A worker that has sent this number of wrong results is set aside.
const MOST_WRONG: u32 = 3;
/// That a worker has come or left is told at once if there are not more than these.
const TOLD_AT_ONCE: usize = 100;

/// The end of a message about an audit that nobody has asked for.
const AUDIT_ENDS: &str = "; nothing more is audited, unless the tournament file has `audit`";

impl NatsPool {
    pub(super) fn take(&mut self, heard: Received) {
        match heard {
            Received::Warning(message) => self.warn(message),
            Received::Connection(is_connected) => {
                self.roster.set_cut(!is_connected);
                self.warn(if is_connected { LINK_RESTORED } else { LINK_LOST }.to_owned());
            }
            Received::State { worker, state } => self.take_state(&worker, state),
            Received::Moves { worker, moves } => self.take_moves(&worker, moves),
            Received::About { worker, problem } => {
                let problem = in_short(&problem);
                self.warn_about(&worker, format!("worker `{worker}`: {problem}"));
            }
            Received::Outcome { worker, outcome, reply } => self.take_outcome(&worker, *outcome, reply),
        }
    }

    fn take_state(&mut self, worker: &str, state: State) {
        let n_before = self.roster.n_workers();
        let failed = state.refusal.clone().filter(|_| state.rules_failed && !self.programs.is_empty());
        let took_part = self.roster.takes_part(worker);
        let double = self.roster.look_for_double(worker, &state);
        let playing = state.playing.clone();
        let ledger = &self.ledger;
        let heard = self.roster.hear(worker, state, Instant::now(), |hash| ledger.order(hash).is_some());
        for message in double.into_iter().chain(heard.warning) {
            self.warn_about(worker, message);
        }
        heard.taken.iter().for_each(|hash| self.ledger.is_given(hash));
        for number in playing {
            self.begin(number, worker);
        }
        self.released(heard.released);
        let ledger = &self.ledger;
        let lacking =
            self.roster.take_lacking(worker, Instant::now(), |hash| ledger.order(hash).map(Open::engines));
        self.released(lacking);
        self.serve(worker);
        self.set_capacity();
        let is_last = took_part && self.roster.n_workers() == 0 && self.has_only_workers;
        if let Some(why) = failed.filter(|_| is_last) {
            let why = in_short(&why);
            self.rules_failed = Some(format!("worker `{worker}` was the last one that played, and {why}"));
        }
        if self.roster.n_workers() != n_before && self.roster.n_workers() <= TOLD_AT_ONCE {
            self.tell_workers();
        }
    }

    /// Whether a worker plays a match of an order that it has.
    fn begin(&mut self, number: u32, worker: &str) -> bool {
        let holder = self.ledger.hash_of(number).and_then(|hash| self.roster.holder(hash));
        if holder != Some(worker) {
            return false;
        }
        // Moves may come before the state that says that the match has begun.
        if self.begun.insert(number) {
            self.events.push_back((PoolEvent::Begun(number), None));
        }
        true
    }

    /// What a worker says about its matches in progress is only shown. The rules are checked where it is.
    fn take_moves(&mut self, worker: &str, Moves { moves, orders }: Moves) {
        let is_short = |moved: &Moved| {
            let line = moved.principal_variation.as_ref().map_or(0, String::len);
            let score = moved.score.as_ref().map_or(0, String::len);
            moved.mv.len().max(score) <= LONGEST_MOVE && line <= LONGEST_LINE
        };
        for moved in moves.into_iter().filter(is_short) {
            let is_open = orders.get(&moved.number).map(String::as_str) == self.ledger.hash_of(moved.number);
            if is_open && self.begin(moved.number, worker) {
                self.events.push_back((PoolEvent::Moved(moved), None));
            }
        }
    }

    fn take_outcome(&mut self, worker: &str, outcome: Outcome, reply: Option<String>) {
        let now = Instant::now();
        if self.ledger.order(&outcome.order).is_none() && self.may_open_later(now) {
            // The server delivers it again.
            return;
        }
        let (pair, order) = (outcome.pair, outcome.order.clone());
        let games: Vec<GameId> = outcome.records.iter().map(|record| record.game).collect();
        let settled = Settled { worker: worker.to_owned(), order, reply };
        let verdict = if self.roster.is_without(worker) {
            OutcomeVerdict::NotWanted
        } else {
            self.ledger.take(worker, self.roster.n_workers(), outcome)
        };
        // This machine cannot judge the outcome. It stays in the store.
        if matches!(verdict, OutcomeVerdict::Wrong { .. })
            && let Some(why) = games.iter().find_map(|game| self.ledger.games.failure_of(*game))
        {
            self.rules_failed = Some(why);
            return;
        }
        match verdict {
            OutcomeVerdict::Accepted { closed, records, judgement } => {
                self.closed(&closed.hash, worker);
                self.accept(worker, records, Some(settled));
                match judgement {
                    Some(Judgement::Wrong { worker, difference }) => {
                        self.take_finding(pair, worker, &difference);
                    }
                    Some(Judgement::Undecided { difference }) => {
                        let end = match self.ledger.audit.is_undecided() {
                            Finding::NoUse => AUDIT_ENDS,
                            Finding::SetAside | Finding::Suspect => "",
                        };
                        self.warn(format!(
                            "audit: three workers have played pair {pair} in three ways ({difference}), so no worker is found wrong; an engine does not always play the same moves with the same limits{end}"
                        ));
                    }
                    Some(Judgement::Same | Judgement::Open { .. }) | None => {}
                }
            }
            OutcomeVerdict::Audited { again, difference } => {
                self.order_again(*again, worker, settled);
                if let Some(difference) = difference {
                    self.warn(format!("audit: {difference}; a third worker decides which one is wrong"));
                }
            }
            OutcomeVerdict::Wrong { why, again } => {
                self.order_again(*again, worker, settled);
                let why = in_short(&why);
                self.warn_about(
                    worker,
                    format!(
                        "worker `{worker}` sent a wrong result of pair {pair}, which is played again: {why}"
                    ),
                );
                if self.roster.count_wrong(worker) == MOST_WRONG {
                    let why = format!("it has sent {MOST_WRONG} wrong results; the last one: {why}");
                    self.found_wrong(SetAside { worker: worker.to_owned(), why });
                }
            }
            OutcomeVerdict::NotWanted => self.command(Command::Settle(settled)),
        }
        self.serve(worker);
    }

    /// The audit has found a worker wrong.
    fn take_finding(&mut self, pair: u32, worker: String, difference: &str) {
        let what = format!("the audit of pair {pair} found that it differs from two others: {difference}");
        match self.ledger.audit.is_wrong(&worker) {
            Finding::SetAside => self.found_wrong(SetAside { worker, why: what }),
            Finding::Suspect => self.warn(format!("worker `{worker}`: {what}")),
            Finding::NoUse => self.warn(format!(
                "worker `{worker}`: {what}; another worker was the one that differed before, so an engine does not always play the same moves with the same limits{AUDIT_ENDS}"
            )),
        }
    }

    /// No second worker plays a pair that was to be audited: it counts as it is.
    pub(super) fn accept_without_audit(&mut self, pair: u32) {
        if let Some((closed, play)) = self.ledger.accept_without_audit(pair) {
            self.roster.take_away(&closed.hash, Instant::now());
            self.accept(&play.worker, play.records, None);
        }
    }

    /// An order was answered.
    fn closed(&mut self, hash: &str, worker: &str) {
        let now = Instant::now();
        let held = self.roster.take_away(hash, now).filter(|(holder, _)| holder == worker);
        self.roster.has_answered(worker, held.is_some());
        if let Some((_, time)) = held {
            self.longest = self.longest.max(time);
        }
    }

    fn accept(&mut self, worker: &str, records: Vec<Record>, settled: Option<Settled>) {
        let own = |record: &&Record| record.worker.as_deref() == Some(worker);
        self.roster.count(worker, records.iter().filter(own).count());
        for record in records {
            if self.ledger.are_trusted([&record.white, &record.black]) {
                self.tally.add(&record);
            }
            if !self.begun.remove(&record.number) {
                self.events.push_back((PoolEvent::Begun(record.number), None));
            }
            self.events.push_back((PoolEvent::Finished(Box::new(record)), None));
        }
        if let Some((_, last)) = self.events.back_mut() {
            *last = settled;
        }
        let places = self.roster.places(worker);
        let Some(different) = self.tally.compare(worker, places, self.roster.n_known()) else { return };
        if different.is_certain && 1 < self.roster.n_workers() {
            self.found_wrong(SetAside { worker: different.worker, why: different.why });
        } else {
            self.warn(format!(
                "the results of worker `{worker}` are not those of the others: {}; check the machines",
                different.why
            ));
        }
    }

    fn order_again(&mut self, Again { closed, opened }: Again, worker: &str, settled: Settled) {
        self.closed(&closed.hash, worker);
        self.command(Command::Settle(settled));
        self.opened(&opened);
    }
}
