//! Runs the build commands of engines, each once.

use std::path::Path;
use std::process::{Command, Stdio};

use host::executable::{self, ProgramError};
use host::launch;
use model::Tournament;

/// An engine's build command failed.
#[derive(Debug, thiserror::Error)]
#[error("cannot build engine `{engine}`: `{command}`: {reason}")]
pub struct BuildError {
    /// The engine's name.
    engine: String,
    /// The command.
    command: String,
    /// What happened.
    reason: String,
}

/// Runs the `build` command of every engine that has one, in the order of the configuration. The output of the
/// commands goes to standard error.
///
/// # Errors
/// The first command that cannot be started or fails.
pub fn build(tournament: &Tournament) -> Result<(), BuildError> {
    let mut done: Vec<&[String]> = Vec::new();
    for engine in &tournament.engines {
        let Some((program, args)) = engine.build.split_first() else { continue };
        if done.contains(&engine.build.as_slice()) {
            continue;
        }
        let failed = |reason: String| BuildError {
            engine: engine.name.clone(),
            command: engine.build.join(" "),
            reason,
        };
        executable::find(Path::new(program)).map_err(|error| failed(reason(&error)))?;
        let status = command(program)
            .args(args)
            .stdin(Stdio::null())
            .stdout(std::io::stderr())
            .status()
            .map_err(|error| failed(error.to_string()))?;
        if !status.success() {
            let folder = std::env::current_dir().unwrap_or_default();
            let folder = folder.display();
            return Err(failed(format!(
                "{status}; it ran in `{folder}`: is this the folder of its source code?"
            )));
        }
        done.push(&engine.build);
    }
    Ok(())
}

/// Processes that the command leaves running, such as a compiler server, would take time and memory from the matches.
/// A supervisor ends them, if the system supports it.
fn command(program: &str) -> Command {
    let Some(launcher) = launch::launcher() else { return Command::new(program) };
    let mut command = launch::command(&launcher);
    command.args(launch::build_arguments()).arg(program);
    command
}

fn reason(error: &ProgramError) -> String {
    match error {
        ProgramError::NotFound { .. } => "there is no such program".to_owned(),
        ProgramError::NotOnPath { .. } => "there is no such program on `PATH`".to_owned(),
        ProgramError::NoInterpreter { interpreter } => {
            format!("its interpreter `{interpreter}` does not exist")
        }
        ProgramError::NotRunnable { what } => format!("it {what}"),
    }
}
