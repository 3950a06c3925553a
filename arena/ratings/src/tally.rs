//! The counts that all ratings are computed from, collected match by match. Apart from the names of games and engines,
//! no texts are stored.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use games::Side;

use super::cluster_counts::ClusterCounts;
use super::copies::Copies;
use super::move_list::MoveList;
use super::names::Names;
use super::results::{Absent, ClusterKind, OpeningCluster, Outcomes, Pairing, Results};
use crate::MatchResult;

/// One finished match: the input of the ratings.
#[derive(Clone, Copy, Debug)]
pub struct FinishedMatch<'a> {
    /// The game's id. Each different text is a different game.
    pub game: &'a str,
    /// The engine that moved first.
    pub white: &'a str,
    /// The engine that moved second.
    pub black: &'a str,
    /// The result.
    pub result: MatchResult,
    /// The pair that it belongs to: two matches from one opening with the sides swapped.
    pub pair: Option<&'a str>,
    /// The opening that it started from.
    pub opening: Option<&'a str>,
    /// Its moves, if known.
    pub moves: Option<MoveList>,
    /// How the match ended.
    pub ending: Ending,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It was played to its end.
    Played,
    /// The loser forfeited, for example by exceeded time, a crash or an illegal move. It counts as a loss.
    Forfeited,
    /// The loser did not start; neither engine did if there is no loser. It counts as a loss, except for an engine
    /// that never starts: see [`Tally`].
    NotStarted,
    /// The loser had been taken out after too many faults and forfeited without playing; if there is no loser, both had.
    /// It counts as a loss.
    Retired,
}

impl Ending {
    /// Classifies the reason of a match. It knows the arena's reasons, and the values that other tools write as PGN
    /// `Termination`, in any case and with `-`, `_` or a space between words.
    pub fn of_reason(reason: &str) -> Self {
        const START_FAILURE: &str = "start failure";
        const RETIRED: &str = "retired";
        const FORFEITS: [&str; 15] = [
            // Reasons of the arena.
            "time",
            "illegal move",
            "crash",
            "protocol error",
            "off turn",
            // Reasons of other tools.
            "time forfeit",
            "timeout",
            "forfeit",
            "abandoned",
            "disconnect",
            "disconnected",
            "stall",
            "stalled",
            "stalled connection",
            "rules infraction",
        ];
        let plain = |byte: u8| match byte {
            b'-' | b'_' => b' ',
            other => other.to_ascii_lowercase(),
        };
        let is = |words: &str| words.len() == reason.len() && reason.bytes().map(plain).eq(words.bytes());
        if is(START_FAILURE) {
            Self::NotStarted
        } else if is(RETIRED) {
            Self::Retired
        } else if FORFEITS.into_iter().any(is) {
            Self::Forfeited
        } else {
            Self::Played
        }
    }

    /// Whether an engine is at fault in a match with this ending and `result`: a time that both could not use is nobody's.
    pub const fn is_fault(self, result: MatchResult) -> bool {
        match self {
            Self::Played | Self::Retired => false,
            Self::Forfeited => !matches!(result, MatchResult::Draw),
            Self::NotStarted => true,
        }
    }

    /// Whether a match with this ending and `result` was not played because neither engine took part.
    pub const fn is_void(self, result: MatchResult) -> bool {
        matches!(self, Self::NotStarted | Self::Retired) && matches!(result, MatchResult::Draw)
    }
}

impl<'a> FinishedMatch<'a> {
    /// A match of which only the engines and the result are known.
    pub const fn new(game: &'a str, white: &'a str, black: &'a str, result: MatchResult) -> Self {
        Self { game, white, black, result, pair: None, opening: None, moves: None, ending: Ending::Played }
    }

    /// Whether it was not played because neither engine took part. Then it says nothing about their strength.
    pub const fn is_void(&self) -> bool {
        self.ending.is_void(self.result)
    }
}

/// Counts of matches by game, pairing and cluster: all the data that ratings need.
///
/// A *cluster* contains the matches of one pairing in one game that depend on each other: those from the same opening;
/// without an opening, those of the same pair; without both, each match is a cluster. A *copy* has the same moves as
/// an earlier match of the same pairing, opening and sides, and is always in the cluster of that match. Adding a match
/// takes constant time. The time of rating does not depend on the number of matches. Memory grows with the number of
/// engines, pairings, clusters and lists of moves.
///
/// An engine that started in none of its matches of a game is *absent* from this game. These matches contain no
/// information about strength, so they are not rated. Nor are *void* matches, in which neither engine took part.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    games: Names,
    engines: Names,
    counts: Vec<GameCounts>,
    matches: u64,
}

/// An engine cannot be rated by matches against itself.
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
    /// Whether any match has an opening or a pair.
    has_named: bool,
    /// For matches with known moves.
    copies: Option<Box<Copies>>,
    /// The number of matches that each engine forfeited, in the order of the key.
    forfeits: [u64; 2],
    /// The number of matches in which each engine did not start, in the order of the key.
    not_started: [u64; 2],
    /// The number of matches in which neither took part. The other counts, except `not_started`, are without them.
    void: u64,
}

impl Tally {
    /// An empty tally.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one match.
    ///
    /// # Errors
    /// If an engine plays against itself. The match is not counted then.
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

