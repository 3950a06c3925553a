//! Tournaments on many machines, with real processes and a real NATS server.

#![cfg(target_os = "linux")]
use crate::common;
use crate::common::nats;
use crate::common::site;

#[path = "machines/access.rs"]
mod access;
#[path = "machines/bad_links.rs"]
mod bad_links;
#[path = "machines/namespaces.rs"]
mod namespaces;
#[path = "machines/proxy.rs"]
mod proxy;
#[path = "machines/storm.rs"]
mod storm;

use nats::{
    CUP, PATIENCE, Running, Server, coordinator, coordinator_command, cup_of, expected, n_lines,
    wait_for_lines, without_times, worker, worker_of_mode,
};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::common::tournament::{Ended, Tournament};
use cluster::message::hash;
use model::Record;
use rustix::process::Signal;
use tokio_stream::StreamExt;

fn cup() -> Tournament {
    cup_of(10)
}

#[test]
fn many_workers_play_the_matches_of_one_machine() {
    let Some(server) = Server::start() else { return };
    let cup = cup();
    let expected = expected(&cup);
    assert_eq!(expected.len(), 3 * 2 * 10 * 2);
    for n_workers in [1, 2, 8] {
        let results = format!("of-{n_workers}");
        let workers: Vec<Running> = (0..n_workers)
            .map(|idx| {
                worker(cup.folder.path(), &server.url(), &format!("w{idx}"), &["--cores", "1", "--once"])
            })
            .collect();
        let said = coordinator(&cup, &server.url(), &results, &[]).succeeds();
        assert!(said.contains("worker `w0` plays with 1 place"), "{said}");
        assert_eq!(without_times(cup.rows(&results)), expected);
        let journal = fs::read_to_string(cup.path(&results).join("matches.jsonl")).unwrap();
        assert!(journal.lines().all(|line| line.contains("\"worker\":\"w")), "each match names its worker");
        for worker in workers {
            worker.succeeds();
        }
    }
}

#[test]
fn workers_play_under_each_of_several_limits() {
    let Some(server) = Server::start() else { return };
    let limits = |name: &str, nodes: u32| {
        format!("[[limits]]\nname = \"{name}\"\nnodes = {nodes}\nmax-plies = {nodes}\n")
    };
    let head = CUP.split("[limits]").next().unwrap().to_owned() + &limits("short", 12) + &limits("long", 24);
    let game = "[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(&(head + game), &[("one", "weak-10"), ("two", "weak-40")]);
    cup.run(&["--results", "here"]).succeeds();
    let worker = worker(cup.folder.path(), &server.url(), "w", &["--cores", "1", "--once"]);
    coordinator(&cup, &server.url(), "there", &[]).succeeds();
    worker.succeeds();
    let played = |folder: &str| -> Vec<_> {
        let told = |record: Record| (record.number, record.limits, record.opening, record.plies, record.end);
        cup.records(folder).into_iter().map(told).collect()
    };
    assert_eq!(played("there"), played("here"));
    assert!(
        played("there")
            .iter()
            .any(|(_, limits, _, plies, _)| limits.as_deref() == Some("long") && 12 < *plies)
    );
    cup.verifies("there");
}

#[test]
fn a_worker_that_leaves_or_dies_leaves_its_pairs_to_others() {
    let Some(server) = Server::start() else { return };
    let cup = cup();
    let expected = expected(&cup);
    // It never finishes a pair: its engines are stopped with it.
    let mut dies = worker(cup.folder.path(), &server.url(), "dies", &["--cores", "2"]);
    dies.wait_for("waits for tournaments");
    let leaves = worker(cup.folder.path(), &server.url(), "leaves", &["--cores", "2"]);
    let mut coordinator = coordinator(&cup, &server.url(), "cup", &[]);
    coordinator.wait_for("worker `dies` plays with 2 places");
    dies.signal(Signal::STOP);
    coordinator.wait_for("worker `leaves` plays with 2 places");
    leaves.signal(Signal::TERM);
    leaves.succeeds();
    let _stays = worker(cup.folder.path(), &server.url(), "stays", &["--cores", "2"]);
    coordinator.succeeds();
    assert_eq!(without_times(cup.rows("cup")), expected);
    dies.kill();
}

