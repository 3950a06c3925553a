//! The weights of the evaluation of Push, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- push 3000 300`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 54] = [
    // PIECE
    0, 224, 278, 224, 222,
    // THREATENED
    -11, -20, -50, -41, -31,
    // THREATENED_NEXT
    -35, -33, -64, -47, -33,
    // EXPOSED
    -7, 1, -2, -3, -2,
    // STUNNED
    -34, -17, -4, -4, -11,
    // HEIGHT
    -151, -154, -148,
    // NEAR_KING
    -14, 35, -11, 0, -16,
    // GUARD
    0,
    // RACE
    126, 86, 62, 36, 31, 28, 16, 4,
    // RACE_NEXT
    140, 116, 58, 34, 31, 27, 12, 1,
    // HOLDING
    250,
    // KING_ROOM
    -2,
    // KING_AWAY
    -8,
    // TEMPO
    0,
];
