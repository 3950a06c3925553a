//! Two engines against each other as text for a terminal, at most 80 columns wide. Writes to whatever it is given.

use std::io::{self, Write};

use super::text::{counted, percent, shown, signed, write_wrapped};
use ratings::OVERALL;
use ratings::RatingDifference;
use ratings::{AnyTime, Comparison, Question, ScopeComparison, Test};
use ratings::{EloModel, Verdict};
use ratings::{HeadToHead, Interval, elo_of_score as elo_of};

const LABEL_WIDTH: usize = 17;

/// Writes one block a scope: each line a word on the left and what is found on the right.
///
/// # Errors
/// If `out` can't be written.
pub fn write_comparison_table(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let question = &comparison.question;
    let (first, second) = (shown(&question.first), shown(&question.second));
    write_wrapped(&format!("{first} against {second}, seen from {first}"), "", out)?;
    for note in &comparison.notes {
        write_wrapped(&format!("- {}", shown(note)), "  ", out)?;
    }
    for scope in &comparison.scopes {
        writeln!(out)?;
        write_wrapped(&heading(scope), "  ", out)?;
        for (label, text) in rows(scope, question) {
            write_row(label, &text, out)?;
        }
    }
    writeln!(out)?;
    write_wrapped(&footer(question), "", out)
}

/// What is found in a scope: labels and what belongs to them.
pub(super) fn rows(scope: &ScopeComparison, question: &Question) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(found) = &scope.head_to_head {
        rows.extend(head_to_head(scope, found, question));
        rows.push(("test", test(&scope.test, question)));
    }
    if let Some(any_time) = &scope.any_time {
        rows.push(("at any time", self::any_time(any_time)));
    }
    rows.push(("ratings", rating(scope.rating.as_ref())));
    if scope.repeated_openings != 0 {
        let note = format!(
            "{} an opening of an earlier pair; if the engines repeat themselves, this tells less than it seems",
            counted(scope.repeated_openings, "pair has", "pairs have")
        );
        rows.push(("beware", note));
    }
    rows
}

pub(super) fn heading(scope: &ScopeComparison) -> String {
    let name = if scope.name == OVERALL { "all games as played".to_owned() } else { shown(&scope.name) };
    let pairs = counted(scope.pairs.pairs(), "pair", "pairs");
    if scope.lone_matches == 0 {
        return format!("{name}: {pairs}");
    }
    let lone = counted(scope.lone_matches, "match", "matches");
    format!("{name}: {pairs}, and {lone} without a partner, for the ratings only")
}

fn head_to_head(
    scope: &ScopeComparison,
    found: &HeadToHead,
    question: &Question,
) -> Vec<(&'static str, String)> {
    let pairs = &scope.pairs;
    let outcomes = format!(
        "LL {}  LD {}  DD {}  WL {}  WD {}  WW {}",
        pairs.ll, pairs.ld, pairs.dd, pairs.wl, pairs.wd, pairs.ww
    );
    let normalized = match found.normalized_elo {
        Some(normalized) => {
            let half_width = question.confidence.half_width(f64::INFINITY) * normalized.se;
            format!("{} ± {half_width:.1}", signed(normalized.value))
        }
        None => "unknown: all pairs have the same score".to_owned(),
    };
    let mut rows = vec![
        ("pairs", outcomes),
        ("score", interval(found.score, percent)),
        ("Elo", interval(found.elo, elo)),
        ("normalized Elo", normalized),
        ("LOS", percent(found.los)),
    ];
    if let Some(mean) = scope.mean_score {
        let text = format!("score {}, Elo {}", interval(mean, percent), interval(mean.map(elo_of), elo));
        rows.push(("equal weights", text));
    }
    rows
}

fn test(test: &Test, question: &Question) -> String {
    let [elo0, elo1] = question.hypotheses.elo();
    let ratio =
        format!("LLR {:+.2} between {:+.2} and {:+.2}", test.log_likelihood_ratio, test.lower, test.upper);
    let Some(decision) = test.decision else {
        return format!("undecided between {elo0} and {elo1}: {ratio}");
    };
    let found = match decision.verdict {
        Verdict::H1 => fits(elo1, elo0),
        Verdict::H0 | Verdict::Undecided => fits(elo0, elo1),
    };
    format!("{found} after {}; {ratio} now", counted(decision.pairs, "pair", "pairs"))
}

fn fits(elo: f64, other: f64) -> String {
    format!("the results fit {elo} better than {other} (what lies between is not told apart)")
}

fn any_time(any_time: &AnyTime) -> String {
    let (Some([low, high]), Some([low_elo, high_elo])) = (any_time.score, any_time.elo) else {
        return "no score fits all pairs: the engines seem to have changed on the way".to_owned();
    };
    format!(
        "score {} to {}, Elo {} to {}; evidence for stronger {}, for weaker {}",
        percent(low),
        percent(high),
        elo(low_elo),
        elo(high_elo),
        evidence(any_time.evidence_stronger),
        evidence(any_time.evidence_weaker),
    )
}

fn rating(difference: Option<&RatingDifference>) -> String {
    let Some(difference) = difference else {
        return "no difference: not both have a rating with two ends on one scale".to_owned();
    };
    let half_width = 0.5 * (difference.high - difference.low);
    format!("difference {} ± {half_width:.1}, LOS {}", signed(difference.elo), percent(difference.los))
}

pub(super) fn footer(question: &Question) -> String {
    let percent = 100.0 * question.confidence.fraction();
    let model = match question.hypotheses.model() {
        EloModel::Normalized => "normalized Elo",
        EloModel::Logistic => "Elo",
    };
    format!(
        "Pairs: W is a match won, D drawn, L lost, so WD is a pair of a win and a draw. Intervals are at {percent} %. Those of \
         score, Elo and ratings hold if the number of pairs was fixed beforehand; `at any time` holds however often one \
         looks, and after a test that stopped early. Evidence (an e-value) of 20 is like p = 0.05. LOS is the likelihood of \
         superiority. The test is in {model}. With `equal weights`, every game counts the same. `ratings` use the matches \
         of all engines."
    )
}

fn write_row(label: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let indent = " ".repeat(2 + LABEL_WIDTH);
    write_wrapped(&format!("  {label:<LABEL_WIDTH$}{text}"), &indent, out)
}

fn interval(interval: Interval, shown: impl Fn(f64) -> String) -> String {
    format!("{} ({} to {})", shown(interval.value), shown(interval.low), shown(interval.high))
}

/// Elo where there is no end to it.
fn elo(elo: f64) -> String {
    if elo.is_finite() {
        return signed(elo);
    }
    if elo < 0.0 { "-∞".to_owned() } else { "+∞".to_owned() }
}

fn evidence(evidence: f64) -> String {
    if evidence < 1e4 { format!("{evidence:.1}") } else { format!("{evidence:.0e}") }
}
