//! The alpha-beta engine: iterative deepening principal variation search over any game, on any number of threads that
//! share a table. It knows no game by name and reads no clock.

use std::ops::Range;
use std::thread;

use engine_proto::proto::Info;
use engine_proto::sdk::{Choice, Engine, Search};
use engine_proto::{Play, Position, Searchable};

use super::doubt::Doubt;
use super::level::Level;
use super::manners::{self, Manners};
use super::meter::{Budget, Meter};
use super::negamax::{Negamax, Scan, Step, Workspace};
use super::one_ply;
use super::ordering::Candidate;
use super::path::Path;
use super::score::{self, DRAW, INFINITY, MAX_PLY, Score, WIN};
use super::settings::Settings;
use super::table::Table;
use crate::eval::Evaluator;

pub use super::pruning::Pruning;

/// The engine.
#[derive(Debug)]
pub struct AlphaBeta<P: Position, E> {
    evaluator: E,
    settings: Settings,
    pruning: Pruning,
    table: Table,
    /// One per thread.
    workspaces: Vec<Workspace<P>>,
    manners: Manners,
}

/// One thread's iterative deepening search of one position.
struct Deepening<'a, P: Position, E> {
    tree: Negamax<'a, P, E>,
    /// The legal moves; the best so far comes first.
    root: Vec<Candidate<P::Move>>,
    settings: Settings,
}

/// What a search found.
#[derive(Clone, Debug)]
struct Found<M> {
    best: M,
    score: Score,
    line: Vec<M>,
}

/// Aspiration windows are used from this depth on.
const ASPIRATION_DEPTH: i32 = 4;

impl<P: Searchable, E: Evaluator<P>> Engine<P> for AlphaBeta<P, E> {
    fn think(&mut self, play: &Play<P>, search: &Search) -> Choice<P::Move> {
        let Found { best, score, line } = self.best_move(play, search);
        let found = manners::Found { mv: best, line, score: Some(score) };
        self.manners.choice(play, search, &found)
    }
}

impl<P: Searchable, E: Evaluator<P>> AlphaBeta<P, E> {
    /// The engine with a selective search.
    pub fn new(evaluator: E, settings: Settings) -> Self {
        Self::with_pruning(evaluator, settings, Pruning::Selective)
    }

    /// The engine with a search of the kind `pruning`.
    pub fn with_pruning(evaluator: E, settings: Settings, pruning: Pruning) -> Self {
        Self {
            evaluator,
            pruning,
            table: Table::new(settings.hash_mib),
            workspaces: vec![
                Workspace::new();
                if settings.level == Level::FULL { settings.threads.max(1) } else { 1 }
            ],
            manners: Manners::new(&settings, E::SPREAD),
            settings,
        }
    }

    /// The best move within the limits.
    fn best_move(&mut self, play: &Play<P>, search: &Search) -> Found<P::Move> {
        // With a node limit, the answer depends only on the game and the limits, not on earlier searches.
        let level = self.settings.level;
        let forget = search.limits().nodes.is_some() || level != Level::FULL;
        self.table.begin_search(forget);
        self.workspaces.iter_mut().for_each(|workspace| workspace.memory.begin_search(forget));
        let root = self.root_candidates(play, search);
        let (first, others) = self.workspaces.split_first_mut().expect("at least one thread");
        let settings = self.settings;
        let effort = level.effort(&E::EFFORTS);
        let budget =
            Budget::new(search).at_most(effort.map_or(u64::MAX, |effort| effort.nodes_for(root.len())));
        let (evaluator, pruning, table) = (&self.evaluator, self.pruning, &self.table);
        let deepening = |workspace| Deepening {
            tree: Negamax {
                evaluator: evaluator.clone(),
                pruning,
                numbers: settings.numbers,
                table,
                workspace,
                meter: Meter::new(&budget),
                path: Path::new(play, MAX_PLY + 1),
                seldepth: 0,
            },
            root: root.clone(),
            settings,
        };
        thread::scope(|scope| {
            for (idx, workspace) in others.iter_mut().enumerate() {
                let mut helper = deepening(workspace);
                // Every other helper thread starts one ply deeper, so that the threads do not all search the same.
                let first_depth = 2 - idx as i32 % 2;
                scope.spawn(move || helper.run(play.position(), first_depth, false));
            }
            let found = deepening(first).run(play.position(), 1, true);
            budget.end();
            found
        })
    }

    /// The moves to choose from, shuffled with the seed, so that the seed decides between equal moves.
    fn root_candidates(&self, play: &Play<P>, search: &Search) -> Vec<Candidate<P::Move>> {
        let mut moves = search.root_moves(play);
        self.settings.shuffle(play.position(), &mut moves);
        moves.into_iter().map(Candidate::new).collect()
    }
}

