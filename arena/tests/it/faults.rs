//! Engines that misbehave, as real processes: each fault is found, recorded with its evidence and survived, the
//! opponent is not harmed, and no process is left.

use crate::common::faulty;
#[cfg(target_os = "linux")]
use crate::common::processes;

use std::time::Duration;

use crate::common::fake_engine;
use faulty::{MAX_PLIES, be_patient, be_patient_but_for_thinking, contender, engine, play, spawn};
use host::launch::Confinement;
use model::Tier;
use model::referee::Response;
use opponent::{Contender, Session};
use ratings::MatchResult;

/// The faulty engine loses both matches for this reason, and the evidence says why.
fn check(mode: &str, reason: &str, evidence: &str) {
    let [first, second, _] = play(mode, |contenders| be_patient(&mut contenders[1..]));
    for (record, result) in [(&first, MatchResult::BlackWins), (&second, MatchResult::WhiteWins)] {
        assert_eq!((record.reason.as_str(), record.result), (reason, result), "{mode}: {record:?}");
        let words = record.evidence.as_deref().unwrap_or_default();
        assert!(words.contains(evidence), "{mode}: {words}");
    }
}

#[test]
fn at_the_start() {
    check("start-hang", "start-failure", "did not say `ugiok` within");
    check(
        "start-exit",
        "start-failure",
        "ended with exit status: 3; the end of its standard error:\nlast words",
    );
    check("start-abort", "start-failure", "(SIGABRT)");
    check("start-close", "start-failure", "did not say `ugiok`");
    check("start-uci", "start-failure", "did not say `ugiok`: it said `uciok`");
    check("start-longline", "start-failure", "a line of more than 1048576 bytes");
    check("start-flood", "start-failure", "did not say `ugiok`");
    check("start-binary", "start-failure", "not UTF-8");
    check("start-grandchild", "start-failure", "did not say `ugiok`: it ended with exit status: 0");
    check("start-killed", "start-failure", "(SIGKILL)");
    check("start-options", "start-failure", "more than 1048576 bytes without `ugiok`");
    check("start-deaf", "start-failure", "closed its input and did not end");
}

#[test]
fn at_isready() {
    check("ready-hang", "start-failure", "no `readyok` within");
    check("ready-exit", "start-failure", "ended with exit status: 3");
    check("ready-abort", "start-failure", "(SIGABRT)");
    check("ready-grandchild", "start-failure", "ended with exit status: 0");
    check("ready-flood", "start-failure", "");
    check("ready-longline", "start-failure", "a line of more than");
    check("ready-deaf", "crash", "closed its input and did not end");
    check("ready-close", "start-failure", "closed its output and did not end");
    check("ready-binary", "start-failure", "not UTF-8");
    check("ready-killed", "start-failure", "(SIGKILL)");
    check("newgame-abort", "start-failure", "(SIGABRT)");
    check("newgame-close", "start-failure", "closed its output and did not end");
    check("newgame-binary", "start-failure", "not UTF-8");
    check("newgame-grandchild", "start-failure", "ended with exit status: 0");
    check("newgame-hang", "start-failure", "no `readyok` within");
    check("newgame-exit", "start-failure", "ended with exit status: 3");
    check("newgame-longline", "start-failure", "a line of more than");
}

#[test]
fn a_kept_process_that_fails_between_matches_is_replaced() {
    for mode in ["again-hang", "again-exit", "again-abort", "again-close", "again-longline"] {
        let (records, n_starts) = play_counting_starts(mode);
        for record in records {
            assert_eq!(record.reason, "move-cap", "{mode}: {record:?}");
        }
        assert_eq!(n_starts, 2, "{mode}");
    }
}

#[test]
fn a_process_at_fault_is_replaced_and_one_that_only_erred_is_kept() {
    for (mode, expected) in [("move-hang", 2), ("move-exit", 2), ("move-longline", 2), ("move-illegal", 1)] {
        assert_eq!(play_counting_starts(mode).1, expected, "{mode}");
    }
}

