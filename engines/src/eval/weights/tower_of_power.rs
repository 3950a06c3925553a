//! The weights of the evaluation of Tower of Power, in the order of its terms: data, written by the tuner.
//!
//! `cargo run --release -p engines --example tune -- tower-of-power 1500 300`

/// The weights, in centi-units.
#[rustfmt::skip]
pub static WEIGHTS: [i32; 22] = [
    // OWNED
    128,
    // FEW
    90, -11, -93, -75, 0, -3, 4, 14,
    // BURIED
    93,
    // BENEATH_ENEMY
    5,
    // BENEATH_OWN
    5,
    // TOWER
    15,
    // LONE
    -5,
    // AT_EDGE
    -1,
    // IN_CENTRE
    -2,
    // MOBILITY
    5,
    // TAKEABLE
    -9, -43,
    // TAKEABLE_TOWER
    19, 10,
    // TEMPO
    15,
];
