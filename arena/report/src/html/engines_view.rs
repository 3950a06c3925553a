//! The engines for the page's templates. It estimates nothing.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use engine_proto::Games;
use serde::Serialize;

use super::engine_figures::{EngineFigures, Fault, Loss, PLIES_PER_POINT, Series, StatSum};
use super::match_table::shortened;
use super::played_game::PlayedGame;
use super::reasons;
use super::source::Folder;
use super::words::{count, counted, percent, short, time_us, typeset};
use crate::tables::{Number, has_many_forfeits};
use ratings::{Confidence, RatingDifference, RatingDifferences, Scope, Standings};

/// The maximum number of different faults of one engine that are shown with evidence. The list of matches has all.
const MOST_FAULTS: usize = 50;
/// The maximum number of matches with the same fault that are named at once.
const MOST_NAMED: usize = 12;
/// The maximum number of losses of one engine that are listed.
const MOST_LOSSES: usize = 3;

/// One engine.
#[derive(Debug)]
pub struct EngineView {
    /// Its index in the page's list of engines.
    pub place: usize,
    /// Its name.
    pub name: String,
    /// Its rank and its rating in the standings of all games; empty if these have none.
    pub standing: [String; 2],
    /// Its moves.
    pub moves: String,
    /// The mean time of a move.
    pub mean_time: String,
    /// The longest time of a move.
    pub max_time: String,
    /// Whether that move came later or never, and lost on time.
    pub is_max_late: bool,
    /// The mean and the largest share of the clock used in a match; without a clock, nothing.
    pub clock_used: Option<[String; 2]>,
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
    /// The engine's own numbers.
    pub stats: Vec<StatView>,
    /// The faults, equal ones together, the most frequent first.
    pub faults: Vec<FaultsView>,
    /// The number of all faults.
    pub n_faults: usize,
}

/// One of the engine's own numbers.
#[derive(Debug)]
pub struct StatView {
    /// Its name.
    pub key: String,
    /// The number of moves that have it.
    pub moves: String,
    /// The sum of its values.
    pub sum: String,
    /// The mean per move.
    pub mean: String,
    /// The largest value.
    pub largest: String,
}

/// Matches lost by the same fault.
#[derive(Debug)]
pub struct FaultsView {
    /// The matches' names in links.
    pub matches: Vec<String>,
    /// The reason in words.
    pub reason: String,
    /// The evidence of the first match.
    pub evidence: String,
}

/// The worst losses of all engines.
#[derive(Debug)]
pub struct WorstLosses {
    /// Those that are listed.
    pub listed: Vec<LossView>,
    /// How many there are.
    pub n_all: usize,
}

/// A match lost to a significantly weaker engine, or from a better position.
#[derive(Debug)]
pub struct LossView {
    /// The loser.
    pub engine: String,
    /// The match's name in links.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// The winner.
    pub opponent: String,
    /// The rating minus the opponent's, in this game.
    pub difference: String,
    /// The same to sort by.
    pub elo: f64,
    /// The loser's highest win probability.
    pub best: String,
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
    /// The view of the engine with the index `place`; the limits are those of the `folders`, and `id` names a match in links.
    pub fn new(
        place: usize,
        name: &str,
        figures: &EngineFigures,
        folders: &[Folder],
        id: impl Fn((usize, u32)) -> String,
    ) -> Self {
        const NOTHING: &str = "\u{2013}";
        let or_nothing = |text: Option<String>| text.unwrap_or_else(|| NOTHING.to_owned());
        let time = |value: Option<f64>| or_nothing(value.map(time_us));
        let longest = figures.time_us.max();
        let late = Some(figures.longest_late_us as f64).filter(|late| longest.unwrap_or_default() < *late);
        Self {
            place,
            name: name.to_owned(),
            standing: Default::default(),
            moves: or_nothing((0 < figures.time_us.n()).then(|| count(figures.time_us.n()))),
            mean_time: time(figures.time_us.mean()),
            max_time: time(late.or(longest)),
            is_max_late: late.is_some(),
            clock_used: clock_used(name, figures, folders),
            mean_difference: time(figures.difference_us.mean()),
            max_difference: time(figures.difference_us.max()),
            depth: or_nothing(figures.depth.mean().map(|depth| format!("{depth:.1}"))),
            nodes_per_second: or_nothing(figures.nodes_per_second().map(short)),
            mean_arena: time(figures.arena_us.mean()),
            time_losses: figures.n_time_losses(),
            stats: figures.stats.iter().map(|(key, stat)| StatView::new(key, stat)).collect(),
            n_faults: figures.faults.len(),
            faults: FaultsView::all(&figures.faults, id),
        }
    }
}

