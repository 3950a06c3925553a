//! The answer of `arena simulate`, as data and as text. It does not simulate.

use std::io::{self, Write};

use engine_proto::fen::shown;
use serde::Serialize;

use super::SimulateArgs;
use super::arguments::Strength;
use super::match_time::MatchTime;
use super::plan::Plan;
use super::stop::StopForecast;
use crate::exit::CommandError;
use ratings::simulation::{Forecast, PairsNeeded, Simulator};
use ratings::{Confidence, signed};
use report::tables::write_forecast_table;
use schedule::estimate::duration_text;

/// The complete answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Answer {
    /// Pairs per pairing and game.
    pub pairs: u32,
    /// Matches of the whole tournament.
    pub matches: u64,
    /// The number of matches played at once.
    pub concurrency: u16,
    /// The duration of a match, if known.
    pub match_time: Option<MatchTime>,
    /// The aim.
    pub aim: Option<Aim>,
    /// The number of pairs that the aim needs.
    pub needed: Option<PairsNeeded>,
    /// What the stop rules do.
    pub stop: Option<StopForecast>,
    /// The forecast for `pairs`.
    pub forecast: Forecast,
}

/// The aim.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Aim {
    /// All intervals have at most this half width.
    Precision {
        /// To each side, Elo.
        elo: f64,
        /// The required share of tournaments.
        chance: f64,
    },
    /// One engine is significantly stronger than another.
    Separate {
        /// The two engines, the truly stronger one first.
        engines: [String; 2],
        /// The required share of tournaments.
        chance: f64,
        /// Their indices.
        #[serde(skip)]
        indices: [usize; 2],
    },
}

impl Aim {
    /// The aim in `args`, if any.
    pub(super) fn new(args: &SimulateArgs, plan: &Plan) -> Result<Option<Self>, CommandError> {
        let chance = args.aim.chance;
        if let Some(elo) = args.aim.precision {
            return Ok(Some(Self::Precision { elo, chance }));
        }
        let [first, second] = args.aim.separate.as_slice() else {
            return match args.aim.separate.len() {
                0 => Ok(None),
                given => Err(CommandError::usage(format!(
                    "`--separate` takes two names, as in `--separate new,old`; it has {given}"
                ))),
            };
        };
        let indices = [plan.index_of("--separate", first)?, plan.index_of("--separate", second)?];
        let simulator = Simulator::new(plan.tournament(1), Confidence::default());
        let [one, other] = indices.map(|engine| simulator.overall_rating(engine));
        let (Some(one), Some(other)) = (one, other) else {
            return Err(CommandError::usage(
                "`--separate` takes engines that play all games; others have no overall rating",
            ));
        };
        // Smaller differences between ratings are rounding errors.
        if (one - other).abs() < 1e-3 {
            return Err(CommandError::usage(format!(
                "`--separate {},{}`: both have the same strength, so no number of pairs separates them; set another \
                 strength with `--{} NAME=ELO`",
                shown(first),
                shown(second),
                if args.config.is_some() { "strength" } else { "engine" },
            )));
        }
        let is_in_order = other < one;
        let [first, second] = if is_in_order { [first, second] } else { [second, first] };
        let indices = if is_in_order { indices } else { [indices[1], indices[0]] };
        Ok(Some(Self::Separate { engines: [first.clone(), second.clone()], chance, indices }))
    }

    /// The option of this aim.
    pub(super) fn option(&self) -> String {
        match self {
            Self::Precision { elo, .. } => format!("--precision {elo}"),
            Self::Separate { engines: [one, other], .. } => {
                format!("--separate {},{}", shown(one), shown(other))
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Precision { elo, .. } => format!("every interval is ± {elo} Elo or less"),
            Self::Separate { engines: [one, other], .. } => {
                format!("it is clear that {} is stronger than {}", shown(one), shown(other))
            }
        }
    }
}

impl Answer {
    /// Writes it as text for a terminal.
    pub(super) fn write(&self, args: &SimulateArgs, plan: &Plan, out: &mut dyn Write) -> io::Result<()> {
        if let (Some(aim), Some(needed)) = (&self.aim, self.needed) {
            write_needed(aim, needed, out)?;
        }
        let n_games = plan.games.len();
        writeln!(
            out,
            "{} engines, {n_games} {}, {} pairs per pairing and game: {} matches",
            plan.engines.len(),
            if n_games == 1 { "game" } else { "games" },
            self.pairs,
            self.matches
        )?;
        match self.match_time {
            Some(time) => {
                let seconds = time.seconds * self.matches as f64 / f64::from(self.concurrency);
                writeln!(out, "time: about {}, concurrency {}", duration_text(seconds), self.concurrency)?;
                writeln!(out, "  {}", time.text())?;
            }
            None => writeln!(out, "time: unknown; give the duration of a match with `--seconds`")?,
        }
        writeln!(
            out,
            "{} tournaments simulated: {:.0} % draws, first player {}, openings ± {:.0} Elo\n",
            self.forecast.tournaments,
            100.0 * args.conditions.draws,
            signed(args.conditions.first_player, 0),
            args.conditions.openings
        )?;
        let are_equal = |two: &[Strength]| two[0].elo.total_cmp(&two[1].elo).is_eq();
        if plan.engines.windows(2).all(are_equal) {
            let option = if args.config.is_some() { "strength" } else { "engine" };
            writeln!(out, "all engines are equally strong; to change that: `--{option} NAME=ELO`\n")?;
        }
        if let Some(stop) = &self.stop {
            stop.write(out)?;
        }
        write_forecast_table(&self.forecast, out)
    }
}

fn write_needed(aim: &Aim, needed: PairsNeeded, out: &mut dyn Write) -> io::Result<()> {
    let high = needed.high.map_or_else(|| "more than can be tried".to_owned(), |high| high.to_string());
    writeln!(out, "{} pairs per pairing and game are needed ({} to {high})", needed.pairs, needed.low)?;
    writeln!(
        out,
        "  in {:.1} ± {:.1} % of such tournaments, {}\n",
        100.0 * needed.chance.value,
        200.0 * needed.chance.se,
        aim.text()
    )
}
