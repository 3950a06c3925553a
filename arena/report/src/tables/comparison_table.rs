//! The comparison of two engines as text of at most 80 columns.

use std::io::{self, Write};

use super::number::Number;
use super::text::{counted, percent, probability, shown, width, write_wrapped_in};
use ratings::{AnyTime, Comparison, LEAST_BATCH_PAIRS, Question, ScopeComparison};
use ratings::{EloModel, SprtVerdict};
use ratings::{FEWEST_DECIDED, OVERALL};
use ratings::{HeadToHead, Interval, elo_of_score as elo_of};
use ratings::{NoDifference, RatingDifference, Status, signed, with_verb};

const LABEL_WIDTH: usize = 19;
const GAME_WIDTH: usize = 17;

/// How much of a comparison is written, besides the pairs, the score and the difference in Elo with one interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// The other intervals of the same difference.
    pub all_intervals: bool,
    /// The sequential test of the two.
    pub test: bool,
}

/// The rows with other intervals of the difference.
const OTHER_INTERVALS: [&str; 5] = ["normalized Elo", "mean of the games", ANY_TIME, E_VALUE, "ratings"];
const ANY_TIME: &str = "valid at any time";
const E_VALUE: &str = "e-value";

/// Writes one block per scope; each line has a label on the left and a value on the right. `columns` is the width of the terminal, if
/// there is one.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_comparison_table(
    comparison: &Comparison,
    detail: Detail,
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let width = width(columns);
    let question = &comparison.question;
    let (first, second) = (shown(&question.first), shown(&question.second));
    write_wrapped_in(width, &answer(comparison), "", out)?;
    write_wrapped_in(
        width,
        &format!("{first} against {second}; all values from the view of {first}"),
        "",
        out,
    )?;
    for note in &comparison.notes {
        write_wrapped_in(width, &format!("- {}", shown(note)), "  ", out)?;
    }
    let (open, scopes): (Vec<_>, Vec<_>) = comparison
        .scopes
        .iter()
        .enumerate()
        .partition(|&(idx, scope)| idx != 0 && !detail.all_intervals && is_open(scope));
    for (_, scope) in scopes {
        writeln!(out)?;
        write_wrapped_in(width, &heading(scope), "  ", out)?;
        for (label, text) in rows(scope, comparison, detail) {
            write_row(width, label, &text, out)?;
        }
    }
    if !open.is_empty() {
        writeln!(out, "\ntoo few decided pairs for an answer:")?;
    }
    let widest = open.iter().map(|(_, scope)| name(scope).chars().count()).max().unwrap_or_default();
    for (_, scope) in open {
        let elo = scope.head_to_head.as_ref().map_or(String::new(), |found| elo_interval(found.elo));
        let line = format!("  {:<widest$}  {}  Elo {elo}", name(scope), outcomes(scope));
        write_wrapped_in(width, &line, "    ", out)?;
    }
    let tests = tests(comparison, detail);
    if !tests.is_empty() {
        writeln!(out)?;
        write_wrapped_in(width, &tests_heading(question), "  ", out)?;
    }
    for (name, text) in tests {
        let indent = " ".repeat(2 + GAME_WIDTH);
        write_wrapped_in(width, &format!("  {name:<GAME_WIDTH$}{text}"), &indent, out)?;
    }
    let footer = footer(comparison, detail);
    if !footer.is_empty() {
        writeln!(out)?;
    }
    write_wrapped_in(width, &footer, "", out)
}

