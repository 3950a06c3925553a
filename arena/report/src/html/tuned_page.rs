//! The page of a tuning: the course of each option, and the score over time. It has no scripts.

use askama::Template;

use super::assets::{self, STYLE};
use crate::tuned::{Proof, Row, forms, rows};
use schedule::tune::Tuning;

/// The width of the drawings.
const WIDTH: f64 = 640.0;
/// Their height.
const HEIGHT: f64 = 150.0;
/// The number of places of a line.
const MOST_PLACES: usize = 400;

#[derive(Template)]
#[template(path = "tuned.html")]
struct Page<'a> {
    title: String,
    policy: String,
    style: &'static str,
    facts: [String; 3],
    has_moved: bool,
    options: Vec<OptionView<'a>>,
    /// The score of the first engine in all points so far.
    score: String,
    forms: String,
    proofs: &'a [Proof],
}

struct OptionView<'a> {
    row: Row<'a>,
    /// The lowest and the highest value of the drawing.
    low: f64,
    high: f64,
    /// The points of the line, and the heights of the start and the value found.
    line: String,
    start_y: f64,
    now_y: f64,
}

/// The page.
pub fn render(tuning: &Tuning, name: &str, proofs: &[Proof]) -> String {
    let options = rows(tuning).into_iter().enumerate().map(|(idx, row)| {
        let option = row.option;
        let values = || tuning.iterates().iter().map(|values| values[idx]);
        let low = values().fold(option.max, f64::min) - option.step;
        let high = values().fold(option.min, f64::max) + option.step;
        let [low, high] = [low, high].map(|value| value.clamp(option.min, option.max));
        let y = |value: f64| HEIGHT * (high - value) / (high - low);
        let line = line(&values().map(y).collect::<Vec<_>>());
        OptionView { low, high, line, start_y: y(row.start), now_y: y(row.found.value), row }
    });
    let page = Page {
        title: format!("Tuning: {name}"),
        policy: assets::policy(&[], &[STYLE]),
        style: STYLE,
        facts: [
            format!("engine {}", tuning.tune().engine),
            format!("{} options", tuning.tune().options.len()),
            format!("{} of {} points", tuning.n_finished(), tuning.n_points()),
        ],
        has_moved: tuning.has_moved(),
        options: options.collect(),
        score: score(tuning),
        forms: forms(tuning),
        proofs,
    };
    page.render().expect("a String takes all")
}

/// The sum of the scores so far, in the middle of the drawing if it is 0.
fn score(tuning: &Tuning) -> String {
    let mut sums = vec![0.0];
    sums.extend(tuning.scores().iter().scan(0.0, |sum, score| {
        *sum += score;
        Some(*sum)
    }));
    let most = sums.iter().fold(1.0_f64, |most, sum| most.max(sum.abs()));
    line(&sums.into_iter().map(|sum| HEIGHT * (0.5 - 0.5 * sum / most)).collect::<Vec<_>>())
}

/// The points of a line through these heights, at most [`MOST_PLACES`].
fn line(heights: &[f64]) -> String {
    let last = heights.len().clamp(2, MOST_PLACES) - 1;
    let point = |place: usize| {
        let height = heights[place * (heights.len() - 1) / last];
        format!("{:.1},{height:.1}", WIDTH * place as f64 / last as f64)
    };
    (0..=last).map(point).collect::<Vec<_>>().join(" ")
}
