//! The problems of a configuration: each is shown with its line, a caret and a remedy.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::elsewhere;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use host::closest::{closest, closest_path};

/// The message for `[engine]` instead of `[[engine]]`, and the other way round.
pub(super) const WRONG_BRACKETS: &str = "wrong number of brackets";

/// Tables that are written as a number or a text by mistake: their types, and how to write them.
const EXAMPLES: [(&str, &str); 6] = [
    ("PrecisionKeys", "precision = { elo = 20 }"),
    ("SprtKeys", "sprt = { elo0 = 0, elo1 = 5 }"),
    ("SeparatedKeys", "separated = { question = \"best\" }"),
    ("DrawRule", "draw = { score = 10, moves = 8 }"),
    ("WinRule", "win = { score = 1000, moves = 4 }"),
    ("Limits", "limits = { movetime = \"1s\" }"),
];

/// One problem and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The bytes of the file that are wrong.
    pub span: Range<usize>,
    /// What is wrong: lowercase, no full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The key that is missing from the table at `span`, if that is the problem.
    pub missing_key: Option<String>,
    /// The key that was left out because it is wrong, if one was.
    pub wrong_key: Option<String>,
    /// Whether an engine's program is not there or cannot be executed.
    pub is_of_program: bool,
}

impl Problem {
    /// A problem at `span`.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
            help: None,
            missing_key: None,
            wrong_key: None,
            is_of_program: false,
        }
    }

    /// Adds a remedy.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Translates the message of an error of `toml` or serde about the place `span` of the file `text`.
    pub(super) fn of_reader(message: &str, text: &str, span: Range<usize>) -> Self {
        if let Some(help) = brackets(message, text, &span) {
            return Self::new(span, WRONG_BRACKETS).help(help);
        }
        let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        if let Some((what, known)) =
            message.split_once(", expected ").filter(|_| message.starts_with("unknown "))
        {
            let what =
                what.replace("unknown field", "unknown key").replace("unknown variant", "unknown value");
            let known_words: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
            let word = quoted.first().copied().unwrap_or_default();
            let is_key = message.starts_with("unknown field");
            let elsewhere = is_key.then(|| elsewhere::remedy(word, &known_words, value_after(text, &span)));
            let plural = if is_key { "keys" } else { "values" };
            let help = match (elsewhere.flatten(), closest(word, known_words)) {
                (Some(remedy), _) => remedy,
                (None, Some(word)) => format!("did you mean `{word}`?"),
                (None, None) => format!("possible {plural}: {}", known.trim_start_matches("one of ")),
            };
            return Self::new(span, what).help(help);
        }
        if message.starts_with("missing field") {
            let key = quoted.first().copied().unwrap_or_default().to_owned();
            let problem = Self::new(span, format!("the key `{key}` is missing"));
            return Self { missing_key: Some(key), ..problem };
        }
        if let Some((found, table)) = message.split_once(", expected struct ") {
            let found = found.replace("invalid type: ", "wrong type: ");
            let problem = Self::new(span, format!("{found}, expected a table"));
            let example = EXAMPLES.iter().find(|(name, _)| *name == table);
            return Self { help: example.map(|(_, example)| format!("write `{example}`")), ..problem };
        }
        let mut message = message.replace("invalid type: ", "wrong type: ");
        for (rust, plain) in [
            ("expected u64", "expected a whole number from 0"),
            ("expected u32", "expected a whole number from 0"),
            ("expected u16", "expected a whole number from 0 to 65535"),
            ("expected usize", "expected a whole number from 0"),
            ("expected f64", "expected a number"),
            ("expected a sequence", "expected an array"),
            ("expected a map", "expected a table"),
            (", expected nothing", ""),
        ] {
            message = message.replace(rust, plain);
        }
        Self::new(span, message)
    }
}

/// The text of the value whose key stands at `span`.
fn value_after<'a>(text: &'a str, span: &Range<usize>) -> Option<&'a str> {
    let line = text.get(span.end..)?.lines().next()?;
    Some(line.split_once('=')?.1.split('#').next()?.trim().trim_matches(['"', '\'']))
}

