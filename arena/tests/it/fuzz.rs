//! The bodies of the fuzz targets, on inputs that once found something and on examples: so they stay right without a
//! fuzzer.

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::path::Path;

/// A name and a body.
type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 6] = [
    ("archive", targets::archive),
    ("config", targets::config),
    ("engine", targets::engine),
    ("results", targets::results),
    ("journal", targets::journal),
    ("message", targets::message),
];

#[test]
fn what_found_something_finds_nothing_any_more() {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/found");
    for (name, target) in TARGETS {
        // A target that has found nothing has no folder.
        for file in fs::read_dir(found.join(name)).into_iter().flatten() {
            let path = file.unwrap().path();
            println!("{}", path.display());
            target(&fs::read(path).unwrap());
        }
    }
}

#[test]
fn no_bytes_make_any_target_fail() {
    for (name, target) in TARGETS {
        println!("{name}");
        target(b"");
        target(&[0; 1000]);
        target(&(0..=255).cycle().take(2000).collect::<Vec<u8>>());
        target("[[engine]]\nname = \"\u{202e}\"\ninfo depth 3 pv \u{e9}\n{\"match\":1}\n".as_bytes());
    }
}

#[test]
fn what_the_arena_writes_is_read() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for name in ["record-0.jsonl", "record-1.jsonl"] {
        let text = fs::read(golden.join(name)).unwrap();
        targets::journal(&text);
        targets::results(&text);
    }
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs")).unwrap() {
        let path = file.unwrap().path();
        if path.is_file() {
            targets::config(&fs::read(path).unwrap());
        }
    }
}
