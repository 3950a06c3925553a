//! The processes of an engine without a control group, found one by one: how much processor time they have used, and
//! stopping and continuing them by signals. A process stays known by its descriptor, so that no other process is ever
//! stopped in its place.

use std::collections::HashSet;
use std::fs;
use std::os::fd::OwnedFd;
use std::time::Duration;

use nix::time::ClockId;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

use super::children::{Stat, children, descendants_and_zombies};

/// How often new processes are looked for when stopping: one that is stopped starts no others.
const MOST_ROUNDS: u32 = 50;
/// The unit in which the kernel reports the time of processes that have ended.
const TICK: Duration = Duration::from_millis(10);

/// The maximum number of processes of an engine that the arena keeps open: engines must not use up its files.
const MOST_OPEN: usize = 8;

/// The processes of an engine below its supervisor.
#[derive(Debug)]
pub struct Processes {
    supervisor: Pid,
    is_sandboxed: bool,
    known: Vec<Known>,
    /// The processor time of known processes that are gone, since they were found.
    used_by_gone: Duration,
    gone: Gone,
}

#[derive(Debug)]
struct Known {
    stat: Stat,
    /// `None` if there are too many of them.
    descriptor: Option<OwnedFd>,
    /// Its processor time when it was found: it is not known when it was used.
    before: Duration,
    used: Duration,
}

/// Known processes that have ended and were waited for.
#[derive(Clone, Copy, Debug, Default)]
struct Gone {
    n: u32,
    /// Their processor time since they were started.
    whole: Duration,
}

/// The processes that have ended so far.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    known: Gone,
    /// Their processor time as the kernel adds it up for the parents that waited for them.
    by_kernel: Duration,
}

impl Processes {
    /// The processes below the supervisor with this id. In a sandbox, the launcher and the first process of the process
    /// namespace are the arena's, not the engine's.
    pub fn of(supervisor: Pid, is_sandboxed: bool) -> Self {
        Self {
            supervisor,
            is_sandboxed,
            known: Vec::new(),
            used_by_gone: Duration::ZERO,
            gone: Gone::default(),
        }
    }

    /// Finds new processes. Returns whether there are any.
    pub fn look(&mut self) -> bool {
        let found = self.found();
        let there: HashSet<_> = found.iter().map(identity).collect();
        // If the arena has no more files, processes are not found though they exist. One that was stopped must not be
        // forgotten.
        let is_gone = |known: &mut Known| !there.contains(&identity(&known.stat)) && known.is_gone();
        for known in self.known.extract_if(.., is_gone) {
            self.used_by_gone += known.used;
            self.gone.add(&known);
        }
        let n_known = self.known.len();
        let mut known: HashSet<_> = self.known.iter().map(|known| identity(&known.stat)).collect();
        for stat in found.into_iter().filter(|stat| known.insert(identity(stat))) {
            self.known.extend(Known::new(stat, self.known.len() < MOST_OPEN));
        }
        n_known < self.known.len()
    }

    /// The processor time of all known processes since they were found.
    pub fn used(&mut self) -> Duration {
        self.known.iter_mut().map(Known::used).sum::<Duration>() + self.used_by_gone
    }

    /// The processes that have ended so far, for [`used_by_short`](Self::used_by_short). Processes must have been looked
    /// for at this moment.
    pub fn ended(&self) -> Ended {
        // In this order: a process that ends meanwhile is left out rather than counted twice.
        let known = self.gone();
        Ended { known, by_kernel: self.of_ended_by_kernel() }
    }

    /// The processor time of processes that were started and have ended since `before`, so that they were never known.
    pub fn used_by_short(&self, before: Ended) -> Duration {
        let by_kernel = self.of_ended_by_kernel();
        let known = self.gone();
        // The kernel rounds the times of those that were known and are counted already.
        let rounding = if before.known.n == known.n { Duration::ZERO } else { 2 * TICK };
        let counted = known.whole.saturating_sub(before.known.whole) + rounding;
        by_kernel.saturating_sub(before.by_kernel + counted)
    }

