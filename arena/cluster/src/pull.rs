//! Pulls messages from a consumer, never more than asked for. Each request is separate: after a reconnection, or when the
//! server has forgotten the consumer, the next request works again.

use std::collections::VecDeque;
use std::time::Duration;

use async_nats::{Client, Message, Subscriber};
use tokio::time::{Instant, sleep_until};
use tokio_stream::StreamExt;

/// How long the server keeps a request.
const EXPIRES: Duration = Duration::from_secs(3);
/// A request without an answer is given up after this time.
const GIVEN_UP: Duration = Duration::from_secs(4);
/// The pause after the server has refused a request.
const PAUSE: Duration = Duration::from_millis(300);

/// The next message of a subscription. Without a connection there is none.
pub async fn next(messages: &mut Subscriber) -> Message {
    match messages.next().await {
        Some(message) => message,
        None => std::future::pending().await,
    }
}

/// The requests to one consumer.
#[derive(Debug)]
pub struct Puller {
    client: Client,
    consumer: String,
    inbox: String,
    messages: Subscriber,
    requests: VecDeque<Request>,
    next_id: u64,
}

#[derive(Debug)]
struct Request {
    id: u64,
    /// The number of messages that may still come.
    n_open: u32,
    ends: Instant,
}

impl Puller {
    /// Requests to the `consumer` of the `stream`; none yet.
    ///
    /// # Errors
    /// If the connection is closed.
    pub async fn new(
        client: &Client,
        stream: &str,
        consumer: &str,
    ) -> Result<Self, async_nats::SubscribeError> {
        let inbox = client.new_inbox();
        Ok(Self {
            client: client.clone(),
            consumer: format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}"),
            messages: client.subscribe(format!("{inbox}.*")).await?,
            inbox,
            requests: VecDeque::new(),
            next_id: 0,
        })
    }

    /// If fewer than `least` messages are asked for, asks for more until there are `most`.
    pub async fn want(&mut self, least: u32, most: u32) {
        self.give_up();
        let n_open: u32 = self.requests.iter().map(|request| request.n_open).sum();
        if least <= n_open {
            return;
        }
        let batch = most - n_open;
        let id = self.next_id;
        self.next_id += 1;
        let body = format!(r#"{{"batch":{batch},"expires":{}}}"#, EXPIRES.as_nanos());
        let reply = format!("{}.{id}", self.inbox);
        // A request that is lost ends like one without messages.
        let _ = self.client.publish_with_reply(self.consumer.clone(), reply, body.into()).await;
        self.requests.push_back(Request { id, n_open: batch, ends: Instant::now() + GIVEN_UP });
    }

    /// The next message; `None` when a request has ended, so that [`Self::want`] must be called again. It is
    /// cancel-safe.
    pub async fn next(&mut self) -> Option<Message> {
        loop {
            let ends = self.requests.iter().map(|request| request.ends).min();
            let message = tokio::select! {
                message = self.messages.next() => message,
                () = sleep_until(ends.unwrap_or_else(Instant::now)), if ends.is_some() => {
                    self.give_up();
                    return None;
                }
            };
            // Without a connection, messages end.
            let Some(message) = message else { return std::future::pending().await };
            // Only the server writes to this inbox. A message of the stream may say that it has a status.
            let status = message.status.filter(|_| message.subject.starts_with(&self.inbox));
            let Some(status) = status else {
                // The server serves requests in order. A message has its own subject, not that of the request.
                if let Some(request) = self.requests.front_mut() {
                    request.n_open -= 1;
                    if request.n_open == 0 {
                        self.requests.pop_front();
                    }
                }
                return Some(message);
            };
            let id = message.subject.rsplit('.').next().and_then(|id| id.parse::<u64>().ok());
            let place = self.requests.iter().position(|request| Some(request.id) == id);
            let Some(place) = place else { continue };
            match status.as_u16() {
                // A heartbeat.
                100 => {}
                // No more messages within the time.
                404 | 408 => {
                    self.requests.remove(place);
                    return None;
                }
                // There is no such consumer now.
                _ => self.requests[place].ends = Instant::now() + PAUSE,
            }
        }
    }

    fn give_up(&mut self) {
        let now = Instant::now();
        self.requests.retain(|request| now < request.ends);
    }
}
