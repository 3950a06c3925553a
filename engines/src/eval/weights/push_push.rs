//! The weights of the evaluation of Push Push, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- push-push 1500 300`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 83] = [
    // PIECE
    67, 74, 114, 122,
    // BALL
    -216, -102, -51, -2, 52, 106, 208,
    // NEAR
    30, 30, 20, 18, 14, -15, -25, 42, 31, 16, 7, 0, -11, -25, 48, 48, 32, 17, -7, -17, -42, 52, 43, 28, 14, -15, -23, -30,
    // PUSH
    30, 19, 36, 29, 53, 28, 30,
    // PUSH_NEXT
    30, 18, 27, 12, 37, 61, 26,
    // SLANTING_PUSH
    30, 24, 33, 10, 51, 59, 30,
    // SLANTING_PUSH_NEXT
    30, 11, 15, 2, 28, 55, 31,
    // BEHIND
    19, 14, 14, -2,
    // STOPPER
    12, 6,
    // AT_EDGE
    6, 12, 20, 15,
    // IN_DANGER
    -26, -29,
    // PREY
    -52, -59,
    // ROOM
    3,
    // TEMPO
    9,
];