#[test]
fn an_engine_that_does_not_read_is_not_waited_for() {
    // More than a pipe holds, so that the arena cannot write all of it.
    let much = "x".repeat(1 << 18);
    let [first, second, _] = play("start-blind", |contenders| {
        engine(&mut contenders[0]).options.insert("Net".to_owned(), much.clone());
    });
    for record in [first, second] {
        assert_eq!(record.reason, "start-failure", "{record:?}");
        assert!(record.evidence.as_deref().unwrap_or_default().contains("no `readyok` within"), "{record:?}");
    }

    let contender = patient_contender("start-blind");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut session = Session::start(&contender, None).await.unwrap();
        let commands = format!("position startpos\nlegalmoves {much}\ngo movetime 100\n");
        let heard = session.ask(&commands, Duration::from_millis(200), Duration::ZERO).await;
        assert!(matches!(heard, Response::Silence { .. }), "{heard:?}");
        assert!(!session.stop().await);
        session.kill().await;
    });
}

#[test]
fn the_clock_runs_while_an_engine_does_not_read() {
    // More than a pipe holds: the last of it can only be written when the engine reads again, after 400 ms.
    let much = "x".repeat(1 << 18);
    let contender = patient_contender("ready-late");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut session = Session::start(&contender, None).await.unwrap();
        let commands = format!("isready\nposition startpos\nlegalmoves {much}\ngo nodes 1\n");
        let heard = session.ask(&commands, Duration::from_secs(60), Duration::ZERO).await;
        let Response::Move { took, .. } = heard else { panic!("{heard:?}") };
        assert!(Duration::from_millis(400) <= took, "{took:?}");
        session.kill().await;
    });
}

#[cfg(unix)]
#[test]
fn polite_requests_that_are_ignored() {
    // Signals that a shell ignores are ignored by the program that it becomes.
    let shell = |contenders: &mut [Contender]| {
        let mode = spawn(&mut contenders[0]).args.remove(0);
        spawn(&mut contenders[0]).program = "/bin/sh".into();
        let script = "trap '' TERM INT HUP QUIT; exec \"$0\" \"$1\"".to_owned();
        let engine = fake_engine().to_str().unwrap().to_owned();
        spawn(&mut contenders[0]).args = vec!["-c".to_owned(), script, engine, mode];
    };
    for (mode, reason) in
        [("start-hang", "start-failure"), ("ready-hang", "start-failure"), ("move-hang", "time")]
    {
        let [first, second, _] = play(mode, |contenders| {
            if mode == "move-hang" {
                be_patient_but_for_thinking(contenders);
            }
            shell(contenders);
        });
        assert_eq!([&*first.reason, &*second.reason], [reason; 2], "{mode}: {first:?} {second:?}");
    }
    let records = play("quit-hang", |contenders| {
        be_patient(contenders);
        shell(contenders);
    });
    assert!(records.iter().all(|record| record.reason == "move-cap"), "{records:?}");
}

#[test]
fn silent_or_late_in_a_match() {
    check("move-hang", "time", "no move after");
    check("move-drip", "time", "no move after");
    check("move-late", "time", "no move after");
}

#[test]
fn gone_in_a_match() {
    check("move-exit", "crash", "ended with exit status: 3; the end of its standard error:\nlast words");
    check("move-abort", "crash", "(SIGABRT)");
    check("move-close", "crash", "closed its output and did not end");
    check("move-deaf", "crash", "closed its input and did not end");
    check("move-killed", "crash", "(SIGKILL)");
    // What it has started holds its pipes; it is gone all the same, and that is seen at once.
    check("move-grandchild", "crash", "ended with exit status: 0");
}

#[test]
fn what_an_engine_says_before_it_ends_is_heard() {
    // It makes its third move and is gone, and what it has started holds its pipes: its fourth is missing.
    let [first, second, _] = play("move-lastmove", |_| {});
    for (record, plies) in [(first, 6), (second, 7)] {
        assert_eq!((record.reason.as_str(), record.plies), ("crash", plies), "{record:?}");
        assert!(record.evidence.unwrap().contains("ended with exit status: 0"));
    }
}

#[test]
fn nonsense_in_a_match() {
    check("move-illegal", "illegal-move", "`a1a1a1` is not legal in the position `");
    check("move-uppercase", "illegal-move", "; legal moves: ");
    check("move-empty", "protocol-error", "`bestmove`: no move");
    check("move-binary", "protocol-error", "not UTF-8");
    check("move-nul", "illegal-move", "`\\0`");
    check("move-control", "illegal-move", "`\\u{1b}[2J\\u{7}\\u{8}`");
    check("move-stale", "illegal-move", "; legal moves: ");
    check("move-longline", "protocol-error", "a line of more than 1048576 bytes");
}

