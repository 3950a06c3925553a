//! What the arena itself costs: `cargo bench -p arena --bench referee`.
//!
//! Two engines that answer at once play matches of 100 plies, out of a script. Beside it the floor: a bare ping-pong of
//! lines of the same length between two processes over pipes. Both also with all processes on one processor, as places
//! are pinned, and what that gains. Runs with a log and without take turns, so that what else the machine does meets both
//! alike. Times are the median of five runs with their spread; reads and writes are the system calls that `/proc/self/io`
//! counts, waiting not among them. Then whole tournaments of the program itself, with matches of two plies and engines that
//! know no rules: the most memory it had, of its own and with the pages of its program, and how long it takes to end after
//! its last match. Those of 100,000 matches take a while, and are played with `ARENA_BENCH_LONG=1`. The system's load is
//! said before and after: where it is not near 0, the times are also the other programs'. Last, the time of one sync of the
//! journal on the disk of the build.

#![expect(clippy::print_stdout, reason = "the table is the product")]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use engine_proto::{GameId, Side};
use host::launch::Confinement;
use model::{Engine, FormatVersion, Job, MatchRules, OffTurn, OnMachineDelay, Player, TimeControl, Timeouts};
use opponent::Spawn;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use runner::pool::Place;

const PLIES: usize = 100;
const MATCHES: u32 = 200;
const RUNS: usize = 5;
const SYNCS: usize = 45;
const GAME: GameId = GameId::PUSH_PUSH;

fn main() {
    if let Ok(script) = env::var("ARENA_BENCH_SCRIPT") {
        return engine(&script.split(' ').collect::<Vec<_>>());
    }
    let opening = GAME.info().starts[0].fen;
    let script = script(opening);
    println!("{PLIES} plies a match, {MATCHES} matches a run, {RUNS} runs, {} core(s)", cores());
    println!("load {}", load());
    println!("{:<40} {:>10} {:>10}", "", "median", "spread");
    let mut walls = Vec::new();

    for (name, pinning) in [("anywhere", None), ("on one processor", first_usable())] {
        if name != "anywhere" && pinning.is_none() {
            continue;
        }
        println!("{name}:");
        let floor = on(pinning, || runs(|| floor(opening, &script)));
        row("  floor: wall time per round trip", &floor, |cost| cost.wall);
        let logs = env::temp_dir().join(format!("arena-bench-{}", std::process::id()));
        fs::create_dir_all(&logs).expect("a folder for logs");
        let (arena, logged): (Vec<Cost>, Vec<Cost>) = on(pinning, || {
            let run = |logs| arena_matches(opening, &script, Manner { logs, ..Manner::default() });
            (0..RUNS).map(|_| (run(None), run(Some(logs.as_path())))).unzip()
        });
        fs::remove_dir_all(&logs).expect("its own folder");
        row("  arena: wall time per move", &arena, |cost| cost.wall);
        row("  arena: own CPU time per move", &arena, |cost| cost.cpu);
        println!("  arena: reads and writes per move {:>7.2}", arena[0].calls);
        let wall = median_of(&arena, |cost| cost.wall);
        println!("  matches per second, one at a time: {:.0}", 1e6 / (wall * PLIES as f64));
        row("  arena with a log: wall time per move", &logged, |cost| cost.wall);
        row("  arena with a log: own CPU time per move", &logged, |cost| cost.cpu);
        let more = |of: fn(&Cost) -> f64| (median_of(&logged, of) / median_of(&arena, of) - 1.0) * 100.0;
        println!(
            "  a log costs {:+.0} % of wall time, {:+.0} % of CPU time",
            more(|cost| cost.wall),
            more(|cost| cost.cpu)
        );
        let costs = |off_turn, thinking_ms| {
            let manner = Manner { off_turn, thinking_ms, logs: None };
            on(pinning, || runs(|| arena_matches(opening, &script, manner)))
        };
        let free = costs(OffTurn::Allow, 0);
        row("  off turn allowed: wall time per move", &free, |cost| cost.wall);
        row("  off turn allowed: own CPU time per move", &free, |cost| cost.cpu);
        for (what, off_turn) in [("allowed", OffTurn::Allow), ("stopped", OffTurn::Warn)] {
            let slow = costs(off_turn, 8);
            row(&format!("  8 ms a move, off turn {what}: between moves"), &slow, |cost| cost.between);
            row(&format!("  8 ms a move, off turn {what}: own CPU time"), &slow, |cost| cost.cpu);
        }
        walls.push(wall);
    }
    if let [anywhere, pinned] = walls[..] {
        println!("pinning saves {:.0} % of wall time", (1.0 - pinned / anywhere) * 100.0);
    }
    println!("matches per second, two at a time, pinned: {:.0}", two_at_a_time(opening, &script));
    println!("resident memory of this process: {}", resident("self"));
    for pairs in [500, 5_000, 50_000] {
        if pairs < 50_000 || env::var_os("ARENA_BENCH_LONG").is_some() {
            tournament(pairs, Log::No);
        }
    }
    tournament(5_000, Log::Yes);
    syncs();
    println!("load {}", load());
}

