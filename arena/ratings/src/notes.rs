//! Warnings and explanations about ratings, as data.

use serde::Serialize;

use super::estimate::{Estimate, Verdict};
use super::general::{GameDeviation, GameSlope, General};
use super::holm::SIGNIFICANT;
use super::intervals::{FEWEST_CLUSTERS, FEWEST_DECIDED};
use super::overall::{Combined, Mean};
use super::results::{Absent, Pairing};
use super::settings::OpeningsMeant;
use super::standings::{FitMethod, FitQuality, PairingFit, Phi, Rating, Status};

/// The smallest share of forfeits that leads to a note, ...
const MANY_FORFEITS: f64 = 0.05;
/// ... together with this number of forfeits.
const FEWEST_FORFEITS: u64 = 2;

/// One warning or explanation about a scope's ratings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Note {
    /// These engines have no matches with the first pool: their ratings are on a separate scale.
    Pool {
        /// The engines of one pool.
        engines: Vec<String>,
    },
    /// Every match that could be rated was drawn.
    OnlyDraws,
    /// One side won every match that could be rated.
    OneSideWins {
        /// Whether it was the first player.
        is_first: bool,
    },
    /// No engine both won and lost: ratings are relative to one engine of each pool.
    Alone {
        /// This engine of each pool.
        engines: Vec<String>,
    },
    /// These engines won every match against the others.
    NoUpperBound {
        /// The engines.
        engines: Vec<String>,
    },
    /// These engines lost every match against the others.
    NoLowerBound {
        /// The engines.
        engines: Vec<String>,
    },
    /// No match connects these engines with the core.
    NotComparable {
        /// The engines.
        engines: Vec<String>,
    },
    /// The prior has a noticeable influence on these ratings.
    Weak {
        /// The engines.
        engines: Vec<String>,
    },
    /// Engines with too few decided pairs: their errors are widened and approximate, and no ranks are given.
    Few {
        /// Each engine with its decided pairs.
        engines: Vec<DecidedPairs>,
    },
    /// Pairings share only few openings.
    FewOpenings {
        /// The effective number of shared openings.
        openings: f64,
    },
    /// Ratings do not explain the results of all pairings.
    LackOfFit {
        /// How far pairings deviate beyond chance: a standard deviation in Elo.
        spread: f64,
        /// The p-value of this deviation.
        p: f64,
        /// How the p-value was computed.
        method: FitMethod,
    },
    /// A pairing that deviates significantly from the ratings.
    Outlier(PairingFit),
    /// A cycle: each engine beats the next by their own matches, and the last one beats the first.
    Cycle {
        /// The three engines.
        engines: [String; 3],
    },
    /// Neither pairs nor openings are known.
    NoPairs,
    /// Swapping the sides saved matches.
    PairsSaved {
        /// The part saved, 0 to 1.
        part: f64,
        /// The lower end of its interval, above 0.
        low: f64,
        /// The upper end of its interval.
        high: f64,
    },
    /// Matches without a partner.
    SingleMatches {
        /// Their number.
        matches: u64,
    },
    /// Copies: matches with the same moves as another one of the same engines, sides and opening.
    Copies {
        /// Their number.
        matches: u64,
    },
    /// Engines with many forfeits.
    Forfeits {
        /// Each engine with its forfeits.
        engines: Vec<EngineForfeits>,
    },
    /// Engines that started in none of their matches; these are not rated.
    Absent {
        /// The engines.
        engines: Vec<String>,
        /// The number of these matches.
        matches: u64,
    },
    /// Overall: fewer than two engines are rated in every game.
    NoOverall {
        /// The number of games.
        n_games: usize,
        /// The games without any rating.
        unrated_games: Vec<String>,
    },
    /// Overall: engines without a two-sided rating in every game.
    SomeGames {
        /// The engines.
        engines: Vec<String>,
    },
    /// Overall: how far ratings differ between games.
    GameDifferences {
        /// A standard deviation in Elo, beyond the ratings' errors.
        spread: f64,
        /// The lower end of its interval. At 0 no difference was found.
        low: f64,
        /// The upper end of its interval.
        high: f64,
        /// The p-value of this difference.
        p: Option<f64>,
    },
    /// Overall: the spread of the ratings in each game, relative to the overall ratings.
    Slopes {
        /// One slope per game.
        slopes: Vec<GameSlope>,
    },
    /// Overall: an engine that is significantly better or worse in one game than overall.
    Specialist(GameDeviation),
    /// Overall: why there is no general strength.
    NoGeneralStrength(NoGeneralStrength),
    /// Engines for which it is too early for an interval that is valid at any time.
    TooEarly {
        /// The engines.
        engines: Vec<String>,
        /// The pairs that each engine needs in every game.
        fewest_pairs: u64,
        /// The number of decided pairs that it needs.
        fewest_decided: u64,
    },
    /// A remark of the caller.
    Remark {
        /// The text.
        text: String,
    },
    /// The ratings could not be made relative to the anchor.
    NoAnchor {
        /// The anchor's name.
        engine: String,
        /// The reason.
        reason: NoAnchor,
    },
    /// Standard errors, with those by the bootstrap.
    Bootstrap {
        /// The number of resamplings.
        times: u32,
        /// The two errors of each engine, in Elo.
        engines: Vec<StandardErrors>,
    },
    /// Engines whose bootstrap error differs by more than `tolerance`.
    BootstrapDiffers {
        /// The engines.
        engines: Vec<String>,
        /// The tolerated relative difference.
        tolerance: f64,
    },
}

