//! Workers whose results cannot be trusted, with real processes and a real NATS server: they are found and set aside, and
//! their pairs are played again.

#![cfg(target_os = "linux")]
use crate::common::nats;
use crate::common::tournament;

use std::fs;

use crate::common::tournament::{Ended, Tournament};
use nats::{
    CUP, Server, coordinator, cup_of, expected, n_lines, wait_for_lines, without_times, worker,
    worker_of_mode,
};
use rustix::process::Signal;
use tokio_stream::StreamExt;

/// Adds a table to the tournament file.
fn with(cup: &Tournament, table: &str) {
    let path = cup.path("cup.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, format!("{text}\n{table}\n")).unwrap();
}

fn journal(cup: &Tournament) -> String {
    fs::read_to_string(cup.path("cup/matches.jsonl")).unwrap()
}

#[test]
fn the_audit_finds_the_worker_that_plays_other_moves() {
    let Some(server) = Server::start() else { return };
    let cup = cup_of(10);
    let expected = expected(&cup);
    with(&cup, "[machines]\naudit = 0.5");
    // Every second pair of it waits for an audit, and the others count.
    let mut liar = worker_of_mode(cup.folder.path(), &server.url(), "liar", "last");
    let mut running = coordinator(&cup, &server.url(), "cup", &[]);
    wait_for_lines(&cup, "cup", 6);
    assert!(journal(&cup).contains("\"worker\":\"liar\""));
    let _honest = ["a", "b"].map(|name| worker(cup.folder.path(), &server.url(), name, &["--cores", "1"]));
    let line = running.wait_for("a third worker decides which one is wrong");
    assert!(line.contains("on `liar`") && line.contains("ply 1 `"), "{line}");
    let line = running.wait_for("worker `liar` was set aside: the audit of pair");
    assert!(line.contains("; its matches are played again"), "{line}");
    liar.wait_for("the coordinator has set this worker aside: the audit of pair");
    running.succeeds();
    assert_eq!(without_times(cup.rows("cup")), expected);
    assert!(!journal(&cup).contains("\"worker\":\"liar\""));
    let set_aside = fs::read_to_string(cup.path("cup/matches.set-aside.jsonl")).unwrap();
    assert!(set_aside.lines().all(|line| line.contains("\"worker\":\"liar\"")), "{set_aside}");
    let workers = fs::read_to_string(cup.path("cup/workers.set-aside.jsonl")).unwrap();
    assert!(workers.starts_with("{\"worker\":\"liar\",\"why\":"), "{workers}");
}

#[test]
fn an_audit_needs_a_second_worker() {
    let Some(server) = Server::start() else { return };
    let cup = cup_of(2);
    let expected = expected(&cup);
    with(&cup, "[machines]\naudit = 1.0");
    let _first = worker(cup.folder.path(), &server.url(), "first", &["--cores", "2"]);
    let mut running = coordinator(&cup, &server.url(), "cup", &[]);
    running.wait_for("the audit of the last pairs needs another worker");
    assert_eq!(n_lines(&cup, "cup"), 0);
    let _second = worker(cup.folder.path(), &server.url(), "second", &["--cores", "2"]);
    running.succeeds();
    assert_eq!(without_times(cup.rows("cup")), expected);
}

#[test]
fn an_audit_needs_matches_that_do_not_depend_on_time() {
    let cup = Tournament::new("[limits]\nmovetime = \"10ms\"\n", &[("one", "good"), ("two", "good")]);
    with(&cup, "[machines]\naudit = 0.02");
    let output = cup.run(&["--nats", "nats://127.0.0.1:1"]).fails(2);
    let said = tournament::said(&output);
    assert!(said.contains("time limits the moves of engine `one`"), "{said}");
}

#[test]
fn a_slow_worker_that_loses_on_time_is_set_aside() {
    let Some(server) = Server::start() else { return };
    let head = CUP
        .replace("pairs = 10", "pairs = 20")
        .replace("nodes = 50\nmax-plies = 40", "movetime = \"10ms\"\nmargin = \"290ms\"\nmax-plies = 10");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good"), ("three", "good")]);
    let start = |name, mode| worker_of_mode(cup.folder.path(), &server.url(), name, mode);
    let mut slow = start("slow", "slow-400");
    slow.wait_for("waits for tournaments");
    let mut running = coordinator(&cup, &server.url(), "cup", &[]);
    wait_for_lines(&cup, "cup", 4);
    let _quick = start("quick", "slow-15");
    let line = running.wait_for("worker `slow` was set aside: 100.0 % of its matches are lost on time");
    assert!(line.contains("in the same pairings on all workers"), "{line}");
    slow.wait_for("the coordinator has set this worker aside: 100.0 % of its matches are lost on time");
    running.succeeds();
    assert_eq!(cup.rows("cup").len(), 3 * 2 * 20 * 2);
    assert!(!journal(&cup).contains("\"worker\":\"slow\""));
}

#[test]
fn a_server_without_space_is_reported_and_used_later() {
    let config = |most: &str| format!("jetstream {{ store_dir: \"nats-data\", max_file_store: {most} }}\n");
    let mut path = None;
    let server = Server::with_config(|folder| {
        path = Some(folder.join("server.conf"));
        fs::write(path.as_ref().unwrap(), config("100")).unwrap();
        path.clone()
    });
    let Some(mut server) = server else { return };
    let cup = cup_of(1);
    let expected = expected(&cup);
    // The server takes messages until it has too many: another stream fills it.
    let mut stopped = coordinator(&cup, &server.url(), "cup", &[]);
    stopped.wait_for("3 engines");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let mut announcements = client.subscribe("arena.announce.*").await.unwrap();
        tokio::time::timeout(nats::PATIENCE, announcements.next()).await.unwrap().unwrap();
        let context = async_nats::jetstream::new(client);
        let (name, subjects) = ("filler".to_owned(), vec!["filler".to_owned()]);
        let config = async_nats::jetstream::stream::Config { name, subjects, ..Default::default() };
        context.create_stream(config).await.unwrap();
        context.publish("filler", vec![0; 1000].into()).await.unwrap().await.unwrap();
    });
    let _worker = worker(cup.folder.path(), &server.url(), "w", &["--cores", "1"]);
    let line = stopped.wait_for("warning: worker `w`: the NATS server does not keep the results: ");
    assert!(line.contains("; make room on its disk, or raise `max_file_store`"), "{line}");
    stopped.signal(Signal::INT);
    let (code, said) = stopped.end();
    let words = "2 started matches returned no result; the same command plays them again";
    assert!(code == Some(130) && said.contains(words), "{code:?} {said}");
    let running = coordinator(&cup, &server.url(), "cup", &[]);
    fs::write(path.unwrap(), config("1GB")).unwrap();
    server.restart();
    running.succeeds();
    assert_eq!(without_times(cup.rows("cup")), expected);
}

