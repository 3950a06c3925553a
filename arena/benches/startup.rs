//! What it takes to begin: `cargo bench -p arena --bench startup`.
//!
//! The time from the command to the first `go`, with few pairs and with many; the memory of a tournament of a million pairs;
//! a dry run of a large league; and what openings cost, drawn for the first time, drawn again, and recognised when a
//! tournament is resumed. The engines are this program itself: they know no rules and answer at once, but their start is part
//! of the times. With `ARENA_BENCH_LONG=1` the million pairs are played to the end, which takes minutes. Times are the
//! median of five runs with their spread; no more than two cores are used.

#![expect(clippy::print_stdout, reason = "the table is the product")]

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use engine_proto::GameId;
use schedule::openings::{Openings, Source};

const RUNS: usize = 5;
/// So many openings of each game are drawn.
const OPENINGS: usize = 500;

fn main() {
    if let Ok(go) = env::var("ARENA_BENCH_GO") {
        return engine(Path::new(&go));
    }
    println!("{:<56} {:>10} {:>10}", "", "median", "spread");
    for pairs in [4, 100_000, 1_000_000] {
        let (times, memory) = (0..RUNS).map(|_| first_go(pairs)).unzip::<_, _, Vec<_>, Vec<_>>();
        row(&format!("first `go`: 2 engines, {} games, {pairs} pairs", GameId::BUILT_IN.len()), times);
        println!("{:<56} {:>7} MB", "  memory at most", memory.into_iter().max().unwrap_or_default() / 1000);
    }
    for pairs in [1, 50] {
        let times = (0..RUNS).map(|_| dry_run(300, pairs)).collect();
        row(&format!("dry run: 300 engines, {} games, {pairs} pairs", GameId::BUILT_IN.len()), times);
    }
    for &game in GameId::BUILT_IN {
        openings(game);
    }
    if env::var_os("ARENA_BENCH_LONG").is_some() {
        whole_tournament(1_000_000);
    }
}

/// What the openings of a game cost, by themselves.
fn openings(game: GameId) {
    let source = |seed| Source {
        games: engine_proto::Games::default(),
        game,
        start: None,
        fens: Vec::new(),
        plies: 4,
        repeats: false,
        seed,
    };
    let none = |seed| source(seed).openings(OPENINGS).expect("there are enough");
    let all = |openings: &mut Openings| -> Vec<String> {
        (0..OPENINGS).map(|idx| openings.fen(idx).expect("there are enough").to_owned()).collect()
    };
    let (mut drawn, mut again, mut recorded) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..RUNS as u64 {
        let mut openings = none(seed);
        let begun = Instant::now();
        let fens = all(&mut openings);
        drawn.push(begun.elapsed() / OPENINGS as u32);
        let begun = Instant::now();
        assert_eq!(all(&mut openings), fens);
        again.push(begun.elapsed() / OPENINGS as u32);
        let mut resumed = none(seed);
        let begun = Instant::now();
        assert!(fens.iter().enumerate().all(|(idx, fen)| resumed.is_recorded(idx, fen)));
        recorded.push(begun.elapsed() / OPENINGS as u32);
    }
    row(&format!("an opening of {game}"), drawn);
    row("  drawn again", again);
    row("  recognised in a record", recorded);
}

/// A folder with the configuration `bench.toml` of this number of engines, all of which are this program.
fn tournament(n_engines: usize, game: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let program = env::current_exe().expect("this program");
    let mut config = format!(
        "[tournament]\nname = \"bench\"\nconcurrency = 2\n[limits]\nnodes = 1\nmax-plies = 2\n{game}"
    );
    for idx in 0..n_engines {
        config.push_str(&format!(
            "[[engine]]\nname = \"e{idx}\"\ncommand = '{}'\nenvironment = {{ ARENA_BENCH_GO = '{}' }}\n",
            program.display(),
            folder.path().join("go").display()
        ));
    }
    fs::write(folder.path().join("bench.toml"), config).expect("its own folder");
    folder
}

