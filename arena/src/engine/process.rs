//! An engine's process: started in a group of its own, so that it can be ended with all that it started.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

/// How to start a process.
#[derive(Clone, Debug)]
pub struct Spawn {
    /// The program's absolute path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder that it runs in; `None` for the arena's own.
    pub directory: Option<PathBuf>,
    /// Environment variables to set beside those of the arena.
    pub environment: BTreeMap<String, String>,
    /// The file that keeps what it writes to standard error.
    pub log: Option<PathBuf>,
}

/// A running process. Dropped, it is killed with its whole group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Its id, which is its group's too; `None` once it was waited for.
    group: Option<u32>,
}

/// The ends of a process's pipes.
#[derive(Debug)]
pub struct Pipes {
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub stderr: ChildStderr,
}

impl Process {
    /// Starts a process.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn start(spawn: &Spawn) -> io::Result<(Self, Pipes)> {
        let mut command = Command::new(&spawn.program);
        command
            .args(&spawn.args)
            .envs(&spawn.environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        if let Some(directory) = &spawn.directory {
            command.current_dir(directory);
        }
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn()?;
        let piped = "the pipe was asked for";
        let pipes = Pipes {
            stdin: child.stdin.take().expect(piped),
            stdout: child.stdout.take().expect(piped),
            stderr: child.stderr.take().expect(piped),
        };
        let group = child.id();
        Ok((Self { child, group }, pipes))
    }

    /// Kills what is left of the group and waits for the process. `grace` is for a process that has closed its output
    /// and is about to end by itself, so that its own exit status is seen.
    pub async fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        let waited = timeout(grace, self.child.wait()).await;
        // The group's number cannot have been given to others while one of its processes is left; if none is, the
        // chance that it was given away in this moment is nil in practice.
        self.kill_group();
        self.group = None;
        match waited {
            Ok(status) => status.ok(),
            Err(_) => self.child.wait().await.ok(),
        }
    }

    #[cfg(unix)]
    fn kill_group(&self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(group) = self.group.and_then(|id| Pid::from_raw(id.cast_signed())) {
            // It fails if nobody is left, which is as well.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    #[cfg(not(unix))]
    fn kill_group(&mut self) {
        let _ = self.child.start_kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
    }
}

/// An exit status in words.
pub fn in_words(status: Option<ExitStatus>) -> String {
    #[cfg(unix)]
    if let Some(signal) = status.and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status)) {
        let name = rustix::process::Signal::from_named_raw(signal)
            .map_or_else(|| signal.to_string(), |signal| format!("{signal:?}"));
        return format!("ended by signal {name}");
    }
    match status.and_then(|status| status.code()) {
        Some(code) => format!("exited with status {code}"),
        None => "ended for an unknown reason".to_owned(),
    }
}
