//! The standings as text of at most 80 columns, without colour.

use std::io::{self, Write};

use super::number::{Number, error_width};
use super::text::{
    WIDTH, counted, cut, cut_middle, message, name_width, percent, probability, shown, width, wrapped,
    write_wrapped_in,
};
use super::verdict::{Verdict, answer, difference, is_of_answer, is_of_tests};
use ratings::{
    FitMethod, Measure, Note, OVERALL, OpeningsMeant, Rating, Scope, SprtVerdict, Standings, Status,
    Validity, listed,
};
use schedule::stop::Finding;
use serde::Serialize;

/// The columns of matches and scores, with the spaces around them.
const OTHER_WIDTH: usize = 20;
/// The column of ranks, where names need no more room.
const RANK_WIDTH: usize = 7;
/// The column of forfeits with the space before it.
const FORFEITS_WIDTH: usize = 9;
const PAIRS_WIDTH: usize = 9;
/// The last column, with the space before it.
const NEXT_WIDTH: usize = 7;
const LEAST_ENGINE_WIDTH: usize = 8;
const COLUMNS_HELP: &str = "columns: `arena rate --help`";

/// The last column, which compares an engine with the next one in the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Next {
    /// The probability that it is stronger.
    #[default]
    Probability,
    /// LOS: 1 minus the p-value of a one-sided test.
    Los,
}

/// Writes one table per scope, with a heading and notes; that of all games is the last one. `columns` is the width of the terminal,
/// if there is one.
///
/// With a single game, there is no overall table, because it would be the same.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_table_with(
    standings: &Standings,
    findings: &[Finding],
    next: Next,
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let scopes = shown_scopes(standings);
    let shared = shared_notes(scopes);
    let mut tables: Vec<_> = scopes.iter().zip(Decides::of_all(scopes, findings)).enumerate().collect();
    let n_first = tables.len().min(1);
    tables.rotate_left(n_first);
    for (idx, (scope, decides)) in tables {
        let columns = Columns::new(scope, next, columns, decides);
        write_scope(scope, idx != 0, &shared, &columns, out)?;
        writeln!(out)?;
    }
    let Some(first) = scopes.first() else { return Ok(()) };
    write_wrapped_in(width(columns), &caption_of(Decides::of(first, findings), standings), "", out)
}

/// The caption of tables. The verdict of a test has its own interval.
fn caption_of(decides: Decides, standings: &Standings) -> String {
    if decides == Decides::Test { COLUMNS_HELP.to_owned() } else { caption(standings) }
}

/// Writes the end of a run, with the most important things last: the ratings in each game, the findings of the stop rules, the
/// overall table, and the answer in one sentence. It fits a small terminal. Unless the tournament `is_over`, a line stands for a
/// table that says nothing yet, and `scores` before it for the overall one.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_end_of_run(
    standings: &Standings,
    findings: &[Finding],
    is_over: bool,
    scores: impl FnOnce() -> String,
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let scopes = shown_scopes(standings);
    let Some((overall, games)) = scopes.split_first() else { return Ok(()) };
    let is_early = |scope: &&Scope| is_early(scope, findings, is_over);
    let (early, known): (Vec<&Scope>, Vec<&Scope>) = games.iter().partition(is_early);
    let (next, shared) = (Next::default(), shared_notes(scopes));
    let decides = Decides::of(overall, findings);
    if let Some(table) = by_game(overall, &known, decides, width(columns)) {
        writeln!(out, "{table}")?;
    } else {
        let decides = Decides::of_all(scopes, findings).skip(1);
        for (game, decides) in games.iter().zip(decides).filter(|(game, _)| !is_early(game)) {
            let columns = Columns::new(game, next, columns, decides);
            write_scope(game, true, &shared, &columns, out)?;
            writeln!(out)?;
        }
    }
    if !early.is_empty() && !is_early(&overall) {
        writeln!(out, "{}\n", message(&too_early(&early), columns))?;
    }
    // The verdict says what a single test has found.
    for finding in findings.iter().filter(|finding| decides != Decides::Test || finding.test.is_none()) {
        writeln!(out, "{}\n", message(finding.to_string().trim_end(), columns))?;
    }
    if is_early(&overall) {
        writeln!(out, "{}", scores())?;
        return writeln!(out, "{}", message(&too_early(&[&[overall], early.as_slice()].concat()), columns));
    }
    write_scope(overall, false, &shared, &Columns::new(overall, next, columns, decides), out)?;
    write_wrapped_in(width(columns), &caption_of(decides, standings), "", out)?;
    write_verdict(standings, findings, columns, out)?;
    let open =
        findings.iter().filter_map(|it| it.test.as_ref()).filter(|it| it.verdict == SprtVerdict::Undecided);
    if is_over && open.count() != 0 {
        write_wrapped_in(
            width(columns),
            "  All pairs are played: to go on with the test, raise `pairs` (`--pairs`).",
            "  ",
            out,
        )?;
    }
    Ok(())
}

