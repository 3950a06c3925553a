//! Monte Carlo tree search without random playouts: the tree grows where evaluation and visit counts are most
//! promising, and it proves results if possible. It knows no game by name and reads no clock.
//!
//! A leaf is expanded by evaluating all its children: the evaluations are the children's first values and, relative to
//! each other, their priors. The best children are searched further with forcing replies, such as recaptures. Threads
//! share one tree behind a lock, which they hold only during the walk, not during evaluations.

use std::iter;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use engine_proto::proto::Info;
use engine_proto::sdk::{Choice, Engine, Search};
use engine_proto::{Play, Position, Side};

use super::manners::{Found, Manners};
use super::meter::{Budget, Meter};
use super::ordering::{self, Candidate};
use super::path::{self, Path};
use super::score::{self, MAX_PLY, Score};
use super::settings::Settings;
use super::tree::{Node, Proof, Sprout, Task, Trail, Tree};
use crate::eval::Evaluator;

/// The engine.
#[derive(Debug)]
pub struct Mcts<P: Position, E> {
    evaluator: E,
    settings: Settings,
    tree: Mutex<Tree<P::Move>>,
    /// The game at the tree's root: where it started, and its moves.
    root: Option<(P, Vec<P::Move>)>,
    manners: Manners,
}

/// One thread's part of a search.
struct Grower<'a, P: Position, E> {
    evaluator: E,
    settings: Settings,
    tree: &'a Mutex<Tree<P::Move>>,
    root: &'a P,
    meter: Meter<'a>,
    game: Path,
    /// The nodes from the root to the current leaf.
    trail: Trail,
    /// The moves that lead there.
    line: Vec<P::Move>,
    moves: Vec<P::Move>,
    drafts: Vec<Draft<P::Move>>,
    sprouts: Vec<Sprout<P::Move>>,
    /// The forcing moves at each ply beyond the leaf's children.
    forcing: Vec<Vec<Candidate<P::Move>>>,
    seldepth: usize,
}

/// A child of the current leaf, before its prior is computed.
#[derive(Clone, Copy, Debug)]
struct Draft<M> {
    mv: M,
    /// The value for the side that moves.
    score: Score,
    /// The proven result for the side that moves.
    proof: Proof,
}

/// The sharpness of the priors: the exponent of the odds.
const SHARPNESS: f32 = 4.0;
/// The maximum ratio between the best prior and any other.
const LEAST_PRIOR: f32 = 1e-9;
/// The log-odds of three quarters. Logarithms and powers come from `libm`, so that they are the same on any machine.
const LN_3: f32 = 1.098_612_3;
/// The number of plies for which forcing moves are followed beyond a leaf's children.
const QUIESCENCE_PLIES: usize = 8;

impl<P: Position, E: Evaluator<P>> Engine<P> for Mcts<P, E> {
    fn think(&mut self, play: &Play<P>, search: &Search) -> Choice<P::Move> {
        let found = self.best_move(play, search);
        self.manners.choice(play, search, &found)
    }
}

impl<P: Position, E: Evaluator<P>> Mcts<P, E> {
    /// The engine with this evaluator.
    pub fn new(evaluator: E, settings: Settings) -> Self {
        let tree = Tree::new(settings.hash_mib.max(1) << 20, Side::White);
        let manners = Manners::new(&settings, E::SPREAD);
        Self { evaluator, settings, tree: Mutex::new(tree), root: None, manners }
    }

    fn best_move(&mut self, play: &Play<P>, search: &Search) -> Found<P::Move> {
        // A tree without some of the root's moves is for this search only.
        self.begin_at(play, search.limits().nodes.is_some() || !search.chooses_freely());
        let budget = Budget::new(search);
        let (evaluator, settings, tree) = (&self.evaluator, self.settings, &self.tree);
        let grower = || Grower {
            evaluator: evaluator.clone(),
            settings,
            tree,
            root: play.position(),
            meter: Meter::new(&budget),
            game: Path::new(play, MAX_PLY),
            trail: Trail::default(),
            line: Vec::with_capacity(MAX_PLY),
            moves: Vec::with_capacity(64),
            drafts: Vec::with_capacity(64),
            sprouts: Vec::with_capacity(64),
            forcing: iter::repeat_with(|| Vec::with_capacity(64)).take(QUIESCENCE_PLIES).collect(),
            seldepth: 0,
        };
        thread::scope(|scope| {
            for _ in 1..self.settings.threads {
                let mut helper = grower();
                scope.spawn(move || helper.run(false));
            }
            grower().run(true);
            budget.end();
        });
        if !search.chooses_freely() {
            self.root = None;
        }
        let tree = locked(&self.tree);
        let (line, best) = (tree.line_from(0), tree.best_at(0));
        match line.first() {
            Some(&mv) => Found { mv, line, score: best.map(|best| score_of(best, E::SPREAD)) },
            None => Found { mv: self.first_guess(play, search), line, score: None },
        }
    }

