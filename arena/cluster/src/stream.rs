//! The stream of a tournament, which has its outcomes until the coordinator has stored them.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State as ConnectionState;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::{DeleteStreamErrorKind, PublishErrorKind};
use async_nats::jetstream::stream::{Config, RetentionPolicy};
use async_nats::jetstream::{self, Context, ErrorCode};

use super::access::in_words;
use super::subject::{COORDINATOR, Names};

/// A server that can keep a message says so within this time.
const KEPT_WITHIN: Duration = Duration::from_secs(3);

/// A server that can remove a stream does it within this time.
const REMOVED_WITHIN: Duration = Duration::from_secs(2);

/// Outcomes are kept for this time: the coordinator may come back until then.
const KEPT_FOR: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// What helps a server that keeps no more messages. After an error of its disk, it takes none until it starts again.
pub const REMEDY: &str =
    "make room on its disk, or raise `max_file_store` in its configuration, and start it again";

/// Why the stream cannot be used.
#[derive(Debug)]
pub enum Failure {
    /// It cannot become better.
    Final(String),
    /// The server has no room.
    Full(String),
    /// The server cannot do it now.
    Passing(String),
}

impl Failure {
    fn of(error: &dyn std::error::Error) -> Self {
        let text = error.to_string();
        let what = "the NATS server cannot keep the results of the tournament";
        if text.contains("not enabled") {
            Self::Final(format!("{what}: {text}; start it with `-js`"))
        } else if is_full(&text) {
            Self::Full(format!("{what}: {text}; {REMEDY}"))
        } else {
            Self::Passing(text)
        }
    }
}

/// Whether an error of the server says that it has no room.
pub fn is_full(why: &str) -> bool {
    ["insufficient", "maximum", "creating store", "ack in time"].iter().any(|words| why.contains(words))
}

/// What has become of a message of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The server keeps it, or there is no connection now.
    Maybe,
    /// There is no stream.
    NoStream,
    /// The server does not keep it: why, and what helps.
    NotKept(String),
}

/// Publishes a message of a stream.
pub async fn publish(client: &Client, subject: String, payload: Vec<u8>) -> Sent {
    let n_connections = || client.statistics().connects.load(Relaxed);
    let before = n_connections();
    let mut context = jetstream::new(client.clone());
    context.set_timeout(KEPT_WITHIN);
    let Ok(kept) = context.publish(subject, payload.into()).await else { return Sent::Maybe };
    let Err(error) = kept.await else { return Sent::Maybe };
    let is_connected = client.connection_state() == ConnectionState::Connected && n_connections() == before;
    let why = match error.kind() {
        PublishErrorKind::StreamNotFound => return Sent::NoStream,
        PublishErrorKind::Other => in_words(&error),
        PublishErrorKind::TimedOut if is_connected => {
            format!("no answer within {}", humantime::format_duration(KEPT_WITHIN))
        }
        _ => return Sent::Maybe,
    };
    Sent::NotKept(format!("{why}; {REMEDY}"))
}

/// Removes the stream. Returns what stays on the server, and why; `None` if nothing does.
pub async fn remove(context: &Context, names: &Names) -> Option<String> {
    let name = names.stream();
    let why = match tokio::time::timeout(REMOVED_WITHIN, context.delete_stream(&name)).await {
        Ok(Ok(_)) => return None,
        Ok(Err(error)) => match error.kind() {
            DeleteStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND => {
                return None;
            }
            _ => in_words(&error),
        },
        Err(_) => format!("no answer within {}", humantime::format_duration(REMOVED_WITHIN)),
    };
    Some(format!(
        "the stream `{name}` stays on the NATS server, which cannot remove it now: {why}; unless the tournament continues, remove it with `nats stream rm {name}`"
    ))
}

/// Creates the stream if it does not exist, and its consumer. Returns the number of outcomes of a stream that existed.
///
/// # Errors
/// If the server cannot do it.
pub async fn prepare(
    context: &Context,
    names: &Names,
    lease: Duration,
    with_consumer: bool,
) -> Result<Option<usize>, Failure> {
    let existing = context.get_stream(names.stream()).await.ok();
    let n_outcomes = existing.as_ref().map(|stream| stream.cached_info().state.messages as usize);
    let stream = if let Some(stream) = existing {
        stream
    } else {
        let config = Config {
            name: names.stream(),
            subjects: vec![names.results()],
            retention: RetentionPolicy::WorkQueue,
            max_messages_per_subject: 1,
            max_age: KEPT_FOR,
            ..Config::default()
        };
        context.get_or_create_stream(config).await.map_err(|error| Failure::of(&error))?
    };
    if with_consumer || stream.cached_info().state.consumer_count == 0 {
        let consumer = pull::Config {
            durable_name: Some(COORDINATOR.to_owned()),
            filter_subject: names.results(),
            ack_policy: AckPolicy::Explicit,
            ack_wait: lease / 2,
            max_deliver: -1,
            max_ack_pending: -1,
            ..pull::Config::default()
        };
        stream.create_consumer(consumer).await.map_err(|error| Failure::of(&error))?;
    }
    Ok(n_outcomes)
}
