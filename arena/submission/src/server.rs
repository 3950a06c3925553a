//! The server's side: who may send, how much and how often; the upload on its way to a file; the answer. Whatever
//! arrives here comes from strangers until its signature is verified.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufReader, Seek, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use http_body_util::BodyExt;
use sha2::{Digest, Sha256};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use model::escape::escaped_line;
use model::{Size, hex};

use crate::archive::{Bounds, unpack};
use crate::error::{Error, wrong};
use crate::key::PublicKey;
use crate::place::{INCOMING, PROGRAMS, Placed, make_folder, place, remove_incomplete};
use crate::rate::Rate;
use crate::seal::{HEADER, Seal, now};

/// The path of uploads.
pub const PATH: &str = "/submit";

/// The hexadecimal digits of a hash in the name of a folder.
const HASH_DIGITS: usize = 32;
/// What is read of an archive at once, in bytes.
const BUFFER: usize = 64 << 10;
/// How far the clocks of owner and server may differ, in seconds.
const CLOCK_DIFFERENCE: u64 = 300;
/// The parts of an upload that wait to be written.
const WAITING_PARTS: usize = 4;
/// How long a refused body is read on, because a sender hears no answer while it sends.
const LISTENING: Duration = Duration::from_secs(5);
/// The largest number of uploads at a time.
const MOST_UPLOADS: usize = 8;

/// What owners may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The bytes of an archive.
    pub packed: u64,
    /// The bytes in it.
    pub unpacked: u64,
    /// The files and folders in it.
    pub entries: usize,
    /// How long an upload may take.
    pub time: Duration,
    /// The uploads of an owner in an hour.
    pub uploads_per_hour: u32,
    /// The requests from an address in a minute, also those that are refused.
    pub requests_per_minute: u32,
    /// The engines of an owner.
    pub engines: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            packed: 64 << 20,
            unpacked: 256 << 20,
            entries: 5000,
            time: Duration::from_secs(600),
            uploads_per_hour: 10,
            requests_per_minute: 30,
            engines: 8,
        }
    }
}

/// Why an upload is refused: what its sender reads.
#[derive(Debug)]
struct Refusal {
    status: StatusCode,
    why: String,
    wait: Option<Duration>,
}

impl Refusal {
    fn new(status: StatusCode, why: impl Into<String>) -> Self {
        Self { status, why: why.into(), wait: None }
    }

    fn too_often(why: &str, wait: Duration) -> Self {
        let seconds = wait.as_secs() + 1;
        let why = format!("{why}; try again in {seconds} s");
        Self { wait: Some(wait), ..Self::new(StatusCode::TOO_MANY_REQUESTS, why) }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, format!("{}\n", self.why)).into_response();
        if let Some(wait) = self.wait {
            response.headers_mut().insert(header::RETRY_AFTER, (wait.as_secs() + 1).into());
        }
        response
    }
}

type Say = Box<dyn Fn(&str) + Send + Sync>;

/// The place of a league where engines arrive. Clones are the same place.
#[derive(Clone)]
pub struct Submissions(Arc<Place>);

struct Place {
    league: PathBuf,
    limits: Limits,
    say: Say,
    /// Requests that were signed earlier may have been answered before: what was answered is forgotten at the end.
    begun: u64,
    state: Mutex<State>,
    /// Held while an archive is unpacked, which takes memory, and put into the league.
    placing: Mutex<()>,
}

struct State {
    owners: HashMap<PublicKey, String>,
    /// The random numbers of requests, with their times.
    nonces: HashMap<String, u64>,
    busy: HashSet<String>,
    by_owner: Rate<String>,
    by_address: Rate<u128>,
}

impl Submissions {
    /// Takes engines for the league in the folder `league`. `say` hears, in words for the operator, what arrives and what
    /// fails. What an earlier process left incomplete is removed.
    pub fn new(
        league: &Path,
        owners: BTreeMap<String, PublicKey>,
        limits: Limits,
        say: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        remove_incomplete(league);
        let state = State {
            owners: HashMap::new(),
            nonces: HashMap::new(),
            busy: HashSet::new(),
            by_owner: Rate::new(limits.uploads_per_hour, Duration::from_secs(3600)),
            by_address: Rate::new(limits.requests_per_minute, Duration::from_secs(60)),
        };
        let submissions = Self(Arc::new(Place {
            league: league.to_owned(),
            limits,
            say: Box::new(say),
            begun: now(),
            state: Mutex::new(state),
            placing: Mutex::default(),
        }));
        submissions.set_owners(owners);
        submissions
    }

    /// From now on, these may send engines: each name with its key.
    pub fn set_owners(&self, owners: BTreeMap<String, PublicKey>) {
        self.0.state().owners = owners.into_iter().map(|(owner, key)| (key, owner)).collect();
    }