/// Whether the numbers of a scope say nothing yet, and more matches will come: unless the tournament `is_over`, or tests decide it.
pub fn is_early(scope: &Scope, findings: &[Finding], is_over: bool) -> bool {
    let says_nothing = match &scope.head_to_head {
        Some(found) => found.few,
        None => !scope.engines.iter().any(is_useful),
    };
    says_nothing && !is_over && !is_of_tests(findings)
}

/// Whether a rating is worth showing while matches come in: it is from enough pairs, and its interval is not too wide, or the bound not
/// far on the wrong side.
pub fn is_useful(rating: &Rating) -> bool {
    const WIDEST: f64 = 200.0;
    let is_narrow = match (rating.low, rating.high) {
        (Some(low), Some(high)) => 0.5 * (high - low) <= WIDEST,
        (low, high) => low.is_some_and(|low| -WIDEST <= low) || high.is_some_and(|high| high <= WIDEST),
    };
    !rating.few && is_narrow
}

/// What is said in place of ratings; two engines alone never have any.
pub const fn too_early_for(scope: &Scope) -> &'static str {
    if scope.engines.len() == 2 && !scope.is_anchored {
        "Too early for a verdict"
    } else {
        "Too early for ratings"
    }
}

/// The scopes whose numbers say nothing yet, in a line.
fn too_early(scopes: &[&Scope]) -> String {
    let what = scopes.first().map_or_else(Default::default, |scope| too_early_for(scope));
    let name =
        |scope: &&Scope| format!("{} ({})", shown(&scope.name), counted(scope.matches, "match", "matches"));
    format!("{what}: {}", scopes.iter().map(name).collect::<Vec<_>>().join(", "))
}

/// What decides which engine is stronger. Of two engines alone, the verdict has the lead and its interval: ratings would only add
/// another interval of the same lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decides {
    /// The ratings of the table.
    Ratings,
    /// The pairs of the only two engines.
    Pairs,
    /// A sequential test of the only two engines, which counts its own pairs.
    Test,
    /// Nothing yet: the table has scores.
    Nothing,
}

impl Decides {
    /// What decides in the first scope of standings with these `findings` of stop rules; in another one, without findings.
    pub fn of(scope: &Scope, findings: &[Finding]) -> Self {
        match scope.engines.len() {
            _ if scope.is_anchored => Self::Ratings,
            2 if is_of_tests(findings) => Self::Test,
            2 if scope.head_to_head.is_some() => Self::Pairs,
            _ => Self::Ratings,
        }
    }

    /// What decides in each of these scopes. The rules look at all games together; what their matches have decided has no ratings in any of them.
    pub fn of_all<'a>(scopes: &'a [Scope], findings: &'a [Finding]) -> impl Iterator<Item = Self> + 'a {
        let first = scopes.first().map(|scope| Self::of(scope, findings));
        let of_game = move |game| if first == Some(Self::Test) { Self::Test } else { Self::of(game, &[]) };
        first.into_iter().chain(scopes.iter().skip(1).map(of_game))
    }

    /// Whether the table has ratings.
    pub const fn has_ratings(self) -> bool {
        matches!(self, Self::Ratings)
    }

    /// Whether the table has ranks: those of a test would come from other intervals than its verdict.
    pub const fn has_ranks(self) -> bool {
        matches!(self, Self::Ratings | Self::Pairs)
    }

    /// Whether the table counts the pairs.
    pub const fn has_pairs(self) -> bool {
        !matches!(self, Self::Test)
    }
}

