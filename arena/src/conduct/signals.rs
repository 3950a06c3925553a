//! The user's wish to stop: Ctrl-C, or what a system sends that wants the process to end.

use std::io;

/// Waits for such wishes.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    /// Listens from now on; the process no longer ends by itself.
    ///
    /// # Errors
    /// If the system refuses.
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// The next wish.
    #[cfg(unix)]
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// Listens from now on; the process no longer ends by itself.
    ///
    /// # Errors
    /// Never on this system.
    #[cfg(not(unix))]
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// The next wish.
    #[cfg(not(unix))]
    pub async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
