//! Simulated tournaments with known strengths, to plan real ones, and to check the intervals of the ratings. Pure: no
//! files, no clock, no engines; the seed is given.

mod forecast;
mod hermite;
mod outcome;
mod pairs_needed;
mod share;
mod simulator;
mod tournament;
mod truth;

pub use forecast::{EngineForecast, Forecast, HalfWidths, ScopeForecast};
pub use pairs_needed::{MOST_PAIRS, PairsNeeded, TooManyPairs, pairs_needed};
pub use share::Share;
pub use simulator::Simulator;
pub use tournament::{
    Conditions, Meeting, Openings, SimulatedGame, SimulatedPair, SimulatedTournament, Toss,
};
