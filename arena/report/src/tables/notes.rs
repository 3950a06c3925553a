//! The notes on ratings as sentences.

use ratings::{
    DecidedPairs, EngineForfeits, FEWEST_DECIDED, FitMethod, GameSlope, NoAnchor, NoGeneralStrength, Note,
    StandardErrors,
};

use super::text::cut;

/// The maximum number of names in a list.
const MOST_NAMES: usize = 6;
/// The maximum width of a name.
const NAME_WIDTH: usize = 60;
/// A larger limit of the spread between games says nothing.
const MOST_SPREAD: f64 = 1000.0;

/// The notes as sentences. Of many notes of one kind, only the first few are given.
pub fn in_words(notes: &[Note]) -> Vec<String> {
    let mut n_alike = 0;
    let mut sentences = Vec::new();
    for (idx, note) in notes.iter().enumerate() {
        let is_like_last = idx
            .checked_sub(1)
            .is_some_and(|last| std::mem::discriminant(&notes[last]) == std::mem::discriminant(note));
        n_alike = if is_like_last { n_alike + 1 } else { 1 };
        let is_one_of_many = matches!(note, Note::Outlier(_) | Note::Cycle { .. } | Note::Specialist(_));
        if !is_one_of_many || n_alike <= MOST_NAMES {
            sentences.push(sentence(note));
        }
    }
    sentences
}

