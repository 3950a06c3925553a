//! Engines that compute while they are not on the move: all their processes are stopped then, and what they use all the
//! same is recorded and judged.

#![cfg(target_os = "linux")]
use crate::common::processes;

use std::fs;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::common::tournament::{Ended, Tournament};
use model::SideLetter;
use processes::{Marker, VARIABLE};
use rustix::process::Pid;

const HEAD: &str = "[tournament]\nconcurrency = 1\n[limits]\nmovetime = \"60s\"\nmax-plies = 40\n\
                    [[game]]\nid = \"push-push\"\n";

/// The states of the processes with this argument; `F` if they are frozen with their control group.
fn states(marker: &Marker, argument: &str) -> Vec<char> {
    let processes = marker.processes().into_iter();
    let found =
        processes.filter(|(_, words)| words[0] != "arena" && words.iter().any(|word| word == argument));
    found.filter_map(|(id, _)| if is_frozen(id) { Some('F') } else { state(id) }).collect()
}

fn state(id: Pid) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_pid())).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Whether the process is frozen with the control group of its engine. `.ci/kernel` has such groups.
fn is_frozen(id: Pid) -> bool {
    let groups = fs::read_to_string(format!("/proc/{}/cgroup", id.as_raw_pid())).unwrap_or_default();
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    let events = fs::read_to_string(format!("/sys/fs/cgroup/{group}/cgroup.events")).unwrap_or_default();
    group.contains("engine-") && events.lines().any(|line| line == "frozen 1")
}

fn begin(cup: &Tournament, marker: &Marker) -> Child {
    let mut command = cup.command(&["--quiet"]);
    command.env(VARIABLE, &marker.0).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// While its opponent thinks, nothing of an engine runs, wherever its processes went.
#[test]
fn an_engine_that_is_not_on_the_move_is_stopped() {
    let cage = |keys: &str| format!("cage = {{ {keys}, environment-allow = [\"PATH\", \"{VARIABLE}\"] }}");
    // With a limit, the engine gets a control group where the arena can make one.
    for keys in ["", &cage("sandbox = true"), &cage("sandbox = \"basic\", memory = \"4GiB\"")] {
        let marker = Marker::new(&format!("off-turn-{}", keys.len()));
        // One engine starts its spinners at its third move, and the other one thinks for ever about its sixth.
        let cup = Tournament::new(HEAD, &[("one", "think"), ("two", "move-escape-spinners")]);
        cup.add(keys);
        let mut arena = begin(&cup, &marker);
        let n_spinners = |wanted: &[char]| {
            let kinds = ["left-spinner", "left-session-spinner", "move-escape-spinners"];
            kinds.iter().flat_map(|kind| states(&marker, kind)).filter(|state| wanted.contains(state)).count()
        };
        let begun = std::time::Instant::now();
        while n_spinners(&['T', 'F']) < 7 {
            if arena.try_wait().unwrap().is_some() {
                assert_ne!(keys, "", "the arena has ended");
                eprintln!("skipped: the system has no such sandbox: {keys}");
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "the engine is not stopped");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(n_spinners(&['R']), 0, "{keys}");
        eprintln!("{keys}: {} in a frozen control group", n_spinners(&['F']));
        arena.kill().unwrap();
        arena.wait().unwrap();
        marker.assert_all_gone("the arena was killed");
    }
}

#[test]
fn what_is_used_off_turn_is_recorded_and_judged() {
    for (key, reason) in [("", "repetition"), ("off-turn = \"forfeit\"", "off-turn")] {
        let head = HEAD.replace("concurrency", &format!("{key}\nconcurrency"));
        let cup = Tournament::new(&head, &[("one", "slow"), ("two", "start-escape-spinners")]);
        let output = cup.run(&[]).succeeds();
        // Later it is stopped at once, so that it has nothing to use.
        let record = cup.records("results/cup").remove(0);
        assert_eq!(record.reason, reason, "{record:?}");
        let idx = usize::from(record.black == "two");
        let used = record.off_turn_us.unwrap();
        assert!(10_000 < used[idx] && used[1 - idx] < used[idx], "{used:?}");
        if reason == "off-turn" {
            assert_eq!(record.loser(), Some("two"));
            let evidence = record.evidence.unwrap();
            assert!(evidence.contains("ms of processor time in the"), "{evidence}");
        }
        let warning = "warning: engine `two` computes while it is not on the move: in match 1, it used";
        output.says(warning);
        cup.run(&["--quiet"]).succeeds();
    }
}

#[test]
fn engines_that_rest_are_not_mentioned_and_may_compute_if_allowed() {
    let cup = Tournament::new(HEAD, &[("one", "slow"), ("two", "good")]);
    let output = cup.run(&[]).succeeds();
    assert!(cup.records("results/cup").iter().all(|record| record.reason == "repetition"));
    output.says_not("computes while");

    let head = HEAD.replace("concurrency", "off-turn = \"allow\"\nconcurrency");
    let cup = Tournament::new(&head, &[("one", "slow"), ("two", "move-escape-spinners")]);
    cup.run(&[]).succeeds();
    assert!(
        cup.records("results/cup")
            .iter()
            .all(|record| record.reason == "repetition" && record.off_turn_us.is_none())
    );
}

/// The arena looks at all processes of an engine that is not on the move, and stops them. That is not on the clock of the one
/// that is.
#[test]
fn idle_children_of_an_engine_cost_its_opponent_no_time() {
    let head = format!("[timeouts]\nstart = \"60s\"\n{HEAD}");
    let cup = Tournament::new(&head, &[("one", "slow-60"), ("two", "start-escape-sleepers")]);
    cup.run(&[]).succeeds();
    for record in cup.records("results/cup") {
        assert_eq!(record.reason, "repetition", "{record:?}");
        let side = if record.white == "one" { SideLetter::White } else { SideLetter::Black };
        let moves: Vec<_> = record.moves.iter().filter(|mv| mv.side == side).collect();
        let claimed: u64 = moves.iter().filter_map(|mv| mv.claimed_us).sum();
        let charged: u64 = moves.iter().map(|mv| mv.time_us).sum();
        assert!(claimed > 0 && charged < 2 * claimed, "it thought {claimed} us and was charged {charged} us");
    }
}
