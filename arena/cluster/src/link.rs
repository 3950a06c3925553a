//! The coordinator's side of the connection: publishes orders, receives outcomes and states, and restores what the server
//! has lost. It decides nothing about matches.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use async_nats::connection::State as ConnectionState;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, Message, Subscriber};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};
use tokio_stream::StreamExt;

use super::ledger::Open;
use super::message::{Announcement, Invitation, Receipt, encode, hash};
use super::published::{Differences, Published};
use super::pull::Puller;
use super::reception::{self, Heard, Reception};
use super::sizes;
use super::stream::{self, Failure, orders};
use super::subject::{COORDINATOR, Names};
use model::{FormatVersion, SetAside};

/// The interval of announcements and comparisons.
const BEAT: Duration = Duration::from_secs(1);
/// The most outcomes that are requested at a time.
const OUTCOMES: u32 = 64;
/// The consumers are created again after this number of beats, in case that only they were lost.
const CONSUMERS_EVERY: u32 = 10;

/// When the server cannot do it for this time, the user is told.
const SAID_AFTER: Duration = Duration::from_secs(2);
/// The same during the tournament, in which the server may start again.
const FAILING_AFTER: Duration = Duration::from_secs(8);

/// What the pool asks for.
#[derive(Debug)]
pub enum Command {
    /// Publish an order.
    Open(Open),
    /// An order is not wanted any more.
    Close(Open),
    /// The orders of an earlier run that were not opened again are not wanted.
    Filled,
    /// The journal has an outcome, or it is not wanted.
    Settle(Settled),
    /// End; `true` if nothing is left to play. The answer is what stays on the server and is left to the user.
    End(bool, oneshot::Sender<Option<String>>),
}

/// An outcome that does not have to be sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The worker that sent it.
    pub worker: String,
    /// The hash of the order.
    pub order: String,
    /// The subject that acknowledges the message.
    pub reply: Option<String>,
}

/// The connection of a coordinator.
#[derive(Debug)]
pub struct Link {
    client: Client,
    context: Context,
    names: Names,
    invitation: Vec<u8>,
    announcement: Announcement,
    lease: Duration,
    published: Published,
    is_connected: bool,
    reception: Reception,
    /// Whether the user knows that the server does not keep the orders.
    is_refused: Arc<AtomicBool>,
    /// Since when the server cannot say which orders it has, and whether the user knows.
    failing: Option<(Instant, bool)>,
    n_beats: u32,
}

impl Link {
    /// Creates the stream, or finds that of an earlier run. Waits until the server can do it; `say` shows why.
    ///
    /// # Errors
    /// If the server has no JetStream, or does not allow it.
    pub async fn open(
        client: Client,
        names: Names,
        invitation: &Invitation,
        mut say: impl FnMut(&str),
    ) -> Result<Self, String> {
        let payload = encode(invitation);
        let announcement = Announcement {
            format_version: FormatVersion,
            name: invitation.tournament.name.clone(),
            invitation: hash(&payload),
            is_over: false,
            wants_moves: false,
            set_aside: Vec::new(),
        };
        let most = client.max_payload();
        if let Some(why) = sizes::too_small(most, payload.len(), invitation.tournament.rules.max_plies) {
            if most < payload.len() {
                return Err(why);
            }
            say(&format!("warning: {why}"));
        }
        let lease = Duration::from_millis(invitation.lease_ms);
        let context = jetstream::new(client.clone());
        let begun = Instant::now();
        let mut is_said = false;
        let earlier = loop {
            match orders(context.clone(), names.clone(), lease, true).await {
                Ok(found) => break found,
                Err(Failure::Final(why)) => return Err(why),
                Err(Failure::Full(why)) => {
                    if !is_said {
                        is_said = true;
                        say(&format!("{why}; trying again until it can"));
                    }
                    tokio::time::sleep(BEAT / 2).await;
                }
                Err(Failure::Passing(_)) if !client.server_info().jetstream => {
                    return Err("the NATS server has no JetStream; start it with `-js`".to_owned());
                }
                Err(Failure::Passing(why)) => {
                    if !is_said && SAID_AFTER < begun.elapsed() {
                        is_said = true;
                        say(&format!(
                            "the NATS server does not answer ({why}); trying again; check its log, whether it was started with `-js`, and the permissions of this user"
                        ));
                    }
                    tokio::time::sleep(BEAT / 2).await;
                }
            }
        };
        Ok(Self {
            client,
            context,
            names,
            invitation: payload,
            announcement,
            lease,
            published: Published::new(earlier, lease),
            is_connected: true,
            reception: Reception::default(),
            is_refused: Arc::default(),
            failing: None,
            n_beats: 0,
        })
    }

