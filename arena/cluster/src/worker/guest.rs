//! Prepares this machine for the tournament of a coordinator: the engines must exist here, start, and be the same builds.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use async_nats::Client;
use engine_proto::Games;
use engine_proto::fen::shown;
use tempfile::TempDir;

use super::bench::Bench;
use super::limits::secret_below;
use super::{Settings, bounds, cache};
use crate::message::{Invitation, Order, decode};
use crate::parcels::{self, Parcel};
use crate::referees::{Files, difference, referee_files};
use crate::scale::Scale;
use host::launch::steers_loader;
use host::machine::{OwnTimes, speed};
use model::{Build, Cage, Engine, GameSetup, Job, RefereeProgram, Tier, Tournament, Tune};
use opponent::own_game::{self, NamedBy};
use runner::pool::{LocalPool, LocalSettings, Pool, Prepared, prepare};

/// What helps if an engine does not start here.
const NOT_HERE: &str = "help: install the engine at the same path on the worker, or use `distribute = true`; then start the worker again";
/// The same for engines that were sent.
const NOT_SENT: &str = "help: `distribute` sends the program, and the files that arguments, options and `readable` name; install all else on the worker, such as interpreters and libraries, and start it again";

/// A tournament that can be played here.
#[derive(Debug)]
pub struct Guest {
    /// Plays the matches.
    pub pool: LocalPool,
    /// The number of pairs at the same time.
    pub n_places: u16,
    /// The time after which the coordinator gives up a silent worker, in milliseconds.
    pub lease_ms: u64,
    /// The engines as the coordinator has them, by name.
    engines: BTreeMap<String, Arc<Engine>>,
    /// What is tuned, if the tournament is a tuning.
    tune: Option<Tune>,
    /// The games, with their rules.
    games: Games,
    /// The speed of a machine whose clocks are not changed, if clocks are scaled.
    reference_speed: Option<u64>,
    /// The clocks of this machine, if they are scaled.
    pub scale: Option<Scale>,
    /// The engines that come with orders, if the tournament is open.
    pub bench: Option<Bench>,
    /// The files that were unpacked.
    _unpacked: Option<TempDir>,
}

/// Why the worker cannot take part, for the user of the coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// It may take part later.
    Now(String),
    /// It cannot take part.
    Always(String),
}

impl From<String> for Unfit {
    fn from(why: String) -> Self {
        Self::Always(why)
    }
}

impl Guest {
    /// Prepares this machine.
    ///
    /// # Errors
    /// Why the worker cannot take part.
    pub async fn new(client: &Client, invitation: &[u8], settings: &Settings) -> Result<Self, Unfit> {
        let invitation: Invitation = decode(invitation)?;
        let Invitation { mut tournament, builds, lease_ms, parcels, referees, is_open } = invitation;
        let reference_speed =
            tournament.machines.reference_speed.filter(|_| tournament.machines.scale_clocks);
        // Before any engine is started.
        let scale = match reference_speed {
            Some(reference) => Some(measure(reference, settings).await?),
            None => None,
        };
        let by_name = |engine: &Arc<Engine>| (engine.name.clone(), Arc::clone(engine));
        let engines = tournament.engines.iter().map(by_name).collect();
        let tune = tournament.tune.clone();
        tournament.resources.concurrency = settings.cores;
        tournament.resources.cores = u32::from(settings.cores);
        tournament.resources.memory = settings.memory;
        let (prepared, unpacked) =
            make_ready(client, &mut tournament, &builds, &parcels, Some(&referees), settings).await?;
        let bench = is_open.then(|| {
            // The programs with the rules run already.
            let mut tournament = tournament.clone();
            tournament.games.iter_mut().for_each(|game| game.referee = None);
            Bench::new(client.clone(), tournament, settings.clone())
        });
        let n_places = prepared.n_places(&tournament.resources);
        if n_places == 0 {
            return Err("its memory or its processors do not suffice for a match".to_owned().into());
        }
        let settings = LocalSettings {
            n_matches: usize::from(n_places),
            logs: None,
            tells_moves: true,
            thoughts: None,
            own_times: OwnTimes::default(),
        };
        let pool = LocalPool::new(&tournament, prepared, settings).map_err(|error| error.to_string())?;
        let games = tournament.known_games;
        Ok(Self {
            pool,
            n_places,
            lease_ms,
            engines,
            tune,
            games,
            reference_speed,
            scale,
            bench,
            _unpacked: unpacked,
        })
    }