/// How long one sync of the journal takes, after as many new lines as come in half a second.
fn syncs() {
    let mut file = tempfile::tempfile_in(env!("CARGO_TARGET_TMPDIR")).expect("a file of the build");
    let mut times: Vec<f64> = (0..SYNCS)
        .map(|_| {
            file.write_all("x".repeat(20_000).as_bytes()).expect("room on the disk");
            let begun = Instant::now();
            file.sync_data().expect("a disk");
            let time = begun.elapsed();
            thread::sleep(Duration::from_millis(50));
            time.as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let (first, last) = (times[0], times[SYNCS - 1]);
    println!("one sync after 20 kB: median {:.1} ms, {first:.1} to {last:.1}", median(&times));
}

/// Whether a tournament keeps the conversations.
#[derive(Clone, Copy, PartialEq)]
enum Log {
    Yes,
    No,
}

/// How many processes wanted to run, on average over 1, 5 and 15 minutes.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_else(|_| "unknown".to_owned());
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// The first processor that this process may use.
fn first_usable() -> Option<usize> {
    usable().into_iter().next()
}

#[cfg(target_os = "linux")]
fn usable() -> Vec<usize> {
    let set = rustix::thread::sched_getaffinity(None).expect("one's own processors can be read");
    (0..rustix::thread::CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect()
}

#[cfg(not(target_os = "linux"))]
fn usable() -> Vec<usize> {
    Vec::new()
}

/// Does `work` in a thread that keeps to this processor, with all that it starts.
fn on<T: Send>(cpu: Option<usize>, work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            if let Some(cpu) = cpu {
                pin(cpu);
            }
            work()
        });
        worker.join().expect("a bench that works")
    })
}

#[cfg(target_os = "linux")]
fn pin(cpu: usize) {
    let mut set = rustix::thread::CpuSet::new();
    set.set(cpu);
    rustix::thread::sched_setaffinity(None, &set).expect("a processor that may be used");
}

#[cfg(not(target_os = "linux"))]
fn pin(_cpu: usize) {}

/// Matches per second of two places, each on a processor of its own.
fn two_at_a_time(opening: &str, script: &[String]) -> f64 {
    let usable = usable();
    let begun = Instant::now();
    thread::scope(|scope| {
        for place in 0..2 {
            let cpu = usable.get(place).copied();
            scope.spawn(move || on(cpu, || runs(|| arena_matches(opening, script, Manner::default()))));
        }
    });
    2.0 * RUNS as f64 * f64::from(MATCHES) / begun.elapsed().as_secs_f64()
}

