//! The JSON schema of tournament files, for editors.

use engine_proto::Games;
use serde_json::Value;

/// The schema with the games of the arena itself. Its generator is part of the tests only.
const SCHEMA: &str = include_str!("../schema.json");

/// The schema, indented, with all these games.
pub fn schema(games: &Games) -> String {
    let mut schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    schema["$defs"]["GameName"]["enum"] = games.ids().collect();
    serde_json::to_string_pretty(&schema).expect("a schema is JSON")
}

#[cfg(all(test, feature = "schema"))]
mod tests {
    use super::SCHEMA;
    use crate::file::Config;

    /// `UPDATE_SCHEMA=1 cargo test -p config --features schema` writes it anew.
    #[test]
    fn the_schema_is_that_of_the_configuration() {
        let schema =
            serde_json::to_string_pretty(&schemars::schema_for!(Config)).expect("a schema is JSON") + "\n";
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/schema.json"), &schema)
                .expect("the package is writable");
            return;
        }
        assert!(schema == SCHEMA, "update it: UPDATE_SCHEMA=1 cargo test -p config --features schema");
    }
}
