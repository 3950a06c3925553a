//! The comparison of two engines as CSV, one line per scope.

use std::io::{self, Write};

use super::standings_csv::decimals;
use model::escape::cells;
use ratings::Interval;
use ratings::{Comparison, ScopeComparison};

/// The columns. Existing columns never change; new ones are appended.
const COLUMNS: &str = "scope,first,second,pairs,ll,ld,dd,wl,wd,ww,lone_matches,repeated_openings,\
    score,score_low,score_high,elo,elo_low,elo_high,nelo,nelo_se,los,mean_score,mean_low,mean_high,\
    llr,llr_lower,llr_upper,verdict,decided_after,any_time_low,any_time_high,evidence_stronger,evidence_weaker,\
    rating_difference,rating_low,rating_high,rating_los,p_stronger,decided,few";

/// Writes the comparison as CSV. Scores, `los`, `rating_los` and `p_stronger` are fractions of 1; Elo has two decimals.
/// An end without a bound is `-inf` or `inf`, unknown values are empty, and `verdict` is `undecided`, `h0` or `h1`.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_comparison_csv(comparison: &Comparison, out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(COLUMNS.split(','))?;
    for scope in &comparison.scopes {
        csv.write_record(cells(fields(scope, comparison)))?;
    }
    csv.flush()
}

fn fields(scope: &ScopeComparison, comparison: &Comparison) -> Vec<String> {
    let question = &comparison.question;
    let pairs = &scope.pairs;
    let mut fields = vec![scope.name.clone(), question.first.clone(), question.second.clone()];
    let counts = [pairs.pairs(), pairs.ll, pairs.ld, pairs.dd, pairs.wl, pairs.wd, pairs.ww];
    fields.extend(
        counts.into_iter().chain([scope.lone_matches, scope.repeated_openings]).map(|n| n.to_string()),
    );

    let found = scope.head_to_head.as_ref();
    let ends = |interval: Option<Interval>| {
        [interval.map(|it| it.value), interval.map(|it| it.low), interval.map(|it| it.high)]
    };
    fields.extend(ends(found.map(|it| it.score)).map(|score| decimals(score, 6)));
    fields.extend(ends(found.map(|it| it.elo)).map(|elo| decimals(elo, 2)));
    let normalized = found.and_then(|it| it.normalized_elo);
    fields.extend([normalized.map(|it| it.value), normalized.map(|it| it.se)].map(|elo| decimals(elo, 2)));
    // After a test, a LOS would not be valid.
    fields.push(decimals(found.filter(|_| comparison.tested.is_none()).map(|it| it.los), 4));
    fields.extend(ends(scope.mean_score).map(|score| decimals(score, 6)));

    let test = &scope.test;
    fields.extend([test.log_likelihood_ratio, test.lower, test.upper].map(|ratio| decimals(Some(ratio), 4)));
    let verdict = test.decision.map_or("undecided".to_owned(), |decision| decision.verdict.to_string());
    fields.extend([verdict, test.decision.map_or(String::new(), |decision| decision.pairs.to_string())]);

    let any_time = scope.any_time.as_ref();
    let score = any_time.and_then(|it| it.score);
    fields.extend([score.map(|ends| ends[0]), score.map(|ends| ends[1])].map(|end| decimals(end, 3)));
    let evidence = [any_time.map(|it| it.evidence_stronger), any_time.map(|it| it.evidence_weaker)];
    fields.extend(evidence.map(|evidence| evidence.map_or(String::new(), |it| format!("{it:.4e}"))));

    let rating = scope.rating.as_ref();
    let elo = [rating.map(|it| it.elo), rating.map(|it| it.low), rating.map(|it| it.high)];
    fields.extend(elo.map(|elo| decimals(elo, 2)));
    fields.push(decimals(rating.map(|it| it.los), 4));
    fields.push(decimals(scope.p_stronger, 4));
    fields.push(found.map_or(String::new(), |it| it.decided.to_string()));
    fields.push(found.map_or(String::new(), |it| u8::from(it.few).to_string()));
    fields
}
