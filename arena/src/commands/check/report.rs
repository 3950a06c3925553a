//! The report: text lines as the findings come, or JSON at the end. It does not judge.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use clap::builder::styling::{AnsiColor, Style};
use engine_proto::GameId;
use serde::Serialize;

use super::finding::{CheckVerdict, Finding};
use super::transcript::Transcript;
use model::escape::escaped_line;
use opponent::Greeting;
use report::tables::text::width;

/// A longer line that was sent is shown without its middle; in characters.
const LONGEST_SENT: usize = 1000;

/// The subject of the report.
#[derive(Clone, Debug, Serialize)]
pub struct Subject {
    command: String,
    args: Vec<String>,
    name: Option<String>,
    author: Option<String>,
    games: Vec<GameId>,
}

impl Subject {
    /// The engine of the command line, with its name and author.
    pub fn new(command: &Path, args: &[String], greeting: &Greeting, games: &[GameId]) -> Self {
        Self {
            command: command.display().to_string(),
            args: args.to_vec(),
            name: greeting.name.clone(),
            author: greeting.author.clone(),
            games: games.to_vec(),
        }
    }
}

/// A report in progress.
pub struct Report<'a> {
    out: &'a mut dyn Write,
    /// Of a line, at most, except for lines of the conversation and for longer words.
    width: usize,
    form: Form,
    subject: Option<Subject>,
    findings: Vec<Finding>,
    stopped_at: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
}

#[derive(Serialize)]
struct Json<'a> {
    engine: &'a Option<Subject>,
    passed: usize,
    warned: usize,
    failed: usize,
    same: usize,
    skipped: usize,
    stopped_at: Option<&'static str>,
    checks: &'a [Finding],
}

impl<'a> Report<'a> {
    /// A report to `out`, a terminal with this many `columns` if it is one.
    pub fn new(out: &'a mut dyn Write, is_json: bool, columns: Option<usize>) -> Self {
        let form = if is_json { Form::Json } else { Form::Text };
        Self { out, width: width(columns), form, subject: None, findings: Vec::new(), stopped_at: None }
    }

    /// Prints the subject of the report.
    pub fn begin(&mut self, subject: Subject) -> io::Result<()> {
        if self.form == Form::Text {
            let name = subject.name.as_deref().unwrap_or(&subject.command);
            let author = subject.author.as_ref().map_or_else(String::new, |it| format!(" (author: {it})"));
            wrap(self.out, self.width, "", &format!("engine: {name}{author}"))?;
            if !subject.games.is_empty() {
                let games: Vec<String> = subject.games.iter().map(ToString::to_string).collect();
                wrap(self.out, self.width, "", &format!("games: {}", games.join(", ")))?;
            }
            writeln!(self.out)?;
        }
        self.subject = Some(subject);
        Ok(())
    }

    /// Adds a finding. Repeated mistakes, and checks that were given up, are listed at the end.
    pub fn add(&mut self, finding: Finding) -> io::Result<()> {
        if self.form == Form::Text && !is_listed(&finding) {
            let before = self.findings.iter().rfind(|before| !is_listed(before));
            print(self.out, self.width, &finding, before)?;
            self.out.flush()?;
        }
        self.findings.push(finding);
        Ok(())
    }

    /// Prints that there are no further checks in these games, because the engine fails this check.
    pub fn leave_out(&mut self, games: &[GameId], check: &str) -> io::Result<()> {
        if self.form == Form::Json {
            return Ok(());
        }
        let games: Vec<&str> = games.iter().map(GameId::id).collect();
        wrap(
            self.out,
            self.width,
            "      ",
            &format!("no further checks in {}, because [{check}] failed", games.join(", ")),
        )
    }

    /// Prints that there are no further checks, because the engine fails this check.
    pub fn stop(&mut self, check: &'static str) -> io::Result<()> {
        self.stopped_at = Some(check);
        if self.form == Form::Text {
            writeln!(self.out)?;
            let text = format!("The other checks were not run, because they depend on [{check}].");
            wrap(self.out, self.width, "", &text)?;
        }
        Ok(())
    }

    /// Ends the report. Returns the number of checks that failed, each with its own cause.
    pub fn finish(self) -> io::Result<usize> {
        let n = |verdict| self.findings.iter().filter(|finding| finding.verdict == verdict).count();
        let json = Json {
            engine: &self.subject,
            passed: n(CheckVerdict::Pass),
            warned: n(CheckVerdict::Warn),
            failed: n(CheckVerdict::Fail),
            same: n(CheckVerdict::Same),
            skipped: n(CheckVerdict::Skip) + n(CheckVerdict::GivenUp),
            stopped_at: self.stopped_at,
            checks: &self.findings,
        };
        match self.form {
            Form::Json => {
                serde_json::to_writer_pretty(&mut *self.out, &json)?;
                writeln!(self.out)?;
            }
            Form::Text => {
                let Json { passed, warned, failed, same, skipped, .. } = json;
                print_listed(self.out, self.width, &self.findings)?;
                let more = if same == 0 {
                    String::new()
                } else {
                    format!(" ({same} more for the same reason, listed above)")
                };
                let rest = match self.stopped_at {
                    None if 0 < skipped => format!(", {skipped} skipped"),
                    _ => String::new(),
                };
                writeln!(self.out)?;
                let sum = format!("{passed} passed, {warned} warned, {failed} failed{more}{rest}");
                wrap(self.out, self.width, "", &sum)?;
            }
        }
        Ok(json.failed)
    }
}

