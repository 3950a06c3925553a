//! Tests of the engines: their searches, evaluations and programs.

#[macro_use]
mod common;

mod allocations;
mod alpha_beta;
mod bench;
mod dialogue;
mod games;
mod levels;
mod mcts;
mod network;
mod searches;
mod talk;
mod terms;
