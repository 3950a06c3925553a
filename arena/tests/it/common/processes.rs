//! Finding processes by a marker in their environment, never by their name.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// The variable that holds the marker.
pub const VARIABLE: &str = "ARENA_TEST";

/// A marker that nothing else has. Whatever still has it at the end of the test is killed.
pub struct Marker(pub String);

impl Marker {
    /// Two of the same name differ: the end of one would kill the processes of the other.
    pub fn new(name: &str) -> Self {
        static N_MARKERS: AtomicU32 = AtomicU32::new(0);
        let number = N_MARKERS.fetch_add(1, Ordering::Relaxed);
        Self(format!("{name}-{}-{number}", std::process::id()))
    }

    /// The key of an engine in a tournament file that gives it to the engine.
    pub fn key(&self) -> String {
        format!("environment = {{ {VARIABLE} = \"{}\" }}", self.0)
    }

    /// The processes that have it, each with its arguments; none where there is no `/proc`.
    pub fn processes(&self) -> Vec<(Pid, Vec<String>)> {
        let wanted = format!("{VARIABLE}={}", self.0);
        let words = |folder: &PathBuf, name: &str| -> Vec<String> {
            let bytes = fs::read(folder.join(name)).unwrap_or_default();
            let words = bytes.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
            // The arena's own processes only carry an engine's variables.
            words.map(|word| word.strip_prefix("ARENA_ENGINE_").map(str::to_owned).unwrap_or(word)).collect()
        };
        let folders = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
        folders
            .filter(|folder| words(folder, "environ").contains(&wanted))
            .filter_map(|folder| {
                let id = Pid::from_raw(folder.file_name()?.to_str()?.parse().ok()?)?;
                Some((id, words(&folder, "cmdline")))
            })
            .collect()
    }

    /// How many of them have this argument.
    pub fn count(&self, argument: &str) -> usize {
        self.processes().iter().filter(|(_, words)| words.iter().any(|word| word == argument)).count()
    }

    /// Whether one of them is stopped, as by SIGSTOP.
    pub fn has_a_stopped_process(&self) -> bool {
        let is_stopped = |id: &Pid| {
            let stat = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_pid())).unwrap_or_default();
            // After the name, which is in parentheses.
            stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
        };
        self.processes().iter().any(|(id, _)| is_stopped(id))
    }

    /// Waits for something that comes with certainty, were it late.
    pub fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            assert!(begun.elapsed() < Duration::from_secs(30), "{what}: {:?}", self.processes());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// At once or soon.
    pub fn assert_all_gone(&self, what: &str) {
        self.wait_until(&format!("{what}: processes are left"), |marker| marker.processes().is_empty());
    }

    /// At once.
    pub fn assert_none(&self, what: &str) {
        let left = self.processes();
        assert!(left.is_empty(), "{what}: processes are left: {left:?}");
    }
}

impl Drop for Marker {
    fn drop(&mut self) {
        for (process, _) in self.processes() {
            let _ = kill_process(process, Signal::KILL);
        }
    }
}
