//! Analysing a position on a page: a tree of moves, and engines that search the shown position until they are stopped.

mod action;
mod analyst;
mod lines;
mod page;
mod review;
mod text;
mod tree;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::sync::mpsc::{self, Receiver};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use action::Action;
use analyst::{Analyst, Found, Wanted};
pub use lines::MOST_LINES;
use opponent::Contender;
use page::{Desk, View, already_over};
use review::{Progress, Review};
pub use text::Asked;
use text::Match;
use tree::Glimpse;
pub use tree::{NoMove, Tree};

/// The maximum number of engines on the page.
pub const MOST_ENGINES: usize = 8;
/// The least time between two updates of the page.
const TICK: Duration = Duration::from_millis(100);
/// The greatest depth that can be asked for.
const MOST_DEPTH: u32 = 200;
/// How long an engine has to search a position before its evaluation is kept: those of positions on the way are worth little.
const LEAST_SEARCH: Duration = Duration::from_secs(1);
/// The number of actions that wait.
const QUEUE: usize = 16;
/// The maximum number of earlier trees.
const MOST_EARLIER: usize = 20;
/// The maximum number of characters of a comment; the page knows it, too.
const MOST_COMMENT: usize = 2000;
/// Of a text whose first match is refused, so many others are tried before their list is offered.
const MOST_TRIED: usize = 20;
/// An engine can have been removed in another window.
const NO_ENGINE: &str = "there is no such engine";
/// How long the engines may take to exit.
const FAREWELL: Duration = Duration::from_secs(3);

/// An analysis.
pub struct Analysis {
    title: String,
    tree: Tree,
    /// The trees before the last set-up, with their titles; the last one was left last.
    earlier: VecDeque<(String, Tree)>,
    /// The file that was read last, if nothing else has been shown since then.
    file: Option<String>,
    /// All engines that there are, by their numbers.
    known: Vec<Contender>,
    /// Those on the page, each with whether the user wants it to search.
    analysts: Vec<(Analyst, bool)>,
    tasks: JoinSet<()>,
    /// The number of lines of each engine that was chosen.
    n_lines: Option<u32>,
    /// Where each search ends; `None` for never.
    depth: Option<u32>,
    /// The shown position, as a task for engines; `None` if it is over.
    wanted: Option<Arc<Wanted>>,
    said: Option<String>,
    /// Whether the last action removed something, or brought it back.
    has_removed: bool,
    /// What a person looked at last, without going there.
    glimpse: Option<Glimpse>,
    review: Option<Review>,
    /// How many moves the review that has just ended has evaluated, and of how many.
    reviewed: Option<(usize, usize)>,
    desk: Desk,
    actions: Receiver<Action>,
    absence: Absence,
}

/// The engines of an analysis.
#[derive(Debug, Default)]
pub struct Engines {
    /// On the page at first.
    pub shown: Vec<Contender>,
    /// Those that a person can add, unless one of the same name is shown.
    pub others: Vec<Contender>,
}

/// How long nobody has had the page open. The engines pause then.
struct Absence {
    patience: Duration,
    since: Option<Instant>,
    has_paused: bool,
}

/// The title of a tree without one.
const UNTITLED: &str = "Analysis";

impl Analysis {
    /// An analysis that begins with the shown position of `tree`, and the addresses of its page. Must be called in a Tokio
    /// runtime. The engines pause when nobody has had the page open for `patience`.
    pub fn new(
        title: String,
        mut tree: Tree,
        engines: Engines,
        n_lines: Option<u32>,
        patience: Duration,
    ) -> (Self, Router) {
        tree.mark_end_of_match();
        let (submit, actions) = mpsc::channel(QUEUE);
        let (desk, router) = Desk::new(tree.games().clone(), submit);
        let Engines { shown: mut known, others } = engines;
        let n_shown = known.len().min(MOST_ENGINES);
        let is_shown = |other: &Contender| known.iter().any(|one| one.name() == other.name());
        let others: Vec<_> = others.into_iter().filter(|other| !is_shown(other)).collect();
        known.extend(others);
        let mut analysis = Self {
            title,
            tree,
            earlier: VecDeque::new(),
            file: None,
            known,
            analysts: Vec::new(),
            tasks: JoinSet::new(),
            n_lines,
            depth: None,
            wanted: None,
            said: None,
            has_removed: false,
            glimpse: None,
            review: None,
            reviewed: None,
            desk,
            actions,
            absence: Absence { patience, since: None, has_paused: false },
        };
        (0..n_shown).for_each(|id| analysis.add(id, false));
        analysis.look();
        (analysis, router)
    }

