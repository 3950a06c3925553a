//! The files of an engine's program, and how to detect that they changed.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::Spawn;
use host::files::Identity;
use model::hex;

/// The size of the read buffer.
const PIECE_BYTES: usize = 256 << 10;

/// One file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramFile {
    /// The path as in the configuration.
    pub name: String,
    /// The absolute path.
    pub path: PathBuf,
}

/// The files of the program that `command` names and `spawn` starts: the program, and every argument that is the path
/// of a file, such as a script for an interpreter.
pub fn program_files(command: &Path, spawn: &Spawn) -> Vec<ProgramFile> {
    let folder = spawn.working_directory().unwrap_or(Path::new(""));
    let program = ProgramFile { name: command.display().to_string(), path: spawn.program.clone() };
    let arguments =
        spawn.args.iter().map(|argument| ProgramFile { name: argument.clone(), path: folder.join(argument) });
    std::iter::once(program).chain(arguments.filter(|file| file.path.is_file())).collect()
}

/// The content of a file at the time of reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// SHA-256 of it, in hexadecimal digits.
    pub sha256: String,
    stamp: Stamp,
}

impl Content {
    /// Whether the file at `path` was replaced or changed since. It reads only metadata.
    pub fn has_changed(&self, path: &Path) -> bool {
        fs::metadata(path).and_then(|metadata| Stamp::of(&metadata)).ok().as_ref() != Some(&self.stamp)
    }
}

/// Metadata that changes when a file is replaced or written to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: SystemTime,
    identity: Identity,
}

impl Stamp {
    fn of(metadata: &fs::Metadata) -> io::Result<Self> {
        Ok(Self { length: metadata.len(), modified: metadata.modified()?, identity: Identity::of(metadata) })
    }
}

/// Reads the files at `paths` in parallel, each once. Files that cannot be read are left out.
pub fn read_contents(paths: &[&Path]) -> HashMap<PathBuf, Content> {
    // Links to the same file count as one file.
    let mut names: HashMap<PathBuf, Vec<&Path>> = HashMap::new();
    for path in paths {
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        names.entry(whole).or_default().push(path);
    }
    let contents: Vec<_> =
        names.into_par_iter().filter_map(|(path, names)| Some((names, content(&path).ok()?))).collect();
    contents
        .into_iter()
        .flat_map(|(names, content)| names.into_iter().map(move |name| (name.to_owned(), content.clone())))
        .collect()
}

/// SHA-256 of the file at `path`, in hexadecimal digits.
///
/// # Errors
/// If it cannot be read.
pub fn sha256_of(path: &Path) -> io::Result<String> {
    Ok(content(path)?.sha256)
}

fn content(path: &Path) -> io::Result<Content> {
    let mut file = File::open(path)?;
    let stamp = Stamp::of(&file.metadata()?)?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let n_read = file.read(&mut piece)?;
        if n_read == 0 {
            break;
        }
        hasher.update(&piece[..n_read]);
    }
    Ok(Content { sha256: hex(&hasher.finalize()), stamp })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use host::launch::Confinement;

    fn spawn(program: &Path, args: &[&str], directory: Option<&Path>) -> Spawn {
        Spawn {
            program: program.to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            directory: directory.map(Path::to_owned),
            environment: BTreeMap::new(),
            environment_allow: None,
            confinement: Confinement::default(),
            launcher: None,
            log: None,
        }
    }

    #[test]
    fn a_program_is_its_file_and_the_files_among_its_arguments() {
        let folder = tempfile::tempdir().unwrap();
        let [interpreter, script] = ["python", "engine.py"].map(|name| folder.path().join(name));
        fs::write(&interpreter, "").unwrap();
        fs::write(&script, "").unwrap();
        let arguments = ["-u", "engine.py", "missing.py", ".", ""];
        let files = program_files(Path::new("python"), &spawn(&interpreter, &arguments, Some(folder.path())));
        let expected = [("python", &interpreter), ("engine.py", &script)];
        assert_eq!(
            files,
            expected.map(|(name, path)| ProgramFile { name: name.to_owned(), path: path.clone() })
        );
        // Other systems do not have this file.
        let elsewhere = spawn(&interpreter, &arguments, Some(Path::new("/")));
        assert_eq!(program_files(Path::new("python"), &elsewhere).len(), 1);
    }

    #[test]
    fn a_file_is_known_by_its_content_and_seen_to_change() {
        let folder = tempfile::tempdir().unwrap();
        let [path, missing] = ["engine", "missing"].map(|name| folder.path().join(name));
        fs::write(&path, "abc").unwrap();
        let contents = read_contents(&[&path, &missing, &path]);
        assert_eq!(contents.len(), 1);
        // The example of FIPS 180-2.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(contents[&path].sha256, expected);
        assert!(!contents[&path].has_changed(&path));
        fs::write(&path, "abcd").unwrap();
        assert!(contents[&path].has_changed(&path));
        fs::remove_file(&path).unwrap();
        assert!(contents[&path].has_changed(&path));
    }
}
