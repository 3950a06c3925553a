//! What the arena itself costs: `cargo bench -p arena --bench referee`.
//!
//! Whole tournaments of the program, as a user starts it, with everything that is on by default: two engines that answer at
//! once from a script play 800 matches of 100 plies, one at a time. What the arena uses, from its start to its end and without
//! the engines, is divided by the number of moves, and compared with the floor: the same lines over bare pipes, on one
//! processor as a place is pinned. The runs of all kinds take turns, so that what else the machine does meets all alike. Figures
//! are medians of five runs with their spread.
//!
//! Then tournaments with matches of two plies: the most memory, of its own and with the pages of the program, and how long the
//! program takes to end after its last match. Those of 100,000 matches take a while, and are played with `ARENA_BENCH_LONG=1`.
//! Last, the time of one sync of the journal on the disk of the build. The load of the system is printed before and after: where
//! it is not near 0, the times are also those of other programs.

#![expect(clippy::print_stdout, reason = "the table is the product")]

use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use engine_proto::{GameId, Games};

const PLIES: usize = 100;
const PAIRS: u32 = 400;
const RUNS: usize = 5;
const SYNCS: usize = 45;
const GAME: GameId = GameId::PUSH_PUSH;

/// The kinds of tournaments: a name, keys of `[tournament]`, and arguments.
const KINDS: [(&str, &str, &[&str]); 4] = [
    ("by default", "", &[]),
    ("`off-turn = \"allow\"`", "off-turn = \"allow\"\n", &[]),
    ("`pin = false`", "pin = false\n", &[]),
    ("with `--log`", "", &["--log", "conversations"]),
];

fn main() {
    if let Ok(script) = env::var("ARENA_BENCH_SCRIPT") {
        return engine(&script.split(' ').collect::<Vec<_>>());
    }
    let opening = Games::built_in().info(GAME).expect("a built-in game").starts[0].fen;
    let script = script(opening);
    println!("{PLIES} plies a match, {} matches a run, {RUNS} runs; load {}", 2 * PAIRS, load());
    println!(
        "{:<24} {:>20} {:>20} {:>12} {:>10}",
        "per move", "own processor time", "wall", "per second", "memory"
    );
    let mut costs = vec![Vec::new(); KINDS.len() + 1];
    for _ in 0..RUNS {
        for (kind, costs) in KINDS.iter().zip(&mut costs[1..]) {
            costs.push(whole_tournament(opening, &script, kind));
        }
        costs[0].push(floor(opening, &script));
    }
    let names = KINDS.map(|(name, ..)| name);
    for (name, costs) in ["bare pipes"].iter().chain(&names).zip(&costs) {
        let values = |of: fn(&Cost) -> f64| Values::of(costs, of);
        let (own, wall) = (values(|cost| cost.own), values(|cost| cost.wall));
        let matches = 1e6 / (wall.median * PLIES as f64);
        let memory = values(|cost| cost.memory).median;
        println!("{name:<24} {own:>20} {wall:>20} {matches:>12.0} {memory:>6.1} MiB");
    }
    for pairs in [500, 5_000, 50_000] {
        if pairs < 50_000 || env::var_os("ARENA_BENCH_LONG").is_some() {
            short_matches(pairs);
        }
    }
    syncs();
    println!("load {}", load());
}

/// What a run costs: microseconds per move, and MiB.
#[derive(Clone, Copy)]
struct Cost {
    own: f64,
    wall: f64,
    memory: f64,
}

/// The median of some values, and the difference of the largest and the smallest one.
struct Values {
    median: f64,
    spread: f64,
}

impl Values {
    fn of(costs: &[Cost], of: fn(&Cost) -> f64) -> Self {
        let mut values: Vec<f64> = costs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        Self { median: values[values.len() / 2], spread: values[values.len() - 1] - values[0] }
    }
}

impl std::fmt::Display for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{:.1} us ({:.1})", self.median, self.spread))
    }
}