#[test]
fn coordinator_and_server_may_die_and_the_store_may_be_lost() {
    let Some(mut server) = Server::start() else { return };
    let cup = cup();
    let expected = expected(&cup);
    let _workers = ["a", "b"].map(|name| worker(cup.folder.path(), &server.url(), name, &["--cores", "1"]));
    let wait_for_lines = |n: usize| wait_for_lines(&cup, "cup", n);
    let mut first = coordinator(&cup, &server.url(), "cup", &[]);
    wait_for_lines(6);
    first.kill();
    let mut second = coordinator(&cup, &server.url(), "cup", &[]);
    second.wait_for("finished before");
    wait_for_lines(20);
    server.restart();
    wait_for_lines(40);
    server.kill();
    server.wipe();
    server.restart();
    second.succeeds();
    assert_eq!(without_times(cup.rows("cup")), expected);
    assert_eq!(n_lines(&cup, "cup"), expected.len(), "nothing is stored twice");
}

#[test]
fn a_worker_leaves_a_tournament_that_is_gone_and_plays_the_next() {
    let Some(mut server) = Server::start() else { return };
    // One pair: one worker is busy, and the other one waits.
    let head = CUP.replace("\"cup\"", "\"gone\"").replace("pairs = 10", "pairs = 1");
    let head = head.rsplit_once("[[game]]").unwrap().0;
    let gone = Tournament::new(head, &[("one", "slow-25"), ("two", "slow-25")]);
    let next = cup_of(2);
    let expected = expected(&next);
    // An audit needs both workers.
    next.add("[machines]\naudit = 1.0");
    let mut workers =
        ["a", "b"].map(|name| worker(next.folder.path(), &server.url(), name, &["--cores", "1"]));
    let mut first = coordinator(&gone, &server.url(), "gone", &[]);
    for name in ["a", "b"] {
        first.wait_for(&format!("worker `{name}` plays with 1 place"));
    }
    first.kill();
    server.kill();
    server.wipe();
    server.restart();
    coordinator(&next, &server.url(), "next", &[]).succeeds();
    assert_eq!(without_times(next.rows("next")), expected);
    for worker in &mut workers {
        worker.wait_for("ended `gone`");
        worker.wait_for("ended `cup`");
    }
}

#[test]
fn workers_leave_for_a_tournament_with_a_higher_priority_and_come_back() {
    let Some(server) = Server::start() else { return };
    let low = named("low", 5);
    let high = named("high", 1);
    let mut worker = worker(low.folder.path(), &server.url(), "w", &["--cores", "1"]);
    let first = coordinator(&low, &server.url(), "low", &["--priority=-1"]);
    worker.wait_for("plays `low`");
    wait_for_lines(&low, "low", 2);
    coordinator(&high, &server.url(), "high", &[]).succeeds();
    assert_eq!(high.rows("high").len(), 3 * 2 * 2);
    assert!(low.rows("low").len() < 3 * 2 * 5 * 2, "the lower one waits");
    worker.wait_for("ended `low`");
    worker.wait_for("ended `high`");
    first.succeeds();
    assert_eq!(low.rows("low").len(), 3 * 2 * 5 * 2);
}

#[test]
fn a_worker_chooses_the_highest_priority_and_then_the_fewest_workers() {
    let Some(server) = Server::start() else { return };
    let cups =
        [("low", "-3"), ("one", "2"), ("two", "2")].map(|(name, priority)| (named(name, 10), name, priority));
    let running = cups.each_ref().map(|(cup, name, priority)| {
        coordinator(cup, &server.url(), name, &[&format!("--priority={priority}")])
    });
    let folder = cups[0].0.folder.path();
    let ids = cups.each_ref().map(|(cup, name, _)| tournament_id(&cup.path(name)));
    for id in &ids {
        wait_for_announcement(&server, id, |_| true);
    }
    let mut workers = Vec::new();
    for name in ["a", "b"] {
        if name == "b" {
            wait_for_announcement(&server, "*", |announcement| announcement["n-workers"] == 1);
        }
        let mut worker = worker(folder, &server.url(), name, &["--cores", "1"]);
        let line = worker.wait_for("plays `");
        workers.push((worker, line));
    }
    let lines: Vec<&str> = workers.iter().map(|(_, line)| line.as_str()).collect();
    assert!(["`one`", "`two`"].iter().all(|name| lines.iter().any(|line| line.contains(name))), "{lines:?}");
    drop(running);
}

