//! What spectators cost a tournament, for `docs/performance.md`. It takes minutes, and asserts no times:
//! `cargo it-release live::cost --ignored --nocapture`.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::common::site::Site;
use crate::common::tournament::Tournament;

const N_RUNS: usize = 3;
const N_VIEWERS: usize = 200;
/// The share of a run without a server, and the number of its viewers.
const WATCHED: [(&str, Option<usize>); 3] =
    [("no server", None), ("server, no viewer", Some(0)), ("server, 200 viewers", Some(N_VIEWERS))];

/// What was measured in one run.
#[derive(Clone, Debug, Default)]
struct Run {
    /// From the start of the program to its end.
    wall_s: f64,
    plies: f64,
    /// The time of a move by the arena's clock.
    move_us: f64,
    /// Processor time of the threads that serve, in parts of the time.
    server_part: f64,
    /// Updates per second that a viewer got.
    updates: f64,
    memory_mib: f64,
}

#[test]
#[ignore = "a measurement"]
fn what_spectators_cost() {
    println!(
        "| engines | spectators | plies per second | time of a move, us | per ply of the run, us | threads that serve | updates per viewer | memory |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (mode, words, n_pairs) in [("slow-1", "1 ms per move", 45), ("good", "answer at once", 400)] {
        let mut runs: BTreeMap<usize, Vec<Run>> = BTreeMap::new();
        // In turns, so that a machine that changes its speed changes all.
        for _ in 0..N_RUNS {
            for (idx, (_, n_viewers)) in WATCHED.into_iter().enumerate() {
                runs.entry(idx).or_default().push(measure(mode, n_pairs, n_viewers));
            }
        }
        for (idx, (name, n_viewers)) in WATCHED.into_iter().enumerate() {
            let of = |value: fn(&Run) -> f64| spread(runs[&idx].iter().map(value).collect());
            let (plies, time, per_ply) = (
                of(|run| run.plies / run.wall_s),
                of(|run| run.move_us),
                of(|run| 1e6 * run.wall_s / run.plies),
            );
            let (part, updates, memory) =
                (of(|run| 100.0 * run.server_part), of(|run| run.updates), of(|run| run.memory_mib));
            println!(
                "| {words} | {name} | {plies} | {time} | {per_ply} | {part} % | {updates} | {memory} MiB |"
            );
            if n_viewers.is_some() {
                assert!(runs[&idx].iter().all(|run| run.updates < 10.5), "at most 10 updates a second");
            }
        }
    }
}

/// The median, with the lowest and the highest value.
fn spread(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let show = |value: f64| if value < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") };
    format!("{} ({}-{})", show(values[values.len() / 2]), show(values[0]), show(values[values.len() - 1]))
}

/// Two matches at a time of two engines of this mode, with so many viewers.
fn measure(mode: &str, n_pairs: u32, n_viewers: Option<usize>) -> Run {
    let head = format!(
        "[tournament]\npairs = {n_pairs}\nconcurrency = 2\nseed = 3\n[limits]\nmovetime = \"5s\"\nmax-plies = 200\n[[game]]\nid = \"tower-of-power\"\nopening-plies = 8\n"
    );
    let cup = Tournament::new(&head, &[("one", mode), ("two", mode)]);
    let begun = Instant::now();
    let mut run = Run::default();
    if let Some(n_viewers) = n_viewers {
        let mut site = Site::start(&mut cup.command(&["--serve", "--quiet", "--results", "out"]));
        let (n_updates, is_over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let viewers = std::thread::spawn({
            let (host, path) = (site.host.clone(), site.path.clone());
            let (n_updates, is_over) = (Arc::clone(&n_updates), Arc::clone(&is_over));
            move || watch(&host, &path, n_viewers, &n_updates, &is_over)
        });
        let id = site.process.id();
        let mut serving_ms = 0.0;
        while site.process.try_wait().unwrap().is_none() {
            serving_ms = serving_threads_ms(id).unwrap_or(serving_ms);
            run.memory_mib = highest_memory_mib(id).unwrap_or(run.memory_mib);
            std::thread::sleep(Duration::from_millis(20));
        }
        run.wall_s = begun.elapsed().as_secs_f64();
        is_over.store(true, Ordering::Relaxed);
        viewers.join().unwrap();
        run.server_part = serving_ms / 1000.0 / run.wall_s;
        run.updates = n_updates.load(Ordering::Relaxed) as f64 / n_viewers.max(1) as f64 / run.wall_s;
    } else {
        let mut command: Command = cup.command(&["--quiet", "--results", "out"]);
        let mut process = command.stdout(Stdio::null()).spawn().unwrap();
        while process.try_wait().unwrap().is_none() {
            run.memory_mib = highest_memory_mib(process.id()).unwrap_or(run.memory_mib);
            std::thread::sleep(Duration::from_millis(20));
        }
        run.wall_s = begun.elapsed().as_secs_f64();
    }
    let journal = fs::read_to_string(cup.path("out/matches.jsonl")).unwrap();
    for line in journal.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let moves = record["moves"].as_array().unwrap();
        run.plies += moves.len() as f64;
        run.move_us += moves.iter().map(|mv| mv["time_us"].as_f64().unwrap()).sum::<f64>();
    }
    run.move_us /= run.plies;
    run
}

/// Viewers that read all they get, in one thread.
fn watch(host: &str, path: &str, n_viewers: usize, n_updates: &Arc<AtomicU64>, is_over: &AtomicBool) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..n_viewers {
            let mut stream = TcpStream::connect(host).await.unwrap();
            let head = format!("GET {path}events HTTP/1.1\r\nHost: {host}\r\n\r\n");
            stream.write_all(head.as_bytes()).await.unwrap();
            let n_updates = Arc::clone(n_updates);
            tasks.spawn(async move {
                let mut bytes = vec![0; 64 * 1024];
                while let Ok(n) = stream.read(&mut bytes).await
                    && 0 < n
                {
                    let is_update = |window: &&[u8]| *window == b"event: frame";
                    let n = bytes[..n].windows(12).filter(is_update).count();
                    n_updates.fetch_add(n as u64, Ordering::Relaxed);
                }
            });
        }
        while !is_over.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
}

/// The processor time so far of the threads that serve.
fn serving_threads_ms(id: u32) -> Option<f64> {
    let mut ticks = 0;
    for task in fs::read_dir(format!("/proc/{id}/task")).ok()?.flatten() {
        let Ok(stat) = fs::read_to_string(task.path().join("stat")) else { continue };
        let (name, rest) = stat.rsplit_once(") ")?;
        if !name.ends_with("(site") && !name.ends_with("(stage") {
            continue;
        }
        let fields: Vec<&str> = rest.split_whitespace().collect();
        ticks += fields[11].parse::<u64>().ok()? + fields[12].parse::<u64>().ok()?;
    }
    // Ticks of 10 ms.
    Some(ticks as f64 * 10.0)
}

fn highest_memory_mib(id: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}
