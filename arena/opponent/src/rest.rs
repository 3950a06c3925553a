//! The rest of an engine while it is not on the move: its processes are stopped, so that they take no processor time
//! from the engine that is. What it uses all the same is measured.
//!
//! Most engines come to rest by themselves within microseconds, and to measure, stop and continue a process takes longer than
//! a quick move. So the [sampler](super::sampler) does what takes long, at its next look:
//! - It stops an engine [`GRACE`] after its move, unless it has used up its allowance before: then at once.
//! - One rest after each look is measured from its beginning to its end, and the next ones as long as the engine uses much. So
//!   all rests are measured that are longer than the time between two looks, and all of an engine that computes in them.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::sampler;
use host::launch::{Confinement, Ended, Tree};

/// How long an engine has after its move to come to rest by itself.
const GRACE: Duration = Duration::from_millis(5);
/// New processes of an engine are looked for after this time, and whenever it is stopped.
const LOOK: Duration = Duration::from_millis(20);
/// The part of the time that may be spent on looking for new processes of an engine.
const LOOKING_PART: u32 = 20;
/// An engine that has used more in a rest is measured in the next one, too.
const MUCH: Duration = Duration::from_micros(100);
/// The processor time that an engine may use in a match while it is not on the move: for what it does after a move.
const ALLOWANCE: Duration = Duration::from_millis(10);
/// In addition, this part of the time in which it is not on the move.
const ALLOWED_PART: f64 = 0.05;

/// The processor time that an engine used in a match while it was not on the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OffTurnUse {
    /// The processor time.
    pub used: Duration,
    /// For how long it was not on the move.
    pub out_of: Duration,
    /// Whether it was more than an engine needs to finish its moves, at the end of any of its rests. An engine that is
    /// stopped from then on uses no more, so that the totals at the end of the match do not show it.
    pub is_too_much: bool,
}

impl OffTurnUse {
    fn add(&mut self, used: Duration, out_of: Duration) {
        self.used += used;
        self.out_of += out_of;
        self.is_too_much |= ALLOWANCE + self.out_of.mul_f64(ALLOWED_PART) < self.used;
    }
}

impl fmt::Display for OffTurnUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        write!(
            f,
            "it used {:.0} ms of processor time in the {:.0} ms in which it was not on the move",
            ms(self.used),
            ms(self.out_of)
        )
    }
}

/// The rest of one engine process.
#[derive(Debug)]
pub struct Rest {
    watched: Arc<Watched>,
    /// The beginning of the rest that is measured, and what the engine had used then.
    measured: Option<(Instant, Duration)>,
}

/// What the sampler watches. The thread that plays waits for it only if the engine was stopped.
#[derive(Debug)]
pub struct Watched {
    /// Locked for moments.
    turn: Mutex<Turn>,
    /// Locked as long as a look takes. Whoever locks both locks this first.
    sight: Mutex<Sight>,
}

#[derive(Debug, Default)]
struct Turn {
    /// Since when the engine rests, while it does.
    rests_since: Option<Instant>,
    /// Whether its processes are stopped, or are being stopped.
    is_stopped: bool,
    /// Whether its next rest is measured.
    is_due: bool,
    /// Whether it has lost its grace.
    is_restless: bool,
    /// What it has used in its rests.
    used: OffTurnUse,
}

#[derive(Debug)]
struct Sight {
    tree: Tree,
    /// When new processes are looked for.
    looks_at: Instant,
    /// The processes that had ended when they were looked for, in the rest since this moment.
    ended: Option<(Instant, Ended)>,
}

impl Rest {
    /// For the processes below the supervisor with this id, which has started an engine with this confinement; `None` if
    /// the system does not support it.
    pub fn of(supervisor: u32, confinement: &Confinement) -> Option<Self> {
        let tree = Tree::of(supervisor, confinement)?;
        let turn = Turn { is_due: true, ..Turn::default() };
        let sight = Sight { tree, looks_at: Instant::now(), ended: None };
        let watched = Arc::new(Watched { turn: Mutex::new(turn), sight: Mutex::new(sight) });
        watched.look_for_processes(lock(&watched.sight));
        sampler::watch(&watched).then_some(Self { watched, measured: None })
    }

    /// The engine is not on the move from now on, since `at`.
    pub fn begin(&mut self, at: Instant) {
        let mut turn = lock(&self.watched.turn);
        if turn.rests_since.is_some() {
            return;
        }
        turn.rests_since = Some(at);
        let (is_due, is_restless) = (std::mem::take(&mut turn.is_due), turn.is_restless);
        drop(turn);
        if is_due && let Ok(mut sight) = self.watched.sight.try_lock() {
            self.measured = Some((at, sight.tree.used()));
        }
        if is_restless {
            sampler::wake();
        }
    }

