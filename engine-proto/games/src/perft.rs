//! Perft: the number of move sequences of a given length, the usual test of a move generator; and the reachable
//! positions.

use std::collections::HashSet;

use crate::{Position, Searchable};

/// The number of move sequences of `depth` moves from `position`; 1 for depth 0. Repetition and quiet are ignored.
pub fn perft<P: Searchable>(position: &P, depth: u32) -> u64 {
    let mut buffers = vec![Vec::new(); depth.saturating_sub(1) as usize];
    count(position, &mut buffers, depth)
}

/// Like [`perft`], but calls `say` with a line `<move>: <count>` for each first move, in the order of spellings, as
/// soon as it is counted. Depth 0 has no first move.
pub fn split<P: Searchable>(position: &P, depth: u32, say: &mut dyn FnMut(&str)) -> u64 {
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

/// The fingerprints of the different positions after `plies` moves from `position` that are not final. `None` if there
/// are more than `limit` positions after any number of these moves.
pub fn reachable<P: Position>(position: &P, plies: u32, limit: usize) -> Option<HashSet<u64>> {
    let mut positions = vec![position.clone()];
    let mut moves = Vec::new();
    for _ in 0..plies {
        let (mut seen, mut reached) = (HashSet::new(), Vec::new());
        for position in &positions {
            moves.clear();
            position.legal_moves(&mut moves);
            for &mv in &moves {
                let mut next = position.clone();
                next.play_unchecked(mv);
                if seen.insert(next.fingerprint()) {
                    reached.push(next);
                }
            }
            if reached.len() > limit {
                return None;
            }
        }
        positions = reached;
    }
    Some(positions.iter().filter(|position| position.end().is_none()).map(P::fingerprint).collect())
}

fn count<P: Searchable>(position: &P, buffers: &mut [Vec<P::Move>], depth: u32) -> u64 {
    match (depth, buffers) {
        (0, _) => 1,
        (_, [moves, deeper @ ..]) if depth > 1 => {
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