impl<P: Searchable, E: Evaluator<P>> Deepening<'_, P, E> {
    /// Searches deeper and deeper until the limits end the search. Reports each depth if requested.
    fn run(&mut self, position: &P, first_depth: i32, reports: bool) -> Found<P::Move> {
        let search = self.tree.meter.budget().search();
        let max_depth = search.depth_limit().min(MAX_PLY as u32 - 1) as i32;
        let mut found = self.first_look(position);
        if let Some(slip) = self.slip(position) {
            if reports {
                self.report(1, 0, &slip);
            }
            return slip;
        }
        let mut doubt = Doubt::new(found.best, found.score);
        for depth in first_depth..=max_depth {
            if depth != first_depth && !search.may_deepen_within(doubt.share_of_time(E::SPREAD)) {
                break;
            }
            let mut complete = self.aspire(position, depth, &mut found);
            doubt.hear(found.best, found.score);
            if reports && (complete || depth == first_depth) {
                self.report(depth, 0, &found);
            }
            if reports && complete {
                complete = self.report_other_lines(position, depth);
            }
            // The other lines are still worth a deeper search.
            let is_settled = is_settled(&found, depth) && self.settings.lines == 1;
            if !complete || is_settled || self.answer_is_forced(position) {
                break;
            }
        }
        found
    }

    /// Sorts the root's moves by the evaluation after each and returns the first: the answer if there is no time for
    /// more.
    fn first_look(&mut self, position: &P) -> Found<P::Move> {
        for candidate in &mut self.root {
            candidate.rank = -INFINITY;
        }
        for candidate in &mut self.root {
            if !self.tree.meter.count() {
                break;
            }
            candidate.rank =
                one_ply::value_after(&mut self.tree.evaluator, position, candidate.mv, &mut self.tree.path);
        }
        // Stable, so that the seed's order holds between equals.
        self.root.sort_by_key(|candidate| -candidate.rank);
        let best = self.root[0];
        Found { best: best.mv, score: looked_at(best.rank), line: vec![best.mv] }
    }

    /// The move that is played if the level makes a mistake on purpose.
    fn slip(&self, position: &P) -> Option<Found<P::Move>> {
        let looks: Vec<Score> = self.root.iter().map(|candidate| candidate.rank).collect();
        let Settings { level, seed, .. } = self.settings;
        let slip = level.effort(&E::EFFORTS)?.slip(position, seed, E::SPREAD, &looks)?;
        let Candidate { mv, rank, .. } = self.root[slip];
        Some(Found { best: mv, score: looked_at(rank), line: vec![mv] })
    }

    /// With one legal move and a clock, a search is not useful.
    fn answer_is_forced(&self, position: &P) -> bool {
        let limits = self.tree.meter.budget().search().limits();
        self.root.len() == 1 && limits.time_of(position.side_to_move()).is_some() && !limits.infinite
    }

    /// Searches to `depth` with a window around the last score, widened whenever the score is outside. Returns false
    /// if the search was stopped before the result.
    fn aspire(&mut self, position: &P, depth: i32, found: &mut Found<P::Move>) -> bool {
        let mut half = (E::SPREAD * self.settings.numbers.aspiration / 100).max(1);
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        if depth >= ASPIRATION_DEPTH && !score::is_proven(found.score) {
            (alpha, beta) = (found.score - half, found.score + half);
        }
        loop {
            let value = self.root_node(position, alpha..beta, depth, 0, found);
            if self.tree.meter.stopped() {
                return false;
            }
            half = half.saturating_mul(4);
            if value <= alpha {
                alpha = if half < WIN { value - half } else { -INFINITY };
            } else if value >= beta {
                beta = if half < WIN { value + half } else { INFINITY };
            } else {
                return true;
            }
        }
    }

    /// Searches and reports the best lines behind the first one, if they are wanted. Returns false if the search was
    /// stopped before.
    fn report_other_lines(&mut self, position: &P, depth: i32) -> bool {
        for idx in 1..self.settings.lines.min(self.root.len()) {
            let mv = self.root[idx].mv;
            let mut found = Found { best: mv, score: -INFINITY, line: vec![mv] };
            self.root_node(position, -INFINITY..INFINITY, depth, idx, &mut found);
            if self.tree.meter.stopped() {
                return false;
            }
            self.report(depth, idx, &found);
        }
        true
    }

    /// The value of the root within the window, without its moves before `first`. `found` always has the best move that
    /// was searched completely, which comes at `first`.
    fn root_node(
        &mut self,
        position: &P,
        window: Range<Score>,
        depth: i32,
        first: usize,
        found: &mut Found<P::Move>,
    ) -> Score {
        let Range { start: mut alpha, end: beta } = window;
        let mut best_score = -INFINITY;
        for idx in first..self.root.len() {
            let candidate = self.root[idx];
            let step = Step { position, candidate, alpha, beta, depth: depth - 1, ply: 0 };
            let value = self
                .tree
                .value_of(&step, if idx == first { Scan::Open } else { Scan::Closed { reduction: 0 } });
            if self.tree.meter.stopped() {
                break;
            }
            best_score = best_score.max(value);
            if value > alpha {
                alpha = value;
                let line = [&[candidate.mv], self.tree.line_after_root()].concat();
                *found = Found { best: candidate.mv, score: value, line };
                self.root[first..=idx].rotate_right(1);
            }
            if value >= beta {
                break;
            }
        }
        best_score
    }

    /// Reports the line with this index; the best one has the index 0.
    fn report(&self, depth: i32, idx: usize, found: &Found<P::Move>) {
        let search = self.tree.meter.budget().search();
        let elapsed = search.elapsed();
        let nodes = self.tree.meter.nodes();
        search.report(&Info {
            depth: Some(depth as u32),
            seldepth: Some(self.tree.seldepth as u32),
            multipv: (self.settings.lines > 1).then_some(idx as u32 + 1),
            score: Some(score::to_proto(found.score)),
            nodes: Some(nodes),
            nps: Some((nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64),
            time: Some(elapsed),
            hashfull: Some(self.tree.table.fullness()),
            pv: found.line.iter().map(ToString::to_string).collect(),
            ..Info::default()
        });
    }
}

/// The score of a static look; unknown for a move that was not looked at because of time.
const fn looked_at(rank: Score) -> Score {
    if rank == -INFINITY { DRAW } else { rank }
}

/// Whether a line within this depth proves the outcome, so that a deeper search cannot improve it.
fn is_settled<M>(found: &Found<M>, depth: i32) -> bool {
    score::is_proven(found.score) && score::distance(found.score) <= depth as u32
}