/// An engine's decided pairs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecidedPairs {
    /// The engine's name.
    pub engine: String,
    /// Pairs in which the two sides scored differently.
    pub decided: u64,
    /// All pairs that the rating uses.
    pub pairs: u64,
}

/// An engine's forfeits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineForfeits {
    /// The engine's name.
    pub engine: String,
    /// Losses by forfeit: exceeded time, a crash, an illegal move and so on.
    pub forfeits: u64,
    /// Matches played.
    pub matches: u64,
}

/// An engine's standard errors, Elo.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StandardErrors {
    /// The engine's name.
    pub engine: String,
    /// By the model.
    pub se: f64,
    /// By resampling.
    pub se_bootstrap: f64,
}

/// Why the ratings are not relative to the anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoAnchor {
    /// It has no match.
    NoMatch,
    /// It has no matches with the largest pool.
    OtherPool,
    /// It won every match against the others.
    WonAll,
    /// It lost every match against the others.
    LostAll,
    /// It has no rating.
    Unrated,
    /// It never started.
    Absent,
    /// It is rated in some games only.
    SomeGames {
        /// Games in which it has a two-sided rating.
        rated: usize,
        /// Games with any match.
        of: usize,
    },
}

/// Why there is no general strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum NoGeneralStrength {
    /// There are more engines than the limit.
    TooManyEngines {
        /// The limit.
        most: usize,
    },
    /// Too few engines are rated in several games.
    TooFewEngines,
    /// Some games have no rated engine in common.
    Disconnected,
}

/// The notes on one game.
pub(super) fn of_game(
    estimate: &Estimate,
    engines: &[Rating],
    phi: Option<&Phi>,
    fit: Option<&FitQuality>,
) -> Vec<Note> {
    let mut notes = pools(engines);
    notes.extend(verdict(estimate));
    for (status, note) in [
        (Status::Alone, (|engines| Note::Alone { engines }) as fn(Vec<String>) -> Note),
        (Status::Above, |engines| Note::NoUpperBound { engines }),
        (Status::Below, |engines| Note::NoLowerBound { engines }),
        (Status::NotComparable, |engines| Note::NotComparable { engines }),
    ] {
        notes.extend(some(named(engines, |rating| rating.status == status)).map(note));
    }
    notes.extend(some(named(engines, |rating| rating.weak)).map(|engines| Note::Weak { engines }));
    notes.extend(few_decided(estimate, engines));
    notes.extend(few_openings(estimate));
    notes.extend(fit.map(lack_of_fit).unwrap_or_default());
    notes.extend(pairs(estimate, phi));
    notes.extend(
        Some(estimate.results.copies).filter(|&copies| 0 < copies).map(|matches| Note::Copies { matches }),
    );
    notes.extend(forfeits(engines));
    notes.extend(absent(&estimate.results.absent));
    notes
}

