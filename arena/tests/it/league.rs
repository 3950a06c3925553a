//! A league as its users have it: the program itself in a folder, with engines that join, change, fail and leave while it runs,
//! and while it is killed.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::BufRead;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use model::Record;
#[cfg(target_os = "linux")]
use rustix::process::Signal;
use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::common::nats::{Running, Server, worker, worker_command, worker_of_mode};
use crate::common::site::Site;
use crate::common::tournament::{Ended, arena, printed};
use crate::common::{copy_program, fake_engine};

const HEAD: &str = "\
[league]\nowner = \"house\"\nnewcomer-pairs = 2\nfaults-in-a-row = 3\n\
[limits]\nnodes = 10\nmax-plies = 12\n[[game]]\nid = \"push-push\"\n";

struct League(TempDir);

impl League {
    fn new(head: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("engines")).unwrap();
        fs::write(folder.path().join("league.toml"), head).unwrap();
        Self(folder)
    }

    /// A league of sound engines.
    fn of(head: &str, engines: &[&str]) -> Self {
        let league = Self::new(head);
        for name in engines {
            league.drop_in(name, "good", "");
        }
        league
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Drops the file of an engine in, at once.
    fn drop_in(&self, name: &str, mode: &str, more: &str) {
        let program = toml::Value::from(fake_engine().to_str().unwrap());
        let text = format!("name = \"{name}\"\ncommand = {program}\nargs = [\"{mode}\"]\n{more}\n");
        fs::write(self.path("new"), text).unwrap();
        fs::rename(self.path("new"), self.path(&format!("engines/{name}.toml"))).unwrap();
    }

    fn take_out(&self, name: &str) {
        fs::remove_file(self.path(&format!("engines/{name}.toml"))).unwrap();
    }

    fn start(&self, args: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.current_dir(self.0.path()).args(["league", "."]).args(args).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// The matches so far, in the order in which they ended; a line that is being written is left out.
    fn records(&self) -> Vec<Record> {
        let journal = fs::read_to_string(self.path("results/matches.jsonl")).unwrap_or_default();
        journal.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Waits until something is so.
    #[track_caller]
    fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            assert!(begun.elapsed() < Duration::from_secs(60), "not so: {what}\n{}", self.reports());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn reports(&self) -> String {
        let files = fs::read_dir(self.path("engines")).unwrap().flatten().map(|entry| entry.path());
        let reports = files.filter(|path| path.extension().is_some_and(|end| end == "txt"));
        reports
            .map(|path| format!("{}: {}", path.display(), fs::read_to_string(&path).unwrap()))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The builds of an engine that have played.
    fn builds(&self, engine: &str) -> HashSet<String> {
        let prefix = format!("{engine}@");
        let names = self.records().into_iter().flat_map(|record| [record.white, record.black]);
        names.filter(|name| name.starts_with(&prefix)).collect()
    }

    /// No match was lost or played twice, every pair is as it should be, and `arena rate` gives the same ratings.
    #[track_caller]
    fn is_consistent(&self) {
        let mut pairs: BTreeMap<u32, Vec<Record>> = BTreeMap::new();
        let mut seen = HashSet::new();
        for record in self.records() {
            assert!(seen.insert(record.number), "match {} is there twice", record.number);
            pairs.entry(record.pair).or_default().push(record);
        }
        for (number, pair) in pairs {
            let [first, second] = pair.as_slice() else {
                assert_eq!(pair.len(), 1, "pair {number}");
                continue;
            };
            assert_eq!((&first.opening, &first.white), (&second.opening, &second.black), "pair {number}");
            assert_eq!(first.black, second.white, "pair {number}");
        }
        arena(self.0.path(), &["verify", "results"]).succeeds();
        let rated = arena(self.0.path(), &["rate", "results", "--format", "csv"]).text();
        assert_eq!(rated, fs::read_to_string(self.path("results/ratings.csv")).unwrap());
    }
}

fn end(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn engines_join_change_rest_and_come_back() {
    let league = League::new(HEAD);
    league.drop_in("alpha", "good", "");
    let child = league.start(&[]);
    league.wait_until("alpha was checked", |league| league.path("engines/alpha.report.txt").exists());
    // Alone, it waits.
    assert_eq!(league.records().len(), 0);
    league.drop_in("beta", "last", "");
    league.drop_in("broken", "good", "comand = \"x\"");
    league.wait_until("both play", |league| 4 <= league.records().len());
    league.wait_until("the file is wrong", |league| {
        league.reports().contains("broken.report.txt: does not play")
    });
    assert!(league.reports().contains("did you mean `command`?"), "{}", league.reports());

    // Another argument is another build; the old one is frozen.
    league.drop_in("alpha", "last", "");
    league.wait_until("a second build plays", |league| league.builds("alpha").len() == 2);
    league.take_out("beta");
    league.drop_in("gamma", "good", "");
    league.wait_until("gamma plays", |league| league.builds("gamma").len() == 1);
    league.drop_in("beta", "last", "");
    let n_before = league.records().len();
    league.wait_until("beta plays again", |league| {
        league.records()[n_before..].iter().any(|record| record.white.starts_with("beta@"))
    });
    assert_eq!(league.builds("beta").len(), 1, "the same build");
    let gamma = league.builds("gamma").into_iter().next().unwrap();
    league.wait_until("the ratings are in the file while it runs", |league| {
        fs::read_to_string(league.path("results/ratings.csv")).is_ok_and(|text| text.contains(&gamma))
    });
    end(child);

    // What a kill during a write leaves goes at the next start; files of others stay.
    let left = [
        "results/.builds.jsonAbCdEf.new",
        "results/.provenance.json012345.new",
        "engines/.alpha.report.txtx1y2z3.new",
    ];
    let of_others = ["results/.note.new", "engines/.draft.toml"];
    for name in left.iter().chain(&of_others) {
        fs::write(league.path(name), "").unwrap();
    }
    let output = arena(league.0.path(), &["league", ".", "--quiet", "--matches", "6"]).succeeds();
    assert_eq!(left.map(|name| league.path(name).exists()), [false; 3]);
    assert_eq!(of_others.map(|name| league.path(name).exists()), [true; 2]);
    let table = printed(&output);
    assert!(table.contains("matches of 3 engines") && table.contains("alpha"), "{table}");
    league.is_consistent();
    let listed = arena(league.0.path(), &["league", "list", "."]).text();
    assert!(listed.contains("matches of 3 engines") && listed.contains("gamma"), "{listed}");
    let builds = arena(league.0.path(), &["league", "list", ".", "alpha"]).text();
    let states: Vec<_> =
        builds.lines().skip(1).take(2).map(|line| line.split_whitespace().last().unwrap()).collect();
    assert_eq!(states, ["frozen", "newest"], "{builds}");
    arena(league.0.path(), &["league", "list", ".", "delta"]).fails(3).says("these have: ");
    let link = arena(league.0.path(), &["league", "link", ".", "house"]).text();
    assert!(link.starts_with("league/owner/") && link.trim().len() == "league/owner/".len() + 32, "{link}");
    arena(league.0.path(), &["league", "link", ".", "nobody"]).fails(3).says("belongs to `nobody`");
    let to = league.path("pages");
    arena(league.0.path(), &["league", "export", ".", "--to", to.to_str().unwrap()]).succeeds();
    let page = fs::read_to_string(to.join("engine/alpha.html")).unwrap();
    assert!(page.contains("frozen") && page.contains("newest"), "{page}");
    assert!(fs::read_to_string(to.join("index.html")).unwrap().contains("engine/alpha.html"));
    // Every replay that a page links to is there, and leads only to others that are.
    let linked: Vec<&str> =
        page.split("href=\"../match/").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(!linked.is_empty());
    for name in linked {
        let replay = fs::read_to_string(to.join("match").join(name)).unwrap();
        let beside = replay.split("\"beside\":[").nth(1).unwrap().split(']').next().unwrap();
        let beside = beside.split(',').map(|name| name.trim_matches('"')).filter(|name| *name != "null");
        for other in beside {
            assert!(to.join("match").join(other).exists(), "{name} leads to {other}");
        }
    }
    for file in ["assets/replay.js", "assets/style.css", "assets/errors.js", "rules/push-push.html"] {
        assert!(to.join(file).exists(), "{file}");
    }
}

#[test]
fn an_engine_that_fails_is_set_aside_and_its_owner_reads_why() {
    let league = League::new(HEAD);
    for (name, mode) in
        [("alpha", "good"), ("beta", "last"), ("crashes", "move-exit"), ("silent", "start-hang")]
    {
        league.drop_in(name, mode, "");
    }
    let child = league.start(&[]);
    league.wait_until("it is set aside", |league| league.reports().contains("crashes.report.txt: set aside"));
    let n_matches = league.records().len();
    league.wait_until("the others play on", |league| n_matches + 4 <= league.records().len());
    let faults = |league: &League| {
        league
            .records()
            .iter()
            .filter(|record| record.loser().is_some_and(|name| name.starts_with("crashes")))
            .count()
    };
    let n_faults = faults(&league);
    assert!((3..10).contains(&n_faults), "{n_faults}");
    // Whoever removes the report lets it play again.
    fs::remove_file(league.path("engines/crashes.report.txt")).unwrap();
    league.wait_until("it plays again", |league| n_faults < faults(league));
    end(child);
}

#[test]
fn a_folder_that_is_no_league_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    arena(folder.path(), &["league", "."]).fails(3).says("there is no league in `.`");
    let league = League::new(&HEAD.replace("newcomer-pairs", "newcomers"));
    arena(league.0.path(), &["league", "."]).fails(3).says("did you mean `newcomer-pairs`?");
    let league = League::new(&format!("{HEAD}[[engine]]\nname = \"fixed\"\ncommand = \"/bin/false\"\n"));
    arena(league.0.path(), &["league", "."]).fails(4).says("the anchor `fixed` cannot play");
}

/// Each engine is admitted alone, when the processors for the matches are taken already.
#[test]
fn an_engine_whose_matches_would_not_fit_does_not_play() {
    let resources = "[tournament]\nconcurrency = 1\ncores = 2\nmemory = \"600MiB\"\n";
    let league = League::new(&format!("{HEAD}{resources}"));
    for (name, keys) in
        [("alpha", "threads = 2"), ("beta", "threads = 2"), ("huge", "cage.memory = \"512MiB\"")]
    {
        league.drop_in(name, "good", keys);
    }
    arena(league.0.path(), &["league", ".", "--matches", "6"]).succeeds();
    assert!(league.builds("huge").is_empty());
    let reports = league.reports();
    assert!(
        reports.contains("two engines like `huge` need more than the `cores` or the `memory`"),
        "{reports}"
    );
}

/// The program is replaced between its first start and the end of its check.
#[cfg(target_os = "linux")]
#[test]
fn a_program_that_changes_while_it_is_checked_is_checked_again() {
    use std::os::unix::fs::PermissionsExt;

    let league = League::new(HEAD);
    league.drop_in("alpha", "good", "");
    let write = |note: &str| {
        let engine = fake_engine();
        let script = format!("#!/bin/sh\necho {note} >> starts\nsleep 0.3\nexec {} good\n", engine.display());
        fs::write(league.path("new"), script).unwrap();
        fs::set_permissions(league.path("new"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(league.path("new"), league.path("script")).unwrap();
    };
    write("old");
    let n_starts = |note: &str| {
        let starts = fs::read_to_string(league.path("starts")).unwrap_or_default();
        starts.lines().filter(|line| *line == note).count()
    };
    fs::write(league.path("engines/script.toml"), "name = \"script\"\ncommand = \"./script\"\n").unwrap();
    let child = league.start(&[]);
    league.wait_until("it is checked", |_| n_starts("old") == 2);
    write("new");
    league.wait_until("the new program plays", |league| !league.builds("script").is_empty());
    assert!(0 < n_starts("new"));
    end(child);
}

/// Engines of other owners play in the strict sandbox, or the league does not start.
#[cfg(target_os = "linux")]
#[test]
fn engines_of_others_play_only_in_the_strict_sandbox() {
    let league = League::new(HEAD);
    league.drop_in("alpha", "good", "");
    league.drop_in("other", "good", "owner = \"eve\"");
    let output = arena(league.0.path(), &["league", ".", "--quiet", "--matches", "4"]);
    if output.status.code() == Some(4) {
        output.says("play only in the strict sandbox");
        assert!(league.records().is_empty());
        return;
    }
    output.succeeds();
    let stored = fs::read_to_string(league.path("results/tournament.toml")).unwrap();
    assert_eq!(stored.matches("sandbox = true").count(), 1, "{stored}");
    assert!(league.records().iter().any(|record| record.white.starts_with("other@")));
}

#[test]
fn relative_paths_are_those_of_the_league() {
    let league = League::new(HEAD);
    fs::create_dir(league.path("programs")).unwrap();
    copy_program(fake_engine(), league.path("programs/engine"));
    for (name, keys) in [
        ("plain", "command = \"programs/engine\""),
        ("dotted", "command = \"./programs/engine\""),
        ("inside", "command = \"programs/engine\"\ndirectory = \"programs\""),
        ("nowhere", "command = \"engine\""),
    ] {
        let text = format!("name = \"{name}\"\nargs = [\"good\"]\n{keys}\n");
        fs::write(league.path(&format!("engines/{name}.toml")), text).unwrap();
    }
    // From another folder.
    let child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .arg("league")
        .arg(league.0.path())
        .stderr(Stdio::null())
        .spawn();
    let child = child.unwrap();
    for name in ["plain", "dotted", "inside"] {
        league.wait_until(name, |league| !league.builds(name).is_empty());
    }
    league.wait_until("the other one is wrong", |league| {
        league.reports().contains("there is no program `engine` on `PATH`")
    });
    end(child);
}

/// The first owner may come while the league runs.
#[test]
fn owners_are_read_again_while_it_runs() {
    let league = League::new(HEAD);
    league.drop_in("alpha", "good", "");
    let line = arena(league.0.path(), &["league", "key", "alice.key"]).text();
    fs::create_dir(league.path("mine")).unwrap();
    fs::write(league.path("mine/engine.toml"), "name = \"mine\"\ncommand = \"./mine\"\n").unwrap();
    copy_program(fake_engine(), league.path("mine/mine"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let mut site = Site::start(command.current_dir(league.0.path()).args(["league", ".", "--serve"]));
    let submit = || {
        let to = format!("http://{}", site.host);
        arena(league.0.path(), &["league", "submit", "--to", &to, "--key", "alice.key", "mine"])
    };
    submit().fails(3).says("does not know the key");
    let mut said = site.stderr.take().unwrap().lines().map_while(Result::ok);
    let mut hears = |words: &str| assert!(said.any(|line| line.contains(words)), "it did not say `{words}`");
    let write = |more: &str| {
        fs::write(league.path("new"), format!("{HEAD}{more}")).unwrap();
        fs::rename(league.path("new"), league.path("league.toml")).unwrap();
    };
    write("[league.owners]\nalice = \"rubbish\"\n");
    hears("so the owners stay as they were");
    write(&format!("[league.owners]\n{line}"));
    hears("1 owners may send engines");
    submit().succeeds();
    assert!(league.path("engines/mine.toml").exists());
}

/// The program `git` hangs, as it does with a server that does not answer.
#[cfg(target_os = "linux")]
#[test]
fn the_build_of_a_repository_ends_with_the_league() {
    use std::os::unix::fs::PermissionsExt;

    let league = League::new(HEAD);
    league.drop_in("alpha", "good", "");
    let (programs, pid) = (league.path("programs"), league.path("git.pid"));
    fs::create_dir(league.path("bin")).unwrap();
    let git = league.path("bin/git");
    fs::write(&git, format!("#!/bin/sh\necho $$ > {}\nexec sleep 300\n", pid.display())).unwrap();
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).unwrap();
    let file = "name = \"built\"\ngit = \"https://127.0.0.1/x.git\"\nrev = \"main\"\ncommand = \"./x\"\n";
    fs::write(league.path("engines/built.toml"), file).unwrap();
    // What a killed league has left goes at the next start.
    let old = league.path("programs/.incoming-old/work");
    fs::create_dir_all(&old).unwrap();
    let path = format!("{}:{}", league.path("bin").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(league.0.path()).args(["league", "."]).env("PATH", path).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    league.wait_until("git runs", |_| fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n')));
    assert!(!old.exists());
    let incoming = || fs::read_dir(&programs).unwrap().flatten().filter(|entry| entry.file_name() != "built");
    assert_eq!(incoming().count(), 1);
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    child.wait().unwrap();
    assert_eq!(incoming().count(), 0, "its folder");
    let pid = fs::read_to_string(&pid).unwrap();
    assert!(!PathBuf::from(format!("/proc/{}", pid.trim())).exists(), "the process");
}

/// A league that workers play, too.
#[cfg(target_os = "linux")]
fn with_workers(league: &League, server: &Server, args: &[&str]) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command
        .current_dir(league.0.path())
        .args(["league", ".", "--concurrency", "1", "--nats", &server.url()])
        .args(args);
    Running::start(&mut command)
}

/// The matches of an engine that this worker has played.
fn n_played(league: &League, worker: &str, engine: &str) -> usize {
    let is_it = |record: &&Record| {
        record.worker.as_deref() == Some(worker)
            && [&record.white, &record.black].iter().any(|name| name.starts_with(engine))
    };
    league.records().iter().filter(is_it).count()
}

#[cfg(target_os = "linux")]
#[test]
fn workers_play_a_league_whose_engines_join_and_leave() {
    let Some(server) = Server::start() else { return };
    let league = League::of(HEAD, &["alpha", "beta", "gamma"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let start = |name: &str| worker(elsewhere.path(), &server.url(), name, &["--cores", "1"]);
    let mut first = start("first");
    first.wait_for("waits for tournaments");
    let mut second = start("second");
    let mut coordinator = with_workers(&league, &server, &[]);
    for name in ["local", "first", "second"] {
        league.wait_until(name, |league| 0 < n_played(league, name, ""));
    }
    league.drop_in("delta", "weak-30", "");
    league.wait_until("the newcomer plays at workers", |league| {
        0 < n_played(league, "first", "delta") + n_played(league, "second", "delta")
    });
    league.take_out("alpha");
    coordinator.wait_for("rests");
    second.kill();
    let n_before = n_played(&league, "first", "");
    league.wait_until("the other one plays on", |league| n_before + 10 <= n_played(league, "first", ""));
    coordinator.signal(Signal::INT);
    let (code, said) = coordinator.end();
    assert_eq!(code, Some(130), "{said}");
    league.is_consistent();

    // Where it continues, the workers do.
    let n_before = n_played(&league, "first", "");
    let coordinator = with_workers(&league, &server, &[]);
    league.wait_until("it continues", |league| n_before < n_played(league, "first", ""));
    coordinator.signal(Signal::INT);
    assert_eq!(coordinator.end().0, Some(130));
    league.is_consistent();
}

/// An engine that works only here keeps neither the workers nor the league from playing.
#[cfg(target_os = "linux")]
#[test]
fn what_a_worker_cannot_play_is_played_elsewhere() {
    let Some(server) = Server::start() else { return };
    let league = League::of(HEAD, &["alpha", "beta"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let mut broken = worker_of_mode(elsewhere.path(), &server.url(), "broken", "start-exit");
    broken.wait_for("waits for tournaments");
    let mut coordinator = with_workers(&league, &server, &[]);
    broken.wait_for("cannot play an engine");
    let line = coordinator.wait_for("no worker can play one of its engines");
    let number: u32 = line.split("match ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    league.wait_until("it is played here", |league| {
        league.records().iter().any(|record| record.number == number)
    });
    let n_before = league.records().len();
    league.wait_until("it plays on", |league| n_before + 20 <= league.records().len());
    coordinator.signal(Signal::INT);
    assert_eq!(coordinator.end().0, Some(130));
    assert_eq!(n_played(&league, "broken", ""), 0);
    league.is_consistent();
}

/// Engines of other owners play at a worker in its strict sandbox, also if it trusts the coordinator.
#[cfg(target_os = "linux")]
#[test]
fn workers_play_engines_of_others_in_the_strict_sandbox() {
    let Some(server) = Server::start() else { return };
    if !arena(".", &["sandbox"]).text().lines().next().unwrap().ends_with("strict") {
        eprintln!("skipped: this system has no strict sandbox");
        return;
    }
    let league = League::new(HEAD);
    league.drop_in("alpha", "good", "");
    league.drop_in("other", "good", "owner = \"eve\"");
    let elsewhere = tempfile::tempdir().unwrap();
    let desk = worker(elsewhere.path(), &server.url(), "desk", &["--cores", "1"]);
    let coordinator = with_workers(&league, &server, &[]);
    league.wait_until("a worker plays it", |league| 0 < n_played(league, "desk", "other"));
    // Of the processes that the worker has started, one is in another user namespace.
    let parent = |id: u32| -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
    };
    let namespace = |id: u32| fs::read_link(format!("/proc/{id}/ns/user")).ok();
    let own = namespace(desk.id());
    let confined = || {
        let ids = fs::read_dir("/proc").unwrap().flatten();
        let mut ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        ids.any(|id| {
            let is_below = std::iter::successors(Some(id), |id| parent(*id)).any(|id| id == desk.id());
            is_below && namespace(id).is_some_and(|other| Some(other) != own)
        })
    };
    league.wait_until("its engine is confined", |_| confined());
    coordinator.signal(Signal::INT);
    assert_eq!(coordinator.end().0, Some(130));
    drop(desk);
    league.is_consistent();
}

/// Whatever is played elsewhere when an engine leaves, a program changes or the league ends.
#[cfg(target_os = "linux")]
#[test]
fn pairs_that_are_away_count_unless_a_program_has_changed() {
    let Some(server) = Server::start() else { return };
    let league = League::new(HEAD);
    league.drop_in("alpha", "good", "");
    league.drop_in("beta", "slow-150", "");
    let elsewhere = tempfile::tempdir().unwrap();
    let desk = worker(elsewhere.path(), &server.url(), "desk", &["--cores", "1"]);
    let mut coordinator = with_workers(&league, &server, &[]);
    // A pair of slow engines takes 1.8 s at least, and the next one begins at once.
    let begins_a_pair = |engine: &str| {
        let n_before = n_played(&league, "desk", engine);
        league.wait_until("it has played a pair", |league| n_before < n_played(league, "desk", engine));
        std::thread::sleep(Duration::from_millis(300));
    };
    begins_a_pair("beta");
    league.take_out("beta");
    coordinator.wait_for("rests");
    let n_before = n_played(&league, "desk", "beta");
    league.wait_until("it counts", |league| n_before + 2 == n_played(league, "desk", "beta"));

    let program = fs::read(fake_engine()).unwrap();
    let write = |end: &[u8]| {
        copy_program(fake_engine(), league.path("new"));
        fs::write(league.path("new"), [&program, end].concat()).unwrap();
        fs::rename(league.path("new"), league.path("gamma")).unwrap();
    };
    write(b"");
    let text = "name = \"gamma\"\ncommand = \"./gamma\"\nargs = [\"slow-150\"]\n";
    fs::write(league.path("engines/gamma.toml"), text).unwrap();
    begins_a_pair("gamma");
    write(b"changed");
    coordinator.wait_for("does not count: the program of gamma@");
    let old = league.builds("gamma").into_iter().next().unwrap();
    let n_before = n_played(&league, "desk", "gamma");
    league.wait_until("the new build plays there", |league| n_before < n_played(league, "desk", "gamma"));
    assert_eq!(n_played(&league, "desk", &old), n_before, "the new build alone");

    begins_a_pair("gamma");
    let n_before = n_played(&league, "desk", "gamma");
    coordinator.signal(Signal::INT);
    assert_eq!(coordinator.end().0, Some(130));
    assert_eq!(n_played(&league, "desk", "gamma"), n_before + 2);
    drop(desk);
    league.is_consistent();
}

/// Nobody is there any more who could play the pairs of a worker that is gone, but the league itself.
#[cfg(target_os = "linux")]
#[test]
fn a_league_without_workers_plays_their_pairs() {
    let Some(server) = Server::start() else { return };
    let league = League::of(HEAD, &["alpha", "beta"]);
    let elsewhere = tempfile::tempdir().unwrap();
    // Its engines hang in each match.
    let starts = elsewhere.path().join("starts");
    let mut command = worker_command(elsewhere.path(), &server.url(), "stuck", &["--cores", "1"]);
    command.env("FAKE_ENGINE_MODE", "think").env("FAKE_ENGINE_STARTS", &starts);
    let mut stuck = Running::start(&mut command);
    stuck.wait_for("waits for tournaments");
    let mut coordinator = with_workers(&league, &server, &["--lease", "2s"]);
    // Each engine was tried out, and both play.
    let n_starts = || fs::read_to_string(&starts).unwrap_or_default().lines().count();
    league.wait_until("the worker plays", |_| 4 <= n_starts());
    stuck.kill();
    coordinator.wait_for("is played again: no worker is left");
    let numbers =
        |league: &League| -> HashSet<u32> { league.records().iter().map(|record| record.number).collect() };
    let n_before = numbers(&league).into_iter().max().unwrap();
    league.wait_until("no match is missing", |league| {
        let numbers = numbers(league);
        (1..=n_before).all(|number| numbers.contains(&number))
    });
    coordinator.signal(Signal::INT);
    assert_eq!(coordinator.end().0, Some(130));
    assert_eq!(n_played(&league, "stuck", ""), 0);
    league.is_consistent();
}

/// The audit finds a worker that plays other moves, and the league continues without its matches.
#[cfg(target_os = "linux")]
#[test]
fn a_league_goes_on_without_a_worker_that_plays_other_moves() {
    let Some(server) = Server::start() else { return };
    let league = League::of(&format!("{HEAD}[machines]\naudit = 0.5\n"), &["alpha", "beta"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let mut liar = worker_of_mode(elsewhere.path(), &server.url(), "liar", "last");
    let mut coordinator = with_workers(&league, &server, &["--lease", "2s"]);
    league.wait_until("its pairs that are not audited count", |league| 0 < n_played(league, "liar", ""));
    let honest = ["a", "b"].map(|name| worker(elsewhere.path(), &server.url(), name, &["--cores", "1"]));
    let line = coordinator.wait_for("worker `liar` was set aside: the audit of pair");
    assert!(line.contains("; its matches no longer count"), "{line}");
    liar.wait_for("the coordinator has set this worker aside: the audit of pair");
    league
        .wait_until("the others play on", |league| 0 < n_played(league, "a", "") + n_played(league, "b", ""));
    coordinator.signal(Signal::INT);
    assert_eq!(coordinator.end().0, Some(130));
    drop(honest);
    assert_eq!(n_played(&league, "liar", ""), 0);
    league.is_consistent();
}

#[test]
fn a_league_whose_audit_is_impossible_does_not_start() {
    let head = HEAD.replace("nodes = 10", "movetime = \"10ms\"");
    let engine = format!(
        "[[engine]]\nname = \"fixed\"\ncommand = {}\n",
        toml::Value::from(fake_engine().to_str().unwrap())
    );
    let league = League::new(&format!("{head}[machines]\naudit = 0.5\n{engine}"));
    let output = arena(league.0.path(), &["league", ".", "--nats", "nats://127.0.0.1:1"]);
    output.fails(2).says("time limits the moves of engine `fixed`");
    assert!(!league.path("results/matches.jsonl").exists());
}

/// Twelve engines of these modes join, leave and change at random while the league is killed.
fn chaos(seed: u64, n_kills: u32, between: Duration, modes: [&str; 3]) {
    let league = League::new(&HEAD.replace("max-plies = 12", "max-plies = 8"));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut any = |n: u64| random.next_u64() % n;
    for n in 0..4 {
        league.drop_in(&format!("engine-{n}"), modes[0], "");
    }
    let mut known = 0;
    for kill in 0..n_kills {
        let child = league.start(&["--concurrency", "2"]);
        let begun = Instant::now();
        while begun.elapsed() < between {
            let name = format!("engine-{}", any(12));
            match any(4) {
                0 if league.path(&format!("engines/{name}.toml")).exists() => league.take_out(&name),
                _ => league.drop_in(&name, modes[any(3) as usize], ""),
            }
            std::thread::sleep(Duration::from_millis(100 + any(300)));
        }
        end(child);
        let numbers: HashSet<u32> = league.records().iter().map(|record| record.number).collect();
        assert!(known <= numbers.len(), "kill {kill} of seed {seed} lost matches");
        known = numbers.len();
    }
    for n in 0..3 {
        league.drop_in(&format!("engine-{n}"), modes[0], "");
    }
    arena(league.0.path(), &["league", ".", "--quiet", "--matches", "10"]).succeeds();
    assert!(known + 10 <= league.records().len(), "{known}");
    league.is_consistent();
}

/// The league and its workers are killed while pairs are away, and engines come and go.
#[cfg(target_os = "linux")]
#[test]
fn kills_while_workers_play_lose_and_repeat_nothing() {
    let Some(server) = Server::start() else { return };
    let league = League::of(HEAD, &["alpha", "beta", "gamma"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let start = |name: &str| worker(elsewhere.path(), &server.url(), name, &["--cores", "1"]);
    let names = ["first", "second"];
    let mut workers = names.map(start);
    let at_workers = |league: &League| names.map(|name| n_played(league, name, "")).iter().sum::<usize>();
    for round in 0..3 {
        let mut coordinator = with_workers(&league, &server, &["--lease", "2s"]);
        for _ in 0..2 {
            let n_before = at_workers(&league);
            league.wait_until("workers play", |league| n_before + 4 <= at_workers(league));
            match round % 3 {
                0 => workers[round % 2] = start(names[round % 2]),
                1 if league.path("engines/beta.toml").exists() => league.take_out("beta"),
                _ => league.drop_in("beta", ["good", "weak-30"][round % 2], ""),
            }
        }
        let before: HashSet<u32> = league.records().iter().map(|record| record.number).collect();
        coordinator.kill();
        let after: HashSet<u32> = league.records().iter().map(|record| record.number).collect();
        assert!(before.is_subset(&after), "round {round}");
    }
    let coordinator = with_workers(&league, &server, &["--lease", "2s"]);
    let n_before = at_workers(&league);
    league.wait_until("workers play on", |league| n_before + 10 <= at_workers(league));
    coordinator.signal(Signal::INT);
    assert_eq!(coordinator.end().0, Some(130));
    league.is_consistent();
}

#[test]
fn chaos_loses_nothing() {
    chaos(1, 3, Duration::from_secs(3), ["good", "last", "weak-30"]);
}

/// `cargo it-release league::an_hour_of_chaos --ignored`
#[test]
#[ignore = "takes an hour"]
fn an_hour_of_chaos() {
    // Quick engines play some hundred thousand matches in an hour, which a debug build takes minutes to read.
    chaos(2, 20, Duration::from_secs(180), ["slow-50", "slow-60", "weak-30"]);
}
