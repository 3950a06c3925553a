//! The bodies of the fuzz targets: what must hold for any bytes whatsoever. Those of the protocol and of positions are in
//! `engine-proto/fuzz`.
//!
//! `.ci/fuzz` runs all targets of both, each for an hour; `.ci/fuzz 60 config` runs one of them for a minute. It needs a
//! C++ compiler and [cargo-fuzz](https://rust-fuzz.github.io/book/cargo-fuzz.html); a stable toolchain is enough.
//!
//! A crash is kept under `artifacts`. `cargo fuzz run --sanitizer none --fuzz-dir arena/fuzz config <file>` repeats it. What
//! was mended becomes a file in `found/<target>`. The crate's ordinary tests run these bodies on all files there: so this
//! file depends only on crates of the arena and what these depend on.

use std::fmt::Debug;
use std::fs;
use std::io::Write;
use std::path::Path;

use cluster::message::{self, Announcement, Invitation, Order, Outcome, Receipt, State};
use engine_proto::{GameId, Games};
use flate2::Compression;
use flate2::write::GzEncoder;
use model::Tournament;
use model::escape::{Escaping, escaped};
use opponent::{Greeting, SearchReports};
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::result_files::Reader;
use store::{JournalReader, problems};
use submission::archive::{Bounds, unpack};
use submission::{Error, Manifest};

/// A configuration: its problems can be shown, and the tournament that it describes is stored and read as the same.
pub fn config(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if names_a_referee(text) {
        return;
    }
    match config::parse(Games::built_in(), text, Path::new("fuzz.toml")) {
        Err(error) => assert_is_shown(&error.render(false)),
        Ok(tournament) => {
            let stored = toml::to_string_pretty(&tournament).expect("a tournament is TOML");
            assert_eq!(toml::from_str::<Tournament>(&stored).as_ref(), Ok(&tournament), "{stored}");
        }
    }
    // Of an older version, whose configuration was stored as it was.
    let _ = config::stored::read(Games::built_in(), text, Path::new("fuzz.toml"));
}

/// Whether a game's rules are a program. To read such a configuration starts it: not with arguments from a fuzzer.
fn names_a_referee(text: &str) -> bool {
    let Ok(file) = toml::from_str::<toml::Table>(text) else { return false };
    let games = file.get("game").and_then(|games| games.as_array());
    games.is_some_and(|games| games.iter().any(|game| game.get("referee").is_some()))
}

/// An engine's greeting, and its reports during a search: whatever it says, what is sent to it has as many lines as
/// intended, and what is stored of a search is bounded.
pub fn engine(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut greeting = Greeting::default();
    let mut reports = SearchReports::default();
    for line in text.split('\n') {
        let _ = greeting.hear(line);
        if line.starts_with("info") {
            reports.hear(line.to_owned());
        }
    }
    for game in GameId::BUILT_IN {
        let commands = greeting.preparation(&[].into(), Some(*game), u64::MAX, true);
        let is_known = |line: &str| {
            ["setoption name ", "uginewgame", "isready"].iter().any(|start| line.starts_with(start))
        };
        assert!(commands.lines().all(is_known) && commands.lines().count() <= 6, "{commands}");
    }
    let info = reports.into_info();
    let stored = info.principal_variation.as_deref().unwrap_or_default();
    assert!(stored.len() <= 200 && !stored.contains('\n'), "{stored}");
    assert!(info.stats.len() <= engine_proto::proto::MOST_STATS);
}

/// A file of results as `arena rate` takes it: a table, PGN or a journal, which it finds out itself.
pub fn results(data: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().expect("the temporary folder can be written");
    file.write_all(data).expect("the temporary folder can be written");
    let mut reader = Reader::new(Games::built_in(), &[]);
    if let Err(error) = reader.read(file.path()) {
        assert_is_shown(&error.to_string());
    }
    let told = reader.finish();
    let _ = told.check(&[file.path().to_owned()]);
    told.notes.iter().for_each(|note| assert_is_shown(&note.text));
}

