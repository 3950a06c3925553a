//! Losses on time on a machine that is busy with something else, as real processes: three programs that never pause share one
//! processor with the whole tournament.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::common::fake_engine;
use crate::common::tournament::{Ended, Tournament, said};
use model::Record;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// An engine that takes 200 ms of processor time for its third move has them in time only if it gets half of the processor.
const HEAD: &str = "[tournament]\nconcurrency = 1\n[limits]\nmovetime = \"400ms\"\nmax-plies = 8\n\
                    [[game]]\nid = \"push-push\"\n";

/// Programs that keep a processor busy as long as this lives, one set at a time.
struct Burners(
    Vec<Child>,
    #[expect(dead_code, reason = "held until the burners are gone")] MutexGuard<'static, ()>,
);

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

impl Burners {
    /// Three of them, on one processor with this thread and all that it starts. Each has a session of its own, as engines have:
    /// Linux divides a processor between sessions first (`sched_autogroup_enabled`).
    fn start() -> Self {
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let usable = sched_getaffinity(None).unwrap();
        let first = (0..CpuSet::MAX_CPU).find(|cpu| usable.is_set(*cpu)).unwrap();
        let mut one = CpuSet::new();
        one.set(first);
        sched_setaffinity(None, &one).unwrap();
        let burner = || {
            let mut command = Command::new("setsid");
            command
                .arg(fake_engine())
                .arg("start-burn")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        };
        Self((0..3).map(|_| burner()).collect(), alone)
    }
}

impl Drop for Burners {
    fn drop(&mut self) {
        for child in &mut self.0 {
            child.kill().and_then(|()| child.wait()).unwrap();
        }
    }
}

/// Lost on time, and the machine was busy for longer than the move was late.
fn assert_busy(record: &Record) {
    assert_eq!((record.reason.as_str(), record.loser()), ("time", Some("slow")), "{record:?}");
    let delay = record.machine_delay.unwrap_or_else(|| panic!("{record:?}"));
    assert!(delay.overrun_us < delay.engine_us, "{delay:?}");
    assert!(record.evidence.as_ref().unwrap().contains("; the machine was busy: "), "{record:?}");
}

/// The engine takes 60 ms of processor time for each move, of which it may take 100 ms.
#[test]
fn the_check_does_not_blame_the_engine() {
    let _burners = Burners::start();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(["check", "--protocol", "uci", "--timeout", "1s", "--only", "movetime"]);
    command.arg(fake_engine()).arg("uci-plain").stdin(Stdio::null()).output().unwrap().succeeds();
}

/// The engines take 200 ms of processor time for this, of which they get a quarter at most.
#[test]
fn an_engine_does_not_lose_because_the_machine_had_no_time_for_its_start() {
    let _burners = Burners::start();
    let head = "[tournament]\nconcurrency = 1\n[limits]\nmovetime = \"60s\"\nmax-plies = 4\n\
                [timeouts]\nstart = \"600ms\"\nready = \"600ms\"\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("starting", "start-work"), ("preparing", "ready-work")]);
    cup.run(&["--log", "logs"]).succeeds();
    let records = cup.records("results/cup");
    assert_eq!(records.len(), 2);
    assert!(records.iter().all(|record| record.loser().is_none()), "{records:?}");
    let logs =
        fs::read_dir(cup.path("logs")).unwrap().map(|log| fs::read_to_string(log.unwrap().path()).unwrap());
    let logs: String = logs.collect();
    assert!(logs.contains("the machine is busy: the engine has "), "{logs}");
}

/// It sleeps, so that it waits for nothing.
#[test]
fn an_engine_that_does_not_greet_fails_on_a_busy_machine_as_well() {
    let _burners = Burners::start();
    let head = HEAD.replace("[[game]]", "[timeouts]\nstart = \"400ms\"\n[[game]]");
    let cup = Tournament::new(&head, &[("silent", "start-hang"), ("good", "good")]);
    let output = cup.run(&[]);
    assert!(!output.status.success(), "{}", said(&output));
    output.says("engine `silent` did not say `ugiok` within 400ms");
}

#[test]
fn a_loss_on_a_busy_machine_is_recorded_with_that_evidence() {
    let _burners = Burners::start();
    let cup = Tournament::new(HEAD, &[("slow", "move-work"), ("good", "good")]);
    cup.run(&[]).succeeds().says("\n2 losses on time, 2 of them on a busy machine\n");
    let records = cup.records("results/cup");
    assert_eq!((records.len(), cup.rows("results/cup").len()), (2, 2));
    records.iter().for_each(assert_busy);
    assert!(records.iter().all(|record| record.attempts_discarded == 0));
    cup.verifies("results/cup");
    // Earlier runs count, too.
    cup.run(&[]).says("\n2 losses on time, 2 of them on a busy machine\n");
}

#[test]
fn a_match_on_a_busy_machine_is_played_three_times_if_it_shall_not_count() {
    let _burners = Burners::start();
    let head = HEAD.replace("concurrency", "on-machine-delay = \"replay\"\nconcurrency");
    let cup = Tournament::new(&head, &[("slow", "move-work"), ("good", "good")]);
    // The engine is the child of a shell.
    let config = fs::read_to_string(cup.path("cup.toml")).unwrap();
    let program = fake_engine();
    let quoted = toml::Value::from(program.to_str().unwrap()).to_string();
    let script = toml::Value::from(format!("'{}' move-work; true", program.display())).to_string();
    let config = config.replacen(
        &format!("command = {quoted}\nargs = [\"move-work\"]"),
        &format!("command = \"sh\"\nargs = [\"-c\", {script}]"),
        1,
    );
    assert!(config.contains("move-work; true"));
    fs::write(cup.path("cup.toml"), config).unwrap();
    let output = cup.run(&[]).succeeds();
    for line in [
        "2 losses on time, 2 of them on a busy machine",
        "4 times, a match lost on time on a busy machine was played again and did not count (`on-machine-delay`)",
    ] {
        assert!(said(&output).contains(&format!("\n{line}\n")), "{}", said(&output));
    }
    let records = cup.records("results/cup");
    assert_eq!(records.len(), 2);
    records.iter().for_each(assert_busy);
    assert!(records.iter().all(|record| record.attempts_discarded == 2));
    cup.verifies("results/cup");
}

#[test]
fn an_engine_that_is_late_by_itself_has_no_such_evidence() {
    let head =
        HEAD.replace("400ms", "200ms").replace("concurrency", "on-machine-delay = \"replay\"\nconcurrency");
    // It sleeps for 400 ms.
    let cup = Tournament::new(&head, &[("slow", "move-late"), ("good", "good")]);
    cup.run(&[]).succeeds().says("\n2 losses on time; their last moves did not wait long for a processor\n");
    for record in cup.records("results/cup") {
        assert_eq!((record.reason.as_str(), record.machine_delay), ("time", None), "{record:?}");
    }
}