/// Which engine is stronger, and by how much: by the pairs that they played against each other, otherwise by their matches, their
/// ratings or their ranks.
/// `arena rate` says the same of a table of the two.
pub fn answer(comparison: &Comparison) -> String {
    if let Some(found) = &comparison.tested {
        return shown(found);
    }
    let Question { first, second, .. } = &comparison.question;
    let (first, second) = (shown(first), shown(second));
    let Some(scope) = comparison.scopes.first() else {
        return format!("{first} and {second} cannot be compared");
    };
    let by_matches = scope.by_matches.as_ref();
    let own = scope.head_to_head.as_ref().or(by_matches);
    let (elo, low, high, by) = match (own, &scope.rating) {
        (Some(HeadToHead { elo, few: false, .. }), _) => {
            (elo.value, elo.low, elo.high, if by_matches.is_some() { ", by their matches" } else { "" })
        }
        (Some(found @ HeadToHead { few: true, .. }), _) => {
            return few(found, [first, second], scope.n_openings());
        }
        (None, Some(RatingDifference { elo, low, high, .. })) => (*elo, *low, *high, ", by their ratings"),
        (None, None) => return by_ranks(scope, [first, second]),
    };
    let text = |value, low, high| {
        let found = elo_interval(Interval { value, low, high });
        format!("{found} Elo{by}")
    };
    // Where others played, the ratings must agree.
    let open = scope.rating.filter(|rating| scope.others_played && !rating.is_sure());
    let found = text(elo, low, high);
    match open {
        Some(rating) if (low > 0.0 || high < 0.0) && own.is_some() => {
            let why = if rating.is_few {
                "too few independent pairs were decided (those from one opening count as one)"
            } else {
                "the matches of all engines leave it open"
            };
            format!("undecided between {first} and {second}: {first} {}, but {why}", with_verb(&found))
        }
        None if low > 0.0 => format!("{first} is stronger than {second}: {found}"),
        None if high < 0.0 => format!("{first} is weaker than {second}: {found}"),
        _ => format!("undecided between {first} and {second}: {first} {}", with_verb(&found)),
    }
}

/// The answer without pairs and without a difference of ratings: engines whose rank ranges are apart differ.
fn by_ranks(scope: &ScopeComparison, [first, second]: [String; 2]) -> String {
    let is = match scope.ranks {
        Some([one, other]) if one.1 < other.0 => "stronger",
        Some([one, other]) if other.1 < one.0 => "weaker",
        _ if !scope.has_even_sides => {
            return format!("undecided between {first} and {second}: one of them had White more often");
        }
        _ if scope.lone_matches > 0 || scope.ranks.is_some() => {
            return format!("undecided between {first} and {second}");
        }
        _ => return format!("{first} and {second} cannot be compared"),
    };
    format!("{first} is {is} than {second}, by their ranks; by how much is not known")
}

/// The answer by few pairs, as the standings of the two say it.
fn few(found: &HeadToHead, [first, second]: [String; 2], n_pairs: u64) -> String {
    if found.elo.value == 0.0 {
        let pairs = counted(n_pairs, "pair is", "pairs are");
        return format!("undecided between {first} and {second}: {} of {pairs} decided", found.decided);
    }
    let pairs = counted(found.decided, "decided pair", "decided pairs");
    format!("{first} {} Elo, from only {pairs}", with_verb(&elo_interval(found.elo)))
}

/// Whether a game has too few pairs to say which engine is stronger.
fn is_open(scope: &ScopeComparison) -> bool {
    scope.head_to_head.as_ref().is_some_and(|found| found.few && found.elo.low < 0.0 && 0.0 < found.elo.high)
}

/// Whether one interval answers: the ratings, where they are not as sure of the difference as the pairs, have their row.
fn is_one_interval(scope: &ScopeComparison, detail: Detail) -> bool {
    let Some(found) = scope.head_to_head.as_ref().filter(|_| !detail.all_intervals) else {
        return false;
    };
    let is_sure = found.elo.low > 0.0 || found.elo.high < 0.0;
    scope.rating.is_none_or(|rating| found.few || rating.is_sure() || !is_sure)
}

/// The sequential test of each scope that has one, if they are shown.
pub(super) fn tests(comparison: &Comparison, detail: Detail) -> Vec<(String, String)> {
    let scopes = comparison.scopes.iter().filter(|scope| detail.test && scope.head_to_head.is_some());
    scopes.map(|scope| (name(scope), test(scope, &comparison.question))).collect()
}

