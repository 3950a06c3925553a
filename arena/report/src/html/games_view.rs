//! The games for the page's templates, side by side. It estimates nothing.

use engine_proto::Games;

use super::axis::Axis;
use super::distribution::Distribution;
use super::game_figures::{GameFigures, Results};
use super::played_game::PlayedGame;
use super::reasons;
use super::whisker::{Whisker, whisker};
use super::words::{count, counted, percent, time_us, with_error};
use crate::tables::first_player;
use ratings::{Ending, Measure, Scope};

/// The maximum number of bars of a histogram.
const MOST_BARS: u32 = 24;
/// The maximum number of openings of a game that are listed.
const MOST_OPENINGS: usize = 40;

/// All games.
#[derive(Debug)]
pub struct GamesView {
    /// The scale of the first player's advantages.
    pub axis: Axis,
    /// One row per game.
    pub games: Vec<GameView>,
}

/// One game.
#[derive(Debug)]
pub struct GameView {
    /// Its id.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Its matches.
    pub matches: String,
    /// Its openings.
    pub openings: String,
    /// The first player's advantage with its interval.
    pub first_player: String,
    /// Why it is not known.
    pub first_player_why: Option<String>,
    /// The same, drawn.
    pub whisker: Option<Whisker>,
    /// Who won, as parts of a bar.
    pub results: Bar,
    /// The draws in percent.
    pub draws: String,
    /// The reasons, the most frequent one first.
    pub reasons: Vec<ReasonView>,
    /// Matches lost by a fault.
    pub faults: String,
    /// Lengths in plies.
    pub lengths: Histogram,
    /// Legal moves per position.
    pub choices: Histogram,
    /// The openings, the most frequent first.
    pub by_opening: Vec<OpeningView>,
    /// Whether any opening has more matches than one pair, and may say something.
    pub has_repeated_openings: bool,
    /// How many more openings there are.
    pub n_more_openings: usize,
    /// Time per match.
    pub time_a_match: String,
    /// Time per move.
    pub time_a_move: String,
}

/// One way in which matches ended.
#[derive(Debug)]
pub struct ReasonView {
    /// The reason as in records.
    pub reason: String,
    /// Whether it is a fault of an engine.
    pub is_fault: bool,
    /// Its share of the matches.
    pub percent: String,
    /// The results with this reason; the bar of the most frequent reason has full width.
    pub bar: Bar,
}

/// The results from one opening.
#[derive(Debug)]
pub struct OpeningView {
    /// Its FEN.
    pub fen: String,
    /// Its matches.
    pub matches: String,
    /// White's score.
    pub score: String,
    /// The interval of the score.
    pub interval: String,
    /// White's score as a number, to sort by.
    pub value: String,
    /// Who won.
    pub bar: Bar,
}

/// White's wins, draws and Black's wins as parts of a bar.
#[derive(Debug)]
pub struct Bar {
    /// The three parts' widths in percent.
    pub widths: [String; 3],
    /// Where the second and the third begin, in percent.
    pub starts: [String; 2],
    /// The same in words.
    pub words: String,
}

/// A distribution, drawn.
#[derive(Debug)]
pub struct Histogram {
    /// The bars from left to right.
    pub bars: Vec<HistogramBar>,
    /// The mean.
    pub mean: String,
    /// The median.
    pub median: String,
    /// The 5 % and the 95 % quantile.
    pub range: String,
    /// The largest value.
    pub max: String,
    /// The number at the right end of the axis.
    pub end: String,
    /// How many values one bar has.
    pub bar: String,
    /// What the highest bar counts.
    pub highest: String,
}

/// One bar: places and sizes in percent.
#[derive(Debug)]
pub struct HistogramBar {
    /// Its left edge.
    pub x: String,
    /// Its width.
    pub width: String,
    /// Its upper edge.
    pub y: String,
    /// Its height.
    pub height: String,
    /// What it counts, in words.
    pub words: String,
}

