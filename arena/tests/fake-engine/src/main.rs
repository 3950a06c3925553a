//! An engine that misbehaves on purpose, for tests of the referee with real processes.
//!
//! `fake-engine <stage>-<fault>`, or `fake-engine good`: it plays the first legal move of every position, in every
//! game, until the fault happens. Stages: `start` before the greeting, `newgame` at `uginewgame`, `again` at the second
//! `uginewgame` of a process, `ready` at `isready`, `move` at the third `go` of a match, `infinite` at a `go` without an
//! end, `quit` at `quit`. `weak-<percent>` loses this share of its matches, drawn by their positions, by an illegal move at
//! the third `go`. Faults `escape-<way>`: those of `escapes.rs`. Stage `cage`: an attempt against the machine before the
//! greeting, or, if it is one that takes memory, at the third `go`. Stage `left`: no engine, but what one leaves behind. `slow` thinks for 15 ms, `think` for ever about its
//! sixth move. `last` plays the last legal move. With `FAKE_ENGINE_SCRIPT`, every engine plays the moves of this variable. `crlf` is good, but ends its lines as Windows does.
//! `second-...`, `rules-...` and `ponder-...` are of the protocol's second edition: see `second.rs`. All others know only the first.
//! `uci` and `uci-...` speak UCI: see `uci.rs`. `tuned` has options to tune: see `tuned.rs`. `slip-<slip>` makes one of the mistakes of `slips.rs`, always. Where
//! `FAKE_ENGINE_STARTS` names a file, every process adds a line to it; `FAKE_ENGINE_MODE` is the mode, whatever the
//! argument says; `FAKE_ENGINE_VERSION` is the version that it tells, and `FAKE_ENGINE_OPTION` an option whose
//! values go to standard error. What it must not do: depend on the SDK, whose own
//! checks would get in the way of a fault.

#[cfg(target_os = "linux")]
mod attempts;
#[cfg(target_os = "linux")]
mod escapes;
#[cfg(target_os = "linux")]
mod leftovers;
mod second;
mod slips;
mod tuned;
mod uci;

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio, abort, exit};
use std::sync::OnceLock;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use engine_proto::{AnyPlay, GameId, Games};

/// The processor time that the fault `work` takes.
const WORK: Duration = Duration::from_millis(200);

/// What ends a line; `\n` if nothing else is said.
static LINE_END: OnceLock<&str> = OnceLock::new();

fn main() {
    note_start();
    let mode = std::env::var("FAKE_ENGINE_MODE").ok().or_else(|| std::env::args().nth(1));
    let mode = mode.unwrap_or_else(|| "good".to_owned());
    let (stage, fault) = mode.split_once('-').unwrap_or((&mode, ""));
    match stage {
        "uci" => uci::be(fault),
        "tuned" => tuned::be(fault),
        _ => be(stage, fault),
    }
}

