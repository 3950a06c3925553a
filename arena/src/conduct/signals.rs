//! The user's wish to stop: Ctrl-C, or what a system sends that wants the process to end.

use std::io;

/// Who may want a tournament to stop.
#[expect(async_fn_in_trait, reason = "the one loop that waits for it runs on one thread")]
pub trait Wishes {
    /// The next wish: the first lets matches under way finish, the second abandons them.
    async fn next(&mut self);
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
    /// Listens from now on; the process no longer ends by itself.
    ///
    /// # Errors
    /// If the system refuses.
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Listens from now on; the process no longer ends by itself.
    ///
    /// # Errors
    /// Never on this system.
    #[cfg(not(unix))]
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }
}

impl Wishes for Signals {
    #[cfg(unix)]
    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    #[cfg(not(unix))]
    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
