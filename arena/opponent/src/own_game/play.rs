//! A play of a game of the user. Repetition and the quiet limit are the arena's own, as in every game.

use std::sync::Arc;

use engine_proto::scene::{Effects, Layout, Scene};
use engine_proto::{AnyPlay, End, IllegalMove, Side};

use super::answer::Known;
use super::rules::Rules;
use super::scene;

/// A position with the moves that led to it.
#[derive(Clone)]
pub struct OwnPlay {
    rules: Arc<Rules>,
    /// The position after each move: first the start, last the current one.
    seen: Vec<Arc<Known>>,
    moves: Vec<String>,
}

impl OwnPlay {
    /// A play that starts from `position`.
    pub fn new(rules: Arc<Rules>, position: Arc<Known>) -> Self {
        Self { rules, seen: vec![position], moves: Vec::new() }
    }

    fn position(&self) -> &Known {
        self.seen.last().expect("a play has seen its start")
    }
}

impl AnyPlay for OwnPlay {
    fn boxed(&self) -> Box<dyn AnyPlay> {
        Box::new(self.clone())
    }

    fn side_to_move(&self) -> Side {
        self.position().side
    }

    fn fen(&self) -> String {
        self.position().fen.clone()
    }

    fn n_moves(&self) -> usize {
        self.moves.len()
    }

    fn end(&self) -> Option<End> {
        let position = self.position();
        let compared = position.compared();
        let is_repeated = || 3 <= self.seen.iter().filter(|earlier| earlier.compared() == compared).count();
        let quiet_limit = self.rules.constants().quiet_limit;
        position
            .end
            .or_else(|| is_repeated().then_some(End::draw("repetition")))
            .or_else(|| (quiet_limit <= position.quiet()).then_some(End::draw("quiet")))
    }

    fn position_end(&self) -> Option<End> {
        self.position().end
    }

    fn position_moves(&self) -> Vec<String> {
        self.position().legal.clone()
    }

    fn play_on(&mut self, text: &str) -> Result<(), IllegalMove> {
        let position = self.position();
        if position.legal.iter().all(|mv| mv != text) {
            return Err(IllegalMove::new(text));
        }
        // If the program fails, the game says so, and whoever decides about matches looks there.
        let next = self.rules.after(position, &[text.to_owned()]).map_err(|_| IllegalMove::new(text))?;
        self.seen.extend(next);
        self.moves.push(text.to_owned());
        Ok(())
    }

    fn layout(&self) -> Layout {
        scene::layout(&self.seen[0])
    }

    fn scene(&self) -> Scene {
        scene::scene(self.position())
    }

    fn effects(&self) -> Option<Effects> {
        let mv = self.moves.last()?;
        let before = scene::scene(&self.seen[self.seen.len() - 2]);
        Some(Effects::of(mv, &self.layout(), &before, &self.scene()))
    }

    /// Looks one ply ahead only: each position is a question to another program.
    fn is_decided(&self, plies: u32) -> bool {
        let position = self.position();
        if position.end.is_some() || plies == 0 {
            return position.end.is_some();
        }
        let next = self.rules.after(position, &position.legal).unwrap_or_default();
        next.iter().any(|next| next.end.is_some_and(|end| end.winner != Some(!position.side)))
    }
}
