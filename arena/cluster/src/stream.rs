//! The stream of a tournament: its orders and outcomes, and the consumers that give them out.

use std::collections::HashSet;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State as ConnectionState;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::{DeleteStreamErrorKind, PublishErrorKind};
use async_nats::jetstream::stream::{Config, RetentionPolicy};
use async_nats::jetstream::{self, Context, ErrorCode};
use tokio_stream::StreamExt;

use super::access::in_words;
use super::subject::{COORDINATOR, Names, WORKERS};

/// A server that can keep a message says so within this time.
const KEPT_WITHIN: Duration = Duration::from_secs(3);

/// A server that can remove a stream does it within this time.
const REMOVED_WITHIN: Duration = Duration::from_secs(2);

/// What helps a server that keeps no more messages. After an error of its disk, it takes none until it starts again.
pub const REMEDY: &str =
    "make room on its disk, or raise `max_file_store` in its configuration, and start it again";

/// Why the orders of the stream are not known.
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
        let what = "the NATS server cannot keep the orders of the tournament";
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

/// Publishes a message of a stream. Returns why the server does not keep it, and what helps; `None` if it does, or if there
/// is no connection or no stream now.
pub async fn publish(client: &Client, subject: String, payload: Vec<u8>) -> Option<String> {
    let n_connections = || client.statistics().connects.load(Relaxed);
    let before = n_connections();
    let mut context = jetstream::new(client.clone());
    context.set_timeout(KEPT_WITHIN);
    let kept = context.publish(subject, payload.into()).await.ok()?;
    let error = kept.await.err()?;
    let is_connected = client.connection_state() == ConnectionState::Connected && n_connections() == before;
    let why = match error.kind() {
        PublishErrorKind::Other => in_words(&error),
        PublishErrorKind::TimedOut if is_connected => {
            format!("no answer within {}", humantime::format_duration(KEPT_WITHIN))
        }
        _ => return None,
    };
    Some(format!("{why}; {REMEDY}"))
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

/// The subjects of the orders in the stream, which is created if it does not exist.
///
/// # Errors
/// If the server cannot say it.
pub async fn orders(
    context: Context,
    names: Names,
    lease: Duration,
    with_consumers: bool,
) -> Result<HashSet<String>, Failure> {
    let config = Config {
        name: names.stream(),
        subjects: vec![names.jobs(), names.results()],
        retention: RetentionPolicy::WorkQueue,
        max_messages_per_subject: 1,
        ..Config::default()
    };
    let stream = context.get_or_create_stream(config).await.map_err(|error| Failure::of(&error))?;
    if with_consumers || stream.cached_info().state.consumer_count < 2 {
        for (name, filter_subject, ack_wait) in
            [(WORKERS, names.jobs(), lease), (COORDINATOR, names.results(), lease / 2)]
        {
            let consumer = pull::Config {
                durable_name: Some(name.to_owned()),
                filter_subject,
                ack_policy: AckPolicy::Explicit,
                ack_wait,
                // An order is delivered again for as long as it is open.
                max_deliver: -1,
                max_ack_pending: -1,
                ..pull::Config::default()
            };
            stream.create_consumer(consumer).await.map_err(|error| Failure::of(&error))?;
        }
    }
    let mut found = stream.info_with_subjects(names.jobs()).await.map_err(|error| Failure::of(&error))?;
    let mut subjects = HashSet::new();
    while let Some(subject) = found.next().await {
        subjects.insert(subject.map_err(|error| Failure::of(&error))?.0);
    }
    Ok(subjects)
}
