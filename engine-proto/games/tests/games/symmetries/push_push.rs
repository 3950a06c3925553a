//! The maps of the rules page's section Symmetries, on texts alone: they know nothing of boards and moves.

use super::Symmetry;

/// All of them.
pub const ALL: &[Symmetry] = &[
    Symmetry {
        name: "mirror",
        fen: mirror_fen,
        mv: |_, mv| map_move(mv, mirror_square),
        swaps_winner: false,
    },
    Symmetry { name: "flip", fen: flip_fen, mv: |_, mv| map_move(mv, flip_square), swaps_winner: true },
    Symmetry { name: "colours", fen: colours_fen, mv: |_, mv| mv.to_owned(), swaps_winner: false },
];

/// Files a..g to g..a.
fn mirror_fen(fen: &str) -> Option<String> {
    let [board, side, first, goal, quiet, ply] = fields(fen)?;
    let board: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    let board = board.join("/");
    let first = map_first(first, mirror_square);
    Some(format!("{board} {side} {first} {goal} {quiet} {ply}"))
}

/// Ranks 1..7 to 7..1.
fn flip_fen(fen: &str) -> Option<String> {
    let [board, side, first, goal, quiet, ply] = fields(fen)?;
    let board: Vec<&str> = board.split('/').rev().collect();
    let board = board.join("/");
    let first = map_first(first, flip_square);
    let goal = other_side(goal);
    Some(format!("{board} {side} {first} {goal} {quiet} {ply}"))
}

/// Every piece changes its owner.
fn colours_fen(fen: &str) -> Option<String> {
    let [board, side, first, goal, quiet, ply] = fields(fen)?;
    if first != "-" || ply == "0" {
        return None;
    }
    let board: String = board
        .chars()
        .map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
        .collect();
    let side = other_side(side);
    Some(format!("{board} {side} {first} {goal} {quiet} {ply}"))
}

fn fields(fen: &str) -> Option<[&str; 6]> {
    fen.split(' ').collect::<Vec<_>>().try_into().ok()
}

fn other_side(letter: &str) -> &str {
    match letter {
        "w" => "b",
        "b" => "w",
        other => other,
    }
}

/// `mv` with its two squares mapped; `pass` and the `d` of a deflected push stay.
fn map_move(mv: &str, square: fn(&str) -> String) -> String {
    if mv == "pass" {
        return mv.to_owned();
    }
    format!("{}{}{}", square(&mv[..2]), square(&mv[2..4]), &mv[4..])
}

/// The field `<first>` with its square mapped.
fn map_first(first: &str, square: fn(&str) -> String) -> String {
    if first == "-" {
        return first.to_owned();
    }
    format!("{}{}", &first[..1], square(&first[1..]))
}

fn mirror_square(square: &str) -> String {
    square.chars().map(|c| mirrored(c, "abcdefg")).collect()
}

fn flip_square(square: &str) -> String {
    square.chars().map(|c| mirrored(c, "1234567")).collect()
}

/// The character that is as far from the end of `row` as `c` is from its start; `c` itself if it is not in `row`.
fn mirrored(c: char, row: &str) -> char {
    row.chars().zip(row.chars().rev()).find(|(there, _)| *there == c).map_or(c, |(_, here)| here)
}
