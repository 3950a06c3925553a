//! The pieces on the board, and the effects of a step: pushes, captures and the ban of the repetition rule. It does not
//! know the side to move and the pieces in hand.

use crate::Side;

use super::moves::Step;
use super::size::Size;
use super::squares::{Cell, Squares};
use crate::Direction;

/// The pieces on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    size: Size,
    pieces: [Squares; 2],
}

/// The effects of a step in addition to the new board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effect {
    /// The pieces that each side gets in hand.
    pub(super) to_hand: [u8; 2],
    /// The step that the repetition rule forbids the opponent.
    pub(super) ban: Option<Step>,
}

impl Effect {
    /// Whether a piece was pushed off.
    pub(super) fn captures(self) -> bool {
        self.to_hand != [0, 0]
    }
}

impl Board {
    /// The board with White's and Black's pieces, on different squares and not on the Tower's.
    pub(super) fn new(size: Size, pieces: [Squares; 2]) -> Self {
        debug_assert!((pieces[0] & pieces[1]).is_empty());
        debug_assert!(!(pieces[0] | pieces[1]).contains(size.tower()));
        debug_assert!(size.squares().contains_all(pieces[0] | pieces[1]));
        Self { size, pieces }
    }

    pub(super) const fn size(&self) -> Size {
        self.size
    }

    pub(super) const fn pieces(&self, side: Side) -> Squares {
        self.pieces[side.index()]
    }

    pub(super) fn occupied(&self) -> Squares {
        self.pieces[0] | self.pieces[1]
    }

    /// The squares with neither a piece nor the Tower.
    pub(super) fn empty(&self) -> Squares {
        self.size.open_squares() & !self.occupied()
    }

    /// The number of steps of `side`, without a ban.
    pub(super) fn n_steps(&self, side: Side) -> u32 {
        let (own, empty) = (self.pieces(side), self.empty());
        Squares::total(Direction::ALL.map(|direction| own.shifted(direction) & empty))
    }

    /// Whether `side` has a step, without a ban.
    pub(super) fn has_step(&self, side: Side) -> bool {
        !(self.pieces(side).neighbours() & self.empty()).is_empty()
    }

    /// The steps of `side`, without a ban.
    pub(super) fn steps(&self, side: Side) -> impl Iterator<Item = Step> {
        let empty = self.empty();
        self.pieces(side)
            .cells()
            .flat_map(move |from| (from.neighbours() & empty).cells().map(move |to| Step { from, to }))
    }

    /// Whether `step` is among [`Board::steps`].
    pub(super) fn has_this_step(&self, side: Side, step: Step) -> bool {
        self.pieces(side).contains(step.from) && (step.from.neighbours() & self.empty()).contains(step.to)
    }

    /// Puts a piece on an empty square.
    pub(super) fn place(&mut self, side: Side, cell: Cell) {
        self.pieces[side.index()] |= Squares::of(cell);
    }

    /// Makes a step with all its pushes (section Step, effects 1 to 4).
    pub(super) fn step(&mut self, stepper: Side, step: Step) -> Effect {
        let own = &mut self.pieces[stepper.index()];
        *own ^= Squares::of(step.from) | Squares::of(step.to);
        let pushed = step.to.neighbours() & self.pieces(!stepper);
        if pushed.is_empty() { Effect::default() } else { self.push(stepper, step, pushed) }
    }

    /// Pushes the pieces `pushed` away from the landing square of `step`.
    fn push(&mut self, stepper: Side, step: Step, pushed: Squares) -> Effect {
        let mut effect = Effect::default();
        let mut displaced = Squares::EMPTY;
        // The lines away from one square have no other common square, so the order does not matter.
        for first in pushed.cells() {
            let direction = Direction::between(step.to, first);
            let Some(chain) = self.chain(first, direction) else { continue };
            if chain.is_pushed_off {
                effect.to_hand[(!self.owner(chain.last)).index()] += 1;
            }
            displaced |= chain.squares;
            self.shift(&chain, direction);
        }
        let direction = Direction::between(step.from, step.to);
        let ahead = Squares::of(step.to).shifted(direction);
        // If one piece was displaced straight ahead, it is the opponent's: it was pushed.
        if !effect.captures() && displaced == ahead && !ahead.is_empty() {
            effect.ban = self.restoring_step(stepper, step, direction);
        }
        effect
    }

    /// The pieces that a step displaces: each with its square, its direction, and whether it is pushed off.
    pub(super) fn displaced(&self, stepper: Side, step: Step) -> Vec<(Cell, Direction, bool)> {
        let mut board = self.clone();
        board.pieces[stepper.index()] ^= Squares::of(step.from) | Squares::of(step.to);
        let pushed = step.to.neighbours() & board.pieces(!stepper);
        let chains = pushed.cells().filter_map(|first| {
            let direction = Direction::between(step.to, first);
            board.chain(first, direction).map(|chain| (chain, direction))
        });
        chains
            .flat_map(|(Chain { squares, last, is_pushed_off }, direction)| {
                squares.cells().map(move |cell| (cell, direction, is_pushed_off && cell == last))
            })
            .collect()
    }

    /// The chain of pieces that a push of `first` moves; `None` if the Tower cancels the push.
    fn chain(&self, first: Cell, direction: Direction) -> Option<Chain> {
        let (occupied, board, tower) = (self.occupied(), self.size.squares(), self.size.tower());
        let mut squares = Squares::of(first);
        let mut last = first;
        loop {
            match last.next(direction).filter(|&behind| board.contains(behind)) {
                None => return Some(Chain { squares, last, is_pushed_off: true }),
                Some(behind) if behind == tower => return None,
                Some(behind) if occupied.contains(behind) => {
                    squares |= Squares::of(behind);
                    last = behind;
                }
                Some(_) => return Some(Chain { squares, last, is_pushed_off: false }),
            }
        }
    }

    fn owner(&self, cell: Cell) -> Side {
        if self.pieces(Side::White).contains(cell) { Side::White } else { Side::Black }
    }

    /// Moves the pieces of a chain by one square.
    fn shift(&mut self, chain: &Chain, direction: Direction) {
        let board = self.size.squares();
        for pieces in &mut self.pieces {
            let moved = (*pieces & chain.squares).shifted(direction) & board;
            *pieces = (*pieces & !chain.squares) | moved;
        }
    }

    /// The opponent's step that would undo `step`, which was just made in `direction` and displaced one piece straight
    /// ahead, not off the board. See section The repetition rule, Consequences: `step` goes from F to L; the opponent
    /// steps from L+2d back to L+d, where he pushes L back to F and must not move any other piece.
    fn restoring_step(&self, stepper: Side, step: Step, direction: Direction) -> Option<Step> {
        let to = step.to.next(direction)?;
        let from = to.next(direction)?;
        let others = to.neighbours() & self.pieces(stepper) & !Squares::of(step.to);
        let all_held = others.cells().all(|other| self.chain(other, Direction::between(to, other)).is_none());
        all_held.then_some(Step { from, to })
    }
}

/// Pieces in a row that a push moves by one square.
struct Chain {
    squares: Squares,
    last: Cell,
    is_pushed_off: bool,
}
