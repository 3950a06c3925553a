//! An attempt of a process in a sandbox to do what an engine must not do.

/// An attempt and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What was tried, in words.
    pub what: String,
    /// Whether the system allowed it.
    pub is_allowed: bool,
}

/// The file in the folder that an engine must not touch.
pub const SECRET: &str = "secret.txt";
