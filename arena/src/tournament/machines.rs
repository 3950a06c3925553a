//! `arena run --nats`: the connection to the workers that play.

use std::io::{self, Write};
use std::time::Duration;

use super::Error;
use cluster::message::Invitation;
use cluster::parcels::{self, Packed};
use cluster::subject::COORDINATOR_NAME;
use cluster::{Access, Known, NatsPool, Scale, audit_impossible, referee_files};
use host::machine::speed;
use model::escape::escaped;
use model::{Resources, Tournament};
use runner::conduct::{ConductError, StopRequests};
use runner::pool::Prepared;

/// Checks the keys of `[machines]`.
///
/// # Errors
/// If the tournament cannot be audited.
pub fn check(tournament: &Tournament) -> Result<(), Error> {
    let is_wanted = tournament.machines.audit.is_some_and(|share| share > 0.0);
    let why = is_wanted.then(|| audit_impossible(tournament)).flatten();
    why.map_or(Ok(()), |why| {
        Err(Error::Usage(format!(
            "`audit` compares matches move by move, but {why}; use limits of `nodes` or `depth` only, or remove `audit`"
        )))
    })
}

/// Sets the speed of a machine whose clocks are not changed: that of the run before, or else that of this machine.
///
/// # Errors
/// If this machine is busy.
pub fn set_reference_speed(tournament: &mut Tournament) -> Result<(), Error> {
    if !tournament.machines.scale_clocks || tournament.machines.reference_speed.is_some() {
        return Ok(());
    }
    let earlier = store::read_tournament(&tournament.results).ok();
    let speed = match earlier.and_then(|earlier| earlier.machines.reference_speed) {
        Some(speed) => speed,
        None => measure(tournament)?,
    };
    tournament.machines.reference_speed = Some(speed);
    Ok(())
}

/// The clocks of this machine if it plays, too.
///
/// # Errors
/// If this machine is busy.
pub fn local_scale(tournament: &Tournament) -> Result<Option<Scale>, Error> {
    let Some(reference) = tournament.machines.reference_speed.filter(|_| tournament.machines.scale_clocks)
    else {
        return Ok(None);
    };
    Scale::new(reference, measure(tournament)?).map(Some).map_err(Error::Usage)
}

fn measure(tournament: &Tournament) -> Result<u64, Error> {
    let n_places = u16::try_from(tournament.resources.cores).unwrap_or(u16::MAX);
    speed::measure(n_places).map_err(|busy| {
        Error::Usage(format!(
            "`scale-clocks` needs the speed of this machine: {busy}; or set `reference-speed`"
        ))
    })
}

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
