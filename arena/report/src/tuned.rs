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
use schedule::tune::{Found, Point, Tuning};

/// The table of all values in a results folder.
pub const TUNE_CSV: &str = "tune.csv";
/// The page in a results folder.
pub const TUNE_HTML: &str = "tune.html";
/// The values found, and what their tests say, in a results folder.
pub const TUNE_JSON: &str = "tune.json";

/// Half the width of a 95 % interval, in standard deviations.
const INTERVAL: f64 = 1.96;
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
    /// Its standings and its verdict as text.
    pub text: String,
}

/// A tuning that shows its values while it runs.
#[derive(Debug)]
pub struct Tuned(pub Rc<RefCell<Tuning>>);

impl Standings for Tuned {
    fn lines(&self) -> String {
        let tuning = self.0.borrow();
        let table = table(&tuning);
        let n_options = tuning.tune().options.len();
        let mut lines: Vec<&str> = table.lines().take(N_RUNNING + 1).collect();
        let rest = format!("... {} more options", n_options.saturating_sub(N_RUNNING));
        if N_RUNNING < n_options {
            lines.push(&rest);
        }
        lines.join("\n")
    }
}

/// The digits that are useful: those that the engine gets, or that the step needs.
fn digits(option: &TuneOption) -> usize {
    let digits = match option.scale {
        Some(scale) => scale.log10().ceil(),
        None if option.float => 1.0 - option.step.log10().floor(),
        None => 0.0,
    };
    digits.clamp(0.0, 6.0) as usize
}

/// A value with its useful digits.
pub(crate) fn number(option: &TuneOption, value: f64) -> String {
    let text = format!("{value:.0$}", digits(option));
    if text.trim_start_matches(['-', '0', '.']).is_empty() { text.replace('-', "") } else { text }
}

/// The half width of the interval in which chance alone leaves an option.
fn interval(found: &Found) -> f64 {
    INTERVAL * found.noise
}

/// The same as text.
pub(crate) fn chance(option: &TuneOption, found: &Found) -> String {
    format!("{:.1$}", interval(found), digits(option).max(1))
}

/// A line for each option: where it began, where it is, how far chance alone would have moved it, and its course.
pub fn table(tuning: &Tuning) -> String {
    let options = &tuning.tune().options;
    let names: Vec<String> =
        options.iter().map(|option| cut_middle(&shown(&option.name), NAME_WIDTH)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default().max(6);
    let mut text = format!("{:<width$} {:>9} {:>9}  {:<9}\n", "Option", "Start", "Now", "± chance");
    for (idx, ((option, name), found)) in options.iter().zip(&names).zip(tuning.found()).enumerate() {
        let start = tuning.iterates()[0][idx];
        let arrow = match found.value - start {
            moved if moved > interval(&found) => '↑',
            moved if moved < -interval(&found) => '↓',
            _ => '·',
        };
        let (begun, now) = (number(option, start), number(option, found.value));
        let (chance, curve) = (chance(option, &found), curve(tuning, idx));
        writeln!(text, "{name:<width$} {begun:>9} {now:>9}  ± {chance:<7} {arrow} {curve}")
            .expect("a String takes all");
    }
    text
}

/// The course of an option in one line, between the lowest and the highest value that may be tried.
fn curve(tuning: &Tuning, idx: usize) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let iterates = tuning.iterates();
    let option = &tuning.tune().options[idx];
    let level = |column: usize| {
        let value = iterates[column * (iterates.len() - 1) / (CURVE - 1)][idx];
        let share = (value - option.min) / (option.max - option.min);
        LEVELS[((share * 8.0) as usize).min(7)]
    };
    (0..CURVE).map(level).collect()
}

/// The values found in the forms that people copy: for a tournament file, for an engine, and for OpenBench.
pub fn forms(tuning: &Tuning) -> String {
    let answer = tuning.answer();
    let in_order = || tuning.tune().options.iter().zip(&answer).map(|(option, (_, found))| (option, found));
    let plain =
        |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) && !name.is_empty();
    let key = |name: &str| if plain(name) { name.to_owned() } else { format!("{name:?}") };
    let value = |option: &TuneOption, value: &str| {
        if option.float { format!("\"{value}\"") } else { value.to_owned() }
    };
    let pairs: Vec<String> = in_order()
        .map(|(option, found)| format!("{} = {}", key(&option.name), value(option, found)))
        .collect();
    let mut text = format!("options = {{ {} }}\n\n", pairs.join(", "));
    for (option, found) in in_order() {
        writeln!(text, "setoption name {} value {found}", option.name).expect("a String takes all");
    }
    text.push('\n');
    for (option, found) in in_order() {
        let kind = if option.float { "float" } else { "int" };
        let (range, step) = (option.range(), (option.scaled(option.step) * 1e6).round() / 1e6);
        let (name, min, max) = (&option.name, range.start(), range.end());
        writeln!(text, "{name}, {kind}, {found}, {min}, {max}, {step}, 0.002").expect("a String takes all");
    }
    text
}

/// The values of the next points of both engines, as they read them, as far as they are known.
pub fn next_points(tuning: &Tuning) -> String {
    let mut text = Vec::new();
    let next = tuning.n_finished()..tuning.n_points().min(tuning.n_finished() + N_NEXT);
    for (idx, Point { plus, minus }) in next.map_while(|idx| Some((idx, tuning.point(idx)?))) {
        let values = tuning.tune().options.iter().zip(plus.iter().zip(minus));
        let values =
            values.map(|(option, (plus, minus))| format!("{} {plus} : {minus}", shown(&option.name)));
        let line = format!("  point {}: {}", idx + 1, values.collect::<Vec<_>>().join(", "));
        write_wrapped(&line, "    ", &mut text).expect("a Vec takes all");
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
    let names = tuning.tune().options.iter().map(|option| model::escape::cell(&option.name).into_owned());
    let head = ["point".to_owned(), "score".to_owned()].into_iter().chain(names).collect::<Vec<_>>();
    let scores = [String::new()].into_iter().chain(tuning.scores().iter().map(ToString::to_string));
    let rows = tuning.iterates().iter().zip(scores).enumerate().map(|(point, (values, score))| {
        let values = values.iter().map(|value| format!("{value:.6}"));
        [point.to_string(), score].into_iter().chain(values).collect()
    });
    let mut csv = csv::Writer::from_writer(Vec::new());
    [head].into_iter().chain(rows).for_each(|row| csv.write_record(row).expect("rows of the same length"));
    csv.into_inner().expect("a Vec takes all")
}

/// The values found, and the verdicts of their tests.
fn json(tuning: &Tuning, proofs: &[Proof]) -> Vec<u8> {
    let found = tuning.found().into_iter().zip(tuning.answer()).zip(&tuning.iterates()[0]);
    let options = found.map(|((found, (name, value)), start)| {
        json!({ "name": name, "start": start, "mean": found.value, "chance": interval(&found), "value": value })
    });
    let found = json!({
        "points": tuning.n_points(),
        "finished": tuning.n_finished(),
        "has_moved": tuning.has_moved(),
        "options": options.collect::<Vec<_>>(),
        "proofs": proofs.iter().map(|proof| (proof.folder, proof.verdict)).collect::<BTreeMap<_, _>>(),
    });
    format!("{found:#}\n").into_bytes()
}
