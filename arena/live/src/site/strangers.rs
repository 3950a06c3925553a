//! Visitors that have not shown the token. If there is no room, the one that came first makes some, so that connections
//! that only wait keep nobody out who was given the address.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::AbortHandle;

/// One that has just connected.
#[derive(Clone, Debug, Default)]
pub struct Newcomer(Arc<AtomicBool>);

impl Newcomer {
    /// From now on it is no stranger.
    pub fn has_shown_the_token(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Connections in the order in which they came. Some are of visitors that have shown the token since, or have ended.
#[derive(Debug, Default)]
pub struct Strangers(VecDeque<(Newcomer, AbortHandle)>);

impl Strangers {
    /// Adds one that has come.
    pub fn add(&mut self, newcomer: Newcomer, connection: AbortHandle) {
        // What is kept grows only with the connections that are open.
        if self.0.len() == self.0.capacity() {
            self.0.retain(|(newcomer, connection)| is_stranger(newcomer, connection));
        }
        self.0.push_back((newcomer, connection));
    }

    /// Ends the connection of the stranger that came first. Returns whether there was one.
    pub fn turn_one_away(&mut self) -> bool {
        while let Some((newcomer, connection)) = self.0.pop_front() {
            if is_stranger(&newcomer, &connection) {
                connection.abort();
                return true;
            }
        }
        false
    }
}

fn is_stranger(newcomer: &Newcomer, connection: &AbortHandle) -> bool {
    !newcomer.0.load(Ordering::Relaxed) && !connection.is_finished()
}
