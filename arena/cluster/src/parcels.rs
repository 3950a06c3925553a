//! Which files the coordinator sends to workers (`distribute`), and under which paths they are unpacked there. A path comes
//! from another machine: only a plain relative one is accepted.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use model::{RefereeProgram, Tournament};
use runner::pool::Prepared;

/// The most files, and the most bytes of all of them.
const MOST_FILES: usize = 10_000;
const MOST_BYTES: u64 = 4 << 30;
/// The longest path.
const LONGEST: usize = 500;

/// A file of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Parcel {
    /// The engine's name, or the id of the game whose rules are this program.
    pub engine: String,
    /// Whether it is of a game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_game: bool,
    /// The path in the engine's folder at the worker.
    pub path: String,
    /// SHA-256 of the content, in hexadecimal digits.
    pub sha256: String,
    /// The number of bytes.
    pub bytes: u64,
    /// Whether it is the engine's program.
    pub is_program: bool,
}

impl Parcel {
    /// Whose it is, in words.
    pub fn owner(&self) -> String {
        let owner = engine_proto::fen::shown(&self.engine);
        if self.is_of_game { format!("game `{owner}`") } else { format!("engine `{owner}`") }
    }
}

/// A parcel, and the file at the coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// What is sent.
    pub parcel: Parcel,
    /// The file.
    pub file: PathBuf,
}

/// The files of all engines of a prepared tournament: the programs, and the files among arguments, `readable` and the values
/// of options; and those of the programs that have the rules. A program that is looked up on `PATH` must exist on every machine.
///
/// # Errors
/// If a file cannot have the same path at the worker, or cannot be read, or is too large.
pub fn pack(tournament: &Tournament, prepared: &Prepared) -> Result<Vec<Packed>, String> {
    let mut packer = Packer::default();
    packer.add_engines(prepared)?;
    for game in &tournament.games {
        let Some(RefereeProgram { command, cage, .. }) = &game.referee else { continue };
        let owner = Owner { name: game.id.id(), is_game: true };
        let (program, args) = command.split_first().ok_or("`referee` is empty")?;
        if 1 < Path::new(program).components().count() {
            packer.add_program(owner, Path::new(program))?;
        }
        for name in args {
            packer.add(owner, Path::new(name), Path::new(name))?;
        }
        for path in &cage.readable {
            packer.add_readable(owner, path, path)?;
        }
    }
    Ok(packer.packed)
}

/// The files of engines alone.
///
/// # Errors
/// If a file cannot be sent.
pub fn pack_engines(prepared: &Prepared) -> Result<Vec<Packed>, String> {
    let mut packer = Packer::default();
    packer.add_engines(prepared)?;
    Ok(packer.packed)
}

/// Whose file it is.
#[derive(Clone, Copy)]
struct Owner<'a> {
    name: &'a str,
    is_game: bool,
}

#[derive(Default)]
struct Packer {
    packed: Vec<Packed>,
    n_bytes: u64,
}

impl Packer {
    fn add_engines(&mut self, prepared: &Prepared) -> Result<(), String> {
        let started = prepared.contenders.iter().zip(&prepared.why).filter(|(_, why)| why.is_none());
        for (contender, _) in started {
            let engine = &contender.engine;
            let owner = Owner { name: &engine.name, is_game: false };
            if 1 < engine.command.components().count() || engine.command.is_absolute() {
                self.add_program(owner, &contender.spawn.program)?;
            }
            let directory = engine.directory.as_deref().unwrap_or(Path::new(""));
            for name in engine.args.iter().chain(engine.options.values()).filter(|name| !name.is_empty()) {
                self.add(owner, Path::new(name), &directory.join(name))?;
            }
            for path in &engine.cage.readable {
                self.add_readable(owner, &below(Some(directory), path), path)?;
            }
        }
        Ok(())
    }

    fn add_program(&mut self, owner: Owner<'_>, file: &Path) -> Result<(), String> {
        let name = file.file_name().unwrap_or_default();
        self.put(parcel(owner, Path::new(name), true), file)
    }

    /// What `readable` names is no word with another meaning: a folder is an error, unless it is one of the system.
    fn add_readable(&mut self, owner: Owner<'_>, path: &Path, file: &Path) -> Result<(), String> {
        if file.is_dir() && !file.is_absolute() {
            let (path, owner) = (file.display(), parcel(owner, path, false).owner());
            return Err(format!(
                "`distribute` sends files, and `{path}` in `readable` of {owner} is a folder; name its files"
            ));
        }
        self.add(owner, path, file)
    }

