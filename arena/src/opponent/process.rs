//! An engine's process: started so that it can be ended with all that it started, by a supervisor where the system has
//! the means, by its process group elsewhere.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::launch::{self, Confinement};

/// A supervisor has so long to end what it watches over.
const PATIENCE: Duration = Duration::from_secs(2);

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
    /// The arena's program, which confines engines and ends what they leave behind; `None` to start it directly.
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

/// A running process. Dropped, it is ended with all that it started.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Its number; `None` once it was waited for.
    id: Option<u32>,
    /// Whether it is a supervisor, which ends all that the engine has started, or the engine itself.
    is_supervisor: bool,
    /// Whether the system gave it no process for the engine.
    lacked_means: bool,
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
            .kill_on_drop(spawn.launcher.is_none());
        if let Some(directory) = spawn.working_directory() {
            command.current_dir(directory);
        }
        #[cfg(unix)]
        command.process_group(0);
        let mut child = launch::supervisors::start(spawn.launcher.is_some(), || {
            let child = command.spawn()?;
            let id = child.id();
            Ok((child, id))
        })?;
        let piped = "the pipe was asked for";
        let pipes = Pipes {
            stdin: child.stdin.take().expect(piped),
            stdout: child.stdout.take().expect(piped),
            stderr: child.stderr.take().expect(piped),
        };
        Ok((
            Self { id: child.id(), child, is_supervisor: spawn.launcher.is_some(), lacked_means: false },
            pipes,
        ))
    }

    /// Its id; `None` once it was waited for.
    pub const fn id(&self) -> Option<u32> {
        self.id
    }

    /// Whether [`ended`](Self::ended) or [`end`](Self::end) has seen the process's end.
    pub const fn has_ended(&self) -> bool {
        self.id.is_none()
    }

    /// Whether it has ended because the system gave it no process for the engine, which is not at fault.
    pub const fn lacked_means(&self) -> bool {
        self.lacked_means
    }

    /// Waits until the process ends by itself, and all that it started is ended. It may be given up and called again.
    pub async fn ended(&mut self) {
        let Ok(status) = self.child.wait().await else {
            // The end of its pipes has to tell, then.
            return std::future::pending().await;
        };
        self.clear_up(status);
    }

    /// Ends all that the process started and waits for it. `grace` is for a process that has closed its output and is
    /// about to end by itself, so that its own exit status is seen.
    pub async fn end(&mut self, grace: Duration) -> End {
        match timeout(grace, self.child.wait()).await {
            Ok(Ok(status)) => {
                self.clear_up(status);
                End::Itself(status)
            }
            Ok(Err(_)) => {
                self.kill();
                self.id = None;
                End::Unknown
            }
            Err(_) => {
                self.kill();
                if timeout(PATIENCE, self.child.wait()).await.is_err() {
                    // A supervisor that was stopped; what it has left is the arena's.
                    let _ = self.child.start_kill();
                }
                if let Ok(status) = self.child.wait().await {
                    self.clear_up(status);
                }
                End::Killed { after: grace }
            }
        }
    }

    /// Ends what a process has left that was waited for just now.
    fn clear_up(&mut self, status: ExitStatus) {
        self.lacked_means = self.is_supervisor && launch::supervisors::is_short(status);
        if !self.is_supervisor {
            // The group's number cannot have been given to others while one of its processes is left; if none is, the
            // chance that it was given away in this moment is nil in practice.
            self.kill();
        }
        if let Some(id) = self.id.take() {
            launch::supervisors::forget(id, status);
        }
    }

    /// Has the supervisor end all, or kills the group where there is none.
    #[cfg(unix)]
    fn kill(&self) {
        use rustix::process::{Pid, Signal, kill_process, kill_process_group};
        let Some(id) = self.id.and_then(|id| Pid::from_raw(id.cast_signed())) else { return };
        // It fails if nobody is left, which is as well.
        let _ = if self.is_supervisor {
            kill_process(id, Signal::TERM)
        } else {
            kill_process_group(id, Signal::KILL)
        };
    }

    #[cfg(not(unix))]
    fn kill(&mut self) {
        let _ = self.child.start_kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
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
    Err(io::Error::new(io::ErrorKind::Unsupported, "cannot confine it without a launcher"))
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
