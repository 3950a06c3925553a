//! Measurements of tournaments on many machines, for `docs/performance.md`. They take minutes and assert no times:
//! `cargo it-release machines_figures:: --ignored --nocapture --test-threads 1`.

#![cfg(target_os = "linux")]
use crate::common::nats;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::time::{Duration, Instant};

use crate::common::tournament::Tournament;
use cluster::message::{Announcement, Order, Outcome, Receipt, State, decode, encode, hash};
use cluster::subject::Names;
use model::{FormatVersion, Record};
use nats::{PATIENCE, Running, Server, coordinator, worker};
use ratings::MatchResult;
use tokio_stream::StreamExt;

const LONG: Duration = Duration::from_secs(3600);

/// A tournament of two engines of this mode in one game.
fn duel(n_pairs: u32, mode: &str, max_plies: u32) -> Tournament {
    let head = format!(
        "[tournament]\nname = \"cup\"\npairs = {n_pairs}\nconcurrency = 1\nseed = 3\n\n[limits]\nnodes = 50\nmax-plies = {max_plies}\n\n[[game]]\nid = \"push\"\nopening-plies = 8\n"
    );
    Tournament::new(&head, &[("one", mode), ("two", mode)])
}

/// The processor time of a process so far, without its children.
fn processor_ms(id: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    // Ticks of 10 ms.
    let ticks: u64 = fields[11].parse::<u64>().ok()? + fields[12].parse::<u64>().ok()?;
    Some(ticks as f64 * 10.0)
}

