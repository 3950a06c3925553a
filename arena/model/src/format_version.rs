//! The version of a stored format. It is read first, so that a newer format is rejected with a clear message.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The version of a stored format. Versions up to `CURRENT` can be read; `CURRENT` is always written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormatVersion<const CURRENT: u32>;

impl<const CURRENT: u32> Serialize for FormatVersion<CURRENT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(CURRENT)
    }
}

impl<'de, const CURRENT: u32> Deserialize<'de> for FormatVersion<CURRENT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let version = u32::deserialize(deserializer)?;
        if (1..=CURRENT).contains(&version) {
            return Ok(Self);
        }
        Err(D::Error::custom(format_args!(
            "format version {version} is not supported; this arena reads versions 1 to {CURRENT}; use the arena that wrote the file, or a later one"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_versions_are_read_and_later_ones_refused() {
        for text in ["1", "2"] {
            assert_eq!(serde_json::from_str::<FormatVersion<2>>(text).unwrap(), FormatVersion::<2>);
        }
        for text in ["0", "3"] {
            let error = serde_json::from_str::<FormatVersion<2>>(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("format version {text} is not supported")), "{error}");
        }
        assert_eq!(serde_json::to_string(&FormatVersion::<2>).unwrap(), "2");
    }
}
