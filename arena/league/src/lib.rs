//! A league: a standing rating list that engines join and leave while it is played.

pub mod pairing;