/// A tournament of three slow engines.
fn named(name: &str, n_pairs: u32) -> Tournament {
    let head =
        CUP.replace("\"cup\"", &format!("\"{name}\"")).replace("pairs = 10", &format!("pairs = {n_pairs}"));
    Tournament::new(&head, &["one", "two", "three"].map(|engine| (engine, "slow-5")))
}

#[test]
fn a_coordinator_without_workers_ends_at_the_first_request() {
    let Some(server) = Server::start() else { return };
    let cup = cup_of(1);
    let mut running = coordinator(&cup, &server.url(), "cup", &[]);
    running.wait_for("3 engines");
    // It has published an order when the server has its stream.
    let id = tournament_id(&cup.path("cup"));
    wait_for_announcement(&server, &id, |_| true);
    running.signal(Signal::INT);
    let (code, said) = running.end();
    assert!(code == Some(130) && said.contains("0 of 12 matches"), "{code:?} {said}");
}

/// Waits until a coordinator announces a tournament in the wanted way.
fn wait_for_announcement(server: &Server, id: &str, is_wanted: impl Fn(&serde_json::Value) -> bool) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let mut announcements = client.subscribe(format!("arena.announce.{id}")).await.unwrap();
        let wanted = async {
            loop {
                let message = announcements.next().await.unwrap();
                if is_wanted(&serde_json::from_slice(&message.payload).unwrap()) {
                    break;
                }
            }
        };
        tokio::time::timeout(PATIENCE, wanted).await.expect("it is announced");
    });
}

