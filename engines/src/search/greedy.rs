//! An engine that searches one ply: it plays the move with the best evaluation after it.

use engine_proto::proto::Info;
use engine_proto::sdk::{Choice, Engine, Search};
use engine_proto::{Play, Position};

use super::manners::{Found, Manners};
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
    manners: Manners,
}

impl<E> Greedy<E> {
    /// The engine with this evaluator.
    pub const fn new<P: Position>(evaluator: E, settings: Settings) -> Self
    where
        E: Evaluator<P>,
    {
        Self { evaluator, manners: Manners::new(&settings, E::SPREAD), settings }
    }
}

impl<P: Position, E: Evaluator<P>> Engine<P> for Greedy<E> {
    fn think(&mut self, play: &Play<P>, search: &Search) -> Choice<P::Move> {
        let budget = Budget::new(search);
        let mut meter = Meter::new(&budget);
        let mut path = Path::new(play, 1);
        let mut moves = search.root_moves(play);
        self.settings.shuffle(play.position(), &mut moves);
        let mut best = None;
        for &mv in &moves {
            if !meter.count() {
                break;
            }
            let value = one_ply::value_after(&mut self.evaluator, play.position(), mv, &mut path);
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
        let line = [Some(mv), self.expected_reply(play.position(), mv)].into_iter().flatten().collect();
        self.manners.choice(play, search, &Found { mv, line, score: best.map(|(_, score)| score) })
    }
}

impl<E> Greedy<E> {
    /// What this engine would answer to the move `mv`; `None` if there is no answer.
    fn expected_reply<P: Position>(&mut self, position: &P, mv: P::Move) -> Option<P::Move>
    where
        E: Evaluator<P>,
    {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let mut replies = Vec::new();
        next.legal_moves(&mut replies);
        self.settings.shuffle(&next, &mut replies);
        let mut path = Path::new(&Play::new(next.clone()), 1);
        // Of equal moves, the first one.
        replies
            .into_iter()
            .rev()
            .max_by_key(|&reply| one_ply::value_after(&mut self.evaluator, &next, reply, &mut path))
    }
}