    /// The address of uploads, for a server that stores the address of the visitor, a `SocketAddr`, in the extensions of
    /// each request.
    pub fn routes(&self) -> Router {
        let place = Arc::clone(&self.0);
        Router::new().route(
            PATH,
            post(async move |request: Request| match receive(&place, request).await {
                Ok(Placed { name, hash, is_new: true }) => (
                    StatusCode::CREATED,
                    format!("`{name}` is accepted as {hash}; it is checked before it plays\n"),
                )
                    .into_response(),
                Ok(Placed { name, hash, is_new: false }) => {
                    format!("`{name}` is unchanged: the league has {hash} already\n").into_response()
                }
                Err(refusal) => refusal.into_response(),
            }),
        )
    }
}

impl Place {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks everything but the body. Returns the name of the owner.
    fn admit(self: &Arc<Self>, request: &Request, seal: &Seal) -> Result<Upload, Refusal> {
        let unauthorised = |why: &str| Refusal::new(StatusCode::UNAUTHORIZED, why);
        let mut state = self.state();
        let owner = state.owners.get(&seal.key).cloned().ok_or_else(|| {
            let why = format!(
                "this league does not know the key {}; ask its operator to add it to `[league.owners]`",
                seal.key
            );
            Refusal::new(StatusCode::FORBIDDEN, why)
        })?;
        if !seal.fits(request.method().as_str(), request.uri().path()) {
            return Err(unauthorised("the signature is wrong; a proxy must not change the path"));
        }
        let now = now();
        if CLOCK_DIFFERENCE < now.abs_diff(seal.time) {
            let why = "the request was signed more than 5 minutes ago, or in the future; set the clock of your machine";
            return Err(unauthorised(why));
        }
        if seal.time < self.begun {
            return Err(unauthorised("the request was signed before the server started; send it again"));
        }
        state.nonces.retain(|_, time| now <= *time + CLOCK_DIFFERENCE);
        if state.nonces.insert(seal.nonce.clone(), seal.time).is_some() {
            return Err(unauthorised("this request has arrived before; sign a new one"));
        }
        if state.busy.contains(&owner) {
            return Err(Refusal::too_often("another upload of yours is running", Duration::from_secs(9)));
        }
        if MOST_UPLOADS <= state.busy.len() {
            return Err(Refusal::too_often("the server is busy", Duration::from_secs(9)));
        }
        if let Err(wait) = state.by_owner.take(owner.clone(), Instant::now()) {
            let most = self.limits.uploads_per_hour;
            return Err(Refusal::too_often(&format!("an owner may upload {most} times per hour"), wait));
        }
        state.busy.insert(owner.clone());
        Ok(Upload { place: Arc::clone(self), owner, sha256: seal.sha256.clone() })
    }

    fn too_large(&self) -> Refusal {
        let why = format!("the archive is larger than {}", Size { bytes: self.limits.packed });
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, why)
    }
}

async fn receive(place: &Arc<Place>, request: Request) -> Result<Placed, Refusal> {
    let upload = match admitted(place, &request) {
        Ok(upload) => upload,
        Err(refusal) => {
            let mut body = request.into_body();
            let _ = timeout(LISTENING, async { while let Ok(Some(_)) = next_part(&mut body).await {} }).await;
            return Err(refusal);
        }
    };
    let (parts, received) = mpsc::channel(WAITING_PARTS);
    let (answer, answered) = oneshot::channel();
    // The disk is slow, and the pages of other visitors must not wait for it.
    let written = thread::Builder::new().name("upload".to_owned()).spawn(move || {
        // The sender may have gone.
        let _ = answer.send(upload.store(received));
    });
    let failed = || {
        Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the upload has failed; tell the operator of the league",
        )
    };
    written.map_err(|_| failed())?;
    match timeout(place.limits.time, forward(request.into_body(), place, parts)).await {
        Err(_) => {
            let why = format!("the upload took longer than {} s", place.limits.time.as_secs());
            return Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, why));
        }
        Ok(forwarded) => forwarded?,
    }
    answered.await.map_err(|_| failed())?
}

/// Lets an upload in, or says why not. Nothing of its body is read before.
fn admitted(place: &Arc<Place>, request: &Request) -> Result<Upload, Refusal> {
    if let Some(address) = visitor(request)
        && let Err(wait) = place.state().by_address.take(address, Instant::now())
    {
        return Err(Refusal::too_often("too many requests from your address", wait));
    }
    let seal = request.headers().get(HEADER).and_then(|header| Seal::read(header.to_str().ok()?));
    let seal = seal.ok_or_else(|| {
        Refusal::new(
            StatusCode::BAD_REQUEST,
            "the request is not signed; send engines with `arena league submit`",
        )
    })?;
    let length =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| place.limits.packed < length) {
        return Err(place.too_large());
    }
    place.admit(request, &seal)
}

