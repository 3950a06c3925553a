//! Standings and comparisons as Markdown, for example for GitHub. Names are escaped, so that they contain no markup.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::comparison_table::{self, Detail};
use super::number::Number;
use super::run_comparison_table::{self, summary, sure_change, unrated};
use super::standings_table::{
    Decides, Next, ToldNote, caption, draw_share, forfeits, heading_facts, notes_of, pairs, rank_or_place,
    share, shown_scopes,
};
use super::text::shown;
use super::verdict::{Verdict, answer};
use ratings::Comparison;
use ratings::RunComparison;
use ratings::{Rating, Scope, Standings, signed};
use schedule::stop::Finding;

/// Writes one table per scope, with a heading and notes.
///
/// With a single game, there is no overall table, because it would be the same.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_markdown(
    standings: &Standings,
    findings: &[Finding],
    next: Next,
    out: &mut dyn Write,
) -> io::Result<()> {
    let scopes = shown_scopes(standings);
    for (scope, decides) in scopes.iter().zip(Decides::of_all(scopes, findings)) {
        writeln!(out, "### {}\n\n{}\n", code(&scope.name), heading_facts(scope))?;
        write_pools(scope, next, decides, out)?;
        let notes = notes_of(scope, &[], decides).concat();
        write_notes(&notes.iter().map(ToldNote::beside_the_report).collect::<Vec<_>>(), out)?;
    }
    writeln!(out, "{}", caption(standings))?;
    let Some(Verdict { answer, remarks }) = answer(standings, findings) else { return Ok(()) };
    writeln!(out, "\n{}", code(&[vec![answer], remarks].concat().join(" ")))
}

