//! Which builds of its engines a tournament was played by: what the results folder keeps of them, and what happens when a
//! program changes between two runs or in mid-run.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::common::fake_engine;
use crate::common::tournament::{Ended, Tournament, printed, said};
use model::Build;
use model::Record;
use model::hex;
use sha2::{Digest, Sha256};
use store::Provenance;

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

/// The build that played for `engine` in each of its matches.
fn builds_of(cup: &Tournament, engine: &str) -> Vec<Option<String>> {
    let of = |record: Record| {
        let sides = [(record.white, record.white_build), (record.black, record.black_build)];
        sides.into_iter().find(|(name, _)| name == engine).map(|(_, build)| build)
    };
    cup.records("results/cup").into_iter().filter_map(of).collect()
}

fn provenance(cup: &Tournament) -> Provenance {
    Provenance::read(&cup.path("results/cup")).unwrap()
}

fn sha256(path: &Path) -> String {
    hex(&Sha256::digest(fs::read(path).unwrap()))
}

#[test]
fn a_tournament_keeps_who_played_it_and_where() {
    let cup = scripts(&["one", "two"]);
    cup.command(&[]).env("FAKE_ENGINE_VERSION", "2.5 beta").output().unwrap().succeeds();
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
    cup.verifies("results/cup");
    let page = fs::read_to_string(cup.path("results/cup/report.html")).unwrap();
    for text in [&one.id, "2.5 beta", "two.sh", &run.begun, &run.processor, "Hash = 8"] {
        assert!(page.contains(text), "{text}");
    }

    // A run that has nothing to play is none.
    cup.command(&[]).env("FAKE_ENGINE_VERSION", "2.5 beta").output().unwrap().succeeds();
    assert_eq!(self::provenance(&cup).runs.len(), 1);
}

#[test]
fn a_program_that_has_changed_plays_on_only_if_the_user_says_so() {
    let cup = scripts(&["one", "two"]);
    cup.run(&[]).succeeds();
    let folder = cup.path("results/cup");
    let state =
        || ["matches.jsonl", "matches.csv", "provenance.json"].map(|it| fs::read(folder.join(it)).unwrap());
    let before = state();
    let first = builds_of(&cup, "one")[0].clone();
    write_script(&cup, "one", "# a change");
    for args in
        [&["--pairs", "2"][..], &["--pairs", "2", "--dry-run"], &["--pairs", "2", "--accept-changed", "two"]]
    {
        let output = cup.run(args).fails(5);
        let ids = without_ids(&said(&output));
        insta::allow_duplicates! { insta::assert_snapshot!(ids, @r"
        error: the program of engine `one` has changed since the matches in `results/cup` were played:
          one: build ID (Fake) played the matches, the present build is ID (Fake); changed files: one.sh
        play these matches again with `--replay one`, keep them with `--accept-changed one`, or move all matches aside with `--fresh`
        "); }
        assert_eq!(state(), before, "nothing is lost");
    }

    let standings = cup.run(&["--pairs", "2", "--accept-changed", "one"]).text();
    let note = "matches of several builds are counted as one engine: one (2 builds)";
    assert!(plain(&standings).contains(note), "{standings}");
    let played = builds_of(&cup, "one");
    assert_eq!(played.iter().filter(|build| **build == first).count(), 2);
    assert_eq!(played.len(), 4);
    let other = provenance(&cup).builds.iter().filter(|build: &&Build| build.engine == "one").count();
    assert_eq!((other, provenance(&cup).runs.len()), (2, 2));
    cup.verifies("results/cup");
    let rated = cup.arena(&["rate", "results/cup"]).text();
    assert!(plain(&rated).contains(note), "{rated}");
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains(note), "the page says so too");

    // Said once: the same program goes on without it. Back to the first one, it is asked again.
    cup.run(&["--pairs", "3"]).succeeds();
    write_script(&cup, "one", "");
    cup.run(&["--pairs", "4"]).fails(5);

    // What is played again is of one build, and the note is gone.
    let standings = cup.run(&["--replay", "one", "--pairs", "4"]).text();
    assert!(!plain(&standings).contains("different builds"), "{standings}");
    assert_eq!(builds_of(&cup, "one"), vec![first; 8]);
    cup.verifies("results/cup");
}

#[test]
fn several_programs_are_accepted_or_played_again_at_once() {
    let cup = scripts(&["one", "two", "three"]);
    cup.run(&[]).succeeds();
    for name in ["one", "two"] {
        write_script(&cup, name, "# a change");
    }
    cup.run(&["--pairs", "2"])
        .fails(5)
        .says("the programs of 2 engines have changed")
        .says("`--accept-changed one --accept-changed two`");
    cup.run(&["--pairs", "2", "--replay", "one", "--accept-changed", "two"]).succeeds();
    let n_builds = |engine: &str| {
        let mut builds = builds_of(&cup, engine);
        builds.sort();
        builds.dedup();
        builds.len()
    };
    assert_eq!(["one", "two", "three"].map(n_builds), [1, 2, 1]);
    cup.run(&["--accept-changed", "tow"]).fails(2).says("`--accept-changed`: no engine is named `tow`");
}

#[test]
fn a_version_alone_makes_another_build() {
    let cup = scripts(&["one", "two"]);
    let run = |version: &str, args: &[&str]| {
        cup.command(args).env("FAKE_ENGINE_VERSION", version).output().unwrap()
    };
    run("1", &[]).succeeds();
    let output = run("2", &["--pairs", "2"]).fails(5);
    let text = without_ids(&said(&output));
    assert!(
        text.contains("two: build ID (Fake 1) played the matches, the present build is ID (Fake 2)\n"),
        "{text}"
    );
}

#[test]
fn matches_that_name_no_build_are_read_and_count() {
    let cup = scripts(&["one", "two"]);
    cup.run(&[]).succeeds();
    let journal = cup.path("results/cup/matches.jsonl");
    let mut lines = String::new();
    for mut record in cup.records("results/cup") {
        (record.white_build, record.black_build) = (None, None);
        lines.push_str(&format!("{}\n", serde_json::to_string(&record).unwrap()));
    }
    assert!(!lines.contains("build"));
    fs::write(&journal, lines).unwrap();
    fs::remove_file(cup.path("results/cup/provenance.json")).unwrap();
    cup.verifies("results/cup");
    write_script(&cup, "one", "# a change");
    cup.run(&["--pairs", "2"]).succeeds().says("2 of them finished before");
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
    let output = cup.run(&[]).succeeds();
    let warning = "`one.sh`, a file of engine `one`, changed during the tournament";
    assert_eq!(said(&output).matches(warning).count(), 1, "{}", said(&output));
    assert_eq!(builds_of(&cup, "one"), [None, None]);
    assert!(builds_of(&cup, "two").iter().all(Option::is_some));
}

#[test]
fn a_build_that_the_folder_does_not_know_is_found_by_verify() {
    let cup = scripts(&["one", "two"]);
    cup.run(&[]).succeeds();
    let path = cup.path("results/cup/provenance.json");
    let verify = || cup.arena(&["verify", "results/cup"]);
    let mut changed = provenance(&cup);
    changed.builds.retain(|build| build.engine != "two");
    changed.write(&cup.path("results/cup")).unwrap();
    let output = verify().fails(3);
    let printed = printed(&output);
    assert!(printed.contains("of engine `two` is missing; matches that refer to it: 2\n"), "{printed}");
    fs::write(&path, "{").unwrap();
    verify().fails(3);
    // Nothing is overwritten that cannot be read.
    cup.run(&["--pairs", "2"]).fails(5).says("the matches count without it");
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