fn arena(folder: &Path, pairs: u32, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(folder)
        .args(["run", "bench.toml", "--pairs", &pairs.to_string()])
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs")
}

/// The time until an engine is asked for the first move, and the most memory of the arena until then, in kB.
fn first_go(pairs: u32) -> (Duration, u64) {
    let folder = tournament(2, "");
    let begun = SystemTime::now();
    let mut child = arena(folder.path(), pairs, &[]);
    let go = loop {
        let text = fs::read_to_string(folder.path().join("go")).unwrap_or_default();
        if let Some(nanos) = text.strip_suffix('\n') {
            break UNIX_EPOCH + Duration::from_nanos(nanos.parse().expect("an engine wrote it"));
        }
        assert!(child.try_wait().expect("its own child").is_none(), "it ended before the first move");
        sleep(Duration::from_millis(1));
    };
    let memory = most_memory_kb(child.id());
    child.kill().expect("its own child");
    child.wait().expect("its own child");
    (go.duration_since(begun).unwrap_or_default(), memory)
}

fn dry_run(n_engines: usize, pairs: u32) -> Duration {
    let folder = tournament(n_engines, "");
    let begun = Instant::now();
    let status = arena(folder.path(), pairs, &["--dry-run"]).wait().expect("its own child");
    assert!(status.success(), "{status}");
    begun.elapsed()
}

/// Plays a whole tournament, and prints what memory it took.
fn whole_tournament(pairs: u32) {
    let folder = tournament(2, "[[game]]\nid = \"push-push\"\nopening-plies = 8\n");
    let begun = Instant::now();
    let mut child = arena(folder.path(), pairs, &["--no-report"]);
    let mut memory = 0;
    let status = loop {
        if let Some(status) = child.try_wait().expect("its own child") {
            break status;
        }
        memory = memory.max(most_memory_kb(child.id()));
        sleep(Duration::from_millis(10));
    };
    assert!(status.success(), "{status}");
    println!(
        "{pairs} pairs played: {:.0} s, memory at most {} MB",
        begun.elapsed().as_secs_f64(),
        memory / 1000
    );
}

/// The most memory that a process has had so far, in kB. 0 where the system does not say it.
fn most_memory_kb(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

fn row(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let spread = times[times.len() - 1].saturating_sub(times[0]);
    println!("{name:<56} {:>10} {:>10}", text(times[times.len() / 2]), text(spread));
}

fn text(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 1e4 { format!("{micros:.0} us") } else { format!("{:.0} ms", micros / 1e3) }
}

/// An engine that plays the first legal move that it is told. The first `go` of all writes its time to the file.
fn engine(first_go: &Path) {
    let games: Vec<_> = GameId::BUILT_IN.iter().map(|game| format!("var {}", game.id())).collect();
    let greeting = format!(
        "option name Game type combo default {} {}\noption name LegalMoves type check default false\nugiok\n",
        GameId::BUILT_IN[0],
        games.join(" ")
    );
    let mut out = io::stdout().lock();
    let mut first_legal = String::new();
    let mut has_gone = false;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let answer = match line.split(' ').next() {
            Some("ugi") => greeting.clone(),
            Some("isready") => "readyok\n".to_owned(),
            Some("legalmoves") => {
                line.split(' ').nth(1).unwrap_or_default().clone_into(&mut first_legal);
                continue;
            }
            Some("go") => {
                if !has_gone {
                    note_go(first_go);
                    has_gone = true;
                }
                format!("bestmove {first_legal}\n")
            }
            Some("quit") => return,
            _ => continue,
        };
        if out.write_all(answer.as_bytes()).and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

fn note_go(path: &Path) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    if let Ok(mut file) = OpenOptions::new().write(true).create_new(true).open(path) {
        let _ = writeln!(file, "{}", now.as_nanos());
    }
}