    /// Why the rules of a game can no longer be asked; `None` if they can.
    pub fn failure(&self) -> Option<String> {
        self.games.failure()
    }

    /// Measures the speed of this machine again. No match may be played meanwhile.
    ///
    /// # Errors
    /// If the machine is busy, or too different; the clocks stay as they are.
    pub async fn measure_again(&mut self, settings: &Settings) -> Result<(), Unfit> {
        if let Some(reference) = self.reference_speed {
            self.scale = Some(measure(reference, settings).await?);
        }
        Ok(())
    }

    /// The job as it is played here.
    pub fn submit(&mut self, job: Job) {
        self.pool.submit(match self.scale {
            Some(scale) => scale.job(job),
            None => job,
        });
    }

    /// What is wrong with an order; `None` if it can be played.
    pub fn wrong(&self, order: &Order) -> Option<String> {
        if !(1..=2).contains(&order.jobs.len()) {
            return Some(format!("{} matches are no pair", order.jobs.len()));
        }
        order
            .jobs
            .iter()
            .find_map(|job| {
                let number = job.number;
                if job.pair != order.pair {
                    return Some(format!("match {number} is of another pair"));
                }
                if self.games.play(job.game, &job.opening).is_err() {
                    return Some(format!("match {number} has no valid opening"));
                }
                // Those of an open tournament come with the order.
                let is_open = self.bench.is_some();
                let other = job.players.iter().find(|player| !is_open && !self.knows(&player.engine))?;
                Some(format!("engine `{}` is not part of the tournament", shown(&other.engine.name)))
            })
            .or_else(|| self.bench.as_ref()?.wrong(order))
    }

    fn knows(&self, engine: &Arc<Engine>) -> bool {
        let is_it = |known: &Engine| {
            let tune = self.tune.as_ref();
            *known == **engine || tune.is_some_and(|tune| differs_in_tuned_values(known, engine, tune))
        };
        self.engines.get(&engine.name).is_some_and(|known| {
            is_it(known) || known.limits.keys().any(|limits| is_it(&known.under(limits)))
        })
    }
}

/// Whether an engine differs from `known` only in values that a tuning may try.
fn differs_in_tuned_values(known: &Engine, engine: &Engine, tune: &Tune) -> bool {
    /// Fractions are sent with six digits.
    const ROUNDING: f64 = 1e-6;
    let mut engine = engine.clone();
    for option in &tune.options {
        let range = option.range().start() - ROUNDING..=option.range().end() + ROUNDING;
        if let Some((value, start)) =
            engine.options.get_mut(&option.name).zip(known.options.get(&option.name))
            && value.parse().is_ok_and(|number: f64| range.contains(&number))
        {
            value.clone_from(start);
        }
    }
    engine == *known
}

/// Makes the engines of `tournament` ready to play here: gets their files, confines and starts them, and compares them with
/// the `builds` of the coordinator. `referees` are the files of the programs with the rules, which are started, too, if they are
/// given.
///
/// # Errors
/// Why they cannot play here.
pub async fn make_ready(
    client: &Client,
    tournament: &mut Tournament,
    builds: &[Build],
    parcels: &[Parcel],
    referees: Option<&Files>,
    settings: &Settings,
) -> Result<(Prepared, Option<TempDir>), Unfit> {
    if let Some(why) = bounds::wrong(tournament).or_else(|| parcels::wrong(parcels)) {
        return Err(Unfit::Always(why));
    }
    let unpacked = if parcels.is_empty() {
        None
    } else {
        let unpacked = cache::unpack(client, parcels, tournament, settings).await;
        Some(unpacked.map_err(Unfit::Now)?)
    };
    if !settings.trusts {
        let host = Host { unpacked: unpacked.as_ref().map(TempDir::path), settings };
        for engine in &mut tournament.engines {
            host.confine_engine(Arc::make_mut(engine))?;
        }
        for GameSetup { id, referee, .. } in &mut tournament.games {
            referee.as_mut().map_or(Ok(()), |program| host.confine_program(id.id(), program))?;
        }
    }
    if let Some(referees) = referees {
        tournament.known_games = start_referees(settings.games.clone(), tournament, referees).await?;
    }
    let help = if parcels.is_empty() { NOT_HERE } else { NOT_SENT };
    let prepared = prepare(tournament, &settings.folders, None).await;
    let prepared = prepared.map_err(|error| format!("{error}\n{help}"))?;
    check_builds(builds, &prepared, help)?;
    Ok((prepared, unpacked))
}