impl FaultsView {
    fn all(faults: &[Fault], id: impl Fn((usize, u32)) -> String) -> Vec<Self> {
        let mut faults: Vec<&Fault> = faults.iter().collect();
        faults.sort_by_key(|fault| fault.id);
        let mut kinds: BTreeMap<String, Vec<&Fault>> = BTreeMap::new();
        for fault in faults {
            kinds.entry(fault.kind()).or_default().push(fault);
        }
        let mut kinds: Vec<_> = kinds.into_values().collect();
        kinds.sort_by_key(|same| (Reverse(same.len()), same[0].id));
        let view = |same: Vec<&Fault>| Self {
            matches: same.iter().map(|fault| id(fault.id)).collect(),
            reason: reasons::in_words(&same[0].reason).into_owned(),
            evidence: shortened(&same[0].evidence),
        };
        kinds.into_iter().take(MOST_FAULTS).map(view).collect()
    }

    /// Their number, in words.
    pub fn count(&self) -> String {
        counted(self.matches.len() as u64, "match", "matches")
    }

    /// The matches that are named at once.
    pub fn named(&self) -> &[String] {
        &self.matches[..self.matches.len().min(MOST_NAMED)]
    }

    /// The other ones.
    pub fn others(&self) -> &[String] {
        &self.matches[self.named().len()..]
    }
}

impl StatView {
    fn new(key: &str, stat: &StatSum) -> Self {
        Self {
            key: key.to_owned(),
            moves: count(stat.n_moves),
            sum: stat.sum.to_string(),
            mean: format!("{:.2}", stat.mean()),
            largest: stat.largest.to_string(),
        }
    }
}

/// The mean and the largest share of its time, base and increments, that an engine used in a match: all of it if it lost on time.
fn clock_used(name: &str, figures: &EngineFigures, folders: &[Folder]) -> Option<[String; 2]> {
    let played = figures.spent.iter().filter(|spent| spent.n_moves != 0 || spent.is_late);
    let shares = played.filter_map(|spent| {
        let control = folders[spent.folder].time_control(name, spent.limits.as_deref())?;
        // With time for a number of moves, the whole depends on the length of the match.
        let base = control.base.filter(|_| control.moves_to_go.is_none())?;
        if spent.is_late {
            return Some(1.0);
        }
        let n_moves = u32::try_from(spent.n_moves).ok()?;
        let whole = base + control.increment.checked_mul(n_moves)?;
        (Duration::ZERO < whole).then(|| Duration::from_micros(spent.us).div_duration_f64(whole))
    });
    let shares: Vec<f64> = shares.collect();
    let largest = shares.iter().copied().reduce(f64::max)?;
    Some([shares.iter().sum::<f64>() / shares.len() as f64, largest].map(percent))
}

