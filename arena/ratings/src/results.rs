//! The results of one game in a fixed order: only counts, no estimates.

use super::scores::Scores;
use crate::MatchResult;

/// All counts of one game.
#[derive(Clone, Debug)]
pub(super) struct Results {
    /// The game's id.
    pub game: String,
    /// The engines that played it, by name.
    pub engines: Vec<String>,
    /// The engines that never started, by name. Their matches are not included in the others.
    pub absent: Vec<Absent>,
    /// The number of matches between the engines that nobody played, because both had been taken out. They are not
    /// included in the others.
    pub void: u64,
    /// The pairings that were played, by first and second engine.
    pub pairings: Vec<Pairing>,
    /// The number of matches that each engine lost by its own fault.
    pub forfeits: Vec<u64>,
    /// Matches that repeat the moves of an earlier one.
    pub copies: u64,
}

/// An engine that never started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Absent {
    /// The engine's name.
    pub engine: String,
    /// The number of its scheduled matches.
    pub matches: u64,
}

/// The matches of two engines against each other.
#[derive(Clone, Debug)]
pub(super) struct Pairing {
    /// The index of the engine whose name comes first.
    pub first: usize,
    /// The index of the other.
    pub second: usize,
    /// All their matches.
    pub total: Outcomes,
    /// Their matches by cluster, sorted; clusters with the same outcomes are counted together.
    pub clusters: Vec<ClusterKind>,
    /// The clusters of openings, by opening.
    pub openings: Vec<OpeningCluster>,
    /// Whether an opening or a pair was ever given.
    pub has_clusters: bool,
    /// The number of pairs with more than two matches.
    pub wide_pairs: u64,
}

/// A cluster of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OpeningCluster {
    /// The opening's fingerprint, the same in every pairing.
    pub opening: u64,
    /// The index of the cluster's kind among the pairing's clusters.
    pub kind: usize,
}

/// Clusters with the same outcomes. All computations use only the outcomes of a cluster, so they are done once for all
/// these clusters.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClusterKind {
    /// The outcomes of each of them.
    pub outcomes: Outcomes,
    /// Their number.
    pub count: u32,
}

/// Matches of a pairing, by White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Outcomes {
    /// The first engine was White.
    pub first_white: Cell,
    /// The second engine was White.
    pub second_white: Cell,
}

/// Matches with the same White and Black, by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Cell {
    pub white_wins: u32,
    pub draws: u32,
    pub black_wins: u32,
}

/// An engine's matches by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ResultCounts {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// The losses by the engine's own fault.
    pub forfeits: u64,
}

impl Results {
    /// The number of matches.
    pub(super) fn matches(&self) -> u64 {
        self.pairings.iter().map(|pairing| pairing.total.matches()).sum()
    }

    /// Each engine's wins, draws and losses.
    pub(super) fn result_counts(&self) -> Vec<ResultCounts> {
        let mut counts = vec![ResultCounts::default(); self.engines.len()];
        for pairing in &self.pairings {
            let first = pairing.total.result_counts();
            counts[pairing.first].add(first);
            counts[pairing.second].add(first.swapped());
        }
        for (counts, &forfeits) in counts.iter_mut().zip(&self.forfeits) {
            counts.forfeits = forfeits;
        }
        counts
    }
}

/// The number of each engine's clusters in `pairings`.
pub(super) fn clusters_of<'a>(n_engines: usize, pairings: impl IntoIterator<Item = &'a Pairing>) -> Vec<u64> {
    let mut clusters = vec![0; n_engines];
    for pairing in pairings {
        let count = pairing.n_clusters();
        clusters[pairing.first] += count;
        clusters[pairing.second] += count;
    }
    clusters
}

impl Pairing {
    /// A pairing with these outcomes and without clusters, for tests.
    #[cfg(test)]
    pub(super) fn of(first: usize, second: usize, total: Outcomes) -> Self {
        let (clusters, openings) = Default::default();
        Self { first, second, total, clusters, openings, has_clusters: false, wide_pairs: 0 }
    }

    /// The number of its clusters.
    pub(super) fn n_clusters(&self) -> u64 {
        self.clusters.iter().map(|kind| u64::from(kind.count)).sum()
    }

    /// The first engine's score in each cluster with matches of both sides: all pairs from one opening are one.
    pub(super) fn scores(&self) -> Scores {
        let mut scores = Scores::default();
        for kind in self.clusters.iter().filter(|_| self.has_clusters) {
            let Some(score) = kind.outcomes.score() else { continue };
            scores.add(score, kind.count.into());
            scores.has_means |= 2 < kind.outcomes.matches();
        }
        scores
    }

