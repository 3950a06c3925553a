//! The drawing of a position.

use super::geometry::line_between;
use super::{Move, TowerOfPower};
use crate::bitboard::Cell;
use crate::scene::{Further, Guide, Layout, Mark, Meaning, Note, Piece, PieceKind, Remark, Scene, Shift};
use crate::{Drawn, Position, Side, Square};

pub(super) static KINDS: [PieceKind; 1] = [PieceKind::blank("stone", 'S', ['○', '●']).moving(
    "goes to a square beside it, or turns around a stone of its side that is beside it, to any square beside that stone",
)];

static GUIDE: Guide = Guide {
    marks: &[
        (Mark::Move, "can go there"),
        (Mark::Via, "the base of a row: the row is piled up there, and laid out from there"),
        (Mark::Lay, "lays a row out to here"),
        (Mark::Join, "goes on top of a stone of your own"),
        (Mark::Capture, "captures this stone"),
    ],
    notation: &[
        ("g5f5", "the top stone of g5 goes to f5"),
        ("b2b4d6", "lays the row b2-b4 out from b4 to d6; the bottom stone stays on b4"),
    ],
    further: Some(Further {
        first: "a dashed square to lay a row out from there",
        second: "row {0}-{1}: click the diamond where its last stone should go",
        end: "Move only {0} onto {1}",
    }),
    ..*Guide::PLAIN
};

impl Drawn for TowerOfPower {
    fn layout(&self) -> Layout {
        Layout {
            legend: &[
                "stacks are written from bottom to top; the top stone owns the square",
                "three or more squares of one side in a line are a row: it is piled up on the stone at one end, and laid out from there, stone by stone, in any other direction",
                "a stone that lands on a stone of the other side captures it; the stones below stay buried",
                "a side that owns no square has lost",
            ],
            guide: &GUIDE,
            ..Layout::rectangle(8, 8)
        }
    }

    fn scene(&self) -> Scene {
        let mut pieces = Vec::new();
        for cell in Cell::all_of(self.occupied()) {
            let height = self.height(cell);
            for (level, owner) in (0..).zip(self.stack(cell)) {
                let stone = Piece::new(Square::from(cell), Some(owner), &KINDS[0]);
                pieces.push(Piece { level, is_buried: u32::from(level) + 1 < height, ..stone });
            }
        }
        let notes = Side::ALL.map(|side| {
            let label = if side == Side::White { "White's stones" } else { "Black's stones" };
            let buried = match self.buried_stones(side) {
                0 => String::new(),
                n => format!(" ({n} of them buried)"),
            };
            Note::new(label, format!("{}{buried}", self.stones(side)))
        });
        Scene { pieces, notes: notes.into(), ..Scene::empty(self) }
    }

    fn meaning(&self, mv: Move, reader: Side) -> Option<Meaning> {
        let captured = mv.laid() & self.owned(!self.side_to_move());
        let (mark, words) = match mv {
            Move::OneStone { .. } if captured != 0 => (Mark::Capture, "captures the stone there".to_owned()),
            Move::OneStone { to, .. } if to.is_on(self.occupied()) => {
                (Mark::Join, format!("goes on top of {} stone", self.side_to_move().whose(reader)))
            }
            Move::OneStone { .. } => return None,
            Move::Row { base, back, lay, stones } => {
                let [far, last] = [back, lay].map(|direction| base.step(direction, stones));
                let n = captured.count_ones();
                let captures = match n {
                    0 => String::new(),
                    1 => " and captures a stone".to_owned(),
                    n => format!(" and captures {n} stones"),
                };
                (Mark::Lay, format!("lays the row {far}-{base} out from {base} to {last}{captures}"))
            }
        };
        let captured = Cell::all_of(captured).map(Square::from).collect();
        Some(Meaning { captured, ..Meaning::new(mark, words) })
    }

    fn refusal(&self, from: Square, to: Square) -> Option<String> {
        let [from, to] = [from, to].map(|square| Cell::new(square.file, square.rank));
        let (from, to, own) = (from?, to?, self.owned(self.side_to_move()));
        let far = "that is too far for one stone";
        let Some((direction, steps)) = line_between(from, to) else {
            return Some(format!("{far}, and no row leads there"));
        };
        let gap = (1..=steps).map(|n| from.step(direction, n)).find(|cell| !cell.is_on(own));
        Some(match gap {
            Some(cell) => format!("{far}, and {from}-{to} is no row of yours: {}", self.described(cell)),
            None => format!("the row {from}-{to} cannot be laid out from {to}: no direction has room for it"),
        })
    }

    fn shifts(&self, mv: Move) -> Vec<Shift> {
        // The stones between the ends of a row are piled up on its base.
        let Move::Row { base, back, stones, .. } = mv else { return Vec::new() };
        (1..stones).map(|n| Shift::between(base.step(back, n).into(), base.into())).collect()
    }

    fn remarks(&self) -> Vec<Remark> {
        let stacks = Cell::all_of(self.occupied()).filter_map(|cell| Some((cell, self.stacked(cell)?)));
        stacks.map(|(cell, words)| Remark::new(cell.into(), words)).collect()
    }
}

impl TowerOfPower {
    /// A stack in words; `None` if there is none.
    fn stacked(&self, cell: Cell) -> Option<String> {
        let (owner, height) = (self.owner(cell)?, self.height(cell));
        (1 < height).then(|| format!("a stack of {height}, {owner} on top"))
    }

    /// Whose a square is, in a sentence.
    fn described(&self, cell: Cell) -> String {
        let Some(owner) = self.owner(cell) else { return format!("{cell} is empty") };
        match self.stacked(cell) {
            Some(stack) => format!("{cell} is {owner}'s ({stack})"),
            None => format!("{cell} is {owner}'s"),
        }
    }
}
