//! `arena simulate`: predicts the precision of a tournament. It reads arguments or a configuration and prints;
//! [`ratings::simulation`] simulates and estimates. No match is played.

mod answer;
mod arguments;
mod match_time;
mod plan;
mod stop;

use std::io::Write;
use std::path::PathBuf;

use engine_proto::Games;

use crate::commands::arguments::MOST_TEST_PAIRS;
use crate::exit::CommandError;
use answer::{Aim, Answer};
use arguments::{Strength, chance, draw_rate, elo, name_and_elo, positive, whole_elo};
use plan::Plan;
use ratings::Confidence;
use ratings::simulation::{MOST_PAIRS, PairsNeeded, Simulator, TooManyPairs, pairs_needed};
use report::Working;
use report::tables::write_forecast_csv;
pub use stop::StopArg;
use stop::StopForecast;

const EXAMPLES: &str = "\
Examples:
  arena simulate --engine new=20 --engine old=0 --pairs 200
                              How certain will the result of this comparison be?
  arena simulate --engine new=20 --engine old=0 --separate new,old
                              How many pairs separate these engines?
  arena simulate configs/league.toml --strength alpha-beta=300
                              What can this tournament show? How long is it?";

/// How a forecast is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A table for a terminal, 80 columns wide
    #[default]
    Table,
    /// One line per engine and game
    Csv,
    /// All computed numbers, on one line
    Json,
}

/// Plan a tournament by simulating it
///
/// You give the assumed strengths of the engines. The command draws the results of many such tournaments at random, rates
/// each of them like a real one, and prints how wide the intervals are, how often the ranks are certain, and how long
/// the tournament takes. With --precision or --separate, it finds the number of pairs that you need. No engine is
/// started.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct SimulateArgs {
    /// The configuration of a tournament
    ///
    /// Gives the engines, games, format, pairs, concurrency and limits.
    #[arg(conflicts_with_all = ["engines", "games", "gauntlet"])]
    pub config: Option<PathBuf>,
    /// An engine and its assumed strength (repeatable)
    ///
    /// Without a configuration, give at least two.
    #[arg(long = "engine", value_name = "NAME=ELO", value_parser = name_and_elo)]
    pub engines: Vec<Strength>,
    /// Strength of a configured engine (repeatable)
    ///
    /// Engines of the configuration that are not named have strength 0.
    #[arg(long = "strength", value_name = "NAME=ELO", value_parser = name_and_elo)]
    pub strengths: Vec<Strength>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=20))]
    pub games: u8,
    /// This engine meets all others (repeatable)
    ///
    /// The schedule is a gauntlet: the other engines do not meet each other.
    #[arg(long, value_name = "ENGINE", hide_short_help = true)]
    pub gauntlet: Vec<String>,
    /// Match pairs for each pairing and game [default: 40]
    ///
    /// With a configuration, its number of pairs is the default. `--stop sprt` without both takes as many as the test needs.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_TEST_PAIRS)))]
    pub pairs: Option<u32>,
    /// Confidence level of the intervals, between 0 and 1
    #[arg(long, default_value_t, value_name = "FRACTION", hide_short_help = true)]
    pub confidence: Confidence,
    /// table, csv or json
    ///
    /// A table is 80 columns wide. CSV has one line per engine and game. JSON contains all computed numbers on one line.
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub format: Format,
    /// Number of simulated tournaments
    ///
    /// More tournaments make the forecast more exact.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(10..=1_000_000), hide_short_help = true)]
    pub tournaments: u32,
    /// Seed of the random numbers
    ///
    /// The same seed gives the same output.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, hide_short_help = true)]
    pub seed: u64,
    /// What the games are like.
    #[command(flatten)]
    pub conditions: ConditionArgs,
    /// How many pairs are needed.
    #[command(flatten)]
    pub aim: AimArgs,
    /// How long it takes.
    #[command(flatten)]
    pub time: TimeArgs,
}

/// What the games are like.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ConditionArgs {
    /// Share of draws between equal engines
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = draw_rate)]
    pub draws: f64,
    /// Advantage of the first player
    #[arg(long, value_name = "ELO", default_value_t = 40.0, value_parser = elo, allow_negative_numbers = true)]
    pub first_player: f64,
    /// Spread of the advantage between openings
    ///
    /// How much the first player's advantage differs between openings (standard deviation).
    #[arg(long, value_name = "ELO", default_value_t = 80.0, value_parser = whole_elo)]
    pub openings: f64,
}

