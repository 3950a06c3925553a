//! One tournament at a worker: gets a pair for each free place, plays it, and sends the outcome until it is confirmed.

use std::time::{Duration, Instant};

use async_nats::connection::State as ConnectionState;
use async_nats::{Client, Message, Subscriber};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use super::bench::{Bench, Done, Readiness};
use super::guest::{Guest, Unfit};
use super::hands::{Hands, Then};
use super::{Settings, WorkerError, announced, present};
use crate::message::{Announcement, Moves, Order, Outcome, Receipt, State, decode, encode, hash};
use crate::pull::next;
use crate::roster::in_short;
use crate::stream::{self, Sent};
use crate::subject::Names;
use crate::{check, sizes};
use model::{Job, Moved};
use runner::conduct::StopRequests;
use runner::pool::{Admitting, Pool, PoolEvent};

/// The interval of states, unless the coordinator says another one.
const BEAT: Duration = Duration::from_secs(1);
/// A worker that plays nothing looks for another tournament when the coordinator was silent for this time.
const SILENCE: Duration = Duration::from_secs(60);
/// The longest time after which an outcome that is not confirmed is sent again: otherwise half of the lease.
const MOST_PATIENCE: Duration = Duration::from_secs(5);
/// A tournament with a higher priority is over when it was silent for this time.
const OUTRANKED: Duration = Duration::from_secs(3);
/// How long a worker that leaves waits until its outcomes are confirmed.
const LEAVING: Duration = Duration::from_secs(5);

/// The interval in which the speed of this machine is measured.
const MEASURE_EVERY: Duration = Duration::from_secs(30 * 60);
/// How often moves are sent to those that watch.
const MOVES_EVERY: Duration = Duration::from_millis(250);
/// The most moves that are sent at once. More are left out.
const MOST_MOVES: usize = 500;

/// A tournament in progress.
#[derive(Debug)]
pub struct Session {
    client: Client,
    worker: String,
    names: Names,
    invitation: String,
    guest: Guest,
    settings: Settings,
    hands: Hands,
    /// The first matches of orders whose engines are not ready, or that have no processors yet, with the hashes of the orders.
    waiting: Vec<(String, Job)>,
    orders: Subscriber,
    receipts: Subscriber,
    n_pairs: u32,
    /// Moves that were not sent yet; `None` without spectators.
    moves: Option<Vec<Moved>>,
    /// Why an outcome cannot be sent, until all outcomes are confirmed.
    problem: Option<String>,
    /// What has become of outcomes.
    sent: (UnboundedSender<Sent>, UnboundedReceiver<Sent>),
    /// Whether the server did not have the stream when the last outcome was sent.
    is_gone: bool,
    /// When the speed of this machine is measured again, if clocks are scaled.
    measure_at: Option<Instant>,
    priority: i32,
    /// When a tournament with a higher priority was last heard of.
    outranked_at: Option<Instant>,
}

/// Why a session has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The tournament is over.
    Over,
    /// The coordinator has started again with another tournament.
    Changed,
    /// The coordinator was silent for long.
    Silent,
    /// Another tournament has a higher priority.
    Outranked,
    /// The coordinator has set this worker aside.
    SetAside,
    /// This machine can no longer play the tournament: why, and whether a program with the rules has failed.
    Unfit { why: String, rules_failed: bool },
    /// The user wants to stop.
    Left,
    /// The user does not want to wait.
    Aborted,
}

impl Session {
    /// The worker's part in the tournament of an invitation.
    ///
    /// # Errors
    /// If the connection is closed.
    pub async fn new(
        client: &Client,
        settings: &Settings,
        names: Names,
        announcement: &Announcement,
        guest: Guest,
    ) -> Result<Self, WorkerError> {
        let measure_at = guest.scale.map(|_| Instant::now() + MEASURE_EVERY);
        Ok(Self {
            measure_at,
            worker: settings.name.clone(),
            orders: client.subscribe(names.order(&settings.name)).await?,
            receipts: client.subscribe(names.receipt(&settings.name)).await?,
            client: client.clone(),
            names,
            invitation: announcement.invitation.clone(),
            guest,
            settings: settings.clone(),
            hands: Hands::default(),
            waiting: Vec::new(),
            n_pairs: 0,
            moves: None,
            problem: None,
            sent: unbounded_channel(),
            is_gone: false,
            priority: announcement.priority,
            outranked_at: None,
        })
    }

