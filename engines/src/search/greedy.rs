//! The engine that looks one ply ahead: it plays the move after which the evaluation likes its position best.

use engine_proto::proto::Info;
use engine_proto::sdk::{Engine, Search};
use engine_proto::{Play, Position};

use super::meter::{Budget, Meter};
use super::path::{self, Path};
use super::score::{self, DRAW, Score};
use super::settings::Settings;
use crate::eval::Evaluator;

/// The engine. Among equals the seed decides.
#[derive(Clone, Debug)]
pub struct Greedy<E> {
    evaluator: E,
    settings: Settings,
}

impl<E> Greedy<E> {
    /// The engine with this evaluator.
    pub const fn new(evaluator: E, settings: Settings) -> Self {
        Self { evaluator, settings }
    }
}

impl<P: Position, E: Evaluator<P>> Engine<P> for Greedy<E> {
    fn think(&mut self, play: &Play<P>, search: &Search) -> P::Move {
        let budget = Budget::new(search);
        let mut meter = Meter::new(&budget);
        let mut path = Path::new(play, 1);
        let mut moves = Vec::new();
        play.legal_moves(&mut moves);
        self.settings.shuffle(play.position(), &mut moves);
        let mut best = None;
        for &mv in &moves {
            if !meter.count() {
                break;
            }
            let value = self.value_after(play.position(), mv, &mut path);
            if best.is_none_or(|(_, score)| score < value) {
                best = Some((mv, value));
            }
        }
        let (mv, value) = best.unwrap_or((moves[0], DRAW));
        search.report(&Info {
            depth: Some(1),
            score: Some(score::to_proto(value)),
            nodes: Some(meter.nodes()),
            time: Some(search.elapsed()),
            pv: vec![mv.to_string()],
            ..Info::default()
        });
        mv
    }
}

impl<E> Greedy<E> {
    /// What the position after `mv` is worth to the side that plays it.
    fn value_after<P: Position>(&self, position: &P, mv: P::Move, path: &mut Path) -> Score
    where
        E: Evaluator<P>,
    {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let side = position.side_to_move();
        if let Some(end) = next.end() {
            return score::of_end(end, side, 1);
        }
        path.push(next.fingerprint());
        let drawn = path.repeats() || path::is_quiet_draw(&next);
        path.pop();
        if drawn {
            return DRAW;
        }
        let value = score::of_evaluation(self.evaluator.evaluate(&next));
        if next.side_to_move() == side { value } else { -value }
    }
}
