//! Where the matches of a tournament or a league are played: the arguments for workers on other machines.

use std::time::Duration;

use clap::Args;

use crate::commands::arguments::limits::duration;
use crate::commands::arguments::{MANY_MACHINES, NatsArgs};

/// The shortest time after which a silent worker is given up.
const SHORTEST_LEASE: Duration = Duration::from_secs(1);

/// Where the matches are played, if not here.
#[derive(Args, Clone, Debug)]
pub struct MachineArgs {
    /// The workers
    #[command(flatten)]
    pub workers: WorkersArgs,
    /// Number of matches to play on this machine, too
    #[arg(long, value_name = "N", requires = "nats", value_parser = clap::value_parser!(u16).range(1..), help_heading = MANY_MACHINES, hide_short_help = true)]
    pub local: Option<u16>,
}

/// Where workers are found, and how they are treated.
#[derive(Args, Clone, Debug)]
pub struct WorkersArgs {
    /// The server
    #[command(flatten)]
    pub nats: NatsArgs,
    /// Priority among the tournaments on the server; workers play the highest
    #[arg(
        long,
        value_name = "N",
        requires = "nats",
        default_value_t = 0,
        allow_negative_numbers = true,
        help_heading = MANY_MACHINES,
        hide_short_help = true
    )]
    pub priority: i32,
    /// Play the pairs of a worker elsewhere after this time of silence
    #[arg(long, value_name = "TIME", value_parser = lease, default_value = "10s", help_heading = MANY_MACHINES, hide_short_help = true)]
    pub lease: Duration,
}

fn lease(text: &str) -> Result<Duration, String> {
    let lease = duration(text)?;
    if lease < SHORTEST_LEASE { Err("it must be at least 1s".to_owned()) } else { Ok(lease) }
}
