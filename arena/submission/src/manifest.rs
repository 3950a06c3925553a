//! `engine.toml`, which describes an engine at the root of its archive: read, checked, and written as the file of an
//! engine in a league.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The name of the file.
pub const MANIFEST: &str = "engine.toml";

/// The longest name of an engine, in bytes.
const LONGEST_NAME: usize = 40;
/// The largest file, in bytes.
const LARGEST: u64 = 64 << 10;

/// What `engine.toml` says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The name in the league.
    pub name: String,
    /// A file of the archive, such as `./engine`, or a program on `PATH`, such as `python3`.
    pub command: String,
    /// The arguments of the program.
    #[serde(default)]
    pub args: Vec<String>,
    /// Options of the engine.
    #[serde(default)]
    pub options: BTreeMap<String, toml::Value>,
}

impl Manifest {
    /// Reads and checks the file in a folder with the content of an archive.
    ///
    /// # Errors
    /// What is wrong, and what to do.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        Self::try_read(folder).map_err(Error::Engine)
    }

    fn try_read(folder: &Path) -> Result<Self, String> {
        let file = match File::open(folder.join(MANIFEST)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(missing(folder)),
            file => file.map_err(|error| format!("cannot read `{MANIFEST}`: {error}"))?,
        };
        let mut text = String::new();
        file.take(LARGEST + 1)
            .read_to_string(&mut text)
            .map_err(|error| format!("cannot read `{MANIFEST}`: {error}"))?;
        if LARGEST < text.len() as u64 {
            return Err(format!("`{MANIFEST}` is larger than {} KiB", LARGEST >> 10));
        }
        let manifest: Self = toml::from_str(&text)
            .map_err(|error| format!("`{MANIFEST}`: {}", error.to_string().trim_end()))?;
        manifest.check(folder)?;
        Ok(manifest)
    }

    fn check(&self, folder: &Path) -> Result<(), String> {
        let wrong = |key: &str, why: &str| Err(format!("`{key}` in `{MANIFEST}`: {why}"));
        if !is_name(&self.name) {
            return wrong(
                "name",
                "a name has 1 to 40 letters, digits, `-`, `_` and `.`, and begins with a letter or digit",
            );
        }
        let values = self.options.values().filter_map(toml::Value::as_str);
        let names = self.args.iter().chain(self.options.keys()).chain([&self.command]);
        if let Some(text) =
            names.map(String::as_str).chain(values).find(|text| text.contains(char::is_control))
        {
            return Err(format!("`{}` in `{MANIFEST}` contains a control character", text.escape_debug()));
        }
        let of_engine = |value: &toml::Value| !(value.is_table() || value.is_array() || value.is_datetime());
        if let Some((option, _)) = self.options.iter().find(|(_, value)| !of_engine(value)) {
            return wrong(
                "options",
                &format!("the value of `{option}` must be a text, a number, `true` or `false`"),
            );
        }
        let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if self.command.is_empty() || !Path::new(&self.command).components().all(is_inside) {
            return wrong(
                "command",
                "name a file of the archive, such as `./engine`, or a program on `PATH`",
            );
        }
        if self.file(folder).is_none() && self.command.contains('/') {
            return wrong("command", &format!("the archive has no file `{}`", self.command));
        }
        Ok(())
    }

    /// The file of the archive that `command` names; `None` for a program on `PATH`.
    pub fn file<'a>(&'a self, folder: &Path) -> Option<&'a Path> {
        let path = Path::new(&self.command);
        let path = path.strip_prefix(".").unwrap_or(path);
        folder.join(path).is_file().then_some(path)
    }

    /// The text of the engine's file in a league; `program` is the path of its folder there.
    pub(crate) fn in_league(&self, owner: &str, program: &Path, folder: &Path) -> String {
        #[derive(Serialize)]
        struct EngineFile<'a> {
            name: &'a str,
            owner: &'a str,
            submitted: bool,
            command: String,
            args: &'a [String],
            directory: String,
            options: &'a BTreeMap<String, toml::Value>,
        }
        let file = EngineFile {
            name: &self.name,
            owner,
            submitted: true,
            command: self
                .file(folder)
                .map_or_else(|| self.command.clone(), |file| program.join(file).display().to_string()),
            args: &self.args,
            directory: program.display().to_string(),
            options: &self.options,
        };
        toml::to_string(&file).expect("its values come from TOML")
    }
}

/// Whether an engine may have this name: it becomes the name of a file and of a folder.
pub fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(is_plain)
        && name.as_bytes()[0].is_ascii_alphanumeric()
}

/// The file is often one folder too deep.
fn missing(folder: &Path) -> String {
    let deeper = folder.read_dir().ok().and_then(|entries| {
        let folders = entries.flatten().map(|entry| entry.path());
        folders.into_iter().find(|path| path.join(MANIFEST).is_file())
    });
    let deeper = deeper.as_ref().and_then(|path| path.file_name()).map(|name| name.display().to_string());
    match deeper {
        Some(name) => format!(
            "`{MANIFEST}` is in the folder `{name}`, not at the root of the archive; pack the content of the folder: `tar \
             -czf engine.tar.gz -C {name} .`"
        ),
        None => format!("there is no `{MANIFEST}` at the root of the archive"),
    }
}
