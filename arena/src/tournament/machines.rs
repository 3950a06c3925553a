//! `arena run --nats`: the connection to the workers that play.

use std::io::{self, Write};
use std::time::Duration;

use super::Error;
use cluster::message::Invitation;
use cluster::parcels::{self, Packed};
use cluster::subject::COORDINATOR_NAME;
use cluster::{Access, Known, NatsPool, referee_files};
use model::escape::escaped;
use model::{Resources, Tournament};
use runner::conduct::{ConductError, StopRequests};
use runner::pool::Prepared;

/// The files that workers get.
///
/// # Errors
/// If a file cannot be sent.
pub fn pack(tournament: &Tournament, prepared: &Prepared) -> Result<Vec<Packed>, Error> {
    if !tournament.machines.distribute {
        return Ok(Vec::new());
    }
    parcels::pack(tournament, prepared).map_err(Error::Usage)
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
    requests: &mut impl StopRequests,
) -> Result<Option<NatsPool>, Error> {
    let id = store::tournament_id(&tournament.results)?;
    let invitation = Invitation {
        tournament: tournament.clone(),
        builds: prepared.builds.all().to_vec(),
        lease_ms: u64::try_from(lease.as_millis()).unwrap_or(u64::MAX),
        parcels: known.packed.iter().map(|packed| packed.parcel.clone()).collect(),
        referees: referee_files(tournament).map_err(Error::Usage)?,
        is_open: false,
    };
    let say = |message: &str| {
        let _ = writeln!(io::stderr(), "{}", escaped(message));
    };
    let opening = async {
        let client = access.connect(COORDINATOR_NAME, say, |_| {}).await?;
        let pool = NatsPool::open(client, &id, &invitation, known, say).await;
        pool.map_err(|error| Error::from(ConductError::from(error)))
    };
    tokio::select! {
        biased;
        _ = requests.next() => Ok(None),
        pool = opening => pool.map(Some),
    }
}

/// The tournament with the part of this machine that plays, too.
pub fn with_local_part(tournament: &Tournament, n_matches: u16) -> Tournament {
    let resources = Resources { concurrency: n_matches, ..tournament.resources };
    Tournament { resources, ..tournament.clone() }
}
