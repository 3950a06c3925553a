//! The weights of the evaluation of Four Towers, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- four-towers 300 200`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 104] = [
    // PIECE
    347, 228, 550, 284, 620, 453, 881, 85, 154, 0, 243,
    // ON_TOWER
    26, 19, -13, 40, -50, -33, -51, 21, 44, 4, 33,
    // FROM_CENTRE
    -14, -19, -23, -41, -44, -46, -59, -3, -11, 18, -12,
    // PAWN
    60, 87, 35, 28, 13, -17, -23, 0, 13, 0,
    // LANCER
    60, 47, 46, 12, 20, -9, -25, -3, 0, 0,
    // KING_OUT
    -4, 3, 5, -21, -36, -37,
    // DRAGON_POWER
    19, 17, 29, 40,
    // SHELTER
    36,
    // NEAR_KING
    -16, 5, -3, 20, 10, 19, -5, 36, 6, 0, 21,
    // AT_KING
    10, 2, 4, -4, 4, 7, 0, -1, -1, 0, 17,
    // IMMUNE
    -25,
    // RETURNABLE
    230, 156, 403, 150, 393, 319, 565, 52, 107, 0, 164,
    // ATTACKED_BY_PAWN
    -35, -36,
    // COUPLE
    -70, -72, -64,
    // TEMPO
    23,
];
