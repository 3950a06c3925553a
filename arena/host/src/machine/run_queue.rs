//! How long threads wait for a processor during a move: those of an engine, and the arena's own thread that reads its
//! answer. It is the kernel's run-queue delay in `schedstat`, on Linux.
//!
//! Reading it takes a microsecond per thread, and moves may be quicker than that. So values that are only a few milliseconds old
//! are not read again, and the time since then is subtracted from the waits: the reported wait is never too long.

use std::time::{Duration, Instant};

use system::Watched;

/// Older values are read again.
const FRESH: Duration = Duration::from_millis(5);

/// The longest waits for a processor during one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    /// The total wait of one of the engine's threads, the longest of all. Threads wait at the same time, so their
    /// waits are not added up.
    pub engine: Duration,
    /// The total wait of the arena's thread since it started to wait for the last line.
    pub arena: Duration,
}

/// Whether this system reports delays.
pub fn is_known() -> bool {
    system::own_delay_ns().is_some()
}

/// The total wait of one of the threads of the process `root` and those below it since it began, the longest of all; `None` if
/// the system does not report it.
pub fn waited_so_far(root: u32) -> Option<Duration> {
    Watched::open(&system::family(root)).waited_ns().map(Duration::from_nanos)
}

/// Measures the waits of one engine and of the thread that reads its answers.
#[derive(Debug)]
pub struct RunQueue {
    /// The process that the arena started, and those below it.
    pids: Vec<u32>,
    /// Its open files; none between matches.
    watched: Watched,
    engine: Span,
    arena: Span,
    /// The delay of the arena's thread at the start of the interval.
    arena_ns: Option<u64>,
}

/// The interval in which waits are measured, and when the values for it were read.
#[derive(Clone, Copy, Debug)]
struct Span {
    read_at: Option<Instant>,
    begun: Instant,
}

impl Span {
    fn new() -> Self {
        Self { read_at: None, begun: Instant::now() }
    }

    /// Starts a new interval. Returns whether the values have to be read.
    fn begin(&mut self, now: Instant) -> bool {
        self.begun = now;
        let is_fresh = self.read_at.is_some_and(|read_at| now.saturating_duration_since(read_at) <= FRESH);
        if !is_fresh {
            self.read_at = Some(now);
        }
        !is_fresh
    }

    /// A lower bound of the part of `waited_ns` that lies in the interval.
    fn within(&self, waited_ns: u64) -> Option<Duration> {
        let before = self.begun.saturating_duration_since(self.read_at?);
        Some(Duration::from_nanos(waited_ns).saturating_sub(before))
    }
}

impl RunQueue {
    /// For the process `root`, which the arena started, and those below it at this moment.
    pub fn of(root: u32) -> Self {
        let [engine, arena] = [Span::new(); 2];
        Self { pids: system::family(root), watched: Watched::default(), engine, arena, arena_ns: None }
    }

    /// A move starts now.
    pub fn begin(&mut self, now: Instant) {
        if self.engine.begin(now) {
            if self.watched.is_empty() {
                self.watched = Watched::open(&self.pids);
            }
            self.watched.begin();
        }
        self.wait(now);
    }

    /// The arena starts to wait for a line. Must be called by the thread that waits.
    pub fn wait(&mut self, now: Instant) {
        if self.arena.begin(now) {
            self.arena_ns = system::own_delay_ns();
        }
    }

    /// The waits since the start of the move; `None` if the system does not report them. A wait that is not over is
    /// not included.
    pub fn waits(&mut self) -> Option<Waits> {
        let arena = system::own_delay_ns()?.saturating_sub(self.arena_ns?);
        let engine = self.watched.waited_ns()?;
        Some(Waits { engine: self.engine.within(engine)?, arena: self.arena.within(arena)? })
    }

