//! The weights of the evaluation of Push Push, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- push-push 2000 300`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 83] = [
    // PIECE
    55, 48, 80, 100,
    // BALL
    -182, -86, -43, -2, 42, 87, 175,
    // NEAR
    21, 15, 8, 6, 3, 1, 6, 25, 17, 10, 8, 6, -9, -24, 57, 35, 22, 14, -8, -27, -47, 54, 41, 37, 22, -22, -44, -41,
    // PUSH
    30, 31, 29, 25, 54, 26, 30,
    // PUSH_NEXT
    30, 26, 18, 13, 41, 77, 28,
    // SLANTING_PUSH
    30, 14, 15, 7, 36, 65, 30,
    // SLANTING_PUSH_NEXT
    30, 2, 3, 2, 24, 73, 31,
    // BEHIND
    20, 21, 9, 2,
    // STOPPER
    -3, 5,
    // AT_EDGE
    4, 8, 13, 5,
    // IN_DANGER
    -30, -37,
    // PREY
    -58, -65,
    // ROOM
    2,
    // TEMPO
    5,
];
