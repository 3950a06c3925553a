//! The pool of all workers: pairs go out as orders, matches come in as outcomes. An outcome is settled after the journal
//! has its matches: when the conductor asks for the next event, it has written the one before.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use async_nats::Client;
use engine_proto::GameId;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::access::{LINK_LOST, LINK_RESTORED};
use super::audit::{Audit, Judgement};
use super::ledger::{Again, Ledger, Verdict};
use super::link::{Command, Link, Settled};
use super::message::{Invitation, Moves, Outcome};
use super::parcels::Packed;
use super::quota::{Quota, Taken};
use super::reception::Heard;
use super::roster::{Roster, in_short};
use super::store;
use super::subject::Names;
use super::tally::Tally;
use model::{Job, Moved, Record, SetAside, Tournament};
use opponent::Shortage;
use runner::pool::{Pool, PoolError, PoolEvent};

/// The interval in which workers are looked at.
const LOOK: Duration = Duration::from_millis(500);
/// How long the end of the connection may take.
const END: Duration = Duration::from_secs(4);
/// The number of warnings about a worker within [`WARNINGS_IN`]. More are not shown.
const WARNINGS: u32 = 20;
const WARNINGS_IN: Duration = Duration::from_secs(600);
/// The longest texts of a move that is shown while its match runs.
const LONGEST_MOVE: usize = 100;
const LONGEST_LINE: usize = 1000;
/// A worker that has sent this number of wrong results is set aside.
const MOST_WRONG: u32 = 3;

/// What a coordinator knows before it plays.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The workers that were set aside.
    pub set_aside: Vec<SetAside>,
    /// The matches of earlier runs.
    pub tally: Tally,
    /// Whether somebody watches the moves.
    pub wants_moves: bool,
    /// The files that workers get.
    pub packed: Vec<Packed>,
}

/// The pool of all workers.
#[derive(Debug)]
pub struct NatsPool {
    ledger: Ledger,
    roster: Roster,
    tally: Tally,
    /// A worker that was found wrong. The tournament continues without its matches.
    set_aside: Option<SetAside>,
    /// Whether the user knows that an audit needs another worker.
    is_said: bool,
    /// The rules of a game cannot be asked any more: why.
    rules_failed: Option<String>,
    /// Whether no match is played on this machine.
    has_only_workers: bool,
    lease: Duration,
    /// The number of pairs that an earlier run has ordered, until the first event.
    n_earlier: usize,
    /// The most pairs that are ordered before a worker has played them.
    capacity: usize,
    /// The matches that have begun, with the workers that play them.
    begun: HashMap<u32, Claim>,
    /// The games whose rules are programs.
    programs: Vec<GameId>,
    warnings: Quota,
    /// Events that were not returned yet. An outcome is settled after its last event.
    events: VecDeque<(PoolEvent, Option<Settled>)>,
    /// Outcomes whose events were returned.
    returned: Vec<Settled>,
    is_aborted: bool,
    /// The number of matches that workers have begun, and that are not waited for: their results do not arrive.
    n_given_up: usize,
    /// When the workers are looked at next.
    look_at: tokio::time::Instant,
    commands: UnboundedSender<Command>,
    heard: UnboundedReceiver<Heard>,
    link: JoinHandle<Result<(), async_nats::SubscribeError>>,
    /// Keeps the engines' files in the store.
    parcels: Option<JoinHandle<()>>,
}

/// A worker says that it plays a match of this order. The first one to say so is believed, for as long as it takes part.
#[derive(Debug)]
struct Claim {
    hash: String,
    worker: String,
}

