//! Archives are unpacked completely, or one clear error says why not; and never outside of the folder.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use submission::archive::{Bounds, unpack};
use submission::{Error, Manifest, pack};
use tar::EntryType::{
    self, Block, Char, Continuous, Directory, Fifo, GNULongLink, GNULongName, GNUSparse, Link, Regular,
    Symlink, XGlobalHeader, XHeader,
};

use crate::made::{MANIFEST, Tar, gzip, gzip_of_zeros, zstd, zstd_of_zeros};

const BOUNDS: Bounds = Bounds { unpacked: 4 << 20, entries: 50 };

/// Unpacks into `target` in a new folder, and checks that nothing is beside it.
fn unpacked(archive: &[u8]) -> (tempfile::TempDir, Result<(), Error>) {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    fs::create_dir(&target).unwrap();
    let result = unpack(archive, &target, BOUNDS);
    let beside: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(beside, ["target"]);
    (folder, result)
}

#[track_caller]
fn refuses(archive: &[u8], expected: &str) {
    let (_folder, result) = unpacked(archive);
    let error = result.expect_err(expected);
    assert!(matches!(error, Error::Engine(_)), "{error:?}");
    let error = error.to_string();
    assert!(error.contains(expected), "`{error}` does not say `{expected}`");
    assert!(error.len() < 300 && !error.contains(char::is_control), "{error}");
}

#[test]
fn a_good_archive_is_unpacked_from_both_formats() {
    let tar = || {
        Tar::engine()
            .entry("./", Directory, 0o755, b"")
            .entry("nets/", Directory, 0o700, b"")
            .file("./nets/one.net", "net")
            .file("deep/er/file", "no folder comes before it")
            .tar()
    };
    for archive in [gzip(&tar()), zstd(&tar())] {
        let (folder, result) = unpacked(&archive);
        result.unwrap();
        let target = folder.path().join("target");
        assert_eq!(fs::read_to_string(target.join("nets/one.net")).unwrap(), "net");
        assert_eq!(fs::read_to_string(target.join("deep/er/file")).unwrap(), "no folder comes before it");
        let manifest = Manifest::read(&target).unwrap();
        assert_eq!((manifest.name.as_str(), manifest.args.len()), ("good", 1));
        let mode = |name: &str| fs::metadata(target.join(name)).unwrap().permissions().mode() & 0o7777;
        assert_eq!(mode("engine") & 0o100, 0o100);
        assert_eq!(mode("engine.toml") & 0o111, 0);
    }
}

#[test]
fn special_bits_are_cleared() {
    let (folder, result) = unpacked(&Tar::new().entry("root", Regular, 0o7777, b"x").gzip());
    result.unwrap();
    let mode = fs::metadata(folder.path().join("target/root")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7022, 0, "{mode:o}");
}

#[test]
fn long_names_of_both_formats_are_read() {
    let name = format!("{}/{}", "a".repeat(90), "b".repeat(90));
    for tar in [
        Tar::new().entry("long", GNULongName, 0o644, format!("{name}\0").as_bytes()).file("short", "x"),
        Tar::new().pax("path", &name).file("short", "x"),
        Tar::new()
            .entry("global", XGlobalHeader, 0o644, b"12 comment=x\n")
            .pax("path", &name)
            .file("short", "x"),
    ] {
        let (folder, result) = unpacked(&tar.gzip());
        result.unwrap();
        assert!(folder.path().join("target").join(&name).is_file());
        assert!(!folder.path().join("target/short").exists());
    }
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let absolute = std::env::temp_dir().join("arena-absolute");
    for (name, expected) in [
        ("../evil", "the name `../evil` leads out of the archive"),
        ("a/../../evil", "leads out of the archive"),
        ("a/..", "leads out of the archive"),
        ("..", "leads out of the archive"),
        (absolute.to_str().unwrap(), "begins with `/`"),
        ("//evil", "begins with `/`"),
        ("C:\\evil", "contains a control character, `\\` or `:`"),
        ("..\\evil", "contains a control character, `\\` or `:`"),
        ("a\nb", "the name `a\\nb` contains a control character"),
        ("\u{1b}[2J", "contains a control character"),
        (".", "a file has no name"),
        ("./", ""),
    ] {
        let archive = Tar::new().file(name, "x").gzip();
        if expected.is_empty() {
            // As programs before POSIX wrote the folder itself.
            unpacked(&archive).1.unwrap();
        } else {
            refuses(&archive, expected);
        }
        // The same in the extensions for long names.
        if !expected.is_empty() {
            let long = format!("{name}\0");
            refuses(
                &Tar::new().entry("l", GNULongName, 0o644, long.as_bytes()).file("x", "").gzip(),
                expected,
            );
            // Its records end with the line.
            if !name.contains('\n') {
                refuses(&Tar::new().pax("path", name).file("x", "").gzip(), expected);
            }
        }
    }
    assert!(!absolute.exists());
}

