//! Plays engines against each other over several games and says how strong they are, and how sure that is.
//!
//! Each match takes one way: a configuration becomes a schedule ([`schedule`]), the schedule gives jobs to a pool
//! ([`pool`]), the referee ([`referee`]) directs two opponents ([`opponent`]), and the record ([`tournament::record`]) goes
//! to the results folder ([`results`]) and to the reports ([`report`]). [`conduct`] is the loop that drives it.

pub mod cli;
pub mod closest;
pub mod commands;
pub mod conduct;
pub mod config;
pub mod executable;
pub mod exit;
pub mod machine;
pub mod opponent;
pub mod output;
pub mod play;
pub mod pool;
pub mod program;
pub mod referee;
pub mod report;
pub mod result_files;
pub mod results;
pub mod schedule;
pub mod tables;
pub mod tournament;
