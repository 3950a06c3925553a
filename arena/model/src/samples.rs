//! Values for tests: a tournament of two engines, a job of it, and a record.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use engine_proto::games::push_push::PushPush;
use engine_proto::{GameId, Games, Position, Side};
use ratings::MatchResult;

use super::{
    Book, Engine, Format, FormatVersion, GameSetup, Job, Machines, MatchRules, OffTurn, OnMachineDelay,
    Player, Record, Resources, StopRules, TimeControl, Timeouts, Tournament,
};

/// 100 nodes a move.
pub fn time_control() -> TimeControl {
    TimeControl {
        nodes: Some(100),
        margin: Duration::from_millis(20),
        ..TimeControl::unlimited(Duration::from_secs(60))
    }
}

/// An engine with default settings.
pub fn engine(name: &str) -> Engine {
    let timeouts = Timeouts {
        start: Duration::from_secs(10),
        ready: Duration::from_secs(30),
        quit: Duration::from_secs(1),
    };
    Engine::new(name, Path::new(name), time_control(), timeouts)
}

/// The default rules.
pub fn rules() -> MatchRules {
    MatchRules::new(400)
}

/// A round robin of one game, Push.
pub fn tournament(engines: &[&str], pairs: u32) -> Tournament {
    Tournament {
        format_version: FormatVersion,
        name: "cup".to_owned(),
        pairs,
        seed: 1,
        results: PathBuf::from("results/cup"),
        max_faults: None,
        on_machine_delay: OnMachineDelay::Count,
        off_turn: OffTurn::default(),
        format: Format::RoundRobin,
        resources: Resources { concurrency: 2, cores: 2, memory: None, pin: false },
        rules: rules(),
        limits: Vec::new(),
        stop: StopRules::default(),
        tune: None,
        machines: Machines::default(),
        games: vec![GameSetup {
            id: GameId::PUSH,
            start: None,
            openings: None,
            book: Book::default(),
            opening_plies: 4,
            referee: None,
        }],
        pairings: Vec::new(),
        engines: engines.iter().map(|name| Arc::new(engine(name))).collect(),
        known_games: Games::default(),
    }
}

/// The first match between the engines `one` and `two`.
pub fn job() -> Job {
    let game = GameId::PUSH_PUSH;
    let player =
        |name, side| Player { engine: Arc::new(engine(name)), build: None, seed: Job::seed(1, 1, side) };
    Job {
        format_version: FormatVersion,
        number: 1,
        pair: 1,
        game,
        limits: None,
        opening: PushPush::INFO.starts[0].fen.to_owned(),
        players: [player("one", Side::White), player("two", Side::Black)],
        rules: rules(),
        on_machine_delay: OnMachineDelay::Count,
        off_turn: OffTurn::default(),
    }
}

/// The record of [`job`], won by White.
pub fn record() -> Record {
    Record::without_moves(&job(), MatchResult::WhiteWins, "time")
}
