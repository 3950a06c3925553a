//! The configuration's tables and keys. Their doc comments are the JSON schema's descriptions.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use engine_proto::{GameId, Games};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
#[cfg(feature = "schema")]
use serde::Serialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::cage::Cage;
use super::league::LeagueKeys;
use super::machines::Machines;
use super::rounds::{KnockoutKeys, SwissKeys};
use super::stop::{AdaptiveKeys, Stop};
use super::tune::TuneKeys;
use super::value::{GameName, Key, OptionValue, Time};
use host::machine::usable_cores;
use model::{Book, BookOrder, OffTurn, OnMachineDelay, Protocol, Size};
use opponent::is_chess;

/// A tournament: its engines, games, limits and rules.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Config {
    /// The tournament as a whole.
    #[serde(default)]
    pub tournament: Tournament,
    /// How long every engine may think, unless it has its own limits. With several tables `[[limits]]`, every pairing plays all its
    /// pairs under each of them.
    #[serde(default = "one_default", deserialize_with = "one_or_several")]
    #[cfg_attr(feature = "schema", schemars(with = "OneOrSeveral"))]
    pub limits: Vec<Limits>,
    /// How long the arena waits for an engine while no clock runs.
    #[serde(default)]
    pub timeouts: Timeouts,
    /// When a match ends early because both engines agree on its result. Without rules: never.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// When the tournament ends before all matches are played. Without rules: never.
    #[serde(default)]
    pub stop: Stop,
    /// The options of an engine that `arena tune` tunes.
    pub tune: Option<TuneKeys>,
    /// The league that `arena league` plays, if the file is a league's `league.toml`.
    pub league: Option<LeagueKeys>,
    /// Settings of the format `adaptive`.
    #[serde(default)]
    pub adaptive: AdaptiveKeys,
    /// Settings of the format `swiss`.
    #[serde(default)]
    pub swiss: SwissKeys,
    /// Settings of the format `knockout`.
    #[serde(default)]
    pub knockout: KnockoutKeys,
    /// How the tournament uses many machines. Only for `arena run --nats`.
    #[serde(default)]
    pub machines: Machines,
    /// Limits on every engine's process, unless the engine has its own.
    #[serde(default)]
    pub cage: Cage,
    /// The games to play. Without any: all games from their default starts, apart from those that must be named.
    #[serde(default, rename = "game")]
    pub games: Vec<Game>,
    /// Keys for every engine. An engine's own keys take precedence.
    #[serde(default)]
    pub engine_defaults: EngineDefaults,
    /// Engines that meet more or less often than the others.
    #[serde(default, rename = "pairing")]
    pub pairings: Vec<PairingPairs>,
    /// The engines that take part, at least two.
    #[serde(default, rename = "engine")]
    pub engines: Vec<Engine>,
    /// The games that it may name, with those whose rules it names.
    #[serde(skip)]
    pub known_games: Games,
}

impl Config {
    /// The largest number of pairs that two engines play in the game, which is the number of openings that it needs.
    pub fn n_most_pairs(&self, game: GameId) -> u32 {
        let of_game = |pairing: &&PairingPairs| {
            pairing.games.as_ref().is_none_or(|games| games.get_ref().contains(&GameName(game)))
        };
        let own = self.pairings.iter().filter(of_game).map(|pairing| pairing.pairs);
        own.chain([self.n_own_pairs()]).max().unwrap_or_default()
    }

