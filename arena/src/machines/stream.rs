//! The stream of a tournament: its orders and outcomes, and the consumers that give them out.

use std::collections::HashSet;
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream::{Config, RetentionPolicy};
use tokio_stream::StreamExt;

use super::subject::{COORDINATOR, Names, WORKERS};

/// An outcome that is not acknowledged after this time is delivered again.
const OUTCOME_LEASE: Duration = Duration::from_secs(5);

/// Why the orders of the stream are not known.
#[derive(Debug)]
pub enum Failure {
    /// It cannot become better.
    Final(String),
    /// The server cannot do it now.
    Passing(String),
}

impl Failure {
    fn of(error: &dyn std::error::Error) -> Self {
        let text = error.to_string();
        let is_final = ["not enabled", "insufficient", "maximum"].iter().any(|words| text.contains(words));
        if is_final {
            let help = "start it with `-js`, or raise its limits";
            Self::Final(format!("the NATS server cannot keep the orders of the tournament: {text}; {help}"))
        } else {
            Self::Passing(text)
        }
    }
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
            [(WORKERS, names.jobs(), lease), (COORDINATOR, names.results(), OUTCOME_LEASE)]
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