    /// Makes the position of `play` the root of the tree: keeps the subtree of an earlier search of this play, or
    /// starts an empty one.
    fn begin_at(&mut self, play: &Play<P>, forget: bool) {
        let mut tree = locked(&self.tree);
        let kept = self.root.take().filter(|_| !forget).is_some_and(|(start, moves)| {
            start == *play.start()
                && play.moves().strip_prefix(&moves[..]).is_some_and(|since| tree.advance(since))
                && tree.root().proof == Proof::Open
        });
        if !kept {
            tree.reset(play.position().side_to_move());
        }
        self.root = Some((play.start().clone(), play.moves().to_vec()));
    }

    /// The answer if there was no time to evaluate any move.
    fn first_guess(&self, play: &Play<P>, search: &Search) -> P::Move {
        let mut moves = search.root_moves(play);
        self.settings.shuffle(play.position(), &mut moves);
        moves[0]
    }
}

impl<P: Position, E: Evaluator<P>> Grower<'_, P, E> {
    /// Grows the tree until the limits end the search or its root is proven.
    fn run(&mut self, reports: bool) {
        /// Who watches a long search wants to know that it goes on.
        const LONGEST_SILENCE: Duration = Duration::from_secs(1);
        let elapsed = |grower: &Self| grower.meter.budget().search().elapsed();
        let (mut next_report, mut reported_at) = (64, elapsed(self));
        while self.grow_once() && self.is_worth_more() {
            if !reports {
                continue;
            }
            let visits = self.tree().root().visits;
            let is_doubled = next_report <= visits;
            if is_doubled {
                next_report = visits.saturating_mul(2);
            }
            if is_doubled || (visits.is_multiple_of(64) && reported_at + LONGEST_SILENCE <= elapsed(self)) {
                reported_at = elapsed(self);
                self.report();
            }
        }
        if reports {
            self.report();
        }
    }

    /// Whether to expand more leaves: there is time left, and a choice of moves.
    fn is_worth_more(&self) -> bool {
        let search = self.meter.budget().search();
        let limits = search.limits();
        let has_clock = limits.time_of(self.root.side_to_move()).is_some() && !limits.infinite;
        search.may_deepen() && !(has_clock && self.tree().children(0).len() == 1)
    }

    /// Expands one leaf. Returns false when the search is over.
    fn grow_once(&mut self) -> bool {
        let mut trail = mem::take(&mut self.trail);
        let goes_on = self.follow(&mut trail);
        self.trail = trail;
        goes_on
    }

    fn follow(&mut self, trail: &mut Trail) -> bool {
        let depth_limit = self.meter.budget().search().depth_limit() as usize;
        let task = {
            let mut tree = locked(self.tree);
            if tree.root().proof != Proof::Open {
                return false;
            }
            let task = tree.select(trail);
            self.line.clear();
            self.line.extend(tree.moves_along(trail));
            task
        };
        let ply = self.line.len();
        self.seldepth = self.seldepth.max(ply);
        match task {
            Task::Settled(value) => {
                self.tree().back_up(trail, value);
                self.meter.count()
            }
            Task::Expand if MAX_PLY.min(depth_limit) <= ply => {
                self.tree().cancel(trail);
                false
            }
            Task::Expand => self.expand(trail),
        }
    }

    /// Evaluates the children of the leaf that `self.line` leads to. Returns false if the search must end before all
    /// are evaluated.
    fn expand(&mut self, trail: &Trail) -> bool {
        let mut position = self.root.clone();
        for &mv in &self.line {
            position.play_unchecked(mv);
            self.game.push(position.fingerprint());
        }
        let complete = self.draft(&position) && self.look_beyond(&position);
        self.line.iter().for_each(|_| self.game.pop());
        let is_root = self.line.is_empty();
        sprout(&mut self.drafts, E::SPREAD, &mut self.sprouts);
        let mut tree = locked(self.tree);
        // At the root, some evaluated moves are better than none, because they give the answer.
        if complete || is_root && !self.sprouts.is_empty() {
            tree.grow(trail, position.side_to_move(), &self.sprouts);
        } else {
            tree.cancel(trail);
        }
        complete
    }

    /// Evaluates the moves of `position` one by one. Returns false if the search must end before all are evaluated.
    fn draft(&mut self, position: &P) -> bool {
        self.moves.clear();
        self.drafts.clear();
        position.legal_moves(&mut self.moves);
        if self.line.is_empty() {
            self.meter.budget().search().restrict(&mut self.moves);
            self.settings.shuffle(position, &mut self.moves);
        }
        let side = position.side_to_move();
        for idx in 0..self.moves.len() {
            let mv = self.moves[idx];
            if !self.meter.count() {
                return false;
            }
            let mut next = position.clone();
            next.play_unchecked(mv);
            self.game.push(next.fingerprint());
            let is_repeated = self.game.repeats();
            self.game.pop();
            let proof = match next.end() {
                Some(end) => match end.winner {
                    Some(winner) if winner == side => Proof::Win(1),
                    Some(_) => Proof::Loss(1),
                    None => Proof::Draw,
                },
                None if is_repeated || path::is_quiet_draw(&next) => Proof::Draw,
                None => Proof::Open,
            };
            let score = match proof {
                Proof::Open => self.value_to(side, &next),
                Proof::Win(_) => score::WIN,
                Proof::Draw => score::DRAW,
                Proof::Loss(_) => -score::WIN,
            };
            self.drafts.push(Draft { mv, score, proof });
        }
        true
    }

    /// The evaluation of `position` for `side`.
    fn value_to(&mut self, side: Side, position: &P) -> Score {
        let value = score::of_evaluation(self.evaluator.evaluate(position));
        if position.side_to_move() == side { value } else { -value }
    }

    /// Corrects the scores of the best drafts by a search of forcing replies, until the best score is a corrected one.
    /// Returns false if the search must end before that.
    fn look_beyond(&mut self, position: &P) -> bool {
        self.drafts.sort_unstable_by_key(|draft| -draft.score);
        if !E::HAS_FORCING {
            return true;
        }
        let side = position.side_to_move();
        let mut alpha = -score::INFINITY;
        for idx in 0..self.drafts.len() {
            let Draft { mv, score, proof } = self.drafts[idx];
            if score <= alpha {
                break;
            }
            if proof == Proof::Open {
                let mut next = position.clone();
                next.play_unchecked(mv);
                self.drafts[idx].score = if next.side_to_move() == side {
                    self.quiesce(&next, score, alpha, score::INFINITY, 0)
                } else {
                    -self.quiesce(&next, -score, -score::INFINITY, -alpha, 0)
                };
            }
            if self.meter.stopped() {
                return false;
            }
            alpha = alpha.max(self.drafts[idx].score);
        }
        true
    }

    /// The value of `position` to its side to move: its evaluation `standing`, or more if a forcing move leads to more.
    /// Meaningless once the meter has stopped.
    fn quiesce(&mut self, position: &P, standing: Score, alpha: Score, beta: Score, beyond: usize) -> Score {
        let mut best_score = standing;
        if beyond == QUIESCENCE_PLIES || standing >= beta {
            return best_score;
        }
        let mut candidates = mem::take(&mut self.forcing[beyond]);
        ordering::list_forcing(&self.evaluator, position, &mut self.moves, &mut candidates);
        for idx in 0..candidates.len() {
            ordering::bring_best(&mut candidates, idx);
            let mv = candidates[idx].mv;
            best_score =
                best_score.max(self.quiet_value_of(position, mv, alpha.max(best_score), beta, beyond));
            if self.meter.stopped() || best_score >= beta {
                break;
            }
        }
        self.forcing[beyond] = candidates;
        best_score
    }

    /// The value of one forcing move to the side that makes it.
    fn quiet_value_of(
        &mut self,
        position: &P,
        mv: P::Move,
        alpha: Score,
        beta: Score,
        beyond: usize,
    ) -> Score {
        if !self.meter.count() {
            return score::DRAW;
        }
        let side = position.side_to_move();
        let mut next = position.clone();
        next.play_unchecked(mv);
        if let Some(end) = next.end() {
            return score::of_end(end, side, 0);
        }
        let standing = self.value_to(side, &next);
        if next.side_to_move() == side {
            self.quiesce(&next, standing, alpha, beta, beyond + 1)
        } else {
            -self.quiesce(&next, -standing, -beta, -alpha, beyond + 1)
        }
    }

    fn tree(&self) -> MutexGuard<'_, Tree<P::Move>> {
        locked(self.tree)
    }

    /// Reports the best lines, as many as are wanted.
    fn report(&self) {
        let tree = self.tree();
        let search = self.meter.budget().search();
        let elapsed = search.elapsed();
        let nodes = self.meter.nodes();
        let is_one = self.settings.lines == 1;
        for (number, idx) in (1..).zip(tree.best_children(self.settings.lines)) {
            let line = tree.line_with(idx);
            search.report(&Info {
                depth: Some(line.len() as u32),
                seldepth: Some(self.seldepth as u32),
                multipv: (!is_one).then_some(number),
                score: Some(score::to_proto(score_of(tree.node(idx), E::SPREAD))),
                nodes: Some(nodes),
                nps: Some((nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64),
                time: Some(elapsed),
                hashfull: Some(tree.fullness()),
                pv: line.iter().map(ToString::to_string).collect(),
                ..Info::default()
            });
        }
    }
}

