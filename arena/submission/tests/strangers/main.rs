//! Archives and uploads of strangers: one binary for all tests, so that one link serves them.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod archives;
mod made;
mod uploads;
