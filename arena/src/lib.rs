//! Tournament manager: plays engines against each other over several games, and rates them with confidence intervals.
//!
//! The way of one match: the configuration ([`config`]) becomes a [`tournament::Tournament`]; the scheduler
//! ([`schedule`]) turns it into jobs; a pool ([`pool`]) plays each job, with a referee ([`referee`]) between two
//! opponents ([`opponent`]); the result is a record ([`tournament::Record`]), which goes to the results folder
//! ([`results`]) and to the reports ([`report`]). The loop in [`conduct`] connects these parts.

pub mod cli;
pub mod closest;
pub mod commands;
pub mod conduct;
pub mod config;
pub mod escape;
pub mod executable;
pub mod exit;
pub mod live;
pub mod machine;
pub mod machines;
pub mod opponent;
pub mod output;
pub mod own_game;
pub mod pgn;
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
