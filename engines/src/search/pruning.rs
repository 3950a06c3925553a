//! The numbers of the selective search: what is pruned, and how much late moves are reduced. Margins are relative to
//! the evaluator's spread, so that one set of numbers works for all games.

use std::sync::LazyLock;

use super::score::Score;

/// What the search may do in addition to exact alpha-beta pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// The value at a depth is the minimax value at this depth: only exact pruning, and no search beyond the horizon.
    /// The table is used only to choose the first move.
    Exact,
    /// Late moves are reduced and pruned, null moves are tried, values come from the table, and forcing moves are
    /// searched beyond the horizon.
    Selective,
}

/// The minimum depth for a null move.
pub const NULL_MOVE_DEPTH: i32 = 3;
/// The minimum depth from which a node without a hash move is searched one ply less deep.
pub const UNGUIDED_DEPTH: i32 = 4;
/// The maximum depth for pruning late moves.
const LATE_DEPTH: i32 = 3;
/// The maximum depth at which a node far above the window is cut off by its evaluation.
const FAR_DEPTH: i32 = 4;
/// The maximum depth at which quiet moves are pruned if the evaluation is far below the window.
const FUTILE_DEPTH: i32 = 3;

/// The numbers of the selective search that can be tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// How far above the window a node is cut off by its evaluation, per ply of depth, in hundredths of the spread.
    pub far: Score,
    /// The maximum gain of a quiet move at depth 0, in hundredths of the spread.
    pub futile: Score,
    /// The same for each further ply.
    pub futile_per_ply: Score,
    /// How much late moves are reduced: hundredths of the product of the logarithms of depth and place.
    pub reduction: Score,
    /// The half width of the first aspiration window, in hundredths of the spread.
    pub aspiration: Score,
}

impl Default for Numbers {
    fn default() -> Self {
        Self { far: 50, futile: 50, futile_per_ply: 60, reduction: 50, aspiration: 25 }
    }
}

impl Pruning {
    /// The number of plies for which forcing moves are searched beyond the horizon.
    pub const fn plies_beyond(self) -> i32 {
        match self {
            Self::Exact => 0,
            Self::Selective => 8,
        }
    }

    /// Whether a table entry can be used here. It is not exact: draws by repetition depend on the moves that led here.
    pub const fn takes_earlier_values(self) -> bool {
        matches!(self, Self::Selective)
    }
}

/// The depth of the search after a null move at a node of `depth`.
pub const fn depth_after_null_move(depth: i32) -> i32 {
    depth - 2 - depth / 4
}

/// Whether the move `idx` of `n_moves` is so late in the order and so near the horizon that it is hardly ever the best.
pub fn is_late(idx: usize, n_moves: usize, depth: i32) -> bool {
    let first_late = (3 + 2 * depth * depth).max(n_moves as i32 * depth / 8);
    depth <= LATE_DEPTH && first_late < idx as i32
}

impl Numbers {
    /// Whether a position with the evaluation `standing` will probably not fall below `beta` in `depth` plies.
    pub const fn is_far_above(&self, standing: Score, beta: Score, depth: i32, spread: Score) -> bool {
        depth <= FAR_DEPTH && standing - spread * self.far * depth / 100 >= beta
    }

    /// The value that quiet moves will probably not exceed in `depth` plies, if it is not enough for `alpha`.
    pub fn ceiling(&self, standing: Score, alpha: Score, depth: i32, spread: Score) -> Option<Score> {
        let ceiling = standing + spread * (self.futile + self.futile_per_ply * depth) / 100;
        (depth <= FUTILE_DEPTH && ceiling <= alpha).then_some(ceiling)
    }

    /// By how many plies the first search of the move at `idx` is reduced; one less within an open window.
    pub fn reduction(&self, idx: usize, depth: i32, is_open: bool) -> i32 {
        if depth < 3 || idx < 3 {
            return 0;
        }
        let product = PRODUCTS[(depth as usize).min(DEPTHS - 1)][idx.min(PLACES - 1)];
        let by_size = (product * self.reduction as f32 / 100.0) as i32;
        (by_size + i32::from(!is_open)).clamp(0, depth - 2)
    }
}

/// Larger depths are treated like this one.
const DEPTHS: usize = 64;
/// Larger indices are treated like this one.
const PLACES: usize = 256;

/// By depth and index in the order: the product of their logarithms.
static PRODUCTS: LazyLock<[[f32; PLACES]; DEPTHS]> = LazyLock::new(|| {
    let product = |depth: usize, idx: usize| {
        let [depth, idx] = [depth, idx].map(|n| libm::log(n.max(1) as f64));
        (depth * idx) as f32
    };
    std::array::from_fn(|depth| std::array::from_fn(|idx| product(depth, idx)))
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_moves_are_reduced_more_but_never_to_nothing() {
        let numbers = Numbers::default();
        for depth in 0..80 {
            let reductions: Vec<i32> = (0..300).map(|idx| numbers.reduction(idx, depth, false)).collect();
            assert!(reductions.is_sorted());
            assert_eq!(reductions[..3], [0; 3]);
            assert!(reductions.iter().all(|&plies| plies == 0 || plies < depth - 1), "depth {depth}");
        }
        assert!(numbers.reduction(20, 8, true) < numbers.reduction(20, 8, false));
    }

    #[test]
    fn margins_grow_with_depth() {
        let numbers = Numbers::default();
        assert!(numbers.is_far_above(101, 0, 1, 200) && !numbers.is_far_above(101, 0, 2, 200));
        assert!(!numbers.is_far_above(30_000, 0, FAR_DEPTH + 1, 200));
        assert_eq!(numbers.ceiling(-500, 0, 1, 200), Some(-280));
        assert_eq!(numbers.ceiling(-100, 0, 1, 200), None);
        assert_eq!(numbers.ceiling(-30_000, 0, FUTILE_DEPTH + 1, 200), None);
    }

    #[test]
    fn nothing_is_late_among_few_moves_or_at_depth() {
        assert!(!is_late(5, 30, 1) && is_late(6, 30, 1));
        assert!(!is_late(40, 400, 1) && is_late(51, 400, 1));
        assert!(!is_late(399, 400, LATE_DEPTH + 1));
    }

    #[test]
    fn a_pass_is_searched_less_deep() {
        for depth in NULL_MOVE_DEPTH..60 {
            assert!(depth_after_null_move(depth) < depth - 1);
        }
    }
}
