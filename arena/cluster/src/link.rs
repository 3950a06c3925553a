//! The coordinator's side of the connection: sends orders, receives outcomes and states, and creates again what the server
//! has lost. It decides nothing about matches.

use std::time::{Duration, Instant};

use async_nats::connection::State as ConnectionState;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, Message, Subscriber};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};

use super::message::{Announcement, Invitation, Receipt, encode, hash};
use super::pull::{Puller, next};
use super::reception::{self, Received, Reception};
use super::rival;
use super::sizes;
use super::stream::{self, Failure, prepare};
use super::subject::{COORDINATOR, Names};
use model::{FormatVersion, SetAside};

/// The interval of announcements, and of looks at the stream.
pub const BEAT: Duration = Duration::from_secs(1);
/// The most outcomes that are requested at a time.
const OUTCOMES: u32 = 64;
/// The consumer is created again after this number of beats, in case that only it was lost.
const CONSUMER_EVERY: u32 = 10;

/// When the server cannot do it for this time, the user is told.
const SAID_AFTER: Duration = Duration::from_secs(2);
/// The same during the tournament, in which the server may start again.
const FAILING_AFTER: Duration = Duration::from_secs(8);

/// What the pool asks for.
#[derive(Debug)]
pub enum Command {
    /// Send an order to a worker.
    Give { worker: String, pair: u32, payload: Vec<u8> },
    /// Workers say what they do in this interval.
    Beat { beat: Duration, n_workers: usize },
    /// The journal has an outcome, or it is not wanted.
    Settle(Settled),
    /// End.
    End {
        /// Whether nothing is left to play.
        is_over: bool,
        /// The answer: what stays on the server and is left to the user.
        done: oneshot::Sender<Option<String>>,
    },
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
    /// The number of outcomes of an earlier run; `None` if there was none.
    n_earlier: Option<usize>,
    is_connected: bool,
    reception: Reception,
    /// Since when the server does not have the stream, and whether the user knows.
    failing: Option<(Instant, bool)>,
    n_beats: u32,
}

