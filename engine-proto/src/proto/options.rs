//! Options of an engine: the five types of UCI, the line `option`, and the valid values.
//!
//! An invalid declaration is rejected on both sides, so every default is a valid value.

use std::fmt;

use super::words::{signed, split_before, split_word, write_text};
use super::{LineError, Words};
use crate::fen::shown;

/// An option of an engine: one `option` line.
///
/// Names are not case-sensitive (ASCII). `Display` writes the whole line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name: words joined by single spaces, none of them `type` or `value`.
    pub name: String,
    /// The type, with the default.
    pub kind: OptionKind,
}

/// The type of an option, with its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `check`: `true` or `false`.
    Check {
        /// The default.
        default: bool,
    },
    /// `spin`: a whole number.
    Spin {
        /// The default.
        default: i64,
        /// The minimum.
        min: i64,
        /// The maximum.
        max: i64,
    },
    /// `combo`: one of several texts.
    Combo {
        /// The default, one of the choices.
        default: String,
        /// The choices: words joined by single spaces, none of them `default`, `min`, `max` or `var`.
        choices: Vec<String>,
    },
    /// `button`: an action without a value.
    Button,
    /// `string`: a text without line ends. The empty text is written as `<empty>`.
    String {
        /// The default.
        default: String,
    },
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OptionValue {
    /// Of a `check`.
    Check(bool),
    /// Of a `spin`.
    Spin(i64),
    /// Of a `combo`, spelled as in the declaration.
    Combo(String),
    /// Of a `button`, which has no value.
    Button,
    /// Of a `string`.
    String(String),
}

impl OptionSpec {
    /// A `check`.
    pub fn check(name: impl Into<String>, default: bool) -> Self {
        Self { name: name.into(), kind: OptionKind::Check { default } }
    }

    /// A `spin`, from `min` to `max`, both included.
    pub fn spin(name: impl Into<String>, default: i64, min: i64, max: i64) -> Self {
        Self { name: name.into(), kind: OptionKind::Spin { default, min, max } }
    }

    /// A `combo` of `choices`.
    pub fn combo<T: Into<String>>(
        name: impl Into<String>,
        default: impl Into<String>,
        choices: impl IntoIterator<Item = T>,
    ) -> Self {
        let choices = choices.into_iter().map(Into::into).collect();
        Self { name: name.into(), kind: OptionKind::Combo { default: default.into(), choices } }
    }

    /// A `button`.
    pub fn button(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: OptionKind::Button }
    }

    /// A `string`.
    pub fn string(name: impl Into<String>, default: impl Into<String>) -> Self {
        Self { name: name.into(), kind: OptionKind::String { default: default.into() } }
    }

    /// The default value; `None` for a button.
    pub fn default_value(&self) -> OptionValue {
        match &self.kind {
            OptionKind::Check { default } => OptionValue::Check(*default),
            OptionKind::Spin { default, .. } => OptionValue::Spin(*default),
            OptionKind::Combo { default, .. } => OptionValue::Combo(default.clone()),
            OptionKind::Button => OptionValue::Button,
            OptionKind::String { default } => OptionValue::String(default.clone()),
        }
    }

    /// The value that `setoption` with `text` gives this option. Words are not case-sensitive.
    ///
    /// # Errors
    /// If `text` is not valid; the message lists the valid values.
    pub fn read(&self, text: Option<&str>) -> Result<OptionValue, BadValue> {
        let refused = |allowed: String| BadValue {
            name: self.name.clone(),
            value: text.map_or_else(|| "missing".to_owned(), |text| format!("`{}`", shown(text))),
            allowed,
        };
        let word = text.unwrap_or_default().trim_ascii();
        match &self.kind {
            OptionKind::Check { .. } if word.eq_ignore_ascii_case("true") => Ok(OptionValue::Check(true)),
            OptionKind::Check { .. } if word.eq_ignore_ascii_case("false") => Ok(OptionValue::Check(false)),
            OptionKind::Check { .. } => Err(refused("`true` or `false`".to_owned())),
            OptionKind::Spin { min, max, .. } => word
                .parse()
                .ok()
                .filter(|number| (min..=max).contains(&number))
                .map(OptionValue::Spin)
                .ok_or_else(|| refused(format!("a whole number from {min} to {max}"))),
            OptionKind::Combo { choices, .. } => choices
                .iter()
                .find(|choice| Words::new(word).is_named(choice))
                .map(|choice| OptionValue::Combo(choice.clone()))
                .ok_or_else(|| refused(format!("one of: {}", choices.join(", ")))),
            OptionKind::Button => Ok(OptionValue::Button),
            OptionKind::String { .. } => text
                .map(|text| OptionValue::String(text.trim_ascii().to_owned()))
                .ok_or_else(|| refused("a text".to_owned())),
        }
    }

    /// Checks that the declaration is consistent and can be written as a line.
    ///
    /// # Errors
    /// The first problem.
    pub fn validate(&self) -> Result<(), BadOption> {
        is_written_as_words(&self.name, &["type", "value"]).then_some(()).ok_or(BadOption::Name)?;
        match &self.kind {
            OptionKind::Spin { default, min, max } if !(min..=max).contains(&default) => {
                Err(BadOption::SpinDefault)
            }
            OptionKind::Combo { choices, .. }
                if !choices.iter().all(|choice| is_written_as_words(choice, &KEYS)) =>
            {
                Err(BadOption::Choice)
            }
            OptionKind::Combo { default, choices } if !choices.contains(default) => {
                Err(BadOption::ComboDefault)
            }
            OptionKind::String { default } if !is_written_as_text(default) => Err(BadOption::StringDefault),
            _ => Ok(()),
        }
    }

    /// Parses the words after `option`. A missing default is `false`, the number nearest to 0, the first choice or the
    /// empty text; without bounds, a number is not limited.
    pub(super) fn parse(text: &str) -> Result<Self, LineError> {
        const WORD: &str = "option";
        let ("name", rest) = split_word(text) else {
            return Err(LineError::malformed(WORD, "`name` must follow"));
        };
        let (name, rest) = split_before(rest, |word| word == "type");
        let (_type, rest) = split_word(rest);
        let (kind, rest) = split_word(rest);
        let kind = match kind {
            "check" => Self::parse_check(rest),
            "spin" => Self::parse_spin(rest),
            "combo" => Self::parse_combo(rest),
            "button" => Ok(OptionKind::Button),
            "string" => Ok(Self::parse_string(rest)),
            "" => Err("the type is missing"),
            _ => Err("unknown type"),
        }
        .map_err(|reason| LineError::malformed(WORD, reason))?;
        let spec = Self { name: Words::new(name).joined().into_owned(), kind };
        spec.validate().map_err(|error| LineError::malformed(WORD, error.reason()))?;
        Ok(spec)
    }

    fn parse_check(text: &str) -> Result<OptionKind, &'static str> {
        let mut default = false;
        for (key, value) in Fields(text) {
            match (key, value) {
                ("default", "true") => default = true,
                ("default", "false") => default = false,
                ("default", _) => return Err("the default is not `true` or `false`"),
                _ => {}
            }
        }
        Ok(OptionKind::Check { default })
    }

    fn parse_spin(text: &str) -> Result<OptionKind, &'static str> {
        let (mut default, mut min, mut max) = (None, i64::MIN, i64::MAX);
        for (key, value) in Fields(text) {
            let number = signed(value).ok_or("the default or a bound is not a whole number");
            match key {
                "default" => default = Some(number?),
                "min" => min = number?,
                "max" => max = number?,
                _ => {}
            }
        }
        Ok(OptionKind::Spin { default: default.unwrap_or(0.min(max).max(min)), min, max })
    }

    fn parse_combo(text: &str) -> Result<OptionKind, &'static str> {
        let (mut default, mut choices) = (None, Vec::new());
        for (key, value) in Fields(text) {
            let value = || Words::new(value).joined().into_owned();
            match key {
                "default" => default = Some(value()),
                "var" => choices.push(value()),
                _ => {}
            }
        }
        let default = default.or_else(|| choices.first().cloned()).ok_or("a combo without choices")?;
        Ok(OptionKind::Combo { default, choices })
    }

    fn parse_string(text: &str) -> OptionKind {
        // The default of a string may contain any words: it is the rest of the line.
        let default = match split_word(text) {
            ("default", default) => default.trim_ascii(),
            _ => "",
        };
        OptionKind::String { default: if default == EMPTY { String::new() } else { default.to_owned() } }
    }
}

impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", Words::new(&self.name))?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {}", Words::new(default))?;
                choices.iter().try_for_each(|choice| write!(f, " var {}", Words::new(choice)))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } => {
                f.write_str("string default")?;
                write_text(f, if default.is_empty() { EMPTY } else { default })
            }
        }
    }
}

impl fmt::Display for OptionValue {
    /// Writes the value as after the word `value`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(value) => value.fmt(f),
            Self::Spin(value) => value.fmt(f),
            Self::Button => Ok(()),
            Self::Combo(value) | Self::String(value) => f.write_str(value),
        }
    }
}

/// A value that is not valid for an option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("option `{name}` takes {allowed}, but the value is {value}")]
pub struct BadValue {
    /// The option's name.
    pub name: String,
    /// The value as given, shortened for messages.
    pub value: String,
    /// The valid values, in words.
    pub allowed: String,
}

/// Why a declaration of an option is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.reason())]
pub enum BadOption {
    /// The name is empty or cannot be written.
    Name,
    /// The default of a spin is not within its bounds.
    SpinDefault,
    /// A choice of a combo is empty or cannot be written.
    Choice,
    /// The default of a combo is none of its choices.
    ComboDefault,
    /// The default of a string cannot be written.
    StringDefault,
}

impl BadOption {
    const fn reason(self) -> &'static str {
        match self {
            Self::Name => {
                "the name is empty, contains leading, trailing or double spaces, or contains the word `type` or `value`"
            }
            Self::SpinDefault => "the default is not within the bounds",
            Self::Choice => {
                "a choice is empty, contains leading, trailing or double spaces, or contains a keyword of the `option` line"
            }
            Self::ComboDefault => "the default is not one of the choices",
            Self::StringDefault => "the default has spaces at its ends, a line end, or is `<empty>`",
        }
    }
}

/// The words that begin a field after the type.
const KEYS: [&str; 4] = ["default", "min", "max", "var"];

/// The spelling of the empty text.
const EMPTY: &str = "<empty>";

/// The fields after an option's type: keys with values. Words before the first key are skipped.
struct Fields<'a>(&'a str);

impl<'a> Iterator for Fields<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let is_key = |word: &str| KEYS.contains(&word);
        let (_before, at_key) = split_before(self.0, is_key);
        let (key, rest) = split_word(at_key);
        let (value, next) = split_before(rest, is_key);
        self.0 = next;
        (!key.is_empty()).then_some((key, value))
    }
}

fn is_written_as_words(text: &str, reserved: &[&str]) -> bool {
    let words = Words::new(text);
    !words.is_empty() && words.joined() == text && !words.iter().any(|word| reserved.contains(&word))
}

fn is_written_as_text(text: &str) -> bool {
    text.trim_ascii() == text && !text.contains('\n') && text != EMPTY
}