impl GamesView {
    /// The view of `games`; `scope` gives a game's standings.
    pub fn new<'a>(
        known_games: &Games,
        games: &[(&PlayedGame, &GameFigures)],
        scope: impl Fn(&str) -> Option<&'a Scope>,
    ) -> Self {
        let advantage = |game: &PlayedGame| scope(&game.id()).and_then(first_player);
        let ends = games.iter().filter_map(|&(game, _)| advantage(game)).flat_map(|it| [it.low, it.high]);
        let axis = Axis::around(ends);
        let games = games
            .iter()
            .map(|&(game, figures)| {
                let first_player = advantage(game);
                GameView {
                    first_player: first_player
                        .map_or("not known yet".to_owned(), |it| with_error(it.value, half_width(it))),
                    first_player_why: first_player.is_none().then(|| why_unknown(scope(&game.id()), figures)),
                    whisker: first_player.map(|it| whisker([it.low, it.value, it.high].map(Some), &axis)),
                    ..GameView::of(known_games, game, figures)
                }
            })
            .collect();
        Self { axis, games }
    }

    /// Whether the advantage of the first player is known in any game.
    pub fn has_plot(&self) -> bool {
        self.games.iter().any(|game| game.whisker.is_some())
    }

    /// Whether the openings of any game are known.
    pub fn has_openings(&self) -> bool {
        self.games.iter().any(|game| !game.by_opening.is_empty())
    }

    /// Whether any game has matches with moves.
    pub fn has_moves(&self) -> bool {
        self.games.iter().any(|game| !game.lengths.bars.is_empty())
    }
}

impl GameView {
    fn of(games: &Games, game: &PlayedGame, figures: &GameFigures) -> Self {
        let n = figures.n_matches as f64;
        let part = |n_of: u64| percent(n_of as f64 / n);
        let mut reasons: Vec<(&String, &Results)> = figures.reasons.iter().collect();
        reasons.sort_by_key(|(reason, results)| (std::cmp::Reverse(results.n()), (*reason).clone()));
        let most = reasons.first().map_or(1, |(_, results)| results.n());
        let per = |n_of: u64| {
            if n_of == 0 { String::new() } else { time_us(figures.time_us as f64 / n_of as f64) }
        };
        let by_opening = OpeningView::all(figures);
        Self {
            n_more_openings: figures.openings.len() - by_opening.len(),
            has_repeated_openings: figures.openings.values().any(|results| 2 < results.n()),
            by_opening,
            id: game.id().into_owned(),
            name: game.name(games).into_owned(),
            matches: count(figures.n_matches),
            openings: if figures.openings.is_empty() {
                String::new()
            } else {
                count(figures.openings.len() as u64)
            },
            first_player: String::new(),
            first_player_why: None,
            whisker: None,
            results: Bar::new(figures.results, figures.n_matches),
            draws: part(figures.results.draw),
            reasons: reasons
                .into_iter()
                .map(|(reason, &results)| ReasonView {
                    reason: reasons::in_words(reason).into_owned(),
                    is_fault: !matches!(Ending::of_reason(reason), Ending::Played | Ending::Retired),
                    percent: part(results.n()),
                    bar: Bar::new(results, most),
                })
                .collect(),
            faults: count(figures.n_faults),
            lengths: Histogram::new(&figures.lengths, "plies", ["match", "matches"]),
            choices: Histogram::new(&figures.choices, "legal moves", ["position", "positions"]),
            // Without moves, the times are not known.
            time_a_match: if figures.n_moves == 0 { String::new() } else { per(figures.n_matches) },
            time_a_move: per(figures.n_moves),
        }
    }
}

/// Why the first player's advantage in a game is not known.
fn why_unknown(scope: Option<&Scope>, figures: &GameFigures) -> String {
    let Results { white, draw, black } = figures.results;
    match scope.and_then(|scope| scope.first_player) {
        Some(it) => format!("\u{b1} {:.0}: either side may have it", half_width(it)),
        None if draw == 0 && (white == 0 || black == 0) => "one side won every match".to_owned(),
        None => "the engines' strengths are not known".to_owned(),
    }
}

