//! The engines for the page's templates. It estimates nothing.

use serde::Serialize;

use super::engine_figures::{EngineFigures, Fault, PLIES_PER_POINT, Series};
use super::match_table::shortened;
use super::words::{count, short, time_us};

/// The maximum number of faults of one engine that are shown with evidence. The list of matches has all.
const MOST_FAULTS: usize = 50;

/// One engine.
#[derive(Debug)]
pub struct EngineView {
    /// Its index in the page's list of engines.
    pub place: usize,
    /// Its name.
    pub name: String,
    /// Its moves.
    pub moves: String,
    /// The mean time of a move.
    pub mean_time: String,
    /// The longest time of a move.
    pub max_time: String,
    /// The mean unreported time: measured time minus reported time.
    pub mean_difference: String,
    /// The longest unreported time.
    pub max_difference: String,
    /// The mean reported depth.
    pub depth: String,
    /// The reported positions per second.
    pub nodes_per_second: String,
    /// The mean of the arena's own time before its moves.
    pub mean_arena: String,
    /// Matches lost on time.
    pub time_losses: usize,
    /// The faults that are shown.
    pub faults: Vec<FaultView>,
    /// The number of all faults.
    pub n_faults: usize,
}

/// A match lost by a fault.
#[derive(Debug)]
pub struct FaultView {
    /// The match's name in links.
    pub id: String,
    /// The game's name.
    pub game: &'static str,
    /// The reason as in records.
    pub reason: String,
    /// The evidence.
    pub evidence: String,
}

/// The curves of one engine in one game: a point for every few plies.
#[derive(Debug, Serialize)]
pub struct Curve {
    engine: usize,
    game: usize,
    /// Mean times in milliseconds; `None` without moves.
    time_ms: Vec<Option<f64>>,
    /// Mean depths, in plies.
    depth: Vec<Option<f64>>,
    /// The number of moves of each point.
    moves: Vec<u64>,
    plies_per_point: usize,
}

impl EngineView {
    /// The view of the engine with the index `place`; `id` names a match in links.
    pub fn new(
        place: usize,
        name: &str,
        figures: &EngineFigures,
        id: impl Fn((usize, u32)) -> String,
    ) -> Self {
        const NOTHING: &str = "\u{2013}";
        let or_nothing = |text: Option<String>| text.unwrap_or_else(|| NOTHING.to_owned());
        let time = |value: Option<f64>| or_nothing(value.map(time_us));
        let mut faults: Vec<&Fault> = figures.faults.iter().collect();
        faults.sort_by_key(|fault| fault.id);
        Self {
            place,
            name: name.to_owned(),
            moves: count(figures.time_us.n()),
            mean_time: time(figures.time_us.mean()),
            max_time: time(figures.time_us.max()),
            mean_difference: time(figures.difference_us.mean()),
            max_difference: time(figures.difference_us.max()),
            depth: or_nothing(figures.depth.mean().map(|depth| format!("{depth:.1}"))),
            nodes_per_second: or_nothing(figures.nodes_per_second().map(short)),
            mean_arena: time(figures.arena_us.mean()),
            time_losses: figures.n_time_losses(),
            n_faults: faults.len(),
            faults: faults
                .into_iter()
                .take(MOST_FAULTS)
                .map(|fault| FaultView {
                    id: id(fault.id),
                    game: fault.game.info().name,
                    reason: fault.reason.clone(),
                    evidence: shortened(&fault.evidence),
                })
                .collect(),
        }
    }
}

impl Curve {
    /// The curves of the engine with the index `engine`, by game; `place` gives the indices of games.
    pub fn all(
        engine: usize,
        figures: &EngineFigures,
        place: impl Fn(engine_proto::GameId) -> usize,
    ) -> Vec<Self> {
        let mean = |series: &Series, unit: f64| series.mean().map(|mean| round(mean / unit));
        figures
            .curves
            .iter()
            .map(|(&game, points)| Self {
                engine,
                game: place(game),
                time_ms: points.iter().map(|point| mean(&point.time_us, 1000.0)).collect(),
                depth: points.iter().map(|point| mean(&point.depth, 1.0)).collect(),
                moves: points.iter().map(|point| point.time_us.n()).collect(),
                plies_per_point: PLIES_PER_POINT,
            })
            .collect()
    }
}

fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
