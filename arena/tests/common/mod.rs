//! What the tests with real processes share: where the engine is that misbehaves on demand.

use std::path::PathBuf;

/// The path of the example `fake-engine`, built beside the tests.
pub fn fake_engine() -> PathBuf {
    let test = std::env::current_exe().expect("a test is a program");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("tests lie in target/<profile>/deps");
    let path = folder.join("examples").join(format!("fake-engine{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "`cargo test` builds it; with `--test`, run `cargo build -p arena --examples` first"
    );
    path
}