fn half_width(it: Measure) -> f64 {
    0.5 * (it.high - it.low)
}

impl OpeningView {
    fn all(figures: &GameFigures) -> Vec<Self> {
        let mut openings: Vec<_> = figures.openings.iter().collect();
        openings.sort_by_key(|(fen, results)| (std::cmp::Reverse(results.n()), *fen));
        openings.into_iter().take(MOST_OPENINGS).map(|(fen, &results)| Self::new(fen, results)).collect()
    }

    fn new(fen: &str, results: Results) -> Self {
        let n = results.n() as f64;
        let score = (results.white as f64 + 0.5 * results.draw as f64) / n;
        let [low, high] = wilson(score, n);
        Self {
            fen: fen.to_owned(),
            matches: count(results.n()),
            score: percent(score),
            interval: format!("{} to {}", percent(low), percent(high)),
            value: format!("{score:.4}"),
            bar: Bar::new(results, results.n()),
        }
    }
}

/// Wilson's 95 % interval of a mean score of `n` matches (E. B. Wilson, 1927). With draws it is a little too wide.
fn wilson(score: f64, n: f64) -> [f64; 2] {
    const Z: f64 = 1.96;
    let centre = (score + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (score * (1.0 - score) / n + Z * Z / (4.0 * n * n)).sqrt();
    [(centre - half).max(0.0), (centre + half).min(1.0)]
}

impl Bar {
    /// Parts of a bar whose full width is `whole`.
    fn new(results: Results, whole: u64) -> Self {
        let width = |n: u64| format!("{:.3}", 100.0 * n as f64 / whole as f64);
        let Results { white, draw, black } = results;
        Self {
            widths: [width(white), width(draw), width(black)],
            starts: [width(white), width(white + draw)],
            words: format!("White won {}, {} drawn, Black won {}", count(white), count(draw), count(black)),
        }
    }
}

impl Histogram {
    fn new(distribution: &Distribution, what: &str, [one, more]: [&str; 2]) -> Self {
        let bins = distribution.bins(MOST_BARS);
        let most = bins.iter().map(|bin| bin.count).max().unwrap_or(1) as f64;
        let width = 100.0 / bins.len().max(1) as f64;
        let bars = bins.iter().enumerate().map(|(idx, bin)| {
            let height = 100.0 * bin.count as f64 / most;
            let range =
                if bin.from == bin.to { bin.from.to_string() } else { format!("{} to {}", bin.from, bin.to) };
            HistogramBar {
                x: format!("{:.3}", idx as f64 * width),
                width: format!("{width:.3}"),
                y: format!("{:.3}", 100.0 - height),
                height: format!("{height:.3}"),
                words: format!("{range} {what}: {}", counted(bin.count, one, more)),
            }
        });
        let at = |fraction: f64| distribution.quantile(fraction).map(|value| value.to_string());
        Self {
            bars: bars.collect(),
            mean: distribution.mean().map(|mean| format!("{mean:.1}")).unwrap_or_default(),
            median: distribution.median().map(|median| median.to_string()).unwrap_or_default(),
            bar: bins
                .first()
                .map(|bin| (bin.to - bin.from).saturating_add(1).to_string())
                .unwrap_or_default(),
            highest: counted(most as u64, one, more),
            range: at(0.05)
                .zip(at(0.95))
                .map(|(low, high)| format!("{low}\u{2013}{high}"))
                .unwrap_or_default(),
            max: at(1.0).unwrap_or_default(),
            end: bins.last().map(|bin| bin.to.saturating_add(1).to_string()).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_of_a_score() {
        // Of 10 matches all won, and of 100 half: the published values of Wilson's interval.
        let rounded = |score, n| wilson(score, n).map(|end| format!("{end:.3}"));
        assert_eq!(rounded(1.0, 10.0), ["0.722", "1.000"]);
        assert_eq!(rounded(0.5, 100.0), ["0.404", "0.596"]);
    }
}