/// A journal: what is a match, is written and read as the same, and `arena verify` has a word for what is wrong with it.
pub fn journal(data: &[u8]) {
    let mut lines = JournalReader::new(data);
    let mut offset = 0;
    for expected in data.split_inclusive(|byte| *byte == b'\n') {
        let line = lines.next_line().expect("a slice is read without errors").expect("the data has a line");
        assert_eq!((line.offset, line.is_whole()), (offset, expected.ends_with(b"\n")));
        offset += expected.len() as u64;
        match line.record(Games::built_in()) {
            Err(error) => assert_is_shown(&error.to_string()),
            Ok(record) => {
                assert_is_stored(&record);
                for problem in problems(Games::built_in(), &record, None) {
                    assert_is_shown(&problem);
                }
            }
        }
    }
    assert!(lines.next_line().expect("a slice is read without errors").is_none());
}

/// An archive that is sent to a league, or the tar archive in it if the first byte is `t`: what comes out is bounded, has
/// only files and folders, and is inside the folder.
pub fn archive(data: &[u8]) {
    const BOUNDS: Bounds = Bounds { unpacked: 1 << 20, entries: 40 };
    let around = tempfile::tempdir().expect("the temporary folder can be written");
    let folder = around.path().join("target");
    fs::create_dir(&folder).expect("the temporary folder can be written");
    let unpacked = match data.strip_prefix(b"t") {
        Some(tar) => {
            let mut packed = GzEncoder::new(Vec::new(), Compression::none());
            let packed = packed.write_all(tar).and_then(|()| packed.finish()).expect("a vector takes all");
            unpack(&packed[..], &folder, BOUNDS)
        }
        None => unpack(data, &folder, BOUNDS),
    };
    if let Err(error) = unpacked {
        assert!(matches!(error, Error::Engine(_)), "{error:?}");
        assert_is_shown(&error.to_string());
    } else if let Err(error) = Manifest::read(&folder) {
        assert_is_shown(&error.to_string());
    }
    let beside = fs::read_dir(around.path()).expect("it is there").count();
    assert_eq!(beside, 1, "something is outside of the folder");
    let (n_made, bytes) = made(&folder);
    assert!(n_made <= BOUNDS.entries + 20 && bytes <= BOUNDS.unpacked, "{n_made} entries, {bytes} bytes");
}

/// The number of files and folders in a folder, and their bytes.
fn made(folder: &Path) -> (usize, u64) {
    let mut sum = (0, 0);
    for entry in fs::read_dir(folder).expect("it can be read") {
        let entry = entry.expect("it can be read");
        let metadata = entry.metadata().expect("it can be read");
        assert!(metadata.is_dir() || metadata.is_file(), "{metadata:?}");
        let (n, bytes) = if metadata.is_dir() { made(&entry.path()) } else { (0, metadata.len()) };
        sum = (sum.0 + n + 1, sum.1 + bytes);
    }
    sum
}

/// A message of another machine, whose type the first byte says: what can be read, is sent and read as the same.
pub fn message(data: &[u8]) {
    fn of<T: DeserializeOwned + Serialize + PartialEq + Debug>(payload: &[u8]) {
        match message::decode::<T>(payload) {
            Err(error) => assert_is_shown(&error),
            Ok(read) => {
                let sent = message::encode(&read);
                assert_eq!(message::decode::<T>(&sent).as_ref(), Ok(&read));
                assert_eq!(message::hash(&sent).len(), 32);
            }
        }
    }
    let Some((kind, payload)) = data.split_first() else { return };
    match kind {
        b'a' => of::<Announcement>(payload),
        b'i' => of::<Invitation>(payload),
        b'o' => of::<Order>(payload),
        b'p' => of::<Outcome>(payload),
        b's' => of::<State>(payload),
        b'r' => of::<Receipt>(payload),
        _ => {}
    }
}

fn assert_is_stored<T: DeserializeOwned + Serialize + PartialEq + Debug>(value: &T) {
    let stored = serde_json::to_string(value).expect("it is JSON");
    assert!(!stored.contains('\n'), "it is one line");
    assert_eq!(serde_json::from_str::<T>(&stored).as_ref().ok(), Some(value), "{stored}");
}

/// A message for people says something, and its escaped form is the same however it is written.
fn assert_is_shown(text: &str) {
    assert!(!text.is_empty());
    let shown = escaped(text);
    assert_eq!(escaped(&shown), shown);
    let mut written = Vec::new();
    let mut out = Escaping::new(&mut written);
    let written_all = text.as_bytes().chunks(3).try_for_each(|bytes| out.write_all(bytes));
    written_all.expect("a vector takes all");
    assert_eq!(String::from_utf8(written).as_deref(), Ok(shown.as_ref()));
}
