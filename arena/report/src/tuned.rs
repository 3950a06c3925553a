//! What a tuning has found: a table, its values in the forms that people copy, and files for programs and browsers.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::rc::Rc;

use serde_json::json;

use crate::Standings;
use crate::html::tuned_page;
use crate::tables::text::{cut_middle, shown, write_wrapped};
use host::output::{CannotWrite, write_whole};
use model::TuneOption;
use ratings::SprtVerdict;
use schedule::tune::{Found, Tuning};

/// The values at the start and after each point, in a results folder.
const TUNE_CSV: &str = "tune.csv";
/// The page.
const TUNE_HTML: &str = "tune.html";
/// The values found, and the verdicts of their tests.
const TUNE_JSON: &str = "tune.json";

/// The widest name in the table.
const NAME_WIDTH: usize = 24;
/// The number of columns of the small curves.
const CURVE: usize = 20;
/// The number of options that are shown during a run.
const N_RUNNING: usize = 12;
/// The number of points that are shown before a run.
const N_NEXT: u32 = 3;

/// A test of the values found.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The name of its folder in the results folder.
    pub folder: &'static str,
    /// Its verdict.
    pub verdict: SprtVerdict,
    /// The same in words.
    pub words: String,
    /// Its standings as text.
    pub standings: String,
}

/// A tuning that shows its values while it runs.
#[derive(Debug)]
pub struct Tuned(pub Rc<RefCell<Tuning>>);

impl Standings for Tuned {
    fn lines(&self) -> String {
        let table = table(&self.0.borrow());
        let lines: Vec<&str> = table.lines().take(N_RUNNING + 1).collect();
        match table.lines().count() - lines.len() {
            0 => lines.join("\n"),
            n_more => format!("{}\n... {n_more} more options", lines.join("\n")),
        }
    }
}

/// An option and what is found of it.
pub(crate) struct Row<'a> {
    pub option: &'a TuneOption,
    pub found: Found,
    digits: usize,
}

impl Row<'_> {
    /// A value with the digits that the engine gets, or that the step makes useful.
    pub fn number(&self, value: f64) -> String {
        let text = format!("{value:.0$}", self.digits);
        if text.trim_start_matches(['-', '0', '.']).is_empty() { text.replace('-', "") } else { text }
    }

    /// The half width of the interval in which chance alone leaves the option.
    pub fn chance(&self) -> String {
        format!("{:.1$}", self.found.chance, self.digits.max(1))
    }
}

/// All options.
pub(crate) fn rows(tuning: &Tuning) -> Vec<Row<'_>> {
    let row = tuning.tune.options.iter().zip(tuning.found()).map(|(option, found)| {
        let digits = match option.scale {
            Some(scale) => scale.log10().ceil(),
            None if option.float => 1.0 - option.step.log10().floor(),
            None => 0.0,
        };
        Row { option, found, digits: digits.clamp(0.0, 6.0) as usize }
    });
    row.collect()
}

/// What has been found so far as text, with its files in this results folder.
pub fn found(tuning: &Tuning, folder: &Path) -> String {
    format!(
        "{}\n{} of {} points; `Now` is the mean of the second half; ± how far chance alone would move it (95 %)\n\n{}\n\
         Page:  {}\nTable: {}\n",
        table(tuning),
        tuning.n_finished(),
        tuning.n_points,
        forms(tuning),
        folder.join(TUNE_HTML).display(),
        folder.join(TUNE_CSV).display()
    )
}

/// A line for each option: where it began, where it is, how far chance alone would have moved it, and its course.
fn table(tuning: &Tuning) -> String {
    let rows = rows(tuning);
    let name = |row: &Row<'_>| cut_middle(&shown(&row.option.name), NAME_WIDTH);
    let width = rows.iter().map(|row| name(row).chars().count()).max().unwrap_or_default().max(6);
    let mut text = format!("{:<width$} {:>9} {:>9}  {:<9}\n", "Option", "Start", "Now", "± chance");
    for (idx, row) in rows.iter().enumerate() {
        let arrow = match (row.found.value - row.found.start) / row.found.chance {
            moved if moved > 1.0 => '↑',
            moved if moved < -1.0 => '↓',
            _ => '·',
        };
        let (name, begun, now) = (name(row), row.number(row.found.start), row.number(row.found.value));
        let (chance, curve) = (row.chance(), curve(tuning, idx));
        writeln!(text, "{name:<width$} {begun:>9} {now:>9}  ± {chance:<7} {arrow} {curve}")
            .expect("a String takes all");
    }
    text
}

