//! Games whose rules are a program on many machines, with real processes and a real NATS server.

#![cfg(target_os = "linux")]
use crate::common::nats;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::tournament::{Ended, Tournament, arena};
use nats::{Running, Server, n_lines, without_times};
use tempfile::TempDir;

/// Programs are found in these folders: a `python3` elsewhere may be a script that the sandbox does not allow.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The rules fail after this number of moves where this variable is set.
const FAILS: &str = "RULES_FAIL";

/// A tournament of Hex in a folder with its rules and its engine; `None` if something is missing here.
struct Setup {
    cup: Tournament,
    server: Server,
    elsewhere: TempDir,
}

impl Setup {
    fn new(keys: &str) -> Option<Self> {
        let server = Server::start()?;
        let python =
            Command::new("python3").env("PATH", PATH).args(["-c", "pass"]).stderr(Stdio::null()).status();
        if !python.is_ok_and(|status| status.success()) {
            eprintln!("skipped: no python3");
            return None;
        }
        let cup = Tournament::new("", &[]);
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let engine = repository.join("engine-proto/examples/python/legal_moves.py");
        fs::copy(engine, cup.path("legal_moves.py")).unwrap();
        let hex = fs::read_to_string(repository.join("configs/own-game/hex.py")).unwrap();
        let fails = format!(
            "    if {FAILS:?} in __import__(\"os\").environ and 6 < ply:\n        sys.exit(5)\n    return {{\"fen\""
        );
        let hex = hex.replace("    return {\"fen\"", &fails);
        assert!(hex.contains(FAILS));
        fs::write(cup.path("hex.py"), hex).unwrap();
        let mut config = format!(
            "[tournament]\npairs = 3\nconcurrency = 2\n[limits]\nmovetime = \"60s\"\n{keys}\n\
             [[game]]\nid = \"hex-5\"\nreferee = [\"python3\", \"hex.py\"]\nopening-plies = 2\n"
        );
        for name in ["one", "two"] {
            config += &format!(
                "[[engine]]\nname = \"{name}\"\ncommand = \"python3\"\nargs = [\"legal_moves.py\", \"hex-5\"]\n"
            );
        }
        fs::write(cup.path("cup.toml"), config).unwrap();
        Some(Self { cup, server, elsewhere: tempfile::tempdir().unwrap() })
    }

    /// Changes the rules, which stay those of the same game.
    fn change_rules(&self, from: &str, to: &str) {
        let rules = fs::read_to_string(self.cup.path("hex.py")).unwrap();
        assert!(rules.contains(from));
        fs::write(self.cup.path("hex.py"), rules.replace(from, to)).unwrap();
    }

    /// A worker in a folder of its own, or in that of the tournament.
    fn worker(&self, folder: &Path, name: &str, args: &[&str], environment: Option<&str>) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command
            .current_dir(folder)
            .env("XDG_CACHE_HOME", self.elsewhere.path().join("cache"))
            .env("PATH", PATH);
        command
            .args(["worker", "--nats", &self.server.url(), "--name", name, "--cores", "1", "--allow-root"])
            .args(args);
        let mut worker = Running::start(command.envs(environment.map(|name| (name, "1"))));
        worker.wait_for("waits for tournaments");
        worker
    }

    fn folder(&self) -> PathBuf {
        self.cup.folder.path().to_owned()
    }

    fn coordinator(&self, results: &str, environment: Option<&str>) -> Running {
        let url = self.server.url();
        let mut command =
            self.cup.command(&["--nats", &url, "--results", results, "--no-report", "--lease", "2s"]);
        Running::start(command.env("PATH", PATH).envs(environment.map(|name| (name, "1"))))
    }

    /// The matches of one machine.
    fn expected(&self) -> Vec<Vec<String>> {
        let mut alone = self.cup.command(&["--results", "alone", "--no-report", "--fresh", "-q"]);
        alone.env("PATH", PATH).output().unwrap().succeeds();
        without_times(self.cup.rows("alone"))
    }

    /// The matches in a results folder all ended by the rules.
    fn all_ended_by_the_rules(&self, results: &str) -> bool {
        let journal = fs::read_to_string(self.cup.path(results).join("matches.jsonl")).unwrap_or_default();
        journal.lines().all(|line| line.contains("\"reason\":\"connection\""))
    }
}

