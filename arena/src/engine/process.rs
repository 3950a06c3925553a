//! An engine's process: started in a group of its own, so that it can be ended with all that it started.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::launch::{self, Confinement};

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
    /// Those of the arena that it is given; `None` for all.
    pub environment_allow: Option<Vec<String>>,
    /// How it is confined.
    pub confinement: Confinement,
    /// The arena's program, which starts engines that are confined or end with the arena; `None` to start it directly.
    pub launcher: Option<PathBuf>,
    /// The file that keeps what it writes to standard error.
    pub log: Option<PathBuf>,
}

impl Spawn {
    /// The folder that the process runs in; `None` for the arena's own.
    pub fn working_directory(&self) -> Option<&Path> {
        let scratch = self.confinement.sandbox.as_ref().map(|sandbox| &sandbox.scratch);
        self.directory.as_ref().or(scratch).map(PathBuf::as_path)
    }
}

/// A running process. Dropped, it is killed with its whole group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Its id, which is its group's too; `None` once it was waited for.
    group: Option<u32>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself or by somebody else's signal, with this status.
    Itself(ExitStatus),
    /// The arena killed it when it had not ended after this time.
    Killed {
        /// The time that it had.
        after: Duration,
    },
    /// The system does not tell.
    Unknown,
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
        let mut command = launch_command(spawn)?;
        set_environment(&mut command, spawn);
        command
            .args(&spawn.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        if let Some(directory) = spawn.working_directory() {
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

    /// Its id; `None` once it was waited for.
    pub const fn id(&self) -> Option<u32> {
        self.group
    }

    /// Whether [`ended`](Self::ended) or [`end`](Self::end) has seen the process's end.
    pub const fn has_ended(&self) -> bool {
        self.group.is_none()
    }

    /// Waits until the process ends by itself, and kills what is left of its group. It may be given up and called again.
    pub async fn ended(&mut self) {
        if self.child.wait().await.is_err() {
            // The end of its pipes has to tell, then.
            std::future::pending::<()>().await;
        }
        self.kill_group();
        self.group = None;
    }

    /// Kills what is left of the group and waits for the process. `grace` is for a process that has closed its output
    /// and is about to end by itself, so that its own exit status is seen.
    pub async fn end(&mut self, grace: Duration) -> End {
        let waited = timeout(grace, self.child.wait()).await;
        // The group's number cannot have been given to others while one of its processes is left; if none is, the
        // chance that it was given away in this moment is nil in practice.
        self.kill_group();
        self.group = None;
        match waited {
            Ok(Ok(status)) => End::Itself(status),
            Ok(Err(_)) => End::Unknown,
            Err(_) => {
                let _ = self.child.wait().await;
                End::Killed { after: grace }
            }
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

/// The program with the launcher in front, if there is one.
fn launch_command(spawn: &Spawn) -> io::Result<Command> {
    if let Some(launcher) = &spawn.launcher {
        let mut command = Command::new(launcher);
        #[cfg(unix)]
        command.arg0("arena");
        command.args(launch::arguments(&spawn.confinement, &spawn.program).map_err(io::Error::other)?);
        return Ok(command);
    }
    if spawn.confinement.is_none() {
        return Ok(Command::new(&spawn.program));
    }
    Err(io::Error::new(io::ErrorKind::Unsupported, "it cannot be confined without a launcher"))
}

fn set_environment(command: &mut Command, spawn: &Spawn) {
    if let Some(allowed) = &spawn.environment_allow {
        command.env_clear();
        command.envs(allowed.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    }
    if let Some(sandbox) = &spawn.confinement.sandbox {
        for name in ["HOME", "TMPDIR"] {
            command.env(name, &sandbox.scratch);
        }
    }
    command.envs(&spawn.environment);
}
