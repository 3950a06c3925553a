//! What viewers get: frames, each the changes of a moment, and snapshots that stand for all frames before them. Each frame
//! is written once, whatever the number of viewers. A viewer has only a position in the list: one that reads too slowly
//! misses frames, and goes on with a snapshot.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;

/// The maximum number of frames that are kept, and of their bytes: ten seconds for those who lose their connection.
const MOST_FRAMES: usize = 100;
const MOST_BYTES: usize = 4 << 20;
/// The maximum number of viewers.
const MOST_VIEWERS: usize = 500;
/// After this time without news, an empty line shows that the connection lives.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The frames of a site.
#[derive(Debug)]
pub struct Frames {
    /// Tells the frames of this site from those of an earlier one at the same address.
    epoch: u128,
    ring: Mutex<Ring>,
    changes: watch::Sender<u64>,
    is_snapshot_wanted: AtomicBool,
    is_closed: AtomicBool,
    n_viewers: AtomicUsize,
}

#[derive(Debug, Default)]
struct Ring {
    /// The number of the first frame that is kept.
    first: u64,
    frames: VecDeque<Bytes>,
    bytes: usize,
    /// The state after the frame with this number.
    snapshot: Option<(u64, Bytes)>,
}

/// What a viewer gets next.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// These events; the viewer is at this position then.
    Events(Vec<Bytes>, u64),
    /// Nothing yet.
    Wait,
    /// Nothing any more.
    End,
}

/// A viewer's place among all viewers. It is free again after this.
#[derive(Debug)]
pub struct Seat(Arc<Frames>);

impl Frames {
    pub fn new() -> Self {
        Self {
            epoch: since_1970().as_micros(),
            ring: Mutex::new(Ring { first: 1, ..Ring::default() }),
            changes: watch::Sender::new(0),
            is_snapshot_wanted: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
            n_viewers: AtomicUsize::new(0),
        }
    }

    /// Adds a frame.
    pub fn publish(&self, json: &str) {
        let mut ring = self.lock();
        let number = ring.first + ring.frames.len() as u64;
        let event = self.event("frame", number, json);
        ring.bytes += event.len();
        ring.frames.push_back(event);
        while MOST_FRAMES < ring.frames.len() || MOST_BYTES < ring.bytes && 1 < ring.frames.len() {
            let oldest = ring.frames.pop_front().expect("there is more than one");
            ring.bytes -= oldest.len();
            ring.first += 1;
        }
        drop(ring);
        self.wake();
    }

    /// Something happened that no frame tells, because nobody is there.
    pub fn skip(&self) {
        let mut ring = self.lock();
        ring.first += ring.frames.len() as u64 + 1;
        ring.frames.clear();
        ring.bytes = 0;
    }

    /// Whether a viewer waits for a snapshot. The answer is given once.
    pub fn takes_snapshot(&self) -> bool {
        self.is_snapshot_wanted.swap(false, Ordering::Relaxed)
    }

    /// Sets the state after all frames so far.
    pub fn set_snapshot(&self, json: &str) {
        let mut ring = self.lock();
        let number = ring.first + ring.frames.len() as u64 - 1;
        ring.snapshot = Some((number, self.event("snapshot", number, json)));
        drop(ring);
        self.wake();
    }

    /// What a viewer gets that has all up to the frame with the number `at`, or nothing.
    pub fn after(&self, at: Option<u64>) -> Next {
        let ring = self.lock();
        let newest = ring.first + ring.frames.len() as u64 - 1;
        let rest = |at: u64| ring.frames.iter().skip((at + 1 - ring.first) as usize).cloned();
        let can_follow = |at: u64| ring.first - 1 <= at && at <= newest;
        let is_closed = self.is_closed();
        match at.filter(|at| can_follow(*at)) {
            Some(at) if at == newest => {
                if is_closed {
                    Next::End
                } else {
                    Next::Wait
                }
            }
            Some(at) => Next::Events(rest(at).collect(), newest),
            None => match &ring.snapshot {
                Some((number, snapshot)) if can_follow(*number) => {
                    let events = std::iter::once(snapshot.clone()).chain(rest(*number)).collect();
                    Next::Events(events, newest)
                }
                _ if is_closed => Next::End,
                _ => {
                    self.is_snapshot_wanted.store(true, Ordering::Relaxed);
                    Next::Wait
                }
            },
        }
    }

    /// The position of a viewer that was here before, from the id of the last event that it got.
    pub fn position(&self, event_id: &str) -> Option<u64> {
        let (epoch, number) = event_id.split_once('-')?;
        (epoch.parse() == Ok(self.epoch)).then(|| number.parse().ok()).flatten()
    }

    /// Wakes on every change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// A place for one more viewer, if there is one.
    pub fn seat(self: &Arc<Self>) -> Option<Seat> {
        let taken = |n: usize| (n < MOST_VIEWERS).then_some(n + 1);
        self.n_viewers.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).ok().map(|_| {
            self.wake();
            Seat(Arc::clone(self))
        })
    }

    /// The number of viewers.
    pub fn n_viewers(&self) -> usize {
        self.n_viewers.load(Ordering::Relaxed)
    }

    /// Nothing more comes once what is there has been sent.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.wake();
    }

    fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    fn event(&self, kind: &str, number: u64, json: &str) -> Bytes {
        format!("id: {}-{number}\nevent: {kind}\ndata: {json}\n\n", self.epoch).into()
    }

    fn wake(&self) {
        self.changes.send_modify(|n| *n += 1);
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.n_viewers.fetch_sub(1, Ordering::Relaxed);
        self.0.wake();
    }
}