    /// Adds the file that has `path` at the worker, if it is one.
    fn add(&mut self, owner: Owner<'_>, path: &Path, file: &Path) -> Result<(), String> {
        let parcel = parcel(owner, path, false);
        let is_same = |other: &Packed| {
            let other = &other.parcel;
            (&other.engine, other.is_of_game, &other.path)
                == (&parcel.engine, parcel.is_of_game, &parcel.path)
        };
        if !file.is_file() || self.packed.iter().any(is_same) {
            return Ok(());
        }
        self.put(parcel, file)
    }

    fn put(&mut self, parcel: Parcel, file: &Path) -> Result<(), String> {
        let shown = file.display();
        if let Some(why) = wrong_path(&parcel.path) {
            let below = if parcel.is_of_game { "" } else { "the engine's `directory`, or else below " };
            return Err(format!(
                "`distribute` cannot send `{shown}` of {}: {why}; give a path below {below}the current folder",
                parcel.owner()
            ));
        }
        let in_words = |error: std::io::Error| format!("cannot read `{shown}`: {error}");
        let bytes = fs::metadata(file).map_err(in_words)?.len();
        self.n_bytes = self.n_bytes.saturating_add(bytes);
        if let Some(why) = too_many(self.packed.len() + 1, self.n_bytes) {
            return Err(format!(
                "`distribute` cannot send `{shown}` of {}, which has {bytes} bytes: {why}; copy the engines to the workers instead",
                parcel.owner()
            ));
        }
        let sha256 = opponent::sha256_of(file).map_err(in_words)?;
        self.packed.push(Packed { parcel: Parcel { sha256, bytes, ..parcel }, file: file.to_owned() });
        Ok(())
    }
}

/// A file whose content is not known yet.
fn parcel(owner: Owner<'_>, path: &Path, is_program: bool) -> Parcel {
    Parcel {
        engine: owner.name.to_owned(),
        is_of_game: owner.is_game,
        path: plain(path).to_string_lossy().into_owned(),
        sha256: String::new(),
        bytes: 0,
        is_program,
    }
}

/// The path without `.`, as a parcel has it.
pub fn plain(path: &Path) -> PathBuf {
    path.components().filter(|component| *component != Component::CurDir).collect()
}

/// A path of `readable`, as an engine with this `directory` sees it.
pub fn below(directory: Option<&Path>, path: &Path) -> PathBuf {
    let path = plain(path);
    let inside = directory.and_then(|directory| path.strip_prefix(plain(directory)).ok().map(PathBuf::from));
    inside.unwrap_or(path)
}

/// Why files are too many to be sent.
fn too_many(n_files: usize, n_bytes: u64) -> Option<String> {
    (MOST_FILES < n_files || MOST_BYTES < n_bytes).then(|| {
        format!("{n_files} files of {n_bytes} bytes are more than {MOST_FILES} files of {MOST_BYTES} bytes")
    })
}

/// What is wrong with parcels from another machine; `None` if nothing is.
pub fn wrong(parcels: &[Parcel]) -> Option<String> {
    let n_bytes = parcels.iter().map(|parcel| parcel.bytes).fold(0, u64::saturating_add);
    if let Some(why) = too_many(parcels.len(), n_bytes) {
        return Some(why);
    }
    parcels.iter().find_map(|parcel| {
        let is_hash = parcel.sha256.len() == 64 && parcel.sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        let why = if is_hash { wrong_path(&parcel.path) } else { Some("it has no SHA-256") };
        why.map(|why| format!("the file `{}` is refused: {why}", engine_proto::fen::shown(&parcel.path)))
    })
}

/// Why a path is not plain and relative.
fn wrong_path(path: &str) -> Option<&'static str> {
    if path.is_empty() || LONGEST < path.len() || path.contains(['\0', '\\']) {
        return Some("its path is empty, too long, or has unusual characters");
    }
    let is_plain = |component: Component<'_>| matches!(component, Component::Normal(_));
    (!Path::new(path).components().all(is_plain)).then_some("its path is absolute, or contains `..`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_relative_paths_are_unpacked() {
        let parcel = |path: &str| Parcel {
            engine: "e".to_owned(),
            is_of_game: false,
            path: path.to_owned(),
            sha256: "0".repeat(64),
            bytes: 1,
            is_program: false,
        };
        assert_eq!(wrong(&[parcel("a"), parcel("nets/b.bin")]), None);
        for path in ["", "/etc/passwd", "../a", "a/../../b", "./a", "a\0b", &"x".repeat(501)] {
            assert!(wrong(&[parcel(path)]).is_some(), "{path}");
        }
        let other = Parcel { sha256: "../../x".to_owned(), ..parcel("a") };
        assert!(wrong(&[other]).unwrap().contains("SHA-256"));
        let large = Parcel { bytes: u64::MAX, ..parcel("a") };
        assert!(wrong(&[large.clone(), large]).unwrap().contains("2 files of 18446744073709551615 bytes"));
    }
}
