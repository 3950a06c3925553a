//! The legal moves (page, sections Kinds of moves and Legality).
//!
//! Moves that differ only in their target are handled together, as a set of targets. A [`Sink`] takes these sets: one
//! lists moves, one counts them, one stops at the first.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use super::board::Board;
use super::cells::{
    ALL_CELLS, ARENAS, Cell, PROMOTION, TOUCHED_CELLS, TOWER_CELLS, TOWERS, cells, filtered, first,
};
use super::check::Danger;
use super::en_passant::EnPassants;
use super::links::Links;
use super::moves::{Move, Then, Travel, Way};
use super::pieces::{Kind, Powers};
use super::reach::{Ground, Reach};
use super::rearranging::Rearranging;
use super::{Captured, FourTowers, MultiPiece, Turn};
use crate::bits::bits64;
use crate::{Searchable, Side};

/// A consumer of the legal moves.
pub trait Sink {
    /// Takes the move `mv(to)` for each square of `targets`. Breaks if it needs no more.
    fn take(&mut self, targets: u128, mv: impl Fn(Cell) -> Move) -> ControlFlow<()>;
}

/// Lists the moves.
impl Sink for Vec<Move> {
    fn take(&mut self, targets: u128, mv: impl Fn(Cell) -> Move) -> ControlFlow<()> {
        self.extend(cells(targets).map(mv));
        ControlFlow::Continue(())
    }
}

/// Counts the moves.
struct Count(usize);

impl Sink for Count {
    fn take(&mut self, targets: u128, _: impl Fn(Cell) -> Move) -> ControlFlow<()> {
        self.0 += targets.count_ones() as usize;
        ControlFlow::Continue(())
    }
}

/// Stops at the first move.
struct Any;

impl Sink for Any {
    fn take(&mut self, targets: u128, _: impl Fn(Cell) -> Move) -> ControlFlow<()> {
        if targets == 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Passes the legal moves to `sink`, each once; none after the draw by bare kings. Breaks if the sink does.
pub fn generate(position: &FourTowers, sink: &mut impl Sink) -> ControlFlow<()> {
    if position.has_bare_kings() {
        return ControlFlow::Continue(());
    }
    Generator::new(position).all(sink)
}

/// The moves that would be legal if the own king were safe after them.
pub fn moves_into_check(position: &FourTowers) -> Vec<Move> {
    let (mut legal, mut all) = (Vec::new(), Vec::new());
    let _ = generate(position, &mut legal);
    let _ = Generator { ignores_check: true, ..Generator::new(position) }.all(&mut all);
    let legal: HashSet<Move> = legal.into_iter().collect();
    all.into_iter().filter(|mv| !legal.contains(mv)).collect()
}

/// Whether there is a legal move.
pub fn is_any_legal(position: &FourTowers) -> bool {
    generate(position, &mut Any).is_break()
}

/// A piece or part that is to move.
#[derive(Clone, Copy)]
struct Mover {
    /// The whole piece, or the part, that moves.
    kind: Kind,
    /// The part that moves, if not the whole piece.
    part: Option<Kind>,
    from: Cell,
}

/// Data that all kinds of moves of one position need.
struct Generator<'a> {
    position: &'a FourTowers,
    board: &'a Board,
    side: Side,
    own: u128,
    enemy: u128,
    vacant: u128,
    /// The own king's square.
    king: u128,
    /// The crossed squares of what may be captured en passant.
    crossed: u128,
    ground: Ground,
    /// The field of a marshall: F of the page.
    universe: u128,
    links: Option<Links>,
    danger: Danger,
    /// Whether moves into check are passed on, too.
    ignores_check: bool,
}

impl<'a> Generator<'a> {
    fn new(position: &'a FourTowers) -> Self {
        let board = &position.board;
        let side = position.side;
        Self {
            position,
            board,
            side,
            own: board.of(side),
            enemy: board.of(!side),
            vacant: ALL_CELLS & !board.occupied(),
            king: board.king(side).bit(),
            crossed: position.answerable().crossed(),
            ground: Ground::new(position),
            universe: board.field_of(Kind::Marshall),
            links: Links::of(board),
            danger: Danger::of(position, side),
            ignores_check: false,
        }
    }

