//! The pool of all workers: pairs go out as orders, and matches come in as outcomes, which [`intake`](super::intake) takes. An
//! outcome is settled after the journal has its matches: when the conductor asks for the next event, it has written the one
//! before.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::Client;
use engine_proto::GameId;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::audit::Audit;
use super::ledger::{Ledger, Open};
use super::link::{BEAT, Command, Link, Settled};
use super::message::{Invitation, Program};
use super::parcels::Packed;
use super::quota::{Quota, Taken};
use super::reception::Received;
use super::roster::{Kept, Roster, Wanted};
use super::store::{self, SharedParcels};
use super::subject::Names;
use ::store::Tally;
use model::{Build, Job, SetAside, Tournament};
use opponent::Shortage;
use runner::pool::{Pool, PoolError, PoolEvent};

/// The interval in which workers are looked at.
const LOOK: Duration = Duration::from_millis(500);
/// A worker that plays for an earlier run of the tournament says so within this time.
const REPORTED_WITHIN: Duration = Duration::from_millis(1200);
/// How long the end of the connection may take.
const END: Duration = Duration::from_secs(4);
/// The number of warnings about a worker within [`WARNINGS_IN`]. More are not shown.
const WARNINGS: u32 = 20;
const WARNINGS_IN: Duration = Duration::from_secs(600);
/// A worker has kept an order for too long if others are idle, and it has had it for this number of leases, and for this
/// multiple of the longest time that a pair has taken.
const KEPT_LEASES: u32 = 60;
const KEPT_TIMES: u32 = 10;

/// What a coordinator knows before it plays.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The workers that were set aside.
    pub set_aside: Vec<SetAside>,
    /// The matches of earlier runs.
    pub tally: Tally,
    /// Whether somebody watches the moves.
    pub wants_moves: bool,
    /// The priority among the tournaments on the server.
    pub priority: i32,
    /// The files that workers get.
    pub packed: Vec<Packed>,
}

/// How far the tournament is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Playing,
    /// The user has stopped it: orders that no worker has are given to none.
    Stopping,
    Aborted,
}