    /// Plays until the end. Returns it with the number of pairs that were played. `can_join` says whether this worker may take
    /// part in another tournament.
    ///
    /// # Errors
    /// If this machine can no longer play.
    pub async fn play(
        mut self,
        announcements: &mut Subscriber,
        can_join: &dyn Fn(&Announcement) -> bool,
        requests: &mut impl StopRequests,
        say: &mut impl FnMut(&str),
    ) -> Result<(End, u32), WorkerError> {
        let played = self.play_all(announcements, can_join, requests, say).await;
        self.guest.pool.abort();
        self.guest.pool.close().await;
        // Nothing that engines have written stays for those of the next tournament.
        if let Ok(entries) = std::fs::read_dir(&self.settings.folders.scratch) {
            entries.flatten().for_each(|entry| drop(std::fs::remove_dir_all(entry.path())));
        }
        played.map(|end| (end, self.n_pairs))
    }

    async fn play_all(
        &mut self,
        announcements: &mut Subscriber,
        can_join: &dyn Fn(&Announcement) -> bool,
        requests: &mut impl StopRequests,
        say: &mut impl FnMut(&str),
    ) -> Result<End, WorkerError> {
        let mut beat = BEAT;
        let mut beats = self.beats(beat);
        let mut move_beats = interval(MOVES_EVERY);
        move_beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut announced_at = Instant::now();
        loop {
            if let Some(why) = self.guest.failure() {
                self.drop_playing().await;
                return Ok(End::Unfit { why, rules_failed: true });
            }
            if self.is_outranked() && self.hands.n_playing() == 0 {
                self.leave().await;
                return Ok(End::Outranked);
            }
            if self.must_be_measured() && self.hands.n_playing() == 0 {
                self.measure(say).await;
                continue;
            }
            tokio::select! {
                biased;
                _ = requests.next() => {
                    return Ok(tokio::select! {
                        biased;
                        _ = requests.next() => End::Aborted,
                        () = self.leave() => End::Left,
                    });
                }
                // What engines without their files play is not their fault.
                event = self.guest.pool.next() => match event {
                    Ok(_) if !self.settings.folders.logs.is_dir() => {
                        self.drop_playing().await;
                        return Err(WorkerError::Folder(self.settings.folders.logs.clone()));
                    }
                    Ok(event) => self.take_event(event, say),
                    // The failure is handled above.
                    Err(_) if self.guest.failure().is_some() => {}
                    Err(error) => return Err(error.into()),
                },
                message = next(&mut self.receipts) => self.take_receipt(&message),
                done = prepared(&mut self.guest.bench) => self.take_prepared(done, say),
                message = next(&mut self.orders) => self.take_order(&message, say),
                message = next(announcements) => if let Some((names, announcement)) = announced(&message) {
                    if names != self.names {
                        let is_higher = !announcement.is_over && announcement.priority > self.priority;
                        if is_higher && can_join(&announcement) {
                            self.outranked_at = Some(Instant::now());
                        }
                        continue;
                    }
                    announced_at = Instant::now();
                    self.priority = announcement.priority;
                    if announcement.is_over {
                        return Ok(End::Over);
                    }
                    if announcement.invitation != self.invitation {
                        return Ok(End::Changed);
                    }
                    if announcement.why_set_aside(&self.worker).is_some() {
                        return Ok(End::SetAside);
                    }
                    let wanted = Duration::from_millis(announcement.beat_ms);
                    if wanted != beat {
                        beat = wanted;
                        beats = self.beats(beat);
                    }
                    match (announcement.wants_moves, &self.moves) {
                        (true, None) => self.moves = Some(Vec::new()),
                        (false, Some(_)) => self.moves = None,
                        _ => {}
                    }
                },
                _ = move_beats.tick(), if self.moves.as_ref().is_some_and(|moves| !moves.is_empty()) => {
                    self.send_moves().await;
                }
                _ = beats.tick() => {
                    if let Some(why) = self.wrong_disk() {
                        self.drop_playing().await;
                        return Ok(End::Unfit { why, rules_failed: false });
                    }
                    self.beat(say).await;
                    if self.client.connection_state() != ConnectionState::Connected {
                        announced_at = Instant::now();
                    }
                    let silence = announced_at.elapsed();
                    // The stream keeps the outcomes that are not confirmed. Without it, the tournament is over.
                    if self.hands.n_playing() > 0 {
                    } else if (self.is_gone || self.hands.is_empty()) && silence > silence_of_nothing(self.guest.lease_ms) {
                        return Ok(if self.is_gone { End::Over } else { End::Silent });
                    } else if silence > SILENCE {
                        return Ok(End::Silent);
                    }
                }
            }
        }
    }

