//! The configuration's tables and keys. Their doc comments are the JSON schema's descriptions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;

use engine_proto::GameId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::cage::Cage;
use super::stop::{AdaptiveKeys, Stop};
use super::value::{GameName, OptionValue, Time};

/// A tournament: who plays what, how long, how often.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Config {
    /// The tournament as a whole.
    #[serde(default)]
    pub tournament: Tournament,
    /// How long every engine may think, unless it has limits of its own.
    #[serde(default)]
    pub limits: Limits,
    /// How long the arena waits where no clock runs.
    #[serde(default)]
    pub timeouts: Timeouts,
    /// When a match is ended because both engines hold it for decided. Without rules: never.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
    /// When the tournament ends before all its matches are played. Without rules: never.
    #[serde(default, skip_serializing_if = "Stop::is_empty")]
    pub stop: Stop,
    /// For the format `adaptive`: how it goes about.
    #[serde(default, skip_serializing_if = "AdaptiveKeys::is_default")]
    pub adaptive: AdaptiveKeys,
    /// What every engine's process may use and do, unless the engine has a cage of its own.
    #[serde(default, skip_serializing_if = "Cage::is_empty")]
    pub cage: Cage,
    /// The games to play. Without any: all games from their default starts.
    #[serde(default, rename = "game", skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<Game>,
    /// The engines that take part, at least two.
    #[serde(default, rename = "engine", skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<Engine>,
}

impl Config {
    /// The same with the name that a file without one gives its tournament.
    #[must_use]
    pub(super) fn named_after(mut self, path: &Path) -> Self {
        let stem = || {
            path.file_stem().map_or_else(|| "tournament".into(), |stem| stem.to_string_lossy().into_owned())
        };
        let name = self.tournament.name.get_or_insert_with(stem).clone();
        self.tournament.results.get_or_insert_with(|| Path::new("results").join(name));
        self
    }

    /// The games to play: those listed, or all.
    pub fn games_to_play(&self) -> Vec<Game> {
        if self.games.is_empty() {
            GameId::ALL.iter().copied().map(Game::of).collect()
        } else {
            self.games.clone()
        }
    }
}

/// The tournament as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Tournament {
    /// The name in headings. Default: the file's name without its ending.
    pub name: Option<String>,
    /// Who meets whom. Default: `round-robin`.
    pub format: Format,
    /// For `gauntlet`: the engines that meet all others, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub seeds: Vec<Spanned<String>>,
    /// For `gauntlet` with several seeds: whether they meet each other as well. Default: false.
    #[serde(skip_serializing_if = "is_false")]
    pub seeds_meet: bool,
    /// Colour-swapped pairs of matches per pairing and game; for `adaptive`, and with `[stop]`, the most. Default: 1.
    #[schemars(with = "u32", range(min = 1))]
    pub pairs: Spanned<u32>,
    /// Matches played at once. Default: the machine's cores, less one where there are more than two.
    #[schemars(with = "u16", range(min = 1))]
    pub concurrency: Spanned<u16>,
    /// An engine that has lost so many matches by its own fault takes no further part: the rest of its matches are
    /// forfeited, reason `retired`. Default: none retires.
    #[schemars(with = "Option<u32>", range(min = 1))]
    pub max_faults: Option<Spanned<u32>>,
    /// What openings, terrain and the engines' own seeds are drawn from. Default: 1.
    pub seed: u64,
    /// The folder for the results, relative to the current folder. Default: `results/<name>`.
    pub results: Option<PathBuf>,
}

impl Default for Tournament {
    fn default() -> Self {
        Self {
            name: None,
            format: Format::default(),
            seeds: Vec::new(),
            seeds_meet: false,
            pairs: nowhere(1),
            concurrency: nowhere(default_concurrency()),
            max_faults: None,
            seed: 1,
            results: None,
        }
    }
}

impl Tournament {
    /// After so many faults an engine retires.
    pub fn n_max_faults(&self) -> Option<u32> {
        self.max_faults.as_ref().map(|faults| *faults.get_ref())
    }

    /// Whether `seeds` names the engine.
    pub fn is_seed(&self, engine: &Engine) -> bool {
        self.seeds.iter().any(|seed| seed.get_ref() == engine.name.get_ref())
    }
}

fn default_concurrency() -> u16 {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    u16::try_from(if cores <= 2 { cores } else { cores - 1 }).unwrap_or(u16::MAX)
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The engines that `seeds` names meet all others.
    Gauntlet,
    /// Everybody meets everybody, more often where that tells more.
    Adaptive,
}

/// How long an engine may think about its moves. All that are given hold together; a table that names none of `base`,
/// `movetime`, `nodes` and `depth` means a base of 10 s and an increment of 100 ms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Limits {
    /// Time on each side's clock at the start.
    #[schemars(with = "Option<Time>")]
    pub base: Option<Spanned<Time>>,
    /// What a side's clock gains after each of its moves. Needs `base`.
    #[schemars(with = "Option<Time>")]
    pub increment: Option<Spanned<Time>>,
    /// After so many moves of a side, `base` is added to its clock again. Needs `base`.
    #[schemars(with = "Option<u32>", range(min = 1))]
    pub moves_to_go: Option<Spanned<u32>>,
    /// Time for each move.
    #[schemars(with = "Option<Time>")]
    pub movetime: Option<Spanned<Time>>,
    /// Positions to search for each move.
    #[schemars(with = "Option<u64>", range(min = 1))]
    pub nodes: Option<Spanned<u64>>,
    /// Depth to search for each move, in plies.
    #[schemars(with = "Option<u32>", range(min = 1))]
    pub depth: Option<Spanned<u32>>,
    /// How far below zero a clock may fall before the match is lost. Default: 20 ms; in an engine's own limits, that
    /// of the tournament.
    pub margin: Option<Time>,
    /// After so many plies the arena calls a match a draw, reason `move-cap`. Only in the tournament's limits. Default: 400.
    #[schemars(with = "Option<u32>", range(min = 1))]
    pub max_plies: Option<Spanned<u32>>,
}

