//! Perft: the number of move sequences of a length, the classic check of a move generator.

use crate::Position;

/// The number of move sequences of `depth` moves from `position`; 1 at depth 0. Repetition and quiet play no part.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    let mut buffers = vec![Vec::new(); depth.saturating_sub(1) as usize];
    count(position, &mut buffers, depth)
}

/// Counts like [`perft`] and hands `say` a line for each first move, `<move>: <count>`, in the order of their spellings, as
/// soon as it is counted. Depth 0 has no first move.
pub fn split<P: Position>(position: &P, depth: u32, say: &mut dyn FnMut(&str)) -> u64 {
    let Some(depth_after_first) = depth.checked_sub(1) else { return 1 };
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.sort_by_cached_key(ToString::to_string);
    let mut sum = 0;
    for mv in moves {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let nodes = perft(&next, depth_after_first);
        say(&format!("{mv}: {nodes}"));
        sum += nodes;
    }
    sum
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