/// Starts the programs that have the rules, which are the same as at the coordinator, and asks each for a position. Returns the
/// games of this machine with those of the tournament.
async fn start_referees(mut games: Games, tournament: &Tournament, theirs: &Files) -> Result<Games, String> {
    if let Some(why) = difference(theirs, &referee_files(tournament)?) {
        return Err(why);
    }
    for GameSetup { id, referee, .. } in tournament.games.iter().cloned() {
        let Some(program) = referee else {
            games.get(id).map_err(|error| error.to_string())?;
            continue;
        };
        // Each tournament has its own program, confined as this worker confines it.
        games = own_game::with(&games.without(id), id.id(), program, NamedBy::User)
            .map_err(|error| error.to_string())?;
        let asked = games.clone();
        let asking = tokio::task::spawn_blocking(move || asked.startpos(id).map(drop));
        if let Err(error) = asking.await.expect("asking does not panic") {
            return Err(games.failure_of(id).unwrap_or_else(|| error.to_string()));
        }
    }
    Ok(games)
}

/// A worker that does not trust the programs of another machine.
struct Host<'a> {
    /// The folder with the programs that were sent.
    unpacked: Option<&'a Path>,
    settings: &'a Settings,
}

/// The supervisor and the launcher do not get these words, but the engine's own libraries are its files alone.
fn refuse_steered_loader(who: &str, engine: &Engine) -> Result<(), String> {
    engine.environment.keys().find(|name| steers_loader(name)).map_or(Ok(()), |name| {
        Err(format!(
            "{who} sets `{}` in its `environment`, which steers the loader of programs; remove it, or start the worker with `--trust`",
            shown(name)
        ))
    })
}

impl Host<'_> {
    fn confine_engine(&self, engine: &mut Engine) -> Result<(), String> {
        let who = format!("engine `{}`", shown(&engine.name));
        refuse_steered_loader(&who, engine)?;
        self.confine(&who, &mut engine.cage, engine.directory.iter().map(PathBuf::as_path))
    }

    /// A program with the rules of a game may read the files among its arguments.
    fn confine_program(&self, id: &str, program: &mut RefereeProgram) -> Result<(), String> {
        let who = format!("the program with the rules of `{}`", shown(id));
        let files = program.command.iter().skip(1).map(Path::new).filter(|path| path.is_file());
        self.confine(&who, &mut program.cage, files)
    }

    /// The program runs in a sandbox and within the limits of this worker, inherits nothing, and reads nothing but files of
    /// this tournament: below the current folder, or those that were sent. `named` are files that it reads in addition to
    /// those of `cage`.
    fn confine<'a>(
        &self,
        who: &str,
        cage: &'a mut Cage,
        named: impl Iterator<Item = &'a Path>,
    ) -> Result<(), String> {
        let Settings { limits, memory, cores, secrets, .. } = self.settings;
        limits.apply(cage, *memory, *cores);
        cage.sandbox = Some(Tier::Strict);
        cage.environment_allow = Some(["PATH", "LANG"].map(str::to_owned).to_vec());
        let here = std::env::current_dir()
            .and_then(|here| here.canonicalize())
            .map_err(|error| error.to_string())?;
        let unpacked = self.unpacked.and_then(|folder| folder.canonicalize().ok());
        for path in cage.readable.iter().map(PathBuf::as_path).chain(named) {
            let whole = path.canonicalize().unwrap_or_else(|_| here.join(path));
            let shown = shown(&path.display().to_string());
            let is_allowed =
                whole.starts_with(&here) || unpacked.as_ref().is_some_and(|folder| whole.starts_with(folder));
            if !is_allowed || whole.components().any(|component| component == Component::ParentDir) {
                return Err(format!(
                    "{who} wants to read `{shown}`, which is not below the folder of the worker; start the worker in another folder, or with `--trust`"
                ));
            }
            if secret_below(&whole, secrets).is_some() {
                return Err(format!(
                    "{who} wants to read `{shown}`, where a key or a certificate of the worker is; keep these files outside of all folders that engines read"
                ));
            }
        }
        Ok(())
    }
}

