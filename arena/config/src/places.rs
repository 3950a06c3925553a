//! The tournament file as text. It finds the place of an engine's key, for problems that are known only after the
//! engines have started.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::{ConfigError, Problem};

/// The maximum size of a file: a thousand engines take a tenth of it.
const MOST_BYTES: u64 = 1 << 20;

/// A tournament file.
#[derive(Clone, Debug)]
pub struct Source {
    path: PathBuf,
    text: String,
}

/// A problem with a key of an engine.
#[derive(Clone, Copy, Debug)]
pub struct AtEngine<'a> {
    /// The engine's name.
    pub engine: &'a str,
    /// The key with the problem, such as `games`.
    pub key: &'a str,
    /// The option with the problem, if it is one.
    pub option: Option<&'a str>,
    /// The message.
    pub message: &'a str,
    /// The remedy.
    pub help: Option<&'a str>,
}

impl Source {
    /// The file at `path`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text =
            read_bounded(path).map_err(|error| ConfigError::Unreadable { path: path.to_owned(), error })?;
        Ok(Self::new(path, text))
    }

    /// A file with the content `text`. Messages call it `path`.
    pub fn new(path: &Path, text: String) -> Self {
        Self { path: path.to_owned(), text }
    }

    /// Its content.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its name in messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// An error that shows the places of `found`.
    pub fn wrong<'a>(&self, found: impl IntoIterator<Item = AtEngine<'a>>) -> ConfigError {
        let problem = |at: AtEngine<'_>| Problem {
            help: at.help.map(str::to_owned),
            ..Problem::new(place(&self.text, at.engine, at.option.ok_or(at.key)), at.message)
        };
        let problems = found.into_iter().map(problem).collect();
        ConfigError::Wrong { path: self.path.clone(), text: self.text.clone(), problems }
    }
}

/// The text of a file of at most [`MOST_BYTES`].
fn read_bounded(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    if MOST_BYTES < text.len() as u64 {
        return Err(io::Error::other("it has more than 1 MiB, which is the maximum"));
    }
    Ok(text)
}

/// The place of an engine's option (in the engine's table or in the defaults), or else of this key. If the file has no
/// such key, the place of the engine's name.
fn place(text: &str, engine: &str, option: Result<&str, &str>) -> Range<usize> {
    let Ok(file) = DeTable::parse(text) else { return 0..0 };
    let file = file.get_ref();
    let Some(keys) = engine_named(file, engine) else { return 0..0 };
    let found = match option {
        Ok(option) => {
            let defaults = file.get("engine-defaults").and_then(table);
            let set = [Some(keys), defaults].into_iter().flatten().find_map(|keys| {
                let (key, _) =
                    table(keys.get("options")?)?.iter().find(|(key, _)| key.get_ref() == option)?;
                Some(key.span())
            });
            set.or_else(|| {
                let tuned = named(table(file.get("tune")?)?.get("option")?, option)?;
                tuned.get("name").map(Spanned::span)
            })
        }
        Err(key) => keys.get(key).map(Spanned::span),
    };
    found.or_else(|| keys.get("name").map(Spanned::span)).unwrap_or_default()
}

fn engine_named<'a, 'text>(file: &'a DeTable<'text>, name: &str) -> Option<&'a DeTable<'text>> {
    named(file.get("engine")?, name)
}

/// The table of an array that has this name.
fn named<'a, 'text>(tables: &'a Spanned<DeValue<'text>>, name: &str) -> Option<&'a DeTable<'text>> {
    let DeValue::Array(tables) = tables.get_ref() else { return None };
    let is_named = |keys: &&DeTable<'_>| matches!(keys.get("name").map(Spanned::get_ref), Some(DeValue::String(own)) if own == name);
    tables.iter().filter_map(table).find(is_named)
}

fn table<'a, 'text>(value: &'a Spanned<DeValue<'text>>) -> Option<&'a DeTable<'text>> {
    match value.get_ref() {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}