impl Link {
    /// Creates the stream, or finds that of an earlier run. Waits until the server can do it; `say` shows why.
    ///
    /// # Errors
    /// If the server has no JetStream, or does not allow it, or another coordinator plays the tournament.
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
            beat_ms: beat_ms(BEAT),
            priority: 0,
            n_workers: 0,
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
        if let Some(why) = rival::look(&client, &names).await {
            return Err(why);
        }
        let context = jetstream::new(client.clone());
        let begun = Instant::now();
        let mut is_said = false;
        let earlier = loop {
            match prepare(&context, &names, lease, true).await {
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
            n_earlier: earlier,
            is_connected: true,
            reception: Reception::default(),
            failing: None,
            n_beats: 0,
        })
    }

    /// Announces also whether moves are wanted, this priority, and that these workers were set aside.
    #[must_use]
    pub fn with(mut self, wants_moves: bool, priority: i32, set_aside: Vec<SetAside>) -> Self {
        self.announcement = Announcement { wants_moves, priority, set_aside, ..self.announcement };
        self
    }

    /// The hash of the invitation.
    pub fn invitation(&self) -> &str {
        &self.announcement.invitation
    }

    /// The number of outcomes of an earlier run; `None` if there was none.
    pub const fn n_earlier(&self) -> Option<usize> {
        self.n_earlier
    }

    /// Works until it is told to end.
    ///
    /// # Errors
    /// If the connection was closed.
    pub async fn run(
        mut self,
        mut commands: UnboundedReceiver<Command>,
        heard: UnboundedSender<Received>,
    ) -> Result<(), async_nats::SubscribeError> {
        let mut outcomes = Puller::new(&self.client, &self.names.stream(), COORDINATOR).await?;
        let mut states = self.client.subscribe(self.names.states()).await?;
        let mut joins = self.client.subscribe(self.names.joins()).await?;
        let mut rivals = self.client.subscribe(self.names.coordinators()).await?;
        let mut moves = if self.announcement.wants_moves {
            Some(self.client.subscribe(self.names.all_moves()).await?)
        } else {
            None
        };
        let mut beats = interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut looking: Option<JoinHandle<Result<Option<usize>, Failure>>> = None;
        loop {
            outcomes.want(OUTCOMES / 2, OUTCOMES).await;
            tokio::select! {
                command = commands.recv() => match command {
                    Some(Command::End { is_over, done }) => {
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
                message = next(&mut rivals) => rival::answer(&self.client, message).await,
                message = next_of(&mut moves) => if let Some(moves) = self.reception.moves(&message, Instant::now()) {
                    let _ = heard.send(moves);
                },
                looked = finished(&mut looking) => {
                    looking = None;
                    match looked {
                        Ok(_) => self.failing = None,
                        Err(failure) => self.take_failure(failure, &heard),
                    }
                }
                _ = beats.tick() => {
                    let is_connected = self.client.connection_state() == ConnectionState::Connected;
                    if std::mem::replace(&mut self.is_connected, is_connected) != is_connected {
                        let _ = heard.send(Received::Connection(is_connected));
                    }
                    self.announce().await;
                    if looking.is_none() {
                        let with_consumer = self.n_beats.is_multiple_of(CONSUMER_EVERY);
                        self.n_beats += 1;
                        let (context, names, lease) = (self.context.clone(), self.names.clone(), self.lease);
                        looking = Some(tokio::spawn(async move {
                            prepare(&context, &names, lease, with_consumer).await
                        }));
                    }
                }
            }
        }
    }

    async fn obey(&mut self, command: Command, heard: &UnboundedSender<Received>) {
        match command {
            Command::Give { worker, pair, payload } => {
                let most = self.client.max_payload();
                if payload.len() > most {
                    let what = format!("pair {pair}: the order has {} bytes", payload.len());
                    let _ = heard.send(Received::Warning(format!("{what}, {}", sizes::remedy(most))));
                }
                // If it is lost, the worker does not report it, and another one gets it.
                let _ = self.client.publish(self.names.order(&worker), payload.into()).await;
            }
            Command::Beat { beat, n_workers } => {
                (self.announcement.beat_ms, self.announcement.n_workers) = (beat_ms(beat), n_workers);
            }
            Command::Settle(Settled { worker, order, reply }) => {
                if let Some(reply) = reply {
                    let _ = self.client.publish(reply, "+ACK".into()).await;
                }
                let receipt = encode(&Receipt { order });
                let _ = self.client.publish(self.names.receipt(&worker), receipt.into()).await;
            }
            Command::End { .. } => unreachable!("handled by the loop"),
        }
    }

    async fn take_outcome(&self, message: &Message, heard: &UnboundedSender<Received>) {
        let outcome = reception::outcome(message);
        if let (Received::About { .. }, Some(reply)) = (&outcome, message.reply.clone()) {
            let _ = self.client.publish(reply, "+TERM".into()).await;
        }
        let _ = heard.send(outcome);
    }

    fn take_state(&mut self, message: &Message, heard: &UnboundedSender<Received>) {
        let now = Instant::now();
        if let Some(news) = self.reception.state(message, &self.announcement.invitation, now) {
            let _ = heard.send(news);
        }
    }

    /// The server cannot do it, though it can be reached: if that lasts, the user is told.
    fn take_failure(&mut self, failure: Failure, heard: &UnboundedSender<Received>) {
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
            let _ = heard.send(Received::Warning(warning));
        }
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
            None
        };
        let _ = tokio::time::timeout(BEAT, self.client.flush()).await;
        left
    }
}

/// The next message, if there is a subscription.
async fn next_of(messages: &mut Option<Subscriber>) -> Message {
    match messages {
        Some(messages) => next(messages).await,
        None => std::future::pending().await,
    }
}

/// Waits for the look at the stream, if there is one. It is cancel-safe.
async fn finished(
    looking: &mut Option<JoinHandle<Result<Option<usize>, Failure>>>,
) -> Result<Option<usize>, Failure> {
    match looking {
        Some(looking) => looking.await.unwrap_or_else(|error| Err(Failure::Passing(error.to_string()))),
        None => std::future::pending().await,
    }
}

fn beat_ms(beat: Duration) -> u64 {
    u64::try_from(beat.as_millis()).unwrap_or(u64::MAX)
}
