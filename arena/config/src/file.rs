//! The configuration's tables and keys. Their doc comments are the JSON schema's descriptions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use engine_proto::GameId;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::cage::Cage;
use super::machines::Machines;
use super::stop::{AdaptiveKeys, Stop};
use super::tune::TuneKeys;
use super::value::{GameName, OptionValue, Time};
use host::machine::usable_cores;
use model::{Book, BookOrder, OffTurn, OnMachineDelay, Protocol, Size};

/// A tournament: its engines, games, limits and rules.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Config {
    /// The tournament as a whole.
    #[serde(default)]
    pub tournament: Tournament,
    /// How long every engine may think, unless it has its own limits.
    #[serde(default)]
    pub limits: Limits,
    /// How long the arena waits for an engine while no clock runs.
    #[serde(default)]
    pub timeouts: Timeouts,
    /// When a match ends early because both engines agree on its result. Without rules: never.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
    /// When the tournament ends before all matches are played. Without rules: never.
    #[serde(default, skip_serializing_if = "Stop::is_empty")]
    pub stop: Stop,
    /// The options of an engine that `arena tune` tunes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tune: Option<TuneKeys>,
    /// Settings of the format `adaptive`.
    #[serde(default, skip_serializing_if = "AdaptiveKeys::is_default")]
    pub adaptive: AdaptiveKeys,
    /// How the tournament uses many machines. Only for `arena run --nats`.
    #[serde(default, skip_serializing_if = "Machines::is_default")]
    pub machines: Machines,
    /// Limits on every engine's process, unless the engine has its own.
    #[serde(default, skip_serializing_if = "Cage::is_empty")]
    pub cage: Cage,
    /// The games to play. Without any: all games from their default starts, apart from those that must be named.
    #[serde(default, rename = "game", skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<Game>,
    /// Keys for every engine. An engine's own keys take precedence.
    #[serde(default, skip_serializing_if = "EngineDefaults::is_empty")]
    pub engine_defaults: EngineDefaults,
    /// Engines that meet more or less often than the others.
    #[serde(default, rename = "pairing", skip_serializing_if = "Vec::is_empty")]
    pub pairings: Vec<PairingPairs>,
    /// The engines that take part, at least two.
    #[serde(default, rename = "engine", skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<Engine>,
}

impl Config {
    /// The largest number of pairs that two engines play in the game, which is the number of openings that it needs.
    pub fn n_most_pairs(&self, game: GameId) -> u32 {
        let of_game = |pairing: &&PairingPairs| {
            pairing.games.as_ref().is_none_or(|games| games.get_ref().contains(&GameName(game)))
        };
        let own = self.pairings.iter().filter(of_game).map(|pairing| pairing.pairs);
        own.chain([*self.tournament.pairs.get_ref()]).max().unwrap_or_default()
    }

    /// Whether the format and the games of two engines, given by index, allow to pair them.
    pub fn may_meet(&self, first: usize, second: usize) -> bool {
        let [one, other] = [&self.engines[first], &self.engines[second]];
        let by_format = match self.tournament.format {
            Format::RoundRobin | Format::Adaptive => true,
            Format::Gauntlet => match [one, other].map(|engine| self.tournament.is_seed(engine)) {
                [true, true] => self.tournament.seeds_meet,
                [first, second] => first || second,
            },
        };
        let share_a_game = match (&one.games, &other.games) {
            (Some(games), Some(others)) => games.get_ref().iter().any(|game| others.get_ref().contains(game)),
            _ => true,
        };
        by_format && share_a_game
    }

    /// The protocol of engines that do not name one.
    pub fn default_protocol(&self) -> Protocol {
        let is_chess = |game: &Game| [GameId::CHESS, GameId::CHESS960].contains(&game.game());
        if self.games.iter().any(is_chess) { Protocol::Auto } else { Protocol::Ugi }
    }

    /// The games to play: those listed, or all.
    pub fn games_to_play(&self) -> Vec<Game> {
        if self.games.is_empty() {
            GameId::all().iter().copied().map(Game::of).collect()
        } else {
            self.games.clone()
        }
    }
}