/// How many pairs are needed.
#[derive(Clone, Debug, clap::Args)]
pub struct AimArgs {
    /// Find the pairs for this precision
    ///
    /// All intervals, overall or in the only game, extend at most this far to each side.
    #[arg(long, value_name = "ELO", value_parser = positive, conflicts_with_all = ["pairs", "separate"])]
    pub precision: Option<f64>,
    /// Find the pairs that separate two engines
    ///
    /// The interval of their difference, overall or in the only game, does not contain 0.
    #[arg(long, value_name = "ONE,TWO", value_delimiter = ',', conflicts_with = "pairs")]
    pub separate: Vec<String>,
    /// Simulate a stop rule
    ///
    /// `sprt=0,5` tests 0 against 5 normalized Elo for the first two engines, `precision=20` ends the tournament when all
    /// overall intervals are ± 20 Elo or less, and `separated=best`, `top-2`, `order` or `new,old` when this is clear.
    /// Prints the number of pairs that the rule needs, and how often it gives each answer. The default is the rule of the
    /// configuration.
    #[arg(long, value_name = "RULE", conflicts_with_all = ["precision", "separate"], hide_short_help = true)]
    pub stop: Option<StopArg>,
    /// Required chance of success
    #[arg(long, value_name = "SHARE", default_value_t = 0.8, value_parser = chance)]
    pub chance: f64,
}

/// How long it takes.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct TimeArgs {
    /// Duration of a match [default: an estimate]
    ///
    /// The default is the estimate of `arena run --dry-run` for the configuration.
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub seconds: Option<f64>,
    /// Number of matches to play at once [default: 1]
    ///
    /// With a configuration, its number is the default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
}

/// Simulates what `args` describe and prints what to expect to `out`.
///
/// # Errors
/// If the configuration cannot be read, if the arguments do not fit together or ask for what no number of pairs can
/// give, or if `out` cannot be written.
pub fn run(games: &Games, args: &SimulateArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let plan = Plan::new(games, args)?;
    let aim = Aim::new(args, &plan)?;
    let working = Working::on("simulating");
    let needed = match &aim {
        Some(aim) => Some(search(args, &plan, aim, &working)?),
        None => None,
    };
    let mut pairs = needed.map_or(plan.pairs, |needed| needed.pairs);
    let steps = |what: &'static str| working.in_steps(what, args.tournaments.into());
    let rules = match &args.aim.stop {
        Some(rule) => vec![rule.rule(&plan)?],
        None => plan.rules.clone(),
    };
    // A test ends by itself; the other rules may never do.
    let is_open =
        matches!(args.aim.stop, Some(StopArg::Sprt(_))) && args.pairs.is_none() && args.config.is_none();
    let stop = (!rules.is_empty()).then(|| {
        let tournament = plan.tournament(if is_open { MOST_TEST_PAIRS } else { pairs });
        StopForecast::new(&tournament, &rules, args.tournaments, steps("simulating the stop rule"))
    });
    if let Some(stop) = stop.as_ref().filter(|_| is_open) {
        pairs = stop.mean_pairs_of_each(plan.pairings.len());
    }
    let simulator = Simulator::new(plan.tournament(pairs), args.confidence).telling(steps("simulating"));
    let answer = Answer {
        pairs,
        matches: simulator.tournament().matches(),
        concurrency: plan.concurrency,
        match_time: plan.match_time,
        aim,
        needed,
        stop,
        forecast: simulator.forecast(args.tournaments),
    };
    drop(working);
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

/// Finds out how many pairs the aim needs.
fn search(
    args: &SimulateArgs,
    plan: &Plan,
    aim: &Aim,
    working: &Working,
) -> Result<PairsNeeded, CommandError> {
    let share = |pairs| {
        let tell = working.in_steps(format!("simulating `--pairs {pairs}`"), args.tournaments.into());
        let simulator = Simulator::new(plan.tournament(pairs), args.confidence).telling(tell);
        match *aim {
            Aim::Precision { elo, .. } => simulator.share_within(elo, args.tournaments),
            Aim::Separate { indices: [stronger, weaker], .. } => {
                simulator.share_apart(stronger, weaker, args.tournaments)
            }
        }
    };
    pairs_needed(args.aim.chance, share).map_err(|TooManyPairs { chance }| {
        CommandError::usage(format!(
            "`{}`: {MOST_PAIRS} pairs per pairing and game are not enough; their chance is {:.0} % instead of {:.0} %",
            aim.option(),
            100.0 * chance.value,
            100.0 * args.aim.chance,
        ))
    })
}