#[test]
fn names_that_are_no_names_are_refused() {
    let long = |name: String| Tar::new().pax("path", &name).file("short", "").gzip();
    for (archive, expected) in [
        (Tar::new().entry(b"\xff\xfe", Regular, 0o644, b"").gzip(), "is not UTF-8"),
        (Tar::new().entry(b"a/\xc3\x28", Directory, 0o755, b"").gzip(), "is not UTF-8"),
        (long("a".repeat(101)), "is too long or too deep"),
        (long("a/b".repeat(100)), "is too long or too deep"),
        (long("a/".repeat(30)), "is too long or too deep"),
        (
            Tar::new().entry("l", GNULongName, 0o644, &vec![b'a'; 100 << 10]).file("x", "").gzip(),
            "another extension in the archive is too long",
        ),
        (Tar::new().claim("l", GNULongName, 10 << 30).gzip(), "another extension in the archive is too long"),
        (Tar::new().claim("l", XHeader, 10 << 30).gzip(), "another extension in the archive is too long"),
        (
            Tar::new().claim("l", XGlobalHeader, 10 << 30).gzip(),
            "another extension in the archive is too long",
        ),
        (Tar::new().entry("pax", XHeader, 0o644, b"rubbish").file("x", "").gzip(), "cannot be read"),
    ] {
        refuses(&archive, expected);
    }
}

#[test]
fn whatever_is_no_file_and_no_folder_is_refused() {
    for (kind, expected) in [
        (Symlink, "`evil` is a symbolic link; only files and folders are allowed"),
        (Link, "a hard link"),
        (Char, "a device"),
        (Block, "a device"),
        (Fifo, "a named pipe"),
        (GNUSparse, "a sparse file"),
        (GNULongLink, "a link"),
        (Continuous, "something unusual"),
        (EntryType::new(b'Z'), "something unusual"),
    ] {
        refuses(&Tar::engine().link("evil", kind, "/etc/passwd").gzip(), expected);
    }
    // A link into which a later file would be written.
    refuses(&Tar::new().link("evil", Symlink, "/tmp").file("evil/file", "x").gzip(), "a symbolic link");
    refuses(&Tar::new().pax("GNU.sparse.realsize", "10737418240").file("x", "").gzip(), "sparse");
    refuses(&Tar::new().pax("size", "10737418240").file("x", "").gzip(), "very large");
}

#[test]
fn what_is_there_twice_is_refused() {
    refuses(&Tar::new().file("a", "x").file("./a", "y").gzip(), "`a` is there twice");
    refuses(&Tar::new().file("a", "x").file("a/b", "y").gzip(), "`a` is a file and a folder");
    refuses(&Tar::new().file("a/b", "x").file("a", "y").gzip(), "`a` is there twice");
    refuses(
        &Tar::new().file("a", "x").entry("a", Directory, 0o755, b"").gzip(),
        "`a` is a file and a folder",
    );
}

