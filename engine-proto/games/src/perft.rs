//! Perft: the number of move sequences of a length, the classic check of a move generator.

use crate::Position;

/// The number of move sequences of `depth` moves from `position`; 1 at depth 0. Repetition and quiet play no part.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    let mut buffers = vec![Vec::new(); depth.saturating_sub(1) as usize];
    count(position, &mut buffers, depth)
}

/// The perft of `depth` split by the first move, in the order of the moves' spellings.
pub fn split<P: Position>(position: &P, depth: u32) -> Vec<(P::Move, u64)> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.sort_by_cached_key(ToString::to_string);
    moves
        .into_iter()
        .map(|mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            (mv, perft(&next, depth.saturating_sub(1)))
        })
        .collect()
}

fn count<P: Position>(position: &P, buffers: &mut [Vec<P::Move>], depth: u32) -> u64 {
    match (depth, buffers) {
        (0, _) => 1,
        (_, [moves, deeper @ ..]) if 1 < depth => {
            moves.clear();
            position.legal_moves(moves);
            let mut total = 0;
            for &mv in moves.iter() {
                let mut next = position.clone();
                next.play_unchecked(mv);
                total += count(&next, deeper, depth - 1);
            }
            total
        }
        _ => position.count_legal_moves() as u64,
    }
}
