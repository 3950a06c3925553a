//! Before the first match: the folders that engines in a sandbox write to, and whether the system can confine engines as
//! the configuration asks. What it cannot is an error; nothing is left out in silence.

use super::PrepareError;
use crate::opponent::{Contender, launch};

/// Makes the folders and tries every cage once.
///
/// # Errors
/// With all cages that cannot be made, and why.
pub fn prepare(contenders: &[Contender]) -> Result<(), PrepareError> {
    let mut problems = Vec::new();
    for contender in contenders {
        if let Err(what) = prepare_one(contender)? {
            problems.push(format!("cannot confine engine `{}`: {what}", contender.name()));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(PrepareError::Engines { problems }) }
}

fn prepare_one(contender: &Contender) -> Result<Result<(), String>, PrepareError> {
    let confinement = &contender.spawn.confinement;
    if confinement.is_none() {
        return Ok(Ok(()));
    }
    if let Some(sandbox) = &confinement.sandbox {
        std::fs::create_dir_all(&sandbox.scratch)
            .map_err(|error| PrepareError::Output { path: sandbox.scratch.clone(), error })?;
    }
    Ok(match &contender.spawn.launcher {
        Some(launcher) => launch::rehearse(confinement, launcher),
        None => Err("this system does not support it".to_owned()),
    })
}
