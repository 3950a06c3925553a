//! The weights of the evaluation of Tower Push, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- tower-push 2500 300`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 44] = [
    // PIECE
    16,
    // IN_HAND
    42,
    // PATTERN
    0, 18, 61, 89, 0, 0, 19, 53, 85, 0,
    // SHARED_PATTERN
    -6, -4, 15, 45, 0, 6, 4, 15, 38, 0,
    // DUE_PATTERN
    -14, -19, -17, -6, 0, 3, 7, -3, 16, 0,
    // NEAR
    -18, -23,
    // AT_EDGE
    -29,
    // IN_CORNER
    7,
    // IN_DANGER
    -3, -6,
    // LONE
    -1,
    // ROOM
    4,
    // FEW
    -29, 23, 16,
    // TEMPO
    24,
];