/// Measures the speed of this machine, while all its places are busy.
async fn measure(reference: u64, settings: &Settings) -> Result<Scale, Unfit> {
    let cores = settings.cores;
    let measured = match settings.speed {
        Some(speed) => Ok(speed),
        None => {
            tokio::task::spawn_blocking(move || speed::measure(cores)).await.expect("counting does not panic")
        }
    };
    let speed = measured.map_err(|busy| Unfit::Now(busy.to_string()))?;
    Ok(Scale::new(reference, speed)?)
}

/// Compares the programs of the engines with those of the coordinator.
fn check_builds(theirs: &[Build], prepared: &Prepared, help: &str) -> Result<(), String> {
    let ours = prepared.builds.all();
    for their in theirs {
        let engine = &their.engine;
        let Some(our) = ours.iter().find(|our| our.engine == *engine) else {
            let place = prepared.contenders.iter().position(|contender| contender.name() == engine);
            let why = place.and_then(|place| prepared.why[place].clone()).unwrap_or_default();
            return Err(format!("engine `{engine}` does not start: {why}\n{help}"));
        };
        if our.id != their.id {
            let files = differences(their, our);
            return Err(format!(
                "engine `{engine}` differs from the coordinator's: {files}; install the same file on both machines"
            ));
        }
    }
    Ok(())
}

/// The files of two builds that differ, with their SHA-256.
fn differences(their: &Build, our: &Build) -> String {
    let unknown = || "cannot be read".to_owned();
    let sha256 = |hash: &Option<String>| hash.clone().unwrap_or_else(unknown);
    let pairs = their.files.iter().zip(&our.files).filter(|(their, our)| their.sha256 != our.sha256);
    let texts: Vec<String> = pairs
        .map(|(their, our)| {
            let path = shown(&our.path);
            format!("`{path}` has SHA-256 {} there and {} here", sha256(&their.sha256), sha256(&our.sha256))
        })
        .collect();
    if texts.is_empty() {
        format!("build {} there and {} here", their.in_words(), our.in_words())
    } else {
        texts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{TimeControl, Timeouts, TuneOption};
    use std::time::Duration;

    #[test]
    fn only_the_values_that_are_tuned_may_differ() {
        let option = |name: &str| TuneOption {
            name: name.to_owned(),
            min: 0.0,
            max: 9.0,
            start: Some(5.0),
            step: 1.0,
            float: false,
            scale: None,
        };
        let options = vec![option("Margin"), TuneOption { scale: Some(100.0), ..option("Window") }];
        let tune = Tune {
            engine: "mine".to_owned(),
            pairs_per_point: 1,
            lag: 1,
            max_faults: 9,
            weights: BTreeMap::new(),
            options,
        };
        let with = |margin: &str, hash: &str| {
            let values = [("Margin", margin), ("Window", "5"), ("Hash", hash)];
            let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
            Engine { options: values.into(), ..model::samples::engine("mine+") }
        };
        let known = with("5", "16");
        assert!(differs_in_tuned_values(&known, &with("9", "16"), &tune));
        let scaled = |window: &str| {
            let mut engine = known.clone();
            engine.options.insert("Window".to_owned(), window.to_owned());
            differs_in_tuned_values(&known, &engine, &tune)
        };
        assert!(scaled("900") && !scaled("901"));
        for (margin, hash) in [("10", "16"), ("nan", "16"), ("/etc/passwd", "16"), ("6", "17")] {
            assert!(!differs_in_tuned_values(&known, &with(margin, hash), &tune), "{margin} {hash}");
        }
        let other = Engine { command: "sh".into(), ..with("6", "16") };
        assert!(!differs_in_tuned_values(&known, &other, &tune));
    }

    #[test]
    fn an_engine_of_another_machine_steers_no_loader() {
        let s = Duration::from_secs(1);
        let timeouts = Timeouts { start: s, ready: s, quit: s };
        let engine = Engine::new("one", Path::new("one"), TimeControl::unlimited(s), timeouts);
        for name in ["LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "GLIBC_TUNABLES"] {
            let mut engine = engine.clone();
            engine.environment.insert(name.to_owned(), "x".to_owned());
            let error = refuse_steered_loader("engine `one`", &engine).unwrap_err();
            assert!(
                error.starts_with(&format!("engine `one` sets `{name}` in its `environment`")),
                "{error}"
            );
        }
        let mut harmless = engine;
        harmless.environment.insert("OLD_THREADS".to_owned(), "1".to_owned());
        assert_eq!(refuse_steered_loader("engine `one`", &harmless), Ok(()));
    }
}