/// The heading of the sequential tests.
pub(super) fn tests_heading(question: &Question) -> String {
    let [elo0, elo1] = question.hypotheses.elo();
    let model = match question.hypotheses.model() {
        EloModel::Normalized => "normalized Elo",
        EloModel::Logistic => "Elo",
    };
    format!("Sequential test of {elo0} against {elo1} {model} (--elo0, --elo1)")
}

fn name(scope: &ScopeComparison) -> String {
    if scope.name == OVERALL { "all games".to_owned() } else { shown(&scope.name) }
}

/// The lines of a scope: labels and values.
pub(super) fn rows(
    scope: &ScopeComparison,
    comparison: &Comparison,
    detail: Detail,
) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(found) = &scope.head_to_head {
        rows.extend(head_to_head(scope, found, &comparison.question));
    }
    if scope.head_to_head.is_none() && scope.lone_matches != 0 {
        let [wins, draws, losses] = scope.lone_results;
        let score = (wins as f64 + 0.5 * draws as f64) / scope.lone_matches as f64;
        rows.push(("matches", format!("W {wins}  D {draws}  L {losses}, score {}", percent(score))));
    }
    if let Some(found) = &scope.by_matches {
        rows.extend([
            ("score", interval(found.score, percent)),
            ("Elo", elo_interval(found.elo)),
            ("LOS", probability(found.los)),
        ]);
    }
    if comparison.tested.is_some() {
        // What supposes that the number of matches was fixed is left out; the other intervals are valid at any time.
        rows.retain(|(label, _)| !["LOS", "normalized Elo", "mean of the games"].contains(label));
        rows.extend(scope.any_time.as_ref().map(|it| (E_VALUE, e_value(it) + " (above 20 is convincing)")));
    } else {
        rows.extend(scope.any_time.as_ref().map(|it| (ANY_TIME, any_time(it))));
        rows.push(("ratings", rating(scope)));
    }
    if is_one_interval(scope, detail) {
        rows.retain(|(label, _)| !OTHER_INTERVALS.contains(label));
    }
    if let Some(found) = scope.head_to_head.as_ref().filter(|found| found.few) {
        let note = format!(
            "fewer than {FEWEST_DECIDED} decided pairs ({} of {})",
            found.decided,
            scope.n_openings()
        );
        rows.push(("note", note));
    }
    if scope.repeated_openings != 0 {
        let note = format!(
            "{} the opening of an earlier pair: in scores and Elo, all pairs from one opening count as one",
            counted(scope.repeated_openings, "pair has", "pairs have")
        );
        rows.push(("note", note));
    }
    rows
}

pub(super) fn heading(scope: &ScopeComparison) -> String {
    let name = if scope.name == OVERALL { "all games together".to_owned() } else { shown(&scope.name) };
    let pairs = counted(scope.pairs.pairs(), "pair", "pairs");
    if scope.lone_matches == 0 {
        return format!("{name}: {pairs}");
    }
    let lone = counted(scope.lone_matches, "match", "matches");
    if scope.by_matches.is_some() {
        return format!("{name}: {lone} without pairs (each counts as independent)");
    }
    if scope.pairs.pairs() == 0 {
        return format!("{name}: {lone} without pairs");
    }
    format!("{name}: {pairs}, and {lone} without a partner (counted only in the ratings)")
}

fn outcomes(scope: &ScopeComparison) -> String {
    let pairs = &scope.pairs;
    format!(
        "LL {}  LD {}  DD {}  WL {}  WD {}  WW {}",
        pairs.ll, pairs.ld, pairs.dd, pairs.wl, pairs.wd, pairs.ww
    )
}

