//! The values of a program's options: the defaults, until the arena sets others. A stored value is always valid for
//! its option.

use crate::proto::{BadValue, OptionSpec, OptionValue, Words};

/// The current values of a program's options, by name. Names are not case-sensitive.
///
/// The typed getters panic if the program has no such option of that type. This is a bug in the program, which shows
/// in its first match, and never the result of bad input. [`Options::get`] does not panic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    entries: Vec<(OptionSpec, OptionValue)>,
}

impl Options {
    /// The options of `specs` with their default values. A [`Program`](super::Program) makes its own; this is for
    /// tests of an engine.
    pub fn new(specs: impl IntoIterator<Item = OptionSpec>) -> Self {
        let with_default = |spec: OptionSpec| {
            let value = spec.default_value();
            (spec, value)
        };
        Self { entries: specs.into_iter().map(with_default).collect() }
    }

    /// The value of a `check`.
    ///
    /// # Panics
    /// If there is no `check` called `name`.
    pub fn check(&self, name: &str) -> bool {
        match self.get(name) {
            Some(OptionValue::Check(value)) => *value,
            _ => panic!("this program has no check option `{name}`"),
        }
    }

    /// The value of a `spin`.
    ///
    /// # Panics
    /// If there is no `spin` called `name`.
    pub fn spin(&self, name: &str) -> i64 {
        match self.get(name) {
            Some(OptionValue::Spin(value)) => *value,
            _ => panic!("this program has no spin option `{name}`"),
        }
    }

    /// The value of a `combo`, spelled as in its declaration.
    ///
    /// # Panics
    /// If there is no `combo` called `name`.
    pub fn combo(&self, name: &str) -> &str {
        match self.get(name) {
            Some(OptionValue::Combo(value)) => value,
            _ => panic!("this program has no combo option `{name}`"),
        }
    }

    /// The value of a `string`.
    ///
    /// # Panics
    /// If there is no `string` called `name`.
    pub fn string(&self, name: &str) -> &str {
        match self.get(name) {
            Some(OptionValue::String(value)) => value,
            _ => panic!("this program has no string option `{name}`"),
        }
    }

    /// The value of the option called `name`, if there is one.
    pub fn get(&self, name: &str) -> Option<&OptionValue> {
        self.entries.iter().find(|(spec, _)| Words::new(name).is_named(&spec.name)).map(|(_, value)| value)
    }

    /// The declarations, in the order in which they are sent to the arena.
    pub fn specs(&self) -> impl Iterator<Item = &OptionSpec> {
        self.entries.iter().map(|(spec, _)| spec)
    }

    /// Sets the option called `name`, as `setoption` does. Returns whether this changed anything; pressing a button
    /// always does.
    ///
    /// # Errors
    /// If there is no such option, or `value` is not valid for it. The old value stays.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<bool, SetError> {
        let name = Words::new(name);
        let Some((spec, current)) = self.entries.iter_mut().find(|(spec, _)| name.is_named(&spec.name))
        else {
            return Err(SetError::NoSuchOption { name: crate::fen::shown(&name.joined()) });
        };
        let value = spec.read(value)?;
        let is_changed = value == OptionValue::Button || value != *current;
        *current = value;
        Ok(is_changed)
    }
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// The program has no such option.
    #[error("no option `{name}`")]
    NoSuchOption {
        /// The name as given.
        name: String,
    },
    /// The option does not take the value.
    #[error(transparent)]
    BadValue(#[from] BadValue),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options::new([
            OptionSpec::spin("Move Overhead", 5, 0, 100),
            OptionSpec::check("Ponder", false),
            OptionSpec::combo("Style", "solid", ["solid", "very wild"]),
            OptionSpec::string("File", ""),
            OptionSpec::button("Clear Hash"),
        ])
    }

    #[test]
    fn values_are_set_by_name() {
        let mut options = options();
        assert_eq!(options.set("move  OVERHEAD", Some("7")), Ok(true));
        assert_eq!(options.set("Move Overhead", Some("7")), Ok(false));
        assert_eq!(options.set("style", Some("Very Wild")), Ok(true));
        assert_eq!(options.set("ponder", Some("true")), Ok(true));
        assert_eq!(options.set("file", Some("a  b")), Ok(true));
        assert_eq!(options.set("clear hash", None), Ok(true));
        assert_eq!(options.set("clear hash", None), Ok(true));
        assert_eq!(options.spin("move overhead"), 7);
        assert_eq!(options.combo("Style"), "very wild");
        assert!(options.check("PONDER"));
        assert_eq!(options.string("File"), "a  b");
        assert_eq!(options.get("nothing"), None);
    }

    #[test]
    fn bad_values_leave_the_old_one() {
        let mut options = options();
        for (name, value) in [
            ("Move Overhead", Some("101")),
            ("Move Overhead", Some("")),
            ("Move Overhead", None),
            ("Ponder", Some("yes")),
            ("Style", Some("wild")),
            ("File", None),
            ("Nothing", Some("1")),
        ] {
            assert!(options.set(name, value).is_err(), "{name}");
        }
        assert_eq!(options, self::options());
        let error = options.set("Move Overhead", Some("101")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "option `Move Overhead` takes a whole number from 0 to 100, but the value is `101`"
        );
    }
}
