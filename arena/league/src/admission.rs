//! What an engine must pass before it plays: its program is started, its build is found, and a new build is checked. Nothing
//! that goes wrong here stops the league.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use crate::roster::build_name;
use config::EngineFile;
use host::launch::{self, Confinement};
use model::{Cage, Engine, Protocol, Tier, Tournament};
use opponent::Folders;
use runner::pool::{Prepared, prepare};

/// The checks of `arena check` that a new build must pass.
const CHECKS: [&str; 4] = ["isready", "first-move", "stop", "quit"];
/// How long they may take.
const CHECK_LIMIT: Duration = Duration::from_secs(180);

/// How engines are admitted to a league.
#[derive(Clone, Debug)]
pub struct Admission {
    /// The league without engines.
    pub tournament: Tournament,
    /// Where engines write.
    pub folders: Folders,
}

/// An engine that may play.
#[derive(Debug)]
pub struct Admitted {
    /// Its build's name.
    pub build: String,
    /// The engine, with this name.
    pub engine: Arc<Engine>,
    /// How it is started, and its program.
    pub prepared: Prepared,
}

impl Admission {
    /// Starts an engine once and finds its build.
    ///
    /// # Errors
    /// Why it cannot play, in words for its owner.
    pub async fn start(&self, file: &EngineFile) -> Result<Admitted, String> {
        if file.is_foreign {
            strict_sandbox(&self.folders.scratch)?;
        }
        let mut tournament =
            Tournament { engines: vec![Arc::new(file.engine.clone())], ..self.tournament.clone() };
        let prepared =
            prepare(&mut tournament, &self.folders, None).await.map_err(|error| error.to_string())?;
        let Some(build) = prepared.builds.all().first().cloned() else {
            return Err(prepared.warnings.join("\n"));
        };
        let engine = &tournament.engines[0];
        if engine.games.as_ref().is_some_and(Vec::is_empty) {
            return Err(format!("engine `{}` plays none of the games of the league", engine.name));
        }
        if prepared.n_places(&self.tournament.resources) == 0 {
            return Err(format!(
                "two engines like `{}` need more than the `cores` or the `memory` of the league's `[tournament]`, so that \
                 their match would never begin",
                engine.name
            ));
        }
        let name = build_name(&file.engine, &build);
        let engine = Arc::new(Engine { name: name.clone(), ..Engine::clone(engine) });
        Ok(Admitted { engine, prepared: prepared.named(&name), build: name })
    }

    /// Checks a new build with `arena check`, in the sandbox if it is foreign. Returns the report.
    ///
    /// # Errors
    /// The report, if a check fails.
    pub async fn check(&self, file: &EngineFile, admitted: &Admitted) -> Result<String, String> {
        let engine = &file.engine;
        let program = launch::launcher().or_else(|| std::env::current_exe().ok());
        let Some(program) = program else {
            return Ok("not checked: this program is not the arena\n".to_owned());
        };
        let mut command = Command::new(program);
        command
            .arg("check")
            .kill_on_drop(true)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if file.is_foreign {
            command.arg("--sandbox");
        }
        if engine.protocol != Protocol::Ugi {
            command.args(["--protocol", "uci"]);
        }
        for game in admitted.engine.games.iter().flatten() {
            command.args(["--game", game.id()]);
        }
        for check in CHECKS {
            command.args(["--only", check]);
        }
        command.arg("--").arg(absolute(&engine.command)).args(&engine.args).envs(&engine.environment);
        if let Some(directory) = &engine.directory {
            command.current_dir(directory);
        }
        let failed = |error: &dyn std::fmt::Display| format!("cannot run `arena check`: {error}");
        let output = timeout(CHECK_LIMIT, command.output()).await;
        let output = output
            .map_err(|_| failed(&format_args!("it had not ended after {CHECK_LIMIT:?}")))?
            .map_err(|error| failed(&error))?;
        let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        if output.status.success() { Ok(out.into_owned()) } else { Err(format!("{out}{err}")) }
    }
}

/// A path in the current folder; a name to look up on `PATH` stays.
fn absolute(command: &Path) -> PathBuf {
    if command.components().count() < 2 {
        return command.to_owned();
    }
    std::path::absolute(command).unwrap_or_else(|_| command.to_owned())
}

/// Whether engines of other owners can play here.
///
/// # Errors
/// Why not, and what to do.
pub fn strict_sandbox(scratch: &Path) -> Result<(), String> {
    let refused = |reason: &dyn std::fmt::Display| {
        format!(
            "engines of other owners play only in the strict sandbox, which does not work here: {reason}; `arena sandbox` \
             shows what is missing"
        )
    };
    let launcher = launch::launcher().ok_or_else(|| refused(&"it needs Linux"))?;
    std::fs::create_dir_all(scratch).map_err(|error| refused(&error))?;
    let cage = Cage { sandbox: Some(Tier::Strict), ..Cage::default() };
    launch::rehearse(&Confinement::new(&cage, scratch, None), &launcher)
        .map_err(|refusal| refused(&refusal.reason))
}
