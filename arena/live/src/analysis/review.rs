//! An engine that evaluates positions of the tree, one after the other.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::analyst::{Analyst, Wanted};
use super::tree::Tree;

/// The least and the most time for a position.
const TIMES: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(60)];
/// How long an engine may go on that has not reported any score yet.
const MOST_SILENCE: Duration = Duration::from_secs(5);

/// The positions that are still to be evaluated.
pub struct Review {
    /// The number of the engine.
    pub engine: usize,
    /// The first one is searched now.
    rest: VecDeque<usize>,
    /// The first one, as a task for the engine; `None` if it is over.
    wanted: Option<Arc<Wanted>>,
    n: usize,
    each: Duration,
    n_scores: usize,
}

/// How a review goes on.
#[derive(Debug, PartialEq, Eq)]
pub enum Progress {
    /// The engine needs more time.
    Searches,
    /// The next position can be searched.
    Next,
    /// All positions have been searched, or the engine has failed.
    Done,
}

impl Review {
    /// The review of these positions of `tree`, each for `each`.
    pub fn new(engine: usize, nodes: Vec<usize>, each: Duration, tree: &Tree) -> Self {
        let [least, most] = TIMES;
        let (n, rest, each) = (nodes.len(), VecDeque::from(nodes), each.clamp(least, most));
        let wanted = rest.front().and_then(|&node| task(tree, node));
        Self { engine, rest, wanted, n, each, n_scores: 0 }
    }

    /// What the engine shall search now.
    pub fn wanted(&self) -> Option<Arc<Wanted>> {
        self.wanted.clone()
    }

    /// Whether the engine has reported any score.
    pub fn has_scores(&self) -> bool {
        0 < self.n_scores
    }

    /// How many moves have been evaluated, and of how many: the first position has none.
    pub fn n_moves(&self) -> (usize, usize) {
        let n = |n_positions: usize| n_positions.saturating_sub(1);
        (n(self.n - self.rest.len()), n(self.n))
    }

    /// Takes what the engine has found once it has had its time, and goes on to the next position.
    pub fn go_on(&mut self, analyst: &Analyst, tree: &mut Tree) -> Progress {
        let Some(&node) = self.rest.front() else { return Progress::Done };
        match &self.wanted {
            None => tree.evaluate_end(node),
            Some(_) if analyst.has_failed() => return Progress::Done,
            Some(wanted) => {
                let Some(found) = analyst.found(wanted) else { return Progress::Searches };
                let enough = if found.best.is_some() { self.each } else { self.each.max(MOST_SILENCE) };
                if !found.has_finished && found.time < enough {
                    return Progress::Searches;
                }
                if found.best.is_none() && !found.has_finished && self.n_scores == 0 {
                    return Progress::Done;
                }
                if let Some(best) = found.best {
                    if self.n_scores == 0 {
                        tree.annotator = Some(analyst.name().to_owned());
                    }
                    tree.evaluate(node, &best, analyst.name(), true);
                    self.n_scores += 1;
                }
            }
        }
        self.rest.pop_front();
        self.wanted = self.rest.front().and_then(|&node| task(tree, node));
        Progress::Next
    }

    /// What the page shows.
    pub fn to_json(&self) -> Value {
        let (done, of) = self.n_moves();
        json!({ "engine": self.engine, "done": done, "of": of, "has_scores": self.has_scores() })
    }
}

/// A position of the tree, as a task for an engine; `None` if it is over.
fn task(tree: &Tree, node: usize) -> Option<Arc<Wanted>> {
    let play = tree.play_to(node).ok()?;
    Wanted::new(tree.game(), play.as_ref(), &tree.command_to(node), 1, None)
}
