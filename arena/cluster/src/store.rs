//! The engines' files in the object store of the server, by their SHA-256. The coordinator puts them there, and again if the
//! server has lost them. A worker reads them message by message, which needs no permission to create anything.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State as ConnectionState;
use async_nats::jetstream::object_store::{self, ObjectInfo, ObjectStore};
use async_nats::jetstream::{self, stream::DirectGetErrorKind, stream::Stream};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE as URL_SAFE;
use sha2::{Digest, Sha256};

use super::parcels::{Packed, Parcel};
use super::stream::{REMEDY, is_full};
use model::hex;

/// The bucket of all tournaments.
const BUCKET: &str = "arena";
/// Files are kept for this time. The coordinator puts them again while it runs.
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// The interval in which the coordinator looks whether the files are still there.
const LOOK: Duration = Duration::from_secs(5);

/// The files that workers get, which may change while the tournament is played.
pub type SharedParcels = Arc<Mutex<Vec<Packed>>>;

/// Keeps the files in the store for as long as it is polled. `say` shows what does not work.
pub async fn keep(client: Client, packed: SharedParcels, mut say: impl FnMut(String)) {
    let mut said = String::new();
    loop {
        let packed_now = packed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Err(why) = put(&client, &packed_now).await
            && client.connection_state() == ConnectionState::Connected
            && why != said
        {
            let help = if is_full(&why) {
                REMEDY
            } else {
                "check the permissions of the coordinator (`$O.arena.>`)"
            };
            say(format!("cannot send the engines to the NATS server: {why}; trying again; {help}"));
            said = why;
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Puts the files into the store that it does not have.
///
/// # Errors
/// Why that does not work.
pub async fn put(client: &Client, packed: &[Packed]) -> Result<(), String> {
    // Engines may share a file.
    let files: HashMap<&String, &PathBuf> =
        packed.iter().map(|packed| (&packed.parcel.sha256, &packed.file)).collect();
    let context = jetstream::new(client.clone());
    let store = if let Ok(store) = context.get_object_store(BUCKET).await {
        store
    } else {
        let bucket = BUCKET.to_owned();
        let config = object_store::Config { bucket, max_age: MAX_AGE, ..object_store::Config::default() };
        context.create_object_store(config).await.map_err(in_words)?
    };
    for (sha256, path) in files {
        if !is_there(&store, sha256).await {
            if opponent::sha256_of(path).map_err(in_words)? != *sha256 {
                return Err(format!("`{}` has changed", path.display()));
            }
            let mut file = tokio::fs::File::open(path).await.map_err(in_words)?;
            store.put(sha256.as_str(), &mut file).await.map_err(in_words)?;
        }
    }
    Ok(())
}

async fn is_there(store: &ObjectStore, sha256: &str) -> bool {
    let is_young = |info: &ObjectInfo| {
        let age = info.modified.map(|modified| async_nats::datetime::now() - modified);
        age.is_some_and(|age| age < MAX_AGE / 2)
    };
    store.info(sha256).await.is_ok_and(|info| !info.deleted && is_young(&info))
}

/// Writes a file of the store to `out`, and checks its content.
///
/// # Errors
/// If the server does not have it, or something else arrives.
pub async fn fetch(client: &Client, parcel: &Parcel, out: &mut impl Write) -> Result<(), String> {
    let stream =
        jetstream::new(client.clone()).get_stream_no_info(format!("OBJ_{BUCKET}")).await.map_err(in_words)?;
    let info = info(&stream, &parcel.sha256).await?;
    if info.size as u64 != parcel.bytes {
        return Err(format!("it has {} bytes instead of {}", info.size, parcel.bytes));
    }
    let subject = format!("$O.{BUCKET}.C.{}", info.nuid);
    let (mut hasher, mut n_bytes, mut sequence) = (Sha256::new(), 0, None);
    while n_bytes < parcel.bytes {
        let message =
            stream.direct_get_next_for_subject(subject.as_str(), sequence).await.map_err(in_words)?;
        sequence = Some(message.sequence + 1);
        n_bytes += message.payload.len() as u64;
        if parcel.bytes < n_bytes || message.payload.is_empty() {
            return Err("it has another size than announced".to_owned());
        }
        hasher.update(&message.payload);
        out.write_all(&message.payload).map_err(in_words)?;
    }
    let sha256 = hex(&hasher.finalize());
    if sha256 == parcel.sha256 {
        Ok(())
    } else {
        Err(format!("its SHA-256 is {sha256} instead of {}", parcel.sha256))
    }
}

async fn info(stream: &Stream<()>, name: &str) -> Result<ObjectInfo, String> {
    let subject = format!("$O.{BUCKET}.M.{}", URL_SAFE.encode(name));
    let message = stream.direct_get_last_for_subject(subject).await.map_err(|error| match error.kind() {
        DirectGetErrorKind::NotFound => "the NATS server does not have it yet".to_owned(),
        _ => in_words(error),
    })?;
    let info: ObjectInfo = serde_json::from_slice(&message.payload).map_err(in_words)?;
    // It becomes part of a subject.
    let is_plain = !info.nuid.is_empty() && info.nuid.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_plain && !info.deleted { Ok(info) } else { Err("the NATS server does not have it yet".to_owned()) }
}

fn in_words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
