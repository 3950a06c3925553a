//! Matches between an engine that misbehaves on demand and good ones, as real processes.

use std::collections::BTreeMap;
use std::time::Duration;

use arena::opponent::launch::Confinement;
use arena::opponent::{Contender, Spawn};
use arena::play::{MatchSettings, Players, play_match};
use arena::referee::{Adjudication, TimeControl};
use arena::schedule::Job;
use arena::tournament::Record;

use crate::common::fake_engine;

const OPENING: &str = "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0";

/// Short enough that the cap ends a match before the rules do, long enough for the third move of each side.
pub const MAX_PLIES: u32 = 10;

fn job(number: u32, contenders: [usize; 2]) -> Job {
    let game = engine_proto::GameId::PUSH_PUSH;
    Job { number, pair: number.div_ceil(2), game, opening: OPENING.to_owned(), contenders }
}

/// A pair of matches between the faulty engine and a good one, then one between two good ones. `adjust` gets the three.
pub fn play(mode: &str, adjust: impl FnOnce(&mut [Contender])) -> [Record; 3] {
    let marker = format!("faults-{mode}-{}", std::process::id());
    let mut contenders = vec![
        contender("faulty", mode, &marker),
        contender("good", "good", &marker),
        contender("fine", "good", &marker),
    ];
    adjust(&mut contenders);
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
            records.push(record.unwrap_or_else(|_| panic!("{mode}: match {number} does not end")).unwrap());
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

/// A contender that behaves as `mode` says. `marker` goes into its environment, to find what is left of it.
pub fn contender(name: &str, mode: &str, marker: &str) -> Contender {
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
        start_timeout: Duration::from_secs(2),
        ready_timeout: Duration::from_millis(500),
        quit_timeout: Duration::from_millis(200),
    }
}

/// So much time for everything that no slow machine needs it: for engines that are not at fault by the clock.
pub fn be_patient(contenders: &mut [Contender]) {
    for contender in contenders {
        contender.time_control.margin = Duration::from_secs(20);
        contender.start_timeout = Duration::from_secs(20);
        contender.ready_timeout = Duration::from_secs(20);
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