/// The answer with the stream of events: server-sent events, with ids, so that a browser goes on where its connection was
/// lost.
pub fn stream(frames: Arc<Frames>, headers: &HeaderMap) -> Response {
    let Some(seat) = frames.seat() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many viewers; try again later\n").into_response();
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let at = last.and_then(|id| frames.position(id));
    // The stream holds one message: what a slow reader does not take is not made.
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(send_events(frames, seat, at, sender));
    let body = Body::from_stream(ReceiverStream::new(receiver));
    ([(CONTENT_TYPE, "text/event-stream")], body).into_response()
}

async fn send_events(
    frames: Arc<Frames>,
    seat: Seat,
    mut at: Option<u64>,
    sender: mpsc::Sender<Result<Bytes, Infallible>>,
) {
    /// After a lost connection, the browser waits this long.
    const RETRY: &str = "retry: 1000\n\n";
    /// Tells the browser not to come back.
    const END: &[u8] = b"event: end\ndata: {}\n\n";
    let mut changes = frames.changes();
    // The clock of the browser's machine may be wrong.
    let now = format!("{RETRY}event: time\ndata: {}\n\n", since_1970().as_millis());
    let mut next = vec![now.into()];
    let mut n_viewers = 0;
    loop {
        // Whoever does something on a page should know of others who do, too.
        if n_viewers != frames.n_viewers() {
            n_viewers = frames.n_viewers();
            next.push(format!("event: viewers\ndata: {n_viewers}\n\n").into());
        }
        for event in next {
            if sender.send(Ok(event)).await.is_err() {
                return;
            }
        }
        next = loop {
            changes.mark_unchanged();
            match frames.after(at) {
                Next::Events(events, newest) => {
                    at = Some(newest);
                    break events;
                }
                Next::End => {
                    let _ = sender.send(Ok(Bytes::from_static(END))).await;
                    return drop(seat);
                }
                Next::Wait if n_viewers != frames.n_viewers() => break Vec::new(),
                Next::Wait => {}
            }
            tokio::select! {
                () = sender.closed() => return,
                changed = timeout(HEARTBEAT, changes.changed()) => {
                    if changed.is_err() {
                        break vec![Bytes::from_static(b":\n\n")];
                    }
                }
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(frames: &Frames, at: Option<u64>) -> (Vec<String>, u64) {
        let Next::Events(events, newest) = frames.after(at) else { panic!("no events after {at:?}") };
        let data = |event: &Bytes| {
            let text = String::from_utf8_lossy(event).into_owned();
            text.lines().find_map(|line| line.strip_prefix("data: ")).expect("data").to_owned()
        };
        (events.iter().map(data).collect(), newest)
    }

    #[test]
    fn a_newcomer_gets_a_snapshot_and_then_frames() {
        let frames = Frames::new();
        assert_eq!(frames.after(None), Next::Wait);
        assert!(frames.takes_snapshot() && !frames.takes_snapshot());
        frames.publish("1");
        frames.set_snapshot("all of 1");
        assert_eq!(texts(&frames, None), (vec!["all of 1".to_owned()], 1));
        frames.publish("2");
        // The snapshot is still good, because all frames after it are there.
        assert_eq!(texts(&frames, None), (vec!["all of 1".to_owned(), "2".to_owned()], 2));
        assert_eq!(texts(&frames, Some(1)), (vec!["2".to_owned()], 2));
        assert_eq!(frames.after(Some(2)), Next::Wait);
        frames.close();
        assert_eq!(frames.after(Some(2)), Next::End);
    }

    #[test]
    fn who_misses_too_much_gets_a_snapshot() {
        let frames = Frames::new();
        frames.set_snapshot("nothing");
        for number in 1..=MOST_FRAMES + 1 {
            frames.publish(&number.to_string());
        }
        // Frame 1 is gone: neither the first viewer nor the snapshot can follow.
        assert_eq!(frames.after(Some(0)), Next::Wait);
        assert!(frames.takes_snapshot());
        frames.set_snapshot("all");
        assert_eq!(texts(&frames, Some(0)).0, ["all"]);
        assert_eq!(texts(&frames, Some(1)).0.len(), MOST_FRAMES);
        // A position that was never given.
        for never in [9999, u64::MAX] {
            assert_eq!(texts(&frames, Some(never)).0, ["all"]);
        }
        frames.skip();
        assert_eq!(frames.after(Some(101)), Next::Wait);
    }

    #[test]
    fn memory_is_bounded_by_bytes() {
        let frames = Frames::new();
        let large = "x".repeat(MOST_BYTES / 4);
        for _ in 0..10 {
            frames.publish(&large);
        }
        assert!(frames.lock().bytes <= MOST_BYTES);
        assert!(frames.lock().frames.len() < 5);
    }

    #[test]
    fn ids_of_another_site_mean_nothing() {
        let frames = Frames::new();
        assert_eq!(frames.position(&format!("{}-7", frames.epoch)), Some(7));
        for other in ["", "7", "1-7", "x-y", "-"] {
            assert_eq!(frames.position(other), None, "{other}");
        }
    }

    #[test]
    fn seats_are_limited_and_given_back() {
        let frames = Arc::new(Frames::new());
        let seats: Vec<_> = (0..MOST_VIEWERS).map(|_| frames.seat().expect("a seat")).collect();
        assert!(frames.seat().is_none());
        drop(seats);
        assert!(frames.seat().is_some());
        assert_eq!(frames.n_viewers(), 0);
    }
}