/// Passes on the body.
async fn forward(mut body: Body, place: &Place, parts: mpsc::Sender<Part>) -> Result<(), Refusal> {
    let mut left = place.limits.packed;
    loop {
        let broken = |error| Refusal::new(StatusCode::BAD_REQUEST, format!("the upload broke off: {error}"));
        let Some(part) = next_part(&mut body).await.map_err(broken)? else { break };
        left = left.checked_sub(part.len() as u64).ok_or_else(|| place.too_large())?;
        if parts.send(Part::Bytes(part)).await.is_err() {
            // Its answer says why it hears no more.
            return Ok(());
        }
    }
    let _ = parts.send(Part::End).await;
    Ok(())
}

async fn next_part(body: &mut Body) -> Result<Option<Bytes>, axum::Error> {
    loop {
        match body.frame().await.transpose()?.map(hyper::body::Frame::into_data) {
            None => return Ok(None),
            Some(Ok(part)) => return Ok(Some(part)),
            Some(Err(_)) => {}
        }
    }
}

/// What arrives of an upload. Without an end, it is not complete.
enum Part {
    Bytes(Bytes),
    End,
}

/// An upload that is let in. The next one of its owner waits until it ends.
struct Upload {
    place: Arc<Place>,
    owner: String,
    sha256: String,
}

impl Drop for Upload {
    fn drop(&mut self) {
        self.place.state().busy.remove(&self.owner);
    }
}

impl Upload {
    /// Writes what arrives to a file, unpacks it, and puts the engine into the league. Nothing is left if it fails.
    fn store(self, parts: mpsc::Receiver<Part>) -> Result<Placed, Refusal> {
        let stored = self.try_store(parts);
        let owner = &self.owner;
        let news = match &stored {
            Ok(Placed { name, hash, .. }) => format!("`{owner}` has sent the engine `{name}`: {hash}"),
            Err(error) => format!("no engine of `{owner}`: {error}"),
        };
        (self.place.say)(&escaped_line(&news));
        stored.map_err(|error| match error {
            Error::Engine(why) | Error::Sandbox(why) => Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, why),
            Error::League(why) => Refusal::new(StatusCode::CONFLICT, why),
            // The sender need not know the folders of this machine.
            Error::Disk { error, .. } => match error.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Refusal::new(
                    StatusCode::INSUFFICIENT_STORAGE,
                    "the disk of the league is full; tell its operator",
                ),
                _ => Refusal::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "the league cannot store the engine; tell its operator",
                ),
            },
        })
    }

    fn try_store(&self, mut parts: mpsc::Receiver<Part>) -> Result<Placed, Error> {
        let Place { league, limits, placing, .. } = &*self.place;
        let programs = league.join(PROGRAMS);
        make_folder(&programs)?;
        let folder =
            tempfile::Builder::new().prefix(INCOMING).tempdir_in(&programs).map_err(Error::at(&programs))?;
        let [path, unpacked] = ["archive", "program"].map(|name| folder.path().join(name));
        fs::create_dir(&unpacked).map_err(Error::at(&unpacked))?;
        let mut file = File::create_new(&path).map_err(Error::at(&path))?;
        let mut hasher = Sha256::new();
        loop {
            match parts.blocking_recv() {
                Some(Part::Bytes(bytes)) => {
                    hasher.update(&bytes);
                    file.write_all(&bytes).map_err(Error::at(&path))?;
                }
                Some(Part::End) => break,
                None => return wrong("the upload broke off"),
            }
        }
        let hash = hex(&hasher.finalize());
        if hash != self.sha256 {
            return wrong("the archive arrived damaged: its hash is not the signed one; send it again");
        }
        file.rewind().map_err(Error::at(&path))?;
        let _one = placing.lock().unwrap_or_else(PoisonError::into_inner);
        let file = BufReader::with_capacity(BUFFER, file);
        unpack(file, &unpacked, Bounds { unpacked: limits.unpacked, entries: limits.entries })?;
        place(league, &unpacked, &hash[..HASH_DIGITS], &self.owner, limits.engines)
    }
}

/// Who asks, as a number: the address, or of IPv6 the network, in which everybody has many addresses. A proxy on this
/// machine names the visitor; nobody else is believed.
fn visitor(request: &Request) -> Option<u128> {
    let peer = request.extensions().get::<SocketAddr>()?.ip().to_canonical();
    let address = if peer.is_loopback() { forwarded_for(request.headers()).unwrap_or(peer) } else { peer };
    Some(match address.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits() >> 64 << 64,
    })
}

/// The last address is the one that the proxy itself has seen.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let value = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    value.rsplit(',').next()?.trim().parse().ok()
}