impl NatsPool {
    /// The pool of the workers that accept the invitation. `id` is the id of the tournament; `say` shows what is waited
    /// for.
    ///
    /// # Errors
    /// If the server cannot keep the orders.
    pub async fn open(
        client: Client,
        id: &str,
        invitation: &Invitation,
        known: Known,
        say: impl FnMut(&str),
    ) -> Result<Self, PoolError> {
        let Known { set_aside, tally, wants_moves, packed } = known;
        let roster = Roster::without(set_aside.iter().map(|worker| worker.worker.clone()));
        let keeping = client.clone();
        let link = Link::open(client, Names::new(id), invitation, say).await;
        let link = link.map_err(PoolError::Connection)?.with(set_aside, wants_moves);
        if !packed.is_empty() {
            // Before the tournament is announced. Whatever goes wrong is tried again, and shown.
            let _ = store::put(&keeping, &packed).await;
        }
        let (commands, obeyed) = unbounded_channel();
        let (told, heard) = unbounded_channel();
        let warning = told.clone();
        let parcels = (!packed.is_empty()).then(|| {
            let say = move |why| drop(warning.send(Heard::Warning(why)));
            tokio::spawn(store::keep(keeping, packed, say))
        });
        let mut pool = Self {
            ledger: Ledger::new(link.invitation(), Audit::new(invitation.tournament.machines.audit)),
            roster,
            tally,
            set_aside: None,
            is_said: false,
            rules_failed: None,
            has_only_workers: true,
            lease: Duration::from_millis(invitation.lease_ms),
            n_earlier: link.n_earlier(),
            capacity: 0,
            begun: HashMap::new(),
            programs: programs(&invitation.tournament),
            warnings: Quota::new(WARNINGS, WARNINGS_IN),
            events: VecDeque::new(),
            returned: Vec::new(),
            is_aborted: false,
            n_given_up: 0,
            look_at: tokio::time::Instant::now() + LOOK,
            commands,
            heard,
            link: tokio::spawn(link.run(obeyed, told)),
            parcels,
        };
        pool.set_capacity();
        Ok(pool)
    }

    /// The pool of a coordinator that plays, too.
    #[must_use]
    pub fn beside_own_places(self) -> Self {
        Self { has_only_workers: false, ..self }
    }

    /// Whether the job belongs to the pair that is being put together.
    pub fn completes(&self, job: &Job) -> bool {
        self.ledger.completes(job)
    }

    /// One pair more than there are places for each worker, so that none waits for the coordinator. At least one, which
    /// waits for the first worker.
    fn set_capacity(&mut self) {
        let n_for_workers = self.roster.n_places() + self.roster.n_workers();
        self.capacity = n_for_workers.max(self.n_earlier).max(1);
    }

    /// Settles the outcomes whose matches the journal has.
    fn settle(&mut self) {
        for settled in std::mem::take(&mut self.returned) {
            self.command(Command::Settle(settled));
        }
    }

    fn command(&self, command: Command) {
        // Sending fails only after the connection has ended, which `next` reports.
        let _ = self.commands.send(command);
    }

    fn take(&mut self, heard: Heard) {
        match heard {
            Heard::Warning(message) => self.warn(message),
            Heard::Connection(is_connected) => {
                self.roster.set_cut(!is_connected);
                self.warn(if is_connected { LINK_RESTORED } else { LINK_LOST }.to_owned());
            }
            Heard::State { worker, state } => {
                let held: HashSet<&String> = state.holds.iter().collect();
                for &number in &state.playing {
                    let hash = self.ledger.hash_of(number).map(str::to_owned);
                    if let Some(hash) = hash.filter(|hash| held.contains(hash)) {
                        self.claim(number, &hash, &worker);
                    }
                }
                let n_before = self.roster.n_workers();
                let failed =
                    state.refusal.clone().filter(|_| state.rules_failed && !self.programs.is_empty());
                let took_part = self.roster.takes_part(&worker);
                let double = self.roster.look_for_double(&worker, &state);
                let warning = self.roster.hear(&worker, state, Instant::now());
                for message in double.into_iter().chain(warning) {
                    self.warn_about(&worker, message);
                }
                self.set_capacity();
                let is_last = took_part && self.roster.n_workers() == 0 && self.has_only_workers;
                if let Some(why) = failed.filter(|_| is_last) {
                    let why = in_short(&why);
                    self.rules_failed =
                        Some(format!("worker `{worker}` was the last one that played, and {why}"));
                }
                if self.roster.n_workers() != n_before {
                    self.tell_workers();
                }
            }
            Heard::Moves { worker, moves } => self.take_moves(&worker, moves),
            Heard::About { worker, problem } => {
                let problem = in_short(&problem);
                self.warn_about(&worker, format!("worker `{worker}`: {problem}"));
            }
            Heard::Outcome { worker, outcome, reply } => self.take_outcome(&worker, *outcome, reply),
        }
    }

