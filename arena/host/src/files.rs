//! What files have on some systems only: an identity, an owner, permissions.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Tells files apart that have the same name, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(u64, u64);

impl Identity {
    /// The identity of a file; the same for all files on systems that do not report it.
    pub fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        return Self(
            std::os::unix::fs::MetadataExt::dev(metadata),
            std::os::unix::fs::MetadataExt::ino(metadata),
        );
        #[cfg(not(unix))]
        {
            let _ = metadata;
            Self(0, 0)
        }
    }
}

/// Whether an open file no longer has a name. Not known on all systems.
pub fn is_deleted(file: &File) -> bool {
    #[cfg(unix)]
    return file.metadata().is_ok_and(|metadata| std::os::unix::fs::MetadataExt::nlink(&metadata) == 0);
    #[cfg(not(unix))]
    {
        let _ = file;
        false
    }
}

/// Whether it is a folder, and no link to one, of this user. Other systems keep the users' folders apart themselves.
pub fn is_own_folder(path: &Path) -> bool {
    let Ok(metadata) = fs::symlink_metadata(path) else { return false };
    #[cfg(unix)]
    let is_own = std::os::unix::fs::MetadataExt::uid(&metadata) == rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    let is_own = true;
    metadata.is_dir() && is_own
}

/// Whether only its owner can read and write it. Where files have no such permissions, the folder's own rules decide.
pub fn is_private(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::mode(metadata) & 0o777 == 0o600;
    #[cfg(not(unix))]
    {
        let _ = metadata;
        true
    }
}

/// Creates a file that must not exist yet, with these permissions where files have them.
///
/// # Errors
/// If it exists, or cannot be created.
pub fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    options.open(path)
}

/// Opens a file to write at its end, and creates it if it does not exist. On Linux, a link in its place is not followed, and a
/// pipe in its place does not block.
///
/// # Errors
/// If it cannot be opened.
pub fn append_to(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(target_os = "linux")]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    options.open(path)
}

/// Creates a folder that only its owner can use, and those above it.
///
/// # Errors
/// If it cannot be created.
pub fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The bytes that it takes on the disk; its length where the system does not tell.
pub fn bytes_on_disk(metadata: &Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::blocks(metadata) * 512;
    #[cfg(not(unix))]
    metadata.len()
}

/// Makes new and renamed files of a folder survive a power cut.
///
/// # Errors
/// If the folder cannot be written.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}
