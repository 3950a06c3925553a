//! What both engines share: a program that plays all games, one strategy of the library for each. It chooses no move.

use std::time::Duration;

use engine_proto::sdk::{Engine, Program, Search};
use engine_proto::{GameId, Play, Position};
use engines::eval::{self, EvalWork, Evaluator};
use minimax::Strategy;

use crate::rules::{Move, Rules, State};

/// Makes the library's strategy for a game.
pub trait Maker: Copy + Send + Sync + 'static {
    /// A new strategy.
    fn strategy<P: Position, E: Evaluator<P>>(self, evaluator: E) -> Box<dyn Strategy<Rules<P>> + Send>;
}

/// The program called `name`, over all games.
pub fn program(name: &str, maker: impl Maker) -> Program {
    GameId::ALL.iter().fold(Program::new(name, "minimax"), |program, &game| {
        eval::with(game, AddGame { program, maker })
    })
}

struct AddGame<K> {
    program: Program,
    maker: K,
}

impl<K: Maker> EvalWork for AddGame<K> {
    type Output = Program;

    fn run<P: Position, E: Evaluator<P>>(self, evaluator: E) -> Program {
        let maker = self.maker;
        self.program.game::<P>(move |_| Box::new(Player { strategy: maker.strategy(evaluator.clone()) }))
    }
}

struct Player<P: Position> {
    strategy: Box<dyn Strategy<Rules<P>> + Send>,
}

impl<P: Position> Engine<P> for Player<P> {
    fn think(&mut self, play: &Play<P>, search: &Search) -> P::Move {
        let allotted = search.allotment().hard.unwrap_or(Duration::from_secs(1));
        self.strategy.set_timeout(allotted);
        match self.strategy.choose_move(&State::new(play.position())) {
            Some(Move::Real(mv)) => mv,
            Some(Move::Wait) | None => {
                let mut moves = Vec::new();
                play.legal_moves(&mut moves);
                moves[0]
            }
        }
    }
}