/// The engines in each of several games, if that fits into this width: of two engines the lead, of more the ratings.
fn by_game(overall: &Scope, games: &[&Scope], decides: Decides, width: usize) -> Option<String> {
    let table = match decides {
        _ if games.len() < 2 => None,
        Decides::Pairs => leads_by_game(overall, games),
        Decides::Test | Decides::Nothing => scores_by_game(overall, games),
        Decides::Ratings => Some(ratings_by_game(overall, games)),
    };
    let fits = |lines: &Vec<String>| lines.iter().all(|line| line.chars().count() <= width);
    let lines = table.filter(fits)?.join("\n");
    Some(format!("{lines}\n  ranks, scores and notes of each game: `arena rate`, or the report\n"))
}

/// One row per game, all from the view of the engine that is ahead in all games together.
fn leads_by_game(overall: &Scope, games: &[&Scope]) -> Option<Vec<String>> {
    let [first, second] = overall.engines.as_slice() else { return None };
    let lead = |game: &Scope| {
        let found = game.lead_of(&first.engine)?;
        let few = if found.few { format!(", {} of its pairs decided", found.decided) } else { String::new() };
        Some(format!("{}{few}", difference(&found)))
    };
    let title = format!("Lead of {} over {} in each game:", shown(&first.engine), shown(&second.engine));
    rows_by_game(title, games, lead)
}

/// After a test, what is known of a single game.
fn scores_by_game(overall: &Scope, games: &[&Scope]) -> Option<Vec<String>> {
    let first = &overall.engines.first()?.engine;
    let score = |game: &Scope| {
        let rating = game.engines.iter().find(|rating| rating.engine == *first)?;
        Some(format!("{} of {}", share(rating, rating.score), counted(game.matches, "match", "matches")))
    };
    rows_by_game(format!("Score of {} in each game:", shown(first)), games, score)
}

fn rows_by_game(
    title: String,
    games: &[&Scope],
    text: impl Fn(&Scope) -> Option<String>,
) -> Option<Vec<String>> {
    let widest = games.iter().map(|game| shown(&game.name).chars().count()).max()?;
    let row = |game: &&Scope| Some(format!("  {:<widest$}  {}", shown(&game.name), text(game)?));
    let rows: Option<Vec<String>> = games.iter().map(row).collect();
    Some([vec![title], rows?].concat())
}

/// One row per engine, in the order of the overall table.
fn ratings_by_game(overall: &Scope, games: &[&Scope]) -> Vec<String> {
    let cell = |game: &Scope, engine: &str| {
        let number = game.engines.iter().find(|rating| rating.engine == engine).map(Number::of);
        number
            .map_or_else(|| "-".to_owned(), |it| if it.error.starts_with('±') { it.text() } else { it.value })
    };
    let names = overall.engines.iter().map(|rating| (shown(&rating.engine), rating.engine.as_str()));
    let mut rows =
        vec![[vec!["Rating in".to_owned()], games.iter().map(|it| shown(&it.name)).collect()].concat()];
    rows.extend(
        names.map(|(name, engine)| {
            [vec![name], games.iter().map(|game| cell(game, engine)).collect()].concat()
        }),
    );
    let widths: Vec<usize> = (0..=games.len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default())
        .collect();
    let line = |row: &Vec<String>| {
        let first = format!("{:<1$}", row[0], widths[0]);
        row.iter().zip(&widths).skip(1).fold(first, |line, (cell, width)| format!("{line}  {cell:>width$}"))
    };
    rows.iter().map(line).collect()
}

/// Writes the answer with its remarks, which is the last thing that is read, for a terminal of this many `columns` if there is one.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_verdict(
    standings: &Standings,
    findings: &[Finding],
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(Verdict { answer, remarks }) = answer(standings, findings) else { return Ok(()) };
    let width = width(columns);
    writeln!(out)?;
    write_wrapped_in(width, &answer, "", out)?;
    remarks.iter().try_for_each(|remark| write_wrapped_in(width, &format!("  {remark}"), "  ", out))
}

impl Next {
    /// The heading of the column.
    pub(super) const fn head(self) -> &'static str {
        match self {
            Self::Probability => "P>next",
            Self::Los => "LOS",
        }
    }

    /// A cell of the column.
    pub(super) fn cell(self, rating: &Rating) -> String {
        self.fraction(rating).map_or(String::new(), probability)
    }

    /// The column, if any engine of the scope has a value in it: there is none that is valid at any time.
    pub(super) fn of(self, scope: &Scope) -> Option<Self> {
        scope.engines.iter().any(|rating| self.fraction(rating).is_some()).then_some(self)
    }

    const fn fraction(self, rating: &Rating) -> Option<f64> {
        match self {
            Self::Probability => rating.p_stronger_next,
            Self::Los => rating.los_next,
        }
    }
}

