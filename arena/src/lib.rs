//! The program `arena` as a library: the command line on top of the crates that do the work.
//!
//! The way of one match: the configuration ([`config`]) becomes a [`model::Tournament`]; the scheduler ([`schedule`])
//! turns it into jobs; the pool of the [`runner`] plays each job, with a referee ([`model::referee`]) between two
//! opponents ([`opponent`]); the result is a record ([`model::Record`]), which goes to the results folder ([`store`])
//! and to the reports ([`report`]).

mod argument_errors;
pub mod cli;
pub mod commands;
pub mod exit;
mod paint;
pub mod program;
pub mod tournament;
