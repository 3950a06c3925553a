//! What a selective search leaves out, and how much less deep it looks at what is hardly the best: the numbers, and
//! nothing else. Margins are parts of an evaluator's spread, so that one set of numbers serves all games.

use std::sync::LazyLock;

use super::score::Score;

/// What the search may do beside what leaves the minimax value as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// The value at a depth is minimax's at that depth: only exact pruning, no search beyond the horizon, and from the
    /// table no more than which move to look at first.
    Exact,
    /// Late moves reduced and left out, passes tried, values taken from the table, forcing moves followed beyond the
    /// horizon.
    Selective,
}

/// From this depth on, a pass is tried.
pub const NULL_MOVE_DEPTH: i32 = 3;
/// From this depth on, a node that the table knows no move for is searched one ply less.
pub const UNGUIDED_DEPTH: i32 = 4;
/// Up to this depth, late moves are left out.
const LATE_DEPTH: i32 = 3;
/// Up to this depth, a node far above the window is taken as it stands.
const FAR_DEPTH: i32 = 4;
/// How far above that is, for each ply of depth, in hundredths of the spread.
const FAR_MARGIN: Score = 50;
/// Up to this depth, quiet moves are left out where the evaluation is far below the window.
const FUTILE_DEPTH: i32 = 3;
/// What a quiet move may gain at the most, at depth 0 and for each ply more, in hundredths of the spread.
const FUTILE_MARGINS: [Score; 2] = [50, 60];

impl Pruning {
    /// For how many plies forcing moves are followed beyond the horizon.
    pub const fn plies_beyond(self) -> i32 {
        match self {
            Self::Exact => 0,
            Self::Selective => 8,
        }
    }

    /// Whether what another visit of a position has found stands for this one. It is not the same to the point: where a
    /// line goes on to a repetition depends on how it came.
    pub const fn takes_earlier_values(self) -> bool {
        matches!(self, Self::Selective)
    }
}

/// Whether a position that stands at `standing` will hardly fall below `beta` in `depth` plies.
pub const fn is_far_above(standing: Score, beta: Score, depth: i32, spread: Score) -> bool {
    depth <= FAR_DEPTH && beta <= standing - spread * FAR_MARGIN * depth / 100
}

/// What quiet moves will hardly exceed in `depth` plies, where that is not enough for `alpha`.
pub fn ceiling(standing: Score, alpha: Score, depth: i32, spread: Score) -> Option<Score> {
    let [first, each] = FUTILE_MARGINS;
    let ceiling = standing + spread * (first + each * depth) / 100;
    (depth <= FUTILE_DEPTH && ceiling <= alpha).then_some(ceiling)
}

/// The depth to which a pass is searched at a node of `depth`.
pub const fn depth_after_null_move(depth: i32) -> i32 {
    depth - 2 - depth / 4
}

/// Whether a move comes so late in the order, so near the horizon, that it is hardly ever the best: `idx` of `n_moves`.
pub fn is_late(idx: usize, n_moves: usize, depth: i32) -> bool {
    let first_late = (3 + 2 * depth * depth).max(n_moves as i32 * depth / 8);
    depth <= LATE_DEPTH && first_late < idx as i32
}

/// How many plies less the move at `idx` of the order is searched at first; within an open window one less than that.
pub fn reduction(idx: usize, depth: i32, is_open: bool) -> i32 {
    if depth < 3 || idx < 3 {
        return 0;
    }
    let by_size = REDUCTIONS[(depth as usize).min(DEPTHS - 1)][idx.min(PLACES - 1)];
    (by_size + i32::from(!is_open)).clamp(0, depth - 2)
}

/// Deeper than this is as this.
const DEPTHS: usize = 64;
/// Later than this is as this.
const PLACES: usize = 256;

/// By depth and place in the order: half the product of their logarithms.
static REDUCTIONS: LazyLock<[[i32; PLACES]; DEPTHS]> = LazyLock::new(|| {
    let half_product = |depth: usize, idx: usize| {
        let [depth, idx] = [depth, idx].map(|n| libm::log(n.max(1) as f64));
        (depth * idx / 2.0) as i32
    };
    std::array::from_fn(|depth| std::array::from_fn(|idx| half_product(depth, idx)))
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_moves_are_reduced_more_but_never_to_nothing() {
        for depth in 0..80 {
            let reductions: Vec<i32> = (0..300).map(|idx| reduction(idx, depth, false)).collect();
            assert!(reductions.is_sorted());
            assert_eq!(reductions[..3], [0; 3]);
            assert!(reductions.iter().all(|&plies| plies == 0 || plies < depth - 1), "depth {depth}");
        }
        assert!(reduction(20, 8, true) < reduction(20, 8, false));
    }

    #[test]
    fn margins_grow_with_depth() {
        assert!(is_far_above(101, 0, 1, 200) && !is_far_above(101, 0, 2, 200));
        assert!(!is_far_above(30_000, 0, FAR_DEPTH + 1, 200));
        assert_eq!(ceiling(-500, 0, 1, 200), Some(-280));
        assert_eq!(ceiling(-100, 0, 1, 200), None);
        assert_eq!(ceiling(-30_000, 0, FUTILE_DEPTH + 1, 200), None);
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
