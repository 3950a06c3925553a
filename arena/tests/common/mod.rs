//! What the tests with real processes share: the engine that misbehaves on demand, and a look at what is left.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use arena::engine::{Contender, Spawn};
use arena::play::TimeControl;

/// The path of the example `fake-engine`, built beside the tests.
pub fn fake_engine() -> PathBuf {
    let test = std::env::current_exe().expect("a test is a program");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("tests lie in target/<profile>/deps");
    let path = folder.join("examples").join(format!("fake-engine{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "`cargo test` builds it; with `--test`, run `cargo build -p arena --examples` first"
    );
    path
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

/// How many processes have `marker` in their environment.
#[cfg(target_os = "linux")]
pub fn n_processes_with(marker: &str) -> usize {
    let processes = std::fs::read_dir("/proc").expect("there is /proc");
    let environments =
        processes.flatten().filter_map(|entry| std::fs::read(entry.path().join("environ")).ok());
    let wanted = format!("ARENA_TEST={marker}");
    environments.filter(|bytes| bytes.split(|&byte| byte == 0).any(|one| one == wanted.as_bytes())).count()
}

#[cfg(not(target_os = "linux"))]
pub fn n_processes_with(_marker: &str) -> usize {
    0
}
