//! The keys of `[league]`, and the files of the engines of a league.

use std::collections::BTreeMap;
use std::path::PathBuf;

use engine_proto::Games;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;
#[cfg(feature = "schema")]
use serde::Serialize;

use super::file::{self, Config};
use super::places::Source;
use super::problem::{ConfigError, Problem};
use super::value::Key;
use super::{check, decode};
use model::{Engine, Format, Tier, Tournament};

/// The longest name of an engine of a league, in characters: `@` and the hash of its build follow.
const LONGEST_NAME: usize = 50;
/// The keys of an engine's file that a tournament does not have.
const OWN_KEYS: [&str; 2] = ["owner", "submitted"];

/// What `arena league` plays. The `[[engine]]` tables of the file are the league's anchors, which never leave.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct LeagueKeys {
    /// Who runs the league. Engines of other owners play in the sandbox. Default: `league`.
    pub owner: Key<String>,
    /// The number of pairs that a new build plays in each game against anchors, before its results decide whom it meets. Default: 4.
    pub newcomer_pairs: Key<u32>,
    /// The share of all pairs that engines of one owner may play against each other, from 0 to 1. Default: 0.
    pub same_owner: Key<f64>,
    /// An engine that loses this number of matches in a row by its own faults is set aside. Default: 5.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub faults_in_a_row: Key<u32>,
    /// Who may send engines: the public key of each owner, as `arena league key` prints it.
    pub owners: BTreeMap<String, Key<String>>,
}

impl Default for LeagueKeys {
    fn default() -> Self {
        Self {
            owner: "league".to_owned().into(),
            newcomer_pairs: 4.into(),
            same_owner: 0.0.into(),
            faults_in_a_row: 5.into(),
            owners: BTreeMap::new(),
        }
    }
}

/// The keys of an engine's file that a tournament does not have: [`OWN_KEYS`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct OwnKeys {
    owner: Option<Key<String>>,
    submitted: bool,
}

/// A league, as its file describes it.
#[derive(Clone, Debug)]
pub struct League {
    /// Its games, limits and rules; its engines are the anchors.
    pub tournament: Tournament,
    /// Who runs it.
    pub owner: String,
    /// The number of pairs in each game that a new build plays against anchors first.
    pub newcomer_pairs: u32,
    /// The share of all pairs that engines of one owner may play against each other.
    pub same_owner: f64,
    /// The number of losses in a row, by its own faults, after which an engine is set aside.
    pub faults_in_a_row: u32,
    /// The public keys of those who may send engines.
    pub owners: BTreeMap<String, String>,
    config: Config,
}

/// An engine of a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFile {
    /// The engine with the limits of the league.
    pub engine: Engine,
    /// Who it belongs to.
    pub owner: String,
    /// Whether it belongs to somebody else than the league, or was submitted: it plays only in the strict sandbox.
    pub is_foreign: bool,
}

impl Source {
    /// The league that the file describes.
    ///
    /// # Errors
    /// With all its problems at once.
    pub fn league(&self, games: &Games) -> Result<League, ConfigError> {
        let tournament = self.tournament(games)?;
        let (config, _) = decode::decode::<Config>(&tournament.known_games, self.text());
        let mut config = config.expect("it was read before");
        config.known_games = tournament.known_games.clone();
        let problems = config.league_problems();
        if !problems.is_empty() {
            return Err(self.with(problems));
        }
        let keys = config.league.take().unwrap_or_default();
        config.engines.clear();
        // An endless league plays some openings again.
        let mut games = tournament.games.clone();
        for game in &mut games {
            game.book.repeats = true;
        }
        Ok(League {
            tournament: Tournament {
                format: Format::League,
                results: PathBuf::from("results"),
                games,
                pairs: 1,
                ..tournament
            },
            owner: keys.owner.get_ref().clone(),
            newcomer_pairs: *keys.newcomer_pairs.get_ref(),
            same_owner: *keys.same_owner.get_ref(),
            faults_in_a_row: *keys.faults_in_a_row.get_ref(),
            owners: keys.owners.into_iter().map(|(owner, key)| (owner, key.get_ref().clone())).collect(),
            config,
        })
    }

