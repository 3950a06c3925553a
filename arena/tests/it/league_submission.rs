//! `arena league key` and `arena league submit`, as owners use them, with the site of a league; and engines from Git
//! repositories, which are built in the sandbox.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use live::site::{Open, Router, Server, Token};
use submission::{Error, GitReference, GitRules, Limits, PATH, PublicKey, Submissions};
use tempfile::TempDir;

use crate::common::tournament::{Ended, arena, printed, said};

/// The folder of an owner who has a key and an engine, and the line that the operator gets.
fn owner() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let line = arena(folder.path(), &["league", "key", "alice.key"]).text();
    fs::create_dir(folder.path().join("my-engine")).unwrap();
    fs::write(folder.path().join("my-engine/engine.toml"), "name = \"mine\"\ncommand = \"./mine\"\n")
        .unwrap();
    crate::common::copy_program(crate::common::fake_engine(), folder.path().join("my-engine/mine"));
    (folder, line)
}

/// A league, and its site with uploads.
fn league(line: &str) -> (TempDir, Server, String) {
    let folder = tempfile::tempdir().unwrap();
    let file: toml::Table = format!("[owners]\n{line}").parse().unwrap();
    let owners: BTreeMap<String, PublicKey> = file["owners"]
        .as_table()
        .unwrap()
        .iter()
        .map(|(name, key)| (name.clone(), key.as_str().unwrap().parse().unwrap()))
        .collect();
    let submissions = Submissions::new(folder.path(), owners, Limits::default(), |_| {});
    let open = Open { path: PATH, router: submissions.routes() };
    let token = Token::random().unwrap();
    let server = Server::start_with(([127, 0, 0, 1], 0).into(), token, Router::new(), Some(open)).unwrap();
    let url = server.url();
    let address = url.rsplit('/').nth(1).map(|token| url.replace(&format!("{token}/"), "")).unwrap();
    (folder, server, address)
}

fn submit(folder: &Path, to: &str, engine: &str) -> Output {
    arena(folder, &["league", "submit", "--to", to, "--key", "alice.key", engine])
}

#[test]
fn an_owner_sends_an_engine_and_the_league_has_it() {
    let (owner, line) = owner();
    assert!(line.starts_with("alice = \"U") && line.lines().count() == 1, "{line}");
    let (league, _server, address) = league(&line);
    let accepted = submit(owner.path(), &address, "my-engine").succeeds();
    assert!(printed(&accepted).starts_with("`mine` is accepted as "), "{}", printed(&accepted));
    let file: toml::Table =
        fs::read_to_string(league.path().join("engines/mine.toml")).unwrap().parse().unwrap();
    assert_eq!(file["owner"].as_str(), Some("alice"));
    let program = Path::new(file["command"].as_str().unwrap());
    assert_eq!(fs::read(program).unwrap(), fs::read(crate::common::fake_engine()).unwrap());
    let again = submit(owner.path(), &address, "my-engine").succeeds();
    assert!(printed(&again).contains("is unchanged"), "{}", printed(&again));

    // An archive that another program has made.
    let tar = Command::new("tar")
        .args(["-czf", "mine.tar.gz", "-C", "my-engine", "."])
        .current_dir(owner.path())
        .status();
    assert!(tar.unwrap().success());
    assert!(printed(&submit(owner.path(), &address, "mine.tar.gz").succeeds()).contains("is accepted as"));
}

