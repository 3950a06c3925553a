//! What the tests with real processes share: servers, browsers, tournaments, and the engine that misbehaves on demand.

#[cfg(unix)]
pub mod browser;
pub mod faulty;
pub mod journal;
pub mod nats;
pub mod processes;
pub mod site;
pub mod tournament;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Whether this is a program of its own that runs only the test `name`; else it is started, and must pass. For tests that
/// look at what the whole process has, which other tests change.
pub fn is_alone(name: &str) -> bool {
    const ALONE: &str = "ARENA_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let program = std::env::current_exe().expect("a test is a program");
    let output = Command::new(program).args(["--exact", name]).env(ALONE, "1").output().expect("it starts");
    let said =
        [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    false
}

/// Copies a program that is to be started. Another process writes it: a process that another test starts meanwhile would inherit the
/// open file of this one for a moment, and the system starts no program that is open for writing.
pub fn copy_program(from: impl AsRef<Path>, to: impl AsRef<Path>) {
    if cfg!(windows) {
        std::fs::copy(from, to).expect("a program can be copied");
        return;
    }
    let copied = Command::new("cp").arg(from.as_ref()).arg(to.as_ref()).status();
    assert!(copied.expect("cp starts").success(), "{}", from.as_ref().display());
}

/// The program of the package `fake-engine`: an engine with a mode for each fault. It is built when it is first needed, so
/// that one test alone works in a fresh clone.
pub fn fake_engine() -> PathBuf {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let test = std::env::current_exe().expect("a test is a program");
        let folder =
            test.parent().and_then(|deps| deps.parent()).expect("tests lie in target/<profile>/deps");
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // With the features of `cargo it`: alone, it would need its crates built once more.
        cargo
            .args(["build", "--quiet", "--workspace", "--all-features", "--bin=fake-engine", "--target-dir"])
            .arg(folder.parent().unwrap());
        if folder.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().expect("cargo starts").success(), "`fake-engine` is not built");
        folder.join(format!("fake-engine{}", std::env::consts::EXE_SUFFIX))
    });
    PROGRAM.clone()
}
