//! Openings that several pairings share: their sums of scores, and their effective number. It fits nothing.

use nalgebra::DMatrix;

use super::results::Pairing;

/// The clusters of one fit whose opening was also played by another pairing of the fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SharedOpenings {
    /// The indices of each cluster's pairing and kind, opening by opening.
    clusters: Vec<(usize, usize)>,
    /// The end of each opening's clusters in `clusters`.
    ends: Vec<usize>,
    /// The kinds of these clusters: pairing, kind, and the number of clusters of this kind that share their opening.
    kinds: Vec<(usize, usize, u32)>,
    /// Each engine's effective number of shared openings: (Σ k)² / Σ k², where k is its number of clusters from each
    /// opening. 0 without any.
    pub effective: Vec<f64>,
    /// The same for all engines' clusters together.
    pub effective_in_all: f64,
}

/// The covariance of a fit's parameters, clustered by opening, in two parts that add up.
///
/// Swapped sides cancel the advantage of an opening only to first order. The advantage remains in the first player's
/// advantage, in the draw rate and in large differences, and there all pairings that share an opening have a common
/// error.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OpeningCovariance {
    /// From the clusters whose opening no other pairing has, and from the priors.
    pub alone: DMatrix<f64>,
    /// From the shared openings. It needs the factor O / (O - 1), where O is the effective number of openings.
    pub shared: DMatrix<f64>,
}

impl SharedOpenings {
    /// The openings that `pairings` share.
    pub(super) fn new(n_engines: usize, pairings: &[&Pairing]) -> Self {
        let mut all: Vec<(u64, usize, usize)> = pairings
            .iter()
            .enumerate()
            .flat_map(|(place, pairing)| pairing.openings.iter().map(move |it| (it.opening, place, it.kind)))
            .collect();
        all.sort_unstable();
        let mut shared = Self { effective: vec![0.0; n_engines], ..Self::default() };
        let mut counted: Vec<(usize, usize)> = Vec::new();
        let mut sums = vec![Sums::default(); n_engines];
        let mut sums_in_all = Sums::default();
        let mut of_opening = vec![0.0; n_engines];
        for opening in all.chunk_by(|one, other| one.0 == other.0).filter(|clusters| 1 < clusters.len()) {
            let engines =
                || opening.iter().flat_map(|&(_, place, _)| [pairings[place].first, pairings[place].second]);
            engines().for_each(|engine| of_opening[engine] += 1.0);
            for engine in engines() {
                // Each engine once: an added entry is set to 0, which changes no sum.
                sums[engine].add(std::mem::take(&mut of_opening[engine]));
            }
            sums_in_all.add(2.0 * opening.len() as f64);
            shared.clusters.extend(opening.iter().map(|&(_, place, kind)| (place, kind)));
            shared.ends.push(shared.clusters.len());
            counted.extend(opening.iter().map(|&(_, place, kind)| (place, kind)));
        }
        counted.sort_unstable();
        shared.kinds = counted
            .chunk_by(|one, other| one == other)
            .map(|kind| (kind[0].0, kind[0].1, kind.len() as u32))
            .collect();
        shared.effective = sums.iter().map(|sums| sums.effective()).collect();
        shared.effective_in_all = sums_in_all.effective();
        shared
    }

    /// Whether there are any.
    pub(super) fn has_any(&self) -> bool {
        !self.ends.is_empty()
    }

    /// The kinds of clusters that share their opening: pairing, kind, and the number of such clusters.
    pub(super) fn kinds(&self) -> &[(usize, usize, u32)] {
        &self.kinds
    }

    /// Σ S Sᵀ over the openings, where S is the sum of the scores of an opening's clusters. `score` returns the score
    /// of a cluster by its pairing and kind, as parameters with their values.
    pub(super) fn filling(
        &self,
        n_engines: usize,
        score: impl Fn(usize, usize) -> [(usize, f64); 4],
    ) -> DMatrix<f64> {
        let mut filling = DMatrix::zeros(n_engines + 2, n_engines + 2);
        let mut sum = vec![0.0; n_engines + 2];
        let mut touched = Vec::new();
        let mut start = 0;
        for &end in &self.ends {
            touched.clear();
            for &(pairing, kind) in &self.clusters[start..end] {
                for (parameter, value) in score(pairing, kind) {
                    touched.push(parameter);
                    sum[parameter] += value;
                }
            }
            touched.sort_unstable();
            touched.dedup();
            for &column in &touched {
                for &row in &touched {
                    filling[(row, column)] += sum[row] * sum[column];
                }
            }
            for &parameter in &touched {
                sum[parameter] = 0.0;
            }
            start = end;
        }
        filling
    }
}

/// Σ k and Σ k².
#[derive(Clone, Copy, Default)]
struct Sums {
    first: f64,
    second: f64,
}

impl Sums {
    fn add(&mut self, count: f64) {
        self.first += count;
        self.second += count * count;
    }

    fn effective(self) -> f64 {
        if self.second <= 0.0 { 0.0 } else { self.first * self.first / self.second }
    }
}