    /// Whether the format and the games of two engines, given by index, allow to pair them.
    pub fn may_meet(&self, first: usize, second: usize) -> bool {
        let [one, other] = [&self.engines[first], &self.engines[second]];
        let by_format = match self.tournament.format {
            Format::RoundRobin | Format::Adaptive | Format::Swiss | Format::Knockout => true,
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
        if self.games.iter().any(|game| is_chess(game.game())) { Protocol::Auto } else { Protocol::Ugi }
    }

    /// The games to play: those listed, or all.
    pub fn games_to_play(&self) -> Vec<Game> {
        if self.games.is_empty() {
            self.known_games.all().map(Game::of).collect()
        } else {
            self.games.clone()
        }
    }
}

/// The tournament as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Tournament {
    /// The name in headings. Default: the file's name without its ending.
    pub name: Option<String>,
    /// Which engines meet. Default: `round-robin`.
    pub format: Format,
    /// For `gauntlet`: the engines that meet all others, by name.
    pub seeds: Vec<Key<String>>,
    /// For `gauntlet` with several seeds: whether they meet each other as well. Default: false.
    pub seeds_meet: bool,
    /// Pairs of matches, with the sides swapped, per pairing and game; for `adaptive`, and with `[stop]`, the maximum. Default: 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub pairs: Key<u32>,
    /// Matches played at once. Default: the number of cores; one less if there are more than two.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub concurrency: Key<u16>,
    /// Processors for all matches together. A match uses the larger of its two engines' `threads`. Default: all that the
    /// arena may use.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub cores: Option<Key<u32>>,
    /// Memory for all matches together. A match uses the sum of the `memory` in the cages of its two engines. Default: not counted.
    pub memory: Option<Key<Size>>,
    /// Whether each match and its two engines run on their own processors. Linux only. Default: true.
    pub pin: Option<bool>,
    /// After this number of matches lost by its own fault, an engine retires: its other matches are forfeited, reason
    /// `retired`. Default: no limit.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub max_faults: Option<Key<u32>>,
    /// Whether engines with the option `Ponder` think on their opponents' time. A match then uses the processors of both
    /// engines. Default: false.
    pub ponder: bool,
    /// Whether an engine may resign. Otherwise `bestmove resign` is an illegal move. Default: true.
    pub resign: Option<bool>,
    /// Whether engines may agree to a draw. Otherwise their offers are ignored. Default: true.
    pub draw_offers: Option<bool>,
    /// What happens to a match that was lost on time while the machine was busy (Linux only). Default: `count`.
    pub on_machine_delay: OnMachineDelay,
    /// What happens if an engine computes while it is not on the move (Linux only). Default: `warn`.
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
            pairs: 1.into(),
            concurrency: default_concurrency().into(),
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// All engines meet each other.
    #[default]
    RoundRobin,
    /// The engines in `seeds` meet all others.
    Gauntlet,
    /// All engines meet each other, more often where a pair gives more information.
    Adaptive,
    /// In each round, engines with similar scores meet that have not met before.
    Swiss,
    /// The loser of a meeting leaves, until one engine is left. The seeds are the engines in their order in the file.
    Knockout,
}

/// How long an engine may think about its moves. All given limits apply together. A table without `base`, `movetime`,
/// `nodes` and `depth` means a base of 10 s and an increment of 100 ms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Limits {
    /// The name in results and options. Only for several `[[limits]]`, each of which needs one.
    pub name: Option<Key<String>>,
    /// Time on each side's clock at the start.
    pub base: Option<Key<Time>>,
    /// Time added to a side's clock after each of its moves. Needs `base`.
    pub increment: Option<Key<Time>>,
    /// After this number of moves of a side, `base` is added to its clock again. Needs `base`.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub moves_to_go: Option<Key<u32>>,
    /// Time for each move.
    pub movetime: Option<Key<Time>>,
    /// Positions to search for each move.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub nodes: Option<Key<u64>>,
    /// Depth to search for each move, in plies.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub depth: Option<Key<u32>>,
    /// How far below zero a clock may fall, in total, before the match is lost. Default: 20 ms; in an engine's own limits,
    /// the tournament's margin.
    pub margin: Option<Time>,
    /// After this number of plies, the match is a draw, reason `move-cap`. Only in the tournament's limits. Default: 400.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub max_plies: Option<Key<u32>>,
}

fn one_default() -> Vec<Limits> {
    vec![Limits::default()]
}

/// Reads `[limits]`, or several `[[limits]]`.
fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Limits>, D::Error> {
    struct Tables;
    impl<'de> Visitor<'de> for Tables {
        type Value = Vec<Limits>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("struct Limits")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Vec<Limits>, A::Error> {
            Ok(vec![Limits::deserialize(MapAccessDeserializer::new(map))?])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut tables: A) -> Result<Vec<Limits>, A::Error> {
            let mut all = Vec::new();
            while let Some(limits) = tables.next_element()? {
                all.push(limits);
            }
            Ok(if all.is_empty() { one_default() } else { all })
        }
    }
    deserializer.deserialize_any(Tables)
}

/// What [`one_or_several`] reads.
#[cfg(feature = "schema")]
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, clippy::large_enum_variant, reason = "only for its schema")]
enum OneOrSeveral {
    One(Limits),
    Several(Vec<Limits>),
}

impl Limits {
    /// The name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_ref().map(|name| name.get_ref().as_str())
    }

    /// Whether any limit on thinking is given.
    pub fn names_any(&self) -> bool {
        self.base.is_some() || self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some()
    }
}