#[expect(clippy::too_many_lines, reason = "a line for each fault")]
fn be(stage: &str, fault: &str) {
    #[cfg(target_os = "linux")]
    match stage {
        "left" => return leftovers::be(fault),
        "tracer" => return escapes::be_tracer(fault),
        _ => {}
    }
    if stage == "crlf" {
        LINE_END.get_or_init(|| "\r\n");
    }
    if stage == "slip" {
        slips::choose(fault);
    }
    if stage == "start" {
        misbehave(fault, "");
    }
    if stage == "cage" && !["memory", "memory-of-all"].contains(&fault) {
        attempt(fault);
    }
    let mut second = second::Second::new(stage, fault);
    let mut engine =
        Engine { game: GameId::BUILT_IN[0], play: None, n_games: 0, n_moves: 0, held: None, last: None };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ugi"] => greet(&second),
            ["isready"] => {
                if stage == "ready" {
                    misbehave(fault, "");
                }
                say("readyok");
            }
            ["setoption", "name", name, "value", value] => {
                engine.set_option(name, value);
                second.set_option(name, value);
            }
            ["uginewgame"] => {
                engine.n_moves = 0;
                engine.n_games += 1;
                if stage == "newgame" || stage == "again" && engine.n_games == 2 {
                    misbehave(fault, "");
                }
            }
            ["position", rest @ ..] => engine.set_up(rest),
            ["go", limits @ ..] => {
                engine.n_moves += 1;
                let Some(mv) = engine.legal(stage == "last") else { continue };
                if stage == "cage" && ["memory", "memory-of-all"].contains(&fault) && engine.n_moves == 3 {
                    attempt(fault);
                }
                if stage == "weak" && engine.n_moves == 3 && engine.is_weak_here(fault) {
                    say("bestmove a1a1a1");
                    continue;
                }
                if stage == "move" && engine.n_moves == 3 {
                    let last = engine.last.take();
                    misbehave(
                        fault,
                        if fault == "stale" { last.as_deref().unwrap_or_default() } else { &mv },
                    );
                    if fault == "slowbytes" {
                        continue;
                    }
                }
                if second.is_to_ponder(limits) {
                    engine.n_moves -= 1;
                    engine.held = second.ponder(&mv).then_some(mv);
                    continue;
                }
                if limits.is_empty() || limits.contains(&"infinite") {
                    if stage == "infinite" {
                        misbehave(fault, &mv);
                    }
                    if let Some(play) = &engine.play {
                        second.report(play.as_ref());
                    }
                    engine.held = Some(mv);
                    continue;
                }
                let begun = Instant::now();
                think(stage, fault, engine.n_moves, &mv);
                slips::overrun(limits);
                if stage == "slow" {
                    say(&format!("info depth 1 score cp 7 nodes 1 time {}", begun.elapsed().as_millis()));
                } else {
                    say("info depth 1 score cp 7 nodes 1");
                }
                if let Some(play) = &engine.play {
                    second.report(play.as_ref());
                }
                sleep(second.thinks_for());
                say(&format!("bestmove {}", engine.answer(&second, &mv)));
                engine.last = Some(mv);
            }
            ["stop" | "ponderhit"] => engine.release(&second, words == ["ponderhit"]),
            ["gameover", ..] => second.game_over(),
            ["query", question @ ..] => second.query(engine.play.as_deref(), question),
            ["quit"] => {
                if stage == "quit" {
                    misbehave(fault, "");
                }
                break;
            }
            _ => {}
        }
    }
    slips::end();
}

/// `slow-<ms>` thinks about each move, 15 ms if it names no time, and reports how long; `think` never ends with its sixth move, and
/// reports what it thinks of it.
fn think(stage: &str, ms: &str, n_moves: u32, mv: &str) {
    match stage {
        "slow" => sleep(Duration::from_millis(ms.parse().unwrap_or(15))),
        "think" if n_moves == 6 => {
            say(&format!("info depth 9 score cp 31 nodes 5000 pv {mv}"));
            hang();
        }
        _ => {}
    }
}

struct Engine {
    game: GameId,
    play: Option<Box<dyn AnyPlay>>,
    /// How many `uginewgame` this process has read.
    n_games: u32,
    n_moves: u32,
    /// The move that waits for `stop`.
    held: Option<String>,
    /// The move that it made last.
    last: Option<String>,
}

impl Engine {
    fn set_option(&mut self, name: &str, value: &str) {
        if name.eq_ignore_ascii_case("Game") {
            self.game = value.parse().unwrap_or(self.game);
        } else if std::env::var_os("FAKE_ENGINE_OPTION").is_some() {
            eprintln!("{name} is {value}");
        }
    }

    /// Sets up the position that these words tell; what makes no sense leaves the one before.
    fn set_up(&mut self, words: &[&str]) {
        let place = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let start = match &words[..place] {
            ["startpos"] => {
                Games::built_in().info(self.game).expect("a built-in game").starts[0].fen.to_owned()
            }
            ["fen", fields @ ..] => fields.join(" "),
            _ => return,
        };
        let Ok(mut play) = Games::built_in().play(self.game, &start) else { return };
        if words.iter().skip(place + 1).all(|mv| play.play(mv).is_ok()) {
            self.play = Some(play);
        }
    }

    /// Whether this is one of this number of positions of a hundred, the same ones whenever they come up (FNV-1a).
    fn is_weak_here(&self, percent: &str) -> bool {
        let fen = self.play.as_ref().map(|play| play.fen()).unwrap_or_default();
        let hash = fen.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        (hash >> 32) % 100 < percent.parse().expect("a percentage")
    }