/// The scopes; with a single game, without the overall one, which is the same.
pub fn shown_scopes(standings: &Standings) -> &[Scope] {
    match standings.scopes.as_slice() {
        [_, game] => std::slice::from_ref(game),
        scopes => scopes,
    }
}

/// What a ± means here, and where the columns are explained.
pub(super) fn caption(standings: &Standings) -> String {
    format!("{}; {COLUMNS_HELP}", basis(standings))
}

/// What a ± and, with an anchor, a rating mean in these standings.
pub fn basis(standings: &Standings) -> String {
    let percent = 100.0 * standings.confidence.fraction();
    let is_of_two =
        shown_scopes(standings).first().is_some_and(|it| it.engines.len() == 2 && !it.is_anchored);
    let validity = match standings.validity {
        Validity::AnyTime if is_of_two => "at any time",
        Validity::FixedSize => "if the number of matches was fixed",
        Validity::AnyTime => "at any time, for one engine",
        Validity::AnyTimeAll => "at any time, for all engines together",
    };
    let openings = match standings.openings {
        OpeningsMeant::Similar => "",
        OpeningsMeant::These => ", for these openings only",
    };
    let is_anchored = standings.scopes.iter().any(|scope| scope.is_anchored);
    let anchor = standings.anchor.as_ref().filter(|_| is_anchored).map_or(String::new(), |anchor| {
        let tables = shown_scopes(standings);
        let anchored: Vec<String> =
            tables.iter().filter(|scope| scope.is_anchored).map(|scope| shown(&scope.name)).collect();
        let has_pools = tables.iter().any(|scope| scope.engines.iter().any(|rating| rating.pool != 1));
        let only = if has_pools {
            " in pool 1".to_owned()
        } else if anchored.len() == tables.len() {
            String::new()
        } else {
            format!(" in {}", anchored.join(", "))
        };
        format!("; relative to {}, set to {}{only}", shown(&anchor.engine), anchor.shown())
    });
    let interval = if is_of_two { "Intervals:" } else { "±" };
    format!("{interval} {percent} % {validity}{openings}{anchor}")
}

/// The columns of a table.
struct Columns {
    /// That of the whole table.
    width: usize,
    rank: usize,
    engine: usize,
    /// 0 without ratings.
    rating: usize,
    /// The width of the widest `± 12`.
    error: usize,
    /// 0 without pairs.
    pairs: usize,
    has_forfeits: bool,
    next: Option<Next>,
    decides: Decides,
}

impl Columns {
    /// The names get what the ratings leave of the width, and the space of ranks and pairs that these do not need. In a terminal
    /// that is too narrow for all columns, the last ones are left out.
    fn new(scope: &Scope, next: Next, columns: Option<usize>, decides: Decides) -> Self {
        let width = width(columns);
        let is_narrow = width < WIDTH;
        let numbers: Vec<Number> = scope.engines.iter().map(Number::of).collect();
        let error = error_width(&numbers);
        let least = if is_narrow { "Rating".len() } else { 12 };
        let rating =
            numbers.iter().map(|number| number.aligned(error).chars().count()).max().unwrap_or(0).max(least);
        let rating = if decides.has_ratings() { rating } else { 0 };
        let widest = |texts: &dyn Fn(&Rating) -> String, head: &str| {
            let texts = scope.engines.iter().map(|rating| texts(rating).chars().count());
            texts.chain([head.len()]).max().unwrap_or_default()
        };
        let longest = widest(&|rating| shown(&rating.engine), "Engine");
        let has_forfeits = scope.engines.iter().any(|rating| rating.forfeits != 0);
        let next = next.of(scope);
        let mut optional =
            [(has_forfeits, FORFEITS_WIDTH), (next.is_some(), NEXT_WIDTH), (true, PAIRS_WIDTH)];
        let others = |optional: &[(bool, usize)]| {
            let optional: usize =
                optional.iter().filter(|(is_there, _)| *is_there).map(|(_, width)| width).sum();
            OTHER_WIDTH + rating + RANK_WIDTH + optional
        };
        while is_narrow
            && width < others(&optional) + longest.min(LEAST_ENGINE_WIDTH)
            && let Some((is_there, _)) = optional.iter_mut().rfind(|(is_there, _)| *is_there)
        {
            *is_there = false;
        }
        let [(has_forfeits, _), (has_next, _), (has_room_for_pairs, _)] = optional;
        let least = width.saturating_sub(others(&optional)).max(LEAST_ENGINE_WIDTH);
        let names = scope.engines.iter().map(|rating| rating.engine.as_str());
        let engine = name_width(names, "Engine".len(), least, columns);
        let mut missing = longest.saturating_sub(engine);
        let mut given = |width: usize, needed| {
            let given = missing.min(width.saturating_sub(needed));
            missing -= given;
            given
        };
        // Without pairs and openings, each match would count as one.
        let has_pairs = has_room_for_pairs
            && decides.has_pairs()
            && scope.engines.iter().any(|rating| rating.pairs < rating.matches);
        let of_rank = given(RANK_WIDTH, widest(&|rating| rank_or_place(scope, rating), "Rank"));
        let of_pairs = if has_room_for_pairs { given(PAIRS_WIDTH, widest(&pairs, "Pairs")) } else { 0 };
        let has_ranks = decides.has_ranks() && scope.engines.iter().any(|rating| rating.rank_low.is_some());
        Self {
            width,
            rank: if has_ranks { RANK_WIDTH - of_rank } else { 0 },
            engine: engine + of_rank + of_pairs,
            rating,
            error,
            pairs: if has_pairs { PAIRS_WIDTH - of_pairs } else { 0 },
            has_forfeits,
            next: next.filter(|_| has_next),
            decides,
        }
    }
}