#[test]
fn a_worker_gets_the_rules_with_the_engines() {
    let Some(cup) = Setup::new("[machines]\ndistribute = true\n") else { return };
    let first = cup.expected();
    // The sandbox is tested where the system has it: elsewhere the worker says so, and plays with `--trust`.
    let sandbox = arena(".", &["sandbox"]);
    let trust: &[&str] = if sandbox.status.success() { &[] } else { &["--trust"] };
    let _worker = cup.worker(cup.elsewhere.path(), "w", trust, None);
    cup.coordinator("first", None).succeeds();
    assert_eq!(without_times(cup.cup.rows("first")), first);
    // The next tournament of the same worker has other rules for the same game, and another start.
    cup.change_rules("START = \"/\".join([str(SIZE)] * SIZE) + \" w 0 0\"", "START = \"5/5/2S2/5/5 b 0 1\"");
    let second = cup.expected();
    assert_ne!(first, second);
    cup.coordinator("second", None).succeeds();
    assert_eq!(without_times(cup.cup.rows("second")), second);
}

#[test]
fn a_worker_with_other_rules_does_not_take_part() {
    let Some(cup) = Setup::new("") else { return };
    for name in ["legal_moves.py", "hex.py"] {
        fs::copy(cup.cup.path(name), cup.elsewhere.path().join(name)).unwrap();
    }
    let own = cup.elsewhere.path().join("hex.py");
    fs::write(&own, fs::read_to_string(&own).unwrap() + "# another version\n").unwrap();
    let mut worker = cup.worker(cup.elsewhere.path(), "other", &["--trust"], None);
    let mut running = cup.coordinator("cup", None);
    let words = "the program with the rules of `hex-5` differs from the coordinator's: `hex.py` is ";
    worker.wait_for(words);
    running.wait_for(words);
    let _same = cup.worker(&cup.folder(), "same", &["--trust"], None);
    running.succeeds();
    assert_eq!(n_lines(&cup.cup, "cup"), 6);
}

/// Rules that fail at one worker are no reason to stop. Rules that fail at all of them are.
#[test]
fn rules_that_fail_at_workers_lose_no_match() {
    let Some(cup) = Setup::new("") else { return };
    let mut one = cup.worker(&cup.folder(), "one", &["--trust"], Some(FAILS));
    let mut running = cup.coordinator("cup", None);
    let words =
        "the referee program of `hex-5` failed 3 times in a row: its process ended with exit status: 5";
    one.wait_for(words);
    running.wait_for(&format!("worker `one` does not take part: {words}"));
    let (code, said) = running.end();
    assert_eq!(code, Some(3), "{said}");
    let last = "worker `one` was the last one that played, and the referee program of `hex-5` failed 3 times in a row";
    assert!(said.contains(last) && said.contains("all finished matches are stored"), "{said}");
    assert!(cup.all_ended_by_the_rules("cup"));
    // Another worker continues.
    let _two = cup.worker(&cup.folder(), "two", &["--trust"], None);
    cup.coordinator("cup", None).succeeds();
    assert_eq!(n_lines(&cup.cup, "cup"), 6);
    assert!(cup.all_ended_by_the_rules("cup"));
}

/// A coordinator that cannot check a result blames no worker.
#[test]
fn rules_that_fail_at_the_coordinator_stop_the_tournament() {
    let Some(cup) = Setup::new("") else { return };
    let _worker = cup.worker(&cup.folder(), "w", &["--trust"], None);
    let (code, said) = cup.coordinator("cup", Some(FAILS)).end();
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("the referee program of `hex-5` failed 3 times in a row"), "{said}");
    assert!(!said.contains("wrong result"), "{said}");
    assert_eq!(n_lines(&cup.cup, "cup"), 0);
    cup.coordinator("cup", None).succeeds();
    assert_eq!(n_lines(&cup.cup, "cup"), 6);
    assert!(cup.all_ended_by_the_rules("cup"));
}
