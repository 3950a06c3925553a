//! The weights of the evaluation of Tower Push, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- tower-push 3000 300`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 44] = [
    // PIECE
    5,
    // IN_HAND
    37,
    // PATTERN
    0, 22, 58, 82, 0, 0, 20, 52, 87, 0,
    // SHARED_PATTERN
    0, -2, 16, 43, 0, 4, -4, 13, 48, 0,
    // DUE_PATTERN
    -7, -3, -1, 3, 0, 3, 4, 7, 25, 0,
    // NEAR
    -24, -25,
    // AT_EDGE
    -31,
    // IN_CORNER
    -5,
    // IN_DANGER
    -1, -3,
    // LONE
    0,
    // ROOM
    4,
    // FEW
    -85, -37, -9,
    // TEMPO
    19,
];
