//! Who plays when and where: matches that take several processors or much memory, and places with processors of their
//! own. Real engines say what they were given.

use crate::common;

use std::fs;

use crate::common::tournament::{Ended, Tournament, printed, said};

const SMALL: &str = "[limits]\nnodes = 10\nmax-plies = 20\nmargin = \"20s\"\n[[game]]\nid = \"push-push\"\n";

/// A tournament of these keys, and engines with a name, a mode and keys of their own.
fn cup(tournament: &str, engines: &[(&str, &str, &str)]) -> Tournament {
    let cup = Tournament::new(&format!("[tournament]\n{tournament}\n{SMALL}"), &[]);
    let program = toml::Value::from(common::fake_engine().to_str().unwrap());
    for (name, mode, keys) in engines {
        cup.add(&format!("[[engine]]\nname = \"{name}\"\ncommand = {program}\nargs = [\"{mode}\"]\n{keys}"));
    }
    cup
}

#[test]
fn more_matches_at_once_than_processors_are_warned_of() {
    let cup = cup("", &[("one", "good", ""), ("two", "good", "")]);
    let many = said(&cup.run(&["--dry-run", "--concurrency", "60000"]));
    assert!(many.contains("warning: `concurrency = 60000` needs 60000 processors, but "), "{many}");
    let one = said(&cup.run(&["--dry-run", "--concurrency", "1"]));
    assert!(!one.contains("warning"), "{one}");
}

/// The most matches that were under way together, by the files in which their conversations are kept: each is there from its
/// match's first moment on.
fn most_at_once(cup: &Tournament) -> usize {
    let log = fs::read_to_string(cup.path("at-once")).unwrap();
    let mut n = 0_usize;
    let counts = log.lines().map(|line| {
        n = if line.starts_with("begun") { n + 1 } else { n - 1 };
        n
    });
    counts.max().unwrap_or_default()
}

#[cfg(unix)]
#[test]
fn matches_that_take_all_are_played_alone() {
    // An engine that notes when it is asked for its first move and when it ends.
    let noting = |cup: &Tournament| {
        let engine = common::fake_engine();
        let script = format!(
            "#!/bin/sh\necho begun >> '{log}'\n'{engine}' \"$1\"\necho ended >> '{log}'\n",
            log = cup.path("at-once").display(),
            engine = engine.display()
        );
        let path = cup.path("noting");
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let config = fs::read_to_string(cup.path("cup.toml")).unwrap();
        let command = toml::Value::from(path.to_str().unwrap());
        let quoted = toml::Value::from(engine.to_str().unwrap()).to_string();
        let (head, last) = config.rsplit_once(&quoted).unwrap();
        fs::write(cup.path("cup.toml"), format!("{head}{command}{last}")).unwrap();
    };
    for (tournament, keys, most) in [
        // Both engines of a match keep their memory, so a process of the engine stands for a match.
        ("pairs = 6\nconcurrency = 3\ncores = 3\nmemory = \"1GiB\"", "cage = { memory = \"1GiB\" }", 1),
        ("pairs = 6\nconcurrency = 3\ncores = 3\nmemory = \"2GiB\"", "cage = { memory = \"1GiB\" }", 2),
        ("pairs = 6\nconcurrency = 3\ncores = 3", "threads = 2", 1),
    ] {
        let cup = cup(tournament, &[("one", "good", ""), ("two", "good", keys)]);
        noting(&cup);
        cup.run(&[]).succeeds();
        assert_eq!(cup.rows("results/cup").len(), 12);
        assert!(cup.rows("results/cup").iter().all(|row| row[7] != "crash"), "{:?}", cup.rows("results/cup"));
        assert_eq!(most_at_once(&cup), most, "{tournament} {keys}");
    }
}

#[test]
fn wide_and_narrow_matches_are_all_played() {
    let engines = [
        ("one", "good", ""),
        ("two", "good", "threads = 2"),
        ("three", "good", "threads = 3"),
        ("four", "good", ""),
    ];
    let cup = cup("pairs = 3\nconcurrency = 3\ncores = 3\npin = false", &engines);
    cup.run(&[]).succeeds();
    assert_eq!(cup.rows("results/cup").len(), 6 * 3 * 2);
}

#[test]
fn a_match_that_can_never_begin_is_told_before_anything() {
    let cup = cup("cores = 2", &[("one", "good", ""), ("two", "good", "threads = 3")]);
    cup.run(&[]).fails(3).says("engine `two` needs 3 threads");
    assert!(!cup.path("results/cup/matches.jsonl").exists());
}

