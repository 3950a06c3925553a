//! A small tournament in a folder of its own, played by the program itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::common::fake_engine;

#[allow(dead_code, reason = "one of the tests that share this file does not need it")]
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
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// The table of matches in a results folder.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn rows(&self, folder: &str) -> Vec<Vec<String>> {
        read_rows(&self.path(folder).join("matches.csv"))
    }
}

/// The same command with another limit of open files and connections, as `ulimit` takes it.
#[allow(dead_code, reason = "one of the tests that share this file does not need it")]
pub fn with_open_files(limit: &str, command: &Command) -> Command {
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit {limit} && exec \"$@\""), "sh"]);
    limited.arg(command.get_program()).args(command.get_args());
    limited.current_dir(command.get_current_dir().unwrap_or(Path::new("."))).stdin(Stdio::null());
    limited
}

#[allow(dead_code, reason = "one of the tests that share this file does not need it")]
fn read_rows(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().next(), Some(HEADER));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// What a program wrote to standard error.
#[allow(dead_code, reason = "one of the tests that share this file does not need it")]
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
