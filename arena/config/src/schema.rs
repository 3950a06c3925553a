//! The configuration's JSON schema, for editors.

use super::Config;

/// The schema, indented.
pub fn schema() -> String {
    let schema = schemars::schema_for!(Config);
    serde_json::to_string_pretty(&schema).expect("a schema is JSON")
}