/// The processors that each engine's process was started on, by its name.
#[cfg(target_os = "linux")]
fn processors(cup: &Tournament, name: &str) -> Vec<String> {
    let text = fs::read_to_string(cup.path(&format!("results/cup/logs/{name}.stderr"))).unwrap();
    let words = text.lines().filter_map(|line| line.strip_prefix("scheduling: cpus "));
    // The first process is the one that is only looked at, before there are places.
    words.skip(1).map(|words| words.split(' ').next().unwrap().to_owned()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn the_engines_of_a_place_have_a_processor_of_their_own() {
    let usable = rustix::thread::sched_getaffinity(None).unwrap();
    if usable.count() < 2 {
        eprintln!("skipped: one processor is all there is");
        return;
    }
    let engines = [("one", "cage-scheduling", ""), ("two", "cage-scheduling", "")];
    let pinned = cup("concurrency = 1\npairs = 2", &engines);
    let locks = tempfile::tempdir().unwrap();
    // A folder of its own for the locks: other arenas on this machine have none of its processors.
    let run = |cup: &Tournament| {
        let output = cup.command(&[]).env("TMPDIR", locks.path()).output().unwrap().succeeds();
        said(&output)
    };
    assert!(!run(&pinned).contains("not pinned"));
    let first = processors(&pinned, "one");
    assert_eq!(first.len(), 1, "a place keeps its engines");
    assert!(first[0].parse::<usize>().is_ok_and(|cpu| usable.is_set(cpu)), "{first:?}");
    assert_eq!(processors(&pinned, "two"), first);

    // As many as the wider engine has threads; what its cage names comes first.
    let engines = [
        ("one", "cage-scheduling", "threads = 2"),
        ("two", "cage-scheduling", &*format!("cage = {{ cpu-affinity = [{}] }}", first[0])),
    ];
    let wide = cup("concurrency = 1", &engines);
    run(&wide);
    let all = processors(&wide, "one");
    assert!(all.iter().all(|cpus| cpus.parse::<usize>().is_err()), "two of them: {all:?}");
    assert_eq!(processors(&wide, "two"), first);

    // Not if it is not wanted, nor if another arena has them.
    let free = cup("concurrency = 1\npin = false", &[("one", "cage-scheduling", ""), ("two", "good", "")]);
    run(&free);
    let everywhere = processors(&free, "one");
    assert_ne!(everywhere, first);
    let mut held = Vec::new();
    for entry in fs::read_dir(locks.path()).unwrap() {
        let file = fs::File::open(entry.unwrap().path()).unwrap();
        file.lock().unwrap();
        held.push(file);
    }
    let n_usable = usable.count() as usize;
    let second = cup(
        &format!("concurrency = {n_usable}\npairs = {n_usable}"),
        &[("one", "cage-scheduling", ""), ("two", "good", "")],
    );
    let words = run(&second);
    assert!(words.contains("not pinned to processors (`pin`): the matches need"), "{words}");
    assert_eq!(processors(&second, "one")[..1], everywhere[..]);
}

/// Engines that ponder think at the same time: neither takes processors from the other, whichever side it plays.
#[cfg(target_os = "linux")]
#[test]
fn engines_that_ponder_have_processors_of_their_own() {
    use std::os::unix::fs::PermissionsExt;
    if rustix::thread::sched_getaffinity(None).unwrap().count() < 2 {
        eprintln!("skipped: one processor is all there is");
        return;
    }
    let cup = cup("concurrency = 1\ncores = 2\nponder = true\npairs = 2", &[]);
    let script =
        "#!/bin/sh\nsed -n 's/^Cpus_allowed_list:[[:space:]]*/scheduling: cpus /p' /proc/self/status >&2\n";
    let engine = common::fake_engine();
    fs::write(cup.path("ponder"), format!("{script}exec '{}' ponder-good\n", engine.display())).unwrap();
    fs::set_permissions(cup.path("ponder"), fs::Permissions::from_mode(0o755)).unwrap();
    for name in ["one", "two"] {
        cup.add(&format!("[[engine]]\nname = \"{name}\"\ncommand = \"./ponder\""));
    }
    let locks = tempfile::tempdir().unwrap();
    cup.command(&[]).env("TMPDIR", locks.path()).output().unwrap().succeeds();
    assert_eq!(cup.rows("results/cup").len(), 4);
    let [one, two] = ["one", "two"].map(|name| processors(&cup, name));
    assert!(one.len() == 1 && two.len() == 1, "a place keeps its engines: {one:?} {two:?}");
    assert!(
        one[0].parse::<usize>().is_ok() && two[0].parse::<usize>().is_ok() && one != two,
        "{one:?} {two:?}"
    );
}

#[test]
fn a_pairing_has_its_own_number_of_pairs() {
    let engines = [("one", "good", ""), ("two", "good", ""), ("three", "good", "")];
    let pairing = |pairs: u32| format!("[[pairing]]\nengines = [\"one\", \"three\"]\npairs = {pairs}\n");
    let cup = cup("pairs = 2\nconcurrency = 2", &engines);
    let plain = fs::read_to_string(cup.path("cup.toml")).unwrap();
    let with = |text: &str| fs::write(cup.path("cup.toml"), format!("{plain}{text}")).unwrap();
    let n_matches = |words: &str| {
        cup.run(&[]).succeeds().says(words);
        let rows = cup.rows("results/cup");
        let numbers: Vec<usize> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
        assert_eq!(numbers, (1..=rows.len()).collect::<Vec<_>>());
        let n_of = |name: &str| rows.iter().filter(|row| row[4] == name || row[5] == name).count();
        let mut verify = std::process::Command::new(env!("CARGO_BIN_EXE_arena"));
        let verified =
            verify.current_dir(cup.folder.path()).args(["verify", "results/cup"]).output().unwrap();
        assert!(verified.status.success(), "{}", printed(&verified));
        [rows.len(), n_of("two")]
    };
    with(&pairing(5));
    let dry = printed(&cup.run(&["--dry-run"]));
    assert!(dry.contains("one - three: 10 matches") && dry.contains("one - two: 4 matches"), "{dry}");
    assert_eq!(n_matches("18 matches"), [2 * (2 + 2 + 5), 8]);
    // More later, as well as none, and the ordinary number again: what was played is kept as far as it is scheduled.
    with(&pairing(6));
    assert_eq!(n_matches("20 matches, 18 of them finished before"), [20, 8]);
    with("");
    assert_eq!(n_matches("12 matches, 12 of them finished before"), [12, 8]);
    with(&pairing(0));
    assert_eq!(n_matches("4 matches no longer count"), [8, 8]);
}
