//! `--dry-run`: what would be played and how long that may take. It plays nothing and writes no results.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};

use tokio::runtime::Runtime;

use super::{Error, Ready, Run};
use host::output::{self, CannotWrite};
use model::escape::escaped;
use model::{Format, GameSetup, Record, Resources, Tournament};
use opponent::Folders;
use ratings::count;
use report::html::parts::limits_of;
use report::tables::text::message;
use schedule::estimate::{Estimate, Played, typical_plies};
use schedule::{Course, RoundTable};
use store::{LOGS, SCRATCH};

/// So many pairings are listed.
const SHOWN: usize = 20;

impl Run<'_> {
    /// Does all that is done for a tournament but playing and writing results. Gives the schedule and an estimate as text, and
    /// what `begin` makes of the tournament and `add` of each earlier match.
    ///
    /// # Errors
    /// As a run that plays, before its first match.
    pub fn dry_run<T>(
        &self,
        tournament: Tournament,
        runtime: &Runtime,
        source: &config::Source,
        begin: impl FnOnce(&Tournament) -> T,
        add: impl Fn(&mut T, &Record),
    ) -> Result<(String, T), Error> {
        // For what engines write.
        let temporary = tempfile::tempdir().map_err(CannotWrite::at(&std::env::temp_dir()))?;
        let folders = Folders { logs: temporary.path().join(LOGS), scratch: temporary.path().join(SCRATCH) };
        let Ready { tournament, mut openings, prepared } = Ready::new(tournament, &folders, runtime, source)?;
        let mut played = Played::default();
        let mut course = self.course(&tournament);
        let mut reached = begin(&tournament);
        if !self.playing.fresh {
            let plan = course.plan().clone();
            let set_aside = store::read_set_aside(&tournament.results)?;
            let wanted = self.wanted(&tournament, &plan, &prepared, &set_aside);
            store::finished(&tournament.results, &wanted, &mut openings, |record| {
                played.add(record);
                course.add(record);
                add(&mut reached, record);
            })?;
        }
        for message in &prepared.warnings {
            writeln!(io::stderr(), "{}", report::message(&format!("warning: {message}")))?;
        }
        let part = self.shard.map(|shard| format!("shard {shard} of ")).unwrap_or_default();
        let text = message(summary(&tournament, &course, &played).trim_end(), output::stdout_columns());
        Ok((part + &text + "\n", reached))
    }
}

/// The schedule in short, what may end it, and an estimate of the time for the matches that are not finished in `course`.
fn summary(tournament: &Tournament, course: &Course, played: &Played) -> String {
    let plan = course.plan();
    let (n_matches, n_finished) = (course.most_matches(), course.n_finished());
    let Tournament { name, engines, limits, .. } = tournament;
    let limits: Vec<&str> = limits.iter().map(|limits| limits.name.as_str()).collect();
    let limits =
        if limits.is_empty() { String::new() } else { format!("the limits {}, ", limits.join(" and ")) };
    let earlier = if n_finished == 0 {
        String::new()
    } else {
        format!(", {} of them finished before", count(n_finished.into()))
    };
    let mut text = format!(
        "{name}: {} engines, {limits}{}{} matches{earlier}\n",
        engines.len(),
        most(course, &tournament.format),
        count(n_matches.into())
    );
    text.push_str(&format!("  {}\n", conditions(tournament)));
    for (idx, game) in tournament.games.iter().enumerate() {
        add_game(&mut text, tournament, course, (idx, game));
    }
    let names: Vec<_> = engines.iter().map(|engine| engine.name.as_str()).collect();
    match course.tables().last() {
        Some(meetings) => add_meetings(&mut text, meetings),
        None => add_pairings(&mut text, course, &names),
    }

    add_ends(&mut text, course);

    let mut estimate = Estimate::new(&tournament.known_games, tournament.rules.max_plies, played);
    let n_left = if course.is_over() { 0 } else { n_matches - n_finished };
    for (pairing, n_left) in plan.pairings().iter().zip(matches_left(course, n_left)) {
        estimate.add(plan, *pairing, engines, n_left);
    }
    let Resources { concurrency, cores, .. } = tournament.resources;
    text.push_str(&estimate.text(usize::from(concurrency).min(cores as usize), &names));
    text.push('\n');
    text
}

/// Under which conditions the matches are played.
pub(super) fn conditions(tournament: &Tournament) -> String {
    format!("limits: {}", limits_of(&tournament.engines, |_| true).join("; "))
}