/// The course of an option in one line, between the lowest and the highest value that may be tried.
fn curve(tuning: &Tuning, idx: usize) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let iterates = tuning.iterates();
    let option = &tuning.tune.options[idx];
    let level = |column: usize| {
        let value = iterates[column * (iterates.len() - 1) / (CURVE - 1)][idx];
        let share = (value - option.min) / (option.max - option.min);
        LEVELS[((share * 8.0) as usize).min(7)]
    };
    (0..CURVE).map(level).collect()
}

/// The values found in the forms that people copy: for a tournament file, for an engine, and for OpenBench.
pub(crate) fn forms(tuning: &Tuning) -> String {
    let plain =
        |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) && !name.is_empty();
    let (mut pairs, mut lines, mut open_bench) = (Vec::new(), String::new(), String::new());
    for (option, (name, found)) in tuning.tune.options.iter().zip(tuning.answer()) {
        let key = if plain(&name) { name.clone() } else { format!("{name:?}") };
        pairs.push(if option.float { format!("{key} = \"{found}\"") } else { format!("{key} = {found}") });
        lines += &format!("setoption name {name} value {found}\n");
        let kind = if option.float { "float" } else { "int" };
        let (range, step) = (option.range(), (option.scaled(option.step) * 1e6).round() / 1e6);
        open_bench +=
            &format!("{name}, {kind}, {found}, {}, {}, {step}, 0.002\n", range.start(), range.end());
    }
    format!("options = {{ {} }}\n\n{lines}\n{open_bench}", pairs.join(", "))
}

/// The values of the next points, as both engines read them, as far as they are known.
pub fn next_points(tuning: &Tuning) -> String {
    let mut text = Vec::new();
    let next = tuning.n_finished()..tuning.n_points.min(tuning.n_finished() + N_NEXT);
    for (idx, [plus, minus]) in next.map_while(|idx| Some((idx, tuning.point(idx)?))) {
        let values = tuning.tune.options.iter().zip(plus.iter().zip(minus));
        let values =
            values.map(|(option, (plus, minus))| format!("{} {plus} against {minus}", shown(&option.name)));
        let line =
            format!("point {} of {}: {}", idx + 1, tuning.n_points, values.collect::<Vec<_>>().join(", "));
        write_wrapped(&line, "  ", &mut text).expect("a Vec takes all");
    }
    String::from_utf8(text).expect("it was text")
}

/// Writes what a tuning has found to its results folder: the values of all points, the values found, and the page.
///
/// # Errors
/// If a file cannot be written.
pub fn write(tuning: &Tuning, name: &str, proofs: &[Proof], folder: &Path) -> Result<(), CannotWrite> {
    let page = tuned_page::render(tuning, name, proofs).into_bytes();
    for (file, bytes) in [(TUNE_CSV, csv(tuning)), (TUNE_JSON, json(tuning, proofs)), (TUNE_HTML, page)] {
        let path = folder.join(file);
        write_whole(&path, |file| file.write_all(&bytes)).map_err(CannotWrite::at(&path))?;
    }
    Ok(())
}

/// A row for the start and for each point.
fn csv(tuning: &Tuning) -> Vec<u8> {
    let names = tuning.tune.options.iter().map(|option| model::escape::cell(&option.name).into_owned());
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut write = |row: Vec<String>| csv.write_record(row).expect("a Vec takes all");
    write(["point".to_owned(), "score".to_owned()].into_iter().chain(names).collect());
    let scores = [String::new()].into_iter().chain(tuning.scores().iter().map(ToString::to_string));
    for (point, (values, score)) in tuning.iterates().iter().zip(scores).enumerate() {
        let values = values.iter().map(|value| format!("{value:.6}"));
        write([point.to_string(), score].into_iter().chain(values).collect());
    }
    csv.into_inner().expect("a Vec takes all")
}

/// The values found, and the verdicts of their tests.
fn json(tuning: &Tuning, proofs: &[Proof]) -> Vec<u8> {
    let options = tuning.found().into_iter().zip(tuning.answer()).map(|(found, (name, value))| {
        let Found { start, value: mean, chance } = found;
        json!({ "name": name, "start": start, "mean": mean, "chance": chance, "value": value })
    });
    let found = json!({
        "points": tuning.n_points,
        "finished": tuning.n_finished(),
        "has_moved": tuning.has_moved(),
        "options": options.collect::<Vec<_>>(),
        "proofs": proofs.iter().map(|proof| (proof.folder, proof.verdict)).collect::<BTreeMap<_, _>>(),
    });
    format!("{found:#}\n").into_bytes()
}