    /// The key `name` of an engine's file, if the file is TOML and has one.
    pub fn name(&self) -> Option<String> {
        let table: toml::Table = self.text().parse().ok()?;
        Some(table.get("name")?.as_str()?.to_owned())
    }

    fn with(&self, mut problems: Vec<Problem>) -> ConfigError {
        problems.sort_by_key(|problem| problem.span.start);
        problems.dedup();
        ConfigError::Wrong { path: self.path().to_owned(), text: self.text().to_owned(), problems }
    }
}

impl Config {
    /// What is wrong with a file as that of a league.
    fn league_problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let Some(keys) = &self.league else {
            let help = "add the table `[league]`; it may be empty";
            return vec![Problem::new(0..0, "the file has no table `[league]`").help(help)];
        };
        problems.extend(keys.faults_in_a_row.zero("faults-in-a-row"));
        if !(0.0..=1.0).contains(keys.same_owner.get_ref()) {
            problems.push(Problem::new(keys.same_owner.span(), "`same-owner` must be from 0 to 1"));
        }
        for (is_given, what) in [
            (self.tournament.format != file::Format::default(), "another `format`"),
            (!self.pairings.is_empty(), "`[[pairing]]`"),
            (self.tune.is_some(), "`[tune]`"),
            (self.stop != file::Config::default().stop, "`[stop]`"),
            (self.tournament.results.is_some(), "`results`"),
            (self.tournament.max_faults.is_some(), "`max-faults`"),
        ] {
            if is_given {
                let message = format!("{what} does not work in a league");
                problems.push(Problem::new(0..0, message).help("remove it"));
            }
        }
        problems.extend(self.engines.iter().filter_map(league_name));
        problems
    }
}

/// What is wrong with the name of an engine in a league.
fn league_name(engine: &file::Engine) -> Option<Problem> {
    let name = engine.name.get_ref();
    // It is also the name of files and of addresses.
    let is_usual = |c: char| c.is_alphanumeric() || "-_+. ".contains(c);
    let is_wrong =
        name.starts_with('.') || !name.chars().all(is_usual) || LONGEST_NAME < name.chars().count();
    is_wrong.then(|| {
        let message = format!(
            "in a league, a name has at most {LONGEST_NAME} letters, digits, spaces, `-`, `_`, `+` and `.`, and does not begin with `.`"
        );
        Problem::new(engine.name.span(), message).help("the name of a build is `name@hash`")
    })
}

impl League {
    /// The anchors.
    pub fn anchors(&self) -> impl Iterator<Item = EngineFile> {
        self.tournament.engines.iter().map(|engine| EngineFile {
            engine: Engine::clone(engine),
            owner: self.owner.clone(),
            is_foreign: false,
        })
    }

    /// The engine that a file of the league describes.
    ///
    /// # Errors
    /// With all problems of the file at once.
    pub fn engine(&self, source: &Source) -> Result<EngineFile, ConfigError> {
        let (keys, mut problems) =
            decode::decode_both::<OwnKeys, file::Engine>(&self.config.known_games, source.text(), &OWN_KEYS);
        let Some((own, engine)) = keys.filter(|_| problems.is_empty()) else {
            return Err(source.with(problems));
        };
        let owner = own.owner.as_ref().map_or(&self.owner, |owner| owner.get_ref()).clone();
        if let Some(problem) =
            own.owner.as_ref().and_then(|owner| check::name_problem(owner.get_ref()).map(|_| owner))
        {
            let message = "`owner` must be one line of at most 64 characters, and must not be empty";
            problems.push(Problem::new(problem.span(), message));
        }
        let is_foreign = own.submitted || owner != self.owner;
        if is_foreign {
            problems.extend(own_means(&engine, own.submitted));
        }
        problems.extend(league_name(&engine));
        if !engine.build.is_empty() {
            let message = "`build` does not work in a league: which program it makes would not be known";
            problems.push(
                Problem::new(engine.name.span(), message).help("build the program, then change the file"),
            );
        }
        let mut config = self.config.clone();
        config.engines = vec![engine];
        check::check_names(&config.engines, &mut problems);
        let config = config.with_engine_defaults();
        let keys = &config.engines[0];
        check::check_engine(keys, &config, &mut problems);
        if !problems.is_empty() {
            return Err(source.with(problems));
        }
        let mut engine = config.engine(keys);
        if is_foreign {
            engine.cage.sandbox = Some(Tier::Strict);
            engine.cage.environment_allow.get_or_insert_with(|| ["PATH", "LANG"].map(str::to_owned).to_vec());
        }
        Ok(EngineFile { engine, owner, is_foreign })
    }
}

