//! An engine's process. It is started so that it can be ended together with all processes that it started: by a
//! supervisor if the system supports it, otherwise by its process group.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use host::launch::{self, Confinement};

/// The time that a supervisor has to end its processes.
const PATIENCE: Duration = Duration::from_secs(2);

/// How to start a process.
#[derive(Clone, Debug)]
pub struct Spawn {
    /// The program's absolute path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The working folder; `None` for the arena's.
    pub directory: Option<PathBuf>,
    /// Environment variables to set in addition to the inherited ones.
    pub environment: BTreeMap<String, String>,
    /// The inherited environment variables; `None` for all.
    pub environment_allow: Option<Vec<String>>,
    /// Its limits and sandbox.
    pub confinement: Confinement,
    /// The arena's program, which acts as launcher and supervisor; `None` to start the engine directly.
    pub launcher: Option<PathBuf>,
    /// The file for its standard error.
    pub log: Option<PathBuf>,
}

impl Spawn {
    /// The working folder; `None` for the arena's.
    pub fn working_directory(&self) -> Option<&Path> {
        let scratch = self.confinement.sandbox.as_ref().map(|sandbox| &sandbox.scratch);
        self.directory.as_ref().or(scratch).map(PathBuf::as_path)
    }
}

/// A running process. Dropping it ends the process and all processes that it started.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// The process id; `None` after the process was waited for.
    id: Option<u32>,
    /// Whether the process is a supervisor or the engine itself.
    is_supervisor: bool,
    /// Whether the system refused to start the engine's process.
    lacked_means: bool,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It exited, or another program killed it, with this status.
    Itself(ExitStatus),
    /// The arena killed it because it did not exit in time.
    Killed {
        /// The time limit.
        after: Duration,
    },
    /// The system does not report it.
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
        command
            .env_clear()
            .envs(environment(spawn))
            .args(&spawn.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(spawn.launcher.is_none());
        if let Some(directory) = spawn.working_directory() {
            command.current_dir(directory);
        }
        launch::in_own_group(command.as_std_mut());
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

    /// The process id; `None` after the process was waited for.
    pub const fn id(&self) -> Option<u32> {
        self.id
    }

    /// Whether its first process is a supervisor.
    pub const fn is_supervised(&self) -> bool {
        self.is_supervisor
    }

    /// Whether [`ended`](Self::ended) or [`end`](Self::end) has seen the end of the process.
    pub const fn has_ended(&self) -> bool {
        self.id.is_none()
    }

    /// Whether it ended because the system refused to start the engine's process, which is not the engine's fault.
    pub const fn lacked_means(&self) -> bool {
        self.lacked_means
    }

    /// Waits until the process has exited and all processes that it started are ended. Cancel-safe.
    pub async fn ended(&mut self) {
        let Ok(status) = self.child.wait().await else {
            // The end of its pipes has to tell, then.
            return std::future::pending().await;
        };
        self.clear_up(status);
    }

    /// Ends all processes that the process started, and waits for it. `grace` is for a process that has closed its
    /// output and is about to exit, so that its own exit status is seen.
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
                let mut ended = timeout(PATIENCE, self.child.wait()).await;
                if ended.is_err() {
                    // A supervisor that was stopped: its processes become children of the arena. Without a supervisor,
                    // a process that has left its group.
                    let _ = self.child.start_kill();
                    ended = timeout(PATIENCE, self.child.wait()).await;
                }
                match ended {
                    Ok(Ok(status)) => self.clear_up(status),
                    // The process does not end, or the system does not report it: the arena goes on without it.
                    Ok(Err(_)) | Err(_) => self.id = None,
                }
                End::Killed { after: grace }
            }
        }
    }

    /// Ends what is left of a process that was just waited for.
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

    /// Lets the supervisor end all processes, or kills the group if there is none, or the process if there are no groups.
    fn kill(&mut self) {
        let Some(id) = self.id else { return };
        if !launch::kill(id, self.is_supervisor) {
            let _ = self.child.start_kill();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The program, with the launcher in front if there is one.
fn launch_command(spawn: &Spawn) -> io::Result<Command> {
    if let Some(launcher) = &spawn.launcher {
        let mut command = Command::from(launch::command(launcher));
        command.args(launch::arguments(&spawn.confinement, &spawn.program).map_err(io::Error::other)?);
        return Ok(command);
    }
    if spawn.confinement.is_none() {
        return Ok(Command::new(&spawn.program));
    }
    Err(io::Error::new(io::ErrorKind::Unsupported, "cannot confine it without a launcher"))
}

/// The engine's environment, as its first process gets it.
fn environment(spawn: &Spawn) -> impl Iterator<Item = (OsString, OsString)> {
    let allowed = spawn.environment_allow.as_ref();
    let inherited = std::env::vars_os().filter(move |(name, _)| {
        allowed.is_none_or(|allowed| allowed.iter().any(|one| name == one.as_str()))
    });
    let scratch = spawn.confinement.sandbox.as_ref().map(|sandbox| &sandbox.scratch);
    let places = scratch
        .into_iter()
        .flat_map(|scratch| ["HOME", "TMPDIR"].map(|name| (name.into(), scratch.clone().into_os_string())));
    let own = spawn.environment.iter().map(|(name, value)| (name.into(), value.into()));
    let is_launched = spawn.launcher.is_some();
    inherited.chain(places).chain(own).map(move |(name, value): (OsString, OsString)| {
        (if is_launched { launch::carried(&name) } else { name }, value)
    })
}
