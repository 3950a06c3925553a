//! Positions to learn from, as a file with the columns of `arena export`. It trains nothing.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::{self, Write as _};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use engine_proto::proto::Score;
use engine_proto::{Position, Searchable, Side};
use engines::eval::Evaluator;
use engines::eval::network::{Numbering, Row};

use crate::recipe::Recipe;
use crate::selfplay::{Match, SelfPlay, share_of};

/// Every match whose number is a multiple is held out.
const HELD_OUT: u64 = 10;
/// From this score on, `arena export` means a proven end.
const PROVEN: i32 = 31_000;
const HEADER: &str = "game,match,ply,fen,move,score,depth,nodes,result";

/// Positions as the training sees them.
pub struct Data {
    /// The rows of all positions, as White sees them.
    rows: Vec<Row>,
    /// Those to train with.
    pub fitted: Vec<Sample>,
    /// Those to test with, of other matches.
    pub held_out: Vec<Sample>,
}

/// One position.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    first: u32,
    len: u16,
    /// The side to move.
    pub side: Side,
    /// The classic evaluation for the side to move, in natural log-odds.
    pub classic: f32,
    /// The share of the point that the side to move gets.
    pub share: f32,
}

/// A line of the file.
struct Line<P> {
    number: u64,
    position: P,
    share: f64,
}

/// Plays the matches of a recipe and writes their positions. If the same matches have been written before, they are not
/// played again.
pub fn play<P: Searchable, E: Evaluator<P>>(
    recipe: &Recipe,
    evaluator: &E,
) -> Result<PathBuf, Box<dyn Error>> {
    let stem = PathBuf::from("target/learn").join(P::INFO.id);
    let (path, made) = (stem.with_extension("csv"), stem.with_extension("recipe"));
    let Recipe { first, matches, nodes, .. } = *recipe;
    let wanted = format!("first={first} matches={matches} nodes={nodes}\n");
    if path.exists() && fs::read_to_string(&made).is_ok_and(|made| made == wanted) {
        return Ok(path);
    }
    let texts = SelfPlay { first, matches, nodes }.play_all(evaluator, |played: Match<P>| {
        if played.number.is_multiple_of(1000) {
            eprintln!("match {} of {matches}", played.number - first);
        }
        lines_of(recipe, &played)
    });
    fs::create_dir_all("target/learn")?;
    fs::write(&path, format!("{HEADER}\n{}", texts.concat()))?;
    fs::write(made, wanted)?;
    Ok(path)
}

fn lines_of<P: Position>(recipe: &Recipe, played: &Match<P>) -> String {
    let result = match played.winner {
        Some(Side::White) => "1",
        Some(Side::Black) => "0",
        None => "0.5",
    };
    let mut text = String::new();
    let seen = played.seen.iter().map(|seen| (seen, result));
    for (seen, result) in seen.chain(played.strays.iter().map(|stray| (stray, ""))) {
        let Score::Centi(score) = seen.score else { continue };
        let score = if seen.position.side_to_move() == Side::White { score } else { -score };
        let (game, number, nodes) = (recipe.game, played.number, recipe.nodes);
        // A text never fails to take more.
        let fen = seen.position.to_string();
        let fen = if fen.contains(',') { format!("\"{fen}\"") } else { fen };
        let _ = writeln!(text, "{game},{number},{},{fen},{},{score},,{nodes},{result}", seen.ply, seen.mv);
    }
    text
}

