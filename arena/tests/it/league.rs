//! A league as its users have it: the program itself in a folder, with engines that join, change, fail and leave while it runs,
//! and while it is killed.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use model::Record;
use tempfile::TempDir;

use crate::common::fake_engine;
use crate::common::tournament::{Ended, arena, printed};

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
    end(child);

    let output = arena(league.0.path(), &["league", ".", "--quiet", "--matches", "6"]).succeeds();
    let table = printed(&output);
    assert!(table.contains("matches of 3 engines") && table.contains("alpha"), "{table}");
    league.is_consistent();
    let link = arena(league.0.path(), &["league", "link", ".", "house"]).text();
    assert!(link.starts_with("league/owner/") && link.trim().len() == "league/owner/".len() + 32, "{link}");
    arena(league.0.path(), &["league", "link", ".", "nobody"]).fails(3).says("belongs to `nobody`");
    let to = league.path("pages");
    arena(league.0.path(), &["league", "export", ".", "--to", to.to_str().unwrap()]).succeeds();
    let page = fs::read_to_string(to.join("engine/alpha.html")).unwrap();
    assert!(page.contains("frozen") && page.contains("newest"), "{page}");
    assert!(fs::read_to_string(to.join("index.html")).unwrap().contains("engine/alpha.html"));
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

/// Twelve engines join, leave and change at random while the league is killed.
fn chaos(seed: u64, n_kills: u32, between: Duration) {
    let league = League::new(&HEAD.replace("max-plies = 12", "max-plies = 8"));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut any = |n: u64| random.next_u64() % n;
    for n in 0..4 {
        league.drop_in(&format!("engine-{n}"), "good", "");
    }
    let mut known = 0;
    for kill in 0..n_kills {
        let child = league.start(&["--concurrency", "2"]);
        let begun = Instant::now();
        while begun.elapsed() < between {
            let name = format!("engine-{}", any(12));
            match any(4) {
                0 if league.path(&format!("engines/{name}.toml")).exists() => league.take_out(&name),
                _ => league.drop_in(&name, ["good", "last", "weak-30"][any(3) as usize], ""),
            }
            std::thread::sleep(Duration::from_millis(100 + any(300)));
        }
        end(child);
        let numbers: HashSet<u32> = league.records().iter().map(|record| record.number).collect();
        assert!(known <= numbers.len(), "kill {kill} of seed {seed} lost matches");
        known = numbers.len();
    }
    for n in 0..3 {
        league.drop_in(&format!("engine-{n}"), "good", "");
    }
    arena(league.0.path(), &["league", ".", "--quiet", "--matches", "10"]).succeeds();
    assert!(known + 10 <= league.records().len(), "{known}");
    league.is_consistent();
}

#[test]
fn chaos_loses_nothing() {
    chaos(1, 3, Duration::from_secs(3));
}

/// `cargo it league::an_hour_of_chaos --ignored`
#[test]
#[ignore = "takes an hour"]
fn an_hour_of_chaos() {
    chaos(2, 20, Duration::from_secs(180));
}