    /// The known processes that are gone at this moment.
    fn gone(&self) -> Gone {
        let mut gone = self.gone;
        self.known.iter().filter(|known| time_of(known.stat.id).is_none()).for_each(|known| gone.add(known));
        gone
    }

    /// The processor time of the processes that have ended, whose parents run and have waited for them.
    fn of_ended_by_kernel(&self) -> Duration {
        let parents = self.known.iter().map(|known| known.stat.id);
        parents.chain([self.supervisor]).filter_map(time_of_ended_children).sum()
    }

    /// Stops all processes, as long as `is_wanted`. Those that another user owns go on.
    pub fn stop(&mut self, is_wanted: &dyn Fn() -> bool) {
        self.look();
        let mut n_stopped = 0;
        for _ in 0..MOST_ROUNDS {
            if !is_wanted() {
                return;
            }
            self.known[n_stopped..].iter().for_each(|known| known.signal(Signal::STOP));
            n_stopped = self.known.len();
            if !self.look() {
                return;
            }
            n_stopped = n_stopped.min(self.known.len());
        }
    }

    /// Lets all processes go on.
    pub fn proceed(&self) {
        self.known.iter().for_each(|known| known.signal(Signal::CONT));
    }

    /// The engine's processes at this moment.
    fn found(&self) -> Vec<Stat> {
        let all = descendants_and_zombies(self.supervisor);
        if !self.is_sandboxed {
            return all;
        }
        let Some(launcher) = all.iter().find(|stat| stat.parent == Some(self.supervisor)).map(|stat| stat.id)
        else {
            return Vec::new();
        };
        // The first process of the namespace is the launcher's first child. Others become children of it, if they lose
        // their parents.
        let first = children(launcher).first().copied();
        all.into_iter().filter(|stat| stat.id != launcher && Some(stat.id) != first).collect()
    }
}

impl Known {
    /// `None` if it is gone.
    fn new(stat: Stat, is_open: bool) -> Option<Self> {
        let descriptor = is_open.then(|| pidfd_open(stat.id, PidfdFlags::empty()).ok()).flatten();
        let before = time_of(stat.id)?;
        // The number may have been given to another process meanwhile.
        let now = Stat::read(stat.id)?;
        (now.started == stat.started).then_some(Self { stat, descriptor, before, used: Duration::ZERO })
    }

    fn is(&self, stat: &Stat) -> bool {
        identity(&self.stat) == identity(stat)
    }

    fn used(&mut self) -> Duration {
        if let Some(time) = time_of(self.stat.id) {
            // Not of another process with the same number, whose time would be shorter.
            self.used = self.used.max(time.saturating_sub(self.before));
        }
        self.used
    }

    /// Whether the process has ended, as far as can be known without another open file.
    fn is_gone(&self) -> bool {
        if let Some(descriptor) = &self.descriptor {
            let mut ended = [PollFd::new(descriptor, PollFlags::IN)];
            return poll(&mut ended, Some(&Timespec::default())) == Ok(1);
        }
        time_of(self.stat.id).is_none() || Stat::read(self.stat.id).is_some_and(|now| !self.is(&now))
    }

    /// It fails if the process has ended, or belongs to another user.
    fn signal(&self, signal: Signal) {
        let send = |descriptor: &OwnedFd| {
            let _ = pidfd_send_signal(descriptor, signal);
        };
        match &self.descriptor {
            Some(descriptor) => send(descriptor),
            None => match pidfd_open(self.stat.id, PidfdFlags::empty()) {
                Ok(descriptor) if Stat::read(self.stat.id).is_some_and(|now| self.is(&now)) => {
                    send(&descriptor);
                }
                // To let another process go on that has the same number meanwhile does less harm than to leave one
                // stopped.
                Err(Errno::MFILE | Errno::NFILE) if signal == Signal::CONT => {
                    let _ = kill_process(self.stat.id, signal);
                }
                _ => {}
            },
        }
    }
}

