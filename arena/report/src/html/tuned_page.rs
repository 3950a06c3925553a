//! The page of a tuning: the values found, their tests, and the course of each option. It has no scripts.

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
    rows: Vec<Row<'a>>,
    forms: String,
    proofs: &'a [Proof],
    drawings: Vec<Drawing>,
}

/// The course of a number.
struct Drawing {
    title: String,
    /// The numbers at the lower and the upper edge.
    edges: [String; 2],
    /// The points of the line, and the heights of its start and of the number found.
    line: String,
    start_y: f64,
    found_y: f64,
}

/// The page.
pub fn render(tuning: &Tuning, name: &str, proofs: &[Proof]) -> String {
    let rows = rows(tuning);
    let course = |(idx, row): (usize, &Row<'_>)| {
        let values: Vec<f64> = tuning.iterates().iter().map(|values| values[idx]).collect();
        let (option, found) = (row.option, row.found.value);
        let low = values.iter().copied().fold(option.max, f64::min) - option.step;
        let high = values.iter().copied().fold(option.min, f64::max) + option.step;
        let edges = [low, high].map(|value| value.clamp(option.min, option.max));
        let title = format!("{}: {} to {}", option.name, row.number(row.found.start), row.number(found));
        Drawing::new(title, &values, found, edges, |value| row.number(value))
    };
    let mut drawings: Vec<Drawing> = rows.iter().enumerate().map(course).collect();
    drawings.push(score(tuning));
    let page = Page {
        title: format!("Tuning: {name}"),
        policy: assets::policy(&[], &[STYLE]),
        style: STYLE,
        facts: [
            format!("engine {}", tuning.tune.engine),
            format!("{} options", tuning.tune.options.len()),
            format!("{} of {} points", tuning.n_finished(), tuning.n_points),
        ],
        has_moved: tuning.has_moved(),
        rows,
        forms: forms(tuning),
        proofs,
        drawings,
    };
    page.render().expect("a String takes all")
}

/// The sum of the scores of the points so far, with 0 in the middle.
fn score(tuning: &Tuning) -> Drawing {
    let mut sums = vec![0.0];
    sums.extend(tuning.scores().iter().scan(0.0, |sum, score| {
        *sum += score;
        Some(*sum)
    }));
    let most = sums.iter().fold(1.0_f64, |most, sum| most.max(sum.abs())).ceil();
    Drawing::new("Score".to_owned(), &sums, 0.0, [-most, most], |sum| format!("{sum:+.0}"))
}

impl Drawing {
    fn new(
        title: String,
        values: &[f64],
        found: f64,
        edges: [f64; 2],
        number: impl Fn(f64) -> String,
    ) -> Self {
        let y = |value: f64| HEIGHT * (edges[1] - value) / (edges[1] - edges[0]);
        let last = values.len().clamp(2, MOST_PLACES) - 1;
        let point = |place: usize| {
            let value = values[place * (values.len() - 1) / last];
            format!("{:.1},{:.1}", WIDTH * place as f64 / last as f64, y(value))
        };
        let line = (0..=last).map(point).collect::<Vec<_>>().join(" ");
        Self { title, edges: edges.map(number), line, start_y: y(values[0]), found_y: y(found) }
    }
}
