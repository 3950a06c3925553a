//! Unpacks archives of strangers into a fresh folder. Only files and folders come out, with plain permissions; whatever
//! else an archive holds is an error. Nothing is ever written outside of the folder.

use std::fs::{self, File};
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;
use ruzstd::decoding::StreamingDecoder;
use tar::{Archive, Entry, EntryType, PaxExtensions};

use host::files::create_new;
use model::Size;

use crate::error::{Error, wrong};

/// The longest path of a file, in bytes.
const LONGEST_PATH: usize = 240;
/// The longest name of a file or folder, in bytes.
const LONGEST_NAME: usize = 100;
/// The largest number of folders around a file.
const DEEPEST: usize = 20;
/// The largest entry that describes another one, such as a long name, in bytes.
const LARGEST_EXTENSION: u64 = 64 << 10;
/// The largest window of a Zstandard archive: so much memory does it take. `zstd -19` needs an eighth.
const LARGEST_WINDOW: u64 = 64 << 20;

/// What an archive may hold at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The bytes of all that is in it.
    pub unpacked: u64,
    /// The number of files and folders, and of entries of the archive.
    pub entries: usize,
}

fn unreadable(error: impl std::fmt::Display) -> Error {
    Error::Engine(format!("the archive cannot be read: {error}"))
}

/// Unpacks a `.tar.gz` or `.tar.zst`, to its last byte, into a folder that is empty.
///
/// # Errors
/// What is wrong with the archive, or why the folder cannot be written. What was unpacked until then stays.
pub fn unpack(mut packed: impl BufRead, folder: &Path, bounds: Bounds) -> Result<(), Error> {
    let head = packed.fill_buf().map_err(unreadable)?;
    let mut rest = if head.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Plain::new(GzDecoder::new(packed), bounds.unpacked);
        unpack_tar(&mut plain, folder, bounds)?;
        plain.inner.into_inner()
    } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        let decoder =
            StreamingDecoder::new_with_max_window_size(packed, LARGEST_WINDOW).map_err(unreadable)?;
        let mut plain = Plain::new(decoder, bounds.unpacked);
        unpack_tar(&mut plain, folder, bounds)?;
        let (rest, decoder) = plain.inner.into_parts();
        if let Some(sum) = decoder.get_checksum_from_data()
            && decoder.get_calculated_checksum() != Some(sum)
        {
            return wrong("the archive is damaged: its check sum is wrong");
        }
        rest
    } else {
        return wrong("the file is no archive: send a `.tar.gz` or a `.tar.zst`");
    };
    match rest.fill_buf().map_err(unreadable)? {
        [] => Ok(()),
        _ => wrong("more bytes follow the end of the archive"),
    }
}

/// What comes out of the decompression. More than the allowed number of bytes is an error.
struct Plain<R> {
    inner: R,
    most: u64,
    left: u64,
    has_ended: bool,
}

impl<R: Read> Plain<R> {
    const fn new(inner: R, most: u64) -> Self {
        Self { inner, most, left: most, has_ended: false }
    }
}

impl<R: Read> Read for Plain<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // One byte more shows that there is more.
        let asked = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX).saturating_add(1));
        let n = self.inner.read(&mut buffer[..asked])?;
        self.has_ended |= n == 0 && asked != 0;
        self.left = self.left.checked_sub(n as u64).ok_or_else(|| {
            io::Error::other(format!("unpacked, it has more than {}", Size { bytes: self.most }))
        })?;
        Ok(n)
    }
}

fn unpack_tar<R: Read>(plain: &mut Plain<R>, folder: &Path, bounds: Bounds) -> Result<(), Error> {
    let too_many = || wrong(format!("the archive has more than {} files and folders", bounds.entries));
    let mut archive = Archive::new(&mut *plain);
    let mut target = Target { folder, n_made: 0 };
    // Of an entry whose name is in an entry before it.
    let mut long_name: Option<Vec<u8>> = None;
    // Raw: names and sizes in extensions are not taken without a look at them.
    for (idx, entry) in archive.entries().map_err(unreadable)?.raw(true).enumerate() {
        let mut entry = entry.map_err(unreadable)?;
        if bounds.entries <= idx.max(target.n_made) {
            return too_many();
        }
        let kind = entry.header().entry_type();
        match kind {
            EntryType::XGlobalHeader => {
                extension(&mut entry)?;
            }
            EntryType::GNULongName => {
                let mut name = extension(&mut entry)?;
                name.truncate(name.iter().position(|byte| *byte == 0).unwrap_or(name.len()));
                long_name = Some(name);
            }
            EntryType::XHeader => long_name = path_of(&extension(&mut entry)?)?.or(long_name),
            EntryType::Regular | EntryType::Directory => {
                let name = long_name.take().unwrap_or_else(|| entry.path_bytes().into_owned());
                let parts = parts(&name)?;
                // As programs wrote folders before there was a type for them.
                if kind.is_dir() || name.ends_with(b"/") {
                    target.make_folder(&parts)?;
                } else {
                    target.make_file(&parts, &mut entry, bounds.unpacked)?;
                }
            }
            _ => {
                let name = long_name.take().unwrap_or_else(|| entry.path_bytes().into_owned());
                let what = name_of(kind);
                return wrong(format!("`{}` is {what}; only files and folders are allowed", shown(&name)));
            }
        }
    }
    if bounds.entries < target.n_made {
        return too_many();
    }
    // Zeros mark the end.
    if plain.has_ended {
        return wrong("the archive is truncated");
    }
    let mut block = [0; 4096];
    loop {
        match plain.read(&mut block).map_err(unreadable)? {
            0 => return Ok(()),
            n if block[..n].iter().any(|byte| *byte != 0) => {
                return wrong("more bytes follow the end of the archive");
            }
            _ => {}
        }
    }
}