/// The number of unfinished matches of each pairing; `n_left` in total. An adaptive schedule chooses its matches later, so
/// the first ones of the plan stand for them.
fn matches_left(course: &Course, n_left: u32) -> Vec<u32> {
    let plan = course.plan();
    let mut left = vec![0; plan.pairings().len()];
    let is_left = |number: &u32| course.is_wanted((number - 1) / 2) && !course.is_finished(*number);
    let numbers = (1..=plan.n_matches()).filter(is_left);
    for number in numbers.take(n_left as usize) {
        left[plan.pairing_of((number - 1) / 2).0] += 1;
    }
    left
}

/// The words before a number of matches that may not be reached.
const fn most(course: &Course, format: &Format) -> &'static str {
    let is_exact = !course.depends_on_results() || matches!(format, Format::Swiss { .. });
    if is_exact { "" } else { "at most " }
}

/// The meetings that are known. Results decide the others.
fn add_meetings(text: &mut String, meetings: &RoundTable) {
    let lines = meetings.to_string();
    let n_shown = n_shown(meetings.rows.len());
    for line in lines.lines().skip(1).take(1 + n_shown) {
        writeln!(text, "{}", escaped(line)).expect("a String takes all");
    }
    if n_shown < meetings.rows.len() {
        writeln!(text, "  and {} more meetings", meetings.rows.len() - n_shown).expect("a String takes all");
    }
    text.push_str("  the results decide who meets in the next round\n");
}

/// A line for each rule that may end the tournament earlier.
fn add_ends(text: &mut String, course: &Course) {
    if let Some(decided) = course.decided() {
        text.push_str(&format!(
            "  it has ended: `stop.{}` is fulfilled after {} pairs: {}\n",
            decided.rule, decided.n_pairs, decided.answer
        ));
        return;
    }
    for prospect in course.prospects() {
        text.push_str(&format!("  may stop earlier: {prospect}\n"));
    }
}

/// A line for a game: its pairings, openings and matches.
fn add_game(text: &mut String, tournament: &Tournament, course: &Course, (idx, game): (usize, &GameSetup)) {
    let pairings = course.plan().pairings().iter().zip(course.rounds());
    let own: Vec<_> = pairings.filter(|(pairing, n)| pairing.game_idx == idx && 0 < *n).collect();
    let n_pairings = own.iter().filter(|(pairing, _)| pairing.limits_idx == 0).count();
    let (n_openings, games) = (course.n_openings(idx), &tournament.known_games);
    let from = match (&game.openings, &game.start) {
        (Some(path), _) => path.display().to_string(),
        (None, Some(start)) => start.clone(),
        (None, None) => {
            games.info(game.id).map_or_else(|_| String::new(), |info| info.starts[0].name.to_owned())
        }
    };
    let n_plies = game.opening_plies;
    let typical = typical_plies(games, game.id, tournament.rules.max_plies);
    let matches = if tournament.format.has_rounds() {
        // Every meeting is played in all games.
        let n_games = tournament.games.len() as u32;
        format!(
            "{}{} matches:",
            most(course, &tournament.format),
            count((course.most_matches() / n_games).into())
        )
    } else {
        let n_matches = 2 * own.iter().map(|(_, n)| n).sum::<u32>();
        let pairings = if n_pairings == 1 { "pairing" } else { "pairings" };
        format!("{} matches: {n_pairings} {pairings},", count(n_matches.into()))
    };
    let openings = if n_openings == 1 { "opening" } else { "openings" };
    writeln!(
        text,
        "  {:<16} {matches} {} {openings} ({from} and {n_plies} random plies), \
         both sides; a match has about {typical} plies",
        game.id,
        count(n_openings as u64)
    )
    .expect("a String takes all");
}

/// A line for each pairing of engines.
fn add_pairings(text: &mut String, course: &Course, names: &[&str]) {
    let mut n_matches: BTreeMap<[usize; 2], u32> = BTreeMap::new();
    let pairings = course.plan().pairings().iter().zip(course.rounds());
    for (pairing, rounds) in pairings.filter(|(_, rounds)| 0 < *rounds) {
        *n_matches.entry(pairing.contenders).or_default() += 2 * rounds;
    }
    let n_shown = n_shown(n_matches.len());
    for (contenders_idx, n_matches) in n_matches.iter().take(n_shown) {
        let [first, second] = contenders_idx.map(|idx| names[idx]);
        writeln!(text, "  {first} - {second}: {} matches", count((*n_matches).into()))
            .expect("a String takes all");
    }
    if n_shown < n_matches.len() {
        writeln!(text, "  and {} more pairings", n_matches.len() - n_shown).expect("a String takes all");
    }
}

/// How many of `n` lines are listed. To say that one more exists takes a line, too.
const fn n_shown(n: usize) -> usize {
    if n <= SHOWN + 1 { n } else { SHOWN }
}
