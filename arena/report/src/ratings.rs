//! Ratings while matches come in: counts are kept, the ratings are worked out when somebody asks.

use std::cell::RefCell;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::known::{KnownRatings, games_of};
use crate::tables::text::{self, cut_middle, name_width, percent, shown};
use crate::tables::{self, Number, error_width, lead, ranks, write_csv, write_end_of_run};
use host::output::stderr_columns;
use host::output::write_whole;
use model::Record;
use model::{Event, Reporter, Tournament};
use ratings::{Checks, OVERALL, Rating, RatingSettings, Scope, Standings, Tally, Validity};
use schedule::stop::{Finding, TestState};
use schedule::{Course, planning};
use store::{PlayedBuilds, RATINGS_CSV};

/// The width of names in the running standings, more on a wide terminal.
const NAME_WIDTH: usize = 24;

/// The running count of a tournament's matches, and the file of ratings that is written at its end. Clones count
/// together: one listens, another one shows.
#[derive(Clone, Debug)]
pub struct Ratings {
    tally: Rc<RefCell<Tally>>,
    builds: Rc<RefCell<PlayedBuilds>>,
    file: PathBuf,
    settings: RatingSettings,
    /// The ratings that are shown already.
    known: Rc<RefCell<KnownRatings>>,
    /// The games in the order of the tournament.
    games: Vec<String>,
    /// Counts for the sequential tests, and for the rounds of a format that has them.
    course: Option<Rc<RefCell<Course>>>,
}

impl Ratings {
    /// No matches yet; the ratings will go to the results folder `folder`.
    pub fn new(folder: &Path) -> Self {
        Self {
            tally: Rc::default(),
            builds: Rc::default(),
            file: folder.join(RATINGS_CSV),
            settings: RatingSettings { checks: Checks::All, ..RatingSettings::default() },
            known: Rc::default(),
            games: Vec::new(),
            course: None,
        }
    }

    /// The same with the order of this tournament's games, what is known of its engines, and the state of its sequential tests and
    /// its rounds, if it has any. If results decide what is played, the intervals hold whenever one stops.
    #[must_use]
    pub fn of_tournament(mut self, tournament: &Tournament) -> Self {
        if planning::depends_on_results(tournament) {
            self.settings.validity = Validity::AnyTime;
        }
        self.games = tournament.rated_games();
        self.known.borrow_mut().follow(vec![Arc::new(games_of(tournament))]);
        self.builds.borrow_mut().add_engines(&tournament.engines);
        let is_needed = tournament.stop.sprt.is_some() || tournament.format.has_rounds();
        self.course = is_needed.then(|| Rc::new(RefCell::new(planning::course(tournament))));
        self
    }

    /// The states of the sequential tests.
    pub fn tests(&self) -> Vec<TestState> {
        let findings = self.course.as_ref().map(|course| course.borrow().findings());
        findings.into_iter().flatten().filter_map(|finding| finding.test).collect()
    }

    /// Whether the matches say which of two engines is stronger: not if most of them were forfeited.
    pub fn has_verdict(&self) -> bool {
        tables::has_verdict(&self.standings())
    }

    /// The number of matches as far as it is known now, of a format whose rounds decide it.
    pub fn n_matches(&self) -> Option<u32> {
        let course = self.course.as_ref()?.borrow();
        (!course.tables().is_empty()).then(|| course.expected_matches())
    }

    /// Counts a match.
    pub fn add(&mut self, record: &Record) {
        let pair = record.pair.to_string();
        let game = record.rated_game();
        let played = record.finished(&game, &pair);
        self.tally.borrow_mut().add(&played).expect("a schedule pairs different engines");
        self.builds.borrow_mut().add(record);
        if let Some(course) = &self.course {
            course.borrow_mut().add(record);
        }
    }

    /// The end of a run as text: the standings, with what the stop rules have found (`findings`), and the answer, for a terminal of
    /// this many `columns` if there is one. Of a run that goes on later (`is_over` is false), only what says something already.
    pub fn text(&self, findings: &[Finding], is_over: bool, columns: Option<usize>) -> String {
        let mut text = Vec::new();
        let scores = || self.running(usize::MAX);
        write_end_of_run(&self.standings(), findings, is_over, scores, columns, &mut text)
            .expect("a Vec takes all");
        let tables = self.course.as_ref().map(|course| course.borrow().tables()).unwrap_or_default();
        if let Some(table) = tables.first() {
            text.extend_from_slice(format!("\n{}", shown_lines(&table.to_string())).as_bytes());
        }
        String::from_utf8(text).expect("the table is text")
    }