#[test]
fn bombs_are_refused() {
    let tar = Tar::engine().tar();
    let limit = "unpacked, it has more than 4MiB";
    refuses(&gzip_of_zeros(&tar, 64 << 20), limit);
    let head = &tar[..tar.len() - 1024];
    refuses(&zstd_of_zeros(head, 1 << 15), limit);
    // A file of 3 MiB, and one more.
    let big = "x".repeat(3 << 20);
    refuses(&gzip(&Tar::new().file("a", &big).file("b", &big).tar()), limit);
    refuses(&zstd(&Tar::new().file("a", &big).file("b", &big).tar()), limit);
    refuses(&Tar::new().claim("huge", Regular, 10 << 30).gzip(), "`huge` has more than 4MiB");
    refuses(&Tar::new().claim("huge", Regular, u64::MAX).gzip(), "size overflow");
    refuses(&Tar::new().claim("folder/", Directory, 10 << 30).gzip(), "");
}

#[test]
fn many_entries_are_refused() {
    let many = "the archive has more than 50 files and folders";
    let files = (0..51).fold(Tar::new(), |tar, idx| tar.file(&format!("{idx}"), ""));
    refuses(&files.gzip(), many);
    let again = (0..51).fold(Tar::new(), |tar, _| tar.entry("a", Directory, 0o755, b""));
    refuses(&again.gzip(), many);
    let names = (0..60).fold(Tar::new(), |tar, _| tar.pax("path", "a"));
    refuses(&names.gzip(), many);
    // Three entries, and many folders.
    let deep = |first: &str| format!("{first}/{}file", "a/".repeat(18));
    let deep = ["x", "y", "z"].into_iter().fold(Tar::new(), |tar, first| tar.file(&deep(first), ""));
    refuses(&deep.gzip(), many);
}

#[test]
fn an_archive_that_is_cut_anywhere_is_refused() {
    let tar = Tar::engine().file("data", &"data\n".repeat(500)).tar();
    for archive in [gzip(&tar), zstd(&tar)] {
        unpacked(&archive).1.unwrap();
        for length in 0..archive.len() {
            let (_folder, result) = unpacked(&archive[..length]);
            assert!(matches!(result, Err(Error::Engine(_))), "{length} of {}: {result:?}", archive.len());
        }
    }
    // The end is cut before it is compressed: at each border, and within the content.
    for cut in (0..tar.len() - 1024).step_by(256) {
        let (_folder, result) = unpacked(&gzip(&tar[..cut]));
        assert!(matches!(result, Err(Error::Engine(_))), "{cut}: {result:?}");
    }
}

#[test]
fn what_follows_the_end_is_refused() {
    let rubbish = "more bytes follow the end of the archive";
    let tar = Tar::engine().tar();
    for archive in [gzip(&tar), zstd(&tar)] {
        refuses(&[&archive[..], b"rubbish"].concat(), rubbish);
        refuses(&[&archive[..], &archive[..]].concat(), rubbish);
    }
    refuses(&gzip(&[&tar[..], b"rubbish"].concat()), rubbish);
    unpacked(&gzip(&[&tar[..], &[0; 9000]].concat())).1.unwrap();
}

#[test]
fn a_changed_byte_is_found() {
    let tar = Tar::engine().file("data", "data").tar();
    let archive = gzip(&tar);
    let mut wrong_sum = archive.clone();
    let at = archive.len() - 6;
    wrong_sum[at] ^= 1;
    refuses(&wrong_sum, "cannot be read");
    let mut wrong_header = tar.clone();
    wrong_header[0] ^= 1;
    refuses(&gzip(&wrong_header), "checksum");
    let mut wrong_sum = zstd(&tar);
    let last = wrong_sum.len() - 1;
    wrong_sum[last] ^= 1;
    refuses(&wrong_sum, "its check sum is wrong");
}

#[test]
fn what_is_no_archive_is_refused() {
    for bytes in [&b""[..], b"x", b"PK\x03\x04", b"\x7fELF", &Tar::engine().tar(), MANIFEST.as_bytes()] {
        refuses(bytes, "the file is no archive: send a `.tar.gz` or a `.tar.zst`");
    }
    refuses(&[0x1f, 0x8b], "cannot be read");
    refuses(&[0x28, 0xb5, 0x2f, 0xfd], "cannot be read");
    // A window of 2 GiB.
    refuses(&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0, 0], "cannot be read");
}