/// Writes one table per scope; each line has a label on the left and a value on the right.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_comparison_markdown(
    comparison: &Comparison,
    detail: Detail,
    out: &mut dyn Write,
) -> io::Result<()> {
    let question = &comparison.question;
    let (first, second) = (code(&question.first), code(&question.second));
    writeln!(
        out,
        "{}\n\n{first} against {second}; all values from the view of {first}\n",
        code(&comparison_table::answer(comparison))
    )?;
    write_notes(&comparison.notes, out)?;
    for scope in &comparison.scopes {
        writeln!(out, "### {}\n\n| | |\n|:--|:--|", code(&comparison_table::heading(scope)))?;
        for (label, text) in comparison_table::rows(scope, comparison, detail) {
            writeln!(out, "| {label} | {text} |")?;
        }
        writeln!(out)?;
    }
    let tests = comparison_table::tests(comparison, detail);
    if !tests.is_empty() {
        writeln!(out, "### {}\n\n| | |\n|:--|:--|", code(&comparison_table::tests_heading(question)))?;
        for (name, text) in tests {
            writeln!(out, "| {} | {text} |", code(&name))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", comparison_table::footer(comparison, detail))
}

/// Writes one table per scope. With a single game, there is no overall table, because it would be the same.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_run_comparison_markdown(comparison: &RunComparison, out: &mut dyn Write) -> io::Result<()> {
    let scopes = run_comparison_table::shown_scopes(comparison);
    writeln!(out, "old: {}\nnew: {}\n", code(&comparison.old), code(&comparison.new))?;
    write_notes(&comparison.notes, out)?;
    for scope in scopes {
        writeln!(out, "### {}\n\n{}\n", code(&scope.name), summary(scope))?;
        writeln!(out, "| Engine | Old | New | Change | p | |\n|:--|--:|--:|--:|--:|:--|")?;
        for engine in &scope.engines {
            let half_width = 0.5 * (engine.change.high - engine.change.low);
            let change = Number::with_error(engine.change.elo, half_width).text();
            writeln!(
                out,
                "| {} | {} | {} | {change} | {:.4} | {} |",
                code(&engine.engine),
                signed(engine.old, 1),
                signed(engine.new, 1),
                engine.p,
                sure_change(engine),
            )?;
        }
        writeln!(out)?;
        write_notes(unrated(scope).as_slice(), out)?;
    }
    writeln!(out, "{}", run_comparison_table::footer(comparison))
}

fn write_pools(scope: &Scope, next: Next, decides: Decides, out: &mut dyn Write) -> io::Result<()> {
    let next = next.of(scope);
    let [rating_head, rating_line] = if decides.has_ratings() { [" Rating |", "--:|"] } else { ["", ""] };
    let [next_head, next_line] =
        next.map_or(<[String; 2]>::default(), |next| [format!(" {} |", next.head()), "--:|".to_owned()]);
    let has_forfeits = scope.engines.iter().any(|rating| rating.forfeits != 0);
    let [head, line] = if has_forfeits { [" Forfeits |", "--:|"] } else { ["", ""] };
    let n_pools = scope.engines.iter().map(|rating| rating.pool).max().unwrap_or(0);
    for pool in 1..=n_pools {
        if n_pools != 1 {
            writeln!(out, "pool {pool} of {n_pools}, on a separate scale\n")?;
        }
        writeln!(out, "| Rank | Engine |{rating_head} Matches |{head} Score | Draws | Pairs |{next_head}")?;
        writeln!(out, "|--:|:--|{rating_line}--:|{line}--:|--:|--:|{next_line}")?;
        for rating in scope.engines.iter().filter(|rating| rating.pool == pool) {
            write_engine(scope, rating, has_forfeits, next, decides, out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_engine(
    scope: &Scope,
    rating: &Rating,
    has_forfeits: bool,
    next: Option<Next>,
    decides: Decides,
    out: &mut dyn Write,
) -> io::Result<()> {
    let number =
        if decides.has_ratings() { format!(" {} |", Number::of(rating).text()) } else { String::new() };
    let forfeits = if has_forfeits { format!(" {} |", forfeits(rating)) } else { String::new() };
    let next = next.map_or(String::new(), |next| format!(" {} |", next.cell(rating)));
    writeln!(
        out,
        "| {} | {} |{number} {} |{forfeits} {} | {} | {} |{next}",
        if decides.has_ranks() { rank_or_place(scope, rating) } else { String::new() },
        code(&rating.engine),
        rating.matches,
        share(rating, rating.score),
        share(rating, draw_share(rating)),
        pairs(rating),
    )
}

/// The notes in a fenced block, because they contain names.
fn write_notes(notes: &[impl AsRef<str>], out: &mut dyn Write) -> io::Result<()> {
    if notes.is_empty() {
        return Ok(());
    }
    let notes: Vec<String> = notes.iter().map(|note| shown(note.as_ref())).collect();
    let fence = "`".repeat(notes.iter().map(|note| longest_run(note)).max().unwrap_or(0).max(2) + 1);
    writeln!(out, "{fence}text")?;
    for note in &notes {
        writeln!(out, "- {note}")?;
    }
    writeln!(out, "{fence}\n")
}

/// A name as code, so that it has no markup, mention or link. Characters that code in a table cannot contain are
/// written by number.
fn code(name: &str) -> String {
    let name = shown(name);
    let is_plain = !name.contains(['`', '|', '\\']) && name.trim() == name && !name.is_empty();
    if is_plain {
        return format!("`{name}`");
    }
    let mut code = "<code>".to_owned();
    for character in name.chars() {
        if character.is_ascii_alphanumeric() || !character.is_ascii() {
            code.push(character);
        } else {
            let _ = write!(code, "&#{};", u32::from(character));
        }
    }
    code + "</code>"
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_code_whatever_is_in_them() {
        assert_eq!(code("alpha-beta 2.0"), "`alpha-beta 2.0`");
        assert_eq!(code("@all <b> #1 *x* [a](b)"), "`@all <b> #1 *x* [a](b)`");
        assert_eq!(code("a|b"), "<code>a&#124;b</code>");
        assert_eq!(code("`a`\\"), "<code>&#96;a&#96;&#92;</code>");
        assert_eq!(code("Ü\nx"), "<code>Ü&#92;nx</code>");
    }

    #[test]
    fn no_note_ends_its_block() {
        let mut out = Vec::new();
        write_notes(&["x ````` y".to_owned()], &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "``````text\n- x ````` y\n``````\n\n");
    }
}
