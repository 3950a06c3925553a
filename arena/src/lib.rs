//! Plays engines against each other over several games and says how strong they are, and how sure that is.
//!
//! Data flows one way: [`config`], [`schedule`], [`play`], [`record`], [`ratings`]. The schedule, the referee and the
//! ratings are pure; [`run`] is the one loop in which things happen, and [`event`] says who listens.

pub mod check;
pub mod cli;
pub mod closest;
pub mod commands;
pub mod compare;
pub mod conduct;
pub mod config;
pub mod error;
pub mod executable;
mod lines;
pub mod machine;
pub mod opponent;
pub mod output;
pub mod play;
pub mod pool;
pub mod program;
pub mod rate;
pub mod referee;
pub mod report;
pub mod results;
pub mod schedule;
pub mod show;
pub mod simulate;
pub mod tables;
pub mod tournament;
pub mod verify;