/// Plays a whole tournament with the program itself.
fn tournament(pairs: u32, log: Log) {
    let folder = env::temp_dir().join(format!("arena-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for results");
    let program = env::current_exe().expect("this program");
    let mut config = format!(
        "[tournament]\nname = \"bench\"\npairs = {pairs}\n[limits]\nnodes = 1\nmax-plies = 2\n[[game]]\n\
         id = \"push-push\"\nopening-plies = 8\n"
    );
    for name in ["one", "two"] {
        config.push_str(&format!(
            "[[engine]]\nname = \"{name}\"\ncommand = '{}'\nenvironment = {{ ARENA_BENCH_SCRIPT = \"\" }}\n",
            program.display()
        ));
    }
    fs::write(folder.join("bench.toml"), config).expect("its own folder");
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(&folder)
        .args(["run", "bench.toml", "--quiet", "--no-report"])
        .args(["--log", "conversations"].iter().filter(|_| log == Log::Yes))
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    let (mut memory, mut own) = (String::new(), 0);
    let status = loop {
        if let Some(status) = child.try_wait().expect("its own child") {
            break status;
        }
        let now = resident(&child.id().to_string());
        if now != "unknown" {
            memory = now;
        }
        own = own.max(anonymous_kb(child.id()));
        thread::sleep(Duration::from_millis(1));
    };
    let (elapsed, ended) = (begun.elapsed(), SystemTime::now());
    assert!(status.success(), "{status}");
    let journal = fs::metadata(folder.join("results/bench/matches.jsonl")).expect("a journal");
    let after = ended.duration_since(journal.modified().expect("a time")).unwrap_or_default();
    println!(
        "{} matches of 2 plies{}: {:.0} a second, memory {memory}, {own} kB its own, over {:.0} ms after the last match",
        2 * pairs,
        if log == Log::Yes { " with logs" } else { "" },
        f64::from(2 * pairs) / elapsed.as_secs_f64(),
        after.as_secs_f64() * 1e3
    );
    fs::remove_dir_all(&folder).expect("its own folder");
}

/// Microseconds per move.
struct Cost {
    wall: f64,
    cpu: f64,
    /// Reads and writes per move.
    calls: f64,
    /// The arena's own time between two moves, in microseconds: the median.
    between: f64,
}

fn runs(mut run: impl FnMut() -> Cost) -> Vec<Cost> {
    (0..RUNS).map(|_| run()).collect()
}

fn row(name: &str, costs: &[Cost], of: impl Fn(&Cost) -> f64) {
    let values: Vec<f64> = costs.iter().map(&of).collect();
    let spread =
        values.iter().copied().fold(f64::MIN, f64::max) - values.iter().copied().fold(f64::MAX, f64::min);
    println!("{name:<40} {:>7.1} us {spread:>7.1} us", median_of(costs, of));
}

fn median_of(costs: &[Cost], of: impl Fn(&Cost) -> f64) -> f64 {
    median(&costs.iter().map(of).collect::<Vec<_>>())
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// A game of so many random moves that nothing ends before.
fn script(opening: &str) -> Vec<String> {
    (0..)
        .find_map(|seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut play = GAME.play(opening).expect("a start");
            let mut moves = Vec::new();
            while play.end().is_none() && moves.len() < PLIES {
                let legal = play.legal_moves();
                let mv = legal[(rng.next_u64() % legal.len() as u64) as usize].clone();
                play.play(&mv).expect("a legal move");
                moves.push(mv);
            }
            (moves.len() == PLIES).then_some(moves)
        })
        .expect("some random game is long enough")
}

/// An engine that knows its moves beforehand, or, without a script, takes the first legal one that it is told.
fn engine(script: &[&str]) {
    let mut out = io::stdout().lock();
    let mut n_moves = 0;
    let mut first_legal = String::new();
    let thinking = env::var("ARENA_BENCH_THINKING_MS").ok().and_then(|ms| ms.parse().ok());
    let thinking = Duration::from_millis(thinking.unwrap_or_default());
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let answer = match line.split(' ').next() {
            Some("ugi") if script == [""] => "option name Game type combo default push-push var push-push\n\
                 option name LegalMoves type check default false\nugiok\n"
                .to_owned(),
            Some("ugi") => "option name Game type combo default push-push var push-push\nugiok\n".to_owned(),
            Some("isready") => "readyok\n".to_owned(),
            Some("position") => {
                n_moves = line.split_once(" moves ").map_or(0, |(_, moves)| moves.split(' ').count());
                continue;
            }
            Some("legalmoves") => {
                line.split(' ').nth(1).unwrap_or_default().clone_into(&mut first_legal);
                continue;
            }
            Some("go") if 0 < thinking.as_millis() && first_legal.is_empty() => {
                thread::sleep(thinking);
                format!("bestmove {}\n", script[n_moves])
            }
            Some("go") if script == [""] => format!("bestmove {first_legal}\n"),
            Some("go") => format!("bestmove {}\n", script[n_moves]),
            Some("quit") => return,
            _ => continue,
        };
        if out.write_all(answer.as_bytes()).and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

/// How matches are played.
#[derive(Clone, Copy, Default)]
struct Manner<'a> {
    logs: Option<&'a Path>,
    off_turn: OffTurn,
    /// How long the engines wait before each answer, in milliseconds; 0 for none.
    thinking_ms: u64,
}

fn arena_matches(opening: &str, script: &[String], manner: Manner<'_>) -> Cost {
    let Manner { logs, off_turn, thinking_ms } = manner;
    let n_matches = if thinking_ms == 0 { MATCHES } else { 3 };
    let spawn = Arc::new(Spawn {
        program: env::current_exe().expect("this program"),
        args: Vec::new(),
        directory: None,
        environment: BTreeMap::from([
            ("ARENA_BENCH_SCRIPT".to_owned(), script.join(" ")),
            ("ARENA_BENCH_THINKING_MS".to_owned(), thinking_ms.to_string()),
        ]),
        environment_allow: None,
        confinement: Confinement::default(),
        launcher: cfg!(target_os = "linux").then(|| env!("CARGO_BIN_EXE_arena").into()),
        log: None,
    });
    let time_control = TimeControl {
        base: Some(Duration::from_secs(10)),
        increment: Duration::from_millis(100),
        margin: Duration::from_millis(20),
        ..TimeControl::unlimited(Duration::from_secs(60))
    };
    let timeouts = Timeouts {
        start: Duration::from_secs(10),
        ready: Duration::from_secs(10),
        quit: Duration::from_secs(1),
    };
    let engines = ["one", "two"]
        .map(|name| Arc::new(Engine::new(name, &spawn.program, time_control.clone(), timeouts.clone())));
    let spawns = engines.iter().map(|engine| (engine.name.clone(), Arc::clone(&spawn))).collect();
    let job = |number| Job {
        format_version: FormatVersion,
        number,
        pair: 1,
        game: GAME,
        opening: opening.to_owned(),
        players: Side::ALL.map(|side| Player {
            engine: Arc::clone(&engines[side.index()]),
            build: None,
            seed: Job::seed(1, number, side),
        }),
        rules: MatchRules::new(PLIES as u32),
        on_machine_delay: OnMachineDelay::Count,
        off_turn,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut place = Place::new(Arc::new(spawns), logs.map(Path::to_owned), 2);
        place.play(&job(1), None, None).await.expect("engines can be started");
        let (begun, cpu, calls) = (Instant::now(), cpu_time(), n_calls());
        let mut between = Vec::new();
        for number in 0..n_matches {
            let record = place.play(&job(number + 2), None, None).await;
            let record = record.expect("engines can be started");
            assert_eq!(record.plies as usize, PLIES, "{}: {:?}", record.reason, record.evidence);
            between.extend(record.moves.iter().filter_map(|mv| mv.arena_us).map(|us| us as f64));
        }
        let moves = f64::from(n_matches) * PLIES as f64;
        let cost = Cost {
            wall: begun.elapsed().as_secs_f64() * 1e6 / moves,
            cpu: (cpu_time().saturating_sub(cpu)).as_secs_f64() * 1e6 / moves,
            calls: n_calls().saturating_sub(calls) as f64 / moves,
            between: median(&between),
        };
        place.rest().await;
        cost
    })
}