/// The remedy if `message` comes from a single `[engine]`, which is a list, or from `[[limits]]`, which is not.
fn brackets(message: &str, text: &str, span: &Range<usize>) -> Option<String> {
    const LISTS: [&str; 3] = ["engine", "game", "pairing"];
    const TABLES: [&str; 10] = [
        "tournament",
        "limits",
        "timeouts",
        "adjudication",
        "stop",
        "adaptive",
        "swiss",
        "knockout",
        "cage",
        "engine-defaults",
    ];
    let start = text.get(..span.start)?.rfind('\n').map_or(0, |end| end + 1);
    let header = text.get(start..)?.lines().next()?.trim();
    let name = header.trim_start_matches('[').split(']').next()?;
    let is_single = header.starts_with('[') && !header.starts_with("[[");
    if is_single && LISTS.contains(&name) {
        return (message.contains("expected a sequence") || message.contains("duplicate key"))
            .then(|| format!("write `[[{name}]]` with double brackets, once for each {name}"));
    }
    // serde accepts a list of values for a table, so the message may be about any of the table's values.
    let is_double = header.starts_with("[[") && TABLES.contains(&name);
    (is_double && message.starts_with("invalid ")).then(|| format!("write `[{name}]` with single brackets"))
}

/// The path of a configuration that is made of options of the command line.
pub const COMMAND_LINE: &str = "command line";

/// Why a configuration cannot be used.
#[derive(Debug)]
pub enum ConfigError {
    /// The file cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file has problems.
    Wrong {
        /// The file.
        path: PathBuf,
        /// The content of the file.
        text: String,
        /// All problems, in the order of the file.
        problems: Vec<Problem>,
    },
}

/// The greatest number of problems that are shown: a file that is no configuration has one in nearly every line.
const MOST_SHOWN: usize = 20;

fn is_config(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml")
}

/// The file that was probably meant: one with a similar name, or one in the folder where configurations are by custom.
fn meant(path: &Path) -> Option<PathBuf> {
    let among_configs = || closest_path(&Path::new("configs").join(path.file_name()?), is_config);
    closest_path(path, is_config).or_else(among_configs)
}

impl ConfigError {
    /// Whether nothing is wrong but that engines have no program that can be executed.
    pub fn is_of_programs(&self) -> bool {
        matches!(self, Self::Wrong { problems, .. } if problems.iter().all(|problem| problem.is_of_program))
    }

    /// The message for a terminal, in colour or without.
    pub fn render(&self, colour: bool) -> String {
        let (path, text, problems) = match self {
            Self::Unreadable { path, error } if error.kind() == io::ErrorKind::InvalidData => {
                let path = path.display();
                return format!(
                    "`{path}` is not a tournament file, because it is not text; name a program with `--engine {path}`"
                );
            }
            Self::Unreadable { path, .. } if path.is_dir() => {
                return format!("`{}` is a folder, not a tournament file", path.display());
            }
            Self::Unreadable { path, error } => {
                let meant = (error.kind() == io::ErrorKind::NotFound).then(|| meant(path)).flatten();
                let meant =
                    meant.map_or_else(String::new, |meant| format!("; did you mean `{}`?", meant.display()));
                return format!("cannot read the configuration `{}`: {error}{meant}", path.display());
            }
            Self::Wrong { path, problems, .. } if MOST_SHOWN < problems.len() && !is_config(path) => {
                return format!("error: `{}` is not a tournament file: it is not TOML", path.display());
            }
            Self::Wrong { path, text, problems } => (path.display().to_string(), text, problems),
        };
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let n_more = problems.len().saturating_sub(MOST_SHOWN);
        let more = (0 < n_more).then(|| format!("... and {n_more} more; correct these first"));
        let shown: Vec<String> = problems
            .iter()
            .take(MOST_SHOWN)
            .map(|problem| {
                let span = problem.span.start.min(text.len())..problem.span.end.min(text.len());
                let title = Level::ERROR.primary_title(&problem.message);
                let help =
                    problem.help.as_ref().map(|help| Group::with_title(Level::HELP.secondary_title(help)));
                // Nobody has written the lines that stand for options.
                if path == COMMAND_LINE {
                    let parts = [Some(Group::with_title(title)), help].into_iter().flatten();
                    return parts.map(|part| renderer.render(&[part])).collect::<Vec<_>>().join("\n");
                }
                let snippet =
                    Snippet::source(text).path(&path).annotation(AnnotationKind::Primary.span(span));
                let report: Vec<Group<'_>> = [title.element(snippet)].into_iter().chain(help).collect();
                renderer.render(&report)
            })
            .chain(more)
            .collect();
        shown.join("\n\n")
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for ConfigError {}
