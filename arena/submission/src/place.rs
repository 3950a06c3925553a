//! Puts an unpacked engine into the folder of a league: first its program, then, at once and whole, the file that names
//! it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use host::files::sync_folder;
use host::output::write_whole;

use crate::error::Error;
use crate::manifest::Manifest;

/// The folder of programs in that of a league.
pub const PROGRAMS: &str = "programs";
/// The folder of engines in that of a league.
pub const ENGINES: &str = "engines";
/// The beginning of the names of folders of what is not complete yet.
pub const INCOMING: &str = ".incoming-";
/// The file in the folder of an engine's programs that says who owns its name.
const OWNER: &str = "owner";

/// Removes what an earlier process left incomplete in the folder of a league, which no other process may use.
pub fn remove_incomplete(league: &Path) {
    for entry in fs::read_dir(league.join(PROGRAMS)).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(INCOMING)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// An engine that is in the league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its name.
    pub name: String,
    /// The hash of its archive.
    pub hash: String,
    /// Whether the league did not have this archive as the engine's newest.
    pub is_new: bool,
}

/// Moves the content of an archive, which was unpacked into `unpacked` and has this hash, to its place in `league`, and
/// names it in the engine's file. Only one may do this at a time. The owner has at most `most_engines`.
pub fn place(
    league: &Path,
    unpacked: &Path,
    hash: &str,
    owner: &str,
    most_engines: usize,
) -> Result<Placed, Error> {
    let manifest = Manifest::read(unpacked)?;
    if let Some(file) = manifest.file(unpacked) {
        make_executable(&unpacked.join(file)).map_err(Error::at(unpacked))?;
    }
    let name = &manifest.name;
    let engines = league.join(ENGINES);
    make_folder(&engines)?;
    check_owner(league, name, owner, most_engines)?;
    // The engine runs in any folder.
    let of_name = std::path::absolute(league).map_err(Error::at(league))?.join(PROGRAMS).join(name);
    let program = of_name.join(hash);
    let file = engines.join(format!("{name}.toml"));
    let text = manifest.in_league(owner, &program, unpacked);
    let old = fs::read_to_string(&file).unwrap_or_default();
    let (had_name, had_program) = (of_name.is_dir(), program.is_dir());
    let placed = (|| {
        make_folder(&of_name)?;
        if !had_name {
            write(&of_name.join(OWNER), owner)?;
        }
        if !had_program {
            fs::rename(unpacked, &program)
                .and_then(|()| sync_folder(&of_name))
                .map_err(Error::at(&program))?;
        }
        if old == text { Ok(()) } else { write(&file, &text) }
    })();
    placed.inspect_err(|_| {
        if !had_program {
            let _ = fs::remove_dir_all(if had_name { &program } else { &of_name });
        }
    })?;
    if old != text {
        // Matches with the program before this one may still be running.
        remove_others(&of_name, &[hash, &program_of(&old).unwrap_or_default()]);
    }
    Ok(Placed { name: name.clone(), hash: hash.to_owned(), is_new: old != text })
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    write_whole(path, |out| out.write_all(text.as_bytes())).map_err(Error::at(path))
}

/// The folder above it must be there: a league that was removed does not come back.
pub fn make_folder(path: &Path) -> Result<(), Error> {
    match fs::create_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(Error::at(path)(error)),
        _ => Ok(()),
    }
}

/// Nobody takes the name of somebody else's engine, even if that engine rests; or one that differs only in capitals.
fn check_owner(league: &Path, name: &str, owner: &str, most_engines: usize) -> Result<(), Error> {
    let mut n_others = 0;
    let taken =
        || Err(Error::League(format!("the name `{name}` belongs to another engine; choose another `name`")));
    for path in entries(&league.join(ENGINES))? {
        let Some(other) = path.file_name().and_then(|other| other.to_str()?.strip_suffix(".toml")) else {
            continue;
        };
        let is_own = is_owned(&fs::read_to_string(&path).unwrap_or_default(), owner);
        if other.eq_ignore_ascii_case(name) && !(is_own && other == name) {
            return taken();
        }
        n_others += usize::from(is_own && other != name);
    }
    for path in entries(&league.join(PROGRAMS))? {
        let is_named_so = path.file_name().is_some_and(|other| other.eq_ignore_ascii_case(name));
        if is_named_so && fs::read_to_string(path.join(OWNER)).ok().as_deref() != Some(owner) {
            return taken();
        }
    }
    if most_engines <= n_others {
        let why =
            format!("you have {n_others} engines in this league, which is the limit; replace one of them");
        return Err(Error::League(why));
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let read = fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    read.map_err(Error::at(folder))
}

fn is_owned(text: &str, owner: &str) -> bool {
    let Ok(file) = text.parse::<toml::Table>() else { return false };
    let is_submitted = file.get("submitted").and_then(toml::Value::as_bool) == Some(true);
    is_submitted && file.get("owner").and_then(toml::Value::as_str) == Some(owner)
}

/// The name of the folder of the program that an engine's file names.
fn program_of(text: &str) -> Option<String> {
    let file = text.parse::<toml::Table>().ok()?;
    Some(Path::new(file.get("directory")?.as_str()?).file_name()?.to_str()?.to_owned())
}

/// Removes all programs of an engine but these. What cannot be removed stays.
fn remove_others(of_name: &Path, kept: &[&str]) {
    for path in entries(of_name).unwrap_or_default() {
        if path.is_dir() && !kept.iter().any(|kept| path.ends_with(kept)) {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// The owner of an engine need not know that a program must be executable: Windows has no such thing.
pub fn make_executable(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
