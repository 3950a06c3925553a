//! The sufficient statistics of all ratings, counted match by match. Nothing is estimated here, and no text is kept
//! but the names of games and engines.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use games::Side;

use super::cluster_counts::ClusterCounts;
use super::copies::Copies;
use super::move_list::MoveList;
use super::names::Names;
use super::results::{Absent, ClusterKind, OpeningCluster, Outcomes, Pairing, Results};
use crate::MatchResult;

/// One finished match, as the ratings see it.
#[derive(Clone, Copy, Debug)]
pub struct FinishedMatch<'a> {
    /// The game's id. Every text is a game of its own.
    pub game: &'a str,
    /// The engine that moved first.
    pub white: &'a str,
    /// The engine that moved second.
    pub black: &'a str,
    /// The result.
    pub result: MatchResult,
    /// The pair it belongs to: two matches from one opening, sides swapped.
    pub pair: Option<&'a str>,
    /// The opening it started from.
    pub opening: Option<&'a str>,
    /// Its moves, if they are known.
    pub moves: Option<MoveList>,
    /// How it came to its result.
    pub ending: Ending,
}

/// How a match came to its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It was played to its end.
    Played,
    /// The loser lost by its own fault, such as time, a crash or an illegal move. It is a loss all the same.
    Forfeited,
    /// The loser did not start; neither engine did if there is none. It is a loss like any other, but for an engine that
    /// never starts: see [`Tally`].
    NotStarted,
}

impl<'a> FinishedMatch<'a> {
    /// A match of which no more is known.
    pub const fn new(game: &'a str, white: &'a str, black: &'a str, result: MatchResult) -> Self {
        Self { game, white, black, result, pair: None, opening: None, moves: None, ending: Ending::Played }
    }
}

/// Counts of matches by game, pairing and cluster: all that the ratings need to know.
///
/// A *cluster* holds the matches of one pairing in one game that are not independent of each other: those from the
/// same opening; without an opening, those of the same pair; without both, the match alone. A *copy* has the moves of an
/// earlier match of the pairing, from the same opening and with the same sides, and is always in that match's cluster. Adding
/// a match takes constant time, rating takes no longer with more matches, and memory grows with engines, pairings, clusters
/// and lists of moves.
///
/// An engine that started in none of its matches of a game is *absent* from it: these matches say nothing of anybody's
/// strength, so they are not rated.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    games: Names,
    engines: Names,
    counts: Vec<GameCounts>,
    matches: u64,
}

/// An engine can't be rated on matches against itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("engine `{}` plays against itself", games::fen::shown(.engine))]
pub struct SelfPlay {
    /// The engine.
    pub engine: String,
}

#[derive(Clone, Debug, Default)]
struct GameCounts {
    /// By the engines' numbers, the smaller one first.
    pairings: HashMap<(u32, u32), PairingCounts>,
}

#[derive(Clone, Debug, Default)]
struct PairingCounts {
    total: Outcomes,
    /// By the fingerprint of the opening or the pair.
    clusters: ClusterCounts,
    /// Matches with neither opening nor pair.
    lone: Outcomes,
    /// Whether an opening or a pair was ever named.
    has_named: bool,
    /// Where moves are known.
    copies: Option<Box<Copies>>,
    /// Matches that each engine forfeited, in the order of the key.
    forfeits: [u64; 2],
    /// Matches in which each engine did not start, in the order of the key.
    not_started: [u64; 2],
}

impl Tally {
    /// A tally without matches.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one match.
    ///
    /// # Errors
    /// If an engine plays against itself; nothing is counted then.
    pub fn add(&mut self, played: &FinishedMatch<'_>) -> Result<(), SelfPlay> {
        if played.white == played.black {
            return Err(SelfPlay { engine: played.white.to_owned() });
        }
        let game = self.games.number(played.game) as usize;
        let white = self.engines.number(played.white);
        let black = self.engines.number(played.black);
        if self.counts.len() <= game {
            self.counts.resize_with(game + 1, GameCounts::default);
        }
        let white_is_first = white < black;
        let key = if white_is_first { (white, black) } else { (black, white) };
        let pairing = self.counts[game].pairings.entry(key).or_default();
        pairing.add(white_is_first, played);
        self.matches += 1;
        Ok(())
    }