/// The note on engines that never started.
pub(super) fn absent(absent: &[Absent]) -> Option<Note> {
    let engines = some(absent.iter().map(|absent| absent.engine.clone()).collect())?;
    Some(Note::Absent { engines, matches: absent.iter().map(|absent| absent.matches).sum() })
}

/// The notes on all games together.
pub(super) fn of_overall(
    combined: &Combined,
    mean: Option<&Mean>,
    engines: &[Rating],
    general: Result<&General, NoGeneralStrength>,
) -> Vec<Note> {
    let mut notes: Vec<Note> = some(named(engines, |rating| rating.status == Status::Alone))
        .map(|engines| Note::Alone { engines })
        .into_iter()
        .collect();
    if mean.is_none() {
        let ratings = combined.games.iter().zip(&combined.ratings);
        notes.push(Note::NoOverall {
            n_games: combined.games.len(),
            unrated_games: ratings
                .filter(|(_, ratings)| ratings.is_none())
                .map(|(game, _)| game.clone())
                .collect(),
        });
    } else {
        let missing = named(engines, |rating| matches!(rating.status, Status::SomeGames { .. }));
        notes.extend(some(missing).map(|engines| Note::SomeGames { engines }));
    }
    match general {
        Ok(general) => notes.extend(differences(general, engines)),
        Err(reason) => notes.push(Note::NoGeneralStrength(reason)),
    }
    notes
}

/// The note on ratings without an interval yet.
pub(super) fn too_early(engines: &[Rating]) -> Option<Note> {
    let engines = some(named(engines, |rating| rating.status == Status::TooEarly))?;
    Some(Note::TooEarly { engines, fewest_pairs: FEWEST_CLUSTERS, fewest_decided: FEWEST_DECIDED })
}

/// The notes on standard errors and those of `times` resamplings. With few clusters the two differ, because the
/// ratings' own errors then rely on the model.
pub(super) fn bootstrap(engines: &[Rating], times: u32, fewest_clusters: u64) -> Vec<Note> {
    const ENOUGH_CLUSTERS: u64 = 30;
    const TOLERANCE: f64 = 0.15;
    let errors: Vec<StandardErrors> = engines
        .iter()
        .filter_map(|rating| {
            Some(StandardErrors {
                engine: rating.engine.clone(),
                se: rating.se?,
                se_bootstrap: rating.se_bootstrap?,
            })
        })
        .collect();
    if errors.is_empty() {
        return Vec::new();
    }
    let differ = errors.iter().filter(|it| TOLERANCE * it.se < (it.se_bootstrap - it.se).abs());
    let differ =
        some(differ.map(|it| it.engine.clone()).collect()).filter(|_| ENOUGH_CLUSTERS <= fewest_clusters);
    let differ = differ.map(|engines| Note::BootstrapDiffers { engines, tolerance: TOLERANCE });
    std::iter::once(Note::Bootstrap { times, engines: errors }).chain(differ).collect()
}

/// The differences between the games.
fn differences(general: &General, engines: &[Rating]) -> Vec<Note> {
    let mut notes = vec![Note::GameDifferences {
        spread: general.spread,
        low: general.spread_low,
        high: general.spread_high,
        p: general.p,
    }];
    // Without significant differences between ratings, a slope has no meaning.
    let are_told_apart = engines.iter().any(|rating| rating.rank_low.is_some_and(|rank| 1 < rank));
    if !general.slopes.is_empty() && are_told_apart {
        notes.push(Note::Slopes { slopes: general.slopes.clone() });
    }
    notes.extend(general.deviations.iter().filter(|it| it.is_specialist).cloned().map(Note::Specialist));
    notes
}

fn pools(engines: &[Rating]) -> Vec<Note> {
    let n_pools = engines.iter().map(|rating| rating.pool).max().unwrap_or(0);
    (2..=n_pools).map(|pool| Note::Pool { engines: named(engines, |rating| rating.pool == pool) }).collect()
}

