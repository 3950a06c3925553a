//! `arena run --nats`: the connection to the workers that play.

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;

use super::Error;
use crate::commands::arguments::NatsArgs;
use crate::conduct::{ConductError, Wishes};
use crate::machines::message::Invitation;
use crate::machines::{Access, Known, NatsPool, audit_impossible};
use crate::pool::Prepared;
use crate::results;
use crate::tournament::{Resources, Tournament};

/// The shortest time after which a silent worker is given up.
const SHORTEST_LEASE: Duration = Duration::from_secs(1);

/// Where the matches are played, if not here.
#[derive(Args, Clone, Debug)]
pub struct MachineArgs {
    /// The server
    #[command(flatten)]
    pub nats: NatsArgs,
    /// Number of matches to play on this machine, too
    #[arg(long, value_name = "N", requires = "nats", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Many machines", hide_short_help = true)]
    pub local: Option<u16>,
    /// Play the pairs of a worker elsewhere after this time of silence
    #[arg(long, value_name = "TIME", value_parser = lease, default_value = "10s", help_heading = "Many machines", hide_short_help = true)]
    pub lease: Duration,
}

fn lease(text: &str) -> Result<Duration, String> {
    let lease = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if lease < SHORTEST_LEASE { Err("it must be at least 1s".to_owned()) } else { Ok(lease) }
}

/// Checks the keys of `[machines]`.
///
/// # Errors
/// If the tournament cannot be audited.
pub fn check(tournament: &Tournament) -> Result<(), Error> {
    let why = (0.0 < tournament.machines.audit).then(|| audit_impossible(tournament)).flatten();
    why.map_or(Ok(()), |why| {
        Err(Error::Usage(format!(
            "`audit` compares matches move by move, but {why}; use limits of `nodes` or `depth` only, or remove `audit`"
        )))
    })
}

/// Connects to the server and opens the pool of the workers. Waits for the server as long as it takes; `None` if the user
/// does not want to.
///
/// # Errors
/// If the server refuses, or cannot keep the orders.
pub async fn open(
    access: &Access,
    lease: Duration,
    tournament: &Tournament,
    prepared: &Prepared,
    known: Known,
    wishes: &mut impl Wishes,
) -> Result<Option<NatsPool>, Error> {
    let id = results::tournament_id(&tournament.results)?;
    let invitation = Invitation {
        tournament: tournament.clone(),
        builds: prepared.builds.all().to_vec(),
        lease_ms: u64::try_from(lease.as_millis()).unwrap_or(u64::MAX),
    };
    let say = |message: &str| {
        let _ = writeln!(io::stderr(), "{message}");
    };
    let opening = async {
        let client = access.connect("coordinator", say).await?;
        let pool = NatsPool::open(client, &id, &invitation, known, say).await;
        pool.map_err(|error| Error::from(ConductError::from(error)))
    };
    tokio::select! {
        biased;
        _ = wishes.next() => Ok(None),
        pool = opening => pool.map(Some),
    }
}

/// The tournament with the part of this machine that plays, too.
pub fn with_local_part(tournament: &Tournament, n_matches: u16) -> Tournament {
    let resources = Resources { concurrency: n_matches, ..tournament.resources };
    Tournament { resources, ..tournament.clone() }
}
