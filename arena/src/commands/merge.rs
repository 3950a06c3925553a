//! `arena merge`: one results folder from those of several machines.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use engine_proto::Games;

use crate::exit::CommandError;
use host::machine::OwnTimes;
use host::output::{self, CannotWrite};
use model::{Event, Reporter};
use report::{Ratings, Timing, paths, write_page};
use runner::conduct::tell;
use store::{MATCHES_JSONL, Merge, Results, Tolerance, Wanted, move_aside};

const EXAMPLES: &str = "\
Examples:
  arena merge shard-1 shard-2 --results league           Join two shards
  arena merge shard-* --results league --fresh           Join again, with more";

/// Join results folders of one tournament
///
/// The folders are those of `arena run --shard`. They are checked first and not changed. Matches that are missing are named;
/// `arena run` with the new folder plays them.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct MergeArgs {
    /// Results folders of the same tournament
    #[arg(required = true, value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// Write the results to this folder
    #[arg(long, value_name = "FOLDER")]
    pub results: PathBuf,
    /// Move old results to `<folder>.1`
    #[arg(long)]
    pub fresh: bool,
    /// Of different matches, keep the first folder's
    ///
    /// Without this option, a match with other moves or another result in two folders is an error.
    #[arg(long)]
    pub keep_first: bool,
    /// Count all builds of this engine as one (repeatable)
    ///
    /// Without this option, it is an error if the program of an engine was not the same in all folders.
    #[arg(long, value_name = "NAME")]
    pub accept_changed: Vec<String>,
    /// Do not write `report.html`
    #[arg(long)]
    pub no_report: bool,
}

/// Joins the folders, and prints the standings to `out`.
///
/// # Errors
/// If the folders contradict each other, or the new one cannot be written. Nothing was written then, unless the disk failed.
pub fn run(games: &Games, args: &MergeArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let folder = &args.results;
    let place = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if args.folders.iter().any(|input| place(input) == place(folder)) {
        return Err(CommandError::usage(format!(
            "`{}` is both a folder to merge and the folder of the result; give another one with `--results`",
            folder.display()
        )));
    }
    let merge = Merge::of(
        games,
        &args.folders,
        &Tolerance { accepted: &args.accept_changed, keeps_first: args.keep_first },
    )?;
    let tournament = merge.tournament();
    if let Some(engine) = args.accept_changed.iter().find(|name| tournament.engine(name).is_none()) {
        return Err(CommandError::usage(format!(
            "`--accept-changed`: no engine is named `{engine}`; the engines are {}",
            tournament.names().join(", ")
        )));
    }
    if args.fresh {
        move_aside(folder)?;
    } else if std::fs::metadata(folder.join(MATCHES_JSONL)).is_ok_and(|file| 0 < file.len()) {
        return Err(CommandError::input(format!(
            "`{}` already has results; give another folder with `--results`, or move the old results aside with `--fresh`",
            folder.display()
        )));
    }
    let ratings = write(&merge, folder)?;

    let page = if args.no_report {
        None
    } else {
        write_page(&merge.tournament().known_games, folder, merge.n_finished())
    };
    write!(out, "{}{}", ratings.text(&[], true, output::stdout_columns()), paths(folder, page))?;
    if let Some(gaps) = merge.gaps() {
        let (n_finished, n_matches) = (merge.n_finished(), merge.plan().n_matches());
        writeln!(
            io::stderr(),
            "warning: {} of {n_matches} matches are missing: {gaps}; to play them, run the tournament with `--results {}`",
            n_matches - n_finished,
            folder.display()
        )?;
    }
    Ok(())
}

/// Writes the new folder, and gives its ratings.
fn write(merge: &Merge, folder: &Path) -> Result<Ratings, CommandError> {
    std::fs::create_dir_all(folder).map_err(CannotWrite::at(folder))?;
    let (tournament, plan) = (merge.tournament(), merge.plan());
    let wanted = Wanted { tournament, plan, replayed: &[], set_aside: &[], builds: &[], accepted: &[] };
    // The folder is empty: no match has to be found by its opening.
    let results = Results::open(folder, &wanted, &mut [])?;
    merge.provenance().write(folder)?;
    let ratings = Ratings::new(folder).of_tournament(tournament);
    let mut reporters: Vec<Box<dyn Reporter>> = vec![
        Box::new(results),
        Box::new(ratings.clone()),
        Box::new(Timing::new(folder, OwnTimes::default())),
    ];
    merge.each(|record| {
        Ok::<(), CommandError>(tell(&mut reporters, &Event::MatchFinished { record: Box::new(record) })?)
    })?;
    let (n_finished, n_matches) = (merge.n_finished(), plan.n_matches());
    tell(&mut reporters, &Event::Ended { n_finished, n_matches })?;
    Ok(ratings)
}
