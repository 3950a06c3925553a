//! `arena sandbox`: what a sandbox prevents on this system, by trying it.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};

use clap::Args;

use crate::exit::CommandError;
use host::launch::{self, Attempt, Confinement};
use host::output::{self, CannotWrite};
use model::escape::escaped;
use model::{Cage, Tier};
use report::tables::text::message;

const EXAMPLES: &str = "\
Examples:
  arena sandbox                  Show what each sandbox prevents on this system
  arena sandbox > sandbox.txt    Write the table to a file";

/// Show what a sandbox prevents on this system
///
/// Starts a process without a sandbox and one in each kind of sandbox (`sandbox` in `[cage]`). Each process tries what an engine
/// must not do. The table shows what the system allowed.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct SandboxArgs {}

/// The columns, each with its sandbox.
const COLUMNS: [(&str, Option<Tier>); 3] =
    [("none", None), ("basic", Some(Tier::Basic)), ("strict", Some(Tier::Strict))];

/// Prints a table of attempts, and why a sandbox is not available.
///
/// # Errors
/// If neither sandbox is available, and those of `out`.
pub fn run(_args: &SandboxArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let folder = tempfile::tempdir().map_err(CannotWrite::at(&std::env::temp_dir()))?;
    let [outside, scratch] = ["outside", "scratch"].map(|name| folder.path().join(name));
    for path in [&outside, &scratch] {
        fs::create_dir(path).map_err(CannotWrite::at(path))?;
    }
    let secret = outside.join(launch::SECRET);
    fs::write(&secret, "secret").map_err(CannotWrite::at(&secret))?;
    let program = std::env::current_exe()?;
    let other = Other::start();

    let mut found = Vec::new();
    for (name, tier) in COLUMNS {
        let cage = Cage { sandbox: tier, ..Cage::default() };
        let confinement = Confinement::new(&cage, &scratch, None);
        found.push((name, launch::attempts(&confinement, &program, &scratch, &outside, other.id())));
    }
    let columns: Vec<_> =
        found.iter().filter_map(|(name, result)| Some((*name, result.as_ref().ok()?))).collect();
    let row = |what: &str, cells: Vec<&str>| {
        let cells: String = cells.into_iter().map(|cell| format!("{cell:<9}")).collect::<Vec<_>>().concat();
        format!("{what:<42}{cells}").trim_end().to_owned()
    };
    writeln!(out, "{}", row("attempt", columns.iter().map(|(name, _)| *name).collect()))?;
    for (idx, attempt) in columns.first().into_iter().flat_map(|(_, column)| column.iter().enumerate()) {
        let cell = |column: &[Attempt]| match column.get(idx) {
            Some(attempt) if attempt.is_allowed => "allowed",
            Some(_) => "denied",
            None => "unknown",
        };
        let cells = columns.iter().map(|(_, column)| cell(column)).collect();
        writeln!(out, "{}", row(&attempt.what, cells))?;
    }
    let in_lines = |text: &str| message(&escaped(text), output::stdout_columns());
    writeln!(out, "{}", in_lines(&format!("`memory` limits {}", launch::memory_in_words())))?;
    for (name, result) in &found {
        if let Err(why) = result {
            writeln!(out, "{}", in_lines(&format!("`{name}` is not available: {why}")))?;
        }
    }
    if found.iter().skip(1).all(|(_, result)| result.is_err()) {
        return Err(CommandError::engines("no sandbox is available on this system"));
    }
    Ok(())
}

/// A process that no engine may touch. Its number is higher than those in a sandbox, which has its own numbers from 1 on:
/// the arena of a container may be 1 itself.
struct Other(Vec<Child>);

impl Other {
    fn start() -> Self {
        const HIGHER: u32 = 16;
        let mut started = Vec::new();
        while started.last().is_none_or(|child: &Child| child.id() < HIGHER)
            && started.len() < HIGHER as usize
        {
            let mut sleep = Command::new("sleep");
            let Ok(child) = sleep.arg("600").stdin(Stdio::null()).stdout(Stdio::null()).spawn() else {
                break;
            };
            started.push(child);
        }
        Self(started)
    }

    fn id(&self) -> u32 {
        self.0.last().map_or_else(std::process::id, Child::id)
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // It cannot have ended in between.
            let _ = child.kill().and_then(|()| child.wait());
        }
    }
}
