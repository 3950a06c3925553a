//! Weights.

/// The weights.
pub static WEIGHTS: [i32; 44] = [
    // PIECE
    100, // IN_HAND
    130, // PATTERN
    0, 12, 40, 110, 0, 0, 12, 40, 110, 0, // SHARED_PATTERN
    0, 6, 15, 35, 0, 0, 6, 15, 35, 0, // DUE_PATTERN
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // NEAR
    14, 6,  // AT_EDGE
    -6, // IN_CORNER
    0,  // IN_DANGER
    -11, -44, // LONE
    0,   // ROOM
    0,   // FEW
    0, 0, 0, // TEMPO
    0,
];