    /// The times of states: soon enough that none is missed within a lease.
    fn beats(&self, beat: Duration) -> Interval {
        let most = Duration::from_millis(self.guest.lease_ms / 4).max(BEAT / 10);
        let mut beats = interval(beat.clamp(BEAT / 10, most));
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        beats
    }

    /// Takes an order. One that is not taken is not reported either, so that another worker gets it.
    fn take_order(&mut self, message: &Message, say: &mut impl FnMut(&str)) {
        let order = decode::<Order>(&message.payload);
        let wrong = match &order {
            Ok(order) if order.invitation != self.invitation => {
                Some("it is of another invitation".to_owned())
            }
            Ok(order) => self.guest.wrong(order),
            Err(error) => Some(error.clone()),
        };
        if let Some(why) = wrong {
            say(&format!("an order was not played: {why}"));
            return;
        }
        let Ok(order) = order else { return };
        // The coordinator of a league that was killed has forgotten its orders, and uses the numbers of their matches again.
        let has_place =
            self.hands.n_playing() < usize::from(self.guest.n_places) && !self.hands.plays(order.pair);
        if let Some(bench) = &mut self.guest.bench {
            bench.prepare(&order, self.hands.orders());
            if bench.readiness(&order) == Readiness::Lacking {
                // The state says which engines this machine lacks.
                return;
            }
        }
        let hash = hash(&message.payload);
        if has_place && let Some(job) = self.hands.take(order, hash.clone()) {
            self.waiting.push((hash, job));
            self.begin_waiting();
        }
    }

    /// An engine of an open tournament was prepared.
    fn take_prepared(&mut self, done: Done, say: &mut impl FnMut(&str)) {
        let Some(bench) = &mut self.guest.bench else { return };
        match bench.take(done) {
            Ok(prepared) => {
                let warnings = prepared.warnings.clone();
                self.guest.pool.admit(prepared);
                for warning in warnings {
                    say(&format!("warning: {warning}"));
                }
            }
            Err(why) => say(&format!("cannot play an engine: {}", in_short(&why))),
        }
        self.begin_waiting();
    }

    /// Begins the orders that wait, if it can.
    fn begin_waiting(&mut self) {
        for (hash, job) in std::mem::take(&mut self.waiting) {
            let Some(order) = self.hands.order(&hash) else { continue };
            let readiness =
                self.guest.bench.as_ref().map_or(Readiness::Ready, |bench| bench.readiness(order));
            match readiness {
                Readiness::Ready if self.guest.pool.fits(&job) => self.guest.submit(job),
                Readiness::Ready | Readiness::Preparing => self.waiting.push((hash, job)),
                Readiness::Lacking => self.hands.settle(&hash),
            }
        }
    }

    fn take_event(&mut self, event: PoolEvent, say: &mut impl FnMut(&str)) {
        match event {
            PoolEvent::Finished(mut record) => {
                if let Some(scale) = self.guest.scale {
                    scale.note(&mut record);
                }
                check::cut(&mut record);
                match self.hands.finish(*record, Instant::now()) {
                    Then::Play(job) => self.guest.submit(*job),
                    Then::Send(outcome) => {
                        self.n_pairs += 1;
                        self.send(&outcome);
                    }
                    Then::Nothing => {}
                }
                // Processors are free again.
                self.begin_waiting();
            }
            PoolEvent::Warning(message) => say(&format!("warning: {message}")),
            PoolEvent::Moved(moved) => {
                if let Some(moves) = self.moves.as_mut().filter(|moves| moves.len() < MOST_MOVES) {
                    moves.push(moved);
                }
            }
            PoolEvent::Begun(_)
            | PoolEvent::Lost { .. }
            | PoolEvent::Void { .. }
            | PoolEvent::Changed
            | PoolEvent::Workers(_) => {}
        }
    }

    /// Measures the speed again. If that fails, the clocks stay as they are.
    async fn measure(&mut self, say: &mut impl FnMut(&str)) {
        self.measure_at = Some(Instant::now() + MEASURE_EVERY);
        if let Err(Unfit::Now(why) | Unfit::Always(why)) = self.guest.measure_again(&self.settings).await {
            say(&format!("warning: the clocks stay as they are: {why}"));
        }
    }

    fn take_receipt(&mut self, message: &Message) {
        if let Ok(Receipt { order }) = decode(&message.payload) {
            self.hands.settle(&order);
        }
    }