    /// Begins with a match of a file: after `ply` of its moves or at its end, or else at its start.
    ///
    /// # Errors
    /// If it has no such ply, or cannot be read.
    pub fn open(
        &mut self,
        file: &Path,
        Asked { matches, place }: Asked,
        is_from_start: bool,
        ply: Option<usize>,
    ) -> Result<(), String> {
        self.load(matches, place, true)?;
        self.file = Some(file.display().to_string());
        if !is_from_start {
            let (number, last) = (place + 1, self.tree.last_ply());
            if let Some(ply) = ply.filter(|ply| last < *ply) {
                return Err(format!(
                    "match {number} has no ply {ply}: it has plies 0 (the opening) to {last}"
                ));
            }
            self.tree.go_to_ply(ply).map_err(|error| error.to_string())?;
        }
        self.look();
        Ok(())
    }

    /// Does what the page asks for, until `end`. The engines are ended then.
    pub async fn run(mut self, end: impl Future<Output = ()>) {
        let mut end = std::pin::pin!(end);
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut shown_at: Option<Instant> = None;
        let (mut is_tree_new, mut is_new) = (true, true);
        let mut is_evaluated = false;
        loop {
            tokio::select! {
                biased;
                () = &mut end => break,
                action = self.actions.recv() => {
                    let Some(action) = action else { break };
                    is_tree_new |= self.act(action);
                    is_new = true;
                }
                _ = tick.tick() => {
                    if self.absence.changes(self.desk.is_watched(), Instant::now()) {
                        self.look();
                    }
                    is_new |= self.hear();
                    // What has ended stands in the graph at once, not only after the next action.
                    is_evaluated |= is_new && self.keep(|found| found.has_finished);
                    match self.go_on() {
                        Progress::Searches => {}
                        Progress::Next => is_evaluated = true,
                        Progress::Done => is_tree_new = true,
                    }
                }
            }
            if (is_new || is_tree_new || is_evaluated) && shown_at.is_none_or(|at| TICK <= at.elapsed()) {
                self.desk.show(&self.view(), is_tree_new, is_evaluated);
                (is_new, is_tree_new, is_evaluated) = (false, false, false);
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
        let said = self.said.take();
        if !matches!(action, Action::Look { .. }) {
            self.keep(|found| found.has_finished || LEAST_SEARCH <= found.time);
        }
        let has_removed = std::mem::take(&mut self.has_removed);
        let reviewed = self.reviewed.take();
        self.tree.is_changed |= action.changes_the_tree();
        let done = match action {
            Action::Look { node, moves } => {
                self.glimpse = self.tree.glimpse(node, moves);
                (self.said, self.has_removed, self.reviewed) = (said, has_removed, reviewed);
                return false;
            }
            Action::AddEngine { engine } => self.add_engine(engine),
            Action::RemoveEngine { engine } => self.remove_engine(engine),
            Action::Start { engine } => self.switch(engine, true),
            Action::Stop { engine } => self.switch(engine, false),
            Action::Review { engine, nodes, ms } => {
                self.begin_review(engine, nodes, Duration::from_millis(ms))
            }
            Action::EndReview => {
                self.reviewed = self.review.take().map(|review| review.n_moves());
                Ok(())
            }
            Action::Author { by } => {
                self.tree.show_evaluations_of(by);
                Ok(())
            }
            Action::Lines { n } => {
                self.n_lines = Some(n.clamp(1, MOST_LINES));
                self.look();
                return false;
            }
            Action::Depth { n } => {
                self.depth = n.map(|n| n.clamp(1, MOST_DEPTH));
                self.look();
                return false;
            }
            Action::Import { text, file, is_from_start } => {
                self.load(text::matches(&text), 0, is_from_start).map(|()| self.file = file)
            }
            Action::Choose { n } => self.choose(&Arc::clone(&self.tree.matches), n),
            Action::SetUp { fen } => self.set_up(fen.trim()).map(|()| self.file = None),
            Action::Restore => {
                self.restore();
                self.file = None;
                Ok(())
            }
            Action::Play { node, moves } => self.play(node, &moves).map_err(|error| error.to_string()),
            Action::Go { node } => self.tree.go(node).map_err(|error| error.to_string()),
            Action::Promote { node } => self.tree.promote(node).map_err(|error| error.to_string()),
            Action::MakeMain { node } => self.tree.make_main(node).map_err(|error| error.to_string()),
            Action::Comment { text, .. } if MOST_COMMENT < text.chars().count() => {
                Err(format!("a comment has at most {MOST_COMMENT} characters"))
            }
            Action::Comment { node, text } => {
                self.tree.set_comment(node, &text);
                Ok(())
            }
            Action::Sign { node, sign } => {
                self.tree.set_sign(node, &sign);
                Ok(())
            }
            Action::Remove { node } => {
                self.review = None;
                self.has_removed = true;
                self.tree.remove(node).map_err(|error| error.to_string())
            }
            Action::Undo => {
                self.has_removed = true;
                self.tree.bring_back().map_err(|error| error.to_string())
            }
            Action::Mark { node, marks } => {
                self.tree.set_marks(node, marks);
                Ok(())
            }
        };
        if let Err(why) = done {
            // Rules that are a program may be what failed.
            self.said = Some(self.tree.games().failure_of(self.tree.game()).unwrap_or(why));
        }
        self.look();
        true
    }

    /// Shows the match of `matches` at this place.
    fn load(&mut self, matches: Vec<Match>, place: usize, is_from_start: bool) -> Result<(), String> {
        if let [Match { text, .. }] = matches.as_slice() {
            let (title, mut tree) = match self.read(text, 0) {
                Err(_) if text::is_fen(text) => return self.set_up(text.trim()),
                read => read?,
            };
            if is_from_start {
                tree.go(0).map_err(|error| error.to_string())?;
            }
            self.begin(title, tree);
            return Ok(());
        }
        let matches: Arc<[Match]> = matches.into();
        let done = self.choose(&matches, place);
        // Those that can be loaded are offered all the same.
        if done.is_err() && matches.iter().take(MOST_TRIED).any(|one| self.read(&one.text, 0).is_ok()) {
            (self.tree.matches, self.tree.chosen) = (matches, None);
        }
        done
    }

    /// Shows one of the matches of a text, from its start.
    fn choose(&mut self, matches: &Arc<[Match]>, n: usize) -> Result<(), String> {
        // What was done with it before is still there.
        let is_it =
            |(_, tree): &(String, Tree)| tree.chosen == Some(n) && Arc::ptr_eq(&tree.matches, matches);
        if let Some((title, tree)) =
            self.earlier.iter().position(is_it).and_then(|it| self.earlier.remove(it))
        {
            self.begin(title, tree);
            return Ok(());
        }
        let Match { text, n_before, .. } = matches.get(n).ok_or("there is no such match")?;
        let place = format!("match {} of {}", n + 1, matches.len());
        let read = self.read(text, *n_before);
        let (title, mut tree) = read.map_err(|why| format!("{place} is not loaded: {why}"))?;
        if let Some(unread) = &mut tree.unread {
            unread.why = format!("{place}, {}", unread.why);
        }
        tree.go(0).map_err(|error| error.to_string())?;
        (tree.matches, tree.chosen) = (Arc::clone(matches), Some(n));
        self.begin(title, tree);
        Ok(())
    }

    fn read(&self, text: &str, n_before: usize) -> Result<(String, Tree), String> {
        let title = text::title(text).unwrap_or_else(|| UNTITLED.to_owned());
        Ok((title, Tree::read(self.tree.games(), self.tree.game(), text, n_before)?))
    }

    fn set_up(&mut self, fen: &str) -> Result<(), String> {
        let tree = Tree::from_fen(self.tree.games(), self.tree.game(), Some(fen))?;
        if let Some(end) = tree.play().end() {
            let over = already_over(self.tree.games(), self.tree.game(), end);
            return Err(format!("{over} There is nothing to analyse."));
        }
        self.begin(UNTITLED.to_owned(), tree);
        Ok(())
    }

    /// Shows a new tree, and keeps the one before, unless it is a match of the same text with which nothing was done.
    fn begin(&mut self, title: String, tree: Tree) {
        let is_next = tree.chosen.is_some() && Arc::ptr_eq(&tree.matches, &self.tree.matches);
        let left = self.replace_tree(title, tree);
        self.earlier.extend(left.filter(|(_, left)| left.is_changed || !is_next));
        if MOST_EARLIER < self.earlier.len() {
            self.earlier.pop_front();
        }
    }

    /// The trees go round: the one that is shown becomes the one that was left first.
    fn restore(&mut self) {
        if let Some((title, tree)) = self.earlier.pop_back()
            && let Some(left) = self.replace_tree(title, tree)
        {
            self.earlier.push_front(left);
        }
    }

    /// Shows another tree. Returns the one before, if it has moves.
    fn replace_tree(&mut self, title: String, tree: Tree) -> Option<(String, Tree)> {
        self.review = None;
        let left = (std::mem::replace(&mut self.title, title), std::mem::replace(&mut self.tree, tree));
        (!left.1.is_empty()).then_some(left)
    }

    fn play(&mut self, node: usize, moves: &[String]) -> Result<(), NoMove> {
        self.tree.go(node)?;
        moves.iter().try_for_each(|mv| self.tree.play_typed(mv))
    }

    /// What the first engine that searches has found of the shown position stays in the tree, unless more is known. Says whether that is
    /// new.
    fn keep(&mut self, is_enough: impl Fn(&Found) -> bool) -> bool {
        let Some(wanted) = &self.wanted else { return false };
        let mut searching = self.analysts.iter().filter(|(_, is_on)| *is_on);
        let found = searching
            .find_map(|(analyst, _)| Some((analyst.name(), analyst.found(wanted).filter(&is_enough)?.best?)));
        found.is_some_and(|(name, best)| self.tree.keep(name, &best))
    }

    fn begin_review(&mut self, engine: usize, nodes: Vec<usize>, each: Duration) -> Result<(), String> {
        self.analysts.iter().find(|(one, _)| one.id == engine).ok_or(NO_ENGINE)?;
        if !nodes.iter().all(|&node| self.tree.has(node)) {
            return Err(NoMove::Removed.to_string());
        }
        self.review = Some(Review::new(engine, nodes, each, &self.tree));
        Ok(())
    }

    /// Lets the review go on.
    fn go_on(&mut self) -> Progress {
        let Some(review) = self.review.as_mut().filter(|_| !self.absence.has_paused) else {
            return Progress::Searches;
        };
        let engine = self.analysts.iter().find(|(one, _)| one.id == review.engine);
        let (analyst, _) = engine.expect("a review ends when its engine is removed");
        let progress = review.go_on(analyst, &mut self.tree);
        if progress == Progress::Done {
            if !review.has_scores() && !analyst.has_failed() {
                analyst.mute();
                self.said = Some(format!("{} reports no evaluations", analyst.name()));
            }
            self.reviewed = self.review.take().map(|review| review.n_moves());
        }
        if progress != Progress::Searches {
            self.look();
        }
        progress
    }

    /// How many lines each engine shows. Those of several need the room of the moves and the graph below them.
    fn n_lines(&self) -> u32 {
        self.n_lines.unwrap_or(match self.analysts.len() {
            0 | 1 => 3,
            2 => 2,
            _ => 1,
        })
    }

    /// Puts an engine on the page.
    fn add(&mut self, id: usize, is_on: bool) {
        let (analyst, task) = Analyst::new(id, self.known[id].clone());
        self.tasks.spawn(task);
        self.analysts.push((analyst, is_on));
    }

    /// Adds an engine unless another window has done so before.
    fn add_engine(&mut self, id: usize) -> Result<(), String> {
        if self.known.len() <= id {
            return Err(NO_ENGINE.to_owned());
        }
        if self.analysts.iter().any(|(analyst, _)| analyst.id == id) {
            return Ok(());
        }
        if MOST_ENGINES <= self.analysts.len() {
            return Err(format!("there are {MOST_ENGINES} engines, which is the maximum; remove one first"));
        }
        // The tasks of engines that were removed.
        while self.tasks.try_join_next().is_some() {}
        self.add(id, true);
        Ok(())
    }

    fn remove_engine(&mut self, id: usize) -> Result<(), String> {
        let place = self.analysts.iter().position(|(analyst, _)| analyst.id == id).ok_or(NO_ENGINE)?;
        self.review.take_if(|review| review.engine == id);
        self.analysts.remove(place);
        Ok(())
    }

    fn switch(&mut self, engine: usize, is_on: bool) -> Result<(), String> {
        let (_, is_wanted) = self.analysts.iter_mut().find(|(one, _)| one.id == engine).ok_or(NO_ENGINE)?;
        *is_wanted = is_on;
        Ok(())
    }

    /// The engines search the shown position, if the user wants it, and one the position that is to be evaluated.
    fn look(&mut self) {
        let play = self.tree.play();
        self.wanted = Wanted::new(self.tree.game(), play, &self.tree.command(), self.n_lines(), self.depth);
        for (analyst, is_on) in &self.analysts {
            let wanted = match &self.review {
                Some(review) if review.engine == analyst.id => review.wanted(),
                _ => self.wanted.clone().filter(|_| *is_on),
            };
            analyst.want(wanted.filter(|_| !self.absence.has_paused));
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
        let Self {
            title,
            tree,
            earlier,
            file,
            known,
            analysts,
            depth,
            wanted,
            said,
            glimpse,
            review,
            reviewed,
            ..
        } = self;
        let removed = tree.removed().filter(|_| self.has_removed);
        View {
            title,
            tree,
            n_earlier: earlier.len(),
            file: file.as_deref(),
            known,
            analysts,
            n_lines: self.n_lines(),
            depth: *depth,
            wanted: wanted.as_ref(),
            said: said.as_deref(),
            removed,
            glimpse: glimpse.as_ref(),
            review: review.as_ref(),
            reviewed: *reviewed,
        }
    }
}

impl Absence {
    /// Whether the engines pause from now on, or go on. `is_watched` says whether somebody has the page open.
    fn changes(&mut self, is_watched: bool, now: Instant) -> bool {
        self.since = if is_watched { None } else { self.since.or(Some(now)) };
        let is_long = self.since.is_some_and(|since| self.patience <= now - since);
        std::mem::replace(&mut self.has_paused, is_long) != is_long
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_pause_while_nobody_is_there() {
        let mut absence = Absence { patience: Duration::from_secs(60), since: None, has_paused: false };
        let start = Instant::now();
        for (s, is_watched, changes, has_paused) in [
            (0, false, false, false),
            (59, false, false, false),
            (60, false, true, true),
            (61, false, false, true),
            (70, true, true, false),
            (80, false, false, false),
            (139, false, false, false),
            (140, false, true, true),
        ] {
            assert_eq!(absence.changes(is_watched, start + Duration::from_secs(s)), changes, "{s}");
            assert_eq!(absence.has_paused, has_paused, "{s}");
        }
    }
}
