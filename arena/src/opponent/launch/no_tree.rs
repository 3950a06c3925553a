//! Replacement for the processes of an engine on systems that do not report them.

use std::time::Duration;

/// Never exists.
#[derive(Debug)]
pub enum Tree {}

/// Never exists.
#[derive(Clone, Copy, Debug)]
pub enum Ended {}

impl Tree {
    /// Always `None`.
    pub const fn of(_supervisor: u32, _is_sandboxed: bool) -> Option<Self> {
        None
    }

    /// Does nothing.
    pub const fn look(&mut self) -> bool {
        match *self {}
    }

    /// Does nothing.
    pub const fn used(&mut self) -> Duration {
        match *self {}
    }

    /// Does nothing.
    pub const fn ended(&self) -> Ended {
        match *self {}
    }

    /// Does nothing.
    pub const fn used_by_short(&self, _before: Ended) -> Duration {
        match *self {}
    }

    /// Does nothing.
    pub const fn stop(&mut self) {
        match *self {}
    }

    /// Does nothing.
    pub const fn proceed(&self) {
        match *self {}
    }
}