fn verdict(estimate: &Estimate) -> Option<Note> {
    match estimate.verdict {
        Verdict::Regular | Verdict::NoFit => None,
        Verdict::OnlyDraws => Some(Note::OnlyDraws),
        Verdict::ColourDecides => {
            let is_first = estimate
                .fitted()
                .iter()
                .any(|pairing| pairing.cells().iter().any(|cell| cell.2.white_wins != 0));
            Some(Note::OneSideWins { is_first })
        }
    }
}

/// If all matches were drawn, or the side decides all, there is no rating that few decided pairs could make uncertain.
fn few_decided(estimate: &Estimate, engines: &[Rating]) -> Option<Note> {
    let few = |rating: &Rating| {
        let engine = estimate.results.engines.binary_search(&rating.engine).ok().filter(|_| rating.few)?;
        Some(DecidedPairs {
            engine: rating.engine.clone(),
            decided: estimate.clustered.n_decided[engine],
            pairs: estimate.clustered.n_clusters[engine],
        })
    };
    some(engines.iter().filter_map(few).collect()).map(|engines| Note::Few { engines })
}

fn few_openings(estimate: &Estimate) -> Option<Note> {
    const FEW_OPENINGS: f64 = 5.0;
    let openings = estimate.clustered.shared.effective_in_all;
    let has_few = 0.0 < openings && openings < FEW_OPENINGS && estimate.openings == OpeningsMeant::Similar;
    (has_few && estimate.verdict == Verdict::Regular).then_some(Note::FewOpenings { openings })
}

fn lack_of_fit(fit: &FitQuality) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(p) = fit.p.filter(|&p| p < SIGNIFICANT) {
        notes.push(Note::LackOfFit { spread: fit.spread, p, method: fit.method });
    }
    notes.extend(fit.pairings.iter().filter(|pairing| pairing.is_named).cloned().map(Note::Outlier));
    notes.extend(fit.cycles.iter().cloned().map(|engines| Note::Cycle { engines }));
    notes
}

/// The effect of pairs, and the matches without a partner.
fn pairs(estimate: &Estimate, phi: Option<&Phi>) -> Vec<Note> {
    let pairings = &estimate.results.pairings;
    if !pairings.iter().any(|pairing| pairing.has_clusters) {
        return vec![Note::NoPairs];
    }
    let mut notes = Vec::new();
    let singles: u64 = pairings.iter().map(single_matches).sum();
    let is_mostly_pairs = 2 * singles <= estimate.results.matches();
    if let Some(Phi { saved, .. }) = phi.filter(|phi| 0.0 < phi.saved.low)
        && estimate.verdict == Verdict::Regular
        && is_mostly_pairs
    {
        notes.push(Note::PairsSaved { part: saved.value, low: saved.low, high: saved.high });
    }
    if 0 < singles {
        notes.push(Note::SingleMatches { matches: singles });
    }
    notes
}

/// The engines whose rating depends to a large part on their forfeits.
fn forfeits(engines: &[Rating]) -> Option<Note> {
    let has_many = |rating: &&Rating| {
        FEWEST_FORFEITS <= rating.forfeits && MANY_FORFEITS * rating.matches as f64 <= rating.forfeits as f64
    };
    let of = |rating: &Rating| EngineForfeits {
        engine: rating.engine.clone(),
        forfeits: rating.forfeits,
        matches: rating.matches,
    };
    some(engines.iter().filter(has_many).map(of).collect()).map(|engines| Note::Forfeits { engines })
}

/// The number of clusters with a single match.
fn single_matches(pairing: &Pairing) -> u64 {
    pairing
        .clusters
        .iter()
        .filter(|kind| kind.outcomes.matches() == 1)
        .map(|kind| u64::from(kind.count))
        .sum()
}

fn named(engines: &[Rating], is_meant: impl Fn(&Rating) -> bool) -> Vec<String> {
    engines.iter().filter(|rating| is_meant(rating)).map(|rating| rating.engine.clone()).collect()
}

fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    Some(list).filter(|list| !list.is_empty())
}