    /// Says the move that waits for `stop` or `ponderhit`.
    fn release(&mut self, second: &second::Second, is_hit: bool) {
        if let Some(mv) = self.held.take() {
            self.n_moves += u32::from(is_hit);
            second.stops();
            say(&format!("bestmove {}", self.answer(second, &mv)));
        }
    }

    fn answer(&self, second: &second::Second, mv: &str) -> String {
        self.play.as_ref().map_or_else(String::new, |play| second.answer(play.as_ref(), mv, self.n_moves))
    }

    /// The first or the last legal move, or that of a script.
    fn legal(&self, is_last: bool) -> Option<String> {
        if let Ok(script) = std::env::var("FAKE_ENGINE_SCRIPT") {
            return script.split(' ').nth(self.play.as_ref()?.n_moves()).map(ToOwned::to_owned);
        }
        let mut moves = self.play.as_ref()?.legal_moves();
        if is_last { moves.pop() } else { moves.into_iter().next() }
    }
}

fn greet(second: &second::Second) {
    let ids: Vec<_> = GameId::BUILT_IN.iter().map(|game| format!("var {}", game.id())).collect();
    say("id name Fake");
    if let Ok(version) = std::env::var("FAKE_ENGINE_VERSION") {
        say(&format!("id version {version}"));
    }
    say(&format!("option name Game type combo default {} {}", GameId::BUILT_IN[0].id(), ids.join(" ")));
    second.greet();
    say("option name Hash type spin default 16 min 1 max 64");
    say("option name Net type string default");
    if let Ok(option) = std::env::var("FAKE_ENGINE_OPTION") {
        say(&format!("option name {option}"));
    }
    say("ugiok");
}

fn say(line: &str) {
    // An engine whose arena is gone has nobody to tell.
    let line = format!("{line}{}", LINE_END.get().unwrap_or(&"\n"));
    write_or_exit(&slips::written(line.into_bytes()));
}

/// Lets the test count the processes.
fn note_start() {
    let Some(path) = std::env::var_os("FAKE_ENGINE_STARTS") else { return };
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| writeln!(file, "started")).expect("the test named a file");
}

#[cfg(target_os = "linux")]
use attempts::attempt;

#[cfg(not(target_os = "linux"))]
fn attempt(_name: &str) {}

/// Does what the fault's name says. Where it returns, the engine goes on as if nothing had been.
fn misbehave(fault: &str, mv: &str) {
    match fault {
        "hang" => hang(),
        "exit" => {
            eprintln!("last words");
            exit(3);
        }
        "abort" => abort(),
        #[cfg(target_os = "linux")]
        "bomb" => attempt("bomb"),
        #[cfg(target_os = "linux")]
        "segfault" => {
            use rustix::process::{Signal, getpid, kill_process};
            // The first one is taken by Rust's handler.
            loop {
                let _ = kill_process(getpid(), Signal::SEGV);
            }
        }
        "close" => {
            // The process lives on without its output.
            close_stdout();
            hang();
        }
        "late" => sleep(Duration::from_millis(400)),
        "busy" => sleep(Duration::from_millis(2500)),
        "illegal" => say("bestmove a1a1a1"),
        "uppercase" => say(&format!("bestmove {}", mv.to_uppercase())),
        "empty" => say("bestmove"),
        // One millisecond beyond 200 ms and a margin of 100 ms.
        "overdue" => sleep(Duration::from_millis(301)),
        "answered" | "twice" | "stale" => say(&format!("bestmove {mv}")),
        "garbage" => {
            say("what is this");
            say("bestmov e2e4");
            say("readyok");
        }
        "binary" => {
            let _ = io::stdout().write_all(b"\xff\xfe\x00\x01\n");
        }
        "nul" => {
            let _ = io::stdout().write_all(b"bestmove \0\n");
        }
        "control" => {
            let _ = io::stdout().write_all(b"bestmove \x1b[2J\x07\x08\n");
        }
        "escapes" => {
            // What would clear a terminal and change its title, were it printed there.
            eprint!("\x1b[2J\x1b]0;owned\x07\u{9b}2J\0last words\r\n");
            exit(3);
        }
        "options" => loop {
            write_or_exit(
                b"option name a type combo var b var b var b var b var b var b var b var b var b\n",
            );
        },
        "deaf" => {
            // It answers once more, and lives on without its input.
            close_stdin();
            greet(&second::Second::new("", ""));
            say("readyok");
            say(&format!("bestmove {mv}"));
            hang();
        }
        "blind" => {
            greet(&second::Second::new("", ""));
            hang();
        }
        "longline" => loop {
            write_or_exit(&[b'x'; 8192]);
        },
        "flood" => loop {
            write_or_exit(b"info depth 1 score cp 0 nodes 1 pv a1a1\n");
        },
        "drip" => loop {
            write_or_exit(b"info depth 1\n");
            sleep(Duration::from_millis(1));
        },
        "slowbytes" => {
            for byte in format!("bestmove {mv}\r\n").bytes() {
                write_or_exit(&[byte]);
                sleep(Duration::from_millis(2));
            }
        }
        "stderr" => {
            let line = "e".repeat(99);
            for _ in 0..80_000 {
                eprintln!("{line}");
            }
        }
        "uci" => {
            say("id name Other");
            say("uciok");
            hang();
        }
        other => misuse(other, mv),
    }
}

