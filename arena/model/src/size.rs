//! An amount of memory with its unit.

#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An amount of memory, written with its unit: `512MiB`, `2GiB`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// The number of bytes.
    pub bytes: u64,
}

#[cfg(feature = "schema")]
impl JsonSchema for Size {
    fn schema_name() -> Cow<'static, str> {
        "Size".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "An amount of memory with its unit: 512MiB, 2GiB.",
            "pattern": "^[0-9]+ *[KMG]iB$",
        })
    }
}

const UNITS: [(&str, u32); 3] = [("GiB", 30), ("MiB", 20), ("KiB", 10)];

/// The text is not an amount of memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an amount of memory: write a whole number with KiB, MiB or GiB, such as \"512MiB\"")]
pub struct NoSize {
    /// The text.
    pub text: String,
}

impl FromStr for Size {
    type Err = NoSize;

    fn from_str(text: &str) -> Result<Self, NoSize> {
        let bytes = || {
            let (number, shift) =
                UNITS.iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?.trim_end(), *shift)))?;
            number.parse::<u64>().ok()?.checked_mul(1 << shift)
        };
        bytes().map(|bytes| Self { bytes }).ok_or_else(|| NoSize { text: text.to_owned() })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, shift) =
            UNITS.into_iter().find(|(_, shift)| self.bytes.trailing_zeros() >= *shift).unwrap_or(("KiB", 10));
        write!(f, "{}{unit}", self.bytes >> shift)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Size;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an amount of memory with its unit in quotes, such as \"512MiB\" or \"2GiB\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Size, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
