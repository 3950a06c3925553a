//! Requests to stop: Ctrl-C, or the system's signal to terminate.

use std::io;

/// A request to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopRequest {
    /// Ctrl-C: the first one lets running matches finish, the second one aborts them.
    Interrupt,
    /// The system's signal to terminate: running matches are aborted.
    Terminate,
}

/// Receives requests to stop.
#[expect(async_fn_in_trait, reason = "the one loop that waits for it runs on one thread")]
pub trait StopRequests {
    /// Waits for the next request.
    async fn next(&mut self) -> StopRequest;
}

/// Waits for signals.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    /// Handles signals from now on: they no longer end the process.
    ///
    /// # Errors
    /// If the system does not allow it.
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Handles signals from now on: they no longer end the process.
    ///
    /// # Errors
    /// Never on this system.
    #[cfg(not(unix))]
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }
}

impl StopRequests for Signals {
    #[cfg(unix)]
    async fn next(&mut self) -> StopRequest {
        tokio::select! {
            _ = self.terminate.recv() => StopRequest::Terminate,
            _ = self.interrupt.recv() => StopRequest::Interrupt,
        }
    }

    #[cfg(not(unix))]
    async fn next(&mut self) -> StopRequest {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        StopRequest::Interrupt
    }
}