/// Evidence is shown on terminals: nothing in it may be a command to one.
#[test]
fn last_words_are_no_terminal_commands() {
    for mode in ["start-escapes", "ready-escapes", "move-escapes"] {
        let [first, ..] = play(mode, |_| {});
        let words = first.evidence.unwrap_or_default();
        assert!(words.contains("\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{9b}2J\\0last words"), "{mode}: {words}");
        assert!(!words.chars().any(|c| c.is_control() && c != '\n'), "{mode}: {words:?}");
    }
}

/// One millisecond beyond the margin. How late the arena reads it is the machine's business, but the record never says
/// that a move in time was late, nor that a late one was in time.
#[test]
fn late_by_a_millisecond() {
    let [first, second, _] = play("move-overdue", |_| {});
    for record in [first, second] {
        assert!(record.moves.iter().all(|mv| mv.time_us <= 300_000), "{record:?}");
        assert!(["time", "move-cap"].contains(&record.reason.as_str()), "{record:?}");
        if record.reason == "time" {
            assert!(record.evidence.unwrap().contains("no move after "));
            assert!(record.plies < MAX_PLIES);
        }
    }
}

#[test]
fn a_flood_is_stopped() {
    let [first, second, _] = play("move-flood", |_| {});
    for record in [first, second] {
        // Whether the time or the room for an answer is used up first depends on the machine.
        assert!(["time", "protocol-error"].contains(&record.reason.as_str()), "{record:?}");
        assert!(record.result.winner().is_some());
    }
}

#[test]
fn oddities_that_are_no_fault() {
    for mode in [
        "crlf",
        "start-stderr",
        "newgame-stderr",
        "ready-stderr",
        "move-stderr",
        "quit-stderr",
        "start-helper",
        "ready-helper",
        "move-helper",
        "quit-helper",
        "start-garbage",
        "newgame-garbage",
        "move-garbage",
        "move-slowbytes",
        "quit-hang",
        "quit-exit",
        "quit-abort",
        "quit-close",
        "quit-deaf",
        "quit-flood",
        "quit-longline",
        "quit-binary",
    ] {
        let records = play(mode, be_patient);
        for record in records {
            assert_eq!(record.reason, "move-cap", "{mode}: {record:?}");
            assert_eq!(record.plies, MAX_PLIES);
        }
    }
}

#[test]
fn a_second_bestmove_does_not_harm_the_opponent() {
    // It may come before the next `go` and be passed over, or after it and be taken for a move.
    let [first, second, _] = play("move-twice", |_| {});
    for record in [first, second] {
        assert!(["move-cap", "illegal-move"].contains(&record.reason.as_str()), "{record:?}");
    }
}

