//! A small tournament in a folder of its own, played by the program itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use model::Record;
use tempfile::TempDir;

use crate::common::fake_engine;

const HEADER: &str = "match,pair,game,opening,white,black,result,reason,plies,white_ms,black_ms";

/// A folder with the configuration `cup.toml`.
pub struct Tournament {
    pub folder: TempDir,
}

impl Tournament {
    /// A folder with a configuration of these engines, each a name and a mode.
    pub fn new(head: &str, engines: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = toml::Value::from(fake_engine().to_str().unwrap());
        let mut config = format!("{head}\n");
        for (name, mode) in engines {
            config.push_str(&format!(
                "[[engine]]\nname = \"{name}\"\ncommand = {program}\nargs = [\"{mode}\"]\n"
            ));
        }
        fs::write(folder.path().join("cup.toml"), config).unwrap();
        Self { folder }
    }

    /// Replaces words of the configuration by others.
    #[track_caller]
    pub fn edit(&self, words: &str, others: &str) {
        let config = fs::read_to_string(self.path("cup.toml")).unwrap();
        assert!(config.contains(words), "`{words}` is not in {config}");
        fs::write(self.path("cup.toml"), config.replace(words, others)).unwrap();
    }

    /// Adds a line at the end of the configuration: of the last engine, or of another table.
    pub fn add(&self, line: &str) {
        let config = fs::read_to_string(self.path("cup.toml")).unwrap();
        fs::write(self.path("cup.toml"), format!("{config}{line}\n")).unwrap();
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `arena run cup.toml` in the folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.current_dir(self.folder.path()).args(["run", "cup.toml"]).args(args).stdin(Stdio::null());
        command
    }

    /// What it prints, once it has ended.
    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Any command of `arena` in the folder, once it has ended.
    pub fn arena(&self, args: &[&str]) -> Output {
        arena(self.folder.path(), args)
    }

    /// Checks that `arena verify` finds no problem.
    #[track_caller]
    pub fn verifies(&self, results: &str) {
        self.arena(&["verify", results]).succeeds();
    }

    /// Waits for a file of a run that has started.
    #[track_caller]
    pub fn wait_for(&self, file: &str) {
        let begun = Instant::now();
        while !self.path(file).exists() {
            assert!(begun.elapsed() < Duration::from_secs(20), "there is no `{file}`");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The matches in a results folder, by number.
    pub fn records(&self, folder: &str) -> Vec<Record> {
        let journal = fs::read_to_string(self.path(folder).join("matches.jsonl")).unwrap();
        let mut records: Vec<Record> =
            journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        records.sort_by_key(|record| record.number);
        records
    }

    /// The table of matches in a results folder.
    pub fn rows(&self, folder: &str) -> Vec<Vec<String>> {
        read_rows(&self.path(folder).join("matches.csv"))
    }
}

/// The same command with another limit of open files and connections, as `ulimit` takes it.
pub fn with_open_files(limit: &str, command: &Command) -> Command {
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit {limit} && exec \"$@\""), "sh"]);
    limited.arg(command.get_program()).args(command.get_args());
    limited.current_dir(command.get_current_dir().unwrap_or(Path::new("."))).stdin(Stdio::null());
    limited
}

fn read_rows(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().next(), Some(HEADER));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// `arena` with these arguments in a folder, once it has ended.
pub fn arena(folder: impl AsRef<Path>, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap()
}

/// What a program wrote to standard error.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What a program wrote to standard output.
pub fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a test expects of a program that has ended. If it is not so, the test shows all that the program wrote.
pub trait Ended: Sized {
    /// It succeeded.
    #[track_caller]
    fn succeeds(self) -> Self {
        self.fails(0)
    }

    /// It failed with this exit code.
    #[track_caller]
    fn fails(self, code: i32) -> Self;

    /// These words are in what it wrote to standard error.
    #[track_caller]
    fn says(self, words: impl AsRef<str>) -> Self;

    /// These words are not in what it wrote to standard error.
    #[track_caller]
    fn says_not(self, words: impl AsRef<str>) -> Self;

    /// These words are in what it wrote to standard output.
    #[track_caller]
    fn prints(self, words: impl AsRef<str>) -> Self;

    /// It succeeded: what it wrote to standard output.
    #[track_caller]
    fn text(self) -> String;
}

impl Ended for Output {
    fn fails(self, code: i32) -> Self {
        assert_eq!(self.status.code(), Some(code), "{}{}", printed(&self), said(&self));
        self
    }

    fn says(self, words: impl AsRef<str>) -> Self {
        assert!(said(&self).contains(words.as_ref()), "no `{}`: {}", words.as_ref(), said(&self));
        self
    }

    fn says_not(self, words: impl AsRef<str>) -> Self {
        assert!(!said(&self).contains(words.as_ref()), "`{}`: {}", words.as_ref(), said(&self));
        self
    }

    fn prints(self, words: impl AsRef<str>) -> Self {
        assert!(printed(&self).contains(words.as_ref()), "no `{}`: {}", words.as_ref(), printed(&self));
        self
    }

    fn text(self) -> String {
        printed(&self.succeeds())
    }
}
