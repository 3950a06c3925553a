//! What ratings cost: `cargo bench -p arena --bench rating`.
//!
//! Standings while matches come in, as a progress display asks for them; a large tournament at once; a large file through
//! `arena rate`, with its memory. Times are the median of five runs with their spread.

#![expect(clippy::print_stdout, reason = "the table is the product")]

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use ratings::MatchResult;
use ratings::{Ending, FinishedMatch, RatingSettings, Standings, Tally};

const RUNS: usize = 5;

fn main() -> io::Result<()> {
    println!("{:<56} {:>10} {:>10}", "", "median", "spread");
    for n_matches in [1_000, 10_000, 100_000] {
        let (mut tally, mut matches) = (Tally::new(), Matches::new(10, 5));
        for _ in 0..n_matches {
            matches.add_to(&mut tally);
        }
        let name = format!("one more match and standings: 10 engines, 5 games, {n_matches}");
        row(&name, || {
            matches.add_to(&mut tally);
            Standings::new(&tally, &RatingSettings::default())
        });
    }
    let (mut tally, mut matches) = (Tally::new(), Matches::new(60, 5));
    for _ in 0..50_000 {
        matches.add_to(&mut tally);
    }
    row("standings: 60 engines, 5 games, 50000", || Standings::new(&tally, &RatingSettings::default()));
    let text = Matches::new(60, 5).csv(50_000);
    commands("arena rate: 60 engines, 5 games, 50000", &text, &["rate"], &[])?;
    let text = Matches::new(60, 1).csv(1_000_000);
    commands("arena rate: 60 engines, 1 game, 1000000", &text, &["rate"], &[])?;
    let of_two = ["--engines", "engine-0,engine-1"];
    commands("arena compare: 60 engines, 1 game, 1000000", &text, &["compare"], &of_two)?;
    let text = Matches::new(2, 1).csv(1_000_000);
    commands("arena compare: 2 engines, 1 game, 1000000", &text, &["compare"], &of_two)
}

/// Runs `work` a few times and prints what it took.
fn row<T>(name: &str, mut work: impl FnMut() -> T) {
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed()
    };
    print_row(name, (0..RUNS).map(time).collect());
}

fn print_row(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let spread = times[times.len() - 1].saturating_sub(times[0]);
    println!("{name:<56} {:>10} {:>10}", milliseconds(times[times.len() / 2]), milliseconds(spread));
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", 1e3 * time.as_secs_f64())
}

/// Runs the arena on a file that holds `text`, and prints its time and its memory.
fn commands(name: &str, text: &str, before: &[&str], after: &[&str]) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("matches.csv");
    fs::write(&file, text)?;
    let mut times = Vec::new();
    let mut memory = 0;
    for _ in 0..RUNS {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(before).arg(&file).args(after).stdout(Stdio::null());
        let start = Instant::now();
        let status = command.status()?;
        times.push(start.elapsed());
        assert!(status.success(), "{command:?}: {status}");
        memory = memory.max(peak_of_children());
    }
    print_row(name, times);
    println!("  memory at its peak, of this or an earlier command: {memory} kB");
    Ok(())
}

/// The most memory that a child has had so far, kB.
#[cfg(target_os = "linux")]
fn peak_of_children() -> i64 {
    use nix::sys::resource::{UsageWho, getrusage};
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss())
}

#[cfg(not(target_os = "linux"))]
fn peak_of_children() -> i64 {
    0
}

/// Swapped pairs from openings of their own, between engines and in games drawn at random.
struct Matches {
    generator: ChaCha8Rng,
    n_engines: u64,
    n_games: u64,
    n_pairs: u64,
    /// The second match of the last pair: game, White and Black.
    partner: Option<(u64, u64, u64)>,
}

impl Matches {
    fn new(n_engines: u64, n_games: u64) -> Self {
        Self { generator: ChaCha8Rng::seed_from_u64(1), n_engines, n_games, n_pairs: 0, partner: None }
    }

    fn add_to(&mut self, tally: &mut Tally) {
        let (game, white, black, result) = self.next();
        let played = FinishedMatch {
            game: &format!("game-{game}"),
            white: &format!("engine-{white}"),
            black: &format!("engine-{black}"),
            result,
            pair: Some(&self.n_pairs.to_string()),
            opening: Some(&format!("opening-{}", self.n_pairs)),
            moves: None,
            ending: Ending::Played,
        };
        tally.add(&played).expect("the engines differ");
    }

    fn csv(&mut self, n_matches: u64) -> String {
        let mut csv = String::from("match,game,white,black,result,pair,opening,plies,seconds\n");
        for number in 0..n_matches {
            let (game, white, black, result) = self.next();
            let pair = self.n_pairs;
            writeln!(
                csv,
                "{number},game-{game},engine-{white},engine-{black},{result},p{pair:06},game-{game}-o{pair:05},57,1.234"
            )
            .expect("a String takes all");
        }
        csv
    }

    fn next(&mut self) -> (u64, u64, u64, MatchResult) {
        let (game, white, black) = self.partner.take().unwrap_or_else(|| {
            self.n_pairs += 1;
            let game = self.generator.next_u64() % self.n_games;
            let white = self.generator.next_u64() % self.n_engines;
            let black = (white + 1 + self.generator.next_u64() % (self.n_engines - 1)) % self.n_engines;
            self.partner = Some((game, black, white));
            (game, white, black)
        });
        (game, white, black, self.result(white, black))
    }

    fn result(&mut self, white: u64, black: u64) -> MatchResult {
        let uniform = (self.generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let score = 1.0 / (1.0 + ((black as f64 - white as f64) * 0.05).exp());
        match uniform {
            _ if uniform < 0.2 => MatchResult::Draw,
            _ if uniform < 0.2 + 0.8 * score => MatchResult::WhiteWins,
            _ => MatchResult::BlackWins,
        }
    }
}