/// The folder that the archive goes into.
struct Target<'a> {
    folder: &'a Path,
    n_made: usize,
}

impl Target<'_> {
    /// Makes a folder, and those around it.
    fn make_folder(&mut self, parts: &[&str]) -> Result<PathBuf, Error> {
        let mut path = self.folder.to_owned();
        for part in parts {
            path.push(part);
            match fs::create_dir(&path) {
                Ok(()) => self.n_made += 1,
                Err(_) if path.is_dir() => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return wrong(format!("`{}` is a file and a folder", parts.join("/")));
                }
                Err(error) => return Err(Error::at(&path)(error)),
            }
        }
        Ok(path)
    }

    fn make_file(
        &mut self,
        parts: &[&str],
        entry: &mut Entry<'_, impl Read>,
        most: u64,
    ) -> Result<(), Error> {
        let Some((name, around)) = parts.split_last() else { return wrong("a file has no name") };
        let shown = parts.join("/");
        let size = entry.header().entry_size().map_err(unreadable)?;
        if most < size {
            return wrong(format!("`{shown}` has more than {}", Size { bytes: most }));
        }
        let is_executable = entry.header().mode().map_err(unreadable)? & 0o111 != 0;
        let path = self.make_folder(around)?.join(name);
        let mut file = create_new(&path, if is_executable { 0o755 } else { 0o644 }).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists {
                Error::Engine(format!("`{shown}` is there twice"))
            } else {
                Error::at(&path)(error)
            }
        })?;
        self.n_made += 1;
        if copy(entry, &mut file, &path)? != size {
            return wrong(format!("the archive is truncated in `{shown}`"));
        }
        Ok(())
    }
}

/// Copies the content of an entry; tells errors of the archive from those of the disk.
fn copy(entry: &mut impl Read, file: &mut File, path: &Path) -> Result<u64, Error> {
    let mut buffer = [0; 16 << 10];
    let mut copied = 0;
    loop {
        let n = entry.read(&mut buffer).map_err(unreadable)?;
        if n == 0 {
            // The program is there after a power cut, too.
            file.sync_all().map_err(Error::at(path))?;
            return Ok(copied);
        }
        file.write_all(&buffer[..n]).map_err(Error::at(path))?;
        copied += n as u64;
    }
}

/// The content of an entry that describes the next one.
fn extension(entry: &mut Entry<'_, impl Read>) -> Result<Vec<u8>, Error> {
    let size = entry.header().entry_size().map_err(unreadable)?;
    if LARGEST_EXTENSION < size {
        return wrong("a name or another extension in the archive is too long");
    }
    let mut content = Vec::new();
    entry.read_to_end(&mut content).map_err(unreadable)?;
    Ok(content)
}

/// The path in a pax extension, if it has one. What would change the meaning of the content is refused.
fn path_of(extension: &[u8]) -> Result<Option<Vec<u8>>, Error> {
    let mut path = None;
    for record in PaxExtensions::new(extension) {
        let record = record.map_err(unreadable)?;
        match record.key_bytes() {
            b"path" => path = Some(record.value_bytes().to_owned()),
            key if key == b"size" || key.starts_with(b"GNU.sparse.") => {
                return wrong("the archive has sparse or very large files; only ordinary files are allowed");
            }
            _ => {}
        }
    }
    Ok(path)
}

/// The parts of a path that stays in the folder.
fn parts(name: &[u8]) -> Result<Vec<&str>, Error> {
    let refused = |why: &str| wrong(format!("the name `{}` {why}", shown(name)));
    let Ok(text) = std::str::from_utf8(name) else { return refused("is not UTF-8") };
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if text.starts_with('/') {
        return refused("begins with `/`");
    }
    if parts.contains(&"..") {
        return refused("leads out of the archive");
    }
    // Windows has other separators, and drives.
    if text.contains(|c: char| c.is_control() || c == '\\' || c == ':') {
        return refused("contains a control character, `\\` or `:`");
    }
    let is_long = LONGEST_PATH < text.len() || parts.iter().any(|part| LONGEST_NAME < part.len());
    if is_long || DEEPEST < parts.len() {
        return refused("is too long or too deep");
    }
    Ok(parts)
}

fn shown(name: &[u8]) -> String {
    let text = String::from_utf8_lossy(&name[..name.len().min(80)]);
    let dots = if 80 < name.len() { "..." } else { "" };
    format!("{}{dots}", text.escape_debug())
}

fn name_of(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Symlink => "a symbolic link",
        EntryType::Link => "a hard link",
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Fifo => "a named pipe",
        EntryType::GNUSparse => "a sparse file",
        EntryType::GNULongLink => "a link with a long name",
        _ => "something unusual",
    }
}