    /// Whether a worker is believed to play a match of the order with this hash.
    fn claim(&mut self, number: u32, hash: &str, worker: &str) -> bool {
        if self.ledger.hash_of(number) != Some(hash) {
            return false;
        }
        match self.begun.get(&number) {
            Some(claim) if claim.hash == hash && claim.worker == worker => return true,
            Some(claim) if claim.hash == hash && self.roster.takes_part(&claim.worker) => return false,
            Some(_) => {}
            // Moves may come before the state that says that the match has begun.
            None => self.events.push_back((PoolEvent::Begun(number), None)),
        }
        self.begun.insert(number, Claim { hash: hash.to_owned(), worker: worker.to_owned() });
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
            if orders.get(&moved.number).is_some_and(|hash| self.claim(moved.number, hash, worker)) {
                self.events.push_back((PoolEvent::Moved(moved), None));
            }
        }
    }

    fn take_outcome(&mut self, worker: &str, outcome: Outcome, reply: Option<String>) {
        let (pair, order) = (outcome.pair, outcome.order.clone());
        let games: Vec<GameId> = outcome.records.iter().map(|record| record.game).collect();
        let settled = Settled { worker: worker.to_owned(), order, reply };
        let verdict = if self.roster.is_without(worker) {
            Verdict::NotWanted
        } else {
            self.ledger.take(worker, outcome)
        };
        // This machine cannot judge the outcome. It stays in the store.
        if matches!(verdict, Verdict::Wrong { .. })
            && let Some(why) = games.iter().find_map(|game| game.failure())
        {
            self.rules_failed = Some(why);
            return;
        }
        match verdict {
            Verdict::Accepted { closed, records, judgement } => {
                self.command(Command::Close(*closed));
                self.accept(worker, records, settled);
                match judgement {
                    Some(Judgement::Wrong { worker, difference }) => {
                        let why = format!("the audit of pair {pair} found that it differs from two others: {difference}");
                        self.found_wrong(SetAside { worker, why });
                    }
                    Some(Judgement::Undecided { difference }) => self.warn(format!(
                        "audit: three workers have played pair {pair} in three ways ({difference}), so no worker is found wrong; an engine does not always play the same moves with the same limits"
                    )),
                    Some(Judgement::Same | Judgement::Open { .. }) | None => {}
                }
            }
            Verdict::Audited { again, difference } => {
                self.order_again(*again, settled);
                if let Some(difference) = difference {
                    self.warn(format!("audit: {difference}; a third worker decides which one is wrong"));
                }
            }
            Verdict::Wrong { why, again } => {
                self.order_again(*again, settled);
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
            Verdict::NotWanted => self.command(Command::Settle(settled)),
        }
    }

    fn accept(&mut self, worker: &str, records: Vec<Record>, settled: Settled) {
        let own = |record: &&Record| record.worker.as_deref() == Some(worker);
        self.roster.count(worker, records.iter().filter(own).count());
        for record in records {
            self.tally.add(&record);
            if self.begun.remove(&record.number).is_none() {
                self.events.push_back((PoolEvent::Begun(record.number), None));
            }
            self.events.push_back((PoolEvent::Finished(Box::new(record)), None));
        }
        if let Some((_, last)) = self.events.back_mut() {
            *last = Some(settled);
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

    fn order_again(&mut self, Again { closed, opened }: Again, settled: Settled) {
        self.command(Command::Close(closed));
        self.command(Command::Settle(settled));
        self.command(Command::Open(opened));
    }

    /// The first one counts: with it, the tournament continues from its results folder.
    fn found_wrong(&mut self, worker: SetAside) {
        self.set_aside.get_or_insert(worker);
    }

    fn warn(&mut self, message: String) {
        self.events.push_back((PoolEvent::Warning(message), None));
    }

    fn warn_about(&mut self, worker: &str, message: String) {
        match self.warnings.take(worker, Instant::now()) {
            Taken::Yes => self.warn(message),
            Taken::Last => self.warn(format!(
                "{message}; further warnings about this worker are not shown for {}",
                humantime::format_duration(WARNINGS_IN)
            )),
            Taken::No => {}
        }
    }

    fn look(&mut self) {
        self.look_at = tokio::time::Instant::now() + LOOK;
        let silent = self.roster.look(Instant::now(), self.lease);
        self.set_capacity();
        for (worker, message) in silent {
            self.warn_about(&worker, message);
        }
        self.tell_workers();
        let workers: Vec<&str> = self.roster.names().collect();
        if !self.is_said && !workers.is_empty() && self.ledger.needs_another(&workers) {
            self.is_said = true;
            self.warn("the audit of the last pairs needs another worker".to_owned());
        }
    }

    fn tell_workers(&mut self) {
        if let Some(workers) = self.roster.changed() {
            self.events.push_back((PoolEvent::Workers(workers), None));
        }
    }
}

/// The games whose rules are programs.
fn programs(tournament: &Tournament) -> Vec<GameId> {
    tournament.games.iter().filter(|game| game.referee.is_some()).map(|game| game.id).collect()
}

impl Pool for NatsPool {
    fn has_room(&self) -> bool {
        self.ledger.has_half() || self.ledger.n_unplayed() < self.capacity
    }

    fn fits(&self, job: &Job) -> bool {
        self.ledger.completes(job) || self.ledger.n_unplayed() < self.capacity
    }

    fn submit(&mut self, job: Job) {
        for open in self.ledger.submit(job) {
            self.command(Command::Open(open));
        }
    }

    fn withdraw(&mut self) -> Vec<u32> {
        let held = self.roster.held();
        let open = self.ledger.withdraw(|hash| held.get(hash).is_some_and(|can_arrive| *can_arrive));
        let given_up = open.iter().filter(|open| held.contains_key(&open.hash));
        self.n_given_up += given_up.map(|open| open.order.jobs.len()).sum::<usize>();
        let numbers = open.iter().flat_map(|open| open.order.jobs.iter().map(|job| job.number)).collect();
        for open in open {
            self.command(Command::Close(open));
        }
        numbers
    }

    async fn next(&mut self) -> Result<PoolEvent, PoolError> {
        self.settle();
        if let Some(open) = self.ledger.close_half() {
            self.command(Command::Open(open));
        }
        if 0 < self.n_earlier {
            self.n_earlier = 0;
            self.set_capacity();
            self.command(Command::Filled);
        }
        loop {
            if let Some((event, settled)) = self.events.pop_front() {
                self.returned.extend(settled);
                return Ok(event);
            }
            if let Some(reason) = self.rules_failed.take() {
                return Err(Shortage::Rules { reason }.into());
            }
            if let Some(worker) = self.set_aside.take() {
                return Err(PoolError::SetAside(worker));
            }
            tokio::select! {
                heard = self.heard.recv() => match heard {
                    Some(heard) => self.take(heard),
                    None => return Err(PoolError::Connection("the connection to the NATS server was closed".to_owned())),
                },
                () = tokio::time::sleep_until(self.look_at) => self.look(),
            }
        }
    }

    fn abort(&mut self) {
        self.is_aborted = true;
    }

    async fn close(mut self) -> Vec<String> {
        if !self.is_aborted {
            self.settle();
        }
        let is_over = !self.is_aborted && self.ledger.n_open() == 0;
        let (done, ended) = oneshot::channel();
        self.command(Command::End(is_over, done));
        let left = tokio::time::timeout(END, ended).await.ok().and_then(Result::ok).flatten();
        self.link.abort();
        if let Some(parcels) = self.parcels {
            parcels.abort();
        }
        let given_up = (0 < self.n_given_up).then(|| {
            format!(
                "matches that workers have begun, and whose results do not arrive: {}; the same command plays them again",
                self.n_given_up
            )
        });
        given_up.into_iter().chain(left).collect()
    }
}
