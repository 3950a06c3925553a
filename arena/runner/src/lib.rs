//! Plays a tournament: the loop ([`conduct`]) takes jobs from the scheduler to the pool ([`pool`]), whose places play
//! one match at a time ([`play`]). It knows no standings, no files of results and no reports.

pub mod conduct;
pub mod play;
pub mod pool;
