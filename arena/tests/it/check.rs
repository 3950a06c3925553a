//! `arena check` as an author runs it: engines that keep the protocol pass, and each fault is found by the check that
//! looks for it. The examples in Python are engines like any other.

use crate::common::tournament::{Ended, arena, printed, said};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::fake_engine;
use serde_json::{Value, json};

fn check(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena"))
        .arg("check")
        .args(args)
        .stdin(Stdio::null())
        .env("RUST_BACKTRACE", "0")
        .output()
        .unwrap()
}

/// The report of these checks of a fake engine that plays one game, as JSON, with the exit code.
fn report(mode: &str, checks: &[&str]) -> (Value, i32) {
    let engine = fake_engine();
    let mut args = vec!["--json", "--game", "push-push", "--timeout", "2s"];
    checks.iter().filter(|id| **id != "greeting").for_each(|id| args.extend(["--only", id]));
    args.extend([engine.to_str().unwrap(), mode]);
    let output = check(&args);
    let code = output.status.code().unwrap();
    let json = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{mode}: {error}: {}", said(&output)));
    (json, code)
}

fn with_verdict<'a>(report: &'a Value, verdict: &str) -> BTreeSet<&'a str> {
    let checks = report["checks"].as_array().unwrap().iter();
    checks.filter(|one| one["verdict"] == verdict).map(|one| one["check"].as_str().unwrap()).collect()
}

/// A fake engine that fails all of the checks `failed`, the first of them with these words, and the checks `same` for the
/// reason of that first one.
struct Case {
    mode: &'static str,
    failed: &'static [&'static str],
    same: &'static [&'static str],
    words: &'static str,
}

