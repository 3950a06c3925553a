//! The sequential test of a pull request, as the action runs it: the script, with git, real builds and the real program.

use crate::common::fake_engine;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.github/actions/sprt/sprt");
const RULES: &str =
    "[tournament]\npairs = PAIRS\n[limits]\nnodes = 10\nmax-plies = 20\n[[game]]\nid = \"push-push\"\n";

/// A repository with an engine and a change to it.
struct Repository {
    folder: TempDir,
}

impl Repository {
    /// The engine has the first mode, and after the change the second one.
    fn new(pairs: u32, modes: [&str; 2]) -> Self {
        let repository = Self { folder: tempfile::tempdir().unwrap() };
        let path = repository.folder.path();
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        fs::create_dir(path.join(".github")).unwrap();
        fs::write(path.join(".github/sprt.toml"), RULES.replace("PAIRS", &pairs.to_string())).unwrap();
        repository.commit(modes[0]);
        // A change does not choose its own test.
        fs::write(path.join(".github/sprt.toml"), "[tournament]\npairs = 1\n").unwrap();
        repository.commit(modes[1]);
        repository
    }

    fn git(&self, args: &[&str]) {
        let mut git = Command::new("git");
        git.current_dir(self.folder.path()).args(["-c", "user.name=a", "-c", "user.email=a@example.org"]);
        assert!(git.args(args).status().unwrap().success());
    }

    fn commit(&self, mode: &str) {
        let engine = format!("#!/bin/sh\nexec '{}' {mode}\n", fake_engine().display());
        fs::write(self.folder.path().join("engine.sh"), engine).unwrap();
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message", mode]);
    }

    fn sprt(&self, args: &[&str], variables: &[(&str, &str)]) -> Output {
        let mut sprt = Command::new("bash");
        sprt.current_dir(self.folder.path()).arg(SCRIPT).args(args);
        sprt.env("ARENA", env!("CARGO_BIN_EXE_arena")).env("SPRT_ELO1", "100");
        sprt.env("SPRT_BUILD", "cp engine.sh \"$OUT/engine\"").envs(variables.iter().copied());
        sprt.output().unwrap()
    }

    /// The word that `sprt play` prints.
    fn play(&self, variables: &[(&str, &str)]) -> String {
        printed(&self.sprt(&["play", "main~1", "main"], variables))
    }

    fn n_matches(&self) -> usize {
        fs::read_to_string(self.folder.path().join("sprt/results/matches.jsonl")).unwrap().lines().count()
    }
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    String::from_utf8(output.stdout.clone()).unwrap().trim_end().to_owned()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with a program `gh` that writes down its arguments and knows the comments with these ids.
fn fake_gh(folder: &Path, ids: &str) -> String {
    let calls = folder.join("calls");
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" >> '{}'\ncase \"$*\" in *--jq*) printf '{ids}' ;; esac\n",
        calls.display()
    );
    fs::write(folder.join("gh"), script).unwrap();
    let made = Command::new("chmod").arg("+x").arg(folder.join("gh")).status().unwrap();
    assert!(made.success());
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap())
}

#[test]
fn a_better_engine_is_commented_once() {
    let repository = Repository::new(200, ["weak-40", "weak-10"]);
    assert_eq!(repository.play(&[]), "stronger");
    let text = printed(&repository.sprt(&["text"], &[]));
    assert!(
        text.contains("**Sequential test: stronger** (H0: 0 Elo, H1: 100 Elo)\n\n```\n# the tournament is a sequential test of the two: ")
            && text.contains("\nElo   | "),
        "{text}"
    );

    let tools = tempfile::tempdir().unwrap();
    let github = ("GITHUB_REPOSITORY", "owner/mine");
    for (ids, expected) in [
        ("", "POST\nrepos/owner/mine/issues/5/comments\n"),
        ("7\\n", "PATCH\nrepos/owner/mine/issues/comments/7\n"),
    ] {
        let path = fake_gh(tools.path(), ids);
        printed(&repository.sprt(&["comment", "5"], &[github, ("PATH", &path)]));
        let calls = fs::read_to_string(tools.path().join("calls")).unwrap();
        assert!(calls.contains(expected), "{calls}");
        assert!(calls.ends_with(&format!("-f\nbody={text}\n--silent\n")), "{calls}");
    }
}

#[test]
fn a_worse_engine_is_not_stronger() {
    let repository = Repository::new(200, ["weak-10", "weak-40"]);
    assert_eq!(repository.play(&[]), "not stronger");
    let other = repository.sprt(&["play", "main", "main"], &[]);
    assert!(
        !other.status.success() && said(&other).contains("has a test of other commits"),
        "{}",
        said(&other)
    );
}

#[test]
fn a_later_job_continues_with_the_same_programs() {
    let repository = Repository::new(20_000, ["weak-10", "weak-10"]);
    // Equal engines: this test would need years.
    let short = [("SPRT_MINUTES", "0.03"), ("SPRT_ELO0", "-0.5"), ("SPRT_ELO1", "0.5")];
    assert_eq!(repository.play(&short), "unfinished");
    let n_before = repository.n_matches();
    // Built again, it would fail; and an archive may have lost the permission.
    let engine = repository.folder.path().join("sprt/engines/head/engine");
    assert!(Command::new("chmod").arg("-x").arg(engine).status().unwrap().success());
    assert_eq!(repository.play(&[&short[..], &[("SPRT_BUILD", "false")]].concat()), "unfinished");
    assert!(n_before < repository.n_matches());
}

#[test]
fn what_is_wrong_is_said() {
    for (args, build, expected) in [
        (&["play", "main"][..], "", "usage: sprt play BASE HEAD"),
        (&["play", "main~1", "elsewhere"], "cp engine.sh \"$OUT/engine\"", "git has no commit `elsewhere`"),
        (&["play", "main~1", "main"], "true", "left no file `engine` in `$OUT`: true"),
        (&["play", "main~1", "main"], "false", "cannot build base (main~1) with `false`"),
        (&["text"], "", "cannot compare head with base"),
    ] {
        let repository = Repository::new(2, ["weak-10", "weak-10"]);
        let output = repository.sprt(args, &[("SPRT_BUILD", build)]);
        assert!(!output.status.success() && said(&output).contains(expected), "{}", said(&output));
    }
}