/// A tournament of the scripted engines. No opening comes twice, because their move counters differ.
fn whole_tournament(opening: &str, script: &[String], (_, keys, args): &(&str, &str, &[&str])) -> Cost {
    let (fields, counter) = opening.rsplit_once(' ').expect("a FEN has fields");
    let counter: u32 = counter.parse().expect("the last field is a counter");
    let openings: Vec<String> = (0..PAIRS).map(|n| format!("{fields} {}\n", counter + n)).collect();
    let game = format!("id = \"{GAME}\"\nopenings = \"book.epd\"\n");
    let limits = format!("base = \"10s\"\nincrement = \"100ms\"\nmax-plies = {PLIES}\n");
    let config = format!("{keys}pairs = {PAIRS}\nconcurrency = 1\n[limits]\n{limits}[[game]]\n{game}");
    let played = play(&config, &script.join(" "), args, &[("book.epd", &openings.concat())]);
    let n_moves = f64::from(2 * PAIRS) * PLIES as f64;
    let per_move = |time: Duration| time.as_secs_f64() * 1e6 / n_moves;
    Cost { own: per_move(played.own), wall: per_move(played.wall), memory: played.memory_kb / 1024.0 }
}

/// A tournament with matches of two plies, by engines that know no rules.
fn short_matches(pairs: u32) {
    let limits = "nodes = 1\nmax-plies = 2\n";
    let config = format!("pairs = {pairs}\n[limits]\n{limits}[[game]]\nid = \"{GAME}\"\nopening-plies = 8\n");
    let played = play(&config, "", &[], &[]);
    println!(
        "{} matches of 2 plies: {:.0} a second, memory {:.1} MB, of it {:.1} MB heap and stack, over {:.0} ms after the last match",
        2 * pairs,
        f64::from(2 * pairs) / played.wall.as_secs_f64(),
        played.memory_kb / 1000.0,
        played.anonymous_kb / 1000.0,
        played.after.as_secs_f64() * 1e3
    );
}

/// A whole run of the program.
struct Played {
    wall: Duration,
    /// The processor time of its own threads.
    own: Duration,
    memory_kb: f64,
    anonymous_kb: f64,
    /// From the last match to the end.
    after: Duration,
}

fn play(config: &str, script: &str, args: &[&str], files: &[(&str, &str)]) -> Played {
    let folder = tempfile::tempdir().expect("a folder for results");
    let program = env::current_exe().expect("this program");
    let mut config = format!("[tournament]\nname = \"bench\"\n{config}");
    for name in ["one", "two"] {
        config.push_str(&format!(
            "[[engine]]\nname = \"{name}\"\ncommand = '{}'\nenvironment = {{ ARENA_BENCH_SCRIPT = '{script}' }}\n",
            program.display()
        ));
    }
    for (name, text) in files.iter().chain(&[("bench.toml", config.as_str())]) {
        fs::write(folder.path().join(name), text).expect("its own folder");
    }
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(&folder)
        .args(["run", "bench.toml", "--quiet", "--no-report"])
        .args(args)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    let (mut memory_kb, mut anonymous_kb) = (0.0_f64, 0.0_f64);
    while !has_ended(&child) {
        memory_kb = memory_kb.max(in_status(&child, "VmHWM:"));
        anonymous_kb = anonymous_kb.max(in_status(&child, "RssAnon:"));
        thread::sleep(Duration::from_millis(5));
    }
    let (wall, ended, own) = (begun.elapsed(), SystemTime::now(), processor_time(&child));
    let status = child.wait().expect("its own child");
    assert!(status.success(), "{status}");
    let journal = fs::metadata(folder.path().join("results/bench/matches.jsonl")).expect("a journal");
    let after = ended.duration_since(journal.modified().expect("a time")).unwrap_or_default();
    Played { wall, own, memory_kb, anonymous_kb, after }
}

/// Whether it has ended. It is not waited for, so that the system still knows what it used.
#[cfg(target_os = "linux")]
fn has_ended(child: &std::process::Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    waitid(WaitId::Pid(Pid::from_child(child)), options).expect("its own child").is_some()
}

#[cfg(not(target_os = "linux"))]
fn has_ended(_child: &std::process::Child) -> bool {
    panic!("this bench reads /proc")
}

