//! `arena simulate`: what a tournament will be able to tell, before it is played. Reads arguments or a configuration and
//! prints; all that is simulated and estimated comes from [`ratings::simulation`], and nothing is played.

mod answer;
mod arguments;
mod match_time;
mod plan;

use std::io::Write;
use std::path::PathBuf;

use crate::error::Error;
use crate::tables::write_forecast_csv;
use answer::{Answer, Wish};
use arguments::{Strength, chance, draw_rate, elo, name_and_elo, positive, whole_elo};
use plan::Plan;
use ratings::Confidence;
use ratings::simulation::{MOST_PAIRS, PairsNeeded, Simulator, TooManyPairs, pairs_needed};

const EXAMPLES: &str = "\
Examples:
  arena simulate --engine new=20 --engine old=0 --games 5 --pairs 200
                              how sure will we be whether the new engine is better?
  arena simulate --engine new=20 --engine old=0 --games 5 --separate new,old
                              how many pairs does it take to tell them apart?
  arena simulate configs/league.toml --strength alpha-beta=300 --strength random=-400
                              what will this tournament tell, and how long does it take?
  arena simulate configs/league.toml --precision 20 --seconds 4
                              how many pairs until all intervals are ± 20 Elo?";

/// How what is expected is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A table for a terminal, 80 columns wide
    #[default]
    Table,
    /// One line an engine and game
    Csv,
    /// Everything that was worked out, on one line
    Json,
}

/// Simulate a tournament to plan it.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct SimulateArgs {
    /// A tournament's configuration: its engines, games, format, pairs, concurrency and limits
    #[arg(conflicts_with_all = ["engines", "games", "gauntlet"])]
    pub config: Option<PathBuf>,
    /// An engine and how strong it may be; without a configuration, at least two
    #[arg(long = "engine", value_name = "NAME=ELO", value_parser = name_and_elo)]
    pub engines: Vec<Strength>,
    /// How strong an engine of the configuration may be; the others are taken for 0
    #[arg(long = "strength", value_name = "NAME=ELO", value_parser = name_and_elo)]
    pub strengths: Vec<Strength>,
    /// So many games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=20))]
    pub games: u8,
    /// This engine meets all others, and those not each other; may be given several times
    #[arg(long, value_name = "ENGINE")]
    pub gauntlet: Vec<String>,
    /// Colour-swapped pairs per pairing and game [default: the configuration's, or 40]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PAIRS)))]
    pub pairs: Option<u32>,
    /// The level that intervals have, above 0 and below 1
    #[arg(long, default_value_t, value_name = "FRACTION")]
    pub confidence: Confidence,
    /// How to print what is expected; `csv` has the table alone
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// How many tournaments to simulate: more make all that is printed more exact
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    pub tournaments: u32,
    /// What all results are drawn from: the same seed gives the same output
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// What the games are like.
    #[command(flatten)]
    pub conditions: ConditionArgs,
    /// How many pairs are needed.
    #[command(flatten)]
    pub wish: WishArgs,
    /// How long it takes.
    #[command(flatten)]
    pub time: TimeArgs,
}

/// What the games are like.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Games")]
pub struct ConditionArgs {
    /// How often equal engines draw
    #[arg(long, value_name = "FRACTION", default_value_t = 0.3, value_parser = draw_rate)]
    pub draws: f64,
    /// The advantage of moving first
    #[arg(long, value_name = "ELO", default_value_t = 40.0, value_parser = elo, allow_negative_numbers = true)]
    pub first_player: f64,
    /// How far openings differ in what they give to the first player: a standard deviation
    #[arg(long, value_name = "ELO", default_value_t = 80.0, value_parser = whole_elo)]
    pub openings: f64,
}

/// How many pairs are needed.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "How many pairs are needed")]
pub struct WishArgs {
    /// Find the pairs for which all intervals, overall or of the only game, are at most so many Elo to each side
    #[arg(long, value_name = "ELO", value_parser = positive, conflicts_with_all = ["pairs", "separate"])]
    pub precision: Option<f64>,
    /// Find the pairs for which the stronger of two engines is surely the stronger one, overall or in the only game
    #[arg(long, value_name = "ENGINE,ENGINE", value_delimiter = ',', conflicts_with = "pairs")]
    pub separate: Vec<String>,
    /// How often that shall come out
    #[arg(long, value_name = "FRACTION", default_value_t = 0.8, value_parser = chance)]
    pub chance: f64,
}

/// How long it takes.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Time")]
pub struct TimeArgs {
    /// How long a match takes [default: as a dry run of the configuration estimates it]
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub seconds: Option<f64>,
    /// Matches played at once [default: the configuration's, or 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
}

/// Simulates what `args` describe and prints what to expect to `out`.
///
/// # Errors
/// If the configuration cannot be read, if the arguments do not fit together or ask for what no number of pairs can
/// give, or if `out` can't be written.
pub fn run(args: &SimulateArgs, out: &mut dyn Write) -> Result<(), Error> {
    let plan = Plan::new(args)?;
    let wish = Wish::new(args, &plan)?;
    let needed = match &wish {
        Some(wish) => Some(search(args, &plan, wish)?),
        None => None,
    };
    let pairs = needed.map_or(plan.pairs, |needed| needed.pairs);
    let simulator = Simulator::new(plan.tournament(pairs), args.confidence);
    let answer = Answer {
        pairs,
        matches: simulator.tournament().matches(),
        concurrency: plan.concurrency,
        match_time: plan.match_time,
        wish,
        needed,
        forecast: simulator.forecast(args.tournaments),
    };
    match args.format {
        Format::Table => answer.write(args, &plan, out)?,
        Format::Csv => write_forecast_csv(&answer.forecast, &mut *out)?,
        Format::Json => {
            serde_json::to_writer(&mut *out, &answer).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
    }
    Ok(out.flush()?)
}

/// Finds out how many pairs the wish needs.
fn search(args: &SimulateArgs, plan: &Plan, wish: &Wish) -> Result<PairsNeeded, Error> {
    let share = |pairs| {
        let simulator = Simulator::new(plan.tournament(pairs), args.confidence);
        match *wish {
            Wish::Precision { elo, .. } => simulator.share_within(elo, args.tournaments),
            Wish::Separate { indices: [stronger, weaker], .. } => {
                simulator.share_apart(stronger, weaker, args.tournaments)
            }
        }
    };
    pairs_needed(args.wish.chance, share).map_err(|TooManyPairs { chance }| {
        Error::Usage(format!(
            "`{}`: {MOST_PAIRS} pairs per pairing and game are not enough: with so many the chance is {:.0} %, not {:.0} %",
            wish.option(),
            100.0 * chance.value,
            100.0 * args.wish.chance,
        ))
    })
}
