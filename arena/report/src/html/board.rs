//! Boards and pieces for the page: the squares of each game once, and each position as its changes. Everything comes
//! from [`engine_proto::scene`]; no game is known by name.

use engine_proto::scene::{Ground, GroundKind, Layout, Piece, PieceKind, Scene, Shift};
use engine_proto::{GameId, Games, Side};
use serde::Serialize;

/// The boards of all matches: matches on the same squares share one.
#[derive(Debug, Default)]
pub struct Boards {
    boards: Vec<(Layout, Board)>,
}

/// A board without its heights, which can differ between matches.
#[derive(Debug, Serialize)]
pub struct Board {
    /// The game's id.
    game: GameId,
    squares: Vec<SquareView>,
    legend: &'static [&'static str],
    /// The states of pieces.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    states: &'static [&'static str],
    /// What a goal is called.
    goal: &'static str,
    kinds: Vec<KindView>,
}

#[derive(Debug, Serialize)]
struct SquareView {
    name: String,
    file: u8,
    rank: u8,
    kind: &'static str,
    region: u8,
    /// The side whose goal it is: `w`, `b`, `wb` or empty.
    goal: &'static str,
}

/// A kind of piece.
#[derive(Debug, Serialize)]
struct KindView {
    name: &'static str,
    letter: char,
    /// The sign on a piece, if it has one.
    sign: Option<String>,
    /// How it moves.
    #[serde(skip_serializing_if = "str::is_empty")]
    moves: &'static str,
}

/// The changes from one position to the next: indices of squares, each with its pieces afterwards, from bottom to top,
/// by their letters in a FEN; a piece with a state is followed by `(state)`.
#[derive(Clone, Debug, Serialize)]
pub struct SceneChange {
    #[serde(rename = "s", skip_serializing_if = "Vec::is_empty")]
    squares: Vec<(usize, String)>,
    /// The pieces in hand of White and Black afterwards, if they changed.
    #[serde(rename = "h", skip_serializing_if = "Option::is_none")]
    hands: Option<[String; 2]>,
    /// The notes afterwards, if they changed.
    #[serde(rename = "n", skip_serializing_if = "Option::is_none")]
    notes: Option<Vec<(&'static str, String)>>,
    #[serde(rename = "p", skip_serializing_if = "Vec::is_empty")]
    shifts: Vec<ShiftView>,
    /// The square of a king in check.
    #[serde(rename = "c", skip_serializing_if = "Option::is_none")]
    check: Option<usize>,
}

/// How the last move displaced a piece: the index of its square, the changes of its file and rank, and 1 if it left the board.
type ShiftView = (usize, i8, i8, u8);

impl SceneChange {
    /// The changes of the board only.
    #[must_use]
    pub fn of_board(self) -> Self {
        Self { hands: None, notes: None, check: None, ..self }
    }
}

/// The data to draw a replay.
#[derive(Debug, Default)]
pub struct Drawing {
    /// The index of the board.
    pub board: usize,
    /// The heights of the squares as digits; empty for a flat board.
    pub heights: String,
    /// The positions; the first one is the opening.
    pub changes: Vec<SceneChange>,
    /// The side to move in the last position.
    pub side_to_move: Option<Side>,
}

impl Boards {
    /// How to draw the positions `scenes` of a game on `layout`.
    pub fn drawing(&mut self, games: &Games, game: GameId, layout: &Layout, scenes: &[Scene]) -> Drawing {
        let mut shown = Shown::new(layout.clone());
        let changes = scenes.iter().map(|scene| shown.step(scene)).collect();
        Drawing {
            board: self.place(games, game, layout),
            heights: heights(layout),
            changes,
            side_to_move: scenes.last().map(|scene| scene.side_to_move),
        }
    }

    /// All boards, in order of their indices.
    pub fn all(&self) -> Vec<&Board> {
        self.boards.iter().map(|(_, board)| board).collect()
    }

