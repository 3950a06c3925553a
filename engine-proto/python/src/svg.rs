//! Draws a position as an SVG picture, for notebooks. It knows no game: everything comes from the scene.

use std::fmt::Write as _;

use games::Side;
use games::scene::{Effects, Ground, GroundKind, Layout, Piece, Scene};

/// The width of a square in pixels.
const SQUARE: u32 = 44;
/// The space for the names of files and ranks.
const MARGIN: u32 = 20;
const LINE: u32 = 17;
/// The most pieces of a stack that are drawn above each other.
const MOST_DISCS: usize = 6;

/// The board with White at the bottom, the marks of the last move, and the notes below.
pub fn draw(layout: &Layout, scene: &Scene, effects: Option<&Effects>) -> String {
    let files = layout.grounds.iter().map(|ground| ground.square.file).max().unwrap_or(0) + 1;
    let ranks = layout.grounds.iter().map(|ground| ground.square.rank).max().unwrap_or(0) + 1;
    let notes = notes(layout, scene);
    let board_width = u32::from(files) * SQUARE + 2 * MARGIN;
    let board_height = u32::from(ranks) * SQUARE + 2 * MARGIN;
    let width = board_width.max(330);
    let height = board_height + notes.len() as u32 * LINE + 6;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" role=\"img\">\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
    );
    let corner = |file: u8, rank: u8| {
        (MARGIN + u32::from(file) * SQUARE, MARGIN + u32::from(ranks - 1 - rank) * SQUARE)
    };
    for ground in &layout.grounds {
        let square = ground.square;
        let (x, y) = corner(square.file, square.rank);
        draw_ground(&mut svg, *ground, x, y);
        if effects.is_some_and(|effects| effects.on(square).is_some()) {
            let inner = SQUARE - 4;
            let _ = write!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{inner}\" height=\"{inner}\" fill=\"none\" stroke=\"#e08a00\" \
                 stroke-width=\"3\"/>",
                x + 2,
                y + 2
            );
        }
        let stack: Vec<&Piece> = scene.stack(square).collect();
        draw_stack(&mut svg, &stack, x + SQUARE / 2, y + SQUARE / 2);
    }
    for file in 0..files {
        let name = char::from(b'a' + file);
        label(
            &mut svg,
            corner(file, 0).0 + SQUARE / 2,
            board_height - MARGIN / 3,
            "middle",
            &name.to_string(),
        );
    }
    for rank in 0..ranks {
        let y = corner(0, rank).1 + SQUARE / 2 + 4;
        label(&mut svg, MARGIN - 5, y, "end", &(rank + 1).to_string());
    }
    for (line, nth) in notes.iter().zip(1..) {
        label(&mut svg, MARGIN, board_height + nth * LINE - 4, "start", line);
    }
    svg.push_str("</svg>");
    svg
}

fn draw_ground(svg: &mut String, ground: Ground, x: u32, y: u32) {
    let is_dark = (ground.square.file + ground.square.rank).is_multiple_of(2);
    let fill = match (ground.kind, ground.height) {
        (GroundKind::Wall, _) => "#4a4a4a",
        (GroundKind::Tower, _) => "#cfc3e6",
        (GroundKind::Open, 0) if ground.region % 2 == 1 => "#e3e9ee",
        (GroundKind::Open, 0) if is_dark => "#eceadf",
        (GroundKind::Open, 0) => "#f5f4ec",
        (GroundKind::Open, 1) => "#cfe0b8",
        (GroundKind::Open, _) => "#a9c585",
    };
    let _ = write!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\" stroke=\"#b9b6a8\"/>"
    );
    for (side, colour) in [(Side::White, "#c98b1b"), (Side::Black, "#3b6ea5")] {
        if ground.is_goal_of[side.index()] {
            let offset = if side == Side::White { 3 } else { SQUARE - 7 };
            let _ = write!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"4\" height=\"4\" fill=\"{colour}\"/>",
                x + offset,
                y + 3
            );
        }
    }
    if ground.height > 0 {
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" font-size=\"9\" fill=\"#4d6b2c\">{}</text>",
            x + 3,
            y + SQUARE - 4,
            ground.height
        );
    }
}

/// The pieces of one square, the lowest first. Higher ones are drawn a little further up.
fn draw_stack(svg: &mut String, stack: &[&Piece], x: u32, y: u32) {
    let hidden = stack.len().saturating_sub(MOST_DISCS);
    let shown = &stack[hidden..];
    let lowest = y + 3 * (shown.len() as u32).saturating_sub(1);
    for (piece, nth) in shown.iter().zip(0..) {
        draw_piece(svg, piece, x, lowest - 6 * nth, nth + 1 == shown.len() as u32);
    }
    if stack.len() > 1 {
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" font-size=\"10\" fill=\"#333\" text-anchor=\"end\">{}</text>",
            x + SQUARE / 2 - 2,
            y + SQUARE / 2 - 3,
            stack.len()
        );
    }
}

fn draw_piece(svg: &mut String, piece: &Piece, x: u32, y: u32, is_top: bool) {
    let (fill, ink) = match piece.owner {
        Some(Side::White) => ("#fffdf5", "#222"),
        Some(Side::Black) => ("#35393f", "#fff"),
        None => ("#d9534f", "#fff"),
    };
    let dashes = if piece.state.is_some() { " stroke-dasharray=\"4 3\" opacity=\"0.65\"" } else { "" };
    let _ = write!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"15\" fill=\"{fill}\" stroke=\"#222\" stroke-width=\"1.5\"{dashes}/>"
    );
    let signs = [piece.kind.label, piece.kind.beside];
    let (size, middles) = if signs[1].is_some() { (13, [x - 5, x + 5]) } else { (19, [x; 2]) };
    for (sign, middle) in signs.into_iter().flatten().zip(middles).filter(|_| is_top) {
        let _ = write!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
            y + size / 2 - 2,
            escaped(&sign.to_string())
        );
    }
}

/// The side to move, the pieces in hand, and the notes of the scene.
fn notes(layout: &Layout, scene: &Scene) -> Vec<String> {
    let mut lines = vec![format!("{} to move, ply {}, quiet {}", scene.side_to_move, scene.ply, scene.quiet)];
    for (side, hand) in Side::ALL.into_iter().zip(&scene.hands) {
        let pieces: Vec<String> =
            hand.iter().map(|hand| format!("{} {}", hand.count, hand.kind.name)).collect();
        if !pieces.is_empty() {
            lines.push(format!("{side} in hand: {}", pieces.join(", ")));
        }
    }
    lines.extend(scene.notes.iter().map(|note| format!("{}: {}", note.label, note.value)));
    let has_goals = layout.grounds.iter().any(|ground| ground.is_goal_of != [false; 2]);
    if has_goals {
        lines.push("small squares: goals of White (ochre) and Black (blue)".to_owned());
    }
    lines
}

fn label(svg: &mut String, x: u32, y: u32, anchor: &str, text: &str) {
    let _ = write!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"12\" fill=\"#444\" text-anchor=\"{anchor}\">{}</text>",
        escaped(text)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