    /// How many matches were counted.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// The games that were played, by name.
    pub fn games(&self) -> Vec<&str> {
        sorted(&self.games)
    }

    /// The engines that played, by name.
    pub fn engines(&self) -> Vec<&str> {
        sorted(&self.engines)
    }

    /// The game with most engines, and how many they are; of several the first by name.
    pub fn largest_game(&self) -> Option<(&str, usize)> {
        let engines_of = |game: &GameCounts| {
            let engines: HashSet<u32> =
                game.pairings.keys().flat_map(|&(first, second)| [first, second]).collect();
            engines.len()
        };
        let sizes = self.games.texts().iter().zip(&self.counts);
        sizes
            .map(|(name, game)| (name.as_ref(), engines_of(game)))
            .max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(a.0)))
    }

    /// The results of every game, games and engines sorted by name: the same whatever the order of the matches.
    pub(super) fn results(&self) -> Vec<Results> {
        let mut results: Vec<Results> = self
            .counts
            .iter()
            .zip(self.games.texts())
            .map(|(game, name)| self.results_of(game, name))
            .collect();
        results.sort_by(|a, b| a.game.cmp(&b.game));
        results
    }

    fn results_of(&self, game: &GameCounts, name: &str) -> Results {
        let names = self.engines.texts();
        let absent = game.absent();
        let is_present = |engine: &u32| !absent.contains_key(engine);
        let played = || {
            let pairings = game.pairings.iter();
            pairings.filter(|((first, second), _)| is_present(first) && is_present(second))
        };
        let mut numbers: Vec<u32> =
            game.pairings.keys().flat_map(|&(first, second)| [first, second]).filter(is_present).collect();
        numbers.sort_unstable_by_key(|&number| &names[number as usize]);
        numbers.dedup();
        let mut index_of = vec![0; names.len()];
        for (index, &number) in numbers.iter().enumerate() {
            index_of[number as usize] = index;
        }
        // A single pairing shares its openings with none.
        let may_share = 1 < played().count();
        let mut pairings: Vec<Pairing> = played()
            .map(|(&(first, second), counts)| {
                let (first, second) = (index_of[first as usize], index_of[second as usize]);
                let mut pairing = counts.pairing(first, second);
                if may_share {
                    let oriented = if second < first { Outcomes::swapped } else { |outcomes| outcomes };
                    pairing.openings = counts.openings(&pairing.clusters, oriented);
                }
                pairing
            })
            .collect();
        pairings.sort_unstable_by_key(|pairing| (pairing.first, pairing.second));
        let mut forfeits = vec![0; numbers.len()];
        for (&(first, second), counts) in played() {
            forfeits[index_of[first as usize]] += counts.forfeits[0];
            forfeits[index_of[second as usize]] += counts.forfeits[1];
        }
        let mut absent: Vec<Absent> = absent
            .iter()
            .map(|(&number, &matches)| Absent { engine: names[number as usize].to_string(), matches })
            .collect();
        absent.sort_unstable_by(|a, b| a.engine.cmp(&b.engine));
        Results {
            absent,
            forfeits,
            copies: played().filter_map(|(_, counts)| Some(counts.copies.as_ref()?.count())).sum(),
            game: name.to_owned(),
            engines: numbers.iter().map(|&number| names[number as usize].to_string()).collect(),
            pairings,
        }
    }
}

impl GameCounts {
    /// The engines that started in none of their matches, by number, each with how many matches these are.
    fn absent(&self) -> HashMap<u32, u64> {
        if self.pairings.values().all(|pairing| pairing.not_started == [0, 0]) {
            return HashMap::new();
        }
        let mut counts: HashMap<u32, [u64; 2]> = HashMap::new();
        for (&(first, second), pairing) in &self.pairings {
            for (engine, not_started) in [(first, pairing.not_started[0]), (second, pairing.not_started[1])] {
                let [matches, of_these] = counts.entry(engine).or_default();
                *matches += pairing.total.matches();
                *of_these += not_started;
            }
        }
        let absent = counts.into_iter().filter(|(_, [matches, not_started])| matches == not_started);
        absent.map(|(engine, [matches, _])| (engine, matches)).collect()
    }
}