/// The time of the verdict is in the evidence, for a look with `--nocapture`: it depends on the machine.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_with_hundreds_of_processes_is_judged_and_ended() {
    let [first, second, _] = play("move-escape-bomb+hang", |contenders| be_patient(&mut contenders[1..]));
    for record in [first, second] {
        let evidence = record.evidence.unwrap_or_default();
        println!("{evidence}");
        assert_eq!(record.reason, "time", "{evidence}");
        assert!(evidence.starts_with("no move after"), "{evidence}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_same_in_a_sandbox() {
    use host::launch::{Sandbox, rehearse};
    let scratch = tempfile::tempdir().unwrap();
    let confinement = Confinement {
        sandbox: Some(Sandbox {
            tier: Tier::Strict,
            scratch: scratch.path().to_owned(),
            readable: Vec::new(),
            network: false,
        }),
        ..Confinement::default()
    };
    if let Err(what) = rehearse(&confinement, env!("CARGO_BIN_EXE_arena").as_ref()) {
        eprintln!("skipped: {what}");
        return;
    }
    for (mode, reason, evidence) in [
        ("start-exit", "start-failure", "ended with exit status: 3, confined to a sandbox; the end of its"),
        ("ready-abort", "start-failure", "(SIGABRT), confined to a sandbox"),
        ("move-exit", "crash", "ended with exit status: 3, confined to a sandbox; the end of its"),
        ("move-abort", "crash", "(SIGABRT), confined to a sandbox"),
        ("move-close", "crash", "closed its output and did not end within 100ms, confined to a sandbox"),
        ("move-hang", "time", "no move after"),
        ("move-longline", "protocol-error", "a line of more than"),
        // It ends what it has started, and so its output: that is seen at once.
        ("move-grandchild", "crash", "ended with exit status: 0"),
    ] {
        let records = play(mode, |contenders| spawn(&mut contenders[0]).confinement = confinement.clone());
        for record in &records[..2] {
            let words = record.evidence.as_deref().unwrap_or_default();
            assert_eq!(record.reason, reason, "{mode}: {record:?}");
            assert!(words.contains(evidence), "{mode}: {words}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_is_ended_with_its_own_processes_only() {
    use processes::Marker;
    let markers = [Marker::new("first"), Marker::new("second")];
    let mut contenders = markers.each_ref().map(|marker| contender("engine", "start-leave", &marker.0));
    be_patient(&mut contenders);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let first = Session::start(&contenders[0], None).await.unwrap();
        let second = Session::start(&contenders[1], None).await.unwrap();
        assert_eq!(markers.each_ref().map(|marker| marker.count("left-session")), [2, 2]);
        first.kill().await;
        markers[0].assert_none("the first engine");
        assert_eq!(markers[1].count("left-session"), 2);
        assert_eq!(markers[1].count("left-group"), 1);
        second.quit().await;
        markers[1].assert_none("the second engine");
        // One that is dropped is ended soon.
        let third = Session::start(&contenders[0], None).await.unwrap();
        drop(third);
        markers[0].assert_all_gone("a dropped engine");
    });
}

/// Only a supervisor can end by this signal: the system gave it no process, and the engine is not at fault.
#[cfg(target_os = "linux")]
#[test]
fn a_supervisor_that_lacks_a_process_is_no_fault_of_the_engine() {
    use std::os::unix::fs::PermissionsExt;

    use opponent::{Shortage, StartError};
    let folder = tempfile::tempdir().unwrap();
    let supervisor = folder.path().join("supervisor");
    std::fs::write(&supervisor, "#!/bin/sh\necho no process >&2\nkill -16 $$\n").unwrap();
    std::fs::set_permissions(&supervisor, PermissionsExt::from_mode(0o755)).unwrap();
    let mut short = patient_contender("good");
    spawn(&mut short).launcher = Some(supervisor);
    // 16 is SIGSTKFLT, which not every shell knows by name. The second one sends it to its supervisor, too, which blocks all signals but its own last one.
    let imitations = ["kill -16 $$", "kill -16 $PPID; kill -TERM $$"].map(|script| {
        let mut imitation = patient_contender("good");
        spawn(&mut imitation).program = "/bin/sh".into();
        spawn(&mut imitation).args = ["-c", script].map(str::to_owned).to_vec();
        imitation
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let error = Session::start(&short, None).await.unwrap_err();
        assert!(
            matches!(&error, StartError::Arena(Shortage::Means { reason, .. }) if reason == "no process"),
            "{error}"
        );
        for (imitation, end) in imitations.iter().zip(["exit status: 144", "signal: 15 (SIGTERM)"]) {
            let error = Session::start(imitation, None).await.unwrap_err();
            assert!(matches!(error, StartError::Engine(_)), "{error}");
            assert!(error.to_string().contains(&format!("ended with {end}")), "{error}");
        }
    });
}

#[test]
fn a_program_that_is_not_there() {
    let [first, second, _] =
        play("good", |contenders| spawn(&mut contenders[0]).program = "/no/such/program".into());
    for record in [first, second] {
        assert_eq!(record.reason, "start-failure");
        assert!(record.evidence.unwrap().contains("cannot start `/no/such/program`"));
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_is_no_program() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text");
    std::fs::write(&text, "not a program").unwrap();
    let [first, second, _] = play("good", |contenders| spawn(&mut contenders[0]).program = text);
    for record in [first, second] {
        assert_eq!(record.reason, "start-failure");
        let evidence = record.evidence.unwrap();
        assert!(
            evidence.contains("cannot start `") && evidence.contains("`: Permission denied"),
            "{evidence}"
        );
    }
}

/// Its records, and how many processes the faulty engine needed.
fn play_counting_starts(mode: &str) -> ([model::Record; 3], usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("starts");
    let records = play(mode, |contenders| {
        let environment = &mut spawn(&mut contenders[0]).environment;
        environment.insert("FAKE_ENGINE_STARTS".to_owned(), path.to_str().unwrap().to_owned());
    });
    (records, std::fs::read_to_string(path).unwrap().lines().count())
}

fn patient_contender(mode: &str) -> Contender {
    let mut contenders = [contender("faulty", mode, "patient")];
    be_patient(&mut contenders);
    let [contender] = contenders;
    contender
}
