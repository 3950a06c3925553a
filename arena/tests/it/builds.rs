//! Which builds of its engines a tournament was played by: what the results folder keeps of them, and what happens when a
//! program changes between two runs or in mid-run.

#![cfg(unix)]
use crate::common::tournament;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::fake_engine;
use model::Build;
use model::Record;
use model::hex;
use sha2::{Digest, Sha256};
use store::Provenance;
use tournament::{Tournament, said};

const HEAD: &str = "[tournament]\npairs = 1\nconcurrency = 1\nseed = 7\n[limits]\nnodes = 10\nmax-plies = 6\n\
                    [[game]]\nid = \"push-push\"\n";

/// A tournament of scripts that start the good engine, one for each name.
fn scripts(names: &[&str]) -> Tournament {
    let cup = Tournament::new(HEAD, &[]);
    let mut config = HEAD.to_owned();
    for name in names {
        config.push_str(&format!(
            "[[engine]]\nname = \"{name}\"\ncommand = \"sh\"\nargs = [\"{name}.sh\"]\noptions = {{ Hash = 8 }}\n"
        ));
        write_script(&cup, name, "");
    }
    fs::write(cup.path("cup.toml"), config).unwrap();
    cup
}

fn write_script(cup: &Tournament, name: &str, line: &str) {
    let program = fake_engine();
    let script = format!("{line}\nexec '{}' good\n", program.display());
    fs::write(cup.path(&format!("{name}.sh")), script).unwrap();
}

