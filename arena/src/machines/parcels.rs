//! Which files the coordinator sends to workers (`distribute`), and under which paths they are unpacked there. A path comes
//! from another machine: only a plain relative one is accepted.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::pool::Prepared;
use crate::tournament::{Engine, Tournament};

/// The most files, and the most bytes of all of them.
const MOST_FILES: usize = 10_000;
const MOST_BYTES: u64 = 4 << 30;
/// The longest path.
const LONGEST: usize = 500;

/// A file of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Parcel {
    /// The engine's name.
    pub engine: String,
    /// The path in the engine's folder at the worker.
    pub path: String,
    /// SHA-256 of the content, in hexadecimal digits.
    pub sha256: String,
    /// The number of bytes.
    pub bytes: u64,
    /// Whether it is the engine's program.
    pub is_program: bool,
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
/// of options. A program that is looked up on `PATH` must exist on every machine.
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
            packed.push(parcel(engine, &name, program, true)?);
        }
        let readable = engine.cage.readable.iter().filter_map(|path| path.to_str());
        let named = engine.args.iter().chain(engine.options.values()).map(String::as_str).chain(readable);
        for name in named {
            let file = engine.directory.as_deref().unwrap_or(Path::new("")).join(name);
            let is_known = packed
                .iter()
                .any(|other: &Packed| other.parcel.engine == engine.name && other.parcel.path == name);
            if !name.is_empty() && file.is_file() && !is_known {
                packed.push(parcel(engine, name, &file, false)?);
            }
        }
    }
    Ok(packed)
}

fn parcel(engine: &Engine, path: &str, file: &Path, is_program: bool) -> Result<Packed, String> {
    let Engine { name, .. } = engine;
    if let Some(why) = wrong_path(path) {
        return Err(format!(
            "`distribute` cannot send `{path}` of engine `{name}`: {why}; give a path below the engine's `directory`, or else below the current folder"
        ));
    }
    let read = || -> std::io::Result<(String, u64)> {
        Ok((crate::opponent::sha256_of(file)?, fs::metadata(file)?.len()))
    };
    let (sha256, bytes) = read().map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
    let parcel = Parcel { engine: name.clone(), path: path.to_owned(), sha256, bytes, is_program };
    Ok(Packed { parcel, file: file.to_owned() })
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