/// The tournament as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Tournament {
    /// The name in headings. Default: the file's name without its ending.
    pub name: Option<String>,
    /// Which engines meet. Default: `round-robin`.
    pub format: Format,
    /// For `gauntlet`: the engines that meet all others, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub seeds: Vec<Spanned<String>>,
    /// For `gauntlet` with several seeds: whether they meet each other as well. Default: false.
    #[serde(skip_serializing_if = "is_false")]
    pub seeds_meet: bool,
    /// Pairs of matches, with the sides swapped, per pairing and game; for `adaptive`, and with `[stop]`, the maximum. Default: 1.
    #[cfg_attr(feature = "schema", schemars(with = "u32", range(min = 1)))]
    pub pairs: Spanned<u32>,
    /// Matches played at once. Default: the number of cores; one less if there are more than two.
    #[cfg_attr(feature = "schema", schemars(with = "u16", range(min = 1)))]
    pub concurrency: Spanned<u16>,
    /// Processors for all matches together. A match uses the larger of its two engines' `threads`. Default: all that the
    /// arena may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>", range(min = 1)))]
    pub cores: Option<Spanned<u32>>,
    /// Memory for all matches together. A match uses the sum of the `memory` in the cages of its two engines. Default: not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Size>"))]
    pub memory: Option<Spanned<Size>>,
    /// Whether each match and its two engines run on their own processors. Linux only. Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin: Option<bool>,
    /// After this number of matches lost by its own fault, an engine retires: its other matches are forfeited, reason
    /// `retired`. Default: no limit.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>", range(min = 1)))]
    pub max_faults: Option<Spanned<u32>>,
    /// Whether engines with the option `Ponder` think on their opponents' time. A match then uses the processors of both
    /// engines. Default: false.
    #[serde(skip_serializing_if = "is_false")]
    pub ponder: bool,
    /// Whether an engine may resign. Otherwise `bestmove resign` is an illegal move. Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<bool>,
    /// Whether engines may agree to a draw. Otherwise their offers are ignored. Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_offers: Option<bool>,
    /// What happens to a match that was lost on time while the machine was busy (Linux only). Default: `count`.
    #[serde(skip_serializing_if = "OnMachineDelay::is_default")]
    pub on_machine_delay: OnMachineDelay,
    /// What happens if an engine computes while it is not on the move (Linux only). Default: `warn`.
    #[serde(skip_serializing_if = "OffTurn::is_default")]
    pub off_turn: OffTurn,
    /// The random seed of openings, terrain and the engines' option `Seed`. Default: 1.
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
            cores: None,
            memory: None,
            pin: None,
            max_faults: None,
            ponder: false,
            resign: None,
            draw_offers: None,
            on_machine_delay: OnMachineDelay::default(),
            off_turn: OffTurn::default(),
            seed: 1,
            results: None,
        }
    }
}

impl Tournament {
    /// Processors that all matches together may use.
    pub fn n_cores(&self) -> u32 {
        self.cores
            .as_ref()
            .map_or_else(|| u32::try_from(usable_cores()).unwrap_or(u32::MAX), |n| *n.get_ref())
    }

    /// Whether `seeds` names the engine.
    pub fn is_seed(&self, engine: &Engine) -> bool {
        self.seeds.iter().any(|seed| seed.get_ref() == engine.name.get_ref())
    }
}

fn default_concurrency() -> u16 {
    let cores = usable_cores();
    u16::try_from(if cores <= 2 { cores } else { cores - 1 }).unwrap_or(u16::MAX)
}

/// Which engines meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// All engines meet each other.
    #[default]
    RoundRobin,
    /// The engines in `seeds` meet all others.
    Gauntlet,
    /// All engines meet each other, more often where a pair gives more information.
    Adaptive,
}

/// How long an engine may think about its moves. All given limits apply together. A table without `base`, `movetime`,
/// `nodes` and `depth` means a base of 10 s and an increment of 100 ms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Limits {
    /// Time on each side's clock at the start.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Time>"))]
    pub base: Option<Spanned<Time>>,
    /// Time added to a side's clock after each of its moves. Needs `base`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Time>"))]
    pub increment: Option<Spanned<Time>>,
    /// After this number of moves of a side, `base` is added to its clock again. Needs `base`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>", range(min = 1)))]
    pub moves_to_go: Option<Spanned<u32>>,
    /// Time for each move.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Time>"))]
    pub movetime: Option<Spanned<Time>>,
    /// Positions to search for each move.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u64>", range(min = 1)))]
    pub nodes: Option<Spanned<u64>>,
    /// Depth to search for each move, in plies.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>", range(min = 1)))]
    pub depth: Option<Spanned<u32>>,
    /// How far below zero a clock may fall, in total, before the match is lost. Default: 20 ms; in an engine's own limits,
    /// the tournament's margin.
    pub margin: Option<Time>,
    /// After this number of plies, the match is a draw, reason `move-cap`. Only in the tournament's limits. Default: 400.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>", range(min = 1)))]
    pub max_plies: Option<Spanned<u32>>,
}

