//! Finds files that contain the rows of another file, such as an older copy. It does not remove them.

use std::cmp::Ordering;
use std::path::PathBuf;

/// Fewer equal rows than this are taken for chance.
const FEWEST_ROWS: usize = 10;

/// Fingerprints of the rows without a match id, for each file.
#[derive(Default)]
pub(super) struct SharedRows {
    files: Vec<(PathBuf, Vec<u64>)>,
}

impl SharedRows {
    /// Starts the next file.
    pub(super) fn begin(&mut self, file: PathBuf) {
        self.files.push((file, Vec::new()));
    }

    /// Adds a row of the current file.
    pub(super) fn add(&mut self, row: u64) {
        if let Some((_, rows)) = self.files.last_mut() {
            rows.push(row);
        }
    }

    /// A note for each pair of files of which one contains all rows of the other.
    pub(super) fn notes(mut self) -> Vec<String> {
        for (_, rows) in &mut self.files {
            rows.sort_unstable();
        }
        let mut notes = Vec::new();
        for (index, (file, rows)) in self.files.iter().enumerate() {
            for (other_file, other_rows) in &self.files[..index] {
                let n_fewest = rows.len().min(other_rows.len());
                if n_fewest < FEWEST_ROWS || n_shared(rows, other_rows) < n_fewest {
                    continue;
                }
                let (part, whole) =
                    if rows.len() < other_rows.len() { (file, other_file) } else { (other_file, file) };
                notes.push(format!(
                    "all {n_fewest} matches of {} have an equal row in {} and are counted twice; if these are the same matches, \
                     omit the first of these files",
                    part.display(),
                    whole.display()
                ));
            }
        }
        notes
    }
}

/// The number of rows that two sorted lists have in common; repeated rows count as often as in both.
fn n_shared(ours: &[u64], theirs: &[u64]) -> usize {
    let (mut our_place, mut their_place, mut n_shared) = (0, 0, 0);
    while let (Some(our_row), Some(their_row)) = (ours.get(our_place), theirs.get(their_place)) {
        match our_row.cmp(their_row) {
            Ordering::Less => our_place += 1,
            Ordering::Greater => their_place += 1,
            Ordering::Equal => {
                our_place += 1;
                their_place += 1;
                n_shared += 1;
            }
        }
    }
    n_shared
}