#[expect(clippy::too_many_lines, reason = "one arm for each note")]
fn sentence(note: &Note) -> String {
    match note {
        Note::Pool { engines } => format!(
            "{} have no matches with the others, so their ratings are on a separate scale; \
             add matches between the pools",
            listed(engines)
        ),
        Note::OnlyDraws => "every match that could be rated was drawn".to_owned(),
        Note::OneSideWins { is_first } => {
            let side = if *is_first { "first" } else { "second" };
            format!(
                "the {side} player won every match that could be rated, so there is no rating; play more matches, or use \
                 other openings"
            )
        }
        Note::Alone { engines } => {
            let origin = if let [only] = engines.as_slice() { only } else { "one engine of each pool" };
            format!(
                "the ratings are only bounds, relative to {origin}, because in every pairing one of the two engines won all matches; \
                 play more matches between engines of similar strength"
            )
        }
        Note::NoUpperBound { engines } => {
            format!(
                "{}: won every match against the rated engines, so there is no upper bound",
                listed(engines)
            )
        }
        Note::NoLowerBound { engines } => {
            format!(
                "{}: lost every match against the rated engines, so there is no lower bound",
                listed(engines)
            )
        }
        Note::NotComparable { engines } => {
            format!("{}: no match that compares them with the others", listed(engines))
        }
        Note::Weak { engines } => format!("{}: too few matches for a reliable number", listed(engines)),
        Note::Few { engines } => format!(
            "fewer than {FEWEST_DECIDED} decided pairs: {}; their ± is widened and approximate, and they have no rank",
            listed(&engines.iter().map(decided).collect::<Vec<_>>())
        ),
        Note::FewOpenings { openings } if *openings < 1.5 => {
            "only 1 opening: the ± are valid for this opening only".to_owned()
        }
        Note::FewOpenings { openings } => format!(
            "the intervals are wide, because only {} openings were played: they say little about others",
            (10.0 * openings).round() / 10.0
        ),
        Note::LackOfFit { spread, p, method } => format!(
            "the ratings do not explain all pairings (spread {spread:.0} Elo, {}{}); \
             each rating is an average over the opponents in this schedule",
            chance(*p),
            if *method == FitMethod::Simulated { ", simulated" } else { "" },
        ),
        Note::Outlier(pairing) => format!(
            "{} scored {} of {} against {}, expected {:.1}",
            pairing.first, pairing.points, pairing.matches, pairing.second, pairing.expected
        ),
        Note::Cycle { engines: [a, b, c] } => format!("{a} beats {b}, {b} beats {c}, {c} beats {a}"),
        Note::NoPairs => "no pairs or openings given: every match counts as independent".to_owned(),
        Note::PairsSaved { part, low, high } => format!(
            "swapping the sides saves {:.0} % of the matches for the same precision (interval {:.0} to {:.0} %)",
            100.0 * part,
            100.0 * low,
            100.0 * high
        ),
        Note::SingleMatches { matches: 1 } => "1 match without a partner".to_owned(),
        Note::SingleMatches { matches } => format!("{matches} matches without a partner"),
        Note::Copies { matches } => format!(
            "{} (same engines, sides, opening and moves): copies add no information, so they count as one in the errors; use \
             more openings, or let the engines vary their play",
            if *matches == 1 {
                "1 match is a copy of another one".to_owned()
            } else {
                format!("{matches} matches are copies of others")
            }
        ),
        Note::Forfeits { engines } => format!(
            "many forfeits: {}; forfeits (time, crash, illegal move and similar) count as losses, so these ratings also measure \
             faults",
            listed(&engines.iter().map(forfeits).collect::<Vec<_>>())
        ),
        Note::Absent { engines, matches } => format!(
            "{}: never started; {} not counted",
            listed(engines),
            if *matches == 1 { "1 match is".to_owned() } else { format!("{matches} matches are") }
        ),
        Note::NoOverall { n_games, unrated_games } => format!(
            "no overall ratings: fewer than two engines are rated in all {n_games} games; play more matches{}",
            if unrated_games.is_empty() { String::new() } else { format!(" in {}", listed(unrated_games)) },
        ),
        Note::SomeGames { engines } => {
            format!("{}: unranked, no two-sided rating in at least one game", listed(engines))
        }
        Note::GameDifferences { spread, low, high, p } => {
            if 0.0 < *low {
                let chance = p.map_or(String::new(), |p| format!(", {}", chance(p)));
                format!(
                    "the rating of an engine varies by {spread:.0} Elo from game to game, beyond its errors \
                     ({low:.0} to {high:.0}{chance})"
                )
            } else {
                let limit = (*high <= MOST_SPREAD).then(|| format!(" (they vary by at most {high:.0} Elo)"));
                format!("the ratings do not differ significantly between games{}", limit.unwrap_or_default())
            }
        }
        Note::Slopes { slopes } => {
            let slope = |it: &GameSlope| {
                let differs = if it.differs { " (differs significantly from 1)" } else { "" };
                format!("{} {:.2} ± {:.2}{differs}", it.game, it.slope, 1.96 * it.se)
            };
            let slopes: Vec<String> = slopes.iter().map(slope).collect();
            format!("spread of the ratings in each game, relative to the other games: {}", slopes.join("; "))
        }
        Note::Specialist(it) => {
            format!(
                "{}: {:+.0} Elo in {} relative to its overall rating",
                it.engine, it.elo_difference, it.game
            )
        }
        Note::NoGeneralStrength(reason) => match reason {
            NoGeneralStrength::TooManyEngines { most } => {
                format!("general strength is computed for at most {most} engines")
            }
            NoGeneralStrength::TooFewEngines => {
                "no general strength: too few engines are rated in several games".to_owned()
            }
            NoGeneralStrength::Disconnected => {
                "no general strength: some games have no rated engine in common".to_owned()
            }
        },
        Note::TooEarly { engines, fewest_pairs, fewest_decided } => format!(
            "{}: too early for an interval that is valid at any time; each engine needs {fewest_pairs} pairs in every game, of \
             which {fewest_decided} are decided",
            listed(engines)
        ),
        Note::Remark { text } => text.clone(),
        Note::NoAnchor { engine, reason } => {
            let reason = match reason {
                NoAnchor::NoMatch => "has no match".to_owned(),
                NoAnchor::OtherPool => "has no matches with the largest pool".to_owned(),
                NoAnchor::WonAll => "won every match against the rated engines".to_owned(),
                NoAnchor::LostAll => "lost every match against the rated engines".to_owned(),
                NoAnchor::Unrated => "has no rating".to_owned(),
                NoAnchor::Absent => "never started".to_owned(),
                NoAnchor::SomeGames { rated, of } if rated == of => {
                    "is the only engine rated in all games".to_owned()
                }
                NoAnchor::SomeGames { rated, of } => format!("is rated in {rated} of {of} games only"),
            };
            format!("{engine} {reason}, so it cannot be the anchor here: 0 is the mean of the ratings")
        }
        Note::Bootstrap { times, engines } => {
            let errors =
                |it: &StandardErrors| format!("{} {:.1} and {:.1}", it.engine, it.se, it.se_bootstrap);
            let errors: Vec<String> = engines.iter().map(errors).collect();
            format!("standard errors by formula, and by {times} resamples: {}", errors.join(", "))
        }
        Note::BootstrapDiffers { engines, tolerance } => format!(
            "{}: the standard error by resampling differs by more than {:.0} %, so the intervals may be wrong",
            listed(engines),
            100.0 * tolerance,
        ),
    }
}

fn decided(it: &DecidedPairs) -> String {
    format!("{} ({})", cut(&it.engine, NAME_WIDTH / 2), it.decided)
}

fn forfeits(it: &EngineForfeits) -> String {
    format!("{} ({} of {})", cut(&it.engine, NAME_WIDTH / 2), it.forfeits, it.matches)
}

/// `p = 0.0123`, or `p < 0.0001`.
fn chance(p: f64) -> String {
    const SMALLEST: f64 = 1e-4;
    if p < SMALLEST { format!("p < {SMALLEST}") } else { format!("p = {p:.4}") }
}

/// `a`, `a and b`, `a, b and c`; of many names, the first few.
pub(super) fn listed(names: &[String]) -> String {
    let n_names = names.len();
    let names: Vec<String> = names.iter().take(MOST_NAMES).map(|name| cut(name, NAME_WIDTH)).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] if n_names <= MOST_NAMES => format!("{} and {last}", most.join(", ")),
        _ => {
            let shown = &names[..MOST_NAMES - 1];
            format!("{} and {} others", shown.join(", "), n_names - shown.len())
        }
    }
}