/// The memory that a process uses, in MiB.
fn memory_mib(id: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// Waits for the end of the coordinator. Returns the processor time of each process at that time.
fn processor_times(mut coordinator: Running, others: &[u32]) -> Vec<f64> {
    let ids = [&[coordinator.id()], others].concat();
    let mut times: BTreeMap<u32, f64> = BTreeMap::new();
    while coordinator.is_running() {
        for &id in &ids {
            if let Some(time) = processor_ms(id) {
                times.insert(id, time);
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    coordinator.succeeds();
    ids.iter().map(|id| times.get(id).copied().unwrap_or_default()).collect()
}

#[test]
#[ignore = "a measurement"]
fn overhead_of_a_pair() {
    const PAIRS: u32 = 1000;
    let Some(server) = Server::start() else { return };
    let mut overheads = Vec::new();
    for round in 0..5 {
        let cup = duel(PAIRS, "good", 40);
        let alone = Running::start(cup.command(&["--results", "alone", "--no-report"]).arg("-q"));
        let alone: f64 = processor_times(alone, &[]).iter().sum();
        let worker = worker(cup.folder.path(), &server.url(), &format!("w{round}"), &["--cores", "1"]);
        let before = processor_ms(server.id()).unwrap();
        let running = coordinator(&cup, &server.url(), "cup", &["-q"]);
        let times = processor_times(running, &[worker.id(), server.id()]);
        let together = times.iter().sum::<f64>() - before;
        println!("alone {alone} ms; coordinator, worker, server {times:?} ms (server before: {before} ms)");
        overheads.push((together - alone) / f64::from(PAIRS));
    }
    overheads.sort_by(f64::total_cmp);
    println!("overhead of a pair: {:.2} ms of processor time ({overheads:.2?})", overheads[2]);
}

#[test]
#[ignore = "a measurement"]
fn eight_workers_against_one() {
    let Some(server) = Server::start() else { return };
    let rate = |n_workers: usize| {
        let cup = duel(40 * n_workers as u32, "slow-10", 20);
        let _workers: Vec<Running> = (0..n_workers)
            .map(|idx| worker(cup.folder.path(), &server.url(), &format!("w{idx}"), &["--cores", "1"]))
            .collect();
        let running = coordinator(&cup, &server.url(), "cup", &["-q"]);
        nats::wait_for_lines(&cup, "cup", 8 * n_workers);
        let (begun, n_before) = (Instant::now(), nats::n_lines(&cup, "cup"));
        let (code, said) = running.end_within(LONG);
        assert_eq!(code, Some(0), "{said}");
        (nats::n_lines(&cup, "cup") - n_before) as f64 / begun.elapsed().as_secs_f64()
    };
    for round in 0..3 {
        let [one, eight] = [1, 8].map(rate);
        println!(
            "round {round}: 1 worker {one:.2} matches/s, 8 workers {eight:.2} matches/s: {:.1} % of 8 times one",
            100.0 * eight / (8.0 * one)
        );
    }
}

/// The number of pairs can be set by `ARENA_PAIRS`.
#[test]
#[ignore = "a measurement"]
fn growth_with_workers_and_matches() {
    let n_pairs = std::env::var("ARENA_PAIRS").ok().and_then(|n| n.parse().ok()).unwrap_or(500_000_u32);
    let Some(server) = Server::start() else { return };
    let cup = duel(n_pairs, "good", 40);
    let mut running = coordinator(&cup, &server.url(), "cup", &["-q"]);
    let id = loop {
        if let Ok(id) = fs::read_to_string(cup.path("cup/tournament-id")) {
            break id.trim().to_owned();
        }
        assert!(running.is_running());
        std::thread::sleep(Duration::from_millis(10));
    };
    let url = server.url();
    let simulation = std::thread::spawn(move || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
            .block_on(simulate(&url, &id));
    });
    let begun = Instant::now();
    let mut next = n_pairs / 10;
    let (mut n_bytes, mut n_matches) = (0, 0);
    while running.is_running() {
        // Only what is new is read.
        if let Ok(mut table) = fs::File::open(cup.path("cup/matches.csv")) {
            let mut new = Vec::new();
            table.seek(SeekFrom::Start(n_bytes)).unwrap();
            n_bytes += table.read_to_end(&mut new).unwrap() as u64;
            n_matches += new.split(|byte| *byte == b'\n').count() - 1;
        }
        if (2 * next) as usize <= n_matches {
            println!(
                "{n_matches} matches after {:.0} s ({:.0}/s): coordinator {:.0} MiB, {:.0} ms of processor time; server {:.0} MiB",
                begun.elapsed().as_secs_f64(),
                n_matches as f64 / begun.elapsed().as_secs_f64(),
                memory_mib(running.id()).unwrap_or_default(),
                processor_ms(running.id()).unwrap_or_default(),
                memory_mib(server.id()).unwrap_or_default(),
            );
            next += n_pairs / 10;
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    let (code, said) = running.end_within(PATIENCE);
    assert_eq!(code, Some(0), "{said}");
    println!("{} matches in {:.0} s", 2 * n_pairs, begun.elapsed().as_secs_f64());
    simulation.join().unwrap();
}

/// A thousand workers on one connection: in each match, White resigns at once.
async fn simulate(url: &str, id: &str) {
    let names = Names::new(id);
    let resigns = |order: &Order, hash: &str| {
        let records =
            order.jobs.iter().map(|job| Record::without_moves(job, MatchResult::BlackWins, "resign"));
        Outcome {
            format_version: FormatVersion,
            pair: order.pair,
            attempt: order.attempt,
            order: hash.to_owned(),
            records: records.collect(),
        }
    };
    simulated(url, &names, 1000, |order, hash| Some(resigns(order, hash))).await;
}

/// Workers on one connection, each with one place, until the tournament is over. `play` says what they do with an order; without
/// an outcome, they keep it.
async fn simulated(url: &str, names: &Names, n_workers: u32, play: impl Fn(&Order, &str) -> Option<Outcome>) {
    let client = async_nats::connect(url).await.unwrap();
    let mut announcements = client.subscribe(names.announcement()).await.unwrap();
    let first = tokio::time::timeout(PATIENCE, announcements.next()).await.unwrap().unwrap();
    let announcement: Announcement = decode(&first.payload).unwrap();
    let mut orders = client.subscribe(names.order("*")).await.unwrap();
    let mut receipts = client.subscribe(names.receipt("*")).await.unwrap();
    let mut held: HashMap<String, String> = HashMap::new();
    let mut beat = Duration::from_secs(1);
    let mut next = Instant::now();
    loop {
        tokio::select! {
            () = tokio::time::sleep_until(next.into()) => {
                next += beat;
                for idx in 0..n_workers {
                    let name = format!("w{idx}");
                    let state = State {
                        invitation: announcement.invitation.clone(),
                        places: 1,
                        holds: held.get(&name).cloned().into_iter().collect(),
                        ..State::default()
                    };
                    client.publish(names.state(&name), encode(&state).into()).await.unwrap();
                }
            }
            Some(message) = orders.next() => {
                let order: Order = decode(&message.payload).unwrap();
                let hash = hash(&message.payload);
                let worker = message.subject.rsplit('.').next().unwrap().to_owned();
                if let Some(outcome) = play(&order, &hash) {
                    client.publish(names.result(&worker, order.pair), encode(&outcome).into()).await.unwrap();
                }
                held.insert(worker, hash);
            }
            Some(message) = receipts.next() => {
                let receipt: Receipt = decode(&message.payload).unwrap();
                let worker = message.subject.rsplit('.').next().unwrap();
                if held.get(worker) == Some(&receipt.order) {
                    held.remove(worker);
                }
            }
            Some(message) = announcements.next() => {
                let announcement: Announcement = decode(&message.payload).unwrap();
                if announcement.is_over {
                    return;
                }
                beat = Duration::from_millis(announcement.beat_ms);
            }
        }
    }
}

/// Ten thousand workers that say what they do, and keep their pairs: none of them is silent. The number can be set by
/// `ARENA_WORKERS`.
#[test]
#[ignore = "a measurement"]
fn many_workers_are_heard() {
    let n_workers = std::env::var("ARENA_WORKERS").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000_u32);
    let Some(server) = Server::start() else { return };
    let cup = duel(2 * n_workers, "good", 40);
    let running =
        Running::start(cup.command(&["--nats", &server.url(), "--results", "cup", "--no-report"]).arg("-q"));
    let id = loop {
        if let Ok(id) = fs::read_to_string(cup.path("cup/tournament-id")) {
            break id.trim().to_owned();
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let url = server.url();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let names = Names::new(&id);
    let before = processor_ms(running.id()).unwrap();
    let heard = runtime.block_on(async {
        tokio::time::timeout(Duration::from_secs(60), simulated(&url, &names, n_workers, |_, _| None)).await
    });
    assert!(heard.is_err(), "nobody plays");
    let time = processor_ms(running.id()).unwrap() - before;
    println!("{n_workers} workers for 60 s: {time:.0} ms of processor time of the coordinator");
    running.signal(rustix::process::Signal::TERM);
    let (_, said) = running.end();
    assert!(!said.contains("was silent"), "{said}");
}