    /// Its two cells, each with White's and Black's index.
    pub(super) fn cells(&self) -> [(usize, usize, Cell); 2] {
        [
            (self.first, self.second, self.total.first_white),
            (self.second, self.first, self.total.second_white),
        ]
    }
}

impl Outcomes {
    /// Counts one match.
    pub(super) fn count(&mut self, first_is_white: bool, result: MatchResult) {
        let cell = if first_is_white { &mut self.first_white } else { &mut self.second_white };
        match result {
            MatchResult::WhiteWins => cell.white_wins += 1,
            MatchResult::Draw => cell.draws += 1,
            MatchResult::BlackWins => cell.black_wins += 1,
        }
    }

    /// The same matches with the engines swapped.
    pub(super) fn swapped(self) -> Self {
        Self { first_white: self.second_white, second_white: self.first_white }
    }

    /// The mean of the first engine's scores with White and with Black; `None` without matches of both.
    fn score(self) -> Option<f64> {
        let share = |cell: Cell| cell.points() / cell.matches() as f64;
        let score = 0.5 * (share(self.first_white) + 1.0 - share(self.second_white));
        score.is_finite().then_some(score)
    }

    /// Whether the two engines scored differently.
    pub(super) fn is_decided(&self) -> bool {
        let counts = self.result_counts();
        counts.wins != counts.losses
    }

    /// Whether a match was won.
    pub(super) fn has_winner(&self) -> bool {
        let counts = self.result_counts();
        counts.wins + counts.losses != 0
    }

    /// Adds the matches of `other`.
    pub(super) fn add(&mut self, other: Self) {
        self.add_times(other, 1);
    }

    /// Adds `other` several times.
    pub(super) fn add_times(&mut self, other: Self, times: u32) {
        self.first_white.add_times(other.first_white, times);
        self.second_white.add_times(other.second_white, times);
    }

    /// The number of matches.
    pub(super) fn matches(&self) -> u64 {
        self.first_white.matches() + self.second_white.matches()
    }

    /// The first engine's wins, draws and losses.
    pub(super) fn result_counts(&self) -> ResultCounts {
        let (white, black) = (self.first_white, self.second_white);
        ResultCounts {
            wins: u64::from(white.white_wins) + u64::from(black.black_wins),
            draws: u64::from(white.draws) + u64::from(black.draws),
            losses: u64::from(white.black_wins) + u64::from(black.white_wins),
            forfeits: 0,
        }
    }

    /// The outcomes of single matches, each with the number of such matches.
    pub(super) fn single_matches(&self) -> impl Iterator<Item = (Self, u32)> {
        let (white, black) = (self.first_white, self.second_white);
        [
            (true, MatchResult::WhiteWins, white.white_wins),
            (true, MatchResult::Draw, white.draws),
            (true, MatchResult::BlackWins, white.black_wins),
            (false, MatchResult::WhiteWins, black.white_wins),
            (false, MatchResult::Draw, black.draws),
            (false, MatchResult::BlackWins, black.black_wins),
        ]
        .into_iter()
        .filter(|&(_, _, count)| count != 0)
        .map(|(first_is_white, result, count)| {
            let mut outcomes = Self::default();
            outcomes.count(first_is_white, result);
            (outcomes, count)
        })
    }
}

impl Cell {
    /// Adds the matches of `other`.
    fn add_times(&mut self, other: Self, times: u32) {
        self.white_wins += times * other.white_wins;
        self.draws += times * other.draws;
        self.black_wins += times * other.black_wins;
    }

    /// The number of matches.
    pub(super) fn matches(self) -> u64 {
        u64::from(self.white_wins) + u64::from(self.draws) + u64::from(self.black_wins)
    }

    /// White's points.
    pub(super) fn points(self) -> f64 {
        f64::from(self.white_wins) + 0.5 * f64::from(self.draws)
    }
}

impl ResultCounts {
    /// The number of matches.
    pub(super) fn matches(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A win counts 1, a draw a half.
    pub(super) fn points(self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The opponent's counts, without forfeits.
    pub(super) fn swapped(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins, forfeits: 0 }
    }

    /// Adds the matches of `other`.
    pub(super) fn add(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.forfeits += other.forfeits;
    }
}