    /// Closes its files until the next move.
    pub fn rest(&mut self) {
        self.watched = Watched::default();
        self.engine.read_at = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_just_before_is_not_read_again_and_never_told_too_high() {
        let ms = Duration::from_millis(1);
        let begun = Instant::now();
        let mut span = Span::new();
        assert!(span.begin(begun));
        assert_eq!(span.within(5_000_000), Some(5 * ms));
        assert!(!span.begin(begun + ms));
        assert_eq!(span.within(5_000_000), Some(4 * ms));
        assert_eq!(span.within(500_000), Some(Duration::ZERO));
        assert!(span.begin(begun + 2 * FRESH), "it is too old");
        assert_eq!(span.within(5_000_000), Some(5 * ms));
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs::{self, File};
    use std::os::unix::fs::{FileExt, MetadataExt};
    use std::path::PathBuf;

    use rustix::process::Pid;

    use crate::launch::descendants;
    use crate::machine::most_open_files;

    /// The maximum numbers of processes and threads of an engine that are measured: each needs an open file.
    const MOST_PROCESSES: usize = 8;
    const MOST_THREADS: usize = 64;

    /// Where few files are allowed, two engines leave most of them to the arena.
    fn most_threads() -> usize {
        most_open_files().map_or(MOST_THREADS, |most| MOST_THREADS.min(most as usize / 8))
    }

    thread_local! {
        static OWN: Option<File> = File::open("/proc/thread-self/schedstat").ok();
    }

    /// The delay of the current thread since it began.
    pub fn own_delay_ns() -> Option<u64> {
        OWN.with(|file| delay_ns(file.as_ref()?))
    }

    /// The second number of a `schedstat`; `None` if its thread has ended.
    fn delay_ns(file: &File) -> Option<u64> {
        let mut bytes = [0; 80];
        let n_read = file.read_at(&mut bytes, 0).ok()?;
        std::str::from_utf8(&bytes[..n_read]).ok()?.split_whitespace().nth(1)?.parse().ok()
    }

    /// The processes of an engine with their threads.
    #[derive(Debug, Default)]
    pub struct Watched(Vec<Process>);

    impl Watched {
        /// Starts with the processes that exist.
        pub fn open(pids: &[u32]) -> Self {
            Self(pids.iter().filter_map(|pid| Process::open(*pid)).take(MOST_PROCESSES).collect())
        }

        /// Whether no process is measured.
        pub fn is_empty(&self) -> bool {
            self.0.is_empty()
        }

        /// Stores the delays of all threads at the start of a move.
        pub fn begin(&mut self) {
            self.each(Process::begin);
        }

        /// The longest wait of a thread since then; `None` if all have ended.
        pub fn waited_ns(&mut self) -> Option<u64> {
            let mut longest = None;
            self.each(|process, room| longest = longest.max(process.waited_ns(room)));
            longest
        }

        /// Calls it for each process, with the number of threads that it may open in addition.
        fn each(&mut self, mut measure: impl FnMut(&mut Process, usize)) {
            for idx in 0..self.0.len() {
                let n_threads = self.0.iter().map(|process| process.threads.len()).sum();
                measure(&mut self.0[idx], most_threads().saturating_sub(n_threads));
            }
        }
    }

    /// A process and its threads.
    #[derive(Debug)]
    struct Process {
        folder: PathBuf,
        /// The folder, open: its link count is the number of threads.
        open_folder: File,
        n_links: u64,
        threads: Vec<Thread>,
    }

    #[derive(Debug)]
    struct Thread {
        id: u32,
        schedstat: File,
        /// When the move started; 0 for threads that existed then.
        begun_ns: u64,
    }

    impl Process {
        /// `None` if it has ended.
        fn open(pid: u32) -> Option<Self> {
            let folder = PathBuf::from(format!("/proc/{pid}/task"));
            let open_folder = File::open(&folder).ok()?;
            Some(Self { folder, open_folder, n_links: 0, threads: Vec::new() })
        }

        /// Stores the delays of its threads at the start of a move.
        fn begin(&mut self, room: usize) {
            self.refresh(room);
            if !self.threads.iter_mut().all(Thread::begin) {
                // As many threads may have started as ended.
                self.n_links = 0;
                self.refresh(room);
                self.threads.iter_mut().for_each(|thread| _ = thread.begin());
            }
        }

        /// The longest wait of a thread since then; `None` if all have ended.
        fn waited_ns(&mut self, room: usize) -> Option<u64> {
            self.refresh(room);
            self.threads.iter().filter_map(Thread::waited_ns).max()
        }

        /// Finds started and ended threads, if their number changed. Opens at most `room` more.
        fn refresh(&mut self, room: usize) {
            let n_links = self.open_folder.metadata().map_or(0, |folder| folder.nlink());
            if n_links == self.n_links {
                return;
            }
            self.n_links = n_links;
            let most = self.threads.len() + room;
            self.threads.retain(|thread| delay_ns(&thread.schedstat).is_some());
            let Ok(entries) = fs::read_dir(&self.folder) else { return };
            for entry in entries.flatten() {
                let id = entry.file_name().to_str().and_then(|name| name.parse().ok());
                let Some(id) = id.filter(|id| self.threads.iter().all(|thread| thread.id != *id)) else {
                    continue;
                };
                if most <= self.threads.len() {
                    return;
                }
                if let Ok(schedstat) = File::open(entry.path().join("schedstat")) {
                    self.threads.push(Thread { id, schedstat, begun_ns: 0 });
                }
            }
        }
    }

    impl Thread {
        /// Whether it still exists.
        fn begin(&mut self) -> bool {
            let now = delay_ns(&self.schedstat);
            self.begun_ns = now.unwrap_or_default();
            now.is_some()
        }

        /// `None` if it has ended.
        fn waited_ns(&self) -> Option<u64> {
            Some(delay_ns(&self.schedstat)?.saturating_sub(self.begun_ns))
        }
    }

    /// The process `root` and all below it, because the engine may be a child of the process that the arena started.
    pub fn family(root: u32) -> Vec<u32> {
        let below = Pid::from_raw(root.cast_signed()).map(descendants).unwrap_or_default();
        let below = below.into_iter().map(|stat| stat.id.as_raw_pid().cast_unsigned());
        std::iter::once(root).chain(below).collect()
    }

    #[cfg(test)]
    mod tests {
        use std::thread;

        use super::*;

        #[test]
        fn threads_that_begin_and_end_are_seen() {
            let mut watched = Process::open(std::process::id()).expect("oneself");
            let is_known = |watched: &Process, id: u32| watched.threads.iter().any(|thread| thread.id == id);
            let (release, hold) = std::sync::mpsc::channel::<()>();
            let (tell, told) = std::sync::mpsc::channel();
            let thread = thread::spawn(move || {
                let path = fs::read_link("/proc/thread-self").expect("Linux has it");
                let id = path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
                tell.send(id.expect("a number")).expect("somebody waits");
                let _ = hold.recv();
            });
            let id = told.recv().expect("it tells");
            watched.refresh(MOST_THREADS);
            assert!(is_known(&watched, id));
            drop(release);
            thread.join().expect("it ends");
            // The kernel removes the thread from its list shortly after it was joined.
            while fs::exists(format!("/proc/self/task/{id}")).expect("it can be asked") {
                thread::yield_now();
            }
            watched.n_links = 0;
            watched.refresh(MOST_THREADS);
            assert!(!is_known(&watched, id));
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    /// Not supported on this system.
    pub fn own_delay_ns() -> Option<u64> {
        None
    }

    #[derive(Debug, Default)]
    pub struct Watched;

    impl Watched {
        pub fn open(_pids: &[u32]) -> Self {
            Self
        }

        pub fn is_empty(&self) -> bool {
            true
        }

        pub fn begin(&mut self) {}

        pub fn waited_ns(&mut self) -> Option<u64> {
            None
        }
    }

    pub fn family(_root: u32) -> Vec<u32> {
        Vec::new()
    }
}
