//! A real NATS server for a test, and workers at it. Each ends with its value.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::common::tournament::{Ended, Tournament};

/// Something that comes with certainty comes within this time, on any machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The program, by `NATS_SERVER` or `PATH`. Without it a test is skipped with a clear word.
pub fn program() -> Option<PathBuf> {
    let named = std::env::var_os("NATS_SERVER").map(PathBuf::from);
    let on_path = || {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let mut files = std::env::split_paths(&folders).map(|folder| folder.join("nats-server"));
        files.find(|file| file.is_file())
    };
    let found = named.or_else(on_path);
    if found.is_none() {
        eprintln!("skipped: there is no `nats-server`; name it in NATS_SERVER, or install it on PATH");
    }
    found
}

/// A running server.
pub struct Server {
    program: PathBuf,
    folder: TempDir,
    config: Option<PathBuf>,
    process: Option<Child>,
    port: u16,
    /// What it listens to, and the command that starts it somewhere else.
    address: &'static str,
    elsewhere: Option<Elsewhere>,
}

/// Changes a command so that it runs somewhere else.
type Elsewhere = Box<dyn Fn(&Command) -> Command>;

impl Server {
    /// A server with JetStream; `None` if there is no program.
    pub fn start() -> Option<Self> {
        Self::with_config(|_| None)
    }

    /// A server with the configuration file that `config` writes into the folder of the server.
    pub fn with_config(config: impl FnOnce(&Path) -> Option<PathBuf>) -> Option<Self> {
        let program = program()?;
        let folder = tempfile::tempdir().unwrap();
        let config = config(folder.path());
        let mut server =
            Self { program, folder, config, process: None, port: 0, address: "127.0.0.1", elsewhere: None };
        server.restart();
        Some(server)
    }

    /// A server that listens to all addresses of another network, in which `elsewhere` lets it run.
    pub fn elsewhere(elsewhere: impl Fn(&Command) -> Command + 'static) -> Option<Self> {
        let (program, folder) = (program()?, tempfile::tempdir().unwrap());
        let elsewhere: Option<Elsewhere> = Some(Box::new(elsewhere));
        let mut server =
            Self { program, folder, config: None, process: None, port: 0, address: "0.0.0.0", elsewhere };
        server.restart();
        Some(server)
    }

