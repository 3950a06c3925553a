//! The library's iterative negamax with its table, null windows, counter-moves, history and quiescence, on one thread, with
//! our evaluations. It takes the time of a move from `go`, and no other limit.

mod program;
mod rules;

use std::marker::PhantomData;
use std::process::ExitCode;

use engine_proto::Position;
use engines::eval::Evaluator;
use minimax::{Evaluation, IterativeOptions, IterativeSearch, Strategy};
use program::Maker;
use rules::{Move, Rules, State};

#[derive(Clone, Copy)]
struct Negamax;

impl Maker for Negamax {
    fn strategy<P: Position, E: Evaluator<P>>(self, evaluator: E) -> Box<dyn Strategy<Rules<P>> + Send> {
        let options = IterativeOptions::new()
            .with_table_byte_size(16 << 20)
            .with_null_window_search(true)
            .with_countermoves()
            .with_countermove_history()
            .with_quiescence_search_depth(8);
        Box::new(IterativeSearch::new(Judge { evaluator, game: PhantomData }, options))
    }
}

/// Our evaluation for the library.
struct Judge<P, E> {
    /// The evaluation.
    evaluator: E,
    /// The game that it is of.
    game: PhantomData<P>,
}

impl<P: Position, E: Evaluator<P>> minimax::Evaluator for Judge<P, E> {
    type G = Rules<P>;

    fn evaluate(&self, state: &State<P>) -> Evaluation {
        let value = self.evaluator.evaluate(&state.position).clamp(-30_000, 30_000) as Evaluation;
        if state.mover == state.position.side_to_move() { value } else { -value }
    }

    fn generate_noisy_moves(&self, state: &State<P>, moves: &mut Vec<Move<P::Move>>) {
        if state.mover != state.position.side_to_move() {
            moves.push(Move::Wait);
            return;
        }
        let mut real = Vec::with_capacity(64);
        state.position.legal_moves(&mut real);
        real.retain(|&mv| self.evaluator.is_forcing(&state.position, mv));
        moves.extend(real.into_iter().map(Move::Real));
    }
}

fn main() -> ExitCode {
    program::program("minimax-negamax", Negamax).run()
}
