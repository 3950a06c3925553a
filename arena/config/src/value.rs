//! Types of configuration values: durations, sizes, games, options.

#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::time::Duration;

use engine_proto::GameId;
#[cfg(feature = "schema")]
use engine_proto::Games;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
#[cfg(feature = "schema")]
use serde::{Serialize, Serializer};

use super::problem::Problem;

/// A value with its place in the file; nowhere, if it is a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key<T> {
    value: T,
    span: Range<usize>,
}

impl<T> Key<T> {
    /// The value.
    pub fn get_ref(&self) -> &T {
        &self.value
    }

    /// Its place in the file.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Key<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Placed<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Placed<T> {
            type Value = Key<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value with its place")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Key<T>, A::Error> {
                let mut number = || parts.next_element()?.ok_or_else(|| A::Error::missing_field("place"));
                let span = number()?..number()?;
                let value = parts.next_element()?.ok_or_else(|| A::Error::missing_field("value"))?;
                Ok(Key { value, span })
            }
        }
        deserializer.deserialize_tuple_struct("Key", 3, Placed(PhantomData))
    }
}

#[cfg(feature = "schema")]
impl<T: Serialize> Serialize for Key<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<T: Default + PartialEq> Key<T> {
    /// The problem that the value of this key is 0, if it is.
    pub fn zero(&self, key: &str) -> Option<Problem> {
        let problem = || Problem::new(self.span(), format!("`{key}` is 0, but must be at least 1"));
        (*self.get_ref() == T::default()).then(problem)
    }
}

impl<T> From<T> for Key<T> {
    fn from(value: T) -> Self {
        Self { value, span: 0..0 }
    }
}

#[cfg(feature = "schema")]
impl<T: JsonSchema> JsonSchema for Key<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A duration, written with its unit: `"2s"`, `"20ms"`, `"1m 30s"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub Duration);

impl Time {
    /// A number of seconds.
    pub const fn from_secs(s: u64) -> Self {
        Self(Duration::from_secs(s))
    }
}

/// The longest duration. It keeps all computed times far from overflow.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Reads a duration.
///
/// # Errors
/// If the text is not a duration, or the duration is longer than a year.
pub fn duration(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text).map_err(|_| {
        let text = engine_proto::fen::shown(text);
        format!(
            "`{text}` is not a duration: write a positive number with its unit, such as \"2s\" or \"20ms\""
        )
    })?;
    if LONGEST < duration {
        return Err(format!("`{}` is longer than 365 days, the maximum", engine_proto::fen::shown(text)));
    }
    Ok(duration)
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", humantime::format_duration(self.0))
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Time;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a duration with its unit in quotes, such as \"2s\" or \"20ms\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Time, E> {
                duration(text).map(Time).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(feature = "schema")]
impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Time {
    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A duration with its unit: 2s, 20ms, 1m 30s.",
            "pattern": "^([0-9]+ *[a-zµ]+ *)+$",
        })
    }
}

/// A game, by its id. The deserializer of this crate takes only known ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub struct GameName(pub GameId);

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(feature = "schema")]
impl Serialize for GameName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.id())
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for GameName {
    fn schema_name() -> Cow<'static, str> {
        "GameName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Games::built_in().ids().collect::<Vec<_>>() })
    }
}

/// The value of an engine's option, as it is sent to the engine. In the file: a text, a number or a truth value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(Serialize))]
pub struct OptionValue(pub String);

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = OptionValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, a number, true or false")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_string()))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_string()))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_string()))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_string()))
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<OptionValue, E> {
                if value.contains(['\n', '\r']) {
                    return Err(E::custom("an option's value is one line"));
                }
                Ok(OptionValue(value.to_owned()))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for OptionValue {
    fn schema_name() -> Cow<'static, str> {
        "OptionValue".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "number", "boolean"] })
    }
}
