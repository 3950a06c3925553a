//! The recursion of the alpha-beta search: one thread's search of the tree to a given depth. Iterative deepening is
//! done by the caller.
//!
//! A score is always from the view of the side to move in its own position. The side to move need not alternate:
//! scores and windows are negated only if a move has changed it.

use std::mem;

use engine_proto::{Position, Searchable};

use super::meter::Meter;
use super::ordering::{self, Candidate, Memory, Refuted};
use super::path::{self, Path};
use super::pruning::{self, Numbers, Pruning};
use super::score::{self, DRAW, INFINITY, MAX_PLY, Score, WIN};
use super::table::{Bound, Entry, Table};
use crate::eval::Evaluator;

/// One thread's memory and buffers, which are kept so that searching does not allocate.
#[derive(Clone, Debug)]
pub struct Workspace<P: Position> {
    /// What it has learnt about moves.
    pub memory: Memory<P>,
    plies: Vec<PlyBuffers<P>>,
}

#[derive(Clone, Debug)]
struct PlyBuffers<P: Position> {
    moves: Vec<P::Move>,
    candidates: Vec<Candidate<P::Move>>,
    /// The best line from this ply on.
    line: Vec<P::Move>,
    /// The digest of the move being searched from here, 0 for a null move.
    digest: u16,
}

/// One thread's search.
#[derive(Debug)]
pub struct Negamax<'a, P: Position, E> {
    /// Evaluates the positions at the horizon; this thread's own.
    pub evaluator: E,
    /// What may be pruned.
    pub pruning: Pruning,
    /// How much is pruned and reduced.
    pub numbers: Numbers,
    /// The results of all threads.
    pub table: &'a Table,
    /// The move statistics of this thread.
    pub workspace: &'a mut Workspace<P>,
    /// Counts the positions.
    pub meter: Meter<'a>,
    /// The play so far and the line being searched.
    pub path: Path,
    /// The highest ply reached.
    pub seldepth: usize,
}

/// One move of a node, to be searched with the window of the node.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a, P: Position> {
    /// The node's position.
    pub position: &'a P,
    /// The move.
    pub candidate: Candidate<P::Move>,
    /// Alpha: the score that the node's side already has.
    pub alpha: Score,
    /// Beta: the score from which on the opponent avoids the node.
    pub beta: Score,
    /// The remaining depth after the move.
    pub depth: i32,
    /// The ply of the node.
    pub ply: usize,
}

/// How a move is searched: with the full window, or first with a null window.
#[derive(Clone, Copy, Debug)]
pub enum Scan {
    /// With the full window.
    Open,
    /// First with a null window and `reduction` plies less; with the full window only if the move is better.
    Closed {
        /// In plies.
        reduction: i32,
    },
}

/// A node with its window and what is known about it.
struct Node<'a, P: Position> {
    position: &'a P,
    alpha: Score,
    beta: Score,
    depth: i32,
    ply: usize,
    /// The evaluation, if the node only has to be compared with `beta`.
    standing: Option<Score>,
    /// Whether its first move is the one of the table.
    hinted: bool,
}

impl<P: Searchable> Workspace<P> {
    /// An empty node.
    pub fn new() -> Self {
        let buffers = || PlyBuffers {
            moves: Vec::with_capacity(64),
            candidates: Vec::with_capacity(64),
            line: Vec::with_capacity(MAX_PLY),
            digest: 0,
        };
        Self {
            memory: Memory::new(MAX_PLY + 1),
            plies: std::iter::repeat_with(buffers).take(MAX_PLY + 1).collect(),
        }
    }
}