/// The worst losses of all engines, as far as the rating difference is known: first those against the engines that
/// are weaker by the most, of equals those from the highest win probability. Losses to engines with many forfeits, whose
/// ratings are too low, are left out, and the games that are too early for ratings. `id` names a match in links.
pub fn worst_losses<'a>(
    games: &Games,
    engines: impl IntoIterator<Item = (&'a str, &'a EngineFigures)>,
    standings: &'a Standings,
    is_early: impl Fn(&Scope) -> bool,
    id: impl Fn((usize, u32)) -> String,
) -> WorstLosses {
    let of_scope = |scope: &'a Scope| Some((scope.name.as_str(), RatingDifferences::of(scope)?));
    let rated_scopes = standings.scopes.iter().filter(|scope| !is_early(scope));
    let known: Known<'_> = rated_scopes.filter_map(of_scope).collect();
    let rated = || standings.scopes.first().into_iter().flat_map(|scope| &scope.engines);
    let is_counted =
        |loss: &&Loss| !rated().any(|rating| rating.engine == loss.opponent && has_many_forfeits(rating));
    let mut n_all = 0;
    let of_engine = |(name, figures): (&'a str, &'a EngineFigures)| {
        let of_loss = |loss| Surprise::of(name, loss, &known, standings.confidence);
        let mut losses: Vec<_> = figures.losses.iter().filter(is_counted).filter_map(of_loss).collect();
        losses.sort_by(Surprise::worst_first);
        n_all += losses.len();
        losses.truncate(MOST_LOSSES);
        losses
    };
    let mut losses: Vec<Surprise<'_>> = engines.into_iter().flat_map(of_engine).collect();
    losses.sort_by(Surprise::worst_first);
    let view = |Surprise { engine, loss, difference, best }: Surprise<'_>| LossView {
        engine: engine.to_owned(),
        id: id(loss.id),
        game: loss.game.name(games).into_owned(),
        opponent: loss.opponent.clone(),
        elo: round(difference.elo),
        difference: typeset(
            &Number::with_error(difference.elo, 0.5 * (difference.high - difference.low)).text(),
        ),
        best: best.map(percent).unwrap_or_default(),
    };
    WorstLosses { listed: losses.into_iter().map(view).collect(), n_all }
}

/// The differences of ratings, by game.
type Known<'a> = BTreeMap<&'a str, RatingDifferences<'a>>;

/// A loss that the ratings or the loser's own scores did not predict.
struct Surprise<'a> {
    engine: &'a str,
    loss: &'a Loss,
    /// The rating minus the opponent's.
    difference: RatingDifference,
    /// The loser's highest win probability.
    best: Option<f64>,
}

impl<'a> Surprise<'a> {
    /// The loss of `engine`, if it is a surprise.
    fn of(engine: &'a str, loss: &'a Loss, known: &Known<'_>, confidence: Confidence) -> Option<Self> {
        /// A loss from a better position than this is surprising whoever won.
        const SURPRISING: f64 = 0.75;
        let difference = known.get(&*loss.game.id())?.between(engine, &loss.opponent, confidence)?;
        let best = loss.best_score.map(win_probability);
        let is_weaker = difference.is_sure() && 0.0 < difference.elo;
        let is_surprise = is_weaker || best.is_some_and(|best| SURPRISING < best);
        is_surprise.then_some(Self { engine, loss, difference, best })
    }

    fn worst_first(&self, other: &Self) -> std::cmp::Ordering {
        let key = |it: &Self| (it.difference.elo, it.best.unwrap_or(0.0));
        let order = key(other).partial_cmp(&key(self));
        order.unwrap_or(std::cmp::Ordering::Equal).then(self.loss.id.cmp(&other.loss.id))
    }
}

/// The expected score that a score in hundredths stands for; see the help of the page.
fn win_probability(hundredths: f64) -> f64 {
    1.0 / (1.0 + (-0.00368 * hundredths).exp())
}

impl Curve {
    /// The curves of the engine with the index `engine`, by game; `place` gives the indices of games.
    pub fn all(engine: usize, figures: &EngineFigures, place: impl Fn(&PlayedGame) -> usize) -> Vec<Self> {
        let mean = |series: &Series, unit: f64| series.mean().map(|mean| round(mean / unit));
        figures
            .curves
            .iter()
            .filter(|(_, points)| 1 < points.len())
            .map(|(game, points)| Self {
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

#[cfg(test)]
mod tests {
    use super::super::engine_figures::Point;
    use super::*;

    #[test]
    fn a_curve_needs_two_moves() {
        for n_points in 0..3 {
            let mut figures = EngineFigures::default();
            let push = PlayedGame::named(engine_proto::Games::built_in(), "push");
            figures.curves.insert(push, vec![Point::default(); n_points]);
            assert_eq!(Curve::all(0, &figures, |_| 0).len(), usize::from(n_points == 2), "{n_points}");
        }
    }
}