/// How long the arena waits for an engine while no clock runs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Adjudication {
    /// When the match is a draw, reason `adjudicated-draw`. Default: never.
    pub draw: Option<DrawRule>,
    /// When the match is won, reason `adjudicated-win`. Default: never.
    pub win: Option<WinRule>,
}

/// Both engines claim that the position is even.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DrawRule {
    /// The scores of both engines are between minus this number and this number, in hundredths of their units.
    pub score: u32,
    /// Whether a move that is progress, such as a capture, ends the row of moves. Default: false.
    #[serde(default)]
    pub without_progress: bool,
    /// For this number of moves of each side in a row.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub moves: Key<u32>,
    /// Not before this number of plies of the match. Default: 0.
    #[serde(default)]
    pub after_plies: u32,
}

/// Both engines claim that the same side wins.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WinRule {
    /// One engine's score is at least this number and the other's at most minus this number, in hundredths of their units.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub score: Key<u32>,
    /// For this number of moves of each side in a row.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub moves: Key<u32>,
    /// Whether it is enough that the losing engine reports its score. Default: false.
    #[serde(default)]
    pub one_sided: bool,
}

/// A game to play, and where its matches start.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Game {
    /// The game's id, as `arena games` lists it.
    pub id: Key<GameName>,
    /// A program with the rules of the game and its arguments, for a game that the arena does not know.
    pub referee: Option<Key<Vec<String>>>,
    /// Limits and sandbox of the processes of `referee`.
    pub referee_cage: Option<Cage>,
    /// A named start, as `arena games` lists them, or a FEN. Default: the game's first start.
    pub start: Option<Key<String>>,
    /// A file of openings: one FEN or EPD per line, or games if its name ends with `.pgn`. Empty lines and lines that begin with
    /// `#` are ignored. The path is relative to the current folder.
    pub openings: Option<Key<PathBuf>>,
    /// The number of plies to use of each game of a PGN file. Default: all.
    pub book_plies: Option<Key<u32>>,
    /// The order of the openings of the file. `random` is the same for the same `seed`. Default: `sequential`.
    pub book_order: Option<Key<BookOrder>>,
    /// The first opening of the file that is played; after the last one, the first one follows. Default: 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub book_start: Option<Key<u32>>,
    /// Whether the openings begin again with the first one if there are fewer than pairs. Default: false.
    #[serde(default)]
    pub repeat_openings: bool,
    /// Random plies after the start, drawn with the tournament's seed. Default: 4; 0 with a file of openings.
    pub opening_plies: Option<Key<u32>>,
}

impl Game {
    /// The game with the defaults of all keys.
    pub fn of(game: GameId) -> Self {
        Self {
            id: GameName(game).into(),
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
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PairingPairs {
    /// The names of the two engines.
    pub engines: Key<Vec<String>>,
    /// The games that this pairing is about. Default: all.
    pub games: Option<Key<Vec<GameName>>>,
    /// Pairs of matches in each of these games. 0: they do not meet.
    pub pairs: u32,
}

/// An engine that takes part.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Engine {
    /// Its name in the results, different from all others.
    pub name: Key<String>,
    /// The program: a path relative to the current folder, or a name to look up on `PATH`.
    pub command: Key<PathBuf>,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// The protocol that it speaks: `ugi`, `uci`, or `auto` for the one that it answers to. Default: `auto` in a tournament
    /// with chess or Chess960, otherwise `ugi`.
    pub protocol: Option<Protocol>,
    /// A command that builds the program, run once before the tournament, in the current folder.
    #[serde(default)]
    pub build: Vec<String>,
    /// Options to set before every match.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// The number of threads that it searches with, and of processors that its matches use. Default: its option `Threads`,
    /// or 1 without that option.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: Option<Key<u32>>,
    /// The folder that the engine runs in. Default: the current folder.
    pub directory: Option<Key<PathBuf>>,
    /// Environment variables to set for it, in addition to those of the arena.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// The games to play. Default: all games of the tournament that the engine lists.
    pub games: Option<Key<Vec<GameName>>>,
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EngineDefaults {
    /// Options to set before every match. An engine's own options are added, and replace those of the same name.
    pub options: BTreeMap<String, OptionValue>,
    /// The threads that each engine searches with. An engine's own `threads` or option `Threads` takes precedence.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: Option<Key<u32>>,
    /// Environment variables to set. An engine's own variables are added, and replace those of the same name.
    pub environment: BTreeMap<String, String>,
    /// Limits instead of the tournament's, for engines without their own limits.
    pub limits: Option<Limits>,
    /// What each process may use and do. The keys of an engine's own cage take precedence.
    pub cage: Option<Cage>,
}