fn locked<M>(tree: &Mutex<Tree<M>>) -> MutexGuard<'_, Tree<M>> {
    // A thread that panicked leaves at most a visit without a value.
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The expected score for an evaluation: three quarters at the spread.
fn share(value: i32, spread: i32) -> f32 {
    1.0 / (1.0 + libm::expf(-log_odds(value, spread)))
}

/// The log-odds for an evaluation: three to one at the spread.
fn log_odds(value: i32, spread: i32) -> f32 {
    value as f32 * LN_3 / spread as f32
}

/// The score for a node's value.
fn score_of<M>(node: &Node<M>, spread: i32) -> Score {
    match node.proof {
        Proof::Win(distance) => score::WIN - Score::from(distance),
        Proof::Loss(distance) => Score::from(distance) - score::WIN,
        Proof::Draw => score::DRAW,
        Proof::Open => {
            let value = node.value().clamp(1e-6, 1.0 - 1e-6);
            score::of_evaluation((libm::logf(value / (1.0 - value)) / LN_3 * spread as f32) as i32)
        }
    }
}

/// Converts the drafts to sprouts, the best first, with priors by their scores relative to the others; they sum to 1.
fn sprout<M: Copy>(drafts: &mut [Draft<M>], spread: i32, sprouts: &mut Vec<Sprout<M>>) {
    // Most are already in order.
    drafts.sort_unstable_by_key(|draft| -draft.score);
    let best = drafts.first().map_or(0, |draft| draft.score);
    let mut sum = 0.0;
    sprouts.clear();
    sprouts.extend(drafts.iter().map(|&Draft { mv, score, proof }| {
        let prior = libm::expf(SHARPNESS * log_odds(score - best, spread)).max(LEAST_PRIOR);
        sum += prior;
        Sprout { mv, prior, guess: share(score, spread), proof }
    }));
    for sprout in sprouts {
        sprout.prior /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_scores_are_inverse() {
        assert!((share(300, 300) - 0.75).abs() < 1e-6);
        for value in [-400, 0, 70] {
            let guess = share(value, 300);
            let sprout = Sprout { mv: (), prior: 1.0, guess, proof: Proof::Open };
            let back = score_of(&Node::child(&sprout, Side::White), 300);
            assert!((back - value).abs() <= 1, "{value} {back}");
        }
    }

    #[test]
    fn sprouts_come_best_first_and_their_priors_sum_to_one() {
        let mut drafts = [-600, 0, 400, 40].map(|score| Draft { mv: score, score, proof: Proof::Open });
        let mut sprouts = Vec::new();
        for n_drafts in 1..=drafts.len() {
            sprout(&mut drafts[..n_drafts], 300, &mut sprouts);
            assert!((sprouts.iter().map(|sprout| sprout.prior).sum::<f32>() - 1.0).abs() < 1e-5);
            assert!(sprouts.is_sorted_by(|a, b| a.mv > b.mv && a.guess > b.guess && a.prior > b.prior));
        }
    }
}