/// The notes that all games have: they are written once, with the overall table.
pub fn shared_notes(scopes: &[Scope]) -> Vec<&Note> {
    let [_, first, others @ ..] = scopes else { return Vec::new() };
    first.notes.iter().filter(|note| others.iter().all(|game| game.notes.contains(note))).collect()
}

/// A note as people read it.
#[derive(Clone, Debug, Serialize)]
pub struct ToldNote {
    /// That of the note.
    #[serde(skip)]
    pub kind: &'static str,
    /// What to know.
    pub text: String,
    /// What more to play, if that would mend it.
    pub advice: Option<String>,
}

impl ToldNote {
    /// With other names for games, in the notes that name any.
    pub fn rename_games(&mut self, name: impl Fn(&str) -> Option<String>) {
        if ["no-overall", "slopes", "specialist"].contains(&self.kind) {
            let word = |word: &str| {
                let end = word.trim_end_matches([',', ';']).len();
                name(&word[..end]).map_or_else(|| word.to_owned(), |name| name + &word[end..])
            };
            for text in std::iter::once(&mut self.text).chain(&mut self.advice) {
                *text = text.split(' ').map(word).collect::<Vec<_>>().join(" ");
            }
        }
    }

    /// What to know and to do.
    pub fn whole(&self) -> String {
        match &self.advice {
            Some(advice) => format!("{}; {advice}", self.text),
            None => self.text.clone(),
        }
    }

    /// The same where the causes of forfeits are not at hand.
    pub fn beside_the_report(&self) -> String {
        let more = if self.kind == "forfeits" { "; the report lists their causes under Engines" } else { "" };
        self.whole() + more
    }
}

