//! The arena and fastchess at the same work: `FASTCHESS=<program> cargo bench -p arena --bench fastchess`, on Linux.
//!
//! Two engines that answer at once, out of a script, play matches of chess of 100 plies. Both programs store every match: the
//! arena its results folder, fastchess a PGN file. They run in turn. Processor time is that of a whole run, from
//! `/proc/<pid>/stat`: of the program itself, and of it and all its children (the engines, and the arena's supervisors).
//! What else the machine does changes the times; the load is printed.

#![expect(clippy::print_stdout, reason = "the table is the product")]

use std::env;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use engine_proto::games::chess::Chess;
use engine_proto::{GameId, Games, Position};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

const PLIES: usize = 100;
const PAIRS: usize = 400;
const RUNS: usize = 5;
/// Linux counts processor times for programs in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;

fn main() {
    if let Ok(script) = env::var("ARENA_BENCH_SCRIPT") {
        return engine(&script.split(' ').collect::<Vec<_>>());
    }
    let Ok(fastchess) = env::var("FASTCHESS") else {
        println!("skipped: name the program of fastchess in the variable FASTCHESS");
        return;
    };
    let script = script().join(" ");
    println!("{} matches of {PLIES} plies a run, {RUNS} runs, load {}", 2 * PAIRS, load());
    println!("{:<44} {:>22} {:>20} {:>20}", "", "matches per second", "own us per move", "all us per move");
    for n_at_once in [1, 2] {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let runs: Vec<[Cost; 3]> = (0..RUNS)
            .map(|_| {
                [
                    run(folder, &script, &mut by_fastchess(&fastchess, n_at_once, &[])),
                    run(folder, &script, &mut by_fastchess(&fastchess, n_at_once, &["-use-affinity"])),
                    run(folder, &script, &mut by_arena(folder, n_at_once)),
                ]
            })
            .collect();
        for (idx, name) in ["fastchess", "fastchess -use-affinity", "arena"].into_iter().enumerate() {
            let of = |value: fn(&Cost) -> f64| spread(runs.iter().map(|run| value(&run[idx])).collect());
            println!(
                "{:<44} {:>22} {:>20} {:>20}",
                format!("{name}, {n_at_once} at once"),
                of(|cost| cost.matches_per_second),
                of(|cost| cost.own_us),
                of(|cost| cost.all_us)
            );
        }
    }
    println!("load {}", load());
}

/// What a run has cost.
struct Cost {
    matches_per_second: f64,
    /// Processor time of the program, in microseconds per move.
    own_us: f64,
    /// Processor time of the program and its children, in microseconds per move.
    all_us: f64,
}

/// Runs a program until its end. It has played all matches then.
fn run(folder: &Path, script: &str, command: &mut Command) -> Cost {
    let results = folder.join("results");
    fs::create_dir(&results).expect("its own folder");
    command.current_dir(&results).env("ARENA_BENCH_SCRIPT", script).stdout(Stdio::null());
    let begun = Instant::now();
    let mut child = command.spawn().expect("the program runs");
    let id = Pid::from_child(&child);
    // It stays a zombie, whose times can be read.
    waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).expect("its own child");
    let elapsed = begun.elapsed();
    let ticks = ticks(child.id());
    assert!(child.wait().expect("its own child").success(), "{command:?}");
    assert_eq!(n_whole_matches(&results), 2 * PAIRS, "each match has {PLIES} plies");
    fs::remove_dir_all(&results).expect("its own folder");
    let n_moves = (2 * PAIRS * PLIES) as f64;
    let us_per_move = |ticks: u64| ticks as f64 * 1e6 / TICKS_PER_SECOND / n_moves;
    Cost {
        matches_per_second: 2.0 * PAIRS as f64 / elapsed.as_secs_f64(),
        own_us: us_per_move(ticks[..2].iter().sum()),
        all_us: us_per_move(ticks.iter().sum()),
    }
}

