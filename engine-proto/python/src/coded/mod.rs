//! Games with numbered actions and observation planes: the trait, and what all games share. Every number is from the
//! view of one side: for Black, the board is turned by 180 degrees, which is a symmetry of all games.

mod four_towers;
mod push;
mod push_push;
mod tower_of_power;
mod tower_push;

use games::{Direction, Drawn, Play, Searchable, Side};

/// A game with numbered actions and observation planes.
///
/// Both depend on the size of the board, which is the same for all positions of a play.
pub trait Coded: Drawn + Searchable {
    /// The number of files and of ranks of the planes.
    fn board(&self) -> [usize; 2];

    /// The meaning of each plane of the game, in order; without [`COMMON_PLANES`].
    const PLANES: &'static [&'static str];

    /// The number of actions: legal or not, in any position of the play.
    fn n_actions(&self) -> usize;

    /// The number of a legal move, from the view of the side to move.
    fn action(&self, mv: Self::Move) -> usize;

    /// Writes the planes of [`Coded::PLANES`] from the view of a side. They are all zero before.
    fn observe(&self, planes: &mut Planes<'_>);
}

/// The planes that every game has, after its own ones.
pub const COMMON_PLANES: [&str; 4] = [
    "viewer to move: 1 everywhere if the viewer is the side to move",
    "viewer is second: 1 everywhere if the viewer is player 1 (Black)",
    "repetition: earlier occurrences of the position / 2, everywhere",
    "quiet: moves since the last progress / the game's limit, everywhere",
];

/// The number of planes, ranks and files of the observations of a play.
pub fn shape<P: Coded>(position: &P) -> [usize; 3] {
    let [files, ranks] = position.board();
    [P::PLANES.len() + COMMON_PLANES.len(), ranks, files]
}

/// Writes the observation of a play from the view of a side. The slice has the size of [`shape`].
pub fn observe<P: Coded>(play: &Play<P>, viewer: Side, data: &mut [f32]) {
    let position = play.position();
    data.fill(0.0);
    let mut planes = Planes { data, board: position.board(), viewer, next: 0 };
    position.observe(&mut planes);
    debug_assert_eq!(planes.next, P::PLANES.len());
    planes.flag(position.side_to_move() == viewer);
    planes.flag(viewer == Side::Black);
    planes.fill((play.occurrences() - 1) as f32 / 2.0);
    planes.fill(position.quiet() as f32 / P::INFO.quiet_limit as f32);
}

/// The planes of one observation, written one after the other.
pub struct Planes<'a> {
    data: &'a mut [f32],
    board: [usize; 2],
    /// The side whose view it is.
    pub viewer: Side,
    next: usize,
}

impl Planes<'_> {
    /// The viewer, then the opponent.
    pub const fn sides(&self) -> [Side; 2] {
        match self.viewer {
            Side::White => [Side::White, Side::Black],
            Side::Black => [Side::Black, Side::White],
        }
    }

    /// The next plane: 1 on these squares, given as the file and the rank from White's view.
    pub fn squares(&mut self, squares: impl IntoIterator<Item = (u8, u8)>) {
        self.values(squares.into_iter().map(|square| (square, 1.0)));
    }

    /// The next plane: these values on these squares.
    pub fn values(&mut self, values: impl IntoIterator<Item = ((u8, u8), f32)>) {
        let [files, ranks] = self.board;
        let (begin, last) = (self.next * files * ranks, files * ranks - 1);
        for ((file, rank), value) in values {
            let at = usize::from(rank) * files + usize::from(file);
            self.data[begin + if self.viewer == Side::White { at } else { last - at }] = value;
        }
        self.next += 1;
    }

    /// The next plane: the squares of a bitboard with eight bits for each rank.
    pub fn bits(&mut self, board: u64) {
        self.squares(games::bits::bits64(board).map(|bit| (bit % 8, bit / 8)));
    }

    /// The next plane: the same value everywhere.
    pub fn fill(&mut self, value: f32) {
        if value != 0.0 {
            let area = self.board[0] * self.board[1];
            self.data[self.next * area..][..area].fill(value);
        }
        self.next += 1;
    }

    /// The next plane: 1 everywhere, or 0 everywhere.
    pub fn flag(&mut self, is_set: bool) {
        self.fill(f32::from(u8::from(is_set)));
    }
}

/// A square of a board with `n` squares from the view of a side.
const fn seen_from(viewer: Side, square: usize, n: usize) -> usize {
    match viewer {
        Side::White => square,
        Side::Black => n - 1 - square,
    }
}

/// The number of a direction, 0 for north and clockwise, from the view of a side.
const fn direction_from(viewer: Side, direction: Direction) -> usize {
    match viewer {
        Side::White => direction as usize,
        Side::Black => (direction as usize + 4) % 8,
    }
}