/// From the key of an owner to matches in the league, as all of them use it.
#[test]
fn an_engine_that_was_sent_plays() {
    if !arena(".", &["sandbox"]).text().lines().next().unwrap().ends_with("strict") {
        return;
    }
    let (owner, line) = owner();
    let engine = "name = \"mine\"\ncommand = \"./mine\"\nargs = [\"good\"]\n";
    fs::write(owner.path().join("my-engine/engine.toml"), engine).unwrap();
    let league = tempfile::tempdir().unwrap();
    let program = toml::Value::from(crate::common::fake_engine().to_str().unwrap());
    let file = format!(
        "[league]\n[league.owners]\n{line}\n[limits]\nnodes = 10\nmax-plies = 12\n[[game]]\nid = \"push-push\"\n\
         [[engine]]\nname = \"anchor\"\ncommand = {program}\nargs = [\"last\"]\n"
    );
    fs::write(league.path().join("league.toml"), file).unwrap();
    fs::create_dir(league.path().join("engines")).unwrap();
    fs::write(
        league.path().join("engines/far.toml"),
        "name = \"far\"\ncommand = \"far\"\ngit = \"https://example.org/far\"\nrev = \"--upload-pack=evil\"\n",
    )
    .unwrap();
    let mut playing = Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(league.path())
        .args(["league", ".", "--serve"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(playing.stderr.take().unwrap()).lines().map(Result::unwrap);
    let address =
        told.find_map(|line| Some(line.strip_prefix("owners send engines to ")?.to_owned())).unwrap();
    submit(owner.path(), &address, "my-engine").succeeds();
    let journal = || fs::read_to_string(league.path().join("results/matches.jsonl")).unwrap_or_default();
    let report = |name: &str| fs::read_to_string(league.path().join(name)).unwrap_or_default();
    let begun = Instant::now();
    while !journal().contains("\"mine@") || report("engines/far.report.txt").is_empty() {
        let reports = [report("engines/mine.report.txt"), report("engines/far.report.txt")];
        assert!(begun.elapsed() < Duration::from_secs(60), "{reports:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
    playing.kill().unwrap();
    playing.wait().unwrap();
    assert!(report("engines/mine.report.txt").starts_with("plays as mine@"));
    let far = report("engines/far.report.txt");
    assert!(far.contains("name a branch, a tag or a complete commit"), "{far}");
}

#[track_caller]
fn fails(output: &Output, code: i32, words: &str) {
    let told = said(output);
    assert_eq!(output.status.code(), Some(code), "{told}");
    assert!(told.starts_with("error: ") && told.contains(words) && output.stdout.is_empty(), "{told}");
}

#[test]
fn what_is_wrong_is_one_clear_error() {
    let (owner, line) = owner();
    let (_league, server, address) = league(&line);
    let folder = owner.path();
    fails(&arena(folder, &["league", "key", "alice.key"]), 5, "cannot write `alice.key`");
    fails(&submit(folder, "https://example.org", "my-engine"), 2, "does not speak TLS");
    fails(&submit(folder, "example.org", "my-engine"), 2, "write it like `http://example.org:8080`");
    fails(&submit(folder, &address, "none.tar.gz"), 3, "cannot read `none.tar.gz`");
    fs::write(folder.join("rubbish.tar.gz"), "rubbish").unwrap();
    fails(
        &submit(folder, &address, "rubbish.tar.gz"),
        3,
        "the league refuses the engine (422): the file is no archive",
    );
    fs::create_dir(folder.join("empty")).unwrap();
    fails(&submit(folder, &address, "empty"), 3, "cannot pack `empty`: there is no `engine.toml`");
    arena(folder, &["league", "key", "stranger.key"]).succeeds();
    let key = ["league", "submit", "--to", &address, "--key", "stranger.key", "my-engine"];
    fails(&arena(folder, &key), 3, "(403): this league does not know the key U");
    // The rest of the site is not open.
    fails(&submit(folder, &address.replace("127.0.0.1", "localhost"), "empty/engine.toml"), 3, "cannot read");
    drop(server);
    fails(&submit(folder, &address, "my-engine"), 5, "no answer from the league at `http://127.0.0.1:");
}

/// A repository with these files, each a name and a content.
fn repository(folder: &Path, files: &[(&str, &str)]) -> String {
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=x", "-c", "user.email=x@example.org"]).args(args).current_dir(folder);
        let output = git.output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        printed(&output).trim().to_owned()
    };
    if !folder.join(".git").exists() {
        fs::create_dir_all(folder).unwrap();
        git(&["init", "--quiet", "--initial-branch=main"]);
    }
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message=x"]);
    git(&["rev-parse", "HEAD"])
}

fn rules() -> GitRules {
    let rules = GitRules::new(PathBuf::from(env!("CARGO_BIN_EXE_arena")));
    GitRules { protocols: "file".to_owned(), ..rules }
}

fn program(league: &Path, file: &str, rules: &GitRules) -> Result<PathBuf, Error> {
    let reference = GitReference::read(&file.parse().unwrap(), rules)?.unwrap();
    Ok(reference.program(league, rules)?.folder)
}

#[cfg(target_os = "linux")]
#[test]
fn a_repository_becomes_a_program_in_the_sandbox() {
    if !arena(".", &["sandbox"]).text().lines().next().unwrap().ends_with("strict") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("source");
    let outside = folder.path().join("outside");
    let build = format!(
        "echo '#!/bin/sh' > engine\ncat secret >> engine; (cat {0}; echo evil > {0}; ls {1}) 2>> log\ntrue\n",
        outside.display(),
        source.display()
    );
    fs::write(&outside, "private").unwrap();
    let first = repository(&source, &[("build.sh", &build), ("secret", "echo one")]);
    let league = folder.path().join("league");
    fs::create_dir(&league).unwrap();
    let url = format!("file://{}", source.display());
    let keys = format!("name = \"mine\"\ngit = \"{url}\"\nbuild = \"sh build.sh\"\ncommand = \"./engine\"\n");
    let made = program(&league, &format!("{keys}rev = \"main\"\n"), &rules()).unwrap();
    assert!(made.starts_with(league.join("programs/mine")), "{made:?}");
    assert_eq!(fs::read_to_string(made.join("engine")).unwrap(), "#!/bin/sh\necho one");
    assert_eq!(printed(&Command::new(made.join("engine")).output().unwrap()), "one\n");
    assert!(!made.join(".git").exists());
    // What is outside was neither read nor written.
    assert_eq!(fs::read_to_string(&outside).unwrap(), "private");
    let log = fs::read_to_string(made.join("log")).unwrap();
    assert_eq!(log.matches("ermission denied").count(), 3, "{log}");

    // The network is there only for a file that says so.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let connect = format!("exec 3<> /dev/tcp/127.0.0.1/{}", listener.local_addr().unwrap().port());
    let connecting = keys.replace("sh build.sh", &format!("touch engine; bash -c '{connect}'"));
    let connecting = format!("{connecting}rev = \"main\"\n");
    let error = program(&league, &connecting, &rules()).unwrap_err().to_string();
    assert!(error.contains("the build command `"), "{error}");
    program(&league, &format!("{connecting}network = true\n"), &rules()).unwrap();

    // A branch moves, a commit stays, and is not fetched again.
    repository(&source, &[("secret", "echo two")]);
    let second = program(&league, &format!("{keys}rev = \"main\"\n"), &rules()).unwrap();
    assert_ne!(second, made);
    fs::rename(&source, folder.path().join("gone")).unwrap();
    assert_eq!(program(&league, &format!("{keys}rev = \"{first}\"\n"), &rules()).unwrap(), made);
    let error = program(&league, &format!("{keys}rev = \"main\"\n"), &rules()).unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot fetch `{url}`: ")), "{error}");
    let programs = fs::read_dir(league.join("programs")).unwrap().count();
    assert_eq!(programs, 1, "nothing incomplete is left");
}

#[test]
fn a_repository_that_is_wrong_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("source");
    repository(
        &source,
        &[("fail.sh", "echo the reason; exit 3"), ("big.sh", "yes > big"), ("slow.sh", "sleep 60")],
    );
    let league = folder.path().join("league");
    fs::create_dir(&league).unwrap();
    let url = format!("file://{}", source.display());
    let refused = |keys: &str, rules: &GitRules| {
        let error = program(&league, &format!("name = \"mine\"\n{keys}"), rules).unwrap_err().to_string();
        let left = fs::read_dir(league.join("programs")).into_iter().flatten().flatten();
        let left: Vec<_> =
            left.filter(|entry| entry.file_name() != "mine").map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "{left:?}");
        error
    };
    let good = format!("git = \"{url}\"\nrev = \"main\"\n");
    for (keys, words) in [
        (format!("git = \"{url}\"\n"), "missing field `rev`"),
        (
            format!("git = \"{url}\"\nrev = \"--upload-pack=evil\"\n"),
            "name a branch, a tag or a complete commit",
        ),
        (format!("git = \"{url}\"\nrev = \"none\"\n"), "cannot fetch"),
        (format!("git = \"{}\"\nrev = \"main\"\n", source.display()), "must have one of the protocols file"),
        ("git = \"ext::sh -c evil\"\nrev = \"main\"\n".to_owned(), "must have one of the protocols file"),
        (
            "git = \"https://example.org/x\"\nrev = \"main\"\n".to_owned(),
            "must have one of the protocols file",
        ),
        (format!("{good}command = \"./none\"\n"), "there is no file `./none`"),
        (format!("{good}command = \"../../../x\"\n"), "x`"),
        (format!("{good}build = 3\n"), "invalid type: integer `3`, expected a sequence"),
    ] {
        let error = refused(&keys, &rules());
        assert!(error.contains(words), "{keys}: {error}");
    }
    // The usual rules allow no files of this machine.
    let usual = GitRules::new(PathBuf::from(env!("CARGO_BIN_EXE_arena")));
    assert!(refused(&good, &usual).contains("must have one of the protocols https, http, git"));
    let no_sandbox = GitRules { launcher: PathBuf::from("/bin/false"), ..rules() };
    let error = refused(&format!("{good}build = \"true\"\n"), &no_sandbox);
    assert!(
        error.starts_with("a build command runs only in the strict sandbox, which is not available: "),
        "{error}"
    );
    if !arena(".", &["sandbox"]).text().lines().next().unwrap().ends_with("strict") {
        return;
    }
    let error = refused(&format!("{good}build = \"sh fail.sh\"\n"), &rules());
    assert!(
        error.contains("the build command `sh -c sh fail.sh` failed: exit status: 3\nthe reason"),
        "{error}"
    );
    let small = GitRules { size: 1 << 20, ..rules() };
    let error = refused(&format!("{good}build = [\"sh\", \"big.sh\"]\n"), &small);
    assert!(error.ends_with("it has more than 1MiB"), "{error}");
    let quick = GitRules { time: std::time::Duration::from_millis(500), ..rules() };
    let error = refused(&format!("{good}build = \"sh slow.sh\"\n"), &quick);
    assert!(error.contains("it took longer than "), "{error}");
}