/// Whether a finding is only listed at the end.
const fn is_listed(finding: &Finding) -> bool {
    matches!(finding.verdict, CheckVerdict::Same | CheckVerdict::GivenUp)
}

/// Prints which checks fail with the cause of another one, and which were given up.
fn print_listed(out: &mut dyn Write, width: usize, findings: &[Finding]) -> io::Result<()> {
    let mut lists: Vec<(String, Vec<&Finding>)> = Vec::new();
    for finding in findings.iter().filter(|finding| is_listed(finding)) {
        let reason = match finding.same_as {
            Some(first) => format!("These checks fail for the same reason as [{first}]"),
            None => format!("These checks were not run, because {}", finding.note),
        };
        match lists.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, list)) => list.push(finding),
            None => lists.push((reason, vec![finding])),
        }
    }
    for (reason, list) in lists {
        writeln!(out)?;
        wrap(out, width, "", &format!("{reason}: {}.", names(&list)))?;
    }
    Ok(())
}

/// The names of checks, each with its games.
fn names(findings: &[&Finding]) -> String {
    let checks = findings.chunk_by(|one, other| one.check == other.check).map(|findings| {
        let games: Vec<String> =
            findings.iter().filter_map(|finding| finding.game).map(|game| game.to_string()).collect();
        match games.as_slice() {
            [] => findings[0].check.to_owned(),
            games => format!("{} ({})", findings[0].check, games.join(", ")),
        }
    });
    checks.collect::<Vec<_>>().join(", ")
}

/// Prints a finding. A check that is run for each game has a heading above its first line.
fn print(out: &mut dyn Write, width: usize, finding: &Finding, before: Option<&Finding>) -> io::Result<()> {
    let (word, colour) = match finding.verdict {
        CheckVerdict::Pass => ("pass", AnsiColor::Green),
        CheckVerdict::Warn => ("warn", AnsiColor::Yellow),
        CheckVerdict::Fail | CheckVerdict::Same => ("FAIL", AnsiColor::Red),
        CheckVerdict::Skip | CheckVerdict::GivenUp => ("-   ", AnsiColor::BrightBlack),
    };
    let style = Style::new().fg_color(Some(colour.into())).bold();
    let is_first = before.is_none_or(|before| before.check != finding.check);
    let mut text = finding.title.to_owned();
    if let Some(game) = finding.game {
        if is_first {
            wrap(out, width, "      ", finding.title)?;
        }
        text = format!("  {game}");
    }
    let is_quiet = matches!(finding.verdict, CheckVerdict::Pass | CheckVerdict::Skip);
    // A warning that was just printed for another game is not repeated.
    let is_again = !is_first && !is_quiet && before.is_some_and(|before| before.note == finding.note);
    if is_again {
        text.push_str(": the same");
    } else if is_quiet && !finding.note.is_empty() {
        text.push_str(&format!(": {}", finding.note));
    }
    if !is_quiet && !is_again {
        text.push_str(&format!(" [{}]", finding.check));
    }
    let first = fold(&text, width.saturating_sub(6));
    writeln!(out, "{style}{word}{style:#}  {}", first[0])?;
    if 1 < first.len() {
        wrap(out, width, "        ", &first[1..].join(" "))?;
    }
    if is_quiet || is_again {
        return Ok(());
    }
    wrap(out, width, "        why   ", &finding.note)?;
    wrap(
        out,
        width,
        "        rule  ",
        &format!("PROTOCOL.md, section \"{}\": {}", finding.section, finding.protocol),
    )?;
    let Transcript { sent, came } = &finding.transcript;
    if !sent.is_empty() {
        // Without indentation, so that it can be copied into the engine's input.
        writeln!(out, "        sent")?;
        sent.iter().try_for_each(|line| writeln!(out, "{}", cut(line)))?;
        if sent.iter().any(|line| LONGEST_SENT < line.chars().count()) {
            writeln!(out, "        (`--json` prints long lines in full)")?;
        }
    }
    if came.is_empty() {
        return writeln!(out, "        got   nothing");
    }
    for (idx, line) in came.iter().enumerate() {
        let lead = if idx == 0 { "got " } else { "    " };
        writeln!(out, "        {lead}  {}", escaped_line(line))?;
    }
    Ok(())
}

