//! Tests of every game. Most know no game by name: they test a new game as soon as it is one of the crate.

#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod by_text;
mod common;
mod conformance;
mod examples;
mod properties;
mod registration;
mod scene;
mod slow;
mod symmetries;
