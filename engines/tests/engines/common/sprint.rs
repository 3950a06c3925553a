//! A game for tests: take stones from a heap for points. Taking two gives another move; one may also rest.

use std::fmt;
use std::str::FromStr;

use engine_proto::bits::mix64;
use engine_proto::{Counters, Drawn, End, FenError, GameInfo, Position, Searchable, Side, Start, fen};
use engines::eval::Evaluator;

/// FEN: `<stones> <side> <white's points> <black's points> <quiet> <ply>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sprint {
    stones: u8,
    side: Side,
    points: [i32; 2],
    counters: Counters,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    Rest,
    Take(u8),
}

/// Points and the stone on top; taking three is forcing.
#[derive(Clone, Debug)]
pub struct Points;

impl Evaluator<Sprint> for Points {
    const SPREAD: i32 = 300;
    const HAS_FORCING: bool = true;

    fn evaluate(&mut self, position: &Sprint) -> i32 {
        let lead = position.points[position.side.index()] - position.points[(!position.side).index()];
        lead * 100 + worth(position.stones) * 10
    }

    fn is_forcing(&self, _position: &Sprint, mv: Move) -> bool {
        mv == Move::Take(3)
    }

    fn promise(&self, position: &Sprint, mv: Move) -> i32 {
        match mv {
            Move::Rest => -100,
            Move::Take(_) => worth(position.stones),
        }
    }
}

/// What the stone on top of a heap of `stones` is worth: from -3 to 5.
fn worth(stones: u8) -> i32 {
    (mix64(u64::from(stones)) % 9) as i32 - 3
}

impl Position for Sprint {
    type Move = Move;

    const INFO: &'static GameInfo = &GameInfo {
        id: "sprint",
        name: "Sprint",
        rules: "",
        how_to_play: "",
        starts: &[Start::fixed("default", "21 w 0 0 0 0"), Start::fixed("long", "40 w 0 0 0 0")],
        quiet_limit: 30,
        reasons: &["points"],
        kinds: &[],
        typical_plies: 20,
    };

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.end().is_none() {
            moves.push(Move::Rest);
            moves.extend((1..=self.stones.min(3)).map(Move::Take));
        }
    }

    fn play_unchecked(&mut self, mv: Move) {
        self.counters.count(mv != Move::Rest);
        if let Move::Take(n) = mv {
            self.points[self.side.index()] += (0..n).map(|idx| worth(self.stones - idx)).sum::<i32>();
            self.stones -= n;
        }
        if mv != Move::Take(2) {
            self.side = !self.side;
        }
    }

    fn end(&self) -> Option<End> {
        let [white, black] = self.points;
        (self.stones == 0).then_some(match white.cmp(&black) {
            std::cmp::Ordering::Greater => End::win(Side::White, "points"),
            std::cmp::Ordering::Less => End::win(Side::Black, "points"),
            std::cmp::Ordering::Equal => End::draw("points"),
        })
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn repeats(&self, other: &Self) -> bool {
        (self.stones, self.side, self.points) == (other.stones, other.side, other.points)
    }

    fn fingerprint(&self) -> u64 {
        let [white, black] = self.points.map(|points| u64::from(points as u8));
        mix64(u64::from(self.stones) | white << 8 | black << 16 | (self.side.index() as u64) << 24)
    }
}

// Only rules: the drawing is the FEN, and moves are counted by listing them.
impl Drawn for Sprint {}
impl Searchable for Sprint {}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rest => f.write_str("rest"),
            Self::Take(n) => write!(f, "take{n}"),
        }
    }
}

impl fmt::Display for Sprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = self.points;
        write!(f, "{} {} {white} {black} {}", self.stones, self.side.letter(), self.counters)
    }
}

impl FromStr for Sprint {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let [stones, side, white, black, quiet, ply] = fen::fields(text)?;
        let number = |text: &str| text.parse().map_err(|_| FenError::new("points", "not a number"));
        Ok(Self {
            stones: fen::counter("stones", stones)? as u8,
            side: fen::side(side)?,
            points: [number(white)?, number(black)?],
            counters: Counters::read(quiet, ply)?,
        })
    }
}
