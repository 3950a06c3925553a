//! The weights of the evaluation of Push Push, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- push-push 1000 600`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 141] = [
    // PIECE
    72, 37, 70, 132,
    // BALL
    -147, -106, -38, -5, 37, 105, 150,
    // NEAR
    29, 29, 21, 17, 5, -14, -10, 24, 10, 6, -4, -6, -5, -4, 51, 42, 26, 8, -13, -21, -57, 62, 63, 54, 21, -21, -45, -54,
    // PUSH
    30, 22, 3, 9, 38, 101, 71,
    // PUSH_NEXT
    30, 14, 0, -3, 32, 62, 33,
    // SLANTING_PUSH
    30, 33, 10, 15, 40, 72, 102,
    // SLANTING_PUSH_NEXT
    30, 12, 3, 3, 16, 23, 50,
    // BEHIND
    6, 0, 2, -2,
    // STOPPER
    6, 13,
    // AT_EDGE
    -3, 11, 15, 8,
    // IN_DANGER
    -25, -40,
    // PREY
    -78, -118,
    // ROOM
    1, 2, 3, 3,
    // ON_OWN_SIDE
    9, 6, 8, -6,
    // OPEN_WAY
    -6, 7, 12, 22, 17, 42, -25,
    // OPEN_WAY_NEXT
    -25, -2, 0, 7, 1, 4, -35,
    // BALL_AT_SIDE
    0, 30, 3, 5, 1, -29, 0,
    // RUN
    0, 0, 2, 20, 48, 31, 25,
    // RUN_NEXT
    0, 0, 0, 2, 24, 28, 2,
    // SURE_RUN
    0, 0, 0, 1, 14, 21, 25,
    // SURE_RUN_NEXT
    0, 0, 0, 0, 1, 7, 0,
    // SIDEWAYS
    7, 3,
    // TEMPO
    9,
];