impl PairingCounts {
    fn add(&mut self, white_is_first: bool, played: &FinishedMatch<'_>) {
        self.total.count(white_is_first, played.result);
        let first_won = played.result.winner().map(|winner| (winner == Side::White) == white_is_first);
        if played.ending != Ending::Played
            && let Some(first_won) = first_won
        {
            self.forfeits[usize::from(first_won)] += 1;
        }
        if played.ending == Ending::NotStarted {
            self.not_started[0] += u64::from(first_won != Some(true));
            self.not_started[1] += u64::from(first_won != Some(false));
        }
        let named = cluster_of(played);
        self.has_named |= named.is_some();
        let copy = played.moves.map(|moves| no_opening(("copy", white_is_first, played.opening, moves)));
        let Some(cluster) = named.or(copy) else {
            self.lone.count(white_is_first, played.result);
            return;
        };
        let cluster = self.copies.as_ref().map_or(cluster, |copies| copies.joined(cluster));
        self.clusters.change(cluster, |outcomes| outcomes.count(white_is_first, played.result));
        let Some(copy) = copy else { return };
        let copies = self.copies.get_or_insert_default();
        if played.opening.is_some() {
            copies.add_with_opening(copy);
        } else if let Some(original) = copies.add(copy, cluster) {
            let outcomes = self.clusters.remove(cluster);
            self.clusters.change(original, |joined| joined.add(outcomes));
        }
    }

    /// What the engines of these indices played, but for who else played their openings.
    fn pairing(&self, first: usize, second: usize) -> Pairing {
        let is_swapped = second < first;
        let oriented = |outcomes: Outcomes| if is_swapped { outcomes.swapped() } else { outcomes };
        let mut kinds: BTreeMap<Outcomes, u32> = self
            .clusters
            .kinds_by_idx()
            .iter()
            .filter(|&&(_, count)| count != 0)
            .map(|&(outcomes, count)| (oriented(outcomes), count))
            .collect();
        for (outcomes, count) in oriented(self.lone).single_matches() {
            *kinds.entry(outcomes).or_default() += count;
        }
        let clusters: Vec<ClusterKind> =
            kinds.into_iter().map(|(outcomes, count)| ClusterKind { outcomes, count }).collect();
        Pairing {
            first: first.min(second),
            second: first.max(second),
            total: oriented(self.total),
            clusters,
            openings: Vec::new(),
            has_clusters: self.has_named,
        }
    }

    /// The clusters that an opening makes, with their places among the `kinds`, which are `oriented`.
    fn openings(&self, kinds: &[ClusterKind], oriented: fn(Outcomes) -> Outcomes) -> Vec<OpeningCluster> {
        let place = |outcomes| kinds.binary_search_by_key(&oriented(outcomes), |kind| kind.outcomes).ok();
        let place_of: Vec<Option<usize>> =
            self.clusters.kinds_by_idx().iter().map(|&(outcomes, _)| place(outcomes)).collect();
        let mut openings: Vec<OpeningCluster> = self
            .clusters
            .clusters()
            .filter(|&(cluster, _)| is_opening(cluster))
            .filter_map(|(opening, kind)| Some(OpeningCluster { opening, kind: place_of[kind as usize]? }))
            .collect();
        openings.sort_unstable();
        openings
    }
}

/// A fingerprint stands for the text: with a million openings in one pairing two of them would meet by chance in
/// one of thirty million tallies, and two clusters would count as one.
fn cluster_of(played: &FinishedMatch<'_>) -> Option<u64> {
    match (played.opening, played.pair) {
        (Some(opening), _) => Some(fingerprint(("opening", opening)) | OPENING),
        (None, Some(pair)) => Some(no_opening(("pair", pair))),
        (None, None) => None,
    }
}

/// The bit that tells fingerprints of openings from all others.
const OPENING: u64 = 1;

fn no_opening(value: impl Hash) -> u64 {
    fingerprint(value) & !OPENING
}

fn is_opening(cluster: u64) -> bool {
    cluster & OPENING != 0
}

fn fingerprint(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn sorted(names: &Names) -> Vec<&str> {
    let mut sorted: Vec<&str> = names.texts().iter().map(AsRef::as_ref).collect();
    sorted.sort_unstable();
    sorted
}
