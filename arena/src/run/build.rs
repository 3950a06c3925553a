//! Runs the commands that build engines, each once.

use std::process::{Command, Stdio};

use crate::config::Config;
use crate::error::Error;

/// Builds all engines that name a `build` command, in the order of the configuration. What the commands print goes to
/// standard error.
///
/// # Errors
/// The first command that cannot be run or fails.
pub fn build(config: &Config) -> Result<(), Error> {
    let mut done: Vec<&[String]> = Vec::new();
    for engine in &config.engines {
        let Some((program, args)) = engine.build.split_first() else { continue };
        if done.contains(&engine.build.as_slice()) {
            continue;
        }
        let failed = |reason: String| Error::Build {
            engine: engine.name.get_ref().clone(),
            command: engine.build.join(" "),
            reason,
        };
        let status = Command::new(program)
            .args(args)
            .stdin(Stdio::null())
            .stdout(std::io::stderr())
            .status()
            .map_err(|error| failed(error.to_string()))?;
        if !status.success() {
            return Err(failed(status.to_string()));
        }
        done.push(&engine.build);
    }
    Ok(())
}
