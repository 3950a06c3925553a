//! The weights of the evaluation of Push, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- push 2000 600`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 69] = [
    // PIECE
    0, 236, 315, 208, 246,
    // THREATENED
    -40, -25, -58, -22, -29,
    // THREATENED_NEXT
    -840, -69, -171, -47, -77,
    // ATTACKED
    -25, -9, -6, -1, -8,
    // ATTACKED_NEXT
    -59, -12, -12, -1, -11,
    // MOBILITY
    -9, 2, 3, 1, -2,
    // EXPOSED
    -11, -5, -2, -10, -7,
    // STUNNED
    -73, -1, -4, 4, -22,
    // HEIGHT
    -135, -127, -130,
    // NEAR_KING
    -14, 2, -9, 15, -25,
    // GUARD
    1,
    // RACE
    107, 114, 80, 47, 37, 20, 0, 4,
    // RACE_NEXT
    140, 105, 81, 53, 49, 30, 3, 13,
    // HOLDING
    174,
    // KING_ROOM
    5,
    // KING_AWAY
    -20,
    // TEMPO
    20,
];