fn records(cup: &Tournament) -> Vec<Record> {
    let text = fs::read_to_string(cup.path("results/cup/matches.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The build that played for `engine` in each of its matches.
fn builds_of(cup: &Tournament, engine: &str) -> Vec<Option<String>> {
    let of = |record: Record| {
        let sides = [(record.white, record.white_build), (record.black, record.black_build)];
        sides.into_iter().find(|(name, _)| name == engine).map(|(_, build)| build)
    };
    records(cup).into_iter().filter_map(of).collect()
}

fn provenance(cup: &Tournament) -> Provenance {
    Provenance::read(&cup.path("results/cup")).unwrap()
}

fn sha256(path: &Path) -> String {
    hex(&Sha256::digest(fs::read(path).unwrap()))
}

fn succeeds(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn arena(cup: &Tournament, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena")).current_dir(cup.folder.path()).args(args).output().unwrap()
}

#[test]
fn a_tournament_keeps_who_played_it_and_where() {
    let cup = scripts(&["one", "two"]);
    succeeds(&cup.command(&[]).env("FAKE_ENGINE_VERSION", "2.5 beta").output().unwrap());
    let provenance = provenance(&cup);
    let [run] = provenance.runs.as_slice() else { panic!("{provenance:?}") };
    assert_eq!((run.arena.as_str(), run.seed), (env!("CARGO_PKG_VERSION"), 7));
    assert!(0 < run.cores && !run.processor.is_empty());
    assert!(run.begun.ends_with('Z') && run.begun.starts_with("20"), "{}", run.begun);
    let [one, two] = provenance.builds.as_slice() else { panic!("{provenance:?}") };
    assert_eq!((one.name.as_deref(), one.version.as_deref()), (Some("Fake"), Some("2.5 beta")));
    assert_eq!(one.options["Hash"], "8");
    // The interpreter and the script.
    let files: Vec<_> = two.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, ["sh", "two.sh"]);
    assert_eq!(two.files[1].sha256, Some(sha256(&cup.path("two.sh"))));
    assert!(two.files[0].sha256.is_some());
    for (engine, build) in [("one", one), ("two", two)] {
        assert_eq!(build.engine, engine);
        assert_eq!(run.builds[engine], build.id);
        assert_eq!(builds_of(&cup, engine), vec![Some(build.id.clone()); 2]);
    }
    assert_eq!(one.id, two.id, "their scripts are the same");
    succeeds(&arena(&cup, &["verify", "results/cup"]));
    let page = fs::read_to_string(cup.path("results/cup/report.html")).unwrap();
    for text in [&one.id, "2.5 beta", "two.sh", &run.begun, &run.processor, "Hash = 8"] {
        assert!(page.contains(text), "{text}");
    }

    // A run that has nothing to play is none.
    succeeds(&cup.command(&[]).env("FAKE_ENGINE_VERSION", "2.5 beta").output().unwrap());
    assert_eq!(self::provenance(&cup).runs.len(), 1);
}

#[test]
fn a_program_that_has_changed_plays_on_only_if_the_user_says_so() {
    let cup = scripts(&["one", "two"]);
    succeeds(&cup.run(&[]));
    let folder = cup.path("results/cup");
    let state =
        || ["matches.jsonl", "matches.csv", "provenance.json"].map(|it| fs::read(folder.join(it)).unwrap());
    let before = state();
    let first = builds_of(&cup, "one")[0].clone();
    write_script(&cup, "one", "# a change");
    for args in
        [&["--pairs", "2"][..], &["--pairs", "2", "--dry-run"], &["--pairs", "2", "--accept-changed", "two"]]
    {
        let output = cup.run(args);
        assert_eq!(output.status.code(), Some(5), "{}", said(&output));
        let ids = without_ids(&said(&output));
        insta::allow_duplicates! { insta::assert_snapshot!(ids, @r"
        error: the program of engine `one` has changed since the matches in `results/cup` were played:
          one: build ID (Fake) played the matches, the present build is ID (Fake); changed files: one.sh
        play these matches again with `--replay one`, keep them with `--accept-changed one`, or move all matches aside with `--fresh`
        "); }
        assert_eq!(state(), before, "nothing is lost");
    }

    let standings = succeeds(&cup.run(&["--pairs", "2", "--accept-changed", "one"]));
    let note = "matches of several builds are counted as one engine: one (2 builds)";
    assert!(plain(&standings).contains(note), "{standings}");
    let played = builds_of(&cup, "one");
    assert_eq!(played.iter().filter(|build| **build == first).count(), 2);
    assert_eq!(played.len(), 4);
    let other = provenance(&cup).builds.iter().filter(|build: &&Build| build.engine == "one").count();
    assert_eq!((other, provenance(&cup).runs.len()), (2, 2));
    succeeds(&arena(&cup, &["verify", "results/cup"]));
    let rated = succeeds(&arena(&cup, &["rate", "results/cup"]));
    assert!(plain(&rated).contains(note), "{rated}");
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains(note), "the page says so too");

    // Said once: the same program goes on without it. Back to the first one, it is asked again.
    succeeds(&cup.run(&["--pairs", "3"]));
    write_script(&cup, "one", "");
    assert_eq!(cup.run(&["--pairs", "4"]).status.code(), Some(5));

    // What is played again is of one build, and the note is gone.
    let standings = succeeds(&cup.run(&["--replay", "one", "--pairs", "4"]));
    assert!(!plain(&standings).contains("different builds"), "{standings}");
    assert_eq!(builds_of(&cup, "one"), vec![first; 8]);
    succeeds(&arena(&cup, &["verify", "results/cup"]));
}

#[test]
fn several_programs_are_accepted_or_played_again_at_once() {
    let cup = scripts(&["one", "two", "three"]);
    succeeds(&cup.run(&[]));
    for name in ["one", "two"] {
        write_script(&cup, name, "# a change");
    }
    let output = cup.run(&["--pairs", "2"]);
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    assert!(said(&output).contains("the programs of 2 engines have changed"), "{}", said(&output));
    assert!(said(&output).contains("`--accept-changed one --accept-changed two`"), "{}", said(&output));
    succeeds(&cup.run(&["--pairs", "2", "--replay", "one", "--accept-changed", "two"]));
    let n_builds = |engine: &str| {
        let mut builds = builds_of(&cup, engine);
        builds.sort();
        builds.dedup();
        builds.len()
    };
    assert_eq!(["one", "two", "three"].map(n_builds), [1, 2, 1]);
    let output = cup.run(&["--accept-changed", "tow"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("`--accept-changed`: no engine is named `tow`"), "{}", said(&output));
}

#[test]
fn a_version_alone_makes_another_build() {
    let cup = scripts(&["one", "two"]);
    let run = |version: &str, args: &[&str]| {
        cup.command(args).env("FAKE_ENGINE_VERSION", version).output().unwrap()
    };
    succeeds(&run("1", &[]));
    let output = run("2", &["--pairs", "2"]);
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    let text = without_ids(&said(&output));
    assert!(
        text.contains("two: build ID (Fake 1) played the matches, the present build is ID (Fake 2)\n"),
        "{text}"
    );
}

#[test]
fn matches_that_name_no_build_are_read_and_count() {
    let cup = scripts(&["one", "two"]);
    succeeds(&cup.run(&[]));
    let journal = cup.path("results/cup/matches.jsonl");
    let mut lines = String::new();
    for mut record in records(&cup) {
        (record.white_build, record.black_build) = (None, None);
        lines.push_str(&format!("{}\n", serde_json::to_string(&record).unwrap()));
    }
    assert!(!lines.contains("build"));
    fs::write(&journal, lines).unwrap();
    fs::remove_file(cup.path("results/cup/provenance.json")).unwrap();
    succeeds(&arena(&cup, &["verify", "results/cup"]));
    write_script(&cup, "one", "# a change");
    let output = cup.run(&["--pairs", "2"]);
    succeeds(&output);
    assert!(said(&output).contains("2 of them finished before"), "{}", said(&output));
    assert_eq!(cup.rows("results/cup").len(), 4);
    let known: Vec<bool> = builds_of(&cup, "one").iter().map(Option::is_some).collect();
    assert_eq!(known, [false, false, true, true]);
}

#[test]
fn a_program_that_is_replaced_in_mid_run_is_said_and_its_matches_name_no_build() {
    let cup = scripts(&["one", "two"]);
    // Its second process is that of the first match.
    let change = "if [ -e started ]; then echo '# a change' >> one.sh; fi; touch started";
    write_script(&cup, "one", change);
    let output = cup.run(&[]);
    succeeds(&output);
    let warning = "`one.sh`, a file of engine `one`, changed during the tournament";
    assert_eq!(said(&output).matches(warning).count(), 1, "{}", said(&output));
    assert_eq!(builds_of(&cup, "one"), [None, None]);
    assert!(builds_of(&cup, "two").iter().all(Option::is_some));
}

#[test]
fn a_build_that_the_folder_does_not_know_is_found_by_verify() {
    let cup = scripts(&["one", "two"]);
    succeeds(&cup.run(&[]));
    let path = cup.path("results/cup/provenance.json");
    let verify = || arena(&cup, &["verify", "results/cup"]);
    let mut changed = provenance(&cup);
    changed.builds.retain(|build| build.engine != "two");
    changed.write(&cup.path("results/cup")).unwrap();
    let output = verify();
    assert_eq!(output.status.code(), Some(3));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("of engine `two` is missing; matches that refer to it: 2\n"), "{printed}");
    fs::write(&path, "{").unwrap();
    assert_eq!(verify().status.code(), Some(3));
    // Nothing is overwritten that cannot be read.
    let output = cup.run(&["--pairs", "2"]);
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    assert!(said(&output).contains("the matches count without it"), "{}", said(&output));
    assert_eq!(fs::read_to_string(&path).unwrap(), "{");
}

/// A text with `ID` for every id of a build.
fn without_ids(text: &str) -> String {
    let is_id = |word: &str| word.len() == 12 && word.chars().all(|c| c.is_ascii_hexdigit());
    let lines = text.lines().map(|line| {
        let words: Vec<_> = line.split(' ').map(|word| if is_id(word) { "ID" } else { word }).collect();
        words.join(" ")
    });
    lines.map(|line| line + "\n").collect()
}

/// A text in one line: notes are wrapped.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
