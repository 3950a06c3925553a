//! Tournaments that are drawn by lot from known strengths: to plan real ones, and to prove that the ratings' intervals hold
//! what they promise. Pure: no file, no clock, no engine; the seed is given.

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
pub use tournament::{Conditions, Meeting, Openings, SimulatedGame, SimulatedTournament, Toss};