/// The same lines there and back, and nothing else.
fn floor(opening: &str, script: &[String]) -> Cost {
    let mut child = Command::new(env::current_exe().expect("this program"))
        .env("ARENA_BENCH_SCRIPT", script.join(" "))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program runs");
    let mut to = child.stdin.take().expect("piped");
    let mut from = BufReader::new(child.stdout.take().expect("piped"));
    let question = format!(
        "position fen {opening} moves {}\ngo p1time 9990 p2time 9990\n",
        script[..PLIES / 2].join(" ")
    );
    let mut answer = String::new();
    let begun = Instant::now();
    for _ in 0..MATCHES * PLIES as u32 {
        to.write_all(question.as_bytes()).expect("it reads");
        answer.clear();
        from.read_line(&mut answer).expect("it answers");
    }
    let wall = begun.elapsed().as_secs_f64() * 1e6 / (f64::from(MATCHES) * PLIES as f64);
    drop(to);
    child.wait().expect("it ends");
    Cost { wall, cpu: 0.0, calls: 0.0, between: 0.0 }
}

/// The processor time of all threads of this process so far. Zero where the system does not tell.
fn cpu_time() -> Duration {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return Duration::ZERO };
    let nanos: u64 = threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("schedstat")).ok())
        .filter_map(|text| text.split(' ').next()?.parse::<u64>().ok())
        .sum();
    Duration::from_nanos(nanos)
}

/// Reads and writes of this process so far. 0 where the system does not tell.
fn n_calls() -> u64 {
    let text = fs::read_to_string("/proc/self/io").unwrap_or_default();
    let counts = text.lines().filter(|line| line.starts_with("syscr") || line.starts_with("syscw"));
    counts.filter_map(|line| line.split(' ').nth(1)?.parse::<u64>().ok()).sum()
}

/// The most memory that a process has had.
fn resident(process: &str) -> String {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |line| format!("{} at most", line.trim()))
}

/// The memory that is a process's own just now, in kB: not the pages of files, such as its program's.
fn anonymous_kb(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