/// Calls `take` for the lines of the game in a file that the recipe wants, each position once.
fn each_line<P: Searchable, E: Evaluator<P>>(
    path: &Path,
    recipe: &Recipe,
    evaluator: &E,
    mut take: impl FnMut(Line<P>),
) -> Result<(), Box<dyn Error>> {
    let file = File::open(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut known = HashSet::new();
    for (idx, line) in BufReader::new(file).lines().enumerate() {
        let line = line?;
        let bad = |what: &str| format!("line {} of {} has {what}", idx + 1, path.display());
        let columns = columns(&line);
        let [game, number, _, fen, mv, score, _, _, result] = columns[..] else {
            return Err(bad("not the columns of `arena export`").into());
        };
        if game != P::INFO.id || score.is_empty() {
            continue;
        }
        let position: P = fen.parse().map_err(|error| bad(&format!("no position: {error}")))?;
        let is_forcing =
            |text| position.parse_move(text).is_none_or(|mv| evaluator.is_forcing(&position, mv));
        if recipe.quiet && is_forcing(mv) || !known.insert(position.fingerprint()) {
            continue;
        }
        let score: i32 = score.parse().map_err(|_| bad("no score"))?;
        let turned = |share: f64| if position.side_to_move() == Side::White { share } else { 1.0 - share };
        let score = match score {
            PROVEN.. => 1.0,
            _ if score <= -PROVEN => 0.0,
            _ => share_of(Score::Centi(score), E::SPREAD),
        };
        let part = f64::from(recipe.result) / 100.0;
        let share = match result {
            "" => score,
            _ => part * result.parse::<f64>().map_err(|_| bad("no result"))? + (1.0 - part) * score,
        };
        let number = number.parse().map_err(|_| bad("no match"))?;
        take(Line { number, share: turned(share), position });
    }
    Ok(())
}

/// The columns of a line. A text with a comma is in quotes; none has quotes inside.
fn columns(line: &str) -> Vec<&str> {
    let mut columns = Vec::with_capacity(9);
    let mut rest = Some(line);
    while let Some(text) = rest {
        let quoted = text.strip_prefix('"').and_then(|text| text.split_once('"'));
        let (column, after) = quoted.unwrap_or_else(|| text.split_at(text.find(',').unwrap_or(text.len())));
        columns.push(column);
        rest = after.strip_prefix(',');
    }
    columns
}

impl Data {
    /// The positions of a file.
    pub fn read<P: Searchable, E: Evaluator<P>>(
        path: &Path,
        recipe: &Recipe,
        evaluator: &E,
        numbering: &Numbering,
    ) -> Result<Self, Box<dyn Error>> {
        let mut data = Self { rows: Vec::new(), fitted: Vec::new(), held_out: Vec::new() };
        let mut classic = evaluator.clone();
        let mut inputs = Vec::new();
        each_line(path, recipe, evaluator, |line: Line<P>| {
            inputs.clear();
            if !evaluator.list_inputs(&line.position, &mut inputs) {
                return;
            }
            let sample = Sample {
                first: data.rows.len() as u32,
                len: inputs.len() as u16,
                side: line.position.side_to_move(),
                classic: classic.evaluate(&line.position) as f32 * 3.0_f32.ln() / E::SPREAD as f32,
                share: line.share as f32,
            };
            data.rows.extend(inputs.iter().map(|&bit| numbering.row(Side::White, bit.into())));
            let part =
                if line.number.is_multiple_of(HELD_OUT) { &mut data.held_out } else { &mut data.fitted };
            part.push(sample);
        })?;
        if data.fitted.is_empty() || data.held_out.is_empty() {
            return Err(format!("{} has too few positions of {}", path.display(), recipe.game).into());
        }
        Ok(data)
    }

    /// The rows of a position, as White sees them.
    pub fn rows_of(&self, sample: &Sample) -> &[Row] {
        &self.rows[sample.first as usize..][..usize::from(sample.len)]
    }
}

impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (fitted, held_out) = (self.fitted.len(), self.held_out.len());
        let mean = self.rows.len() as f64 / (fitted + held_out) as f64;
        write!(f, "{fitted} positions to train with, {held_out} held out, {mean:.1} inputs each")
    }
}

/// The mean loss of an evaluator on the held-out positions.
pub fn held_out_loss<P: Searchable, E: Evaluator<P>>(
    path: &Path,
    recipe: &Recipe,
    evaluator: &E,
) -> Result<f64, Box<dyn Error>> {
    let (mut sum, mut n) = (0.0, 0);
    let mut network = evaluator.clone();
    each_line(path, recipe, evaluator, |line: Line<P>| {
        if line.number.is_multiple_of(HELD_OUT) && evaluator.list_inputs(&line.position, &mut Vec::new()) {
            let log_odds = f64::from(network.evaluate(&line.position)) * 3.0_f64.ln() / f64::from(E::SPREAD);
            sum += loss(log_odds, line.share);
            n += 1;
        }
    })?;
    Ok(sum / f64::from(n.max(1)))
}

/// The loss of a prediction in log-odds: its cross entropy with the outcome, less that of a perfect prediction.
pub fn loss(log_odds: f64, share: f64) -> f64 {
    // -share * ln(p) - (1 - share) * ln(1 - p), without the rounding of p near 0 and 1.
    let entropy = log_odds.max(0.0) + (-log_odds.abs()).exp().ln_1p() - share * log_odds;
    let of = |share: f64| if share > 0.0 { -share * share.ln() } else { 0.0 };
    entropy - of(share) - of(1.0 - share)
}