fn by_fastchess(program: &str, n_at_once: usize, args: &[&str]) -> Command {
    let engine = env::current_exe().expect("this program");
    let mut command = Command::new(program);
    for name in ["one", "two"] {
        command.arg("-engine").arg(format!("cmd={}", engine.display())).arg(format!("name={name}"));
    }
    command.args(["-each", "tc=10+0.1", "-rounds", &PAIRS.to_string(), "-games", "2", "-repeat"]);
    command.args(["-concurrency", &n_at_once.to_string(), "-maxmoves", &(PLIES / 2).to_string()]);
    command.args(["-ratinginterval", "0", "-pgnout", "file=matches.pgn"]).args(args);
    command
}

fn by_arena(folder: &Path, n_at_once: usize) -> Command {
    let engine = env::current_exe().expect("this program");
    // Without a book, the arena plays no opening twice.
    let book = folder.join("book.epd");
    let openings = vec![Chess::INFO.starts[0].fen; PAIRS].join("\n");
    fs::write(&book, openings).expect("its own folder");
    let mut config = format!(
        "[tournament]\nname = \"bench\"\npairs = {PAIRS}\nconcurrency = {n_at_once}\n[limits]\nbase = \"10s\"\n\
         increment = \"100ms\"\nmax-plies = {PLIES}\n[[game]]\nid = \"chess\"\nopenings = '{}'\n",
        book.display()
    );
    for name in ["one", "two"] {
        config +=
            &format!("[[engine]]\nname = \"{name}\"\ncommand = '{}'\nprotocol = \"uci\"\n", engine.display());
    }
    let file = folder.join("bench.toml");
    fs::write(&file, config).expect("its own folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.arg("run").arg(file).args(["--results", ".", "--quiet", "--no-report"]);
    command
}

/// The processor times of a process and of its children, in ticks: user and system, user and system.
fn ticks(process: u32) -> [u64; 4] {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).expect("Linux");
    let fields = text.rsplit(')').next().expect("a name in parentheses").split_whitespace().skip(11);
    let ticks: Vec<u64> = fields.take(4).map(|field| field.parse().expect("a number")).collect();
    ticks.try_into().expect("four times")
}

/// The number of matches with all plies that a program has stored.
fn n_whole_matches(results: &Path) -> usize {
    let read = |name: &str| fs::read_to_string(results.join(name)).unwrap_or_default();
    let of_arena = format!("\"plies\":{PLIES},");
    let of_fastchess = format!("[PlyCount \"{PLIES}\"]");
    let is_whole = |line: &&str| line.contains(&of_arena) || **line == of_fastchess;
    [read("matches.jsonl"), read("matches.pgn")]
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| is_whole(line))
        .count()
}

/// The median, and the least and the most.
fn spread(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let [first, .., last] = values[..] else { unreachable!("five runs") };
    format!("{:.1} ({first:.1}-{last:.1})", values[values.len() / 2])
}

/// A random game that does not end before.
fn script() -> Vec<String> {
    (0..)
        .find_map(|seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut play = Games::built_in().play(GameId::CHESS, Chess::INFO.starts[0].fen).expect("a start");
            let mut moves = Vec::new();
            while play.end().is_none() && moves.len() < PLIES {
                let legal = play.legal_moves();
                let mv = legal[(rng.next_u64() % legal.len() as u64) as usize].clone();
                play.play(&mv).expect("a legal move");
                moves.push(mv);
            }
            (moves.len() == PLIES && play.end().is_none()).then_some(moves)
        })
        .expect("some random game is long enough")
}

/// An engine that knows its moves beforehand.
fn engine(script: &[&str]) {
    let mut out = io::stdout().lock();
    let mut n_moves = 0;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let answer = match line.split(' ').next() {
            Some("uci") => "id name Script\nuciok\n".to_owned(),
            Some("isready") => "readyok\n".to_owned(),
            Some("position") => {
                n_moves = line.split_once(" moves ").map_or(0, |(_, moves)| moves.split(' ').count());
                continue;
            }
            Some("go") => {
                format!("info depth 1 score cp 13 nodes 20 time 0 pv {0}\nbestmove {0}\n", script[n_moves])
            }
            Some("quit") => return,
            _ => continue,
        };
        if out.write_all(answer.as_bytes()).and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

/// How many processes wanted to run, on average over 1, 5 and 15 minutes.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_else(|_| "unknown".to_owned());
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}