impl Gone {
    fn add(&mut self, known: &Known) {
        self.n += 1;
        self.whole += known.before + known.used;
    }
}

/// What distinguishes a process from all others, also from later ones with the same number.
const fn identity(stat: &Stat) -> (Pid, u64) {
    (stat.id, stat.started)
}

/// The processor time of a process with all its threads.
fn time_of(id: Pid) -> Option<Duration> {
    let clock = ClockId::pid_cpu_clock_id(nix::unistd::Pid::from_raw(id.as_raw_pid())).ok()?;
    clock.now().ok().map(Duration::from)
}

/// The processor time of the children that this process has waited for, and that of their children.
fn time_of_ended_children(id: Pid) -> Option<Duration> {
    /// After the name: the state comes first, and these two follow later.
    const FIELDS: [usize; 2] = [13, 14];
    let text = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_pid())).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = FIELDS.map(|idx| fields.get(idx).and_then(|ticks| ticks.parse::<u32>().ok()));
    Some(ticks.into_iter().flatten().map(|ticks| TICK * ticks).sum())
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    use std::time::Instant;

    use super::*;

    /// As if the arena could open no file when it looked for them.
    #[test]
    fn a_process_that_is_not_found_is_not_left_stopped() {
        let start = || Command::new("sleep").arg("600").spawn().unwrap();
        let (mut engine, mut childless) = (start(), start());
        let id = Pid::from_child(&engine);
        for is_open in [true, false] {
            let mut processes = Processes::of(Pid::from_child(&childless), false);
            processes.known.push(Known::new(Stat::read(id).unwrap(), is_open).unwrap());
            processes.stop(&|| true);
            await_state(id, 'T');
            processes.look();
            processes.proceed();
            await_state(id, 'S');
        }
        let mut known = [true, false].map(|is_open| Known::new(Stat::read(id).unwrap(), is_open).unwrap());
        engine.kill().unwrap();
        engine.wait().unwrap();
        for known in &mut known {
            assert!(known.is_gone());
        }
        childless.kill().unwrap();
        childless.wait().unwrap();
    }

    fn await_state(id: Pid, state: char) {
        let begun = Instant::now();
        let path = format!("/proc/{}/stat", id.as_raw_pid());
        while !fs::read_to_string(&path).unwrap().contains(&format!(") {state} ")) {
            assert!(begun.elapsed() < Duration::from_secs(20), "it is never in state {state}");
            std::thread::yield_now();
        }
    }

    /// A shell that starts processes when it is told to, and waits for each.
    #[test]
    fn processes_between_two_looks_are_measured() {
        let mut shell = Command::new("sh");
        // Each child computes until the kernel has counted 30 ms.
        let script = "while read line; do sh -c 'while read -r _ s < /proc/$$/schedstat && \
                      read -r used _ < /proc/$$/schedstat && [ $used -lt 30000000 ]; do :; done'; echo done; done";
        let mut shell =
            shell.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = shell.stdin.take().unwrap();
        let mut output = BufReader::new(shell.stdout.take().unwrap()).lines();
        let mut processes = Processes::of(Pid::from_raw(std::process::id().cast_signed()).unwrap(), false);
        processes.known.push(Known::new(Stat::read(Pid::from_child(&shell)).unwrap(), true).unwrap());
        let before = processes.ended();
        assert_eq!(processes.used_by_short(before), Duration::ZERO);
        for _ in 0..3 {
            writeln!(input, "go").unwrap();
            output.next().unwrap().unwrap();
        }
        let used = processes.used_by_short(before);
        assert!(Duration::from_millis(60) <= used, "{used:?}");
        drop(input);
        shell.wait().unwrap();
    }
}
