//! The weights of the evaluation of Four Towers, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- four-towers 1500 300`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 104] = [
    // PIECE
    233, 146, 404, 139, 417, 343, 579, 79, 96, 0, 255,
    // ON_TOWER
    2, -20, -20, 34, -95, -32, -47, -2, 35, 17, -19,
    // FROM_CENTRE
    -8, -7, -8, -8, -19, -34, -20, -6, 8, 7, -10,
    // PAWN
    60, 97, 42, 10, 3, -10, -16, -25, 28, 0,
    // LANCER
    60, 33, 58, 14, 7, -15, -16, -50, 0, 0,
    // KING_OUT
    16, 3, -6, -11, -50, -42,
    // DRAGON_POWER
    -23, 11, 4, -3,
    // SHELTER
    6,
    // NEAR_KING
    2, -8, 7, 7, 6, 20, -19, 10, -29, 0, -6,
    // AT_KING
    11, -14, 4, 29, 4, 6, -4, 17, -10, 0, 10,
    // IMMUNE
    -30,
    // RETURNABLE
    221, 146, 403, 123, 392, 318, 564, 45, 103, 0, 141,
    // ATTACKED_BY_PAWN
    3, 0,
    // COUPLE
    -20, -17, -46,
    // TEMPO
    15,
];
