//! The engines that a coordinator has sent: fetched once per SHA-256 into a cache of bounded size, and unpacked for one
//! tournament into a new folder.

use std::fs::{self, File, FileTimes};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use async_nats::Client;
use tempfile::{NamedTempFile, TempDir};

use super::Settings;
use crate::parcels::{Parcel, below, plain};
use crate::store::fetch;
use host::files;
use host::output::replace;
use model::Tournament;
use opponent::sha256_of;

/// The largest cache, in bytes. The files that were not used for the longest time are removed.
const MOST_BYTES: u64 = 4 << 30;

/// Fetches the parcels that are not in the cache, and unpacks all of them: each engine has a folder of its own, and so has
/// each program with rules. Sets programs and folders in `tournament`.
///
/// # Errors
/// Why an engine cannot be had.
pub async fn unpack(
    client: &Client,
    parcels: &[Parcel],
    tournament: &mut Tournament,
    settings: &Settings,
) -> Result<TempDir, String> {
    let at = |path: &Path| {
        let path = path.display().to_string();
        move |error: io::Error| format!("cannot write `{path}`: {error}")
    };
    files::create_private_folder(&settings.cache).map_err(at(&settings.cache))?;
    let parent = &settings.folders.logs;
    let folder = tempfile::Builder::new().prefix("engines-").tempdir_in(parent).map_err(at(parent))?;
    for (idx, engine) in tournament.engines.iter_mut().enumerate() {
        let name = engine.name.clone();
        let own = parcels.iter().filter(|parcel| !parcel.is_of_game && parcel.engine == name);
        let root = folder.path().join(idx.to_string());
        fs::create_dir(&root).map_err(at(&root))?;
        let engine = Arc::make_mut(engine);
        for parcel in own {
            let target = unpack_one(client, parcel, &root, settings).await?;
            if parcel.is_program {
                engine.command = target;
            }
        }
        // Relative paths of files that were sent are relative to it.
        let directory = engine.directory.replace(root);
        let was_sent = |path: &Path| {
            let path = below(directory.as_deref(), path);
            parcels.iter().any(|parcel| Path::new(&parcel.path) == path)
        };
        engine.cage.readable.retain(|path| !was_sent(path));
    }
    for (idx, game) in tournament.games.iter_mut().enumerate() {
        let (id, Some(referee)) = (game.id.id(), &mut game.referee) else { continue };
        let root = folder.path().join(format!("game-{idx}"));
        fs::create_dir(&root).map_err(at(&root))?;
        for parcel in parcels.iter().filter(|parcel| parcel.is_of_game && parcel.engine == id) {
            let target = unpack_one(client, parcel, &root, settings).await?;
            let target = target.to_string_lossy().into_owned();
            let is_named = |word: &str| plain(Path::new(word)) == Path::new(&parcel.path);
            if parcel.is_program {
                referee.command.splice(..1, [target]);
            } else {
                let words = referee.command.iter_mut().skip(1);
                words.filter(|word| is_named(word)).for_each(|word| target.clone_into(word));
            }
            referee.cage.readable.retain(|path| plain(path) != Path::new(&parcel.path));
        }
        referee.cage.readable.push(root);
    }
    shrink(&settings.cache);
    Ok(folder)
}

/// Copies the file of a parcel to its place below `root`, which is returned.
async fn unpack_one(
    client: &Client,
    parcel: &Parcel,
    root: &Path,
    settings: &Settings,
) -> Result<PathBuf, String> {
    let cached = cached(client, parcel, &settings.cache).await;
    let cached = cached.map_err(|why| format!("the file `{}` of {}: {why}", parcel.path, parcel.owner()))?;
    let target = root.join(&parcel.path);
    let in_words = |error: io::Error| format!("cannot write `{}`: {error}", target.display());
    copy(&cached, &target, parcel.is_program).map_err(in_words)?;
    Ok(target)
}

/// The file in the cache, with the content that was announced.
async fn cached(client: &Client, parcel: &Parcel, cache: &Path) -> Result<PathBuf, String> {
    let in_words = |error: io::Error| error.to_string();
    let path = cache.join(&parcel.sha256);
    let is_file = fs::symlink_metadata(&path).is_ok_and(|file| file.is_file());
    if is_file && sha256_of(&path).is_ok_and(|sha256| sha256 == parcel.sha256) {
        let now = FileTimes::new().set_modified(SystemTime::now());
        let _ = File::options().append(true).open(&path).and_then(|file| file.set_times(now));
        return Ok(path);
    }
    let mut file = NamedTempFile::new_in(cache).map_err(in_words)?;
    fetch(client, parcel, file.as_file_mut()).await?;
    replace(file, &path).map_err(in_words)?;
    Ok(path)
}

/// Copies a file to a new one in a new folder, so that no link can be in its way.
fn copy(from: &Path, to: &Path, is_program: bool) -> io::Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut file = files::create_new(to, if is_program { 0o755 } else { 0o644 })?;
    io::copy(&mut File::open(from)?, &mut file)?;
    file.flush()
}

/// Removes the files that were not used for the longest time, until the others are not too large.
fn shrink(cache: &Path) {
    let entries = fs::read_dir(cache).into_iter().flatten().flatten();
    let file = |entry: fs::DirEntry| {
        let metadata = entry.metadata().ok()?;
        Some((metadata.modified().ok()?, metadata.len(), entry.path()))
    };
    let mut files: Vec<_> = entries.filter_map(file).collect();
    files.sort_unstable();
    let mut n_bytes: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
    for (_, bytes, path) in files {
        if n_bytes <= MOST_BYTES {
            break;
        }
        if fs::remove_file(path).is_ok() {
            n_bytes -= bytes;
        }
    }
}
