//! The comparison of two engines as the block that OpenBench prints and that authors paste into pull requests.

use std::io::{self, Write};

use super::text::shown;
use ratings::{Comparison, OVERALL, Pentanomial, ScopeComparison};

/// Writes one block per scope with pairs. Elo is that of the score, with the half width of its interval; the bounds in brackets are the
/// hypotheses; `Penta` counts pairs with 0, ½, 1, 1½ and 2 points. Matches without a partner are not counted.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_fishtest(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for note in &comparison.notes {
        writeln!(out, "# {}", shown(note))?;
    }
    let question = &comparison.question;
    let met = comparison.scopes.iter().filter_map(|scope| Some((scope, scope.head_to_head.as_ref()?)));
    for (idx, (scope, found)) in met.enumerate() {
        if idx != 0 {
            writeln!(out)?;
        }
        let elo = &found.elo;
        let [elo0, elo1] = question.hypotheses.elo();
        let half_width = 0.5 * (elo.high - elo.low);
        let percent = 100.0 * question.confidence.fraction();
        writeln!(out, "Elo   | {:.2} +- {half_width:.2} ({percent}%)", elo.value)?;
        let (first, second) = (shown(&question.first), shown(&question.second));
        writeln!(
            out,
            "SPRT  | {first} against {second}, {}, {} Elo",
            game(scope),
            question.hypotheses.model()
        )?;
        let test = &scope.test;
        writeln!(
            out,
            "LLR   | {:.2} ({:.2}, {:.2}) [{elo0:.2}, {elo1:.2}]",
            test.log_likelihood_ratio, test.lower, test.upper
        )?;
        let Pentanomial { ll, ld, dd, wl, wd, ww } = scope.pairs;
        let (n, w, l, d) = (2 * scope.pairs.pairs(), 2 * ww + wd + wl, 2 * ll + ld + wl, 2 * dd + wd + ld);
        writeln!(out, "Games | N: {n} W: {w} L: {l} D: {d}")?;
        writeln!(out, "Penta | [{ll}, {ld}, {}, {wd}, {ww}]", dd + wl)?;
    }
    Ok(())
}

fn game(scope: &ScopeComparison) -> String {
    if scope.name == OVERALL { "all games".to_owned() } else { shown(&scope.name) }
}
