//! What a stop rule does in simulated tournaments: when it ends them, and how often it answers what.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::str::FromStr;

use rayon::prelude::*;
use serde::Serialize;

use super::plan::Plan;
use crate::exit::CommandError;
use model::{EloModelKey, Question, Scope};
use ratings::simulation::SimulatedTournament;
use ratings::{DEFAULT_BATCH_PAIRS, Hypotheses};
use report::tables::text::{percent, shown, write_wrapped};
use schedule::stop::{Precision, Rule, Separated, SprtTest, SprtTests, Stopping};
use schedule::{FinishedPair, MatchSummary};

/// A stop rule as an option.
#[derive(Clone, Debug, PartialEq)]
pub enum StopArg {
    /// A sequential test of the two engines, with its hypotheses in normalized Elo.
    Sprt([f64; 2]),
    /// The largest half width of the overall intervals, Elo.
    Precision(f64),
    /// A question about the order.
    Separated(Question),
}

impl FromStr for StopArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let usage = || {
            "it takes `sprt=0,5`, `precision=20`, `separated=best`, `separated=top-2`, `separated=order` or `separated=A,B`"
                .to_owned()
        };
        let (rule, value) = text.split_once('=').ok_or_else(usage)?;
        let number =
            |text: &str| text.trim().parse::<f64>().ok().filter(|it| it.is_finite()).ok_or_else(usage);
        let two = || value.split_once(',').ok_or_else(usage);
        match (rule, value) {
            ("sprt", _) => {
                let (elo0, elo1) = two()?;
                Ok(Self::Sprt([number(elo0)?, number(elo1)?]))
            }
            ("precision", _) => {
                Ok(Self::Precision(number(value).ok().filter(|&elo| elo > 0.0).ok_or_else(usage)?))
            }
            ("separated", "best") => Ok(Self::Separated(Question::Best)),
            ("separated", "order") => Ok(Self::Separated(Question::Order)),
            ("separated", _) => match value.strip_prefix("top-").map(str::parse) {
                Some(Ok(n)) if n > 0 => Ok(Self::Separated(Question::Top(n))),
                Some(_) => Err(usage()),
                None => two().map(|(one, other)| {
                    Self::Separated(Question::Above([one, other].map(|name| name.trim().to_owned())))
                }),
            },
            _ => Err(usage()),
        }
    }
}

impl StopArg {
    /// The rule for the engines of `plan`.
    pub(super) fn rule(&self, plan: &Plan) -> Result<Rule, CommandError> {
        let n_engines = plan.engines.len();
        Ok(match self {
            &Self::Sprt([elo0, elo1]) => {
                let [first, second] = plan.engines.as_slice() else {
                    return Err(CommandError::usage(format!(
                        "`--stop sprt` takes two engines; there are {n_engines}"
                    )));
                };
                let hypotheses = Hypotheses::new(EloModelKey::Normalized.into(), elo0, elo1, 0.05, 0.05)
                    .map_err(|error| CommandError::usage(format!("`--stop sprt`: {error}")))?;
                let names = [first, second].map(|engine| engine.engine.clone());
                Rule::Sprt(SprtTests::new(vec![SprtTest::new(names, hypotheses, DEFAULT_BATCH_PAIRS)]))
            }
            &Self::Precision(elo) => Rule::Precision(Precision::new(elo, Scope::Overall)),
            Self::Separated(question) => {
                match question {
                    Question::Top(n) if *n >= n_engines => {
                        return Err(CommandError::usage(format!(
                            "`--stop separated=top-{n}` takes a number below that of the engines, {n_engines}"
                        )));
                    }
                    Question::Above(names) => {
                        for name in names {
                            plan.index_of("--stop separated", name)?;
                        }
                    }
                    _ => {}
                }
                Rule::Separated(Separated::new(question.clone(), n_engines))
            }
        })
    }
}

/// What the rules do in simulated tournaments.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct StopForecast {
    /// The number of simulated tournaments.
    tournaments: u32,
    /// The number of pairs of each tournament, if no rule ends it.
    most_pairs: u32,
    /// The mean number of pairs, tournaments that no rule ended included.
    mean_pairs: f64,
    /// The 5 % quantile, the median and the 95 % quantile of the pairs.
    pairs: [u32; 3],
    /// Each answer with the share of tournaments that ended with it; `None` if no rule ended them. The most frequent one
    /// first.
    answers: Vec<(Option<String>, f64)>,
}

