//! Analysing a position on a page: a tree of moves, and engines that search the shown position until they are stopped.

mod action;
mod analyst;
mod lines;
mod page;
mod tree;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::sync::mpsc::{self, Receiver};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::opponent::Contender;
use action::Action;
use analyst::{Analyst, Wanted};
pub use lines::MOST_LINES;
use page::{Desk, View};
pub use tree::{NoMove, Tree};

/// The maximum number of engines.
pub const MOST_ENGINES: usize = 8;
/// The least time between two updates of the page.
const TICK: Duration = Duration::from_millis(100);
/// The number of actions that wait.
const QUEUE: usize = 16;
/// How long the engines may take to exit.
const FAREWELL: Duration = Duration::from_secs(3);

/// An analysis.
pub struct Analysis {
    title: String,
    tree: Tree,
    /// Each with whether the user wants it to search.
    analysts: Vec<(Analyst, bool)>,
    tasks: JoinSet<()>,
    n_lines: u32,
    /// The shown position, as a task for engines; `None` if it is over.
    wanted: Option<Arc<Wanted>>,
    said: Option<String>,
    desk: Desk,
    actions: Receiver<Action>,
}

impl Analysis {
    /// An analysis that begins with the shown position of `tree`, and the addresses of its page. Must be called in a Tokio
    /// runtime.
    pub fn new(title: String, tree: Tree, engines: Vec<Contender>, n_lines: u32) -> (Self, Router) {
        let (submit, actions) = mpsc::channel(QUEUE);
        let (desk, router) = Desk::new(submit);
        let mut tasks = JoinSet::new();
        let analysts = engines.into_iter().take(MOST_ENGINES).map(|contender| {
            let (analyst, task) = Analyst::new(contender);
            tasks.spawn(task);
            (analyst, false)
        });
        let analysts = analysts.collect();
        let n_lines = n_lines.clamp(1, MOST_LINES);
        let mut analysis =
            Self { title, tree, analysts, tasks, n_lines, wanted: None, said: None, desk, actions };
        analysis.look();
        (analysis, router)
    }

    /// Does what the page asks for, until `end`. The engines are ended then.
    pub async fn run(mut self, end: impl Future<Output = ()>) {
        let mut end = std::pin::pin!(end);
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut shown_at: Option<Instant> = None;
        let (mut is_tree_new, mut is_new) = (true, true);
        loop {
            tokio::select! {
                biased;
                () = &mut end => break,
                action = self.actions.recv() => {
                    let Some(action) = action else { break };
                    is_tree_new |= self.act(action);
                    is_new = true;
                }
                _ = tick.tick() => is_new |= self.hear(),
            }
            if (is_new || is_tree_new) && shown_at.is_none_or(|at| TICK <= at.elapsed()) {
                self.desk.show(&self.view(), is_tree_new);
                (is_new, is_tree_new) = (false, false);
                shown_at = Some(Instant::now());
            }
            self.desk.show_newcomers(&self.view());
        }
        let Self { analysts, mut tasks, .. } = self;
        drop(analysts);
        let _ = timeout(FAREWELL, async { while tasks.join_next().await.is_some() {} }).await;
    }

    /// Does something. Returns whether the tree or its shown position may have changed.
    fn act(&mut self, action: Action) -> bool {
        self.said = None;
        let done = match action {
            Action::Start { engine } => return self.switch(engine, true),
            Action::Stop { engine } => return self.switch(engine, false),
            Action::Lines { n } => {
                self.n_lines = n.clamp(1, MOST_LINES);
                self.look();
                return false;
            }
            Action::SetUp { fen } => self.set_up(fen.trim()),
            Action::Play { node, moves } => self.play(node, &moves).map_err(|error| error.to_string()),
            Action::Go { node } => self.tree.go(node).map_err(|error| error.to_string()),
            Action::Remove { node } => self.tree.remove(node).map_err(|error| error.to_string()),
        };
        if let Err(why) = done {
            // Rules that are a program may be what failed.
            self.said = Some(self.tree.game().failure().unwrap_or(why));
        }
        self.look();
        true
    }

    fn set_up(&mut self, fen: &str) -> Result<(), String> {
        let fen = (!fen.is_empty()).then_some(fen);
        self.tree = Tree::new(self.tree.game(), fen).map_err(|error| error.to_string())?;
        "Analysis".clone_into(&mut self.title);
        Ok(())
    }

    fn play(&mut self, node: usize, moves: &[String]) -> Result<(), NoMove> {
        self.tree.go(node)?;
        moves.iter().try_for_each(|mv| self.tree.play_move(mv))
    }

    fn switch(&mut self, engine: usize, is_on: bool) -> bool {
        if let Some((analyst, is_wanted)) = self.analysts.get_mut(engine) {
            *is_wanted = is_on;
            analyst.want(self.wanted.clone().filter(|_| is_on));
        }
        false
    }

    /// The shown position is what the engines search.
    fn look(&mut self) {
        let play = self.tree.play();
        self.wanted = Wanted::new(self.tree.game(), play, &self.tree.command(), self.n_lines);
        for (analyst, is_on) in &self.analysts {
            analyst.want(self.wanted.clone().filter(|_| *is_on));
        }
    }

    /// Whether an engine has something new. An engine that failed is not started again by itself.
    fn hear(&mut self) -> bool {
        let mut is_new = false;
        for (analyst, is_on) in &mut self.analysts {
            is_new |= analyst.takes_new();
            if *is_on && analyst.has_failed() {
                *is_on = false;
                analyst.want(None);
            }
        }
        is_new
    }

    fn view(&self) -> View<'_> {
        let Self { title, tree, analysts, n_lines, wanted, said, .. } = self;
        View { title, tree, analysts, n_lines: *n_lines, wanted: wanted.as_ref(), said: said.as_deref() }
    }
}
