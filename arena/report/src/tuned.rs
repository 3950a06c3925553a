//! What a tuning has found: a table, its values in the forms that people copy, a CSV of all values, and a page.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::rc::Rc;

use crate::Standings;
use crate::html::tuned_page;
use crate::tables::text::{cut_middle, shown};
use host::output::write_whole;
use model::TuneOption;
use schedule::tune::{Found, Tuning};

/// The table of all values in a results folder.
pub const TUNE_CSV: &str = "tune.csv";
/// The page in a results folder.
pub const TUNE_HTML: &str = "tune.html";

/// Half the width of a 95 % interval, in standard deviations.
const INTERVAL: f64 = 1.96;
/// The widest name in the table.
const NAME_WIDTH: usize = 24;
/// The number of columns of the small curves.
const CURVE: usize = 20;
/// The number of options that are shown during a run.
const N_RUNNING: usize = 12;

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

/// A value with the digits that its step makes useful.
pub(crate) fn number(option: &TuneOption, value: f64) -> String {
    let digits = if option.float { (1.0 - option.step.log10().floor()).clamp(0.0, 6.0) as usize } else { 0 };
    let text = format!("{value:.digits$}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() { text.replace('-', "") } else { text }
}

/// The half width of the interval in which chance alone leaves an option.
fn interval(found: &Found) -> f64 {
    INTERVAL * found.noise
}

/// The same as text.
pub(crate) fn chance(option: &TuneOption, found: &Found) -> String {
    format!("{:.1$}", interval(found), if option.float { 3 } else { 1 })
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
    let in_order = || tuning.tune().options.iter().map(|option| (option, &answer[&option.name]));
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
        let TuneOption { name, min, max, step, float, .. } = option;
        let kind = if *float { "float" } else { "int" };
        writeln!(text, "{name}, {kind}, {found}, {min}, {max}, {step}, 0.002").expect("a String takes all");
    }
    text
}

/// Writes the table of all values to the results folder: a row for the start and for each point.
///
/// # Errors
/// If it cannot be written.
pub fn write_tune_csv(tuning: &Tuning, folder: &Path) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let names = tuning.tune().options.iter().map(|option| model::escape::cell(&option.name).into_owned());
    csv.write_record(["point".to_owned(), "score".to_owned()].into_iter().chain(names))?;
    let scores = [String::new()].into_iter().chain(tuning.scores().map(|score| score.to_string()));
    for (point, (values, score)) in tuning.iterates().iter().zip(scores).enumerate() {
        let values = values.iter().map(|value| format!("{value:.6}"));
        csv.write_record([point.to_string(), score].into_iter().chain(values))?;
    }
    let bytes = csv.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    write_whole(&folder.join(TUNE_CSV), |file| file.write_all(&bytes))
}

/// Writes the page of a tuning to the results folder; `proofs` is what tests of its values have found, as text.
///
/// # Errors
/// If it cannot be written.
pub fn write_tune_page(tuning: &Tuning, name: &str, proofs: &[String], folder: &Path) -> io::Result<()> {
    let page = tuned_page::render(tuning, name, proofs);
    write_whole(&folder.join(TUNE_HTML), |file| file.write_all(page.as_bytes()))
}
