//! `arena verify`: checks that a results folder is consistent. It reads the folder and the rules, starts no engine and
//! changes nothing.

mod schedule;
mod table;

use std::fmt::Display;
use std::fs::TryLockError;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use engine_proto::Games;

use crate::exit::{CommandError, Exit};
use host::lock::Lock;
use host::output;
use model::escape::escaped;
use model::{Record, Tournament};
use report::Working;
use report::tables::counted;
use report::tables::text::message;
use schedule::Schedule;
use store::{
    BadLine, Different, JournalReader, MATCHES_CSV, MATCHES_JSONL, PROVENANCE, PlayedBuilds, Provenance,
    TOURNAMENT, Tally, open_stored, problems, read_tournament,
};
use table::Table;

const EXAMPLES: &str = "\
Examples:
  arena verify results/quick                  Verify the results of a tournament
  arena verify results/quick results/league   Verify several folders";

/// Verify that recorded matches follow the rules
///
/// Replays every match and compares moves, sides, results, reasons, last positions, numbers of plies, times and the rows of
/// `matches.csv`. Prints one line for each problem, and for each unscheduled, missing or duplicate match. The exit code is
/// 0 only if there is no problem. A warning names each worker whose losses on time, other faults or scores differ from those of
/// the other workers beyond chance; this is no problem of the folder. The folders are not changed. They must not be in use by a running arena.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct VerifyArgs {
    /// Results folders, as `arena run` writes them
    #[arg(required = true, value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
}

/// Verifies the folders: prints a line for each problem and one for each folder.
///
/// # Errors
/// If there is a problem, if a folder cannot be read or is in use, or if `out` cannot be written.
pub fn run(games: &Games, args: &VerifyArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let (mut n_problems, mut n_missing) = (0, 0);
    for folder in &args.folders {
        // Problems are printed afterwards, because the progress may be shown on the same terminal.
        let mut problems = Vec::new();
        let mut report = Report { out: &mut problems, n_problems: 0, n_missing: 0 };
        let verified = verify(games, folder, &mut report);
        n_problems += report.n_problems;
        n_missing += report.n_missing;
        let missing = match report.n_missing {
            0 => String::new(),
            n => format!(", not finished ({} missing)", counted(n, "match", "matches")),
        };
        let verdict = match report.n_problems {
            0 => "no problems".to_owned(),
            1 => "1 problem".to_owned(),
            n => format!("{n} problems"),
        };
        let problems = String::from_utf8_lossy(&problems);
        if !problems.is_empty() {
            writeln!(out, "{}", message(problems.trim_end(), output::stdout_columns()))?;
        }
        let n_matches = verified?;
        writeln!(out, "{}: {n_matches} matches, {verdict}{missing}", folder.display())?;
    }
    match n_problems {
        0 if n_missing != 0 => {
            let missing = counted(n_missing, "match is", "matches are");
            Err(CommandError::new(
                Exit::Unfinished,
                format!("not finished: {missing} missing, and nothing is wrong"),
            ))
        }
        0 => Ok(()),
        1 => Err(CommandError::input("verification failed: 1 problem")),
        n => Err(CommandError::input(format!("verification failed: {n} problems"))),
    }
}