/// The processor time of a process, without its children: two fields after its name, in hundredths of a second.
fn processor_time(child: &std::process::Child) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).expect("it was not waited for");
    let fields = stat.rsplit(") ").next().expect("its name is in parentheses").split(' ').skip(11);
    let ticks: u64 = fields.take(2).map(|field| field.parse::<u64>().expect("a number")).sum();
    Duration::from_millis(10 * ticks)
}

/// A value of a running process, in kB.
fn in_status(child: &std::process::Child, key: &str) -> f64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// The same lines there and back, and nothing else: a write, a wait and a read for each move.
#[cfg(target_os = "linux")]
fn floor(opening: &str, script: &[String]) -> Cost {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let measured = || {
        let usable = sched_getaffinity(None).expect("one's own processors can be read");
        let first = (0..CpuSet::MAX_CPU).find(|cpu| usable.is_set(*cpu)).expect("a processor");
        let mut one = CpuSet::new();
        one.set(first);
        sched_setaffinity(None, &one).expect("a processor that may be used");
        let mut child = Command::new(env::current_exe().expect("this program"))
            .env("ARENA_BENCH_SCRIPT", script.join(" "))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program runs");
        let mut to = child.stdin.take().expect("piped");
        let mut from = BufReader::new(child.stdout.take().expect("piped"));
        let half = script[..PLIES / 2].join(" ");
        let question = format!("position fen {opening} moves {half}\ngo p1time 9990 p2time 9990\n");
        let mut answer = String::new();
        let (begun, used) = (Instant::now(), thread_time());
        let n_moves = 2 * PAIRS * PLIES as u32;
        for _ in 0..n_moves {
            to.write_all(question.as_bytes()).expect("it reads");
            poll(&mut [PollFd::new(from.get_ref(), PollFlags::IN)], None).expect("a pipe");
            answer.clear();
            from.read_line(&mut answer).expect("it answers");
            from.read_line(&mut answer).expect("it answers with two lines");
        }
        let per_move = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(n_moves);
        let cost = Cost {
            own: per_move(thread_time().saturating_sub(used)),
            wall: per_move(begun.elapsed()),
            memory: 0.0,
        };
        drop(to);
        child.wait().expect("it ends");
        cost
    };
    thread::scope(|scope| scope.spawn(measured).join().expect("a bench that works"))
}

#[cfg(not(target_os = "linux"))]
fn floor(_opening: &str, _script: &[String]) -> Cost {
    panic!("this bench reads /proc")
}

/// The processor time of this thread so far.
fn thread_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux has it");
    Duration::from_nanos(text.split(' ').next().and_then(|time| time.parse().ok()).expect("a number"))
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
    let (first, median, last) = (times[0], times[SYNCS / 2], times[SYNCS - 1]);
    println!("one sync after 20 kB: median {median:.1} ms, {first:.1} to {last:.1}");
}

/// How many processes wanted to run, on average over 1, 5 and 15 minutes.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_else(|_| "unknown".to_owned());
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// A game with this number of random moves that does not end earlier.
fn script(opening: &str) -> Vec<String> {
    (0..)
        .find_map(|seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut play = Games::built_in().play(GAME, opening).expect("a start");
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
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let game = format!("option name Game type combo default {GAME} var {GAME}\n");
        let answer = match line.split(' ').next() {
            Some("ugi") if script == [""] => {
                format!("{game}option name LegalMoves type check default false\nugiok\n")
            }
            Some("ugi") => format!("{game}ugiok\n"),
            Some("isready") => "readyok\n".to_owned(),
            Some("position") => {
                n_moves = line.split_once(" moves ").map_or(0, |(_, moves)| moves.split(' ').count());
                continue;
            }
            Some("legalmoves") => {
                line.split(' ').nth(1).unwrap_or_default().clone_into(&mut first_legal);
                continue;
            }
            Some("go") if script == [""] => format!("bestmove {first_legal}\n"),
            Some("go") => {
                let mv = script[n_moves];
                format!("info depth 1 score cp 0 nodes 1 time 0 pv {mv}\nbestmove {mv}\n")
            }
            Some("quit") => return,
            _ => continue,
        };
        if out.write_all(answer.as_bytes()).and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}