/// The notes of a scope: what to know or do, and the figures behind the ratings. The `shared` ones stand with the overall ratings.
pub fn notes_of(scope: &Scope, shared: &[&Note], decides: Decides) -> [Vec<ToldNote>; 2] {
    /// What they say is of ratings.
    const OF_RATINGS: [&str; 8] =
        ["above", "alone", "below", "no-overall", "not-comparable", "some-games", "too-early", "weak"];
    /// What they say is of intervals, of ranks, of how well ratings fit, of why there are none, or of what the next match may change.
    const OF_MORE_MATCHES: [&str; 14] = [
        "colour-decides",
        "few-openings",
        "game-differences",
        "lack-of-fit",
        "no-general-strength",
        "no-rank",
        "only-draws",
        "outlier",
        "pairs-saved",
        "pool",
        "single-matches",
        "slopes",
        "specialist",
        "transitivity",
    ];
    let is_meant = |note: &Note| match decides {
        Decides::Ratings => true,
        // Where the pairs of the two tell them apart, they have ranks.
        Decides::Pairs if note.kind == "few" => scope.head_to_head.as_ref().is_none_or(|found| found.few),
        Decides::Pairs => !OF_RATINGS.contains(&note.kind),
        // A test counts pairs alone.
        Decides::Test => !["few", "single-matches"].contains(&note.kind) && !OF_RATINGS.contains(&note.kind),
        Decides::Nothing => ![&OF_RATINGS[..], &OF_MORE_MATCHES, &["few"]].concat().contains(&note.kind),
    };
    let is_elsewhere = |note: &&Note| scope.name != OVERALL && shared.contains(note);
    let is_own = |note: &&Note| !is_elsewhere(note) && !is_of_answer(note, scope);
    let own = scope.notes.iter().filter(is_own).map(|note| (note, note.text.clone()));
    // With the sum of the games, some stand there anyway.
    let is_said =
        |note: &Note| scope.notes.iter().any(|it| it.kind == note.kind && it.engines == note.engines);
    let of_all = shared.iter().filter(|note| scope.name == OVERALL && !is_said(note));
    let of_all = of_all.map(|&note| (note, format!("in every game: {}", note.text)));
    let all = own.chain(of_all).filter(|(note, _)| is_meant(note));
    let (figures, notes): (Vec<_>, Vec<_>) = all.partition(|(note, _)| note.is_figure());
    let told =
        |(note, text): (&Note, String)| ToldNote { kind: note.kind, text, advice: note.advice.clone() };
    let [mut notes, figures] = [notes, figures].map(|notes| notes.into_iter().map(told).collect::<Vec<_>>());
    notes.splice(0..0, rough_zero(scope).filter(|_| decides == Decides::Ratings));
    [notes, figures]
}

/// What is known where the place of 0 is rough.
fn rough_zero(scope: &Scope) -> Option<ToldNote> {
    let rated = scope.engines.iter().filter(|rating| rating.rough_zero);
    let rated: Vec<String> = rated.map(|rating| rating.engine.clone()).collect();
    let text = format!(
        "0 is a rough number, because many engines have no interval; only differences between {} have one",
        listed(&rated)
    );
    (!rated.is_empty()).then_some(ToldNote { kind: "rough-zero", text, advice: None })
}

/// `says_lead` is for scopes of whose lead the verdict says nothing.
fn write_scope(
    scope: &Scope,
    says_lead: bool,
    shared: &[&Note],
    columns: &Columns,
    out: &mut dyn Write,
) -> io::Result<()> {
    let heading = heading(scope);
    // A fact stays in one line.
    let facts = heading.split_inclusive(", ").map(|fact| cut(fact.trim_end(), columns.width).into());
    writeln!(out, "{}", wrapped(facts, "", columns.width))?;
    let n_pools = scope.engines.iter().map(|rating| rating.pool).max().unwrap_or(0);
    for pool in 1..=n_pools {
        if n_pools != 1 {
            writeln!(out, "pool {pool} of {n_pools}, on a separate scale")?;
        }
        write_columns(columns, out)?;
        for rating in scope.engines.iter().filter(|rating| rating.pool == pool) {
            write_engine(scope, rating, columns, out)?;
        }
    }
    if let (Some(found), Some(lead)) = (&scope.head_to_head, lead(scope))
        && says_lead
    {
        let few = if found.few {
            format!(", from only {}", counted(found.decided, "decided pair", "decided pairs"))
        } else {
            String::new()
        };
        write_wrapped_in(columns.width, &format!("{lead}{few}"), "  ", out)?;
    }
    notes_of(scope, shared, columns.decides).concat().iter().try_for_each(|note| {
        write_wrapped_in(columns.width, &format!("- {}", shown(&note.beside_the_report())), "  ", out)
    })
}

/// The lead of the first of two engines over the second one.
pub fn lead(scope: &Scope) -> Option<String> {
    let [first, second] = scope.engines.as_slice() else { return None };
    let [first, second] = [first, second].map(|rating| shown(&rating.engine));
    Some(format!("{first} - {second}: {}", difference(scope.head_to_head.as_ref()?)))
}

/// The heading of a scope.
fn heading(scope: &Scope) -> String {
    format!("{}: {}", shown(&scope.name), heading_facts(scope))
}

/// The facts about a scope as a whole.
pub(super) fn heading_facts(scope: &Scope) -> String {
    let first_player = first_player(scope).map(|advantage| {
        let half_width = 0.5 * (advantage.high - advantage.low);
        format!("first player {}", Number::with_error(advantage.value, half_width).text())
    });
    let matches = counted(scope.matches, "match", "matches");
    let facts = [Some(matches), first_player, draw_rate(scope), openings(scope), fit(scope)];
    facts.into_iter().flatten().collect::<Vec<String>>().join(", ")
}