impl Limits {
    /// Whether any limit on thinking is given.
    pub fn names_any(&self) -> bool {
        self.base.is_some() || self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some()
    }
}

/// How long the arena waits for an engine while no clock runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Timeouts {
    /// From the start of the process to `ugiok`. Default: 10 s.
    pub start: Time,
    /// From `isready` to `readyok` before a match: engines load their files here. Default: 30 s.
    pub ready: Time,
    /// For a move without a clock and without `movetime`. Default: 60 s.
    pub think: Time,
    /// From `quit` to the end of the process. After that, it is killed. Default: 1 s.
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

/// When a match ends early because both engines agree on its result. The arena does not check their scores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Adjudication {
    /// When the match is a draw, reason `adjudicated-draw`. Default: never.
    pub draw: Option<DrawRule>,
    /// When the match is won, reason `adjudicated-win`. Default: never.
    pub win: Option<WinRule>,
}

impl Adjudication {
    /// Whether no match is adjudicated.
    pub const fn is_off(&self) -> bool {
        self.draw.is_none() && self.win.is_none()
    }
}

/// Both engines claim that the position is even.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DrawRule {
    /// The scores of both engines are between minus this number and this number, in hundredths of their units.
    pub score: u32,
    /// Whether a move that is progress, such as a capture, ends the row of moves. Default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub without_progress: bool,
    /// For this number of moves of each side in a row.
    #[cfg_attr(feature = "schema", schemars(with = "u32", range(min = 1)))]
    pub moves: Spanned<u32>,
    /// Not before this number of plies of the match. Default: 0.
    #[serde(default)]
    pub after_plies: u32,
}

/// Both engines claim that the same side wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WinRule {
    /// One engine's score is at least this number and the other's at most minus this number, in hundredths of their units.
    #[cfg_attr(feature = "schema", schemars(with = "u32", range(min = 1)))]
    pub score: Spanned<u32>,
    /// For this number of moves of each side in a row.
    #[cfg_attr(feature = "schema", schemars(with = "u32", range(min = 1)))]
    pub moves: Spanned<u32>,
    /// Whether it is enough that the losing engine reports its score. Default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub one_sided: bool,
}

/// A game to play, and where its matches start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Game {
    /// The game's id, as `arena games` lists it.
    #[cfg_attr(feature = "schema", schemars(with = "GameName"))]
    pub id: Spanned<GameName>,
    /// A program with the rules of the game and its arguments, for a game that the arena does not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<String>>"))]
    pub referee: Option<Spanned<Vec<String>>>,
    /// Limits and sandbox of the processes of `referee`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referee_cage: Option<Cage>,
    /// A named start, as `arena games` lists them, or a FEN. Default: the game's first start.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub start: Option<Spanned<String>>,
    /// A file of openings: one FEN or EPD per line, or games if its name ends with `.pgn`. Empty lines and lines that begin with
    /// `#` are ignored. The path is relative to the current folder.
    #[cfg_attr(feature = "schema", schemars(with = "Option<PathBuf>"))]
    pub openings: Option<Spanned<PathBuf>>,
    /// The number of plies to use of each game of a PGN file. Default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"))]
    pub book_plies: Option<Spanned<u32>>,
    /// The order of the openings of the file. `random` is the same for the same `seed`. Default: `sequential`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<BookOrder>"))]
    pub book_order: Option<Spanned<BookOrder>>,
    /// The first opening of the file that is played; after the last one, the first one follows. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>", range(min = 1)))]
    pub book_start: Option<Spanned<u32>>,
    /// Whether the openings begin again with the first one if there are fewer than pairs. Default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub repeat_openings: bool,
    /// Random plies after the start, drawn with the tournament's seed. Default: 4; 0 with a file of openings.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"))]
    pub opening_plies: Option<Spanned<u32>>,
}