/// A line that was sent, without its middle if it is long.
fn cut(line: &str) -> Cow<'_, str> {
    let n_chars = line.chars().count();
    if n_chars <= LONGEST_SENT {
        return Cow::Borrowed(line);
    }
    let half = LONGEST_SENT / 2;
    let head: String = line.chars().take(half).collect();
    let tail: String = line.chars().skip(n_chars - half).collect();
    Cow::Owned(format!("{head} ({} characters left out) {tail}", n_chars - 2 * half))
}

/// Prints a text with `lead` before its first line and the same width of spaces before the others.
fn wrap(out: &mut dyn Write, width: usize, lead: &str, text: &str) -> io::Result<()> {
    for (idx, line) in fold(text, width.saturating_sub(lead.len())).iter().enumerate() {
        let lead = if idx == 0 { lead.to_owned() } else { " ".repeat(lead.len()) };
        writeln!(out, "{lead}{line}")?;
    }
    Ok(())
}

/// The words of a text in lines of at most `width` characters; its own line ends are kept. Never empty.
fn fold(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for part in text.lines() {
        let indent: String = part.chars().take_while(|c| *c == ' ').collect();
        let mut line = indent;
        for word in part.split_whitespace() {
            let is_blank = line.trim().is_empty();
            if !is_blank && width < line.chars().count() + 1 + word.chars().count() {
                lines.push(std::mem::take(&mut line));
            } else if !is_blank {
                line.push(' ');
            }
            line.push_str(&escaped_line(word));
        }
        lines.push(line);
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_in_the_middle() {
        assert_eq!(cut("position startpos"), "position startpos");
        let line = format!("position startpos moves{}", " ä1ä2".repeat(500));
        let cut = cut(&line);
        assert!(cut.starts_with("position startpos moves ä1ä2") && cut.ends_with("ä1ä2"), "{cut}");
        assert!(cut.contains(" characters left out) ") && cut.chars().count() < LONGEST_SENT + 50, "{cut}");
    }

    fn finding(verdict: CheckVerdict, game: Option<GameId>, note: &str) -> Finding {
        Finding {
            check: "infinite",
            game,
            verdict,
            same_as: None,
            title: "searches until `stop` after `go infinite`",
            note: note.to_owned(),
            section: "From the arena to the engine",
            protocol: "(until `stop`)",
            transcript: Transcript {
                sent: vec!["ugi".to_owned(), format!("position fen {}", "x".repeat(100)), "go".to_owned()],
                came: vec![format!("bestmove {} \u{7}", "y".repeat(100))],
            },
        }
    }

    fn lines(columns: Option<usize>) -> String {
        let mut out = Vec::new();
        let mut report = Report::new(&mut out, false, columns);
        report
            .begin(Subject {
                command: "./mine".to_owned(),
                args: Vec::new(),
                name: None,
                author: Some("A. N. Author".to_owned()),
                games: GameId::BUILT_IN[..5].to_vec(),
            })
            .unwrap();
        report.add(finding(CheckVerdict::Pass, None, "after 3.1ms")).unwrap();
        report
            .add(finding(
                CheckVerdict::Fail,
                None,
                "`bestmove \u{1b}[31m` came when no move was asked for, which is explained here at some length",
            ))
            .unwrap();
        let same = |check, game| Finding {
            check,
            same_as: Some("infinite"),
            ..finding(CheckVerdict::Same, game, "the same")
        };
        report.add(same("no-limits", None)).unwrap();
        report.add(same("self-play", Some(GameId::PUSH))).unwrap();
        report.add(same("self-play", Some(GameId::PUSH_PUSH))).unwrap();
        let other = |verdict, game, note| Finding { check: "other", ..finding(verdict, Some(game), note) };
        report.add(other(CheckVerdict::Skip, GameId::PUSH_PUSH, "no such thing")).unwrap();
        for game in [GameId::PUSH, GameId::TOWER_PUSH] {
            let silent = Transcript { came: Vec::new(), ..Transcript::default() };
            report.add(Finding { transcript: silent, ..other(CheckVerdict::Warn, game, "late") }).unwrap();
        }
        let given_up = |check, game| Finding {
            check,
            ..finding(CheckVerdict::GivenUp, game, "`bestmove` did not come 3 times")
        };
        report.add(given_up("info", Some(GameId::PUSH))).unwrap();
        report.add(given_up("restart", None)).unwrap();
        report.leave_out(&[GameId::PUSH, GameId::TOWER_PUSH], "first-move").unwrap();
        report.stop("other").unwrap();
        assert_eq!(report.finish().unwrap(), 1);
        anstream::adapter::strip_str(std::str::from_utf8(&out).unwrap()).to_string()
    }

    #[test]
    fn lines_for_people() {
        for (columns, width) in [(None, 80), (Some(200), 80), (Some(50), 50)] {
            let text = lines(columns);
            let mut of_report = text.lines().filter(|line| !line.contains("xxx") && !line.contains("yyy"));
            assert!(of_report.all(|line| line.chars().count() <= width), "{text}");
        }
        insta::assert_snapshot!(lines(None));
    }
}
