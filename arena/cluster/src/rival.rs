//! Two coordinators with the same results folder, or with copies of it, would stop each other: the second one is refused.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::time::Duration;

use async_nats::{Client, Message};
use serde::{Deserialize, Serialize};

use super::message::{decode, encode};
use super::roster::in_short;
use super::subject::{COORDINATOR_NAME, Names, is_in_inbox};

/// A coordinator that runs answers within this time. One that was cut off does not, and is not waited for.
const ANSWER: Duration = Duration::from_secs(1);

/// A coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Coordinator {
    host: String,
    process: u32,
    /// Distinguishes processes with the same number on hosts with the same name.
    mark: u64,
}

fn this() -> &'static Coordinator {
    static THIS: OnceLock<Coordinator> = OnceLock::new();
    THIS.get_or_init(|| Coordinator {
        host: host::machine::name(),
        process: std::process::id(),
        mark: RandomState::new().hash_one(()),
    })
}

/// Why this coordinator must not play, because another one does; `None` if none does.
pub async fn look(client: &Client, names: &Names) -> Option<String> {
    let request = client.request(names.coordinators(), "".into());
    let reply = tokio::time::timeout(ANSWER, request).await.ok()?.ok()?;
    let other: Coordinator = decode(&reply.payload).ok()?;
    (other != *this()).then(|| {
        format!(
            "another `arena run` plays this tournament at the NATS server: process {} on `{}`; end it first, or use another folder with `--results` (a copied results folder also has its `tournament-id`, so remove that file from the copy)",
            other.process,
            in_short(&other.host)
        )
    })
}

/// Answers another coordinator.
pub async fn answer(client: &Client, asked: Message) {
    if let Some(reply) = asked.reply.filter(|reply| is_in_inbox(reply, COORDINATOR_NAME)) {
        let _ = client.publish(reply, encode(this()).into()).await;
    }
}
