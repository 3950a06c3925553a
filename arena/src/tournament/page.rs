//! The page of a tournament at its end. All results are stored by then, so nobody has to wait for it.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;

use engine_proto::Games;
use host::signals::{Signals, StopRequests};
use report::{message, write_page};

/// Writes the page of a results folder with this number of matches of these games, unless there is a request to stop meanwhile.
pub fn write_unless_stopped(games: &Games, folder: &Path, n_matches: u32) -> Option<PathBuf> {
    let (stopped, done) = channel();
    let written = stopped.clone();
    let (games, of) = (games.clone(), folder.to_owned());
    thread::spawn(move || {
        let page = catch_unwind(AssertUnwindSafe(|| write_page(&games, &of, n_matches)));
        written.send(Some(page))
    });
    thread::spawn(move || {
        if wait_for_stop().is_ok() {
            let _ = stopped.send(None);
        }
    });
    match done.recv().expect("the page is written, or not") {
        Some(Ok(page)) => page,
        Some(Err(panic)) => resume_unwind(panic),
        None => {
            let again = format!("the report was not written; `arena report {}` writes it", folder.display());
            let _ = writeln!(io::stderr(), "{}", message(&again));
            None
        }
    }
}

fn wait_for_stop() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        Signals::listen()?.next().await;
        Ok(())
    })
}
