//! The workers of a league: the connection to them, and the invitation, which names no engines. They come with the pairs.

use std::io::{self, Write};
use std::time::Duration;

use cluster::message::Invitation;
use cluster::subject::COORDINATOR_NAME;
use cluster::{
    Access, AccessError, Known, NatsPool, Scale, local_scale, referee_files, set_reference_speed, wrong_audit,
};
use model::escape::escaped;
use model::{SetAside, Tournament};
use runner::conduct::{ConductError, StopRequests};
use store::Tally;

/// Where workers are found.
#[derive(Clone, Debug)]
pub struct Machines {
    /// The way to the server.
    pub access: Access,
    /// The priority among the tournaments and leagues on the server.
    pub priority: i32,
    /// The time after which the pairs of a silent worker are played by others.
    pub lease: Duration,
}

/// Why workers cannot play a league.
#[derive(Debug, thiserror::Error)]
pub enum MachinesError {
    /// The server refuses.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The files of a game cannot be read, or the keys of `[machines]` cannot be obeyed.
    #[error("{0}")]
    Refused(String),
    /// The server cannot keep the orders.
    #[error(transparent)]
    Conduct(#[from] ConductError),
}

/// Obeys the keys of `[machines]` before a league is played by workers. Returns the clocks of this machine, if they are scaled.
///
/// # Errors
/// If it cannot be audited, or this machine is too busy for `scale-clocks`.
pub(crate) fn prepare(league: &mut Tournament) -> Result<Option<Scale>, MachinesError> {
    if let Some(why) = wrong_audit(league) {
        return Err(MachinesError::Refused(why));
    }
    set_reference_speed(league).map_err(MachinesError::Refused)?;
    local_scale(league).map_err(MachinesError::Refused)
}

impl Machines {
    /// Opens the pool of the workers of `league`, which has no engines yet. Waits for the server as long as it takes; `None` if
    /// the user does not want to.
    ///
    /// # Errors
    /// If the server refuses, or cannot keep the orders.
    pub(crate) async fn open(
        &self,
        id: &str,
        league: &Tournament,
        (set_aside, tally): (Vec<SetAside>, Tally),
        wants_moves: bool,
        requests: &mut impl StopRequests,
    ) -> Result<Option<NatsPool>, MachinesError> {
        let invitation = Invitation {
            tournament: league.clone(),
            builds: Vec::new(),
            lease_ms: u64::try_from(self.lease.as_millis()).unwrap_or(u64::MAX),
            parcels: Vec::new(),
            referees: referee_files(league).map_err(MachinesError::Refused)?,
            is_open: true,
        };
        let known = Known { set_aside, tally, wants_moves, priority: self.priority, packed: Vec::new() };
        let say = |message: &str| drop(writeln!(io::stderr(), "{}", escaped(message)));
        let opening = async {
            let client = self.access.connect(COORDINATOR_NAME, say, |_| {}).await?;
            let pool = NatsPool::open(client, id, &invitation, known, say).await;
            pool.map_err(|error| MachinesError::from(ConductError::from(error)))
        };
        tokio::select! {
            biased;
            _ = requests.next() => Ok(None),
            pool = opening => pool.map(Some),
        }
    }
}
