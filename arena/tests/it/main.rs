//! The program as a user runs it. One binary for all tests, so that one link serves them: a test of a new topic is a
//! module here. `cargo it run::` runs the tests of one module.

#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod common;

mod bounds;
mod builds;
mod busy_machine;
mod cage;
mod check;
mod commands;
mod compare;
mod engines_sent;
mod export;
mod faults;
mod formats;
mod fuzz;
mod golden;
mod history;
mod league;
mod league_live_browser;
mod league_submission;
mod leftovers;
mod limits;
mod live;
mod live_browser;
mod machines;
mod machines_figures;
mod merge;
mod off_turn;
mod openings;
mod outliving;
mod own_game;
mod own_game_machines;
mod pages;
mod play;
mod power_cut;
mod pull_request;
mod rate;
mod rate_input;
mod rating_table;
mod report;
mod report_browser;
mod report_of_a_run;
mod run;
mod second_edition;
mod show;
mod simulate;
mod slots;
mod stop;
mod system_calls;
mod terminal;
mod tune;
mod uci;
mod verify;
mod workers_found_wrong;
