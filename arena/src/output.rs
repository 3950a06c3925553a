//! Where a command writes its answer: a file, whole or not at all, or a stream whose reader may go away. Knows nothing of
//! what is written.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes what `write` writes to the file `path`, by way of a new file beside it: whatever happens, there is either what was
/// there before or all of the new. What is no regular file, such as a pipe or a device, is written to directly.
///
/// # Errors
/// If it can't be written; nothing is left then but what was there before.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A link stays a link: what it points at is replaced.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fill(&File::options().write(true).open(&target)?, write);
    }
    let new_path = beside(&target)?;
    let written = File::create(&new_path)
        .and_then(|new| {
            fill(&new, write)?;
            new.sync_all()?;
            old.map_or(Ok(()), |old| new.set_permissions(old.permissions()))
        })
        .and_then(|()| fs::rename(&new_path, &target));
    if written.is_err() {
        // It may never have been made.
        let _ = fs::remove_file(&new_path);
    }
    written
}

/// A stream whose reader may go away, as `head` does: what is written after that is dropped. The verdict of a command then
/// does not depend on who reads its report.
#[derive(Debug)]
pub struct WhileRead<W>(pub W);

impl<W: Write> WhileRead<W> {
    fn unless_closed<T>(written: io::Result<T>, dropped: T) -> io::Result<T> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(dropped),
            written => written,
        }
    }
}

impl<W: Write> Write for WhileRead<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Self::unless_closed(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Self::unless_closed(self.0.flush(), ())
    }
}

fn fill(file: &File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()
}

/// A name that nobody else uses, in the same folder.
fn beside(target: &Path) -> io::Result<PathBuf> {
    let name = target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
    let mut new_name = OsString::from(".");
    new_name.push(name);
    new_name.push(format!(".{}.new", std::process::id()));
    Ok(target.with_file_name(new_name))
}
