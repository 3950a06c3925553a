//! Two inputs side by side, the older one first: which ratings changed. Texts and positions only; the crate `ratings`
//! compares.

use engine_proto::Games;

use super::axis::Axis;
use super::standings_view::title_of;
use super::whisker::{Whisker, whisker};
use super::words::{probability, typeset, whole, with_error};
use crate::tables::run_comparison_answer;
use ratings::{Confidence, OVERALL, RatingChange, RunComparison, Standings};

/// The ratings of two inputs.
#[derive(Debug)]
pub struct ChangesView {
    /// The name of the older one.
    pub old: String,
    /// The name of the newer one.
    pub new: String,
    /// How many ratings changed, in words.
    pub answer: String,
    /// One table for each game, overall first.
    pub scopes: Vec<ChangedScope>,
}

/// One table.
#[derive(Debug)]
pub struct ChangedScope {
    /// [`OVERALL`] or the game's id.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// The scale of the drawings.
    pub axis: Axis,
    /// The engines with a two-sided rating in both, the greatest rise first.
    pub rows: Vec<ChangeView>,
    /// The engines without one, in words.
    pub unrated: Option<String>,
}

/// One engine.
#[derive(Debug)]
pub struct ChangeView {
    /// Its name.
    pub engine: String,
    /// Its older and its newer rating.
    pub ratings: [String; 2],
    /// The change with its interval.
    pub change: String,
    /// Where it is drawn.
    pub whisker: Whisker,
    /// The p-value of no change.
    pub p: String,
    /// Whether it is significant for all changes together.
    pub is_sure: bool,
}

impl ChangesView {
    /// The changes from the first of two named standings to the second.
    pub fn new(known_games: &Games, [old, new]: [(&str, &Standings); 2], confidence: Confidence) -> Self {
        let mut comparison = RunComparison::new([old, new], confidence);
        let games = |standings: &Standings| -> Vec<String> {
            let scopes = standings.scopes.iter().map(|scope| scope.name.clone());
            scopes.filter(|name| name != OVERALL).collect()
        };
        let [old_games, new_games] = [old.1, new.1].map(games);
        // Over different games, "all games" has a different meaning in each; over one game, it says the same again.
        if old_games != new_games || old_games.len() == 1 {
            comparison.scopes.retain(|scope| scope.name != OVERALL);
        }
        comparison.scopes.retain(|scope| !scope.engines.is_empty());
        let answer = typeset(&run_comparison_answer(&comparison));
        let of_scope = |scope: ratings::ScopeChanges| {
            let ends = scope.engines.iter().flat_map(|engine| [engine.change.low, engine.change.high]);
            let axis = Axis::around(ends);
            ChangedScope {
                title: title_of(known_games, &scope.name),
                name: scope.name,
                rows: scope.engines.into_iter().map(|change| ChangeView::new(change, &axis)).collect(),
                unrated: (!scope.unrated.is_empty())
                    .then(|| format!("No interval in one of the two: {}", scope.unrated.join(", "))),
                axis,
            }
        };
        Self {
            old: comparison.old,
            new: comparison.new,
            answer,
            scopes: comparison.scopes.into_iter().map(of_scope).collect(),
        }
    }
}

impl ChangeView {
    fn new(RatingChange { engine, old, new, change, p, is_significant }: RatingChange, axis: &Axis) -> Self {
        Self {
            engine,
            ratings: [old, new].map(whole),
            change: with_error(change.elo, 0.5 * (change.high - change.low)),
            whisker: whisker([Some(change.low), Some(change.elo), Some(change.high)], axis),
            p: probability(p),
            is_sure: is_significant,
        }
    }
}
