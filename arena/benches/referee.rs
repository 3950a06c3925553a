//! What the arena itself costs: `cargo bench -p arena --bench referee`.
//!
//! Two engines that answer at once play matches of 100 plies, out of a script. Beside it the floor: a bare ping-pong of
//! lines of the same length between two processes over pipes. Times are the median of five runs with their spread.

#![expect(clippy::print_stdout, reason = "the table is the product")]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use arena::config::GameName;
use arena::engine::launch::Confinement;
use arena::engine::{Contender, Spawn};
use arena::play::{Adjudication, MatchSettings, Players, TimeControl, play_match};
use arena::schedule::Job;
use engine_proto::GameId;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const PLIES: usize = 100;
const MATCHES: u32 = 200;
const RUNS: usize = 5;
const GAME: GameId = GameId::PushPush;

fn main() {
    if let Ok(script) = env::var("ARENA_BENCH_SCRIPT") {
        return engine(&script.split(' ').collect::<Vec<_>>());
    }
    let opening = GAME.info().starts[0].fen;
    let script = script(opening);
    println!("{PLIES} plies a match, {MATCHES} matches a run, {RUNS} runs, {} core(s)", cores());
    println!("{:<34} {:>10} {:>10}", "", "median", "spread");

    let floor = runs(|| floor(opening, &script));
    row("floor: wall time per round trip", &floor.iter().map(|cost| cost.wall).collect::<Vec<_>>());
    let arena = runs(|| arena_matches(opening, &script));
    row("arena: wall time per move", &arena.iter().map(|cost| cost.wall).collect::<Vec<_>>());
    row("arena: own CPU time per move", &arena.iter().map(|cost| cost.cpu).collect::<Vec<_>>());
    let per_second = 1e6 / (median(&arena.iter().map(|cost| cost.wall).collect::<Vec<_>>()) * PLIES as f64);
    println!("matches per second, one at a time: {per_second:.0}");
    println!("resident memory: {}", resident());
}

/// Microseconds per move.
struct Cost {
    wall: f64,
    cpu: f64,
}

fn runs(mut run: impl FnMut() -> Cost) -> Vec<Cost> {
    (0..RUNS).map(|_| run()).collect()
}

fn row(name: &str, values: &[f64]) {
    let spread =
        values.iter().copied().fold(f64::MIN, f64::max) - values.iter().copied().fold(f64::MAX, f64::min);
    println!("{name:<34} {:>7.1} us {spread:>7.1} us", median(values));
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

/// An engine that knows its moves beforehand.
fn engine(script: &[&str]) {
    let mut out = io::stdout().lock();
    let mut n_moves = 0;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let answer = match line.split(' ').next() {
            Some("ugi") => "option name Game type combo default push-push var push-push\nugiok\n".to_owned(),
            Some("isready") => "readyok\n".to_owned(),
            Some("position") => {
                n_moves = line.split_once(" moves ").map_or(0, |(_, moves)| moves.split(' ').count());
                continue;
            }
            Some("go") => format!("bestmove {}\n", script[n_moves]),
            Some("quit") => return,
            _ => continue,
        };
        if out.write_all(answer.as_bytes()).and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

fn arena_matches(opening: &str, script: &[String]) -> Cost {
    let contender = |name: &str| Contender {
        name: name.to_owned(),
        spawn: Spawn {
            program: env::current_exe().expect("this program"),
            args: Vec::new(),
            directory: None,
            environment: BTreeMap::from([("ARENA_BENCH_SCRIPT".to_owned(), script.join(" "))]),
            environment_allow: None,
            confinement: Confinement::default(),
            launcher: None,
            log: None,
        },
        options: BTreeMap::new(),
        games: None,
        time_control: TimeControl {
            base: Some(Duration::from_secs(10)),
            increment: Duration::from_millis(100),
            moves_to_go: None,
            move_time: None,
            nodes: None,
            depth: None,
            margin: Duration::from_millis(20),
            think_timeout: Duration::from_secs(60),
        },
        start_timeout: Duration::from_secs(10),
        ready_timeout: Duration::from_secs(10),
        quit_timeout: Duration::from_secs(1),
    };
    let contenders = [contender("one"), contender("two")];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let settings = MatchSettings {
            max_plies: PLIES as u32,
            adjudication: Adjudication::default(),
            seed: 1,
            logs: None,
        };
        let mut players = Players::default();
        let job = |number| Job {
            number,
            pair: 1,
            game: GameName(GAME),
            opening: opening.to_owned(),
            contenders: [0, 1],
        };
        let first = job(1);
        play_match(&first, &contenders, &settings, &mut players).await.expect("engines can be started");
        let (begun, cpu) = (Instant::now(), cpu_time());
        for number in 0..MATCHES {
            let job = job(number + 2);
            let record = play_match(&job, &contenders, &settings, &mut players).await;
            let record = record.expect("engines can be started");
            assert_eq!(record.plies as usize, PLIES, "{}: {:?}", record.reason, record.evidence);
        }
        let moves = f64::from(MATCHES) * PLIES as f64;
        let cost = Cost {
            wall: begun.elapsed().as_secs_f64() * 1e6 / moves,
            cpu: (cpu_time().saturating_sub(cpu)).as_secs_f64() * 1e6 / moves,
        };
        players.quit().await;
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
    Cost { wall, cpu: 0.0 }
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

fn resident() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |line| format!("{} at most", line.trim()))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