/// The pool of all workers.
#[derive(Debug)]
pub struct NatsPool {
    pub(super) ledger: Ledger,
    pub(super) roster: Roster,
    pub(super) tally: Tally,
    /// A worker that was found wrong. The tournament continues without its matches.
    pub(super) set_aside: Option<SetAside>,
    /// Whether the user knows that an audit needs another worker.
    is_said: bool,
    /// The rules of a game can no longer be asked: why.
    pub(super) rules_failed: Option<String>,
    /// Whether no match is played on this machine.
    pub(super) has_only_workers: bool,
    lease: Duration,
    /// The number of outcomes of an earlier run, until the first event.
    n_earlier: usize,
    /// Until then, workers report what they still play for an earlier run, and outcomes may come before their orders are open.
    give_from: Option<Instant>,
    take_all_from: Option<Instant>,
    /// The most pairs that are ordered before a worker has played them; 0 where only this machine plays.
    capacity: usize,
    /// The interval in which workers say what they do, and their number.
    beat: (Duration, usize),
    /// The longest time for which a worker had an order that it has played.
    pub(super) longest: Duration,
    /// The matches that have begun.
    pub(super) begun: HashSet<u32>,
    /// The games whose rules are programs.
    pub(super) programs: Vec<GameId>,
    warnings: Quota,
    /// Events that were not returned yet. An outcome is settled after its last event.
    pub(super) events: VecDeque<(PoolEvent, Option<Settled>)>,
    /// Outcomes whose events were returned.
    returned: Vec<Settled>,
    stage: Stage,
    /// The number of matches that workers have begun, and that are not waited for: their results do not arrive.
    n_given_up: usize,
    /// When the workers are looked at next.
    look_at: tokio::time::Instant,
    commands: UnboundedSender<Command>,
    heard: UnboundedReceiver<Received>,
    client: Client,
    /// The files that workers get.
    packed: SharedParcels,
    /// Whether engines join and leave.
    is_open: bool,
    link: JoinHandle<Result<(), async_nats::SubscribeError>>,
    /// Keeps the engines' files in the store.
    parcels: Option<JoinHandle<()>>,
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
        let Known { set_aside, tally, wants_moves, priority, packed } = known;
        let roster = Roster::without(set_aside.iter().map(|worker| worker.worker.clone()));
        let keeping = client.clone();
        let link = Link::open(client, Names::new(id), invitation, say).await;
        let link = link.map_err(PoolError::Connection)?.with(wants_moves, priority, set_aside);
        if !packed.is_empty() {
            // Before the tournament is announced. Whatever goes wrong is tried again, and shown.
            let _ = store::put(&keeping, &packed).await;
        }
        let (commands, obeyed) = unbounded_channel();
        let (told, heard) = unbounded_channel();
        let warning = told.clone();
        let is_kept = !packed.is_empty() || invitation.is_open;
        let packed = Arc::new(Mutex::new(packed));
        let parcels = is_kept.then(|| {
            let say = move |why| drop(warning.send(Received::Warning(why)));
            tokio::spawn(store::keep(keeping.clone(), Arc::clone(&packed), say))
        });
        let now = Instant::now();
        let lease = Duration::from_millis(invitation.lease_ms);
        let mut pool = Self {
            ledger: Ledger::new(
                invitation.tournament.known_games.clone(),
                link.invitation(),
                Audit::of(&invitation.tournament),
            ),
            roster,
            tally,
            set_aside: None,
            is_said: false,
            rules_failed: None,
            has_only_workers: true,
            lease,
            n_earlier: link.n_earlier().unwrap_or_default(),
            give_from: link.n_earlier().map(|_| now + REPORTED_WITHIN),
            take_all_from: link.n_earlier().map(|_| now + lease.max(2 * REPORTED_WITHIN)),
            capacity: 0,
            beat: (BEAT, 0),
            longest: Duration::ZERO,
            begun: HashSet::new(),
            programs: programs(&invitation.tournament),
            warnings: Quota::new(WARNINGS, WARNINGS_IN),
            events: VecDeque::new(),
            returned: Vec::new(),
            stage: Stage::Playing,
            n_given_up: 0,
            look_at: tokio::time::Instant::now() + LOOK,
            commands,
            heard,
            client: keeping,
            packed,
            is_open: invitation.is_open,
            link: tokio::spawn(link.run(obeyed, told)),
            parcels,
        };
        pool.set_capacity();
        Ok(pool)
    }

    /// The pool of a coordinator that plays, too.
    #[must_use]
    pub fn beside_own_places(mut self) -> Self {
        self.has_only_workers = false;
        self.set_capacity();
        self
    }

    /// Lets an engine of an open tournament play at the workers, which get these files of it. An engine that is
    /// not trusted says nothing about the workers.
    pub fn admit(&mut self, build: Build, packed: Vec<Packed>, is_trusted: bool) {
        let parcels = packed.iter().map(|packed| packed.parcel.clone()).collect();
        self.ledger.admit(Program { build, parcels }, is_trusted);
        let mut all = self.packed.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(packed.iter().cloned());
        drop(all);
        // At once. Whatever goes wrong is tried again, and shown.
        let client = self.client.clone();
        tokio::spawn(async move { store::put(&client, &packed).await });
    }

    /// An engine of an open tournament plays no more: its file may change.
    pub fn dismiss(&mut self, engine: &str) {
        // The pair that is being put together brings it.
        if let Some(open) = self.ledger.close_half() {
            self.opened(&open);
        }
        self.ledger.dismiss(engine);
        let mut all = self.packed.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|packed| packed.parcel.is_of_game || packed.parcel.engine != engine);
    }

    /// Whether workers can have the engines of a job.
    fn has_programs(&self, job: &Job) -> bool {
        !self.is_open || job.names().iter().all(|name| self.ledger.has_program(name))
    }

    /// Whether the pair of the job is being put together, or has been ordered.
    pub fn has_pair(&self, job: &Job) -> bool {
        self.ledger.completes(job) || self.ledger.is_out(job.pair)
    }

    /// One pair more than there are places for each worker, so that none waits for the coordinator. At least one, which
    /// waits for the first worker, unless there are places of this machine.
    pub(super) fn set_capacity(&mut self) {
        let n_for_workers = self.roster.n_places() + self.roster.n_workers();
        self.capacity = n_for_workers.max(self.n_earlier).max(usize::from(self.has_only_workers));
    }

    /// More workers speak less often: each millisecond, one of them.
    fn set_beat(&mut self) {
        let n_workers = self.roster.n_workers();
        let beat = Duration::from_millis(n_workers as u64).clamp(BEAT, BEAT.max(self.lease / 4));
        if std::mem::replace(&mut self.beat, (beat, n_workers)) != (beat, n_workers) {
            self.command(Command::Beat { beat, n_workers });
        }
    }

    /// Settles the outcomes whose matches the journal has.
    fn settle(&mut self) {
        for settled in std::mem::take(&mut self.returned) {
            self.command(Command::Settle(settled));
        }
    }

    pub(super) fn command(&self, command: Command) {
        // Sending fails only after the connection has ended, which `next` reports.
        let _ = self.commands.send(command);
    }

    /// Whether an outcome of an unknown order may be of one that is opened soon.
    pub(super) fn may_open_later(&self, now: Instant) -> bool {
        self.take_all_from.is_some_and(|from| now < from)
    }

    /// A new order: a worker may have it from an earlier run.
    pub(super) fn opened(&mut self, open: &Open) {
        self.serve_order(open.order.pair, &open.hash);
    }

    /// These orders are open, and no worker has them now.
    pub(super) fn released(&mut self, hashes: Vec<String>) {
        for hash in hashes {
            self.ledger.wait(&hash);
            let pair = self.ledger.order(&hash).map(|open| open.order.pair);
            if let Some(pair) = pair {
                self.serve_order(pair, &hash);
            }
        }
    }

    /// Gives an order to a worker with a free place.
    fn serve_order(&mut self, pair: u32, hash: &str) {
        let n_workers = self.roster.n_workers();
        let Some(engines) = self.ledger.order(hash).map(Open::engines) else { return };
        let wanted = self.ledger.wanted(engines);
        let is_for =
            |name: &&str| self.ledger.is_for(pair, name, n_workers) && self.roster.can_play(name, wanted);
        let worker = self.roster.free().find(is_for);
        if let Some(worker) = worker.map(str::to_owned) {
            self.give(hash, &worker);
        }
    }

    /// Gives a worker as many orders as it has free places.
    pub(super) fn serve(&mut self, worker: &str) {
        while self.roster.is_free(worker) {
            let can_play = |engines: [&str; 2]| self.roster.can_play(worker, self.ledger.wanted(engines));
            let first = self.ledger.first_for(worker, self.roster.n_workers(), can_play);
            let Some(hash) = first.map(|open| open.hash.clone()) else { return };
            if !self.give(&hash, worker) {
                return;
            }
        }
    }

    fn give(&mut self, hash: &str, worker: &str) -> bool {
        let now = Instant::now();
        let gives = self.stage == Stage::Playing && self.give_from.is_none_or(|from| from <= now);
        let Some(open) = self.ledger.order(hash).filter(|_| gives) else { return false };
        let (pair, payload) = (open.order.pair, open.payload.clone());
        self.command(Command::Give { worker: worker.to_owned(), pair, payload });
        self.ledger.is_given(hash);
        self.roster.give(hash, worker, now);
        true
    }

    /// The first one counts: with it, the tournament continues from its results folder.
    pub(super) fn found_wrong(&mut self, worker: SetAside) {
        self.set_aside.get_or_insert(worker);
    }

    pub(super) fn warn(&mut self, message: String) {
        self.events.push_back((PoolEvent::Warning(message), None));
    }

    pub(super) fn warn_about(&mut self, worker: &str, message: String) {
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
        let now = Instant::now();
        // Who was heard, and not yet listened to, is not silent.
        if self.heard.is_empty() {
            let lease = humantime::format_duration(self.lease);
            for (worker, orders) in self.roster.look(now, self.lease) {
                let message =
                    format!("worker `{worker}` was silent for {lease}; other workers play its pairs");
                self.warn_about(&worker, message);
                self.released(orders);
            }
            for kept in self.roster.take_unreported(now, self.lease) {
                self.take_from(kept, "and does not confirm it");
            }
            self.look_for_kept(now);
        }
        if self.give_from.is_some_and(|from| from <= now) {
            self.give_from = None;
            let free: Vec<String> = self.roster.free().map(str::to_owned).collect();
            for worker in &free {
                self.serve(worker);
            }
        }
        self.take_back(now);
        self.set_capacity();
        self.set_beat();
        self.tell_workers();
        if 0 < self.roster.n_workers() && self.ledger.needs_another(&self.roster.names()) {
            if self.ledger.audit.is_required() {
                self.say_that_audit_waits();
            } else {
                self.ledger.audited().into_iter().for_each(|pair| self.accept_without_audit(pair));
            }
        }
    }

    /// Takes back the pairs that no worker can play, if this machine can. What is audited counts as it was played.
    fn take_back(&mut self, now: Instant) {
        let has_workers = 0 < self.roster.n_workers();
        if self.has_only_workers || self.stage != Stage::Playing || !has_workers && self.may_open_later(now) {
            return;
        }
        let can_play = |name: &str, wanted: Wanted<'_>| self.roster.can_play(name, wanted);
        let pairs = self.ledger.left_by(&self.roster.names(), can_play);
        for pair in pairs {
            if !self.ledger.is_audited(pair) {
                let why =
                    if has_workers { "no worker can play one of its engines" } else { "no worker is left" };
                self.give_up(pair, why);
            } else if !has_workers || self.is_open {
                // Any other tournament waits for another worker until its end.
                if self.ledger.audit.is_required() {
                    self.say_that_audit_waits();
                } else {
                    self.accept_without_audit(pair);
                }
            }
        }
    }

    fn say_that_audit_waits(&mut self) {
        if !std::mem::replace(&mut self.is_said, true) {
            self.warn("the audit of the last pairs needs another worker".to_owned());
        }
    }

    /// Gives a pair back: places of this machine may play it.
    fn give_up(&mut self, pair: u32, why: &str) {
        let Some(closed) = self.ledger.give_up(pair) else { return };
        let numbers = closed.order.jobs.iter().map(|job| job.number).collect();
        self.events.push_back((PoolEvent::Lost { numbers, why: why.to_owned() }, None));
    }

    /// Looks for workers that keep orders while others are idle.
    fn look_for_kept(&mut self, now: Instant) {
        let is_idle = !self.ledger.has_waiting() && self.roster.free().next().is_some();
        if !is_idle {
            return;
        }
        let patience = (self.lease * KEPT_LEASES).max(self.longest * KEPT_TIMES);
        for kept in self.roster.held_for(patience, now) {
            if self.roster.free().any(|name| name != kept.worker) {
                self.roster.take_away(&kept.hash, now);
                self.roster.count_kept(&kept.worker);
                self.take_from(kept, "and others are idle");
            }
        }
    }

    /// An order that a worker has kept goes to others.
    fn take_from(&mut self, Kept { worker, hash, time }: Kept, why: &str) {
        let Some(pair) = self.ledger.order(&hash).map(|open| open.order.pair) else { return };
        let time = humantime::format_duration(Duration::from_secs(time.as_secs()));
        self.warn_about(
            &worker,
            format!("worker `{worker}` has had pair {pair} for {time}, {why}; others play it, too"),
        );
        if self.ledger.is_audited(pair) && !self.ledger.audit.is_required() {
            return self.accept_without_audit(pair);
        }
        self.ledger.is_kept(&hash, &worker);
        if self.is_open && self.ledger.have_kept(pair, self.roster.names()) {
            return self.give_up(pair, "no worker has played it");
        }
        self.released(vec![hash]);
    }

    pub(super) fn tell_workers(&mut self) {
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
        self.ledger.has_room_for(job, self.capacity)
            && (self.ledger.completes(job)
                || self.has_programs(job) && !self.roster.nobody_can_play(self.ledger.wanted(job.names())))
    }

    fn submit(&mut self, job: Job) {
        for open in self.ledger.submit(job) {
            self.opened(&open);
        }
    }

    fn withdraw(&mut self) -> Vec<u32> {
        if self.stage == Stage::Playing {
            self.stage = Stage::Stopping;
        }
        let open = self.ledger.withdraw(|hash| self.roster.can_answer(hash));
        let given_up = open.iter().filter(|open| self.roster.holder(&open.hash).is_some());
        self.n_given_up += given_up.map(|open| open.order.jobs.len()).sum::<usize>();
        let now = Instant::now();
        for open in &open {
            self.roster.take_away(&open.hash, now);
        }
        open.iter().flat_map(|open| open.order.jobs.iter().map(|job| job.number)).collect()
    }

    async fn next(&mut self) -> Result<PoolEvent, PoolError> {
        self.settle();
        if let Some(open) = self.ledger.close_half() {
            self.opened(&open);
        }
        if 0 < self.n_earlier {
            self.n_earlier = 0;
            self.set_capacity();
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
        self.stage = Stage::Aborted;
    }

    async fn close(mut self) -> Vec<String> {
        if self.stage != Stage::Aborted {
            self.settle();
        }
        let is_over = self.stage != Stage::Aborted && self.ledger.n_open() == 0;
        let (done, ended) = oneshot::channel();
        self.command(Command::End { is_over, done });
        let left = tokio::time::timeout(END, ended).await.ok().and_then(Result::ok).flatten();
        self.link.abort();
        if let Some(parcels) = self.parcels {
            parcels.abort();
        }
        let given_up = (0 < self.n_given_up).then(|| {
            let matches = if self.n_given_up == 1 { "match" } else { "matches" };
            format!(
                "{} started {matches} returned no result; the same command plays them again",
                self.n_given_up
            )
        });
        let n_held = if is_over { 0 } else { self.roster.n_held() };
        let held = (0 < n_held).then(|| {
            let pairs = if n_held == 1 { "pair" } else { "pairs" };
            format!("workers are still playing {n_held} {pairs}; the same command collects the results")
        });
        given_up.into_iter().chain(held).chain(left).collect()
    }
}