impl StopForecast {
    /// Simulates this number of tournaments with `rules`. Calls `after_each` with 1 after each
    /// of them.
    pub(super) fn new(
        tournament: &SimulatedTournament,
        rules: &[Rule],
        tournaments: u32,
        after_each: impl Fn(u64) + Sync + Send,
    ) -> Self {
        let runs: Vec<(u32, Option<String>)> = (0..tournaments)
            .into_par_iter()
            .map(|number| run(tournament, rules, u64::from(number)))
            .inspect(|_| after_each(1))
            .collect();
        let mut pairs: Vec<u32> = runs.iter().map(|(pairs, _)| *pairs).collect();
        pairs.sort_unstable();
        let at = |fraction: f64| pairs[(fraction * (pairs.len() - 1) as f64).round() as usize];
        let mut answers: BTreeMap<Option<String>, u32> = BTreeMap::new();
        for (_, answer) in runs {
            *answers.entry(answer).or_default() += 1;
        }
        let share = |count: u32| f64::from(count) / f64::from(tournaments);
        let mut answers: Vec<_> = answers.into_iter().map(|(answer, count)| (answer, share(count))).collect();
        answers.sort_by(|one, other| other.1.total_cmp(&one.1));
        Self {
            tournaments,
            most_pairs: (tournament.matches() / 2) as u32,
            mean_pairs: pairs.iter().map(|&pairs| f64::from(pairs)).sum::<f64>() / f64::from(tournaments),
            pairs: [at(0.05), at(0.5), at(0.95)],
            answers,
        }
    }

    /// The mean number of pairs of each of this many pairings.
    pub(super) fn mean_pairs_of_each(&self, n_pairings: usize) -> u32 {
        (self.mean_pairs / n_pairings as f64).ceil() as u32
    }

    /// Writes it as text for a terminal.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { most_pairs, mean_pairs, pairs: [low, median, high], .. } = self;
        write_wrapped(
            &format!(
                "stop rule: the tournament ends after {mean_pairs:.0} of at most {most_pairs} pairs on average (median \
                 {median}, 5 to 95 %: {low} to {high}). The answers:"
            ),
            "",
            out,
        )?;
        for (answer, share) in &self.answers {
            // With one more tournament that gives the answer and one that does not, so that the error is never 0.
            let n = f64::from(self.tournaments);
            let near = share.mul_add(n, 1.0) / (n + 2.0);
            let error = 1.96 * (near * (1.0 - near) / (n + 2.0)).sqrt();
            let answer = answer
                .as_ref()
                .map_or("no rule ended it; raise `--pairs`".to_owned(), |answer| shown(answer));
            write_wrapped(
                &format!("  {:>6} ± {:.1}  {answer}", percent(*share), 100.0 * error),
                "                ",
                out,
            )?;
        }
        writeln!(out, "\nWithout the stop rule:\n")
    }
}

/// The number of pairs of one tournament, and the answer that ended it.
fn run(tournament: &SimulatedTournament, rules: &[Rule], number: u64) -> (u32, Option<String>) {
    let mut stopping = Stopping::new(rules.to_vec());
    let mut n_pairs = 0;
    tournament.play_in_rounds(number, |pair| {
        n_pairs += 1;
        stopping.add(&FinishedPair {
            number: n_pairs,
            game: pair.game,
            engines: pair.engines.map(|engine| tournament.engines[engine].as_str()),
            matches: pair.results.map(|result| MatchSummary { result, plies: 0, time_ms: 0, is_void: false }),
        });
        if stopping.decided().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match stopping.decided() {
        Some(decided) => (decided.n_pairs, Some(decided.answer.clone())),
        None => (n_pairs, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_or_refused() {
        assert_eq!("sprt=0,5".parse(), Ok(StopArg::Sprt([0.0, 5.0])));
        assert_eq!("precision=20".parse(), Ok(StopArg::Precision(20.0)));
        assert_eq!("separated=top-2".parse(), Ok(StopArg::Separated(Question::Top(2))));
        let above = Question::Above(["new".to_owned(), "old".to_owned()]);
        assert_eq!("separated=new,old".parse(), Ok(StopArg::Separated(above)));
        for text in ["sprt=0", "precision=-1", "separated=top-0", "separated=x", "best", "x=1"] {
            assert!(text.parse::<StopArg>().is_err(), "{text}");
        }
    }
}