/// The advantage of the first player. `None` if nothing is known yet: the interval contains both signs, and is wider than the
/// ratings are apart.
pub fn first_player(scope: &Scope) -> Option<Measure> {
    let advantage = scope.first_player?;
    let ratings = || scope.engines.iter().filter_map(|rating| rating.estimate);
    let range = ratings().fold(f64::NEG_INFINITY, f64::max) - ratings().fold(f64::INFINITY, f64::min);
    let is_open = advantage.low < 0.0 && 0.0 < advantage.high && range < advantage.high - advantage.low;
    (!is_open).then_some(advantage)
}

/// How often equal engines draw: `equal engines draw 28 % (22 to 35)`. `None` if next to nothing is known yet: half of all
/// shares are possible.
pub fn draw_rate(scope: &Scope) -> Option<String> {
    let rate = scope.draw_rate.filter(|rate| rate.high - rate.low < 0.5)?;
    let [value, low, high] = [rate.value, rate.low, rate.high].map(|share| (100.0 * share).round());
    Some(format!("equal engines draw {value} % ({low} to {high})"))
}

/// The effective number of openings that several pairings share.
pub fn openings(scope: &Scope) -> Option<String> {
    let rounded = scope.openings.round() as u64;
    (0 < rounded).then(|| counted(rounded, "shared opening", "shared openings"))
}

/// How well the ratings explain the pairings: the p-value of the test.
pub fn fit(scope: &Scope) -> Option<String> {
    const FEW: f64 = 0.01;
    let is_rated = scope.engines.iter().any(|rating| rating.status == Status::Bounded);
    let fit = scope.fit.as_ref().filter(|_| is_rated)?;
    let simulated = if fit.method == FitMethod::Simulated { " (simulated)" } else { "" };
    let p = fit.p?;
    Some(if p < FEW { format!("fit p<{FEW}{simulated}") } else { format!("fit p={p:.2}{simulated}") })
}

fn write_columns(columns: &Columns, out: &mut dyn Write) -> io::Result<()> {
    let &Columns { rank: rank_width, engine: width, rating: rating_width, pairs, has_forfeits, next, .. } =
        columns;
    let rank = if rank_width == 0 { "" } else { "Rank" };
    let (engine, rating, matches) = ("Engine", "Rating", "Matches");
    let forfeits = if has_forfeits { format!("{:>FORFEITS_WIDTH$}", "Forfeits") } else { String::new() };
    let next = next.map_or(String::new(), |next| format!("{:>NEXT_WIDTH$}", next.head()));
    let rating = cell(rating, rating_width);
    writeln!(
        out,
        "{rank:>rank_width$}  {engine:<width$}{rating} {matches:>8}{forfeits} {:>6}{}{next}",
        "Score",
        cell("Pairs", pairs),
    )
}

fn write_engine(scope: &Scope, rating: &Rating, columns: &Columns, out: &mut dyn Write) -> io::Result<()> {
    let &Columns {
        rank,
        engine: width,
        rating: rating_width,
        error,
        pairs: pairs_width,
        has_forfeits,
        next,
        ..
    } = columns;
    let ranks = if rank == 0 { String::new() } else { rank_or_place(scope, rating) };
    let forfeits =
        if has_forfeits { format!("{:>FORFEITS_WIDTH$}", forfeits(rating)) } else { String::new() };
    let next = next.map_or(String::new(), |next| format!("{:>NEXT_WIDTH$}", next.cell(rating)));
    let number = cell(&Number::of(rating).aligned(error), rating_width);
    let line = format!(
        "{ranks:>rank$}  {:<width$}{number} {:>8}{forfeits} {:>6}{}{next}",
        cut_middle(&shown(&rating.engine), width),
        rating.matches,
        share(rating, rating.score),
        cell(&pairs(rating), pairs_width),
    );
    writeln!(out, "{}", line.trim_end())
}

/// A cell of a column that may be left out, with the space before it.
fn cell(text: &str, width: usize) -> String {
    if width == 0 { String::new() } else { format!(" {text:>width$}") }
}

