//! A tiny game for tests, in no registry: two runners on a track of `LENGTH` steps. A move is one to three steps, `s1` to
//! `s3`. Who lands on a step divisible by three moves again; who reaches the last step first wins.

use std::fmt;
use std::str::FromStr;

use engine_proto::bits::mix64;
use engine_proto::scene::{Layout, Piece, PieceKind, Scene};
use engine_proto::{
    Counters, Drawn, End, FenError, GameInfo, Position, Searchable, Side, Square, Start, fen,
};

static KINDS: [PieceKind; 1] = [PieceKind::new("runner", 'R', ['R', 'r'])];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race<const LENGTH: u32> {
    /// Where each side's runner stands.
    at: [u32; 2],
    side: Side,
    counters: Counters,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Steps(u32);

impl<const LENGTH: u32> Position for Race<LENGTH> {
    type Move = Steps;

    const INFO: &'static GameInfo = &GameInfo {
        id: if LENGTH == 10 { "race" } else { "long-race" },
        name: "Race",
        rules: "",
        how_to_play: "",
        starts: &[Start::fixed("start", "0/0 w 0 0")],
        quiet_limit: 100,
        reasons: &["home"],
        kinds: &KINDS,
        typical_plies: 20,
    };

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut Vec<Steps>) {
        if self.end().is_none() {
            moves.extend((1..=3).filter(|steps| self.at[self.side.index()] + steps <= LENGTH).map(Steps));
        }
    }

    fn play_unchecked(&mut self, Steps(steps): Steps) {
        let at = &mut self.at[self.side.index()];
        *at += steps;
        self.counters.count(false);
        if !at.is_multiple_of(3) {
            self.side = !self.side;
        }
    }

    fn end(&self) -> Option<End> {
        Side::ALL.into_iter().find(|side| self.at[side.index()] == LENGTH).map(|side| End::win(side, "home"))
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn repeats(&self, other: &Self) -> bool {
        (self.at, self.side) == (other.at, other.side)
    }

    fn fingerprint(&self) -> u64 {
        let [white, black] = self.at.map(u64::from);
        mix64(white * 1000 + black * 2 + self.side.index() as u64)
    }
}

impl<const LENGTH: u32> Drawn for Race<LENGTH> {
    fn layout(&self) -> Layout {
        Layout { legend: &["White runs below, Black above"], ..Layout::rectangle(LENGTH as u8 + 1, 2) }
    }

    fn scene(&self) -> Scene {
        let runner = |side: Side| {
            let square = Square { file: self.at[side.index()] as u8, rank: side.index() as u8 };
            Piece::new(square, Some(side), &KINDS[0])
        };
        Scene { pieces: Side::ALL.map(runner).into(), ..Scene::empty(self) }
    }
}

impl<const LENGTH: u32> Searchable for Race<LENGTH> {}

impl<const LENGTH: u32> fmt::Display for Race<LENGTH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = self.at;
        write!(f, "{white}/{black} {} {}", self.side.letter(), self.counters)
    }
}

impl<const LENGTH: u32> FromStr for Race<LENGTH> {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let [board, side, quiet, ply] = fen::fields(text)?;
        let (white, black) =
            board.split_once('/').ok_or_else(|| FenError::new("board", "two runners, `/` between them"))?;
        let at = [fen::counter("board", white)?, fen::counter("board", black)?];
        if at.into_iter().max() > Some(LENGTH) {
            return Err(FenError::new("board", "a runner beyond the end"));
        }
        let counters = Counters::read(quiet, ply)?;
        Ok(Self { at, side: fen::side(side)?, counters })
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}
