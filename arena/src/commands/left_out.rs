//! Commands and options that this build leaves out: few people need them, and everybody would build their crates.

use std::ffi::OsString;

use clap::Args;

use crate::exit::{Exit, Failure};

/// The arguments of a command that is left out, whatever they are.
#[derive(Args, Clone, Debug)]
#[command(disable_help_flag = true)]
pub struct LeftOutArgs {
    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub words: Vec<OsString>,
}

/// What is left out, and how to get it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{what} is not part of this build; to include it, build with `cargo build --release -p arena --features {feature}`"
)]
pub struct LeftOut {
    /// The command or option.
    pub what: &'static str,
    /// The cargo feature that includes it.
    pub feature: &'static str,
}

impl LeftOut {
    /// Leagues.
    #[cfg(not(feature = "league"))]
    pub const fn league(what: &'static str) -> Self {
        Self { what, feature: "league" }
    }

    /// Workers, and tournaments that they play.
    #[cfg(not(feature = "nats"))]
    pub const fn nats(what: &'static str) -> Self {
        Self { what, feature: "nats" }
    }

    /// What belongs in a package of the program.
    #[cfg(not(feature = "packaging"))]
    pub const fn packaging(what: &'static str) -> Self {
        Self { what, feature: "packaging" }
    }
}

impl Failure for LeftOut {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}
