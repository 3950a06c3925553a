//! Packs a folder for the way to a league. The same folder gives the same archive.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

/// Writes a `.tar.gz` of all files and folders in `folder`.
///
/// # Errors
/// If something in it cannot be read or is neither file nor folder, or the output cannot be written.
pub fn pack(folder: &Path, out: impl Write) -> io::Result<()> {
    let mut archive = Builder::new(GzEncoder::new(BufWriter::new(out), Compression::default()));
    add(&mut archive, folder, Path::new(""))?;
    archive.into_inner()?.finish()?.flush()
}

fn add(archive: &mut Builder<impl Write>, folder: &Path, inside: &Path) -> io::Result<()> {
    let mut names =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort();
    for name in names {
        let (path, inside) = (folder.join(&name), inside.join(&name));
        let at = |error: io::Error| io::Error::new(error.kind(), format!("`{}`: {error}", path.display()));
        let metadata = fs::symlink_metadata(&path).map_err(at)?;
        let mut header = Header::new_gnu();
        if metadata.is_dir() {
            header.set_entry_type(EntryType::Directory);
            header.set_mode(0o755);
            header.set_size(0);
            archive.append_data(&mut header, &inside, io::empty()).map_err(at)?;
            add(archive, &path, &inside)?;
        } else if metadata.is_file() {
            header.set_mode(if is_executable(&metadata) { 0o755 } else { 0o644 });
            header.set_size(metadata.len());
            let file = File::open(&path).map_err(at)?;
            archive.append_data(&mut header, &inside, file).map_err(at)?;
        } else {
            return Err(at(io::Error::other("it is neither a file nor a folder; replace it by a copy")));
        }
    }
    Ok(())
}

fn is_executable(metadata: &fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}