impl Limits {
    /// The plies after which a match is called a draw.
    pub fn n_max_plies(&self) -> u32 {
        const DEFAULT: u32 = 400;
        self.max_plies.as_ref().map_or(DEFAULT, |plies| *plies.get_ref())
    }

    /// Whether any limit on thinking is named.
    pub fn names_any(&self) -> bool {
        self.base.is_some() || self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some()
    }
}

/// How long the arena waits for an engine where no clock runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Timeouts {
    /// From the start of the process to `ugiok`. Default: 10 s.
    pub start: Time,
    /// From `isready` to `readyok` before a match: engines load their files here. Default: 30 s.
    pub ready: Time,
    /// For a move where neither a clock nor `movetime` limits it. Default: 60 s.
    pub think: Time,
    /// From `quit` to the end of the process, which is killed after that. Default: 1 s.
    pub quit: Time,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            start: Time::from_secs(10),
            ready: Time::from_secs(30),
            think: Time::from_secs(60),
            quit: Time::from_secs(1),
        }
    }
}

/// When a match is ended because both engines hold it for decided. It trusts the scores that they claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Adjudication {
    /// When it is a draw, reason `adjudicated-draw`. Default: never.
    pub draw: Option<DrawRule>,
    /// When it is won, reason `adjudicated-win`. Default: never.
    pub win: Option<WinRule>,
}

impl Adjudication {
    /// Whether no match is adjudicated.
    pub const fn is_off(&self) -> bool {
        self.draw.is_none() && self.win.is_none()
    }
}

/// Both engines see nothing in it for either side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DrawRule {
    /// Both engines' scores are so near to 0, in hundredths of their units.
    pub score: u32,
    /// For so many moves of each side in a row.
    #[schemars(with = "u32", range(min = 1))]
    pub moves: Spanned<u32>,
    /// Not before so many plies of the match. Default: 0.
    #[serde(default)]
    pub after_plies: u32,
}

/// Both engines see the same side win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WinRule {
    /// One engine's score is at least this and the other's at most minus this, in hundredths of their units.
    #[schemars(with = "u32", range(min = 1))]
    pub score: Spanned<u32>,
    /// For so many moves of each side in a row.
    #[schemars(with = "u32", range(min = 1))]
    pub moves: Spanned<u32>,
}

/// A game to play, and where its matches start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Game {
    /// The game's id, as `arena games` lists it.
    #[schemars(with = "GameName")]
    pub id: Spanned<GameName>,
    /// A named start, as `arena games` lists them, or a FEN. Default: the game's first start.
    #[schemars(with = "Option<String>")]
    pub start: Option<Spanned<String>>,
    /// A file of openings to take in turn, one FEN a line; empty lines and lines that begin with `#` are passed over.
    /// Relative to the current folder.
    #[schemars(with = "Option<PathBuf>")]
    pub openings: Option<Spanned<PathBuf>>,
    /// Random plies from there, drawn by the tournament's seed. Default: 4; 0 with a file of openings.
    #[schemars(with = "Option<u32>")]
    pub opening_plies: Option<Spanned<u32>>,
}

impl Game {
    /// The game with every key left to its default.
    pub fn of(game: GameId) -> Self {
        Self { id: nowhere(GameName(game)), start: None, openings: None, opening_plies: None }
    }

    /// The game.
    pub fn game(&self) -> GameId {
        self.id.get_ref().0
    }

    /// Random plies at the head of every match.
    pub fn n_opening_plies(&self) -> u32 {
        let default = if self.openings.is_some() { 0 } else { 4 };
        self.opening_plies.as_ref().map_or(default, |plies| *plies.get_ref())
    }
}

/// An engine that takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Engine {
    /// Its name in the results, different from all others.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// The program: a path relative to the current folder, or a name to look up on `PATH`.
    #[schemars(with = "PathBuf")]
    pub command: Spanned<PathBuf>,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// A command that builds the program, run once before the tournament, in the current folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub build: Vec<String>,
    /// Options to set by the protocol before every match.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
    /// The folder that the engine runs in. Default: the current folder.
    #[schemars(with = "Option<PathBuf>")]
    pub directory: Option<Spanned<PathBuf>>,
    /// Environment variables to set for it, beside those of the arena.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// The games that it shall play. Default: all of the tournament's that it knows.
    #[schemars(with = "Option<Vec<GameName>>")]
    pub games: Option<Spanned<Vec<GameName>>>,
    /// Limits of its own, in place of the tournament's.
    pub limits: Option<Limits>,
    /// What its process may use and do: each key given here holds in place of that of the tournament's cage.
    pub cage: Option<Cage>,
}

impl Engine {
    /// Notes the games that it plays, once they are known.
    pub fn plays(&mut self, games: Vec<GameId>) {
        self.games = Some(nowhere(games.into_iter().map(GameName).collect()));
    }
}

/// A value that stands in no file.
fn nowhere<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_false(value: &bool) -> bool {
    !*value
}