    /// Announces also that these workers were set aside, and whether moves are wanted.
    #[must_use]
    pub fn with(mut self, set_aside: Vec<SetAside>, wants_moves: bool) -> Self {
        (self.announcement.set_aside, self.announcement.wants_moves) = (set_aside, wants_moves);
        self
    }

    /// The hash of the invitation.
    pub fn invitation(&self) -> &str {
        &self.announcement.invitation
    }

    /// The number of orders of an earlier run.
    pub fn n_earlier(&self) -> usize {
        self.published.n_earlier()
    }

    /// Works until it is told to end.
    ///
    /// # Errors
    /// If the connection was closed.
    pub async fn run(
        mut self,
        mut commands: UnboundedReceiver<Command>,
        heard: UnboundedSender<Heard>,
    ) -> Result<(), async_nats::SubscribeError> {
        let mut outcomes = Puller::new(&self.client, &self.names.stream(), COORDINATOR).await?;
        let mut states = self.client.subscribe(self.names.states()).await?;
        let mut joins = self.client.subscribe(self.names.joins()).await?;
        let mut moves = if self.announcement.wants_moves {
            Some(self.client.subscribe(self.names.all_moves()).await?)
        } else {
            None
        };
        let mut beats = interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut comparison: Option<JoinHandle<Result<HashSet<String>, Failure>>> = None;
        loop {
            outcomes.want(OUTCOMES / 2, OUTCOMES).await;
            tokio::select! {
                command = commands.recv() => match command {
                    Some(Command::End(is_over, done)) => {
                        let _ = done.send(self.end(is_over).await);
                        return Ok(());
                    }
                    Some(command) => self.obey(command, &heard).await,
                    None => return Ok(()),
                },
                message = outcomes.next() => if let Some(message) = message {
                    self.take_outcome(&message, &heard).await;
                },
                message = next(&mut states) => self.take_state(&message, &heard),
                message = next(&mut joins) => if let Some(reply) = self.reception.join(message, Instant::now()) {
                    let _ = self.client.publish(reply, self.invitation.clone().into()).await;
                },
                message = next_of(&mut moves) => if let Some(moves) = self.reception.moves(&message, Instant::now()) {
                    let _ = heard.send(moves);
                },
                compared = finished(&mut comparison) => {
                    comparison = None;
                    match compared {
                        Ok(orders) => {
                            self.failing = None;
                            self.restore(&orders, &heard).await;
                        }
                        Err(failure) => self.take_failure(failure, &heard),
                    }
                }
                _ = beats.tick() => {
                    let is_connected = self.client.connection_state() == ConnectionState::Connected;
                    if std::mem::replace(&mut self.is_connected, is_connected) != is_connected {
                        let _ = heard.send(Heard::Connection(is_connected));
                    }
                    self.announce().await;
                    if comparison.is_none() {
                        let with_consumers = self.n_beats.is_multiple_of(CONSUMERS_EVERY);
                        self.n_beats += 1;
                        let (context, names) = (self.context.clone(), self.names.clone());
                        comparison = Some(tokio::spawn(orders(context, names, self.lease, with_consumers)));
                    }
                }
            }
        }
    }

    async fn obey(&mut self, command: Command, heard: &UnboundedSender<Heard>) {
        match command {
            Command::Open(Open { order, payload, hash }) => {
                let most = self.client.max_payload();
                if most < payload.len() {
                    let what = format!("pair {}: the order has {} bytes", order.pair, payload.len());
                    let _ = heard.send(Heard::Warning(format!("{what}, {}", sizes::remedy(most))));
                }
                let subject = self.names.job(order.pair, &hash);
                if self.published.open(subject.clone(), payload.clone()) {
                    self.publish(subject, payload).await;
                }
            }
            Command::Close(Open { order, hash, .. }) => {
                self.published.close(&self.names.job(order.pair, &hash), &hash);
            }
            Command::Filled => {
                for subject in self.published.take_earlier() {
                    self.remove(subject);
                }
            }
            Command::Settle(Settled { worker, order, reply }) => {
                if let Some(reply) = reply {
                    let _ = self.client.publish(reply, "+ACK".into()).await;
                }
                let receipt = encode(&Receipt { order });
                let _ = self.client.publish(self.names.receipt(&worker), receipt.into()).await;
            }
            Command::End(..) => unreachable!("handled by the loop"),
        }
    }

