//! Which files the coordinator sends to workers (`distribute`), and under which paths they are unpacked there. A path comes
//! from another machine: only a plain relative one is accepted.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::pool::Prepared;
use crate::tournament::{RefereeProgram, Tournament};

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
/// If a file cannot have the same path at the worker, or cannot be read.
pub fn pack(tournament: &Tournament, prepared: &Prepared) -> Result<Vec<Packed>, String> {
    let started = prepared.contenders.iter().zip(&prepared.why).filter(|(_, why)| why.is_none());
    let mut packed = Vec::new();
    for (contender, _) in started {
        let Some(engine) = tournament.engine(contender.name()) else { continue };
        if 1 < engine.command.components().count() || engine.command.is_absolute() {
            let program = &contender.spawn.program;
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            packed.push(Parcel { is_program: true, ..of(&engine.name, &name) }.packed(program)?);
        }
        let readable = engine.cage.readable.iter().filter_map(|path| path.to_str());
        let named = engine.args.iter().chain(engine.options.values()).map(String::as_str).chain(readable);
        for name in named {
            let file = engine.directory.as_deref().unwrap_or(Path::new("")).join(name);
            let is_known = packed
                .iter()
                .any(|other: &Packed| other.parcel.engine == engine.name && other.parcel.path == name);
            if !name.is_empty() && file.is_file() && !is_known {
                packed.push(of(&engine.name, name).packed(&file)?);
            }
        }
    }
    for game in &tournament.games {
        let Some(RefereeProgram { command, cage, .. }) = &game.referee else { continue };
        let parcel = |path: &str| Parcel { is_of_game: true, ..of(game.id.id(), path) };
        let (program, args) = command.split_first().ok_or("`referee` is empty")?;
        if 1 < Path::new(program).components().count() {
            let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
            packed.push(Parcel { is_program: true, ..parcel(&name) }.packed(Path::new(program))?);
        }
        let readable = cage.readable.iter().filter_map(|path| path.to_str());
        let named: BTreeSet<&str> = args.iter().map(String::as_str).chain(readable).collect();
        for name in named.into_iter().filter(|name| Path::new(name).is_file()) {
            packed.push(parcel(name).packed(Path::new(name))?);
        }
    }
    Ok(packed)
}

/// A file of this engine. Its content is not known yet.
fn of(engine: &str, path: &str) -> Parcel {
    Parcel {
        engine: engine.to_owned(),
        is_of_game: false,
        path: path.to_owned(),
        sha256: String::new(),
        bytes: 0,
        is_program: false,
    }
}

impl Parcel {
    /// The parcel with the content of this file.
    fn packed(self, file: &Path) -> Result<Packed, String> {
        if let Some(why) = wrong_path(&self.path) {
            let below = if self.is_of_game { "" } else { "the engine's `directory`, or else below " };
            return Err(format!(
                "`distribute` cannot send `{}` of {}: {why}; give a path below {below}the current folder",
                self.path,
                self.owner()
            ));
        }
        let read = || -> std::io::Result<(String, u64)> {
            Ok((crate::opponent::sha256_of(file)?, fs::metadata(file)?.len()))
        };
        let (sha256, bytes) = read().map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
        Ok(Packed { parcel: Self { sha256, bytes, ..self }, file: file.to_owned() })
    }
}

/// What is wrong with parcels from another machine; `None` if nothing is.
pub fn wrong(parcels: &[Parcel]) -> Option<String> {
    let n_bytes = parcels.iter().map(|parcel| parcel.bytes).fold(0, u64::saturating_add);
    if MOST_FILES < parcels.len() || MOST_BYTES < n_bytes {
        return Some(format!("{} files of {n_bytes} bytes are too many", parcels.len()));
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
    (!Path::new(path).components().all(is_plain)).then_some("its path is absolute, or contains `..` or `.`")
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
        assert!(wrong(&[large.clone(), large]).unwrap().contains("too many"));
    }
}