    /// The index of the board of a game on `layout`.
    pub fn place(&mut self, games: &Games, game: GameId, layout: &Layout) -> usize {
        let mut level = layout.clone();
        level.grounds.iter_mut().for_each(|ground| ground.height = 0);
        let is_this = |(one, board): &(Layout, Board)| board.game == game && *one == level;
        if let Some(place) = self.boards.iter().position(is_this) {
            return place;
        }
        let board = Board::new(games, game, &level);
        self.boards.push((level, board));
        self.boards.len() - 1
    }
}

impl Board {
    fn new(games: &Games, game: GameId, layout: &Layout) -> Self {
        Self {
            game,
            squares: layout.grounds.iter().copied().map(SquareView::of).collect(),
            legend: layout.legend,
            goal: layout.guide.goal,
            states: layout.guide.states,
            kinds: games.info(game).map_or(&[][..], |info| info.kinds).iter().map(KindView::of).collect(),
        }
    }
}

impl SquareView {
    fn of(ground: Ground) -> Self {
        Self {
            name: ground.square.to_string(),
            file: ground.square.file,
            rank: ground.square.rank,
            kind: match ground.kind {
                GroundKind::Open => "open",
                GroundKind::Tower => "tower",
                GroundKind::Wall => "wall",
            },
            region: ground.region,
            goal: match ground.is_goal_of {
                [false, false] => "",
                [true, false] => "w",
                [false, true] => "b",
                [true, true] => "wb",
            },
        }
    }
}

impl KindView {
    fn of(kind: &PieceKind) -> Self {
        // Without the selector, some systems draw a picture in their own colours.
        let text =
            |label: char| if label.is_ascii() { label.to_string() } else { format!("{label}\u{fe0e}") };
        let sign = kind.label.map(|label| text(label) + &kind.beside.map(text).unwrap_or_default());
        Self { name: kind.name, letter: kind.letter, sign, moves: kind.moves }
    }
}

/// The heights of the squares as digits; empty for a flat board.
pub fn heights(layout: &Layout) -> String {
    let is_flat = layout.grounds.iter().all(|ground| ground.height == 0);
    let height = |ground: &Ground| char::from_digit(ground.height.into(), 10).unwrap_or('9');
    if is_flat { String::new() } else { layout.grounds.iter().map(height).collect() }
}

/// The position that a page shows of a match.
#[derive(Clone, Debug)]
pub struct Shown {
    layout: Layout,
    flat: Flat,
}

impl Shown {
    /// An empty board.
    pub fn new(layout: Layout) -> Self {
        Self { flat: Flat::empty(&layout), layout }
    }

    /// Shows another position, and returns how it differs.
    pub fn step(&mut self, scene: &Scene) -> SceneChange {
        let next = Flat::of(&self.layout, scene);
        let place = |square| self.layout.grounds.iter().position(|ground| ground.square == square);
        let shift =
            |shift: &Shift| Some((place(shift.from)?, shift.files, shift.ranks, u8::from(shift.is_gone)));
        let shifts = scene.shifts.iter().filter_map(shift).collect();
        SceneChange { shifts, check: scene.check.and_then(place), ..self.flat.step(next) }
    }
}

/// A position as texts: one for each square, the pieces in hand, and the notes.
#[derive(Clone, Debug, Default)]
struct Flat {
    squares: Vec<String>,
    hands: [String; 2],
    notes: Vec<(&'static str, String)>,
}

impl Flat {
    fn empty(layout: &Layout) -> Self {
        Self { squares: vec![String::new(); layout.grounds.len()], ..Self::default() }
    }

    fn of(layout: &Layout, scene: &Scene) -> Self {
        let mut flat = Self::empty(layout);
        // The pieces of one square come from bottom to top.
        for piece in &scene.pieces {
            let place = layout.grounds.iter().position(|ground| ground.square == piece.square);
            spell(piece, &mut flat.squares[place.expect("a piece stands on a square of the board")]);
        }
        for side in Side::ALL {
            for hand in &scene.hands[side.index()] {
                flat.hands[side.index()] += &format!("{}{}", hand.kind.fen_sign(Some(side)), hand.count);
            }
        }
        flat.notes = scene.notes.iter().map(|note| (note.label, note.value.clone())).collect();
        flat
    }

    /// Replaces the position by `next` and returns the changes.
    fn step(&mut self, next: Self) -> SceneChange {
        let changed =
            |(place, (old, new)): (usize, (&String, &String))| (old != new).then(|| (place, new.clone()));
        let change = SceneChange {
            squares: self.squares.iter().zip(&next.squares).enumerate().filter_map(changed).collect(),
            hands: (self.hands != next.hands).then(|| next.hands.clone()),
            notes: (self.notes != next.notes).then(|| next.notes.clone()),
            shifts: Vec::new(),
            check: None,
        };
        *self = next;
        change
    }
}

fn spell(piece: &Piece, text: &mut String) {
    text.push(piece.kind.fen_sign(piece.owner));
    if let Some(state) = piece.state {
        *text += &format!("({state})");
    }
}