    /// The number of matches.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// The games, by name.
    pub fn games(&self) -> Vec<&str> {
        sorted(&self.games)
    }

    /// The engines, by name.
    pub fn engines(&self) -> Vec<&str> {
        sorted(&self.engines)
    }

    /// The game with the most engines, and their number. If several games have as many, the first by name.
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

    /// The results of every game, with games and engines sorted by name. They do not depend on the order of the
    /// matches.
    pub(super) fn results(&self) -> Vec<Results> {
        let mut results: Vec<Results> = self
            .counts
            .iter()
            .zip(self.games.texts())
            .map(|(game, name)| self.results_of(game, name))
            // In a game with void matches only, there is nobody to name.
            .filter(|results| !(results.engines.is_empty() && results.absent.is_empty()))
            .collect();
        results.sort_by_cached_key(|it| (it.game.to_lowercase(), it.game.clone()));
        results
    }

    fn results_of(&self, game: &GameCounts, name: &str) -> Results {
        let names = self.engines.texts();
        let absent = game.absent();
        let is_present = |engine: &u32| !absent.contains_key(engine);
        let of_present = || {
            let pairings = game.pairings.iter();
            pairings.filter(|((first, second), _)| is_present(first) && is_present(second))
        };
        let is_played = |counts: &PairingCounts| 0 < counts.total.matches();
        let played = || of_present().filter(|(_, counts)| is_played(counts));
        let met = game.pairings.iter().filter(|(_, counts)| is_played(counts));
        let mut numbers: Vec<u32> =
            met.flat_map(|(&(first, second), _)| [first, second]).filter(is_present).collect();
        numbers.sort_unstable_by_key(|&number| &names[number as usize]);
        numbers.dedup();
        let mut index_of = vec![0; names.len()];
        for (index, &number) in numbers.iter().enumerate() {
            index_of[number as usize] = index;
        }
        // A single pairing does not share its openings.
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
            void: of_present().map(|(_, counts)| counts.void).sum(),
            forfeits,
            copies: played().filter_map(|(_, counts)| Some(counts.copies.as_ref()?.count())).sum(),
            game: name.to_owned(),
            engines: numbers.iter().map(|&number| names[number as usize].to_string()).collect(),
            pairings,
        }
    }
}

impl GameCounts {
    /// The engines that started in none of their matches, by number, each with the number of these matches.
    fn absent(&self) -> HashMap<u32, u64> {
        if self.pairings.values().all(|pairing| pairing.not_started == [0, 0]) {
            return HashMap::new();
        }
        let mut counts: HashMap<u32, [u64; 2]> = HashMap::new();
        for (&(first, second), pairing) in &self.pairings {
            for (engine, not_started) in [(first, pairing.not_started[0]), (second, pairing.not_started[1])] {
                let [matches, of_these] = counts.entry(engine).or_default();
                *matches += pairing.total.matches() + pairing.void;
                *of_these += not_started;
            }
        }
        let absent = counts.into_iter().filter(|(_, [matches, not_started])| matches == not_started);
        absent.map(|(engine, [matches, _])| (engine, matches)).collect()
    }
}

impl PairingCounts {
    fn add(&mut self, white_is_first: bool, played: &FinishedMatch<'_>) {
        let first_won = played.result.winner().map(|winner| (winner == Side::White) == white_is_first);
        if played.ending == Ending::NotStarted {
            self.not_started[0] += u64::from(first_won != Some(true));
            self.not_started[1] += u64::from(first_won != Some(false));
        }
        if played.is_void() {
            self.void += 1;
            return;
        }
        self.total.count(white_is_first, played.result);
        if played.ending != Ending::Played
            && let Some(first_won) = first_won
        {
            self.forfeits[usize::from(first_won)] += 1;
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

    /// The matches of the engines with these indices, without the openings that they share with other engines.
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
            wide_pairs: self.wide_pairs(),
        }
    }

    /// The number of pairs with more than two matches; an opening may have any number.
    fn wide_pairs(&self) -> u64 {
        let kinds = self.clusters.kinds_by_idx();
        if kinds.iter().all(|(outcomes, count)| *count == 0 || outcomes.matches() < 3) {
            return 0;
        }
        let is_wide = |&(cluster, kind): &(u64, u32)| {
            !is_opening(cluster) && cluster & PAIR != 0 && kinds[kind as usize].0.matches() > 2
        };
        self.clusters.clusters().filter(is_wide).count() as u64
    }

    /// The clusters of openings, with their indices in `kinds`, which are `oriented`.
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

/// The fingerprint replaces the text: with a million openings in one pairing, two have the same one in one of thirty
/// million tallies, and then two clusters count as one.
fn cluster_of(played: &FinishedMatch<'_>) -> Option<u64> {
    match (played.opening, played.pair) {
        (Some(opening), _) => Some(fingerprint(("opening", opening)) | OPENING),
        (None, Some(pair)) => Some(no_opening(("pair", pair)) | PAIR),
        (None, None) => None,
    }
}

/// The bit that distinguishes fingerprints of openings from all others.
const OPENING: u64 = 1;

/// The bit that distinguishes fingerprints of pairs from those of copies.
const PAIR: u64 = 2;

fn no_opening(value: impl Hash) -> u64 {
    fingerprint(value) & !(OPENING | PAIR)
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