/// Verifies one folder. Returns the number of its matches.
fn verify(games: &Games, folder: &Path, report: &mut Report<'_>) -> Result<u64, CommandError> {
    let journal_path = folder.join(MATCHES_JSONL);
    let failed = |error| {
        CommandError::input(format!(
            "{}; give a results folder of `arena run`",
            store::no_journal(&journal_path, &error)
        ))
    };
    let journal = open_stored(&journal_path).map_err(failed)?;
    let _lock = match Lock::to_read(&journal, &journal_path) {
        Ok(lock) => lock,
        Err(TryLockError::WouldBlock) => {
            return Err(CommandError::input(format!(
                "an arena is writing to `{}`; verify it after that arena has ended",
                folder.display()
            )));
        }
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    };
    let config_path = folder.join(TOURNAMENT);
    let games = &store::known_games(games, folder);
    let tournament = match read_tournament(games, folder) {
        Ok(tournament) => Some(tournament),
        Err(why) => {
            report.problem(&Place::file(&config_path), why)?;
            None
        }
    };
    // A person's matches have no schedule.
    let scheduled = tournament.as_ref().filter(|tournament| tournament.format.has_plan());
    let mut schedule = match scheduled.map(Schedule::of).transpose() {
        Ok(schedule) => schedule,
        Err(why) => {
            report.problem(&Place::file(&config_path), format_args!("cannot compute the schedule: {why}"))?;
            None
        }
    };

    let mut table = Table::new(tournament.as_ref());
    let mut played = PlayedBuilds::default();
    let mut tally = Tally::default();
    let working = Working::on("verifying");
    let n_bytes = journal.metadata().map_err(failed)?.len();
    let (tell, mut told) = (working.in_steps("verifying", n_bytes), 0);
    let mut n_matches = 0;
    let mut lines = JournalReader::rewound(&journal).map_err(failed)?;
    while let Some(line) = lines.next_line().map_err(failed)? {
        tell(line.offset.saturating_sub(told));
        told = line.offset;
        let place = Place { path: &journal_path, line: Some(line.number), number: None };
        let record = match line.record(games) {
            Ok(record) => record,
            Err(BadLine::Torn) => {
                report.problem(
                    &place,
                    "the line is incomplete; `arena run` removes it and plays its match again",
                )?;
                continue;
            }
            Err(error) => {
                report.problem(&place, format_args!("cannot read the match: {error}"))?;
                continue;
            }
        };
        n_matches += 1;
        let place = Place { number: Some(record.number), ..place };
        if let Some(earlier) = table.add(&record, line.number, line.offset) {
            report.problem(&place, format_args!("duplicate of the match in line {earlier}"))?;
        }
        played.add(&record);
        tally.add(&record);
        check(games, &record, tournament.as_ref(), schedule.as_mut(), &place, report)?;
    }
    if let Some(schedule) = &schedule {
        for missing in schedule.missing() {
            report.n_missing += missing.clone().count() as u64;
            // `arena run` refuses most folders with problems.
            let remedy = if report.n_problems == 0 {
                "; the command that played the others plays them, too"
            } else {
                ""
            };
            report.line(&Place::file(&journal_path), Schedule::tell_missing(&missing) + remedy)?;
        }
    }
    check_builds(folder, &played, report)?;
    let csv_path = folder.join(MATCHES_CSV);
    table.compare(&csv_path, &journal, report)?;
    for Different { worker, why, .. } in tally.differences() {
        let worker = escaped(&worker);
        writeln!(
            report.out,
            "{}: warning: worker `{worker}` differs from the others: {why}",
            folder.display()
        )?;
    }
    Ok(n_matches)
}

/// Checks that the folder has the builds that its matches name.
fn check_builds(folder: &Path, played: &PlayedBuilds, report: &mut Report<'_>) -> io::Result<()> {
    let path = folder.join(PROVENANCE);
    let provenance = match Provenance::read(folder) {
        Ok(provenance) => provenance,
        Err(why) => return report.problem(&Place::file(&path), why),
    };
    for (engine, build, n) in played.all() {
        if provenance.build(engine, build).is_none() {
            let what = format_args!(
                "build `{build}` of engine `{engine}` is missing; matches that refer to it: {n}"
            );
            report.problem(&Place::file(&path), what)?;
        }
    }
    Ok(())
}

fn check(
    games: &Games,
    record: &Record,
    tournament: Option<&Tournament>,
    schedule: Option<&mut Schedule>,
    place: &Place<'_>,
    report: &mut Report<'_>,
) -> io::Result<()> {
    for problem in
        problems(games, record, tournament.map(|tournament| tournament.rules_under(record.limits.as_deref())))
    {
        report.problem(place, problem)?;
    }
    for problem in schedule.map(|schedule| schedule.check(record)).unwrap_or_default() {
        report.problem(place, problem)?;
    }
    Ok(())
}

/// The place of a problem.
#[derive(Clone, Copy, Debug)]
struct Place<'a> {
    path: &'a Path,
    /// The line, from 1.
    line: Option<u64>,
    /// The match's number.
    number: Option<u32>,
}

impl<'a> Place<'a> {
    const fn file(path: &'a Path) -> Self {
        Self { path, line: None, number: None }
    }
}

/// Prints and counts problems.
struct Report<'a> {
    out: &'a mut dyn Write,
    n_problems: u64,
    /// Matches that are not there. The tournament may just not be finished.
    n_missing: u64,
}

impl Report<'_> {
    fn problem(&mut self, place: &Place<'_>, what: impl Display) -> io::Result<()> {
        self.n_problems += 1;
        self.line(place, what)
    }

    fn line(&mut self, place: &Place<'_>, what: impl Display) -> io::Result<()> {
        write!(self.out, "{}:", place.path.display())?;
        if let Some(line) = place.line {
            write!(self.out, "{line}:")?;
        }
        if let Some(number) = place.number {
            write!(self.out, " match {number}:")?;
        }
        writeln!(self.out, " {what}")
    }
}
