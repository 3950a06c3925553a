//! One tournament at a worker: fetches a pair for each free place, plays it, and sends the outcome until it is confirmed.

use std::time::{Duration, Instant};

use async_nats::connection::State as ConnectionState;
use async_nats::{Client, Message, Subscriber};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::guest::{Guest, Unfit};
use super::hands::{Hands, Then};
use super::{Settings, WorkerError, announced, answers, next, present};
use crate::message::{Moves, Order, Outcome, Receipt, State, decode, encode, hash};
use crate::pull::Puller;
use crate::subject::{Names, WORKERS};
use crate::{check, sizes, stream};
use model::Moved;
use runner::conduct::Wishes;
use runner::pool::{Pool, PoolEvent};

/// The longest interval of states and extended leases.
const BEAT: Duration = Duration::from_secs(1);
/// A worker that plays nothing looks for another tournament when the coordinator was silent for this time.
const SILENCE: Duration = Duration::from_secs(60);
/// The longest time after which an outcome that is not confirmed is sent again: otherwise half of the lease.
const MOST_PATIENCE: Duration = Duration::from_secs(5);
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
    orders: Puller,
    receipts: Subscriber,
    n_pairs: u32,
    /// Moves that were not sent yet; `None` if nobody watches.
    moves: Option<Vec<Moved>>,
    /// Why an outcome cannot be sent, until all outcomes are confirmed.
    problem: Option<String>,
    /// Why outcomes were not kept.
    problems: (UnboundedSender<String>, UnboundedReceiver<String>),
    /// When the speed of this machine is measured again, if clocks are scaled.
    measure_at: Option<Instant>,
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
    /// The coordinator has set this worker aside.
    SetAside,
    /// A program with the rules has failed.
    RulesFailed {
        /// What happened.
        why: String,
    },
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
        invitation: String,
        guest: Guest,
    ) -> Result<Self, WorkerError> {
        let measure_at = guest.scale.map(|_| Instant::now() + MEASURE_EVERY);
        Ok(Self {
            measure_at,
            worker: settings.name.clone(),
            orders: Puller::new(client, &names.stream(), WORKERS).await?,
            receipts: client.subscribe(names.receipt(&settings.name)).await?,
            client: client.clone(),
            names,
            invitation,
            guest,
            settings: settings.clone(),
            hands: Hands::default(),
            n_pairs: 0,
            moves: None,
            problem: None,
            problems: unbounded_channel(),
        })
    }

    /// Plays until the end. Returns it with the number of pairs that were played.
    ///
    /// # Errors
    /// If this machine cannot play any more.
    pub async fn play(
        mut self,
        announcements: &mut Subscriber,
        wishes: &mut impl Wishes,
        say: &mut impl FnMut(&str),
    ) -> Result<(End, u32), WorkerError> {
        let played = self.play_all(announcements, wishes, say).await;
        self.guest.pool.abort();
        self.guest.pool.close().await;
        played.map(|end| (end, self.n_pairs))
    }

    async fn play_all(
        &mut self,
        announcements: &mut Subscriber,
        wishes: &mut impl Wishes,
        say: &mut impl FnMut(&str),
    ) -> Result<End, WorkerError> {
        let beat = BEAT.min(Duration::from_millis(self.guest.lease_ms / 4)).max(BEAT / 10);
        let mut beats = interval(beat);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut move_beats = interval(MOVES_EVERY);
        move_beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut announced_at = Instant::now();
        loop {
            if let Some(why) = self.guest.failure() {
                self.hand_playing_back().await;
                return Ok(End::RulesFailed { why });
            }
            let is_due = self.measure_at.is_some_and(|at| at <= Instant::now());
            if is_due && self.hands.n_playing() == 0 {
                self.measure(say).await;
                continue;
            }
            // The machine must be idle to be measured.
            let n_places = if is_due { 0 } else { usize::from(self.guest.n_places) };
            let free = n_places.saturating_sub(self.hands.n_playing());
            self.orders.want(free as u32, free as u32).await;
            tokio::select! {
                biased;
                _ = wishes.next() => {
                    return Ok(tokio::select! {
                        biased;
                        _ = wishes.next() => End::Aborted,
                        () = self.leave() => End::Left,
                    });
                }
                // What engines without their files play is not their fault.
                event = self.guest.pool.next() => match event {
                    Ok(_) if !self.settings.folders.logs.is_dir() => {
                        self.hand_playing_back().await;
                        return Err(WorkerError::Folder(self.settings.folders.logs.clone()));
                    }
                    Ok(event) => self.take_event(event, say),
                    // The failure is handled above.
                    Err(_) if self.guest.failure().is_some() => {}
                    Err(error) => return Err(error.into()),
                },
                message = next(&mut self.receipts) => self.take_receipt(&message).await,
                message = self.orders.next() => if let Some(message) = message {
                    self.take_order(message, say).await;
                },
                message = next(announcements) => if let Some((names, announcement)) = announced(&message)
                    && names == self.names
                {
                    announced_at = Instant::now();
                    if announcement.is_over {
                        return Ok(End::Over);
                    }
                    if announcement.invitation != self.invitation {
                        return Ok(End::Changed);
                    }
                    if announcement.why_set_aside(&self.worker).is_some() {
                        self.hand_all_back().await;
                        return Ok(End::SetAside);
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
                    self.beat(say).await;
                    if self.client.connection_state() != ConnectionState::Connected {
                        announced_at = Instant::now();
                    }
                    // The stream keeps the outcomes that are not confirmed. Without it, the tournament is over.
                    let silence = announced_at.elapsed();
                    match self.orders.is_gone() {
                        _ if 0 < self.hands.n_playing() => {}
                        true if silence_without_stream(self.guest.lease_ms) < silence => return Ok(End::Over),
                        false if SILENCE < silence => return Ok(End::Silent),
                        _ => {}
                    }
                }
            }
        }
    }

    async fn take_order(&mut self, message: Message, say: &mut impl FnMut(&str)) {
        let Some(reply) = message.reply.map(|reply| reply.to_string()) else { return };
        let has_place = self.hands.n_playing() < usize::from(self.guest.n_places);
        let order = decode::<Order>(&message.payload);
        let wrong = match &order {
            Ok(order) if order.invitation != self.invitation => {
                Some("it is of another invitation".to_owned())
            }
            Ok(order) => self.guest.wrong(order),
            Err(error) => Some(error.to_string()),
        };
        if let Some(why) = wrong {
            say(&format!("an order was not played: {why}"));
            let _ = self.client.publish(reply, answers::LATER.into()).await;
            return;
        }
        let Ok(order) = order else { return };
        if order.is_not_for(&self.worker) {
            let _ = self.client.publish(reply, answers::not_for_us().into()).await;
            return;
        }
        if !has_place {
            return self.hand_back(reply).await;
        }
        if let Some(job) = self.hands.take(order, hash(&message.payload), reply) {
            self.guest.submit(job);
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
            }
            PoolEvent::Warning(message) => say(&format!("warning: {message}")),
            PoolEvent::Moved(moved) => {
                if let Some(moves) = self.moves.as_mut().filter(|moves| moves.len() < MOST_MOVES) {
                    moves.push(moved);
                }
            }
            PoolEvent::Begun(_) | PoolEvent::Lost { .. } | PoolEvent::Workers(_) => {}
        }
    }

    /// Measures the speed again. If that fails, the clocks stay as they are.
    async fn measure(&mut self, say: &mut impl FnMut(&str)) {
        self.measure_at = Some(Instant::now() + MEASURE_EVERY);
        if let Err(Unfit::Now(why) | Unfit::Always(why)) = self.guest.measure_again(&self.settings).await {
            say(&format!("warning: the clocks stay as they are: {why}"));
        }
    }

    async fn take_receipt(&mut self, message: &Message) {
        let Ok(Receipt { order }) = decode(&message.payload) else { return };
        if let Some((reply, _)) = self.hands.settle(&order) {
            let _ = self.client.publish(reply, "+ACK".into()).await;
        }
    }

    /// Extends the leases, reports the state, and repeats what was not confirmed.
    async fn beat(&mut self, say: &mut impl FnMut(&str)) {
        for reply in self.hands.replies() {
            let _ = self.client.publish(reply.to_owned(), "+WPI".into()).await;
        }
        if self.hands.n_playing() == self.hands.n_held() {
            self.problem = None;
        }
        let patience = Duration::from_millis(self.guest.lease_ms / 2).clamp(BEAT, MOST_PATIENCE);
        for outcome in self.hands.unconfirmed(Instant::now(), patience) {
            self.send(&outcome);
        }
        while let Ok(problem) = self.problems.1.try_recv() {
            if self.problem.is_none() {
                say(&format!("warning: {problem}"));
                self.problem = Some(problem);
            }
        }
        let state = State {
            playing: self.hands.playing(),
            holds: self.hands.hashes(),
            problem: self.problem.clone(),
            ..present(&self.settings, &self.invitation, self.guest.n_places)
        };
        self.tell(&state).await;
    }

    /// Sends an outcome, and asks the server whether it keeps it. It is sent again until it is confirmed.
    fn send(&self, outcome: &Outcome) {
        let (client, problems) = (self.client.clone(), self.problems.0.clone());
        let subject = self.names.result(&self.worker, outcome.pair);
        let payload = sizes::fitted(outcome, self.client.max_payload());
        tokio::spawn(async move {
            let problem = match payload {
                Ok(payload) => stream::publish(&client, subject, payload)
                    .await
                    .map(|why| format!("the NATS server does not keep the results: {why}")),
                Err(why) => Some(why),
            };
            let _ = problem.map(|problem| problems.send(problem));
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
        self.hand_playing_back().await;
        self.tell(&State { is_leaving: true, ..present(&self.settings, &self.invitation, 0) }).await;
        let _ = timeout(LEAVING, self.client.flush()).await;
    }

    /// Hands the pairs back that are being played, and waits until the others are confirmed.
    async fn hand_playing_back(&mut self) {
        self.guest.pool.abort();
        for reply in self.hands.give_up_playing() {
            self.hand_back(reply).await;
        }
        let confirmed = async {
            while !self.hands.is_empty() {
                let message = next(&mut self.receipts).await;
                self.take_receipt(&message).await;
            }
        };
        let _ = timeout(LEAVING, confirmed).await;
    }

    async fn hand_all_back(&mut self) {
        self.guest.pool.abort();
        for reply in self.hands.give_up_all() {
            self.hand_back(reply).await;
        }
    }

    async fn hand_back(&self, reply: String) {
        let _ = self.client.publish(reply, answers::NOW.into()).await;
    }

    async fn tell(&self, state: &State) {
        // What is lost is told again.
        let _ = self.client.publish(self.names.state(&self.worker), encode(state).into()).await;
    }
}

/// The time after which a silent coordinator is gone, if the server does not have the stream any more: nothing is expected.
fn silence_without_stream(lease_ms: u64) -> Duration {
    Duration::from_millis(lease_ms.saturating_mul(3) / 2).clamp(2 * BEAT, SILENCE)
}
