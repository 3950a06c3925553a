//! What a quick move costs the arena: system calls, counted. What it watches every few milliseconds is counted for itself.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::tournament::{Ended, Tournament};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use engine_proto::{GameId, Games};

const PLIES: usize = 100;
const MATCHES: u64 = 40;
const MOVES: u64 = MATCHES * PLIES as u64;
/// The interval in which the arena looks at its engines.
const TICK: Duration = Duration::from_millis(5);

/// Two engines that answer at once, out of a script.
fn cup() -> Tournament {
    let head = format!(
        "[tournament]\npairs = {}\nconcurrency = 1\n[limits]\nbase = \"10s\"\nincrement = \"100ms\"\nmax-plies = {PLIES}\n\
         [[game]]\nid = \"push-push\"\n",
        MATCHES / 2
    );
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good")]);
    let config = fs::read_to_string(cup.path("cup.toml")).unwrap();
    let opening = Games::built_in().info(GameId::PUSH_PUSH).unwrap().starts[0].fen;
    let (fields, counter) = opening.rsplit_once(' ').unwrap();
    let counter: u64 = counter.parse().unwrap();
    let book: Vec<String> = (0..MATCHES / 2).map(|n| format!("{fields} {}\n", counter + n)).collect();
    fs::write(cup.path("book.epd"), book.concat()).unwrap();
    fs::write(
        cup.path("cup.toml"),
        config.replace("\"push-push\"", "\"push-push\"\nopenings = \"book.epd\""),
    )
    .unwrap();
    cup
}

/// A game with this number of random moves that does not end earlier.
fn script() -> String {
    let game = |seed| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut play = Games::built_in()
            .play(GameId::PUSH_PUSH, Games::built_in().info(GameId::PUSH_PUSH).unwrap().starts[0].fen)
            .unwrap();
        let mut moves = Vec::new();
        while moves.len() < PLIES && play.end().is_none() {
            let legal = play.legal_moves();
            moves.push(legal[(rng.next_u64() % legal.len() as u64) as usize].clone());
            play.play(moves.last().unwrap()).unwrap();
        }
        (moves.len() == PLIES).then(|| moves.join(" "))
    };
    (0..).find_map(game).unwrap()
}

fn n_ticks(begun: Instant) -> u64 {
    begun.elapsed().as_millis() as u64 / TICK.as_millis() as u64
}

/// The reads and writes so far of the thread that plays, as the kernel counts them.
fn reads_and_writes(arena: &Child) -> Option<[u64; 2]> {
    let tasks = fs::read_dir(format!("/proc/{}/task", arena.id())).ok()?.flatten();
    let is_place = |name: String| name.starts_with("place-");
    let place = tasks
        .map(|task| task.path())
        .find(|task| fs::read_to_string(task.join("comm")).is_ok_and(is_place))?;
    let io = fs::read_to_string(place.join("io")).ok()?;
    let count = |key: &str| io.lines().find_map(|line| line.strip_prefix(key))?.trim().parse().ok();
    Some([count("syscr:")?, count("syscw:")?])
}

/// The command in one piece, and the answer in one piece; after a rest of a millisecond, also a look whether something came before
/// the move was asked for.
#[test]
fn a_quick_move_is_one_write_and_at_most_two_reads() {
    let cup = cup();
    let begun = Instant::now();
    let mut arena = cup.command(&["--quiet"]);
    let mut arena = arena.env("FAKE_ENGINE_SCRIPT", script()).stdout(Stdio::null()).spawn().unwrap();
    let [mut reads, mut writes] = [0; 2];
    while arena.try_wait().unwrap().is_none() {
        [reads, writes] = reads_and_writes(&arena).unwrap_or([reads, writes]);
        sleep(Duration::from_millis(1));
    }
    assert!(arena.wait().unwrap().success());
    let n_ticks = n_ticks(begun);
    eprintln!("{writes} writes and {reads} reads of {MOVES} moves and {n_ticks} ticks");
    assert!(writes > MOVES / 2, "{writes}");
    // A match begins and ends with commands, too.
    assert!(writes < MOVES + 10 * MATCHES, "{writes}");
    assert!(
        reads < 2 * writes + 20 * n_ticks + 20 * MATCHES,
        "{reads} for {writes} writes and {n_ticks} ticks"
    );
}

/// `strace` stops the program only at the calls that it counts, so that a quick move stays quick.
#[test]
fn a_quick_move_waits_once_and_asks_the_system_nothing_else() {
    if Command::new("strace").arg("--version").output().is_err() {
        eprintln!("skipped: `strace` is not installed");
        return;
    }
    let cup = cup();
    let begun = Instant::now();
    let arena = cup.command(&["--quiet"]);
    let mut strace = Command::new("strace");
    strace.args(["-f", "--seccomp-bpf", "-c", "-o", "calls", "-e", "trace=!read,write"]);
    strace.arg(arena.get_program()).args(arena.get_args()).stdin(Stdio::null());
    strace.current_dir(cup.folder.path()).env("FAKE_ENGINE_SCRIPT", script());
    strace.output().unwrap().succeeds();
    let n_ticks = n_ticks(begun);
    let table = fs::read_to_string(cup.path("calls")).unwrap();
    // The columns: share, seconds, time of a call, calls, errors if there are any, name.
    let rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let count = |name: &str| {
        let mut rows = rows.clone();
        rows.find(|row| row.last() == Some(&name)).map_or(0, |row| row[3].parse::<u64>().unwrap())
    };
    let (all, waits) = (count("total"), count("poll") + count("ppoll"));
    eprintln!("{waits} waits and {} other calls of {MOVES} moves and {n_ticks} ticks\n{table}", all - waits);
    assert!(waits >= MOVES && waits < MOVES + 10 * MATCHES + 10 * n_ticks, "{table}");
    let start = 5000;
    assert!(all - waits < 100 * MATCHES + 60 * n_ticks + start, "{n_ticks} ticks\n{table}");
}
