//! `<engine> bench`: the engine searches fixed positions of all games, and prints its speed and a signature of its
//! results. It changes no setting and plays no match.
//!
//! A change that must not change the play keeps the signature. The signature depends only on the engine's code and
//! weights, not on the machine, and has a value for each evaluation. The positions, six of each game, are from real matches.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use engine_proto::bits::mix64;
use engine_proto::proto::{Info, Limits};
use engine_proto::sdk::{Engine, Search};
use engine_proto::{GameId, Play, Position, Searchable};

use crate::eval::{self, EvalWork, Evaluation, Evaluator};
use crate::roster::Kind;
use crate::search::Settings;

/// The results of an engine for the positions of all games.
#[derive(Clone, Debug)]
pub struct Bench {
    rows: Vec<Row>,
}

/// The results for one game.
#[derive(Clone, Debug)]
struct Row {
    game: GameId,
    nodes: u64,
    time: Duration,
    /// A hash of its moves, their scores, depths and nodes.
    signature: u64,
}

/// A game and a position of it, per line. A game without a line is measured at its starts.
const POSITIONS: &str = include_str!("positions.txt");

impl Bench {
    /// Lets the engine search each position with `nodes` positions.
    pub fn of(kind: Kind, evaluation: Evaluation, nodes: u64) -> Self {
        let row = |&game| {
            eval::with(game, Run { kind, evaluation, nodes, game }).expect("a game of the crate `games`")
        };
        Self { rows: GameId::BUILT_IN.iter().map(row).collect() }
    }

    /// The signature of all results.
    pub fn signature(&self) -> u64 {
        self.rows.iter().fold(0, |signature, row| mix64(signature ^ row.signature))
    }
}

impl fmt::Display for Bench {
    /// A table with a line for each game, and the signature.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<16} {:>9} {:>10}  signature", "game", "nodes", "nodes/s")?;
        for row in &self.rows {
            write_row(f, row.game.id(), row.nodes, row.time, row.signature)?;
        }
        let nodes = self.rows.iter().map(|row| row.nodes).sum();
        let time = self.rows.iter().map(|row| row.time).sum();
        write_row(f, "all", nodes, time, self.signature())
    }
}

fn write_row(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    nodes: u64,
    time: Duration,
    signature: u64,
) -> fmt::Result {
    let speed = nodes as f64 / time.as_secs_f64().max(1e-9);
    writeln!(f, "{name:<16} {nodes:>9} {speed:>10.0}  {signature:016x}")
}

/// One game's part of the work.
struct Run {
    kind: Kind,
    evaluation: Evaluation,
    nodes: u64,
    game: GameId,
}

impl EvalWork for Run {
    type Output = Row;

    fn run<P: Searchable, E: Evaluator<P>>(self, evaluator: E) -> Row {
        let mut row = Row { game: self.game, nodes: 0, time: Duration::ZERO, signature: 0 };
        let settings = Settings { evaluation: self.evaluation, ..Settings::default() };
        let mut engine = self.kind.engine::<P, E>(evaluator, settings);
        for fen in fens::<P>() {
            let position: P = fen.parse().expect("the positions are canonical FENs");
            let (mv, last, time) = think(&mut *engine, &Play::new(position), self.nodes);
            let nodes = last.nodes.unwrap_or_default();
            let found = format!("{mv} {:?} {:?} {nodes}", last.score, last.depth);
            row.nodes += nodes;
            row.time += time;
            row.signature = found.bytes().fold(row.signature, |hash, byte| mix64(hash ^ u64::from(byte)));
        }
        row
    }
}

/// The positions to search.
fn fens<P: Position>() -> Vec<&'static str> {
    let lines = POSITIONS.lines().filter_map(|line| line.split_once(' '));
    let listed: Vec<&str> = lines.filter(|(of, _)| *of == P::INFO.id).map(|(_, fen)| fen).collect();
    if listed.is_empty() { P::INFO.starts.iter().map(|start| start.fen).collect() } else { listed }
}

/// The engine's move, its last report and the time it took.
fn think<P: Position>(engine: &mut dyn Engine<P>, play: &Play<P>, nodes: u64) -> (P::Move, Info, Duration) {
    let last = Arc::new(Mutex::new(Info::default()));
    let kept = Arc::clone(&last);
    let search = Search::with(Limits { nodes: Some(nodes), ..Limits::default() })
        .reporting_to(move |info: &Info| *kept.lock().unwrap_or_else(PoisonError::into_inner) = info.clone());
    let mv = engine.think(play, &search).mv().expect("an engine resigns only by option");
    let time = search.elapsed();
    let last = last.lock().unwrap_or_else(PoisonError::into_inner).clone();
    (mv, last, time)
}
