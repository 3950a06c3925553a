//! The weights of the evaluation of Tower of Power, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- tower-of-power 2000 600`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 49] = [
    // OWNED
    163,
    // FEW
    81, -98, -73, -31, -14, -4, 9, 25, 26, 23, 25, 12,
    // BENEATH_OWN
    181, 175, 128, 94,
    // BENEATH_ENEMY
    203, 156, 112, 93,
    // TOWER
    -6,
    // LONE
    2,
    // RING
    18, 7, 4, 5,
    // NEAR
    12,
    // MOBILITY
    10,
    // TAKEABLE
    -9, -30,
    // TAKEABLE_TOWER
    -14, -13,
    // TAKEABLE_LONE
    22, 4,
    // ROW_WAYS
    9, 10,
    // MOST_TAKEN
    -129, -47, 7, 121, 153,
    // MOST_TAKEN_NEXT
    -13, -9, -12, -26, -44,
    // TEMPO
    120,
    // LAST_TWO
    1500,
];
