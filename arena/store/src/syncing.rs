//! Group commit: what was written to a file reaches the disk within a second, without a wait for each write. So a power
//! cut loses at most the last second, and a crash of the arena alone loses nothing.

use std::fs::File;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The minimum interval between two syncs, so that many short matches share one.
const INTERVAL: Duration = Duration::from_millis(500);

/// Syncs a file in a separate thread. Dropping it syncs the remaining writes.
#[derive(Debug)]
pub(super) struct Syncing {
    /// One message is enough for any number of writes.
    written: Option<SyncSender<()>>,
    error: Arc<Mutex<Option<io::Error>>>,
    thread: Option<JoinHandle<()>>,
}

impl Syncing {
    /// Starts the thread that syncs `file`.
    pub(super) fn start(file: &File) -> io::Result<Self> {
        let file = file.try_clone()?;
        Self::with(INTERVAL, move || file.sync_data())
    }

    fn with(
        interval: Duration,
        mut sync: impl FnMut() -> io::Result<()> + Send + 'static,
    ) -> io::Result<Self> {
        let (written, writes) = sync_channel(1);
        let error = Arc::<Mutex<Option<io::Error>>>::default();
        let failed = Arc::clone(&error);
        let work = move || {
            if let Err(error) = sync_until_closed(&writes, interval, &mut sync) {
                *failed.lock().expect("nobody panics while holding it") = Some(error);
            }
        };
        let thread = thread::Builder::new().name("journal".to_owned()).spawn(work)?;
        Ok(Self { written: Some(written), error, thread: Some(thread) })
    }

    /// Something was written to the file.
    ///
    /// # Errors
    /// If an earlier sync failed: the disk may lack what was written before.
    pub(super) fn note_write(&self) -> io::Result<()> {
        let Some(written) = &self.written else { return self.failure() };
        match written.try_send(()) {
            Ok(()) | Err(TrySendError::Full(())) => Ok(()),
            Err(TrySendError::Disconnected(())) => self.failure(),
        }
    }

    /// Waits until everything that was written is on the disk.
    ///
    /// # Errors
    /// If a sync failed.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        drop(self.written.take());
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the thread does not panic");
        }
        self.failure()
    }

    fn failure(&self) -> io::Result<()> {
        let error = self.error.lock().expect("nobody panics while holding it").take();
        error.map_or(Ok(()), Err)
    }
}

impl Drop for Syncing {
    fn drop(&mut self) {
        // The caller of `finish` gets the error.
        let _ = self.finish();
    }
}

/// Syncs after writes, with at least `interval` between two syncs, and once more after the last write.
fn sync_until_closed(
    writes: &Receiver<()>,
    interval: Duration,
    sync: &mut impl FnMut() -> io::Result<()>,
) -> io::Result<()> {
    while writes.recv().is_ok() {
        sync()?;
        // Waits for the interval, but not for the last write.
        let until = Instant::now() + interval;
        let mut is_written = false;
        loop {
            match writes.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(()) => is_written = true,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) if is_written => return sync(),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
        if is_written {
            sync()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Writes are numbers; a sync stores the last one.
    #[test]
    fn every_write_is_synced_with_few_syncs() {
        for interval in [Duration::ZERO, Duration::from_secs(600)] {
            let [written, on_disk, n_syncs] = [(); 3].map(|()| Arc::new(AtomicU32::new(0)));
            let shared = (Arc::clone(&written), Arc::clone(&on_disk), Arc::clone(&n_syncs));
            let mut syncing = Syncing::with(interval, move || {
                shared.1.store(shared.0.load(Ordering::SeqCst), Ordering::SeqCst);
                shared.2.fetch_add(1, Ordering::SeqCst);
                Ok(())
            })
            .unwrap();
            for n in 1..=1000 {
                written.store(n, Ordering::SeqCst);
                syncing.note_write().unwrap();
            }
            syncing.finish().unwrap();
            assert_eq!(on_disk.load(Ordering::SeqCst), 1000);
            if !interval.is_zero() {
                assert!(n_syncs.load(Ordering::SeqCst) <= 2);
            }
        }
    }

    #[test]
    fn a_failed_sync_is_an_error() {
        let fail = || Err(io::Error::from(io::ErrorKind::StorageFull));
        let mut syncing = Syncing::with(Duration::ZERO, fail).unwrap();
        syncing.note_write().unwrap();
        assert_eq!(syncing.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
