//! An engine that searches one ply: it plays the move with the best evaluation after it.

use engine_proto::proto::Info;
use engine_proto::sdk::{Engine, Search};
use engine_proto::{Play, Position};

use super::meter::{Budget, Meter};
use super::one_ply;
use super::path::Path;
use super::score::{self, DRAW};
use super::settings::Settings;
use crate::eval::Evaluator;

/// The engine. The seed decides between equal moves.
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
            let value = one_ply::value_after(&self.evaluator, play.position(), mv, &mut path);
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