/// The keys by which an engine of somebody else would get more than the league gives to all. The folder of a submitted one is
/// made by the league.
fn own_means(engine: &file::Engine, is_submitted: bool) -> Vec<Problem> {
    let keys = [
        ("cage", engine.cage.is_some()),
        ("environment", !engine.environment.is_empty()),
        ("directory", engine.directory.is_some() && !is_submitted),
        ("limits", engine.limits.is_some()),
    ];
    let given = keys.into_iter().filter(|(_, is_given)| *is_given);
    given
        .map(|(key, _)| {
            let message = format!("an engine of another owner has no `{key}` of its own");
            Problem::new(engine.name.span(), message)
                .help(format!("remove `{key}`; `league.toml` sets it for all engines"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const LEAGUE: &str = "[league]\nowner = \"house\"\n[[game]]\nid = \"push\"\n[limits]\nnodes = 10\n";

    fn league(text: &str) -> Result<League, String> {
        Source::new(Path::new("league.toml"), text.to_owned())
            .league(Games::built_in())
            .map_err(|error| error.to_string())
    }

    fn engine(text: &str) -> Result<EngineFile, String> {
        let source = Source::new(Path::new("engines/x.toml"), text.to_owned());
        league(LEAGUE).unwrap().engine(&source).map_err(|error| error.to_string())
    }

    #[test]
    fn a_league_needs_no_engines_and_takes_no_plan() {
        let read = league(LEAGUE).unwrap();
        assert_eq!((read.newcomer_pairs, read.faults_in_a_row, read.owner.as_str()), (4, 5, "house"));
        assert_eq!(read.tournament.format, Format::League);
        for (more, problem) in [
            ("[stop.separated]\nquestion = \"best\"\n", "`[stop]` does not work in a league"),
            ("[[engine]]\nname = \"a@b\"\ncommand = \"/bin/sh\"\n", "letters, digits, spaces"),
        ] {
            let error = league(&format!("{LEAGUE}{more}")).unwrap_err();
            assert!(error.contains(problem), "{error}");
        }
        assert!(league("[limits]\nnodes = 10\n").is_err());
        assert!(league(&LEAGUE.replace("owner", "ovner")).unwrap_err().contains("did you mean `owner`?"));
    }

    #[cfg(unix)]
    #[test]
    fn engines_of_others_play_in_the_sandbox_and_choose_no_cage() {
        let own = engine("name = \"mine\"\ncommand = \"/bin/sh\"\n").unwrap();
        assert_eq!((own.owner.as_str(), own.is_foreign, own.engine.cage.sandbox), ("house", false, None));
        assert_eq!(own.engine.time_control.nodes, Some(10));
        for text in ["owner = \"eve\"", "submitted = true"] {
            let other = engine(&format!("name = \"other\"\ncommand = \"/bin/sh\"\n{text}\n")).unwrap();
            assert!(other.is_foreign && other.engine.cage.sandbox == Some(Tier::Strict), "{other:?}");
            let caged = format!("name = \"other\"\ncommand = \"/bin/sh\"\n{text}\n[cage]\nsandbox = false\n");
            let error = engine(&caged).unwrap_err();
            assert!(error.contains("has no `cage` of its own"), "{error}");
        }
    }

    #[test]
    fn rubbish_in_a_file_is_shown_at_its_place() {
        for (text, problem) in [
            ("name = ", "engines/x.toml"),
            ("", "the key `name` is missing"),
            ("name = \"a\"\ncommand = \"./missing\"\n", "there is no program `./missing`"),
            ("name = \"a\"\ncommand = \"/bin/sh\"\nowner = 3\n", "wrong type"),
            ("name = \"a\"\ncommand = \"/bin/sh\"\ncomand = \"x\"\n", "did you mean `command`?"),
            ("name = \"../a\"\ncommand = \"/bin/sh\"\n", "letters, digits, spaces"),
        ] {
            let error = engine(text).unwrap_err();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
