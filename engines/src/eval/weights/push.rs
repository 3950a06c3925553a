//! The weights of the evaluation of Push, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- push 2500 300`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 54] = [
    // PIECE
    0, 226, 293, 233, 224,
    // THREATENED
    1, -17, -59, -16, -31,
    // THREATENED_NEXT
    12, -27, -49, -14, -20,
    // EXPOSED
    -8, -2, -2, -8, -4,
    // STUNNED
    -35, -23, -7, -4, -16,
    // HEIGHT
    -146, -143, -135,
    // NEAR_KING
    -14, 31, -14, 6, -19,
    // GUARD
    -1,
    // RACE
    114, 82, 76, 40, 38, 38, 17, -12,
    // RACE_NEXT
    140, 96, 70, 41, 41, 40, 10, -23,
    // HOLDING
    250,
    // KING_ROOM
    4,
    // KING_AWAY
    -15,
    // TEMPO
    4,
];
