//! Matches between an engine that misbehaves on demand and good ones, as real processes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use engine_proto::Side;
use host::launch::Confinement;
use model::{
    Engine, FormatVersion, Job, MatchRules, OffTurn, OnMachineDelay, Player, Record, TimeControl, Timeouts,
};
use opponent::{Contender, Spawn};
use runner::pool::Place;

use crate::common::fake_engine;
use crate::common::processes::{Marker, VARIABLE};

const OPENING: &str = "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0";

/// Short enough that the cap ends a match before the rules do, long enough for the third move of each side.
pub const MAX_PLIES: u32 = 10;

fn job(number: u32, players: [&Contender; 2]) -> Job {
    let player = |side: Side| Player {
        engine: Arc::clone(&players[side.index()].engine),
        build: None,
        seed: Job::seed(1, number, side),
    };
    Job {
        format_version: FormatVersion,
        limits: None,
        number,
        pair: number.div_ceil(2),
        game: engine_proto::GameId::PUSH_PUSH,
        opening: OPENING.to_owned(),
        players: Side::ALL.map(player),
        rules: MatchRules::new(MAX_PLIES),
        on_machine_delay: OnMachineDelay::Count,
        off_turn: OffTurn::default(),
    }
}

/// A pair of matches between the faulty engine and a good one, then one between two good ones. `adjust` gets the three.
pub fn play(mode: &str, adjust: impl FnOnce(&mut [Contender])) -> [Record; 3] {
    let marker = Marker::new(&format!("faults-{mode}"));
    let mut contenders = vec![
        contender("faulty", mode, &marker.0),
        contender("good", "good", &marker.0),
        contender("fine", "good", &marker.0),
    ];
    adjust(&mut contenders);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let records = runtime.block_on(async {
        let mut place = Place::new(engine_proto::Games::default(), None, 16);
        let mut records = Vec::new();
        for (number, who) in (1..).zip([[0, 1], [1, 0], [1, 2]]) {
            let job = job(number, who.map(|idx| &contenders[idx]));
            let spawns = who.map(|idx| Arc::clone(&contenders[idx].spawn));
            let playing = place.play(&job, &spawns, None, None);
            let record = tokio::time::timeout(Duration::from_secs(30), playing).await;
            records.push(record.unwrap_or_else(|_| panic!("{mode}: match {number} does not end")).unwrap());
        }
        place.rest().await;
        records
    });
    drop(runtime);
    // At once or soon: a sandbox whose launcher was killed ends a moment later.
    marker.assert_all_gone(mode);
    let records: [Record; 3] = records.try_into().unwrap();
    assert_eq!(records[2].reason, "move-cap", "{mode}: {:?}", records[2]);
    records
}

/// A contender that behaves as `mode` says. `marker` goes into its environment, to find what is left of it.
pub fn contender(name: &str, mode: &str, marker: &str) -> Contender {
    let time_control = TimeControl {
        move_time: Some(Duration::from_millis(200)),
        margin: Duration::from_millis(100),
        ..TimeControl::unlimited(Duration::from_secs(5))
    };
    let timeouts = Timeouts {
        start: Duration::from_secs(2),
        ready: Duration::from_millis(500),
        quit: Duration::from_millis(200),
    };
    let spawn = Spawn {
        program: fake_engine(),
        args: vec![mode.to_owned()],
        directory: None,
        environment: BTreeMap::from([(VARIABLE.to_owned(), marker.to_owned())]),
        environment_allow: None,
        confinement: Confinement::default(),
        launcher: cfg!(target_os = "linux").then(|| env!("CARGO_BIN_EXE_arena").into()),
        log: None,
    };
    let engine = Engine::new(name, &spawn.program, time_control, timeouts);
    Contender { engine: Arc::new(engine), spawn: Arc::new(spawn) }
}

/// What a test may change about an engine.
pub fn engine(contender: &mut Contender) -> &mut Engine {
    Arc::make_mut(&mut contender.engine)
}

/// What a test may change about the start of an engine.
pub fn spawn(contender: &mut Contender) -> &mut Spawn {
    Arc::make_mut(&mut contender.spawn)
}

/// So much time for everything that no slow machine needs it: for engines that are not at fault by the clock.
pub fn be_patient(contenders: &mut [Contender]) {
    for contender in contenders {
        let engine = engine(contender);
        engine.time_control.margin = Duration::from_secs(20);
        engine.timeouts.start = Duration::from_secs(20);
        engine.timeouts.ready = Duration::from_secs(20);
    }
}

/// A busy machine is no fault but of the first engine while it thinks: one that hangs loses on time, and one that writes without end fills
/// what it is allowed to.
pub fn be_patient_but_for_thinking(contenders: &mut [Contender]) {
    be_patient(contenders);
    engine(&mut contenders[0]).time_control.margin = Duration::from_secs(2);
}
