//! The signs of a drawing: the characters and colours of the content of a square. [`super::grid`] places the squares.

use std::fmt::Write as _;

use super::Style;
use crate::scene::{Effects, Ground, GroundKind, Layout, Piece, PieceKind, Role, Scene};
use crate::{Side, Square};

/// The character set of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signs {
    /// Lines, chess pieces and the like: for a terminal that reads UTF-8.
    Unicode,
    /// The letters of FENs, for any terminal.
    Ascii,
}

impl Signs {
    /// The sign of a piece.
    pub const fn piece(self, kind: &PieceKind, owner: Option<Side>) -> char {
        match self {
            Self::Unicode => kind.sign(owner),
            Self::Ascii => kind.fen_sign(owner),
        }
    }

    /// The text for this character set.
    const fn of(self, unicode: char, ascii: char) -> char {
        match self {
            Self::Unicode => unicode,
            Self::Ascii => ascii,
        }
    }

    const fn empty(self, ground: Ground) -> char {
        match ground.kind {
            GroundKind::Wall => self.of('█', '#'),
            GroundKind::Tower => self.of('▲', '^'),
            GroundKind::Open if ground.is_goal_of[0] || ground.is_goal_of[1] => self.goal(),
            GroundKind::Open if ground.height > 0 => self.height(ground.height),
            GroundKind::Open => self.of('·', '.'),
        }
    }

    const fn goal(self) -> char {
        self.of('◇', '+')
    }

    /// The signs on both sides of the content of a square with this height.
    const fn height(self, height: u8) -> char {
        match height {
            0 => ' ',
            1 => self.of('░', ':'),
            _ => self.of('▓', '#'),
        }
    }

    const fn ellipsis(self) -> char {
        self.of('…', '~')
    }

    /// The character of a corner with lines up, right, down and left, as far as they are set.
    pub(super) const fn line(self, [up, right, down, left]: [bool; 4]) -> char {
        match self {
            Self::Unicode => match (up, right, down, left) {
                (false, false, false, false) => ' ',
                (true, false, _, false) | (false, false, true, false) => '│',
                (false, true, false, _) | (false, false, false, true) => '─',
                (false, true, true, false) => '┌',
                (false, false, true, true) => '┐',
                (true, true, false, false) => '└',
                (true, false, false, true) => '┘',
                (true, true, true, false) => '├',
                (true, false, true, true) => '┤',
                (false, true, true, true) => '┬',
                (true, true, false, true) => '┴',
                (true, true, true, true) => '┼',
            },
            Self::Ascii => match (up || down, right || left) {
                (false, false) => ' ',
                (true, false) => '|',
                (false, true) => '-',
                (true, true) => '+',
            },
        }
    }
}

/// The look of the squares of one drawing.
pub(super) struct Body {
    pub(super) style: Style,
    /// Whether the board has hills.
    is_hilly: bool,
    /// The number of columns for the content of a square.
    n_columns: usize,
}

/// The maximum number of pieces that are shown in one square.
const TALLEST: usize = 6;

impl Body {
    pub(super) fn of(layout: &Layout, scene: &Scene, style: Style) -> Self {
        let is_hilly = layout.grounds.iter().any(|ground| ground.height > 0);
        Self { style, is_hilly, n_columns: scene.tallest_stack().max(style.stack).min(TALLEST) }
    }

    /// The width of a square in columns.
    pub(super) const fn width(&self) -> usize {
        2 + self.n_columns + if self.is_hilly { 2 } else { 0 }
    }

    /// Draws a square.
    pub(super) fn write(&self, text: &mut String, ground: Ground, scene: &Scene, effects: Option<&Effects>) {
        let stack: Vec<&Piece> = scene.stack(ground.square).collect();
        let touch = effects.and_then(|effects| effects.on(ground.square));
        let [open, close] = match touch.map(|touch| touch.role) {
            None => [' ', ' '],
            Some(Some(Role::From)) => ['(', ')'],
            Some(Some(Role::To)) => ['[', ']'],
            Some(Some(Role::Via)) => ['{', '}'],
            Some(None) => ['<', '>'],
        };
        let colour = Colour::of(ground, touch.is_some());
        let mut square = Painter { text, is_on: self.style.has_colour, back: colour };
        let signs = self.style.signs;
        let wall = (ground.kind == GroundKind::Wall).then(|| signs.empty(ground));
        let side_sign = wall.unwrap_or_else(|| signs.height(ground.height));

        square.paint(Ink::Faint, &wall.unwrap_or(open).to_string());
        if self.is_hilly {
            square.paint(Ink::Faint, &side_sign.to_string());
        }
        self.write_stack(&mut square, &stack, ground);
        if self.is_hilly {
            let state = stack.last().and_then(|piece| piece.state).map(|_| '*');
            square.paint(Ink::Faint, &state.unwrap_or(side_sign).to_string());
        }
        square.paint(Ink::Faint, &wall.unwrap_or(close).to_string());
        square.end();
    }

    /// The content of a square, centred; only its upper end if there are too many pieces.
    fn write_stack(&self, square: &mut Painter<'_>, stack: &[&Piece], ground: Ground) {
        let signs = self.style.signs;
        let n_shown = stack.len().clamp(1, self.n_columns);
        let before = (self.n_columns - n_shown) / 2;
        let after = self.n_columns - n_shown - before;
        square.paint(Ink::Faint, &" ".repeat(before));
        if stack.is_empty() {
            square.paint(Ink::Faint, &signs.empty(ground).to_string());
        }
        let is_cut = stack.len() > self.n_columns;
        let hidden = if is_cut { stack.len() - self.n_columns + 1 } else { 0 };
        if is_cut {
            square.paint(Ink::Faint, &signs.ellipsis().to_string());
        }
        for piece in stack.iter().skip(hidden) {
            square.paint(Ink::of(piece), &signs.piece(piece.kind, piece.owner).to_string());
        }
        square.paint(Ink::Faint, &" ".repeat(after));
    }

