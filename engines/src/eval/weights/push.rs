//! The weights of the evaluation of Push, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- push 1500 300`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 54] = [
    // PIECE
    0, 260, 362, 247, 214,
    // THREATENED
    -41, -24, -47, -27, -35,
    // THREATENED_NEXT
    -144, -42, -66, -53, -50,
    // EXPOSED
    1, 0, -4, -6, -3,
    // STUNNED
    -54, -34, -11, -14, -15,
    // HEIGHT
    -109, -112, -97,
    // NEAR_KING
    -14, 59, -4, 5, -26,
    // GUARD
    15,
    // RACE
    132, 60, 78, 47, 34, 25, 14, 3,
    // RACE_NEXT
    140, 97, 69, 42, 32, 23, 13, 0,
    // HOLDING
    250,
    // KING_ROOM
    7,
    // KING_AWAY
    -1,
    // TEMPO
    4,
];