/// Takes this processor time.
fn work(time: Duration) {
    let begun = processor_time();
    while processor_time() < begun + time {
        std::hint::spin_loop();
    }
}

/// The faults that have to do with processes and processors.
fn misuse(fault: &str, mv: &str) {
    match fault {
        "burn" => loop {
            std::hint::spin_loop();
        },
        "work" => work(WORK),
        "killed" => {
            // As the kernel kills what takes too much memory.
            let _ = Command::new("kill").args(["-KILL", &std::process::id().to_string()]).status();
            hang();
        }
        "lastmove" => {
            say(&format!("bestmove {mv}"));
            misuse("grandchild", mv);
        }
        "grandchild" => {
            // It keeps our pipes and would outlive us.
            Command::new("sleep").arg("600").stdin(Stdio::null()).spawn().expect("sleep is on every system");
            exit(0);
        }
        "helper" => {
            // It keeps our pipes while we go on.
            let helper = Command::new("sleep").arg("600").stdin(Stdio::null()).spawn();
            let mut helper = helper.expect("sleep is on every system");
            thread::spawn(move || helper.wait());
        }
        "reader" => {
            // As engines do that read commands in a thread of its own.
            thread::Builder::new().spawn(hang).expect("the system allows another thread");
        }
        "crowd" => (0..60).for_each(|_| misuse("helper", mv)),
        "spin" => {
            let n_threads = thread::available_parallelism().map_or(4, std::num::NonZero::get);
            for _ in 0..n_threads {
                thread::spawn(|| {
                    loop {
                        std::hint::spin_loop();
                    }
                });
            }
        }
        #[cfg(target_os = "linux")]
        other => match other.strip_prefix("escape-") {
            Some(escape) => escapes::escape(escape),
            None => leftovers::leave(other),
        },
        #[cfg(not(target_os = "linux"))]
        other => panic!("unknown fault `{other}`"),
    }
}

/// What this thread has used of the processors, as Linux tells.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux has it");
    let used = text.split(' ').next().and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(used.expect("it begins with a number"))
}

fn hang() -> ! {
    loop {
        sleep(Duration::from_secs(1));
    }
}

fn write_or_exit(bytes: &[u8]) {
    let mut out = io::stdout();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

#[cfg(unix)]
fn close_stdout() {
    // Dropping an owned handle of the descriptor would take unsafe code: replace it by one that nobody reads.
    let null = std::fs::File::create("/dev/null").expect("the null device");
    rustix::stdio::dup2_stdout(&null).expect("standard output can be replaced");
}

#[cfg(not(unix))]
fn close_stdout() {}

#[cfg(unix)]
fn close_stdin() {
    let null = std::fs::File::open("/dev/null").expect("the null device");
    rustix::stdio::dup2_stdin(&null).expect("standard input can be replaced");
}

#[cfg(not(unix))]
fn close_stdin() {}