fn head_to_head(
    scope: &ScopeComparison,
    found: &HeadToHead,
    question: &Question,
) -> Vec<(&'static str, String)> {
    let normalized = match found.normalized_elo {
        Some(normalized) => {
            let half_width = question.confidence.half_width(f64::INFINITY) * normalized.se;
            Number::with_error(normalized.value, half_width).text()
        }
        None if scope.repeated_openings != 0 => "left out, because openings were played again".to_owned(),
        None => "unknown, because all pairs have the same score".to_owned(),
    };
    let mut rows = vec![
        ("pairs", outcomes(scope)),
        ("score", interval(found.score, percent)),
        ("Elo", elo_interval(found.elo)),
        ("LOS", probability(found.los)),
        ("normalized Elo", normalized),
    ];
    if let Some(mean) = scope.mean_score {
        let text = format!("score {}, Elo {}", interval(mean, percent), elo_interval(mean.map(elo_of)));
        rows.push(("mean of the games", text));
    }
    rows
}

fn test(scope: &ScopeComparison, question: &Question) -> String {
    let test = &scope.test;
    let [elo0, elo1] = question.hypotheses.elo();
    let ratio = format!(
        "LLR {}, bounds {:+.2} and {:+.2}",
        signed(test.log_likelihood_ratio, 2),
        test.lower,
        test.upper
    );
    let Some(decision) = test.decision else {
        let is_open = (test.lower..=test.upper).contains(&test.log_likelihood_ratio);
        let looks_later = !scope.pairs.pairs().is_multiple_of(question.batch_pairs.max(LEAST_BATCH_PAIRS));
        // Beyond a bound, without a look at it later, forfeits decided.
        let (words, why) = match (is_open, looks_later) {
            (true, _) => ("undecided between", ""),
            (false, true) => (
                "undecided between",
                "; beyond a bound, but the test looks at it only after each batch of pairs",
            ),
            (false, false) => ("no verdict on", ""),
        };
        return format!("{words} {elo0} and {elo1}: {ratio}{why}");
    };
    let found = match decision.verdict {
        SprtVerdict::H1 => fits(elo1, elo0),
        SprtVerdict::H0 | SprtVerdict::Undecided => fits(elo0, elo1),
    };
    format!("{found}, decided after {}; now {ratio}", counted(decision.pairs, "pair", "pairs"))
}

fn fits(elo: f64, other: f64) -> String {
    format!("the results fit {elo} better than {other} (values in between are not distinguished)")
}

fn any_time(any_time: &AnyTime) -> String {
    let change = any_time.change.map_or(String::new(), |change| format!("; {change}"));
    let (Some([low, high]), Some([low_elo, high_elo])) = (any_time.score, any_time.elo) else {
        return format!("no score fits all pairs{change}");
    };
    let n_decimals = n_decimals(high_elo - low_elo);
    format!(
        "score {} to {}, Elo {} to {}; e-value (above 20 is convincing): {}{change}",
        percent(low),
        percent(high),
        signed(low_elo, n_decimals),
        signed(high_elo, n_decimals),
        e_value(any_time),
    )
}

fn e_value(any_time: &AnyTime) -> String {
    let [stronger, weaker] = [any_time.evidence_stronger, any_time.evidence_weaker].map(evidence);
    format!("stronger {stronger}, weaker {weaker}")
}

fn rating(scope: &ScopeComparison) -> String {
    let Some(RatingDifference { elo, low, high, los, .. }) = scope.rating else {
        return scope.no_difference.as_ref().map_or("difference unknown".to_owned(), no_difference);
    };
    let p = scope.p_stronger.map_or(String::new(), |p| format!(", P(stronger) {}", probability(p)));
    format!("difference {}, LOS {}{p}", Number::with_error(elo, 0.5 * (high - low)).text(), probability(los))
}

fn no_difference(reason: &NoDifference) -> String {
    match reason {
        NoDifference::NoMatch { engine } => {
            format!("difference unknown: {} has no rated match here", shown(engine))
        }
        NoDifference::OtherPool => "difference unknown: no chain of matches connects the two".to_owned(),
        NoDifference::Unbounded { engine, status } => {
            let why = match status {
                Status::Above => {
                    "won every match against the rated engines, so its rating has no upper bound".to_owned()
                }
                Status::Below => {
                    "scored nothing against the rated engines, so its rating has no lower bound".to_owned()
                }
                Status::NotComparable => "has no match that compares it with the others".to_owned(),
                Status::ColourDecides => "has no rating: the colour decides every match".to_owned(),
                Status::Absent => "never started".to_owned(),
                Status::SomeGames { rated, of } => format!("has no interval in {} of {of} games", of - rated),
                Status::OnlyDraws => "drew every match, as all did".to_owned(),
                status => format!("has no interval ({status})"),
            };
            format!("difference unknown: {} {why}", shown(engine))
        }
    }
}

