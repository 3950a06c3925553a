//! The end of a run: the report page, the standings, and how to go on.

use std::path::Path;

use super::{Error, Finished, RunArgs};
use host::output;
use report::{Ratings, Working, paths, write_page};
use runner::conduct::Ended;
use schedule::{JobScheduler, Progress as Reached, Scheduler};

/// Writes the page of a tournament that has ended or was stopped, and gives its standings.
///
/// # Errors
/// If the tournament was stopped, or its openings ran out.
pub fn finish(
    args: &RunArgs,
    folder: &Path,
    scheduler: &JobScheduler,
    ratings: &Ratings,
    ended: Ended,
) -> Result<Finished, Error> {
    let Reached { n_finished: finished, n_matches: matches, is_over } = scheduler.progress();
    let working = Working::on("writing the report");
    let page = if args.no_report { None } else { write_page(folder, finished) };
    drop(working);
    let mut standings = ratings.text(&scheduler.findings(), output::stdout_columns());
    standings.push_str(&paths(folder, page));
    if let Some(why) = ended.too_few {
        Err(Error::OpeningsRanOut { standings, finished, matches, why })
    } else if is_over {
        Ok(Finished { text: standings, test: scheduler.sprt() })
    } else {
        let again = if args.replay.is_empty() {
            "the same command again"
        } else {
            "the same command without `--replay`"
        };
        Err(Error::Interrupted { standings, finished, matches, again })
    }
}