    fn all(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        match self.position.turn {
            Turn::Begins => {
                self.single_moves(sink)?;
                self.returns(sink)?;
                self.rearrangements(sink)?;
                self.parts_that_go_on(self.cells_of_dragons(0), sink)
            }
            Turn::MultiPiece(MultiPiece { arenas, .. }) => {
                let starts = self.cells_of_dragons(arenas);
                self.parts_that_end(starts, sink)?;
                self.parts_that_go_on(starts, sink)
            }
            Turn::Rearrangement { relocated } => {
                let arena = first(relocated).arena().expect("pieces are relocated within an arena");
                self.relocations(ARENAS[usize::from(arena)], relocated, sink)
            }
        }
    }

    /// The moves of pieces and parts that are a complete turn.
    fn single_moves(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        for kind in Kind::ALL {
            for from in cells(self.own & self.board.all(kind)) {
                let reach = self.ground.reach(self.side, kind, from);
                self.travels(Mover { kind, part: None, from }, reach, sink)?;
                self.swaps(kind, from, reach, sink)?;
                for &part in kind.parts() {
                    if self.may_detach(kind, part, from) {
                        let reach = self.ground.reach_of_part(self.side, part, from);
                        self.travels(Mover { kind: part, part: Some(part), from }, reach, sink)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Ordinary moves, captures, attachments, direct moves; as a whole or as a part.
    fn travels(&self, mover: Mover, reach: Reach, sink: &mut impl Sink) -> ControlFlow<()> {
        let attachable = self.attachable(mover);
        let by_reach = self.ordinary(reach) | reach.takes & self.capturable(mover) | reach.any() & attachable;
        self.travel(mover, Way::Reach, by_reach, sink)?;
        let en_passant = reach.en_passant & self.crossed;
        self.travel(mover, Way::EnPassant, en_passant, sink)?;
        if let Some(links) = &self.links {
            let hops = links.reach(mover.from, self.vacant) & (self.vacant | attachable);
            // If another move has the same spelling, the spelling means that one.
            self.travel(mover, Way::Direct, hops & !by_reach & !en_passant, sink)?;
        }
        ControlFlow::Continue(())
    }

    fn travel(&self, mover: Mover, way: Way, targets: u128, sink: &mut impl Sink) -> ControlFlow<()> {
        if targets == 0 {
            return ControlFlow::Continue(());
        }
        let Mover { kind, part, from } = mover;
        let promoting = if kind.is_pawn_like() { targets & PROMOTION[self.side.index()] } else { 0 };
        let travel =
            |to, promotion| Move::Travel(Travel { part, from, to, way, promotion, then: Then::TurnEnds });
        let vacates = if part.is_none() { from.bit() } else { 0 };
        let doubtful = way == Way::EnPassant || self.is_doubtful(from.bit(), vacates, kind.lends());
        let plain = self.legal(targets & !promoting, doubtful, |to| travel(to, None));
        sink.take(plain, |to| travel(to, None))?;
        if promoting == 0 {
            return ControlFlow::Continue(());
        }
        // The promotion does not matter for the own king.
        let legal = self.legal(promoting, doubtful, |to| travel(to, Some(Kind::Queen)));
        for promotion in Kind::PROMOTIONS {
            sink.take(legal, |to| travel(to, Some(promotion)))?;
        }
        ControlFlow::Continue(())
    }

    fn swaps(&self, kind: Kind, from: Cell, reach: Reach, sink: &mut impl Sink) -> ControlFlow<()> {
        let mut targets = reach.moves & self.own;
        if from.bit() & TOWER_CELLS == 0 {
            targets &= TOWER_CELLS;
        }
        if targets == 0 || kind == Kind::Pawn {
            return ControlFlow::Continue(());
        }
        let promotion = PROMOTION[self.side.index()];
        if kind.is_pawn_like() {
            targets &= !promotion;
        }
        if promotion & from.bit() != 0 {
            targets &= !self.board.pawn_like();
        }
        let swap = |to| Move::Swap { from, to };
        sink.take(self.legal(targets, true, swap), swap)
    }

    fn returns(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        let Some(Captured { kind, tower }) = self.position.returnable else {
            return ControlFlow::Continue(());
        };
        let mut targets = self.vacant & Board::field(tower.bit());
        if kind.is_pawn_like() {
            targets &= !PROMOTION[self.side.index()];
        }
        let mv = |to| Move::Return { to };
        sink.take(self.legal(targets, self.is_doubtful(0, 0, kind.lends()), mv), mv)
    }

    /// The first relocations of a turn.
    fn rearrangements(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        let field = Board::field(self.board.kind(self.side, Kind::Wizard));
        if field == 0 {
            return ControlFlow::Continue(());
        }
        for arena in ARENAS {
            if arena & field != 0 {
                self.relocations(arena, 0, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The relocations within one arena of pieces that have not been `relocated` in this turn.
    fn relocations(&self, arena: u128, relocated: u128, sink: &mut impl Sink) -> ControlFlow<()> {
        let rearranging = Rearranging::new(self.position, arena);
        let stage = rearranging.stage(relocated);
        if self.danger.in_check && !rearranging.is_hopeful(stage) {
            return ControlFlow::Continue(());
        }
        let mut dead = BTreeSet::new();
        for from in cells(stage.unmoved) {
            let targets = rearranging.targets(stage, from);
            let doubtful = self.is_doubtful(from.bit(), from.bit(), None);
            let ending = filtered(targets, |to| !doubtful || rearranging.is_safe(stage.after(from, to)));
            sink.take(ending, |to| Move::Relocation { from, to, then: Then::TurnEnds })?;
            let going_on = filtered(targets, |to| rearranging.can_end(stage.after(from, to), &mut dead));
            sink.take(going_on, |to| Move::Relocation { from, to, then: Then::TurnGoesOn })?;
        }
        ControlFlow::Continue(())
    }

    /// The last parts of multi-piece moves, from the squares `starts`.
    fn parts_that_end(&self, starts: u128, sink: &mut impl Sink) -> ControlFlow<()> {
        self.parts(starts, |mover, ordinary| self.travel(mover, Way::Reach, ordinary, sink))
    }

    /// The parts of multi-piece moves after which the turn goes on, from the squares `starts`.
    fn parts_that_go_on(&self, starts: u128, sink: &mut impl Sink) -> ControlFlow<()> {
        self.parts(starts, |mover, ordinary| {
            for to in cells(ordinary) {
                let promotes = mover.kind.is_pawn_like() && PROMOTION[self.side.index()] & to.bit() != 0;
                for nth in 0..if promotes { Kind::PROMOTIONS.len() } else { 1 } {
                    let mv = Move::Travel(Travel {
                        part: None,
                        from: mover.from,
                        to,
                        way: Way::Reach,
                        promotion: promotes.then(|| Kind::PROMOTIONS[nth]),
                        then: Then::TurnGoesOn,
                    });
                    if self.may_go_on_after(mv) {
                        sink.take(to.bit(), |_| mv)?;
                    }
                }
            }
            ControlFlow::Continue(())
        })
    }

    /// Calls `each` with the whole pieces on `starts` that may take part in a multi-piece move, and with the squares
    /// to which they may go.
    fn parts(&self, starts: u128, mut each: impl FnMut(Mover, u128) -> ControlFlow<()>) -> ControlFlow<()> {
        if starts == 0 {
            return ControlFlow::Continue(());
        }
        for kind in Kind::ALL {
            if kind == Kind::Dragon {
                continue;
            }
            for from in cells(self.own & self.board.all(kind) & starts) {
                let reach = self.ground.reach(self.side, kind, from);
                each(Mover { kind, part: None, from }, self.ordinary(reach))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The squares of the arenas from which a multi-piece move may go on that has used the arenas `used`.
    fn cells_of_dragons(&self, used: u16) -> u128 {
        let dragons = self.board.kind(self.side, Kind::Dragon);
        if dragons & TOWER_CELLS == 0 {
            return 0;
        }
        let used: u128 = bits64(used.into()).fold(0, |used, arena| used | ARENAS[usize::from(arena)]);
        let mut starts = 0;
        for (tower, touched) in TOWERS.iter().zip(TOUCHED_CELLS) {
            if dragons & tower.bit() != 0 && used & !touched == 0 {
                starts |= touched & !used;
            }
        }
        starts
    }

    /// Vacant squares to which a piece with this reach may go, without crossed squares where it would capture en
    /// passant.
    fn ordinary(&self, reach: Reach) -> u128 {
        reach.moves & self.vacant & !(reach.en_passant & self.crossed)
    }

    /// The enemies that the universe allows the mover to capture.
    fn capturable(&self, mover: Mover) -> u128 {
        let enemies = self.enemy & !self.board.all(Kind::King);
        if self.universe == 0 {
            return enemies;
        }
        let restricted = self.board.of_universe();
        if !mover.kind.is_of_universe() {
            return enemies & !(restricted & self.universe);
        }
        if self.universe & mover.from.bit() != 0 {
            return enemies & restricted;
        }
        enemies & (restricted | !self.universe)
    }

    /// The friends to which the mover may attach.
    fn attachable(&self, mover: Mover) -> u128 {
        let partners = self.own & self.board.partners(mover.kind) & !mover.from.bit();
        if self.universe == 0 || mover.kind == Kind::Pawn {
            return partners;
        }
        let in_universe = match mover.kind {
            Kind::Rook => partners & self.board.all(Kind::Knight),
            Kind::Knight => partners & self.board.all(Kind::Rook),
            _ => 0,
        };
        if self.universe & mover.from.bit() != 0 {
            return in_universe;
        }
        partners & !self.universe | in_universe
    }

    /// Whether the universe allows the part to leave a piece of that kind.
    fn may_detach(&self, kind: Kind, part: Kind, from: Cell) -> bool {
        let restricted = matches!(kind, Kind::Queen | Kind::Cardinal | Kind::Wizard) && part.is_of_universe();
        !restricted || self.universe & from.bit() == 0
    }

    /// Whether a move that does not go to a tower may leave the own king in check: one that starts on `from`, leaves
    /// the squares `vacates` vacant and gives these powers.
    fn is_doubtful(&self, from: u128, vacates: u128, lends: Option<Powers>) -> bool {
        self.danger.in_check
            || from & (TOWER_CELLS | self.king) != 0
            || vacates & self.danger.pinned != 0
            || self.danger.dragons && lends.is_some()
    }

    /// The targets whose moves leave the own king safe. Unless the moves are `doubtful`, only those to towers are
    /// tried.
    fn legal(&self, targets: u128, doubtful: bool, mv: impl Fn(Cell) -> Move) -> u128 {
        if self.ignores_check {
            return targets;
        }
        let certain = if doubtful { 0 } else { targets & !TOWER_CELLS };
        certain | filtered(targets & !certain, |to| !self.after(mv(to)).in_check(self.side))
    }

    /// Whether a part of a multi-piece move with `+` is legal.
    fn may_go_on_after(&self, mv: Move) -> bool {
        let left_in_check =
            matches!(self.position.turn, Turn::MultiPiece(MultiPiece { left_in_check: true, .. }));
        let after = self.after(mv);
        !(left_in_check && after.in_check(self.side)) && is_any_legal(&after)
    }

    fn after(&self, mv: Move) -> FourTowers {
        let mut after = *self.position;
        after.make(mv);
        after
    }
}

impl Searchable for FourTowers {
    fn count_legal_moves(&self) -> usize {
        let mut count = Count(0);
        let _ = generate(self, &mut count);
        count.0
    }

    fn null_move(&self) -> Option<Self> {
        if self.turn != Turn::Begins || self.in_check(self.side) {
            return None;
        }
        let mut next = *self;
        next.en_passant = EnPassants::NONE;
        next.returnable = None;
        next.side = !next.side;
        next.counters.count(false);
        Some(next)
    }
}