    /// Reports the state, and repeats what was not confirmed.
    async fn beat(&mut self, say: &mut impl FnMut(&str)) {
        if self.hands.n_playing() == self.hands.n_held() {
            self.problem = None;
        }
        let patience = Duration::from_millis(self.guest.lease_ms / 2).clamp(BEAT, MOST_PATIENCE);
        for outcome in self.hands.unconfirmed(Instant::now(), patience) {
            self.send(&outcome);
        }
        while let Ok(sent) = self.sent.1.try_recv() {
            self.is_gone = sent == Sent::NoStream;
            if let Sent::NotKept(problem) = sent
                && self.problem.is_none()
            {
                say(&format!("warning: {problem}"));
                self.problem = Some(problem);
            }
        }
        let state = State {
            playing: self.hands.playing(),
            holds: self.hands.hashes(),
            problem: self.problem.clone(),
            lacks: self.guest.bench.as_ref().map(Bench::lacks).unwrap_or_default(),
            has_strict_sandbox: self.guest.bench.as_ref().is_some_and(Bench::has_strict_sandbox),
            // The machine must be idle to be measured.
            pauses: self.must_be_measured() || self.is_outranked(),
            ..present(&self.settings, &self.invitation, self.guest.n_places)
        };
        self.tell(&state).await;
    }

    /// Why the files of engines are too large.
    fn wrong_disk(&self) -> Option<String> {
        let Settings { trusts, limits, folders, .. } = &self.settings;
        (!trusts).then(|| limits.wrong_disk(&folders.scratch)).flatten()
    }

    /// Whether it plays its pairs to their ends, and then leaves for another tournament.
    fn is_outranked(&self) -> bool {
        self.outranked_at.is_some_and(|at| at.elapsed() < OUTRANKED)
    }

    fn must_be_measured(&self) -> bool {
        self.measure_at.is_some_and(|at| at <= Instant::now())
    }

    /// Sends an outcome, and asks the server whether it keeps it. It is sent again until it is confirmed.
    fn send(&self, outcome: &Outcome) {
        let (client, told) = (self.client.clone(), self.sent.0.clone());
        let subject = self.names.result(&self.worker, outcome.pair);
        let payload = sizes::fitted(outcome, self.client.max_payload());
        tokio::spawn(async move {
            let sent = match payload {
                Ok(payload) => match stream::publish(&client, subject, payload).await {
                    Sent::NotKept(why) => {
                        Sent::NotKept(format!("the NATS server does not keep the results: {why}"))
                    }
                    sent => sent,
                },
                Err(why) => Sent::NotKept(why),
            };
            let _ = told.send(sent);
        });
    }

    /// Sends the moves since the last time. They may be lost.
    async fn send_moves(&mut self) {
        let Some(moves) = &mut self.moves else { return };
        let moves = std::mem::take(moves);
        let order = |moved: &Moved| Some((moved.number, self.hands.order_of(moved.number)?.to_owned()));
        let orders = moves.iter().filter_map(order).collect();
        let moves = Moves { moves, orders };
        let _ = self.client.publish(self.names.moves(&self.worker), encode(&moves).into()).await;
    }

    /// Leaves the tournament.
    async fn leave(&mut self) {
        self.drop_playing().await;
        self.tell(&State { is_leaving: true, ..present(&self.settings, &self.invitation, 0) }).await;
        let _ = timeout(LEAVING, self.client.flush()).await;
    }

    /// Gives the pairs up that are being played, and waits until the others are confirmed.
    async fn drop_playing(&mut self) {
        self.guest.pool.abort();
        self.hands.give_up_playing();
        let confirmed = async {
            while !self.hands.is_empty() {
                let message = next(&mut self.receipts).await;
                self.take_receipt(&message);
            }
        };
        let _ = timeout(LEAVING, confirmed).await;
    }

    async fn tell(&self, state: &State) {
        // What is lost is told again.
        let _ = self.client.publish(self.names.state(&self.worker), encode(state).into()).await;
    }
}

/// The next engine of an open tournament that is prepared.
async fn prepared(bench: &mut Option<Bench>) -> Done {
    match bench {
        Some(bench) => bench.next().await,
        None => std::future::pending().await,
    }
}

/// The time after which a silent coordinator is gone for a worker that has nothing which somebody could expect.
fn silence_of_nothing(lease_ms: u64) -> Duration {
    Duration::from_millis(lease_ms.saturating_mul(3) / 2).clamp(2 * BEAT, SILENCE)
}
