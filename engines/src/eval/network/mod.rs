//! Evaluation by a network: one hidden layer over the squares of the pieces, seen from both sides. It plays without
//! floating point, so that it gives the same numbers on every machine.
//!
//! - [`Inputs`] describes what the network of a game sees; `inputs.rs` implements it for each game.
//! - [`Weights`] are read from a file in `weights`, which `examples/learn` writes. LEARNING.md shows how.
//! - [`Learned`] is the evaluator of a game: the classic evaluation, or the network.
//!
//! The sums of the hidden layer are kept between evaluations. Only the inputs that differ from the last position are
//! added and subtracted.

mod inputs;
mod layer;
mod weights;

use std::fmt;

use engine_proto::Position;
use engine_proto::bits::bits64;

use super::{Evaluator, Term};
use crate::search::level::Efforts;

pub use inputs::Inputs;
pub use layer::{Bits, Memory};
pub use weights::{BadWeights, HIDDEN, Numbering, ONE, OUTPUT_ONE, Row, Weights};

/// How a position is evaluated: an option of the engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// By the network in games in which it plays stronger, otherwise by the classic evaluation.
    #[default]
    Auto,
    /// By the network.
    Network,
    /// By the weighted sum of terms.
    Classic,
}

/// The evaluator of a game that has a classic evaluation `E` and may have a network.
#[derive(Clone, Debug)]
pub struct Learned<E, B> {
    classic: E,
    /// The network, if it is used.
    memory: Option<Memory<B>>,
}

impl Evaluation {
    /// All ways.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Network, Self::Classic];

    /// The name, as in the option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Network => "network",
            Self::Classic => "classic",
        }
    }

    /// The way with this name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|evaluation| evaluation.name() == name)
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl<E, B> Learned<E, B> {
    /// The evaluator that uses the classic evaluation.
    pub const fn new(classic: E) -> Self {
        Self { classic, memory: None }
    }
}

impl<P: Position, E: Evaluator<P> + Inputs<P>> Evaluator<P> for Learned<E, E::Bits> {
    const SPREAD: i32 = E::SPREAD;
    const EFFORTS: Efforts = E::EFFORTS;
    const HAS_FORCING: bool = E::HAS_FORCING;
    const TERMS: &'static [Term] = E::TERMS;

    fn weights(&self) -> &'static [i32] {
        self.classic.weights()
    }

    fn evaluated_by(mut self, evaluation: Evaluation) -> Self {
        let is_used = match evaluation {
            Evaluation::Auto => E::IS_STRONGER,
            Evaluation::Network => true,
            Evaluation::Classic => false,
        };
        self.memory = is_used.then(E::network).flatten().map(Memory::new);
        self
    }

    fn with_network(mut self, weights: &'static Weights) -> Self {
        self.memory = Some(Memory::new(weights));
        self
    }

    fn numbering(&self) -> Option<Numbering> {
        Some(E::rows())
    }

    fn list_inputs(&self, position: &P, inputs: &mut Vec<u16>) -> bool {
        let Some(bits) = self.classic.bits(position) else { return false };
        for (idx, &word) in (0..).zip(bits.as_ref()) {
            inputs.extend(bits64(word).map(|bit| idx * 64 + u16::from(bit)));
        }
        true
    }

    #[inline]
    fn evaluate(&mut self, position: &P) -> i32 {
        let Some(memory) = &mut self.memory else { return self.classic.evaluate(position) };
        let Some(bits) = self.classic.bits(position) else { return self.classic.evaluate(position) };
        let value = memory.value(bits, position.side_to_move(), E::SPREAD);
        if memory.weights().corrects { value + self.classic.evaluate(position) } else { value }
    }

    fn count(&self, position: &P, counts: &mut [i32]) {
        self.classic.count(position, counts);
    }

    #[inline]
    fn is_forcing(&self, position: &P, mv: P::Move) -> bool {
        self.classic.is_forcing(position, mv)
    }

    #[inline]
    fn promise(&self, position: &P, mv: P::Move) -> i32 {
        self.classic.promise(position, mv)
    }
}
