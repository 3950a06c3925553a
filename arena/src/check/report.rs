//! The report: lines for people as the findings come, or JSON at the end. It judges nothing.

use std::io::{self, Write};

use clap::builder::styling::{AnsiColor, Style};
use engine_proto::GameId;
use serde::Serialize;

use super::CheckArgs;
use super::finding::{Finding, Verdict};
use crate::config::GameName;
use crate::engine::Greeting;

/// No line of the report is longer, unless what it quotes is one long word.
const WIDTH: usize = 80;
/// So many of the last lines of a conversation are printed, of each side.
const SHOWN_LINES: usize = 4;

/// Whom the report is about.
#[derive(Clone, Debug, Serialize)]
pub struct Subject {
    command: String,
    args: Vec<String>,
    name: Option<String>,
    author: Option<String>,
    games: Vec<GameName>,
}

impl Subject {
    /// The engine of the command line, as it introduced itself.
    pub fn new(args: &CheckArgs, greeting: &Greeting, games: &[GameId]) -> Self {
        Self {
            command: args.command.display().to_string(),
            args: args.args.clone(),
            name: greeting.name.clone(),
            author: greeting.author.clone(),
            games: games.iter().copied().map(GameName).collect(),
        }
    }
}

/// A report under way.
pub struct Report<'a> {
    out: &'a mut dyn Write,
    form: Form,
    subject: Option<Subject>,
    findings: Vec<Finding>,
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
    skipped: usize,
    checks: &'a [Finding],
}

impl<'a> Report<'a> {
    /// A report to `out`.
    pub fn new(out: &'a mut dyn Write, is_json: bool) -> Self {
        let form = if is_json { Form::Json } else { Form::Text };
        Self { out, form, subject: None, findings: Vec::new() }
    }

    /// Says whom it is about.
    pub fn begin(&mut self, subject: Subject) -> io::Result<()> {
        if self.form == Form::Text {
            let name = subject.name.as_deref().unwrap_or(&subject.command);
            let author = subject.author.as_ref().map_or_else(String::new, |author| format!(" by {author}"));
            wrap(self.out, "", &format!("{name}{author}"))?;
            if !subject.games.is_empty() {
                let games: Vec<String> = subject.games.iter().map(ToString::to_string).collect();
                wrap(self.out, "", &games.join(", "))?;
            }
            writeln!(self.out)?;
        }
        self.subject = Some(subject);
        Ok(())
    }

    /// Adds a finding.
    pub fn add(&mut self, finding: Finding) -> io::Result<()> {
        if self.form == Form::Text {
            print(self.out, &finding, self.findings.last())?;
            self.out.flush()?;
        }
        self.findings.push(finding);
        Ok(())
    }

    /// Ends the report: how many checks failed.
    pub fn finish(self) -> io::Result<usize> {
        let n = |verdict| self.findings.iter().filter(|finding| finding.verdict == verdict).count();
        let json = Json {
            engine: &self.subject,
            passed: n(Verdict::Pass),
            warned: n(Verdict::Warn),
            failed: n(Verdict::Fail),
            skipped: n(Verdict::Skip),
            checks: &self.findings,
        };
        match self.form {
            Form::Json => {
                serde_json::to_writer_pretty(&mut *self.out, &json)?;
                writeln!(self.out)?;
            }
            Form::Text => {
                let Json { passed, warned, failed, skipped, .. } = json;
                writeln!(
                    self.out,
                    "\n{passed} passed, {warned} warned, {failed} failed, {skipped} not checked"
                )?;
            }
        }
        Ok(json.failed)
    }
}