/// Explains the values that the comparison has.
pub(super) fn footer(comparison: &Comparison, detail: Detail) -> String {
    let Comparison { question, scopes, .. } = comparison;
    let has = |part: fn(&ScopeComparison) -> bool| scopes.iter().any(part);
    let has_other = |part: fn(&ScopeComparison) -> bool| {
        scopes.iter().any(|scope| part(scope) && !is_one_interval(scope, detail))
    };
    let has_pairs = has(|it| it.head_to_head.is_some());
    let has_rating = has_other(|it| it.rating.is_some());
    let mut parts = Vec::new();
    if has_pairs {
        parts
            .push("Pairs: W is a match won, D drawn, L lost; WD is a pair with a win and a draw.".to_owned());
    }
    if has_pairs || has_rating {
        let valid = match &comparison.tested {
            Some(_) => "however often you look",
            None if has_pairs => "if the number of pairs was fixed beforehand",
            None => "if the number of matches was fixed beforehand",
        };
        let percent = 100.0 * question.confidence.fraction();
        parts.push(format!("The intervals are {percent} % intervals, valid {valid}."));
    }
    if has_other(|it| it.any_time.is_some()) {
        if comparison.tested.is_none() {
            parts.push(
                "`valid at any time` is valid however often you look, and after a test that stopped early."
                    .to_owned(),
            );
        }
        parts.push("An e-value of 20 is like p = 0.05.".to_owned());
    }
    if (has_pairs || has_rating) && comparison.tested.is_none() {
        parts.push(
            "LOS (likelihood of superiority) is 1 minus the p-value of a one-sided test; a high value means that such a \
             lead would be rare between equal engines."
                .to_owned(),
        );
    }
    if has_other(|it| it.rating.is_some() && it.p_stronger.is_some()) {
        parts.push(
            "P(stronger) is the probability that the first engine is stronger, if differences in this table are typical."
                .to_owned(),
        );
    }
    if has_other(|it| it.mean_score.is_some()) && comparison.tested.is_none() {
        parts.push("In `mean of the games`, every game counts the same.".to_owned());
    }
    if has_rating {
        parts.push(
            "`ratings` use the matches of all engines, and take draws and the first player's advantage into account: their \
             difference is not the Elo of the score."
                .to_owned(),
        );
    }
    if scopes.iter().any(|scope| is_one_interval(scope, detail)) {
        let more = match &comparison.tested {
            Some(_) => "`--all` adds e-values.",
            None if detail.test => {
                "`--all` adds normalized Elo, an interval that is valid at any time, and the ratings."
            }
            None => {
                "`--all` adds normalized Elo, an interval that is valid at any time, the ratings, and a sequential test."
            }
        };
        parts.push(more.to_owned());
    }
    parts.join(" ")
}

fn write_row(width: usize, label: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let indent = " ".repeat(2 + LABEL_WIDTH);
    write_wrapped_in(width, &format!("  {label:<LABEL_WIDTH$}{text}"), &indent, out)
}

fn interval(interval: Interval, shown: impl Fn(f64) -> String) -> String {
    format!("{} ({} to {})", shown(interval.value), shown(interval.low), shown(interval.high))
}

/// Elo with its interval.
pub(super) fn elo_interval(found: Interval) -> String {
    interval(found, |elo| signed(elo, n_decimals(found.high - found.low)))
}

/// Tenths only if the interval of this width is narrow.
fn n_decimals(width: f64) -> usize {
    usize::from(width < 20.0)
}

fn evidence(evidence: f64) -> String {
    if evidence < 1e4 { format!("{evidence:.1}") } else { format!("{evidence:.0e}") }
}