    /// The engine goes on. Its processor time since [`begin`](Self::begin) counts.
    pub fn end(&mut self) {
        let mut turn = lock(&self.watched.turn);
        if turn.rests_since.take().is_none() {
            return;
        }
        let was_stopped = std::mem::take(&mut turn.is_stopped);
        drop(turn);
        let measured = self.measured.take();
        if !was_stopped && measured.is_none() {
            return;
        }
        // An engine that was not stopped is not waited for.
        let sight =
            if was_stopped { Some(lock(&self.watched.sight)) } else { self.watched.sight.try_lock().ok() };
        let Some(mut sight) = sight else { return };
        if let Some((begun, before)) = measured {
            let used = sight.tree.used().saturating_sub(before);
            self.watched.count(used, begun.elapsed());
        }
        if was_stopped {
            sight.tree.proceed();
        }
    }

    /// What the engine used since the last call, which is at the start of its match.
    pub fn take(&self) -> OffTurnUse {
        std::mem::take(&mut lock(&self.watched.turn).used)
    }

    /// What the engine has used in its match so far.
    pub fn off_turn(&self) -> OffTurnUse {
        lock(&self.watched.turn).used
    }
}

impl Watched {
    /// A look of the sampler. It does not wait for a thread that plays and has its own look, and may have to wait for a processor:
    /// that would be taken for a pause of the arena.
    pub fn look(&self) {
        let Some((since, is_restless)) = self.rest() else { return };
        let Ok(sight) = self.sight.try_lock() else { return };
        if is_restless || since.elapsed() >= GRACE {
            self.stop(sight);
        } else if sight.looks_at <= Instant::now() {
            self.look_for_processes(sight);
        }
    }

    /// Since when the engine rests, if it does without being stopped, and whether it gets no grace.
    fn rest(&self) -> Option<(Instant, bool)> {
        let mut turn = lock(&self.turn);
        turn.is_due = true;
        turn.rests_since.filter(|_| !turn.is_stopped).map(|since| (since, turn.is_restless))
    }

    /// Stops the engine, unless it has gone on meanwhile.
    fn stop(&self, mut sight: MutexGuard<'_, Sight>) {
        let mut turn = lock(&self.turn);
        let Some(since) = turn.rests_since.filter(|_| !turn.is_stopped) else { return };
        // From now on, the end of the rest waits for the end of this look.
        turn.is_stopped = true;
        drop(turn);
        sight.tree.stop(&|| lock(&self.turn).rests_since.is_some());
        if let Some((_, ended)) = sight.ended.take().filter(|(of, _)| *of == since) {
            self.count(sight.tree.used_by_short(ended), Duration::ZERO);
        }
        sight.looks_at = Instant::now() + LOOK;
    }

    fn look_for_processes(&self, mut sight: MutexGuard<'_, Sight>) {
        let begun = Instant::now();
        let ended = sight.tree.look();
        sight.ended = lock(&self.turn).rests_since.zip(ended);
        let now = Instant::now();
        sight.looks_at = now + LOOK.max(LOOKING_PART * (now - begun));
    }

    fn count(&self, used: Duration, out_of: Duration) {
        let mut turn = lock(&self.turn);
        turn.used.add(used, out_of);
        turn.is_restless |= turn.used.is_too_much;
        turn.is_due |= MUCH <= used;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nobody panics while holding it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_needs_after_its_move_is_allowed() {
        let ms = Duration::from_millis;
        for (used, out_of, expected) in
            [(0, 0, false), (10, 0, false), (11, 0, true), (59, 1000, false), (61, 1000, true)]
        {
            let mut off_turn = OffTurnUse::default();
            off_turn.add(ms(used), ms(out_of));
            assert_eq!(off_turn.is_too_much, expected, "{off_turn:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_sampler_does_not_wait_for_a_thread_that_plays() {
        let mut rest = Rest::of(std::process::id(), &Confinement::default()).expect("the system supports it");
        rest.begin(Instant::now().checked_sub(GRACE).expect("the machine runs for longer"));
        let watched = Arc::clone(&rest.watched);
        let sight = lock(&rest.watched.sight);
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            watched.look();
            tell.send(())
        });
        told.recv_timeout(Duration::from_secs(20)).expect("it waits");
        drop(sight);
    }

    #[test]
    fn a_long_rest_does_not_excuse_what_was_too_much() {
        let mut off_turn = OffTurnUse::default();
        off_turn.add(Duration::from_millis(20), Duration::from_millis(10));
        off_turn.add(Duration::ZERO, Duration::from_secs(60));
        assert!(off_turn.is_too_much, "{off_turn:?}");
    }
}
