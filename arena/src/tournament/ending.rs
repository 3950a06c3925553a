//! The end of a run: the report page, the standings, and how to go on.

use super::page::write_unless_stopped;
use super::{Error, Finished, Played, Run, Tell};
use host::output;
use ratings::SprtVerdict;
use report::{Working, paths};
use schedule::Progress as Reached;

impl Played {
    /// Tells the standings of a tournament that has ended or was stopped, then writes its page, and tells where that is.
    ///
    /// # Errors
    /// If the tournament was stopped, its openings ran out, the rules of one of its games have failed, or nothing can be told.
    pub fn finish(&self, run: &Run<'_>, tell: &mut Tell<'_>) -> Result<Finished, Error> {
        let Played { games, folder, scheduler, ratings, .. } = self;
        // Whoever reads no further has a page all the same.
        let Reached { n_finished, is_over, .. } = scheduler.progress();
        let is_over = is_over || self.ended.too_few.is_some();
        let told = tell(&ratings.text(&scheduler.findings(), is_over, output::stdout_columns()));
        if n_finished == 0 {
            told?;
            return self.ended(run);
        }
        let working = Working::on("writing the report (Ctrl-C leaves it out)");
        let page = if run.playing.no_report { None } else { write_unless_stopped(games, folder, n_finished) };
        drop(working);
        told.and_then(|()| tell(&paths(folder, page)))?;
        self.ended(run)
    }

    /// What the sequential test has found; undecided if it has only counted forfeits.
    fn test(&self) -> Option<SprtVerdict> {
        let found = self.scheduler.sprt()?;
        Some(if self.ratings.has_verdict() { found } else { SprtVerdict::Undecided })
    }

    /// The end of a tournament.
    ///
    /// # Errors
    /// If the tournament was stopped, its openings ran out, or the rules of one of its games have failed.
    pub fn ended(&self, run: &Run<'_>) -> Result<Finished, Error> {
        let Reached { n_finished: finished, n_matches: matches, is_over } = self.scheduler.progress();
        if let Some(why) = self.ended.too_few.clone() {
            Err(Error::OpeningsRanOut { finished, matches, why })
        } else if is_over {
            match self.games.failure() {
                None => Ok(Finished { test: self.test(), watch: None }),
                Some(failure) => Err(Error::RulesFailed { failure }),
            }
        } else {
            let again = match run.replayed {
                _ if run.playing.fresh => "the same command without `--fresh`",
                [] => "the same command again",
                _ => "the same command without `--replay`",
            };
            let aborted = match self.ended.n_aborted {
                0 => String::new(),
                1 => " (1 more had begun, and will be played again)".to_owned(),
                n => format!(" ({n} more had begun, and will be played again)"),
            };
            Err(Error::Interrupted { finished, matches, aborted, again })
        }
    }
}
