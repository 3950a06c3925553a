//! The workers that were set aside: one line for each. Their matches are not part of the tournament, in this run and in
//! later ones.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use super::stored::read_stored;
use super::{ResultsError, SET_ASIDE_WORKERS, io_error};
use model::SetAside;

/// The workers of `folder` that were set aside.
///
/// # Errors
/// If the file cannot be read.
pub fn read_set_aside(folder: &Path) -> Result<Vec<SetAside>, ResultsError> {
    let path = folder.join(SET_ASIDE_WORKERS);
    let text = match read_stored(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(io_error("read", &path))?,
    };
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines
        .map(|(line, number)| {
            let bad = |error: serde_json::Error| ResultsError::BadLine {
                path: path.clone(),
                line: number,
                reason: error.to_string(),
            };
            serde_json::from_str(line).map_err(bad)
        })
        .collect()
}

/// Adds a worker to those of `folder`.
///
/// # Errors
/// If the file cannot be written.
pub fn add_set_aside(folder: &Path, worker: &SetAside) -> Result<(), ResultsError> {
    let path = folder.join(SET_ASIDE_WORKERS);
    let line = serde_json::to_string(worker).expect("texts are JSON");
    let write = || {
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        writeln!(file, "{line}")?;
        file.sync_all()
    };
    write().map_err(io_error("write", &path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Results, ResultsError, SET_ASIDE};
    use model::{Event, Record, Reporter, samples};

    #[test]
    fn a_league_goes_on_without_the_matches_of_a_worker_that_was_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let tournament = samples::tournament(&["one", "two"], 1);
        let open = |set_aside: &[SetAside]| {
            let mut results = Results::open_without_plan(folder.path(), &tournament, set_aside).unwrap();
            let mut numbers = Vec::new();
            let take = |record: Record| {
                numbers.push(record.number);
                Ok::<(), ResultsError>(())
            };
            results.restore(take).unwrap();
            (results, numbers)
        };
        let (mut results, _) = open(&[]);
        for (number, worker) in [(1, "desk"), (2, "liar"), (3, "local")] {
            let record = Record { number, worker: Some(worker.to_owned()), ..samples::record() };
            results.on_event(&Event::MatchFinished { record: Box::new(record) }).unwrap();
        }
        drop(results);
        let liar = SetAside { worker: "liar".to_owned(), why: "it lies".to_owned() };
        let (results, numbers) = open(&[liar]);
        assert_eq!((numbers, results.n_set_aside()), (vec![1, 3], 1));
        drop(results);
        assert_eq!(open(&[]).1, [1, 3], "they are no longer in the journal");
        let set_aside = std::fs::read_to_string(folder.path().join(SET_ASIDE)).unwrap();
        assert!(set_aside.contains("liar") && set_aside.lines().count() == 1, "{set_aside}");
    }

    #[test]
    fn workers_are_added_and_read() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_set_aside(folder.path()).unwrap(), []);
        let two = ["a", "b"].map(|name| SetAside { worker: name.to_owned(), why: "it\nlies".to_owned() });
        for worker in &two {
            add_set_aside(folder.path(), worker).unwrap();
        }
        assert_eq!(read_set_aside(folder.path()).unwrap(), two);
        std::fs::write(folder.path().join(SET_ASIDE_WORKERS), "\n{\n").unwrap();
        let error = read_set_aside(folder.path()).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}