/// The id of the tournament in a results folder.
fn tournament_id(results: &Path) -> String {
    let begun = std::time::Instant::now();
    loop {
        if let Ok(id) = fs::read_to_string(results.join("tournament-id")) {
            return id.trim().to_owned();
        }
        assert!(begun.elapsed() < PATIENCE, "it has no id");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_coordinator_plays_too() {
    let Some(server) = Server::start() else { return };
    let cup = cup();
    let expected = expected(&cup);
    let _worker = worker(cup.folder.path(), &server.url(), "w", &["--cores", "1"]);
    coordinator(&cup, &server.url(), "cup", &["--local", "2"]).succeeds();
    assert_eq!(without_times(cup.rows("cup")), expected);
    let journal = fs::read_to_string(cup.path("cup/matches.jsonl")).unwrap();
    assert!(journal.contains("\"worker\":\"local\""), "{journal}");
}

/// It does not wait for a first worker.
#[test]
fn a_coordinator_that_plays_too_needs_no_workers() {
    let Some(server) = Server::start() else { return };
    let cup = cup();
    let expected = expected(&cup);
    coordinator(&cup, &server.url(), "alone-here", &["--local", "1"]).succeeds();
    assert_eq!(without_times(cup.rows("alone-here")), expected);
}

/// The second match of a pair waits for a place of the coordinator, and no other match waits for it.
#[test]
fn a_long_match_of_the_coordinator_does_not_stop_the_workers() {
    let Some(server) = Server::start() else { return };
    let cup = cup();
    let n_matches = expected(&cup).len();
    let mut quick = worker_of_mode(cup.folder.path(), &server.url(), "quick", "good");
    quick.wait_for("waits for tournaments");
    let mut command = coordinator_command(&cup, &server.url(), "cup");
    let running = Running::start(command.args(["--local", "1"]).env("FAKE_ENGINE_MODE", "think"));
    wait_for_lines(&cup, "cup", n_matches - 2);
    drop(running);
}

#[test]
fn visitors_see_the_moves_of_workers() {
    let Some(server) = Server::start() else { return };
    let head = CUP.replace("pairs = 10", "pairs = 1");
    let cup = Tournament::new(&head, &[("one", "slow-25"), ("two", "slow-25")]);
    let mut command = nats::coordinator_command(&cup, &server.url(), "cup");
    let site = site::Site::start(command.args(["--serve", "--quiet"]));
    let mut events = site.events(None);
    let _worker = worker(cup.folder.path(), &server.url(), "w", &["--cores", "1"]);
    let (mut n_begun, mut n_moved, mut n_finished) = (0, 0, 0);
    while let Some((_, _, data)) = events.next() {
        let n = |key: &str| data[key].as_array().map_or(0, Vec::len);
        n_begun += n("begun");
        n_moved += n("moved");
        n_finished += n("finished");
    }
    // What begins and ends between two frames is only shown as finished.
    assert!(0 < n_begun && 0 < n_moved && n_finished == 4, "{n_begun} {n_moved} {n_finished}");
}

/// A folder with a copy of the engine as `engine`, followed by these bytes.
fn folder_with_engine(bytes: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    let program = [fs::read(common::fake_engine()).unwrap(), bytes.to_vec()].concat();
    fs::write(&path, program).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&path, mode).unwrap();
    folder
}

#[test]
fn another_program_at_the_worker_is_refused_on_both_sides() {
    let Some(server) = Server::start() else { return };
    let [here, same, other] = [&b""[..], b"", b"another"].map(folder_with_engine);
    let engines =
        ["one", "two"].map(|name| format!("[[engine]]\nname = \"{name}\"\ncommand = \"./engine\"\n"));
    fs::write(here.path().join("cup.toml"), format!("{CUP}{}", engines.concat())).unwrap();
    let mut refused = worker(other.path(), &server.url(), "other", &[]);
    let nothing = tempfile::tempdir().unwrap();
    let mut without = worker(nothing.path(), &server.url(), "without", &[]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(here.path()).args(["run", "cup.toml", "--results", "cup", "--nats", &server.url()]);
    let mut coordinator = Running::start(&mut command);
    let words = "engine `one` differs from the coordinator's: `./engine` has SHA-256 ";
    refused.wait_for(words);
    let line = coordinator.wait_for(words);
    assert!(line.starts_with("warning: worker `other` does not take part: "), "{line}");
    let hashes = line.split("SHA-256 ").nth(1).unwrap();
    let [there, at_worker] = [0, 3].map(|idx| hashes.split(' ').nth(idx).unwrap().trim_end_matches(';'));
    assert!(there.len() == 64 && at_worker.len() == 64 && there != at_worker, "{line}");
    without.wait_for("engine `one`: there is no program `./engine`");
    without.wait_for("help: install the engine at the same path on the worker");
    let _same = worker(same.path(), &server.url(), "same", &[]);
    coordinator.succeeds();
}

#[test]
fn results_that_nobody_played_do_not_count() {
    let Some(server) = Server::start() else { return };
    let cup = cup();
    let expected = expected(&cup);
    let mut running = coordinator(&cup, &server.url(), "cup", &[]);
    running.wait_for("3 engines");
    let id = tournament_id(&cup.path("cup"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        // An order as a worker gets it.
        let mut announcements = client.subscribe(format!("arena.announce.{id}")).await.unwrap();
        let announcement = tokio::time::timeout(PATIENCE, announcements.next()).await.unwrap().unwrap();
        let announcement: serde_json::Value = serde_json::from_slice(&announcement.payload).unwrap();
        let mut orders = client.subscribe(format!("arena.{id}.order.thief")).await.unwrap();
        let state = |is_leaving: bool| {
            let state = serde_json::json!({
                "format-version": 2, "invitation": announcement["invitation"], "places": 1, "playing": [], "holds": [],
                "is-leaving": is_leaving
            });
            client.publish(format!("arena.{id}.state.thief"), serde_json::to_vec(&state).unwrap().into())
        };
        state(false).await.unwrap();
        let order = tokio::time::timeout(PATIENCE, orders.next()).await.unwrap().unwrap();
        let hash = hash(&order.payload);
        let good: serde_json::Value = serde_json::from_slice(&order.payload).unwrap();
        let made_up = |reason: &str, order: &str, pair: u32| {
            let record = |idx: usize| {
                let job = &good["jobs"][idx];
                serde_json::json!({
                    "match": job["match"], "pair": job["pair"], "game": job["game"], "opening": job["opening"],
                    "white": job["players"][0]["engine"]["name"], "black": job["players"][1]["engine"]["name"],
                    "result": "1-0", "reason": reason, "plies": 0, "white_ms": 0, "black_ms": 0,
                    "end": job["opening"], "moves": []
                })
            };
            let outcome = serde_json::json!({
                "format-version": 2, "pair": pair, "attempt": 1, "order": order, "records": [record(0), record(1)]
            });
            serde_json::to_vec(&outcome).unwrap()
        };
        let subject = |worker: &str, pair: u32| format!("arena.{id}.result.{worker}.{pair}");
        for (subject, payload) in [
            (subject("liar", 1), b"garbage".to_vec()),
            (subject("liar", 2), vec![b'['; 500_000]),
            (subject("liar", 3), made_up("goal", &hash, 3)),
            (subject("liar", 1), made_up("goal", &hash, 1)),
            // This could have happened, but the pair was ordered again after the result before.
            (subject("late", 1), made_up("start-failure", &hash, 1)),
            (subject("a b", 1), Vec::new()),
            (format!("arena.{id}.state.liar"), vec![b'{'; 1000]),
            (format!("arena.{id}.state.a*b"), b"{}".to_vec()),
            (format!("arena.{id}.state.newer"), br#"{"format-version":3}"#.to_vec()),
        ] {
            let _ = client.publish(subject, payload.into()).await;
        }
        state(true).await.unwrap();
        client.flush().await.unwrap();
    });
    running.wait_for("worker `liar`: a result was dropped");
    running.wait_for("worker `newer` does not take part: its messages have version 3");
    running.wait_for("worker `liar` sent a wrong result of pair 1, which is played again: match 1: ");
    let _worker = worker(cup.folder.path(), &server.url(), "w", &["--cores", "2"]);
    running.succeeds();
    assert_eq!(without_times(cup.rows("cup")), expected);
}

#[test]
fn a_client_that_hoards_orders_is_named_and_does_not_stop_the_others() {
    let Some(server) = Server::start() else { return };
    let cup = cup();
    let expected = expected(&cup);
    let mut running = coordinator(&cup, &server.url(), "cup", &[]);
    running.wait_for("3 engines");
    let id = tournament_id(&cup.path("cup"));
    let url = server.url();
    // It takes part with many places, and never says that it has an order.
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let client = async_nats::connect(url).await.unwrap();
            let mut announcements = client.subscribe(format!("arena.announce.{id}")).await.unwrap();
            while let Some(message) = announcements.next().await {
                let announcement: serde_json::Value = serde_json::from_slice(&message.payload).unwrap();
                let state = serde_json::json!({
                    "format-version": 2, "invitation": announcement["invitation"], "places": 1000, "playing": [],
                    "holds": [], "is-leaving": false
                });
                let payload = serde_json::to_vec(&state).unwrap();
                client.publish(format!("arena.{id}.state.hoarder"), payload.into()).await.unwrap();
            }
        });
    });
    let line = running.wait_for("warning: worker `hoarder` has had pair ");
    assert!(line.ends_with(", and does not confirm it; others play it, too"), "{line}");
    let _worker = worker(cup.folder.path(), &server.url(), "w", &["--cores", "2"]);
    running.succeeds();
    assert_eq!(without_times(cup.rows("cup")), expected);
}

#[test]
fn a_second_coordinator_of_the_same_tournament_is_refused() {
    let Some(server) = Server::start() else { return };
    let cup = cup_of(1);
    let expected = expected(&cup);
    let mut first = coordinator(&cup, &server.url(), "cup", &[]);
    first.wait_for("3 engines");
    let id = tournament_id(&cup.path("cup"));
    // The first one answers when it announces the tournament.
    wait_for_announcement(&server, &id, |_| true);
    // A copy of the folder, which has the same id.
    fs::create_dir(cup.path("copy")).unwrap();
    fs::write(cup.path("copy/tournament-id"), &id).unwrap();
    let (code, said) = coordinator(&cup, &server.url(), "copy", &[]).end();
    let words = "another `arena run` plays this tournament at the NATS server: process ";
    assert!(code != Some(0) && said.contains(words), "{code:?} {said}");
    let _worker = worker(cup.folder.path(), &server.url(), "w", &["--cores", "2"]);
    first.succeeds();
    assert_eq!(without_times(cup.rows("cup")), expected);
}