fn fail(cases: &[(&'static str, &'static [&'static str], &'static [&'static str], &'static str)]) {
    // Most of the time is spent waiting for what does not come.
    std::thread::scope(|scope| {
        for &(mode, failed, same, words) in cases {
            scope.spawn(move || Case { mode, failed, same, words }.assert());
        }
    });
}

impl Case {
    fn assert(&self) {
        let Self { mode, failed, same, words } = self;
        let checks: Vec<&str> = failed.iter().chain(*same).copied().collect();
        let (report, code) = report(mode, &checks);
        assert_eq!(code, 6, "{mode}");
        assert_eq!(with_verdict(&report, "fail"), failed.iter().copied().collect(), "{mode}: {report:#}");
        assert_eq!(with_verdict(&report, "same"), same.iter().copied().collect(), "{mode}: {report:#}");
        assert_eq!(report["failed"], failed.len(), "{mode}");
        assert_eq!(report["same"], same.len(), "{mode}");
        let all = report["checks"].as_array().unwrap();
        let one = all.iter().find(|one| one["check"] == failed[0]).unwrap();
        assert!(one["note"].as_str().unwrap().contains(words), "{mode}: {one:#}");
        assert_eq!(one["sent"][0], "ugi", "{mode}: {one:#}");
        assert!(!one["protocol"].as_str().unwrap().is_empty(), "{mode}: {one:#}");
        for one in all.iter().filter(|one| one["verdict"] == "same") {
            assert_eq!(one["same_as"], failed[0], "{mode}: {one:#}");
        }
    }
}

#[test]
fn an_engine_that_keeps_the_protocol() {
    let engine = fake_engine();
    let output = check(&[engine.to_str().unwrap(), "good"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    // Lines that were sent are shown as they were sent.
    let mut lines = text.lines().filter(|line| !line.starts_with("position "));
    assert!(lines.all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("pass    four-towers: 30 positions"), "{text}");
    assert!(text.contains(" 0 failed, "), "{text}");
    assert!(!text.contains('\u{1b}'), "no colour where there is no terminal");
}

#[test]
fn an_engine_of_the_second_edition_passes() {
    let checks = ["query-unknown", "query-fen", "query-legalmoves", "query-perft", "gameover", "searchmoves"];
    let (found, code) = report("rules-good", &checks);
    let searchmoves = with_verdict(&found, "warn");
    assert_eq!(
        (code, searchmoves),
        (0, BTreeSet::from(["searchmoves"])),
        "it takes the first move: {found:#}"
    );
    assert_eq!(with_verdict(&found, "pass").len(), checks.len(), "and the greeting: {found:#}");
    let (found, code) = report("ponder-good", &["ponder", "bestmove-words"]);
    assert_eq!((code, with_verdict(&found, "pass").len()), (0, 3), "{found:#}");
    // An engine of the first edition is not blamed.
    let (found, code) =
        report("good", &["query-fen", "query-legalmoves", "query-perft", "ponder", "multipv"]);
    assert_eq!((code, with_verdict(&found, "skip").len()), (0, 5), "{found:#}");
}

#[test]
fn differences_of_the_rules_are_found_and_can_be_pasted() {
    fail(&[
        ("rules-missing", &["query-legalmoves"], &[], "after the line `position fen "),
        ("rules-missing", &["query-perft"], &[], "the first difference is after the line `position fen "),
        ("rules-extra", &["query-legalmoves"], &[], "it lists as legal: `z9z9`"),
        ("rules-fen", &["query-fen"], &[], "the answer to `query fen` was `"),
    ]);
    let (found, _) = report("rules-missing", &["query-legalmoves"]);
    let one = &found["checks"].as_array().unwrap()[1];
    let note = one["note"].as_str().unwrap();
    // The line in the message is one of those that were sent, and the move that is missing is legal there.
    let (line, moves) = note.strip_prefix("after the line `").unwrap().split_once("`: missing: `").unwrap();
    assert!(one["sent"].as_array().unwrap().iter().any(|sent| sent == line), "{one:#}");
    let game: engine_proto::GameId = "push-push".parse().unwrap();
    let play =
        engine_proto::Games::built_in().play(game, line.strip_prefix("position fen ").unwrap()).unwrap();
    assert_eq!(play.legal_moves()[0], moves.trim_end_matches('`'));
}

#[test]
fn faults_of_pondering_and_at_the_end_of_a_match_are_found() {
    fail(&[
        ("ponder-early", &["ponder"], &[], "came before `ponderhit` or `stop`"),
        ("ponder-silent", &["ponder"], &[], "no `bestmove` after `stop` within"),
        ("ponder-exit", &["ponder"], &[], "ended with exit status: 3"),
        ("second-over", &["gameover"], &[], "ended with exit status: 3"),
    ]);
}

#[test]
fn what_costs_no_match_is_a_warning() {
    for (mode, id, words) in [
        ("second-words", "bestmove-words", "the arena ignores `!?`"),
        ("ponder-miss", "no-move", "no answer within"),
        ("second-lines", "multipv", "have 0 different first moves"),
        ("rules-unknown", "query-unknown", "the answer to `query xyzzy` was `42`"),
        ("slip-overrun", "clock-at-zero", "the answer took"),
        ("good", "bad-position", "did not say `info string error: ...`"),
    ] {
        let (found, code) = report(mode, &[id]);
        let one = &found["checks"].as_array().unwrap()[1..];
        let one = one.iter().find(|one| one["check"] == id).unwrap();
        assert_eq!((code, one["verdict"].as_str()), (0, Some("warn")), "{found:#}");
        assert!(one["note"].as_str().unwrap().contains(words), "{one:#}");
    }
}

#[test]
fn silence_is_found() {
    fail(&[
        (
            "start-hang",
            &["greeting"],
            &[],
            "no `ugiok` within 2s; if this is a UCI engine, add `--protocol uci`",
        ),
        ("ready-hang", &["isready"], &[], "no `readyok` within 2s"),
        ("move-hang", &["legal-moves"], &["self-play", "info"], "no `bestmove` within 2s"),
        ("move-drip", &["self-play"], &[], "no `bestmove` within 2s"),
        (
            "infinite-hang",
            &["infinite", "isready-thinking", "quit-thinking"],
            &[],
            "no `bestmove` after `stop` within 2s",
        ),
        ("quit-hang", &["quit"], &["quit-thinking"], "its process was still running after 2s"),
    ]);
}

#[test]
fn crashes_are_found() {
    let last_words = "ended with exit status: 3; the end of its standard error:\nlast words";
    fail(&[
        ("start-exit", &["greeting"], &[], last_words),
        ("move-exit", &["legal-moves"], &["self-play"], last_words),
        ("move-abort", &["self-play"], &[], "(SIGABRT)"),
    ]);
}

#[test]
fn illegal_moves_are_found() {
    fail(&[
        ("move-illegal", &["legal-moves"], &["self-play"], "`a1a1a1` is not a legal move in `"),
        ("move-uppercase", &["self-play"], &[], "`; did you mean `"),
    ]);
}

#[test]
fn broken_lines_are_found() {
    fail(&[
        ("move-binary", &["self-play"], &[], r"not UTF-8: `\xff\xfe\0\u{1}`;"),
        ("move-empty", &["self-play"], &[], "`bestmove` names no move"),
        ("move-longline", &["self-play"], &[], "a line of more than 1048576 bytes"),
        ("infinite-answered", &["infinite"], &["no-limits", "isready-thinking"], "came before `stop`"),
        // No output, however much, keeps the report from its end.
        ("infinite-flood", &["infinite"], &[], ""),
    ]);
}

/// The whole report of an engine that makes this mistake in everything it says, as its author sees it; what depends on the
/// machine is replaced.
fn report_of_slip(slip: &str) -> String {
    let engine = fake_engine();
    let args = ["--game", "push-push", "--timeout", "3s", engine.to_str().unwrap(), slip];
    let output = check(if slip == "slip-game" { &args[2..] } else { &args });
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(6), "{slip}: {text}");
    let is_time = |word: &str| {
        let word = word.trim_end_matches([',', ':', ';', '.']);
        let number = word.trim_end_matches(|c: char| c.is_alphabetic());
        number.parse::<f64>().is_ok() && ["ms", "s", "µs", "ns"].contains(&&word[number.len()..])
    };
    let all_games: Vec<String> =
        engine_proto::GameId::BUILT_IN.iter().map(|game| format!("var {game}")).collect();
    let text = text
        .replace(engine.to_str().unwrap(), "(the engine)")
        .replace("<1ms", "1ms")
        .replace(&all_games.join(" "), "(all games)");
    let lines = text.lines().map(|line| {
        // The timeout and the margin are the same on every machine.
        let words = line.split(' ').map(|word| {
            let is_fixed = ["3s", "3s;", "20ms", "500ms;"].contains(&word);
            if is_time(word) && !is_fixed { "(time)" } else { word }
        });
        words.collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn reports_of_known_slips() {
    let slips = [
        "slip-uciok",
        "slip-ready",
        "slip-option",
        "slip-latin1",
        "slip-game",
        "slip-buffered",
        "slip-open",
        "slip-dash",
        "slip-upper",
        "slip-overrun",
        "ready-hang",
    ];
    let reports: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = slips.iter().map(|slip| scope.spawn(move || report_of_slip(slip))).collect();
        running.into_iter().map(|report| report.join().unwrap()).collect()
    });
    for (slip, report) in slips.iter().zip(reports) {
        insta::assert_snapshot!(*slip, report);
    }
}

#[test]
fn what_is_shown_can_be_sent_again() {
    use std::io::Write;
    let text = report_of_slip("slip-dash");
    let shown = text.split_once("        sent\n").unwrap().1.split_once("        got   ").unwrap();
    let (sent, came) = (shown.0, shown.1.lines().map(str::trim));
    let mut engine = Command::new(fake_engine())
        .arg("slip-dash")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    engine.stdin.take().unwrap().write_all(sent.as_bytes()).unwrap();
    let said = printed(&engine.wait_with_output().unwrap());
    let came: Vec<&str> = came.take_while(|line| !line.is_empty()).collect();
    assert!(came.last().unwrap().starts_with("bestmove"), "{came:?}");
    assert!(said.ends_with(&format!("{}\n", came.join("\n"))), "{said}\n{came:?}");
}

#[test]
fn an_engine_that_hangs_is_given_up() {
    let check = |mode: &str| {
        let engine = fake_engine();
        let output = check(&["--json", "--timeout", "1500ms", engine.to_str().unwrap(), mode]).fails(6);
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    // Always silent: nothing else is tried.
    for (mode, gate) in [("start-hang", "greeting"), ("ready-hang", "isready")] {
        let report = check(mode);
        assert_eq!((&report["failed"], &report["same"]), (&json!(1), &json!(0)), "{mode}: {report:#}");
        assert_eq!(report["stopped_at"], gate, "{mode}");
    }
    // Silent at the third move of each game: after the third time no more are asked for.
    let report = check("move-hang");
    let all = report["checks"].as_array().unwrap();
    let silent =
        all.iter().filter(|one| one["note"].as_str().unwrap().starts_with("no `bestmove` within")).count();
    assert_eq!(silent, 3, "{report:#}");
    // One mistake, which is met after `go` and after `stop`.
    assert_eq!(report["failed"], 2, "{report:#}");
    assert!(with_verdict(&report, "given-up").contains("self-play"), "{report:#}");
    // The checks that ask for no move are made.
    assert!(with_verdict(&report, "pass").contains("quit"), "{report:#}");
}

#[test]
fn options_may_stand_behind_the_engine() {
    let engine = fake_engine();
    let engine = engine.to_str().unwrap();
    let report = |args: &[&str]| {
        let output = check(args).succeeds();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let args = |report: &Value| report["engine"]["args"].clone();
    assert_eq!(args(&report(&[engine, "good", "--json", "--only", "isready"])), json!(["good"]));
    // One word for the whole command line, as other commands take it.
    assert_eq!(args(&report(&[&format!("{engine} good"), "--json", "--only", "isready"])), json!(["good"]));
    let behind = report(&["--only", "isready", engine, "--json", "--", "--json", "-x"]);
    assert_eq!(args(&behind), json!(["--json", "-x"]), "{behind:#}");
    let output = check(&[engine, "--threads", "2"]);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("unexpected argument '--threads'") && said.contains("'-- --threads'"), "{said}");
}

#[test]
fn colour_is_there_when_asked_for() {
    let engine = fake_engine();
    let output = check(&["--color", "always", engine.to_str().unwrap(), "start-exit"]).fails(6);
    let text = printed(&output);
    assert!(text.contains("\u{1b}[31m") && text.contains("FAIL"), "{text:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_report_and_the_engine() {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["check", "--timeout", "60s", "--only", "self-play"])
        .arg(fake_engine())
        .arg("ready-hang")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "engine: Fake");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn what_cannot_be_checked_says_why() {
    let engine = fake_engine();
    let engine = engine.to_str().unwrap();
    for (args, code, words) in [
        (vec!["./no/such/engine"], 4, "cannot start `./no/such/engine`: there is no such file"),
        (vec!["--game", "checkers", engine], 2, "invalid value 'checkers'"),
        (vec!["--timeout", "soon", engine], 2, "invalid value 'soon'"),
        (vec!["--only", "stopp", engine], 2, "a similar value exists: 'stop'"),
        (vec![], 2, "required"),
    ] {
        let output = check(&args).fails(code);
        let said = said(&output);
        assert!(said.contains(words), "{args:?}: {said}");
    }
}

#[test]
#[cfg(unix)]
fn a_program_that_cannot_start_is_named_with_its_remedy() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let said = |engine: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        let output = command.args(["check", engine]).current_dir(folder.path()).output().unwrap().fails(4);
        assert!(output.stdout.is_empty(), "{engine}");
        said(&output)
    };
    for (name, first_line) in [
        ("plain", "#!/no/such/interpreter -x"),
        ("env", "#!/usr/bin/env no-such-python"),
        ("bare", "import sys"),
    ] {
        let script = folder.path().join(name);
        fs::write(&script, format!("{first_line}\n")).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    }
    assert_eq!(
        said("./plain"),
        "error: cannot start `./plain`: its interpreter `/no/such/interpreter` does not exist; install \
         `/no/such/interpreter`, or correct the first line of `./plain`\n"
    );
    assert!(said("./env").contains("its interpreter `no-such-python` does not exist"), "{}", said("./env"));
    assert_eq!(
        said("./bare"),
        "error: cannot start `./bare`: it is a script without `#!`; begin it with a line such as `#!/usr/bin/env python3`, or \
         write its interpreter before it\n"
    );
    assert_eq!(
        said("plain"),
        "error: cannot start `plain`: there is no such program on `PATH`; to use the file in the current folder, write \
         `./plain`\n"
    );
    assert!(said("no-such-engine").contains("on `PATH`; install it, or write a path with a `/`"));
}

#[test]
fn after_the_greeting_of_uci_the_right_one_is_not_waited_for() {
    let engine = fake_engine();
    let begun = std::time::Instant::now();
    let output = check(&["--timeout", "30s", engine.to_str().unwrap(), "slip-uciok"]).fails(6);
    assert!(begun.elapsed() < std::time::Duration::from_secs(20));
    let text = printed(&output);
    assert!(text.contains("no `ugiok` within 500ms; it wrote `uciok`"), "{text}");
    assert!(text.ends_with("\n0 passed, 0 warned, 1 failed\n"), "{text}");
    assert_eq!(said(&output), "error: 1 check failed\n", "no status but on a terminal");
}

#[test]
fn the_examples_in_python_pass() {
    let Some(examples) = examples() else { return };
    for name in ["legal_moves.py", "push_push.py"] {
        let output = check(&["python3", examples.join(name).to_str().unwrap()]);
        let text = printed(&output);
        assert_eq!(output.status.code(), Some(0), "{name}:\n{text}");
    }
}

#[test]
fn the_examples_in_python_play_a_tournament() {
    let Some(examples) = examples() else { return };
    let folder = tempfile::tempdir().unwrap();
    let engine = |name: &str| {
        let path = toml::Value::from(examples.join(name).to_str().unwrap());
        format!("[[engine]]\nname = \"{name}\"\ncommand = \"python3\"\nargs = [{path}]\n")
    };
    let config = format!(
        "[limits]\nnodes = 200\nmax-plies = 40\n[[game]]\nid = \"push-push\"\n{}{}",
        engine("legal_moves.py"),
        engine("push_push.py")
    );
    fs::write(folder.path().join("cup.toml"), config).unwrap();
    arena(folder.path(), &["run", "cup.toml", "--quiet", "--pairs", "2"]).succeeds();
    let reasons: Vec<String> = csv::Reader::from_path(folder.path().join("results/cup/matches.csv"))
        .unwrap()
        .records()
        .map(|row| row.unwrap()[7].to_owned())
        .collect();
    assert_eq!(reasons.len(), 4);
    let by_rules = ["goal", "material", "repetition", "quiet", "move-cap"];
    assert!(reasons.iter().all(|reason| by_rules.contains(&reason.as_str())), "{reasons:?}");
}

/// Where the examples in Python are; `None`, with a message, where no Python can run them.
fn examples() -> Option<PathBuf> {
    let is_new_enough = "import sys; sys.exit(sys.version_info < (3, 10))";
    let python = Command::new("python3").args(["-c", is_new_enough]).stderr(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no python3 of version 3.10 or later");
        return None;
    }
    Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine-proto/examples/python"))
}

/// `arena check ... | head -1` in a script that looks at the exit code.
#[test]
fn the_verdict_does_not_depend_on_who_reads_the_report() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["check", "--timeout", "500ms"])
        .arg(fake_engine())
        .arg("slip-uciok")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(6));
}