    /// The squares with more pieces than a square can show, with all their pieces from bottom to top.
    pub(super) fn tall_stacks(&self, scene: &Scene) -> Vec<(Square, String)> {
        let mut tall: Vec<Square> = scene
            .pieces
            .iter()
            .filter(|piece| !piece.is_buried && usize::from(piece.level) >= self.n_columns)
            .map(|piece| piece.square)
            .collect();
        tall.sort_unstable();
        let all = |square| {
            scene.stack(square).map(|piece| self.style.signs.piece(piece.kind, piece.owner)).collect()
        };
        tall.into_iter().map(|square| (square, all(square))).collect()
    }

    /// The legend for the signs of the drawing, one line each.
    pub(super) fn legend(&self, layout: &Layout, scene: &Scene, effects: Option<&Effects>) -> Vec<String> {
        let signs = self.style.signs;
        let mut lines = Vec::new();
        let mut meanings = String::new();
        let mut add = |sign: &str, meaning: &str| {
            let joint = if meanings.is_empty() { "" } else { ", " };
            let _ = write!(meanings, "{joint}{sign} {meaning}");
        };
        // Letters say it by their case. A filled sign may look white on a dark background.
        let is_drawn =
            |piece: &&Piece| piece.owner.is_some() && !signs.piece(piece.kind, piece.owner).is_ascii();
        if let Some(piece) = scene.pieces.iter().find(is_drawn) {
            add(&signs.piece(piece.kind, Some(Side::White)).to_string(), "White");
            add(&signs.piece(piece.kind, Some(Side::Black)).to_string(), "Black");
        }
        let has = |kind| layout.grounds.iter().any(|ground| ground.kind == kind);
        if layout.grounds.iter().any(|ground| ground.is_goal_of != [false; 2]) {
            add(&signs.goal().to_string(), "goal");
        }
        if has(GroundKind::Tower) {
            add(&signs.of('▲', '^').to_string(), "tower");
        }
        if has(GroundKind::Wall) {
            add(&signs.of('█', '#').to_string(), "wall");
        }
        if self.is_hilly {
            add(&signs.height(1).to_string(), "height 1");
            add(&signs.height(2).to_string(), "height 2");
        }
        if let Some(state) = scene.pieces.iter().find_map(|piece| piece.state) {
            add("*", state);
        }
        if !meanings.is_empty() {
            lines.push(meanings);
        }
        // Letters that are no chess notation.
        let mut named: Vec<_> = scene.pieces.iter().map(|piece| piece.kind).collect();
        named.retain(|kind| kind.label.is_some() && kind.signs[1].is_ascii());
        named.sort_unstable_by_key(|kind| kind.letter);
        named.dedup();
        if !named.is_empty() {
            let named = named.iter().map(|kind| format!("{} {}", kind.letter, kind.name));
            lines.push(named.collect::<Vec<_>>().join(", "));
        }
        lines.extend(layout.legend.iter().map(|&line| line.to_owned()));
        if effects.is_some_and(|effects| !effects.touches.is_empty()) {
            lines.push("last move: ( ) start, [ ] target, { } named in between, < > also changed".to_owned());
        }
        lines
    }
}

/// The background of a square: a number of the 256 colours.
#[derive(Clone, Copy)]
struct Colour(u8);

impl Colour {
    const fn of(ground: Ground, is_touched: bool) -> Self {
        let is_dark = (ground.square.file + ground.square.rank).is_multiple_of(2);
        Self(match (ground.kind, ground.height) {
            (GroundKind::Wall, _) => 236,
            _ if is_touched => 136,
            (GroundKind::Tower, _) => 97,
            (GroundKind::Open, 0) if ground.region != 0 => [66, 101][(ground.region % 2) as usize],
            (GroundKind::Open, 0) => [66, 65][is_dark as usize],
            (GroundKind::Open, 1) => 101,
            (GroundKind::Open, _) => 95,
        })
    }
}

/// The colour of a sign.
#[derive(Clone, Copy)]
enum Ink {
    /// Not a piece.
    Faint,
    /// A piece that can be seen from above.
    Piece(Option<Side>),
    /// A piece below another one.
    Buried(Option<Side>),
}

impl Ink {
    const fn of(piece: &Piece) -> Self {
        if piece.is_buried { Self::Buried(piece.owner) } else { Self::Piece(piece.owner) }
    }

    /// The parameters of the terminal command for this colour.
    const fn command(self) -> &'static str {
        match self {
            Self::Faint => "22;38;5;252",
            Self::Piece(Some(Side::White)) => "1;38;5;231",
            Self::Piece(Some(Side::Black)) => "1;38;5;16",
            Self::Piece(None) => "1;38;5;226",
            Self::Buried(Some(Side::White)) => "22;2;38;5;252",
            Self::Buried(Some(Side::Black)) => "22;2;38;5;235",
            Self::Buried(None) => "22;2;38;5;226",
        }
    }
}

/// Writes signs on a background, with the terminal's commands if colours are on.
struct Painter<'a> {
    text: &'a mut String,
    is_on: bool,
    back: Colour,
}

impl Painter<'_> {
    fn paint(&mut self, ink: Ink, signs: &str) {
        if self.is_on && !signs.is_empty() {
            let _ = write!(self.text, "\x1b[{};48;5;{}m", ink.command(), self.back.0);
        }
        self.text.push_str(signs);
    }

    fn end(self) {
        if self.is_on {
            self.text.push_str("\x1b[0m");
        }
    }
}