/// Prints a finding. A check that is made for each game has a heading above its first line.
fn print(out: &mut dyn Write, finding: &Finding, before: Option<&Finding>) -> io::Result<()> {
    let (word, colour) = match finding.verdict {
        Verdict::Pass => ("pass", AnsiColor::Green),
        Verdict::Warn => ("warn", AnsiColor::Yellow),
        Verdict::Fail => ("FAIL", AnsiColor::Red),
        Verdict::Skip => ("-   ", AnsiColor::BrightBlack),
    };
    let style = Style::new().fg_color(Some(colour.into())).bold();
    let is_first = before.is_none_or(|before| before.check != finding.check);
    let mut text = finding.title.to_owned();
    if let Some(game) = finding.game {
        if is_first {
            writeln!(out, "      {}", finding.title)?;
        }
        text = format!("  {game}");
    }
    let is_quiet = matches!(finding.verdict, Verdict::Pass | Verdict::Skip);
    // What was just told of another game need not be told again.
    let is_again = !is_first && !is_quiet && before.is_some_and(|before| before.note == finding.note);
    if is_again {
        text.push_str(": the same");
    } else if is_quiet && !finding.note.is_empty() {
        text.push_str(&format!(": {}", finding.note));
    }
    if !is_quiet && !is_again {
        text.push_str(&format!(" [{}]", finding.check));
    }
    let first = fold(&text, WIDTH - 6);
    writeln!(out, "{style}{word}{style:#}  {}", first[0])?;
    first[1..].iter().try_for_each(|line| writeln!(out, "        {line}"))?;
    if is_quiet || is_again {
        return Ok(());
    }
    wrap(out, "        why   ", &finding.note)?;
    dialogue(out, "sent", &finding.transcript.sent)?;
    dialogue(out, "came", &finding.transcript.came)?;
    wrap(
        out,
        "        rule  ",
        &format!("PROTOCOL.md, section \"{}\": {}", finding.section, finding.protocol),
    )
}

fn dialogue(out: &mut dyn Write, word: &str, lines: &[String]) -> io::Result<()> {
    let n_hidden = lines.len().saturating_sub(SHOWN_LINES);
    if lines.is_empty() {
        return wrap(out, &format!("        {word}  "), "nothing");
    }
    if 0 < n_hidden {
        writeln!(out, "        {word}  ...")?;
    }
    for (idx, line) in lines[n_hidden..].iter().enumerate() {
        let lead = if idx == 0 && n_hidden == 0 { word } else { "    " };
        // One line each: what was said is for the eye here, and whole in the JSON.
        let line: String = line.chars().flat_map(char::escape_debug).collect();
        let room = WIDTH - 14;
        let cut = if line.chars().count() <= room {
            line
        } else {
            line.chars().take(room - 3).chain("...".chars()).collect()
        };
        writeln!(out, "        {lead}  {cut}")?;
    }
    Ok(())
}

/// Prints a text with `lead` before its first line and as much space before the others.
fn wrap(out: &mut dyn Write, lead: &str, text: &str) -> io::Result<()> {
    for (idx, line) in fold(text, WIDTH - lead.len()).iter().enumerate() {
        let lead = if idx == 0 { lead.to_owned() } else { " ".repeat(lead.len()) };
        writeln!(out, "{lead}{line}")?;
    }
    Ok(())
}

/// The words of a text in lines of at most `width` characters; its own line ends stay. Never empty.
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
            // What a terminal would obey is spelled out.
            line.extend(word.chars().flat_map(|c| {
                if c.is_control() { c.escape_debug().to_string() } else { c.to_string() }
                    .chars()
                    .collect::<Vec<_>>()
            }));
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
    use crate::check::finding::Transcript;

    fn finding(verdict: Verdict, game: Option<GameId>, note: &str) -> Finding {
        Finding {
            check: "infinite",
            game: game.map(GameName),
            verdict,
            title: "thinks until `stop` after `go infinite`",
            note: note.to_owned(),
            section: "From the arena to the engine",
            protocol: "(until `stop`)",
            transcript: Transcript {
                sent: (1..8).map(|n| format!("line {n}\t{}", "x".repeat(n * 20))).collect(),
                came: Vec::new(),
            },
        }
    }

    #[test]
    fn lines_for_people() {
        let mut out = Vec::new();
        let mut report = Report::new(&mut out, false);
        report
            .begin(Subject {
                command: "./mine".to_owned(),
                args: Vec::new(),
                name: None,
                author: Some("A. N. Author".to_owned()),
                games: GameId::ALL.iter().copied().map(GameName).collect(),
            })
            .unwrap();
        report.add(finding(Verdict::Pass, None, "after 3.1ms")).unwrap();
        report
            .add(finding(
                Verdict::Fail,
                None,
                "`bestmove \u{1b}[31m` came when no move was due, and so it is told here at some length",
            ))
            .unwrap();
        report
            .add(Finding {
                check: "other",
                ..finding(Verdict::Skip, Some(GameId::PushPush), "no such thing")
            })
            .unwrap();
        for game in [GameId::Push, GameId::TowerPush] {
            report.add(Finding { check: "other", ..finding(Verdict::Warn, Some(game), "late") }).unwrap();
        }
        assert_eq!(report.finish().unwrap(), 1);
        let text = anstream::adapter::strip_str(std::str::from_utf8(&out).unwrap()).to_string();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        insta::assert_snapshot!(text);
    }
}
