//! Checks before the first match: creates the writable folders of sandboxed engines, and tests whether the system
//! supports all configured limits and sandboxes. A missing feature is an error; nothing is silently skipped.

use std::fs;

use super::PrepareError;
use host::launch::{self, Refusal};
use host::output::CannotWrite;
use opponent::{Contender, Shortage};

/// Creates the folders and tests each different cage once. Returns warnings.
///
/// # Errors
/// All cages that the system does not support, with reasons.
pub fn prepare(contenders: &[Contender]) -> Result<Vec<String>, PrepareError> {
    let mut problems = Vec::new();
    for contender in contenders {
        if let Err(what) = prepare_one(contender)? {
            problems.push(format!("cannot confine engine `{}`: {what}", contender.name()));
        }
    }
    if !problems.is_empty() {
        return Err(PrepareError::Engines { problems });
    }
    let spawns = contenders.iter().map(|contender| (contender.name(), &contender.spawn.confinement));
    let unlimited: Vec<String> = spawns
        .filter(|(_, confinement)| confinement.guards() && !launch::limits_processes(confinement))
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    let warning = format!(
        "nothing limits the number of processes of {}; set `processes` in `[cage]`, or run the arena as a user who is not root",
        unlimited.join(", ")
    );
    Ok(if unlimited.is_empty() { Vec::new() } else { vec![warning] })
}

fn prepare_one(contender: &Contender) -> Result<Result<(), String>, PrepareError> {
    let confinement = &contender.spawn.confinement;
    if confinement.is_none() {
        return Ok(Ok(()));
    }
    if let Some(sandbox) = &confinement.sandbox {
        let scratch = &sandbox.scratch;
        fs::create_dir_all(scratch).map_err(CannotWrite::at(scratch))?;
        // A link that an engine has put in its place would let another one write elsewhere.
        if fs::symlink_metadata(scratch).map_err(CannotWrite::at(scratch))?.is_symlink() {
            return Ok(Err(format!("`{}` is a symbolic link; remove it", scratch.display())));
        }
    }
    let Some(launcher) = &contender.spawn.launcher else {
        return Ok(Err("this system does not support it".to_owned()));
    };
    match launch::rehearse(confinement, launcher) {
        Ok(()) => Ok(Ok(())),
        Err(Refusal { reason, is_shortage: false }) => Ok(Err(reason)),
        Err(Refusal { reason, is_shortage: true }) => {
            Err(Shortage::Means { engine: contender.name().to_owned(), reason }.into())
        }
    }
}
