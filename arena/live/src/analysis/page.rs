//! The page of an analysis: what it is told, as JSON.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use engine_proto::{End, GameId, Games};
use ratings::MatchResult;
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;

use super::action::Action;
use super::analyst::{Analyst, Wanted};
use super::lines::MOST_LINES;
use super::review::Review;
use super::tree::{Glimpse, Tree};
use crate::assets::page;
use crate::desk;
use crate::frames::Frames;
use crate::position;
use model::SideLetter;
use opponent::Contender;
use report::html::parts::{Shown, meaning, outcome};

#[derive(Template)]
#[template(path = "analyse.html")]
struct AnalysePage;

/// Shows an analysis.
#[derive(Debug)]
pub struct Desk {
    frames: Arc<Frames>,
}

/// The longest action: a text to analyse. The page takes 250 kB, which JSON can make six times as long.
const ACTION_BYTES: usize = 2 * 1024 * 1024;

/// The greatest number of matches of one text to choose from.
const MOST_NAMES: usize = 500;

/// What is shown.
pub struct View<'a> {
    pub title: &'a str,
    pub tree: &'a Tree,
    /// The number of earlier trees.
    pub n_earlier: usize,
    pub file: Option<&'a str>,
    /// All engines that there are, by their numbers.
    pub known: &'a [Contender],
    /// Those on the page.
    pub analysts: &'a [(Analyst, bool)],
    pub n_lines: u32,
    pub depth: Option<u32>,
    pub wanted: Option<&'a Arc<Wanted>>,
    pub said: Option<&'a str>,
    /// The move that can be brought back after the last action, and the number of moves with those that followed it.
    pub removed: Option<(&'a str, usize)>,
    pub glimpse: Option<&'a Glimpse>,
    pub review: Option<&'a Review>,
    /// How many moves the review that has just ended has evaluated, and of how many.
    pub reviewed: Option<(usize, usize)>,
}

impl Desk {
    /// A page, and its addresses, among them the rules of these games. What the person does goes to `submit`.
    pub fn new(games: Games, submit: Sender<Action>) -> (Self, Router) {
        let frames = Arc::new(Frames::new());
        let router = desk::router(games, || page(&AnalysePage), &frames, submit)
            .layer(DefaultBodyLimit::max(ACTION_BYTES));
        (Self { frames }, router)
    }

    /// Shows what is new: the tree and its evaluations only if they are.
    pub fn show(&self, view: &View<'_>, is_tree_new: bool, is_evaluated: bool) {
        self.frames.publish(&view.to_json(is_tree_new, is_evaluated).to_string());
    }

    /// Whether somebody has the page open.
    pub fn is_watched(&self) -> bool {
        0 < self.frames.n_viewers()
    }

    /// Shows everything to those who come later.
    pub fn show_newcomers(&self, view: &View<'_>) {
        if self.frames.takes_snapshot() {
            self.frames.set_snapshot(&view.to_json(true, true).to_string());
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.frames.close();
    }
}

impl View<'_> {
    fn to_json(&self, with_tree: bool, with_evaluations: bool) -> Value {
        let engines = self.analysts.iter().map(|(analyst, is_on)| {
            let is_evaluating = self.review.is_some_and(|review| review.engine == analyst.id);
            analyst.to_json(*is_on, is_evaluating, self.wanted, self.tree)
        });
        let is_shown = |id: usize| self.analysts.iter().any(|(analyst, _)| analyst.id == id);
        let others = self.known.iter().enumerate().filter(|(id, _)| !is_shown(*id));
        let mut json = json!({
            "engines": engines.collect::<Vec<_>>(),
            "others": others.map(|(id, engine)| json!([id, engine.name()])).collect::<Vec<_>>(),
            "n_lines": self.n_lines,
            "depth": self.depth,
            "most_lines": MOST_LINES,
            "said": self.said,
            "file": self.file,
            "removed": self.removed,
            "glimpse": self.glimpse,
            "review": self.review.map(Review::to_json),
            "reviewed": self.reviewed,
        });
        if with_tree {
            json["tree"] = self.tree_json();
        }
        if with_tree || with_evaluations {
            json["evaluations"] = self.tree.evaluations();
        }
        json
    }

    fn tree_json(&self) -> Value {
        let (games, game, play) = (self.tree.games(), self.tree.game(), self.tree.play());
        let info = games.info(game).ok();
        let (legal, result) = (play.legal_moves(), self.tree.result());
        let end = play.end().map(|end| {
            let sentence = match self.tree.current() {
                0 => already_over(games, game, end),
                _ => outcome(games, game, end.winner, end.reason),
            };
            json!({ "winner": end.winner.map(SideLetter::from), "sentence": sentence })
        });
        json!({
            "title": self.title,
            "n_earlier": self.n_earlier,
            "game": info.map_or(game.id(), |info| info.name),
            "game_id": game.id(),
            "start": self.tree.start(),
            "usual_start": info.and_then(|info| info.starts.first()).map(|start| start.fen),
            "players": self.tree.players,
            "result": result.map(|result| result.to_string()),
            "reason": result.and(self.tree.reason.as_ref()),
            "is_main_line_of_match": self.tree.is_main_line_of_match(),
            "result_by_rules": self.tree.result_by_rules().map(|result| result.to_string()),
            "matches": json!({
                "names": self.tree.matches.iter().take(MOST_NAMES).map(|one| &one.name).collect::<Vec<_>>(),
                "n": self.tree.matches.len(),
                "chosen": self.tree.chosen,
            }),
            "unread": self.tree.unread,
            "doubt": result.and(self.tree.doubt.as_ref()),
            "ended": end_of_match(self.tree),
            "nodes": self.tree.to_json(),
            "comment": self.tree.opening_comment(),
            "extras": self.tree.extras(),
            "tags": self.tree.tags,
            "current": self.tree.current(),
            "command": self.tree.command(),
            "position": position::drawing(games, game, play),
            "before": self.tree.play_before().map(|play| Shown::new(play.layout()).step(&play.scene()).of_board()),
            "to_move": SideLetter::from(play.side_to_move()),
            "names": position::names(game, play, &legal),
            "effects": position::known_effects(game, play, &legal),
            "legal": legal,
            "into_check": if play.end().is_none() { play.moves_into_check() } else { Vec::new() },
            "won": position::deciding(play),
            "end": end,
        })
    }
}

/// How the recorded match ended, in a sentence, if it ended with the shown position although play could go on.
fn end_of_match(tree: &Tree) -> Option<String> {
    let result = tree.result.filter(|_| tree.is_at_end_of_match() && tree.play().end().is_none())?;
    let score = match result {
        MatchResult::WhiteWins => "1–0",
        MatchResult::BlackWins => "0–1",
        MatchResult::Draw => "½–½",
    };
    // Other programs have their own words.
    let known = tree.reason.as_deref().filter(|reason| meaning(tree.games(), tree.game(), reason).is_some());
    let why = known.map(|reason| outcome(tree.games(), tree.game(), result.winner(), reason));
    Some(format!("The match ended here, {score}. {}", why.unwrap_or_default()).trim_end().to_owned())
}

/// That a first position is over, and why.
pub fn already_over(games: &Games, game: GameId, end: End) -> String {
    format!("The match is already over here. {}", outcome(games, game, end.winner, end.reason))
}
