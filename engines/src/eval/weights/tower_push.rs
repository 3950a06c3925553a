//! The weights of the evaluation of Tower Push, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- tower-push 2000 300`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 44] = [
    // PIECE
    31,
    // IN_HAND
    50,
    // PATTERN
    0, 10, 49, 104, 0, 0, 13, 37, 98, 0,
    // SHARED_PATTERN
    -1, -4, 10, 50, 0, 14, 10, 10, 37, 0,
    // DUE_PATTERN
    -14, -10, 8, -1, 0, 5, 11, 10, 18, 0,
    // NEAR
    -5, -20,
    // AT_EDGE
    -30,
    // IN_CORNER
    5,
    // IN_DANGER
    -4, -10,
    // LONE
    -2,
    // ROOM
    4,
    // FEW
    58, 55, 26,
    // TEMPO
    20,
];