#[test]
fn a_result_that_the_server_does_not_take_is_reported_and_sent_later() {
    let config =
        |max_payload: u32| format!("max_payload: {max_payload}\njetstream {{ store_dir: \"nats-data\" }}\n");
    let mut path = None;
    let server = Server::with_config(|folder| {
        path = Some(folder.join("server.conf"));
        fs::write(path.as_ref().unwrap(), config(5000)).unwrap();
        path.clone()
    });
    let Some(mut server) = server else { return };
    let head = CUP.replace("pairs = 10", "pairs = 1").replace("max-plies = 40", "max-plies = 100");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good")]);
    let expected = expected(&cup);
    let mut running = coordinator(&cup, &server.url(), "cup", &[]);
    running.wait_for("warning: a pair of 100 plies each has about 36000 bytes as a message, but the NATS server takes 5000");
    let mut worker = worker(cup.folder.path(), &server.url(), "w", &["--cores", "1"]);
    worker.wait_for("the result of pair ");
    let line = running.wait_for("worker `w`: the result of pair ");
    assert!(line.contains(" bytes, but the NATS server takes 5000; raise `max_payload`"), "{line}");
    fs::write(path.unwrap(), config(1 << 20)).unwrap();
    server.restart();
    running.succeeds();
    assert_eq!(without_times(cup.rows("cup")), expected);
}