impl<P: Searchable, E: Evaluator<P>> Negamax<'_, P, E> {
    /// The value of one move for the side that makes it. Meaningless after the search was stopped.
    pub fn value_of(&mut self, step: &Step<'_, P>, scan: Scan) -> Score {
        let Step { position, candidate, alpha, beta, depth, ply } = *step;
        self.workspace.plies[ply].digest = candidate.digest;
        let mut next = position.clone();
        next.play_unchecked(candidate.mv);
        self.path.push(next.fingerprint());
        let side_changed = next.side_to_move() != position.side_to_move();
        let mut descend = |alpha: Score, beta: Score, depth: i32| {
            if !self.meter.count() {
                return DRAW;
            }
            if side_changed {
                -self.node(&next, -beta, -alpha, depth, ply + 1)
            } else {
                self.node(&next, alpha, beta, depth, ply + 1)
            }
        };
        let value = match scan {
            Scan::Open => descend(alpha, beta, depth),
            Scan::Closed { reduction } => {
                let mut value = descend(alpha, alpha + 1, depth - reduction);
                if value > alpha && reduction > 0 {
                    value = descend(alpha, alpha + 1, depth);
                }
                if value > alpha && value < beta {
                    value = descend(alpha, beta, depth);
                }
                value
            }
        };
        self.path.pop();
        value
    }

    /// The value of `position` for its side to move, searched `depth` plies deep: exact between `alpha` and `beta`,
    /// otherwise a bound. Meaningless after the search was stopped.
    fn node(&mut self, position: &P, alpha: Score, beta: Score, depth: i32, ply: usize) -> Score {
        self.workspace.plies[ply].line.clear();
        self.seldepth = self.seldepth.max(ply);
        if self.path.repeats() {
            return DRAW;
        }
        if path::is_quiet_draw(position) {
            return position.end().map_or(DRAW, |end| score::of_end(end, position.side_to_move(), ply));
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(position, alpha, beta, self.pruning.plies_beyond(), ply);
        }
        // No line can be better than winning now, or worse than losing now.
        let alpha = alpha.max(ply as Score - WIN);
        let beta = beta.min(WIN - ply as Score);
        if alpha >= beta {
            return alpha;
        }
        let known = self.table.probe(self.path.last());
        if let Some(value) = known.and_then(|entry| self.cutoff(position, entry, alpha, beta, depth, ply)) {
            return value;
        }
        if let Some(end) = position.end() {
            return score::of_end(end, position.side_to_move(), ply);
        }
        let mut node = Node { position, alpha, beta, depth, ply, standing: None, hinted: false };
        if self.pruning == Pruning::Selective && beta - alpha == 1 && !score::is_proven(beta) {
            let standing = score::of_evaluation(self.evaluator.evaluate(position));
            if self.numbers.is_far_above(standing, beta, depth, E::SPREAD) {
                return standing;
            }
            node.standing = Some(standing);
            if let Some(passed) = self.value_of_passing(&node) {
                if self.meter.stopped() || passed >= beta {
                    return passed;
                }
                if passed <= -score::PROVEN {
                    // There is a threat to win: search the replies beyond the horizon.
                    node.depth += 1;
                }
            }
        }
        let mut candidates = mem::take(&mut self.workspace.plies[ply].candidates);
        node.hinted = self.list(position, ply, known.map(|entry| entry.digest), &mut candidates);
        node.depth = self.extended(node.depth, known, candidates.len());
        let value = self.best_of(&node, &mut candidates);
        self.workspace.plies[ply].candidates = candidates;
        value
    }

    /// Null-move pruning: the value of passing, searched less deep. A side that is above beta without a move is above
    /// it with one. Not after another pass.
    fn value_of_passing(&mut self, node: &Node<'_, P>) -> Option<Score> {
        let Node { position, beta, depth, ply, standing, .. } = *node;
        if depth < pruning::NULL_MOVE_DEPTH || standing? < beta || self.before(ply) == 0 {
            return None;
        }
        let next = position.null_move()?;
        if !self.meter.count() {
            return Some(DRAW);
        }
        self.workspace.plies[ply].digest = 0;
        self.path.push(next.fingerprint());
        let value = -self.node(&next, -beta, 1 - beta, pruning::depth_after_null_move(depth), ply + 1);
        self.path.pop();
        // A win after a pass does not count as a win.
        Some(if value >= score::PROVEN { beta } else { value })
    }

    /// The value from the table, if the entry is sufficient.
    fn cutoff(
        &self,
        position: &P,
        entry: Entry,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        // In the principal variation, the line is needed, not only its value.
        let usable =
            self.pruning.takes_earlier_values() && depth <= i32::from(entry.depth) && beta - alpha == 1;
        if !usable || path::is_nearly_quiet(position) {
            return None;
        }
        let value = score::from_table(entry.score, ply);
        let settles = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        settles.then_some(value)
    }

    /// The depth of a node: a forced reply does not count, and a node without a hash move is searched less deep.
    fn extended(&self, depth: i32, known: Option<Entry>, n_moves: usize) -> i32 {
        if self.pruning == Pruning::Exact {
            return depth;
        }
        match known {
            _ if n_moves == 1 => depth + 1,
            None if depth >= pruning::UNGUIDED_DEPTH => depth - 1,
            _ => depth,
        }
    }

    /// The digest of the move that led to `ply`, 0 if none or a pass did.
    fn before(&self, ply: usize) -> u16 {
        ply.checked_sub(1).map_or(0, |parent| self.workspace.plies[parent].digest)
    }

    /// Fills `candidates` with the legal moves of `position` without ranks; the move with the digest `hint` comes
    /// first. Returns whether there is such a move.
    fn list(
        &mut self,
        position: &P,
        ply: usize,
        hint: Option<u16>,
        candidates: &mut Vec<Candidate<P::Move>>,
    ) -> bool {
        let moves = &mut self.workspace.plies[ply].moves;
        moves.clear();
        position.legal_moves(moves);
        candidates.clear();
        candidates.extend(moves.iter().map(|&mv| Candidate::new(mv)));
        let hinted = hint.and_then(|hint| candidates.iter().position(|candidate| candidate.digest == hint));
        if let Some(idx) = hinted {
            candidates.swap(0, idx);
        }
        hinted.is_some()
    }

    /// Ranks moves of `position`.
    fn rank(&self, position: &P, ply: usize, candidates: &mut [Candidate<P::Move>]) {
        let before = self.before(ply);
        let side = position.side_to_move();
        for candidate in candidates {
            let Candidate { mv, digest, .. } = *candidate;
            candidate.forcing = E::HAS_FORCING && self.evaluator.is_forcing(position, mv);
            let base = if candidate.forcing {
                ordering::FORCING
            } else {
                self.workspace.memory.rank(side, ply, before, mv, digest)
            };
            candidate.rank = base + self.evaluator.promise(position, mv);
        }
    }

    /// The best value of `candidates`, which must not be empty. Stores it in the table.
    fn best_of(&mut self, node: &Node<'_, P>, candidates: &mut [Candidate<P::Move>]) -> Score {
        let Node { position, mut alpha, beta, depth, ply, .. } = *node;
        let is_open = 1 < beta - alpha;
        let first_alpha = alpha;
        let ceiling =
            node.standing.and_then(|standing| self.numbers.ceiling(standing, alpha, depth, E::SPREAD));
        let n_hinted = usize::from(node.hinted);
        let mut best_score = -INFINITY;
        // If no move is good enough, the table's earlier move remains the best guess.
        let mut best_digest = if node.hinted { candidates[0].digest } else { 0 };
        self.rank(position, ply, &mut candidates[..n_hinted]);
        for idx in 0..candidates.len() {
            if idx == n_hinted {
                // The hint alone is often sufficient.
                self.rank(position, ply, &mut candidates[n_hinted..]);
            }
            if n_hinted <= idx {
                ordering::bring_best(candidates, idx);
            }
            let candidate = candidates[idx];
            if self.may_skip(&candidate, best_score) {
                if !is_open && pruning::is_late(idx, candidates.len(), depth) {
                    // The moves behind it are not better.
                    break;
                }
                if let Some(ceiling) = ceiling {
                    best_score = best_score.max(ceiling);
                    continue;
                }
            }
            let step = Step { position, candidate, alpha, beta, depth: depth - 1, ply };
            let scan = if idx == 0 {
                Scan::Open
            } else {
                Scan::Closed { reduction: self.reduction(&candidate, idx, depth, ply, is_open) }
            };
            let value = self.value_of(&step, scan);
            if self.meter.stopped() {
                return DRAW;
            }
            if value <= best_score {
                continue;
            }
            best_score = value;
            if value <= alpha {
                continue;
            }
            alpha = value;
            best_digest = candidate.digest;
            if is_open {
                self.keep_line(candidate.mv, ply);
            }
            if value >= beta {
                if !candidate.forcing {
                    let (tried, side) = (&candidates[..idx], position.side_to_move());
                    let refuted = Refuted { side, ply, before: self.before(ply), depth };
                    self.workspace.memory.reward(refuted, &candidate, tried);
                }
                break;
            }
        }
        let bound = match best_score {
            _ if best_score >= beta => Bound::Lower,
            _ if best_score <= first_alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        if !path::is_nearly_quiet(position) {
            let entry = Entry {
                digest: best_digest,
                score: score::to_table(best_score, ply),
                depth: depth.clamp(0, 255) as u8,
                bound,
            };
            self.table.store(self.path.last(), entry);
        }
        best_score
    }

    /// Whether a late quiet move may be pruned, if another move has been searched.
    fn may_skip(&self, candidate: &Candidate<P::Move>, best_score: Score) -> bool {
        self.pruning == Pruning::Selective && !candidate.forcing && best_score > -score::PROVEN
    }

    /// By how many plies a late move is reduced at first.
    fn reduction(
        &self,
        candidate: &Candidate<P::Move>,
        idx: usize,
        depth: i32,
        ply: usize,
        is_open: bool,
    ) -> i32 {
        let exempt = self.pruning == Pruning::Exact
            || candidate.forcing
            || self.workspace.memory.is_killer(ply, candidate.mv);
        if exempt { 0 } else { self.numbers.reduction(idx, depth, is_open) }
    }

    /// The value of `position` at the horizon: its evaluation, or more if a forcing move leads to more. Forcing moves
    /// are searched for `beyond` plies.
    fn quiesce(&mut self, position: &P, mut alpha: Score, beta: Score, beyond: i32, ply: usize) -> Score {
        let side = position.side_to_move();
        if let Some(end) = position.end() {
            return score::of_end(end, side, ply);
        }
        let standing = score::of_evaluation(self.evaluator.evaluate(position));
        if !E::HAS_FORCING || beyond == 0 || ply >= MAX_PLY || standing >= beta {
            return standing;
        }
        let mut best_score = standing;
        alpha = alpha.max(standing);
        let mut candidates = mem::take(&mut self.workspace.plies[ply].candidates);
        ordering::list_forcing(
            &self.evaluator,
            position,
            &mut self.workspace.plies[ply].moves,
            &mut candidates,
        );
        for idx in 0..candidates.len() {
            ordering::bring_best(&mut candidates, idx);
            let value = self.quiet_value_of(position, candidates[idx].mv, alpha, beta, beyond - 1, ply);
            if self.meter.stopped() {
                break;
            }
            best_score = best_score.max(value);
            alpha = alpha.max(value);
            if value >= beta {
                break;
            }
        }
        self.workspace.plies[ply].candidates = candidates;
        best_score
    }

    /// The value of one forcing move beyond the horizon for the side that makes it.
    fn quiet_value_of(
        &mut self,
        position: &P,
        mv: P::Move,
        alpha: Score,
        beta: Score,
        beyond: i32,
        ply: usize,
    ) -> Score {
        if !self.meter.count() {
            return DRAW;
        }
        let mut next = position.clone();
        next.play_unchecked(mv);
        self.seldepth = self.seldepth.max(ply + 1);
        if next.side_to_move() == position.side_to_move() {
            self.quiesce(&next, alpha, beta, beyond, ply + 1)
        } else {
            -self.quiesce(&next, -beta, -alpha, beyond, ply + 1)
        }
    }

    /// The best line from the ply after the root.
    pub fn line_after_root(&self) -> &[P::Move] {
        &self.workspace.plies[1].line
    }

    /// Stores `mv` and the line after it as the best line of `ply`.
    fn keep_line(&mut self, mv: P::Move, ply: usize) {
        let (upper, lower) = self.workspace.plies.split_at_mut(ply + 1);
        let line = &mut upper[ply].line;
        line.clear();
        line.push(mv);
        if let Some(deeper) = lower.first() {
            line.extend_from_slice(&deeper.line);
        }
    }
}
