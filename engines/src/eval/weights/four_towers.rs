//! The weights of the evaluation of Four Towers, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- four-towers 1500 300`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 169] = [
    // PIECE
    214, 93, 358, 116, 339, 256, 438, 47, 91, 0, 273,
    // ON_TOWER
    27, 17, 27, 14, -5, -10, 23, 9, 18, 46, -29,
    // FROM_CENTRE
    -8, 1, -7, -10, -9, -16, -2, 2, 8, -20, -2,
    // PAWN
    60, 131, 50, 19, 0, -15, -26, -67, 5, 0,
    // LANCER
    60, 73, 64, 11, -17, -8, -35, -53, -7, 0,
    // KING_OUT
    20, 0, -30, -13, -46, -20,
    // DRAGON_POWER
    3, -4, -4, 10,
    // SHELTER
    -6,
    // NEAR_KING
    -4, 2, 5, -23, 6, 9, -25, -6, -43, 0, -23,
    // AT_KING
    1, 7, 25, -15, 42, 26, 52, 15, -36, 0, 62,
    // IMMUNE
    18,
    // RETURNABLE
    183, 114, 312, 53, 384, 315, 549, 27, 42, 0, 139,
    // MOBILITY
    0, 2, 0, 0, 0, -1, 1, 0, -1, -1, 0,
    // KING_ATTACKED
    -1, -4, -9, -15, -22, 16, -21, -6, -15, -7, -14,
    // ATTACKED_BY_LESS
    -20, -7, 0, -25, 3, -4, 10, 0, 0, 0, 36,
    // ATTACKED_BY_LESS_NEXT
    -73, -51, -106, -39, -104, -53, -148, 0, -44, 0, -112,
    // HANGING
    -26, -19, -6, -9, -19, 1, 16, -10, -16, 0, -39,
    // HANGING_NEXT
    -108, -53, -121, -35, -132, -84, -96, -23, -61, 0, -177,
    // CHECK
    -51,
    // COUPLE
    17, 29, -16,
    // TEMPO
    33,
];
