//! Checks before the first match: creates the writable folders of sandboxed engines, and tests whether the system
//! supports all configured limits and sandboxes. A missing feature is an error; nothing is silently skipped.

use std::fs;

use super::PrepareError;
use host::launch::{self, Confinement, Refusal};
use host::machine::runs_as_root;
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
    let cages = contenders.iter().map(|contender| (contender.name(), &contender.spawn.confinement));
    Ok(without_process_limit(cages, launch::limits_processes).into_iter().collect())
}

/// A warning about engines in a sandbox, which somebody else may have written, if nothing limits their processes. Own engines
/// need no such limit, also if their memory is limited.
fn without_process_limit<'a>(
    cages: impl Iterator<Item = (&'a str, &'a Confinement)>,
    is_limited: impl Fn(&Confinement) -> bool,
) -> Option<String> {
    let unlimited = cages.filter(|(_, cage)| cage.sandbox.is_some() && !is_limited(cage));
    let names: Vec<String> = unlimited.map(|(name, _)| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| {
        format!(
            "nothing limits the number of processes of {}, because this system is older than Linux {}; run the arena {}in a control group (`docs/sandbox.md`)",
            names.join(", "),
            if runs_as_root() { "6.14 and root runs the arena" } else { "5.14" },
            if runs_as_root() { "as another user, or " } else { "" },
        )
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use host::launch::Sandbox;

    #[test]
    fn only_sandboxed_engines_without_any_process_limit_are_warned_about() {
        let plain = Confinement::default();
        let in_memory = Confinement { memory: Some(1 << 30), ..Confinement::default() };
        let sandboxed = Confinement { sandbox: Some(Sandbox::default()), ..Confinement::default() };
        let limited = Confinement { processes: Some(9), ..sandboxed.clone() };
        let cages =
            [("plain", &plain), ("small", &in_memory), ("foreign", &sandboxed), ("limited", &limited)];
        let warning = without_process_limit(cages.into_iter(), |cage| cage.processes.is_some());
        let warning = warning.expect("one is not limited");
        assert!(
            warning.starts_with("nothing limits the number of processes of `foreign`, because "),
            "{warning}"
        );
        assert_eq!(without_process_limit(cages.into_iter(), |_| true), None);
    }
}