    async fn take_outcome(&self, message: &Message, heard: &UnboundedSender<Heard>) {
        let outcome = reception::outcome(message);
        if let (Heard::About { .. }, Some(reply)) = (&outcome, message.reply.clone()) {
            let _ = self.client.publish(reply, "+TERM".into()).await;
        }
        let _ = heard.send(outcome);
    }

    fn take_state(&mut self, message: &Message, heard: &UnboundedSender<Heard>) {
        let now = Instant::now();
        let Some(news) = self.reception.state(message, &self.announcement.invitation, now) else { return };
        if let Heard::State { state, .. } = &news {
            self.published.hold(&state.holds, now);
        }
        let _ = heard.send(news);
    }

    /// The server cannot do it, though it can be reached: if that lasts, the user is told.
    fn take_failure(&mut self, failure: Failure, heard: &UnboundedSender<Heard>) {
        if self.client.connection_state() != ConnectionState::Connected {
            self.failing = None;
            return;
        }
        let (since, is_said) = self.failing.get_or_insert((Instant::now(), false));
        if !*is_said && FAILING_AFTER < since.elapsed() {
            *is_said = true;
            let warning = match failure {
                Failure::Full(why) => why,
                Failure::Final(why) | Failure::Passing(why) => format!(
                    "the NATS server does not answer ({why}); trying again; check its log and its disk"
                ),
            };
            let _ = heard.send(Heard::Warning(warning));
        }
    }

    /// Publishes the open orders that the stream has lost, and removes the others.
    async fn restore(&mut self, orders: &HashSet<String>, heard: &UnboundedSender<Heard>) {
        let Differences { lost, surplus } = self.published.compare(orders, Instant::now());
        let mut lost = lost.into_iter();
        if let Some((subject, payload)) = lost.next() {
            self.publish_first(subject, payload, heard.clone());
        }
        for (subject, payload) in lost {
            self.publish(subject, payload).await;
        }
        for subject in surplus {
            self.remove(subject);
        }
    }

    async fn publish(&self, subject: String, payload: Vec<u8>) {
        // What is lost is published again.
        let _ = self.client.publish(subject, payload.into()).await;
    }

    /// Publishes an order that the stream has lost. If the server does not keep it, the user is told why.
    fn publish_first(&self, subject: String, payload: Vec<u8>, heard: UnboundedSender<Heard>) {
        let (client, is_refused) = (self.client.clone(), Arc::clone(&self.is_refused));
        tokio::spawn(async move {
            let why = stream::publish(&client, subject, payload).await;
            let was_refused = is_refused.swap(why.is_some(), Relaxed);
            if let Some(why) = why.filter(|_| !was_refused) {
                let warning = format!("the NATS server does not keep the orders: {why}");
                let _ = heard.send(Heard::Warning(warning));
            }
        });
    }

    fn remove(&self, subject: String) {
        let (context, stream) = (self.context.clone(), self.names.stream());
        tokio::spawn(async move {
            if let Ok(stream) = context.get_stream_no_info(stream).await {
                // What stays is removed at the next comparison.
                let _ = stream.purge().filter(subject).await;
            }
        });
    }

    async fn announce(&self) {
        let _ = self.client.publish(self.names.announcement(), encode(&self.announcement).into()).await;
    }

    async fn end(&mut self, is_over: bool) -> Option<String> {
        let left = if is_over {
            self.announcement.is_over = true;
            self.announce().await;
            stream::remove(&self.context, &self.names).await
        } else {
            let n_pairs = self.published.n_open();
            (0 < n_pairs).then(|| format!("pairs that stay on the NATS server: {n_pairs}; workers finish those that they have begun, and the same command takes the results"))
        };
        let _ = tokio::time::timeout(BEAT, self.client.flush()).await;
        left
    }
}

/// The next message. Without a connection there is none.
async fn next(messages: &mut Subscriber) -> Message {
    match messages.next().await {
        Some(message) => message,
        None => std::future::pending().await,
    }
}

/// The next message, if there is a subscription.
async fn next_of(messages: &mut Option<Subscriber>) -> Message {
    match messages {
        Some(messages) => next(messages).await,
        None => std::future::pending().await,
    }
}

/// Waits for the comparison, if there is one. It is cancel-safe.
async fn finished(
    comparison: &mut Option<JoinHandle<Result<HashSet<String>, Failure>>>,
) -> Result<HashSet<String>, Failure> {
    match comparison {
        Some(comparison) => comparison.await.unwrap_or_else(|error| Err(Failure::Passing(error.to_string()))),
        None => std::future::pending().await,
    }
}