impl Game {
    /// The game with the defaults of all keys.
    pub fn of(game: GameId) -> Self {
        Self {
            id: nowhere(GameName(game)),
            referee: None,
            referee_cage: None,
            start: None,
            openings: None,
            book_plies: None,
            book_order: None,
            book_start: None,
            repeat_openings: false,
            opening_plies: None,
        }
    }

    /// The game.
    pub fn game(&self) -> GameId {
        self.id.get_ref().0
    }

    /// How the openings of the file are used.
    pub fn book(&self) -> Book {
        Book {
            plies: self.book_plies.as_ref().map(|plies| *plies.get_ref()),
            order: self.book_order.as_ref().map_or_else(BookOrder::default, |order| *order.get_ref()),
            start: self.book_start.as_ref().map_or(1, |start| *start.get_ref()),
            repeats: self.repeat_openings,
            skipped: 0,
        }
    }

    /// Random plies at the start of every match.
    pub fn n_opening_plies(&self) -> u32 {
        let default = if self.openings.is_some() { 0 } else { 4 };
        self.opening_plies.as_ref().map_or(default, |plies| *plies.get_ref())
    }
}

/// Two engines that meet more or less often than the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PairingPairs {
    /// The names of the two engines.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub engines: Spanned<Vec<String>>,
    /// The games that this pairing is about. Default: all.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<GameName>>"))]
    pub games: Option<Spanned<Vec<GameName>>>,
    /// Pairs of matches in each of these games. 0: they do not meet.
    pub pairs: u32,
}

/// An engine that takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Engine {
    /// Its name in the results, different from all others.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub name: Spanned<String>,
    /// The program: a path relative to the current folder, or a name to look up on `PATH`.
    #[cfg_attr(feature = "schema", schemars(with = "PathBuf"))]
    pub command: Spanned<PathBuf>,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The protocol that it speaks: `ugi`, `uci`, or `auto` for the one that it answers to. Default: `auto` in a tournament
    /// with chess or Chess960, otherwise `ugi`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
    /// A command that builds the program, run once before the tournament, in the current folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub build: Vec<String>,
    /// Options to set before every match.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
    /// The number of threads that it searches with, and of processors that its matches use. Default: its option `Threads`,
    /// or 1 without that option.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>", range(min = 1)))]
    pub threads: Option<Spanned<u32>>,
    /// The folder that the engine runs in. Default: the current folder.
    #[cfg_attr(feature = "schema", schemars(with = "Option<PathBuf>"))]
    pub directory: Option<Spanned<PathBuf>>,
    /// Environment variables to set for it, in addition to those of the arena.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// The games to play. Default: all games of the tournament that the engine lists.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<GameName>>"))]
    pub games: Option<Spanned<Vec<GameName>>>,
    /// Its own limits, instead of the tournament's.
    pub limits: Option<Limits>,
    /// Limits on its process. Each key replaces the same key of the tournament's cage.
    pub cage: Option<Cage>,
}

impl Engine {
    /// The threads that it searches with: its `threads`, or else its option `Threads`, if the configuration gives one.
    pub fn n_threads(&self) -> Option<u32> {
        let option = || {
            let found = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
            found.and_then(|(_, value)| value.0.parse().ok())
        };
        self.threads.as_ref().map(|threads| *threads.get_ref()).or_else(option)
    }

    /// What its process may use and do in a tournament with this cage.
    pub fn cage(&self, tournament: &Cage) -> Cage {
        self.cage.as_ref().map_or_else(|| tournament.clone(), |cage| cage.or(tournament))
    }
}

/// Keys for every engine. An engine's own keys take precedence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EngineDefaults {
    /// Options to set before every match. An engine's own options are added, and replace those of the same name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
    /// The threads that each engine searches with. An engine's own `threads` or option `Threads` takes precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>", range(min = 1)))]
    pub threads: Option<Spanned<u32>>,
    /// Environment variables to set. An engine's own variables are added, and replace those of the same name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// Limits instead of the tournament's, for engines without their own limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// What each process may use and do. The keys of an engine's own cage take precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cage: Option<Cage>,
}

impl EngineDefaults {
    /// Whether no key is given.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A value without a place in the file.
fn nowhere<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
const fn is_false(value: &bool) -> bool {
    !*value
}