    /// The address for clients.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The port for clients.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.process.as_ref().unwrap().id()
    }

    /// Starts it again, at the same port.
    pub fn restart(&mut self) {
        self.kill();
        let ports = self.folder.path().join("ports");
        let _ = fs::remove_dir_all(&ports);
        fs::create_dir(&ports).unwrap();
        let port = if self.port == 0 { "-1".to_owned() } else { self.port.to_string() };
        let mut command = Command::new(&self.program);
        command.args(["--addr", self.address, "--port", &port]);
        command.arg("--ports_file_dir").arg(&ports).arg("--log").arg(self.folder.path().join("log"));
        match &self.config {
            // It names the store, or has none.
            Some(config) => command.arg("--config").arg(config).current_dir(self.folder.path()),
            None => command.arg("--jetstream").arg("--store_dir").arg(self.store()),
        };
        if let Some(elsewhere) = &self.elsewhere {
            command = elsewhere(&command);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.process = Some(command.spawn().unwrap());
        let begun = Instant::now();
        self.port = loop {
            let files = fs::read_dir(&ports).unwrap().flatten();
            let texts = files.filter_map(|file| fs::read_to_string(file.path()).ok());
            let mut found = texts.filter_map(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
            let port = found.find_map(|found| found["nats"][0].as_str()?.rsplit(':').next()?.parse().ok());
            if let Some(port) = port {
                break port;
            }
            assert!(begun.elapsed() < PATIENCE, "the server does not start: {}", self.log());
            std::thread::sleep(Duration::from_millis(10));
        };
    }

    /// Kills it as a power cut would.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Removes all that it has stored. It must not run.
    pub fn wipe(&self) {
        assert!(self.process.is_none(), "the server uses its store");
        fs::remove_dir_all(self.store()).unwrap();
    }

    /// What the server has logged.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("nats-data")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A program of the arena whose standard error is read line by line.
pub struct Running {
    process: Child,
    lines: Receiver<String>,
    heard: Vec<String>,
}

impl Running {
    /// Starts it.
    pub fn start(command: &mut Command) -> Self {
        let mut process =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(process.stderr.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Self { process, lines, heard: Vec::new() }
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Waits for a line that contains `words`, unless there was one.
    pub fn wait_for(&mut self, words: &str) -> String {
        if let Some(line) = self.heard.iter().find(|line| line.contains(words)) {
            return line.clone();
        }
        let begun = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let line = self.lines.recv_timeout(left);
            let line = line.unwrap_or_else(|_| panic!("no line with `{words}`: {:#?}", self.heard));
            self.heard.push(line.clone());
            if line.contains(words) {
                return line;
            }
        }
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        let id = Pid::from_raw(self.process.id().cast_signed()).unwrap();
        kill_process(id, signal).unwrap();
    }

    /// Kills it at once.
    pub fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Waits for its end. Returns the exit code and all lines.
    pub fn end(self) -> (Option<i32>, String) {
        self.end_within(PATIENCE)
    }

    /// Waits for its end, which is a success. Returns all lines.
    #[track_caller]
    pub fn succeeds(self) -> String {
        let (code, said) = self.end();
        assert_eq!(code, Some(0), "{said}");
        said
    }

    /// Waits for its end, which comes within this time.
    pub fn end_within(mut self, limit: Duration) -> (Option<i32>, String) {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                break status;
            }
            if limit < begun.elapsed() {
                self.heard.extend(self.lines.try_iter());
                panic!("it does not end: {:#?}", self.heard);
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        // The pipe may outlive the process in an engine that ends later.
        while let Ok(line) = self.lines.recv_timeout(Duration::from_millis(200)) {
            self.heard.push(line);
        }
        (status.code(), self.heard.join("\n"))
    }

    /// Whether it still runs.
    pub fn is_running(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A worker `name` at the server, in `folder`.
pub fn worker(folder: &Path, url: &str, name: &str, args: &[&str]) -> Running {
    Running::start(&mut worker_command(folder, url, name, args))
}

/// A worker whose engines play in this mode, whatever the tournament says.
pub fn worker_of_mode(folder: &Path, url: &str, name: &str, mode: &str) -> Running {
    Running::start(worker_command(folder, url, name, &["--cores", "4"]).env("FAKE_ENGINE_MODE", mode))
}

/// The command of such a worker.
pub fn worker_command(folder: &Path, url: &str, name: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command
        .current_dir(folder)
        .args(["worker", "--nats", url, "--name", name, "--trust", "--allow-root"])
        .args(args);
    command.env("XDG_CACHE_HOME", folder.join("cache"));
    command
}

/// A tournament of two games and this number of pairs, whose matches are the same on every machine.
pub fn cup_of(n_pairs: u32) -> Tournament {
    let head = CUP.replace("pairs = 10", &format!("pairs = {n_pairs}"));
    Tournament::new(&head, &[("one", "good"), ("two", "weak-30"), ("three", "weak-60")])
}

/// Its tournament file, without engines.
pub const CUP: &str = "[tournament]\nname = \"cup\"\npairs = 10\nconcurrency = 2\nseed = 3\n\n[limits]\nnodes = 50\nmax-plies = 40\n\n[[game]]\nid = \"push\"\nopening-plies = 4\n\n[[game]]\nid = \"tower-push\"\nopening-plies = 4\n";

/// The rows without the columns of times.
pub fn without_times(rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    rows.into_iter().map(|row| row[..9].to_vec()).collect()
}

/// The matches of one machine.
pub fn expected(cup: &Tournament) -> Vec<Vec<String>> {
    cup.run(&["--results", "alone", "--no-report", "-q"]).succeeds();
    without_times(cup.rows("alone"))
}

/// `arena run` as coordinator.
pub fn coordinator(cup: &Tournament, url: &str, results: &str, args: &[&str]) -> Running {
    Running::start(coordinator_command(cup, url, results).args(args))
}

/// The command of it.
pub fn coordinator_command(cup: &Tournament, url: &str, results: &str) -> Command {
    cup.command(&["--nats", url, "--results", results, "--no-report", "--lease", "2s"])
}

/// The number of matches in a journal.
pub fn n_lines(cup: &Tournament, results: &str) -> usize {
    let journal = fs::read_to_string(cup.path(results).join("matches.jsonl"));
    journal.map_or(0, |text| text.lines().count())
}

/// Waits until a journal has this number of matches.
pub fn wait_for_lines(cup: &Tournament, results: &str, n: usize) {
    let begun = Instant::now();
    while n_lines(cup, results) < n {
        assert!(begun.elapsed() < PATIENCE, "{} of {n} matches", n_lines(cup, results));
        std::thread::sleep(Duration::from_millis(5));
    }
}
