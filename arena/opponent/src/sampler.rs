//! The one thread that watches what needs no look at each move: engines that are not on the move, and the clock, for pauses of
//! the arena. It looks every few milliseconds, so that a quick move costs none of it, and a slow look holds up no move.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use super::pauses::{BEAT, Beats};
use super::rest::Watched;

/// The interval between two looks at the engines.
pub const TICK: Duration = Duration::from_millis(5);

/// The engines that are watched.
static ENGINES: Mutex<Vec<Weak<Watched>>> = Mutex::new(Vec::new());
/// The thread; `None` if the system refused it.
static SAMPLER: OnceLock<Option<Thread>> = OnceLock::new();

/// Starts the thread, for the lifetime of the process. Returns whether it runs. It runs on the processors of the thread that
/// calls this first.
pub fn start() -> bool {
    let spawn = || thread::Builder::new().name("sampler".to_owned()).spawn(run).ok();
    SAMPLER.get_or_init(|| Some(spawn()?.thread().clone())).is_some()
}

/// Watches an engine as long as it exists. Returns whether it can.
pub fn watch(engine: &Arc<Watched>) -> bool {
    lock().push(Arc::downgrade(engine));
    start()
}

/// Looks at once.
pub fn wake() {
    if let Some(Some(sampler)) = SAMPLER.get() {
        sampler.unpark();
    }
}

fn run() {
    let mut beats = Beats::begin();
    let mut engines = Vec::new();
    let mut interval = BEAT;
    loop {
        thread::park_timeout(interval);
        // The time first: what follows may take longer.
        beats.beat(Instant::now());
        lock().retain(|engine| {
            let engine = engine.upgrade();
            let exists = engine.is_some();
            engines.extend(engine);
            exists
        });
        interval = if engines.is_empty() { BEAT } else { TICK };
        // An engine that has ended meanwhile closes its files here.
        for engine in engines.drain(..) {
            engine.look();
        }
    }
}

fn lock() -> MutexGuard<'static, Vec<Weak<Watched>>> {
    ENGINES.lock().expect("nobody panics while holding it")
}
