//! Limits and sandbox of an engine's process.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Size;

/// Limits and sandbox of an engine's process. The default restricts nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Cage {
    /// Limit of the address space of each process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Size>,
    /// Maximum number of processes and threads at the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
    /// Limit of the processor time of each process.
    #[serde(with = "humantime_serde", skip_serializing_if = "Option::is_none")]
    pub cpu_time: Option<Duration>,
    /// Maximum number of open files and pipes of each process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_files: Option<u32>,
    /// The processors that the engine may run on, numbered from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_affinity: Option<Vec<u32>>,
    /// The niceness, -20 to 19.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nice: Option<i32>,
    /// The environment variables that the engine inherits; `None` for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment_allow: Option<Vec<String>>,
    /// The sandbox, which blocks access to the network, to files and to other processes.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "tier_or_bool")]
    pub sandbox: Option<Tier>,
    /// Files and folders that the engine may read inside the sandbox.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<PathBuf>,
}

/// What a sandbox prevents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tier {
    /// Everything that this program knows to prevent. Needs Linux 6.2.
    #[default]
    Strict,
    /// The same except for reading files. Needs no Landlock.
    Basic,
}

impl Tier {
    /// All tiers, the stricter first.
    pub const ALL: [Self; 2] = [Self::Strict, Self::Basic];

    /// Its name in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Basic => "basic",
        }
    }

    /// The tier with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.name() == name)
    }
}

/// Older versions know one sandbox, which is the strict one, and store `true`.
impl Serialize for Tier {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Strict => serializer.serialize_bool(true),
            Self::Basic => serializer.serialize_str(self.name()),
        }
    }
}

impl<'de> Deserialize<'de> for Tier {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        tier_or_bool(deserializer)?.ok_or_else(|| D::Error::custom("there is no sandbox"))
    }
}

/// A tier by its name, or whether there is a sandbox.
///
/// # Errors
/// If it is something else.
pub fn tier_or_bool<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Tier>, D::Error> {
    struct TierOrBool;
    impl Visitor<'_> for TierOrBool {
        type Value = Option<Tier>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("\"strict\", \"basic\", true or false")
        }

        fn visit_bool<E: Error>(self, is_wanted: bool) -> Result<Self::Value, E> {
            Ok(is_wanted.then_some(Tier::Strict))
        }

        fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
            let tier = Tier::of_name(name);
            tier.map(Some).ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
        }
    }
    deserializer.deserialize_any(TierOrBool)
}

impl Cage {
    /// Whether nothing is restricted.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}
