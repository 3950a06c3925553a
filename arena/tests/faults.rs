//! Engines that misbehave, as real processes: each fault is found, recorded with its evidence and survived, the
//! opponent is not harmed, and no process is left.

#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod common;

use std::collections::BTreeMap;
use std::time::Duration;

use arena::engine::launch::Confinement;
use arena::engine::{Contender, Spawn};
use arena::play::{Adjudication, MatchSettings, Players, TimeControl, play_match};
use arena::record::{MatchResult, Record};
use arena::schedule::Job;
use common::fake_engine;
use engine_proto::GameId;

const OPENING: &str = "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0";

/// Short enough that the cap ends a match before the rules do, long enough for the third move of each side.
const MAX_PLIES: u32 = 10;

fn job(number: u32, contenders: [usize; 2]) -> Job {
    let game = arena::config::GameName(GameId::PushPush);
    Job { number, pair: number.div_ceil(2), game, opening: OPENING.to_owned(), contenders }
}

/// A pair of matches between the faulty engine and a good one, then one between two good ones.
fn play(mode: &str, adjust: impl FnOnce(&mut Contender)) -> [Record; 3] {
    let marker = format!("faults-{mode}-{}", std::process::id());
    let mut contenders = vec![
        contender("faulty", mode, &marker),
        contender("good", "good", &marker),
        contender("fine", "good", &marker),
    ];
    adjust(&mut contenders[0]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let records = runtime.block_on(async {
        let settings = MatchSettings {
            max_plies: MAX_PLIES,
            adjudication: Adjudication::default(),
            seed: 1,
            logs: None,
        };
        let mut players = Players::default();
        let mut records = Vec::new();
        for (number, who) in (1..).zip([[0, 1], [1, 0], [1, 2]]) {
            let job = job(number, who);
            let playing = play_match(&job, &contenders, &settings, &mut players);
            let record = tokio::time::timeout(Duration::from_secs(30), playing).await;
            records.push(record.unwrap_or_else(|_| panic!("{mode}: match {number} does not end")));
        }
        players.quit().await;
        records
    });
    drop(runtime);
    assert!(all_gone(&marker), "{mode}: processes are left");
    let records: [Record; 3] = records.try_into().unwrap();
    assert_eq!(records[2].reason, "move-cap", "{mode}: {:?}", records[2]);
    records
}

/// The faulty engine loses both matches for this reason, and the evidence says why.
fn check(mode: &str, reason: &str, evidence: &str) {
    let [first, second, _] = play(mode, |_| {});
    for (record, result) in [(&first, MatchResult::BlackWins), (&second, MatchResult::WhiteWins)] {
        assert_eq!((record.reason.as_str(), record.result), (reason, result), "{mode}: {record:?}");
        let words = record.evidence.as_deref().unwrap_or_default();
        assert!(words.contains(evidence), "{mode}: {words}");
    }
}

#[test]
fn at_the_start() {
    check("start-hang", "start-failure", "did not say `ugiok` within");
    check(
        "start-exit",
        "start-failure",
        "ended with exit status: 3; the end of its standard error:\nlast words",
    );
    check("start-abort", "start-failure", "(SIGABRT)");
    check("start-close", "start-failure", "did not say `ugiok`");
    check("start-longline", "start-failure", "a line of more than 1048576 bytes");
    check("start-flood", "start-failure", "did not say `ugiok`");
    check("start-binary", "start-failure", "not UTF-8");
    check("start-grandchild", "start-failure", "did not say `ugiok`");
}

#[test]
fn at_isready() {
    check("ready-hang", "start-failure", "no `readyok` within");
    check("ready-exit", "start-failure", "ended with exit status: 3");
    check("ready-abort", "start-failure", "(SIGABRT)");
    check("ready-flood", "start-failure", "");
    check("ready-longline", "start-failure", "a line of more than");
}

#[test]
fn silent_or_late_in_a_match() {
    check("move-hang", "time", "no move after");
    check("move-drip", "time", "no move after");
    check("move-late", "time", "no move after");
}

#[test]
fn gone_in_a_match() {
    check("move-exit", "crash", "ended with exit status: 3; the end of its standard error:\nlast words");
    check("move-abort", "crash", "(SIGABRT)");
    check("move-close", "crash", "(SIGKILL)");
    check("move-grandchild", "time", "no move after");
}

#[test]
fn nonsense_in_a_match() {
    check("move-illegal", "illegal-move", "`a1a1a1` in the position `");
    check("move-uppercase", "illegal-move", "; legal: ");
    check("move-empty", "protocol-error", "`bestmove`: no move");
    check("move-binary", "protocol-error", "not UTF-8");
    check("move-nul", "illegal-move", "`\\0`");
    check("move-longline", "protocol-error", "a line of more than 1048576 bytes");
}

#[test]
fn a_flood_is_stopped() {
    let [first, second, _] = play("move-flood", |_| {});
    for record in [first, second] {
        // Whether the time or the room for an answer is used up first depends on the machine.
        assert!(["time", "protocol-error"].contains(&record.reason.as_str()), "{record:?}");
        assert!(record.result.winner().is_some());
    }
}

#[test]
fn oddities_that_are_no_fault() {
    for mode in ["move-garbage", "move-slowbytes", "move-stderr", "quit-hang", "quit-exit", "quit-flood"] {
        let records = play(mode, |contender| contender.time_control.margin = Duration::from_secs(20));
        for record in records {
            assert_eq!(record.reason, "move-cap", "{mode}: {record:?}");
            assert_eq!(record.plies, MAX_PLIES);
        }
    }
}

#[test]
fn a_second_bestmove_does_not_harm_the_opponent() {
    // It may come before the next `go` and be passed over, or after it and be taken for a move.
    let [first, second, _] = play("move-twice", |_| {});
    for record in [first, second] {
        assert!(["move-cap", "illegal-move"].contains(&record.reason.as_str()), "{record:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_same_in_a_sandbox() {
    use arena::engine::launch::{Sandbox, rehearse};
    let scratch = tempfile::tempdir().unwrap();
    let confinement = Confinement {
        sandbox: Some(Sandbox { scratch: scratch.path().to_owned(), readable: Vec::new() }),
        ..Confinement::default()
    };
    if let Err(what) = rehearse(&confinement, env!("CARGO_BIN_EXE_arena").as_ref()) {
        eprintln!("skipped: {what}");
        return;
    }
    for (mode, reason, evidence) in [
        ("start-exit", "start-failure", "ended with exit status: 3, confined to a sandbox; the end of its"),
        ("ready-abort", "start-failure", "(SIGABRT), confined to a sandbox"),
        ("move-exit", "crash", "ended with exit status: 3, confined to a sandbox; the end of its"),
        ("move-abort", "crash", "(SIGABRT), confined to a sandbox"),
        ("move-close", "crash", "(SIGKILL), confined to a sandbox"),
        ("move-hang", "time", "no move after"),
        ("move-longline", "protocol-error", "a line of more than"),
        // It ends what it has started, and so its output: that is seen at once.
        ("move-grandchild", "crash", "ended with exit status: 0"),
    ] {
        let records = play(mode, |contender| contender.spawn.confinement = confinement.clone());
        for record in &records[..2] {
            let words = record.evidence.as_deref().unwrap_or_default();
            assert_eq!(record.reason, reason, "{mode}: {record:?}");
            assert!(words.contains(evidence), "{mode}: {words}");
        }
    }
}

#[test]
fn a_program_that_is_not_there() {
    let [first, second, _] = play("good", |contender| contender.spawn.program = "/no/such/program".into());
    for record in [first, second] {
        assert_eq!(record.reason, "start-failure");
        assert!(record.evidence.unwrap().contains("cannot be started"));
    }
}

/// A contender that behaves as `mode` says. `marker` goes into its environment, to find what is left of it.
fn contender(name: &str, mode: &str, marker: &str) -> Contender {
    Contender {
        name: name.to_owned(),
        spawn: Spawn {
            program: fake_engine(),
            args: vec![mode.to_owned()],
            directory: None,
            environment: BTreeMap::from([("ARENA_TEST".to_owned(), marker.to_owned())]),
            environment_allow: None,
            confinement: Confinement::default(),
            launcher: cfg!(target_os = "linux").then(|| env!("CARGO_BIN_EXE_arena").into()),
            log: None,
        },
        options: BTreeMap::new(),
        games: None,
        time_control: TimeControl {
            base: None,
            increment: Duration::ZERO,
            moves_to_go: None,
            move_time: Some(Duration::from_millis(200)),
            nodes: None,
            depth: None,
            margin: Duration::from_millis(100),
            think_timeout: Duration::from_secs(5),
        },
        start_timeout: Duration::from_millis(500),
        ready_timeout: Duration::from_millis(500),
        quit_timeout: Duration::from_millis(200),
    }
}

/// Whether no process has `marker`, at once or soon: a sandbox whose launcher was killed ends a moment later.
fn all_gone(marker: &str) -> bool {
    let begun = std::time::Instant::now();
    while 0 < n_processes_with(marker) {
        if Duration::from_secs(10) < begun.elapsed() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// How many processes have `marker` in their environment.
#[cfg(target_os = "linux")]
fn n_processes_with(marker: &str) -> usize {
    let processes = std::fs::read_dir("/proc").expect("there is /proc");
    let environments =
        processes.flatten().filter_map(|entry| std::fs::read(entry.path().join("environ")).ok());
    let wanted = format!("ARENA_TEST={marker}");
    environments.filter(|bytes| bytes.split(|&byte| byte == 0).any(|one| one == wanted.as_bytes())).count()
}

#[cfg(not(target_os = "linux"))]
fn n_processes_with(_marker: &str) -> usize {
    0
}