#[test]
fn a_folder_is_packed_as_it_is_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("nets/deep")).unwrap();
    fs::write(folder.path().join("engine.toml"), MANIFEST).unwrap();
    fs::write(folder.path().join("engine"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(folder.path().join("engine"), fs::Permissions::from_mode(0o750)).unwrap();
    let long = folder.path().join("nets/deep").join("n".repeat(98));
    fs::write(&long, "net").unwrap();
    let packed = || {
        let mut out = Vec::new();
        pack::pack(folder.path(), &mut out).map(|()| out)
    };
    let archive = packed().unwrap();
    assert_eq!(archive, packed().unwrap());
    let (out, result) = unpacked(&archive);
    result.unwrap();
    let target = out.path().join("target");
    assert_eq!(fs::read(target.join("nets/deep").join("n".repeat(98))).unwrap(), b"net");
    Manifest::read(&target).unwrap();
    assert_ne!(fs::metadata(target.join("engine")).unwrap().permissions().mode() & 0o100, 0);
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).unwrap();
    let error = packed().unwrap_err().to_string();
    assert!(error.contains("link`: it is neither a file nor a folder"), "{error}");
}

#[test]
fn wrong_manifests_have_clear_errors() {
    let folder = tempfile::tempdir().unwrap();
    let check = |text: &str, expected: &str| {
        fs::write(folder.path().join("engine.toml"), text).unwrap();
        let error = Manifest::read(folder.path()).expect_err(text).to_string();
        assert!(error.contains(expected), "`{error}` does not say `{expected}`");
    };
    let is_missing = |path: &Path| Manifest::read(path).unwrap_err().to_string();
    assert_eq!(is_missing(folder.path()), "there is no `engine.toml` at the root of the archive");
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/engine.toml"), MANIFEST).unwrap();
    let deeper = is_missing(folder.path());
    assert!(deeper.contains("in the folder `mine`") && deeper.contains("-C mine ."), "{deeper}");

    check("", "missing field `name`");
    check("name = \"a\"\ncommand = \"a\"\nsandbox = false\n", "unknown field `sandbox`");
    check("name = 1\ncommand = \"a\"\n", "expected a string");
    check("name = \"\u{202e}\"\ncommand = \"a\"\n", "letters, digits");
    for name in ["", "../x", "a/b", ".hidden", "-x", "ä", "a b", "con\\", &"a".repeat(41)] {
        let name = toml::Value::from(name);
        check(&format!("name = {name}\ncommand = \"a\"\n"), "`name` in `engine.toml`: a name has 1 to 40");
    }
    for command in ["/bin/sh", "../../bin/sh", "", "a/../../b"] {
        check(
            &format!("name = \"a\"\ncommand = \"{command}\"\n"),
            "name a file of the archive, such as `./engine`",
        );
    }
    check("name = \"a\"\ncommand = \"./none\"\n", "the archive has no file `./none`");
    check(
        "name = \"a\"\ncommand = \"a\"\nargs = [\"x\\nquit\"]\n",
        "`x\\nquit` in `engine.toml` contains a control",
    );
    check("name = \"a\"\ncommand = \"a\"\noptions = { \"H\\n\" = 1 }\n", "contains a control character");
    check("name = \"a\"\ncommand = \"a\"\noptions = { H = \"x\\ny\" }\n", "contains a control character");
    check(
        "name = \"a\"\ncommand = \"a\"\noptions = { H = [1] }\n",
        "the value of `H` must be a text, a number",
    );
    check(&"#".repeat(70_000), "larger than 64 KiB");
    fs::write(folder.path().join("engine.toml"), b"\xff").unwrap();
    assert!(is_missing(folder.path()).contains("cannot read `engine.toml`"));
    // A program on `PATH`, with a file of the archive as an argument.
    fs::write(folder.path().join("engine.toml"), "name = \"a\"\ncommand = \"python3\"\nargs = [\"a.py\"]\n")
        .unwrap();
    assert_eq!(Manifest::read(folder.path()).unwrap().file(folder.path()), None);
}