/// A share of an engine's matches; empty without matches.
pub(super) fn share(rating: &Rating, fraction: f64) -> String {
    if rating.matches == 0 { String::new() } else { percent(fraction) }
}

/// The number of matches that an engine forfeited; empty if none of its matches count.
pub(super) fn forfeits(rating: &Rating) -> String {
    if rating.matches == 0 { String::new() } else { rating.forfeits.to_string() }
}

/// `17/24`: decided pairs of the pairs that the rating uses; `-/24` if it uses none of the 24.
pub fn pairs(rating: &Rating) -> String {
    match (rating.decided, rating.fitted) {
        (Some(decided), Some(fitted)) => format!("{}/{}", short(decided), short(fitted)),
        _ if rating.pairs == 0 => String::new(),
        _ => format!("-/{}", short(rating.pairs)),
    }
}

/// Numbers from 10,000 in thousands: `12k`.
fn short(count: u64) -> String {
    if count < 10_000 { count.to_string() } else { format!("{}k", count / 1000) }
}

/// The share of draws in an engine's matches.
pub(super) fn draw_share(rating: &Rating) -> f64 {
    if rating.matches == 0 { 0.0 } else { rating.draws as f64 / rating.matches as f64 }
}

/// The ranks of an engine; where others of its scope have any and it has none, its place in the list in brackets.
pub fn rank_or_place(scope: &Scope, rating: &Rating) -> String {
    let pool: Vec<&Rating> = scope.engines.iter().filter(|it| it.pool == rating.pool).collect();
    let has_place = rating.rank_low.is_none() && rating.estimate.is_some();
    let place = pool.iter().position(|it| it.engine == rating.engine);
    match place.filter(|_| has_place && pool.iter().any(|it| it.rank_low.is_some())) {
        Some(place) => format!("({})", place + 1),
        None => ranks(rating),
    }
}

/// `3`, or `2-5` if the order is not certain.
pub fn ranks(rating: &Rating) -> String {
    match (rating.rank_low, rating.rank_high) {
        (Some(low), Some(high)) if low == high => low.to_string(),
        (Some(low), Some(high)) => format!("{low}-{high}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use ratings::{FinishedMatch, RatingSettings, Tally};

    use super::*;

    #[test]
    fn a_narrow_terminal_has_whole_lines() {
        let mut tally = Tally::new();
        let names = ["alpha-beta", "an-engine-with-a-very-long-name", "mcts", "random"];
        for (one, white) in names.iter().enumerate() {
            for (other, black) in names.iter().enumerate().filter(|(other, _)| *other != one) {
                for number in 0..24 {
                    // The first engine loses nothing.
                    let wins = one == 0 || (other != 0 && number % 3 != 0);
                    let result = if wins { "1-0" } else { "0-1" }.parse().unwrap();
                    let pair = format!("{}-{}-{number}", one.min(other), one.max(other));
                    let played = FinishedMatch {
                        pair: Some(&pair),
                        ..FinishedMatch::new("push", white, black, result)
                    };
                    tally.add(&played).unwrap();
                }
            }
        }
        let mut standings = Standings::new(&tally, &RatingSettings::default());
        for scope in &mut standings.scopes {
            scope.engines[1].forfeits = 3;
        }
        let text = |columns| {
            let mut text = Vec::new();
            write_end_of_run(&standings, &[], true, String::new, columns, &mut text).unwrap();
            String::from_utf8(text).unwrap()
        };
        for columns in 58..80 {
            let text = text(Some(columns));
            assert!(text.lines().all(|line| line.chars().count() <= columns), "{columns}: {text}");
            assert!(text.contains("alpha-beta") && text.contains("Score"), "{columns}: {text}");
        }
        // The last columns are left out first.
        let heads = [58, 72, 80].map(|columns| {
            let text = text(Some(columns));
            ["Forfeits", "P>next", "Pairs"].map(|head| text.contains(head))
        });
        assert_eq!(heads, [[false, false, false], [true, true, false], [true, true, true]]);
    }

    #[test]
    fn notes_name_games_as_their_tables_do() {
        let (text, advice) =
            ("push: +86 Elo in push; a, push".to_owned(), Some("play more in push, b".to_owned()));
        let mut note = ToldNote { kind: "specialist", text, advice };
        note.rename_games(|name| (name == "push").then(|| "Push".to_owned()));
        assert_eq!(note.whole(), "push: +86 Elo in Push; a, Push; play more in Push, b");
    }
}