    /// The first `n` of the standings so far, with headings. An engine has no rank and no rating as long as that says nothing;
    /// while none has one, the best score is first. Of two engines, the lead says it all: each rating is half of it.
    pub fn running(&self, n: usize) -> String {
        let mut standings = self.standings();
        let mut known = self.known.borrow_mut();
        known.add(&standings);
        let is_known = |rating: &Rating| known.has(OVERALL, &rating.engine);
        let Some(scope) = standings.scopes.first_mut() else { return String::new() };
        let are_two = scope.engines.len() == 2;
        let lead = if are_two && self.tests().is_empty() { lead_of_enough(scope) } else { None };
        if are_two || !scope.engines.iter().any(is_known) {
            scope.engines.sort_by(|a, b| b.score.total_cmp(&a.score));
        }
        // The line that says that there is one more has room for it.
        let n = if scope.engines.len() == n.saturating_add(1) { scope.engines.len() } else { n };
        let shown_engines = || scope.engines.iter().take(n);
        let columns = stderr_columns();
        let is_narrow = columns.is_some_and(|columns| columns < text::WIDTH);
        let names = || shown_engines().map(|it| it.engine.as_str());
        let number = |rating| if is_known(rating) { Number::of(rating) } else { Number::default() };
        let numbers: Vec<Number> = shown_engines().map(number).collect();
        let error_width = error_width(&numbers);
        let elos: Vec<String> = shown_engines()
            .zip(&numbers)
            .map(
                |(rating, number)| {
                    if is_known(rating) { number.aligned(error_width) } else { "too early".to_owned() }
                },
            )
            .collect();
        let widest = elos.iter().map(|elo| elo.chars().count()).max().unwrap_or_default();
        let (least_name, elo_width) = if is_narrow { ("Engine".len(), widest) } else { (NAME_WIDTH, 19) };
        let width = name_width(names(), least_name, NAME_WIDTH, columns);
        let mut lines = String::new();
        let mut line = |[rank, name, elo, score, matches]: [&str; 5]| {
            let rating = if are_two { String::new() } else { format!(" {elo:>elo_width$}") };
            let rank = if are_two { "  ".to_owned() } else { format!("{rank:>7}  ") };
            let _ = writeln!(lines, "{rank}{name:<width$}{rating}  {score:>6}  {matches:>7}");
        };
        line(["Rank", "Engine", "Rating", "Score", "Matches"]);
        for (rating, elo) in shown_engines().zip(&elos) {
            let rank = if is_known(rating) { ranks(rating) } else { String::new() };
            let name = cut_middle(&shown(&rating.engine), width);
            let score = if rating.matches == 0 { String::new() } else { percent(rating.score) };
            line([&rank, &name, elo, &score, &rating.matches.to_string()]);
        }
        if n < scope.engines.len() {
            let _ = writeln!(lines, "  ... {} more", scope.engines.len() - n);
        }
        if let Some(lead) = lead {
            let _ = writeln!(lines, "  {lead}");
        }
        lines
    }

    fn standings(&self) -> Standings {
        let mut standings = Standings::new(&self.tally.borrow(), &self.settings);
        standings.order_games(&self.games);
        self.builds.borrow().notes().into_iter().for_each(|note| standings.add_note(note));
        standings
    }
}

/// The lead of the first of two engines by their pairs, once there are enough of them. That of a sequential test stands beside the test.
fn lead_of_enough(scope: &Scope) -> Option<String> {
    scope.head_to_head.as_ref().filter(|found| !found.few).and_then(|_| lead(scope))
}

/// The lines without characters that control a terminal.
fn shown_lines(text: &str) -> String {
    text.lines().map(|line| shown(line) + "\n").collect()
}

impl Reporter for Ratings {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Restored { record } | Event::MatchFinished { record } => {
                self.add(record);
                Ok(())
            }
            Event::Ended { .. } => {
                let mut csv = Vec::new();
                write_csv(&self.standings(), &self.tests(), &mut csv)?;
                write_whole(&self.file, |file| file.write_all(&csv))
            }
            Event::Begun { .. }
            | Event::Moved(_)
            | Event::MatchBegun { .. }
            | Event::Decided { .. }
            | Event::Warning { .. }
            | Event::Workers { .. }
            | Event::Stopping { .. } => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::samples;
    use ratings::MatchResult;

    /// Each rating is half of the lead, and whoever reads it would quote it.
    #[test]
    fn two_engines_have_their_lead_while_they_play() {
        let mut ratings = Ratings::new(Path::new("results"));
        for number in 1..=24_u32 {
            // The better engine wins the first match of a pair, and draws the second one.
            let (names, result) = match number % 2 {
                1 => (["good", "bad"], MatchResult::WhiteWins),
                _ => (["bad", "good"], MatchResult::Draw),
            };
            let [white, black] = names.map(str::to_owned);
            let pair = number.div_ceil(2);
            let opening = format!("opening {pair}");
            ratings.add(&Record { number, pair, opening, white, black, result, ..samples::record() });
        }
        let text = ratings.running(5);
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        let [_, first, _, lead] = lines.as_slice() else { panic!("{text}") };
        assert!(first.contains("good") && !text.contains('±'), "{text}");
        assert!(lead.starts_with("good - bad: +") && lead.contains(" Elo, LOS "), "{text}");
    }

    /// A bound of few pairs is none, and a number that was shown stays.
    #[test]
    fn ratings_of_few_pairs_are_too_early() {
        let mut ratings = Ratings::new(Path::new("results"));
        let names = ["best", "good", "bad"].map(str::to_owned);
        let mut number = 0;
        let mut play = |ratings: &mut Ratings| {
            for [one, other] in [[0, 1], [1, 2], [0, 2]] {
                let pair = number / 2 + 1;
                for (white, black) in [(one, other), (other, one)] {
                    number += 1;
                    // The best one wins everything.
                    let result = if white == one {
                        MatchResult::WhiteWins
                    } else if one == 0 {
                        MatchResult::BlackWins
                    } else {
                        MatchResult::Draw
                    };
                    let [white, black] = [white, black].map(|idx| names[idx].clone());
                    ratings.add(&Record {
                        number,
                        pair,
                        opening: format!("opening {pair}"),
                        white,
                        black,
                        result,
                        ..samples::record()
                    });
                }
            }
            ratings.running(5)
        };
        let text = play(&mut ratings);
        assert_eq!(text.matches("too early").count(), 3, "{text}");
        let last = (0..12).map(|_| play(&mut ratings)).last().unwrap_or_default();
        assert_eq!(last.matches("too early").count(), 0, "{last}");
    }
}
