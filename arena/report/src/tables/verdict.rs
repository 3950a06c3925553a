//! The answer of a tournament in one sentence: which engine is the strongest, with its probability. Ranks and
//! probabilities come from [`ratings`].

use ratings::{Rating, Standings};

use super::text::{cut_middle, shown};

/// The maximum number of names in a list.
const MOST_NAMES: usize = 4;
const NAME_WIDTH: usize = 32;

/// The answer for the overall ratings, or for the only game; `None` without matches.
pub fn verdict(standings: &Standings) -> Option<String> {
    let scope = standings.scopes.first()?;
    (0 < scope.matches).then(|| of_engines(&scope.engines))
}

/// The answer for engines in their order, the strongest first.
fn of_engines(engines: &[Rating]) -> String {
    let engines: Vec<&Rating> = engines.iter().filter(|rating| rating.pool == 1).collect();
    let (best, others): (Vec<&Rating>, Vec<&Rating>) =
        engines.iter().partition(|rating| rating.rank_low == Some(1));
    let [first, ..] = best.as_slice() else {
        return "Too few decided pairs to say which engine is the strongest".to_owned();
    };
    // Only if no rank range of `best` reaches beyond it are all ranked others weaker than all of `best`.
    let is_ahead_of_ranked = best.iter().all(|rating| rating.rank_high == Some(best.len()));
    let is_behind = |other: &Rating| match other.rank_low {
        Some(_) => is_ahead_of_ranked,
        None => best.iter().all(|rating| is_below(other, rating)),
    };
    let (behind, open): (Vec<&Rating>, Vec<&Rating>) = others.iter().partition(|rating| is_behind(rating));
    let (not_best, unranked): (Vec<&Rating>, Vec<&Rating>) =
        open.iter().partition(|rating| rating.rank_low.is_some());
    // An engine that has won everything has no rank.
    let place = engines.iter().position(|rating| std::ptr::eq(*rating, *first)).unwrap_or_default();
    let (ahead, from_first) = engines.split_at(place);
    let unranked: Vec<&Rating> = unranked
        .into_iter()
        .filter(|rating| !ahead.iter().any(|other| std::ptr::eq(*other, *rating)))
        .collect();

    let are_ahead = format!("{} {} ahead", listed(ahead), if ahead.len() == 1 { "is" } else { "are" });
    if let ([_], [_, ..]) = (from_first, ahead) {
        return format!("{are_ahead} of {}, but not ranked", name(first));
    }

    let mut parts = Vec::new();
    if best.len() == 1 {
        parts.push(match (from_first, first.p_stronger_next) {
            ([_], _) => format!("{} has no rated opponent", name(first)),
            ([_, second], Some(p)) if ahead.is_empty() => {
                format!("{} is stronger than {} (probability {})", name(first), name(second), probability(p))
            }
            ([_, next, ..], Some(p)) => {
                format!(
                    "{} is the strongest engine (probability that it is stronger than {}: {})",
                    name(first),
                    name(next),
                    probability(p)
                )
            }
            _ => format!("{} is the strongest engine", name(first)),
        });
    } else {
        let is_pair = best.len() == 2 && std::ptr::eq(best[1], from_first[1]);
        parts.push(match first.p_stronger_next.filter(|_| is_pair) {
            Some(p) => {
                let percent = (100.0 * p).round().clamp(1.0, 99.0);
                let [one, other] = [name(first), name(best[1])];
                format!("Undecided between {one} ({percent:.0} %) and {other} ({:.0} %)", 100.0 - percent)
            }
            None => format!("Undecided between {}", listed(&best)),
        });
    }
    if !behind.is_empty() && engines.len() != 2 {
        let who = match best.len() {
            1 => "clearly ahead",
            2 => "both clearly ahead",
            _ => "all clearly ahead",
        };
        parts.push(format!("{who} of {}", listed(&behind)));
    }
    if !not_best.is_empty() {
        let are = if not_best.len() == 1 { "is" } else { "are" };
        parts.push(format!("{} {are} not the strongest", listed(&not_best)));
    }
    if !unranked.is_empty() {
        parts.push(format!("not ranked: {}", listed(&unranked)));
    }
    let answer = parts.join("; ");
    if ahead.is_empty() {
        return answer;
    }
    let answer = answer.replacen("Undecided", "it is undecided", 1);
    format!("{are_ahead}, but not ranked; of the others, {answer}")
}

/// Whether the intervals are disjoint and `one` is below `other`.
fn is_below(one: &Rating, other: &Rating) -> bool {
    matches!((one.high, other.low), (Some(high), Some(low)) if high < low)
}

fn probability(p: f64) -> String {
    if 0.999 < p { "more than 99.9 %".to_owned() } else { format!("{:.1} %", 100.0 * p) }
}

fn name(rating: &Rating) -> String {
    cut_middle(&shown(&rating.engine), NAME_WIDTH)
}

/// `a, b and c`, or the first names and how many more there are.
fn listed(engines: &[&Rating]) -> String {
    let mut names: Vec<String> = engines.iter().map(|rating| name(rating)).collect();
    if MOST_NAMES < names.len() {
        let more = names.len() - (MOST_NAMES - 1);
        names.truncate(MOST_NAMES - 1);
        names.push(format!("{more} more"));
    }
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use ratings::Status;

    use super::*;

    /// An engine with its rank range, its interval and its probability of being stronger than the next one.
    fn rating(
        engine: &str,
        ranks: Option<(usize, usize)>,
        [low, high]: [Option<f64>; 2],
        p_stronger_next: Option<f64>,
    ) -> Rating {
        Rating {
            engine: engine.to_owned(),
            status: Status::Bounded,
            pool: 1,
            elo: Some(0.0),
            low,
            high,
            se: None,
            se_pairs: None,
            se_bootstrap: None,
            weak: false,
            matches: 10,
            wins: 5,
            draws: 0,
            losses: 5,
            forfeits: 0,
            score: 0.5,
            pairs: 5,
            decided: None,
            fitted: None,
            few: false,
            openings: 0.0,
            rank_low: ranks.map(|(low, _)| low),
            rank_high: ranks.map(|(_, high)| high),
            los_next: None,
            p_stronger_next,
        }
    }

    fn ranked(engine: &str, low: usize, high: usize, p: Option<f64>) -> Rating {
        rating(engine, Some((low, high)), [Some(-10.0), Some(10.0)], p)
    }

    fn unbeaten(engine: &str) -> Rating {
        rating(engine, None, [Some(300.0), None], None)
    }

    fn bounded(engine: &str, high: f64) -> Rating {
        rating(engine, None, [None, Some(high)], None)
    }

    #[test]
    fn who_is_the_strongest_and_how_sure() {
        let mut other_pool = ranked("far", 1, 1, None);
        other_pool.pool = 2;
        let many: Vec<Rating> = (1..=7).map(|n| ranked(&format!("engine-{n}"), 1, 7, Some(0.6))).collect();
        let cases = [
            vec![ranked("a", 1, 2, Some(0.512)), ranked("b", 1, 2, None)],
            vec![ranked("a", 1, 1, Some(0.981)), ranked("b", 2, 2, None)],
            vec![ranked("a", 1, 1, Some(0.9999)), ranked("b", 2, 3, Some(0.7)), ranked("c", 2, 3, None)],
            vec![ranked("a", 1, 2, Some(0.512)), ranked("b", 1, 2, Some(1.0)), ranked("c", 3, 3, None)],
            vec![ranked("a", 1, 2, Some(0.512)), ranked("b", 1, 3, Some(0.9)), ranked("c", 2, 3, None)],
            vec![ranked("a", 1, 3, Some(0.6)), ranked("b", 1, 3, Some(0.6)), ranked("c", 1, 3, None)],
            vec![
                ranked("a", 1, 2, Some(0.57)),
                ranked("b", 1, 2, None),
                bounded("c", -11.0),
                bounded("d", -300.0),
            ],
            vec![ranked("a", 1, 2, Some(0.57)), ranked("b", 1, 2, None), bounded("c", 5.0)],
            vec![ranked("a", 1, 2, Some(0.999)), ranked("b", 1, 2, None), other_pool],
            vec![bounded("a", 5.0), bounded("b", 5.0)],
            many,
            vec![unbeaten("a"), ranked("b", 1, 1, Some(0.99)), ranked("c", 2, 2, None)],
            vec![unbeaten("a"), unbeaten("b"), ranked("c", 1, 2, Some(0.6)), ranked("d", 1, 2, None)],
            vec![unbeaten("a"), ranked("b", 1, 1, None)],
        ];
        let said: Vec<String> = cases.iter().map(|engines| of_engines(engines)).collect();
        insta::assert_snapshot!(said.join("\n"), @r"
        Undecided between a (51 %) and b (49 %)
        a is stronger than b (probability 98.1 %)
        a is the strongest engine (probability that it is stronger than b: more than 99.9 %); clearly ahead of b and c
        Undecided between a (51 %) and b (49 %); both clearly ahead of c
        Undecided between a (51 %) and b (49 %); c is not the strongest
        Undecided between a, b and c
        Undecided between a (57 %) and b (43 %); both clearly ahead of c and d
        Undecided between a (57 %) and b (43 %); not ranked: c
        Undecided between a (99 %) and b (1 %)
        Too few decided pairs to say which engine is the strongest
        Undecided between engine-1, engine-2, engine-3 and 4 more
        a is ahead, but not ranked; of the others, b is the strongest engine (probability that it is stronger than c: 99.0 %); clearly ahead of c
        a and b are ahead, but not ranked; of the others, it is undecided between c (60 %) and d (40 %)
        a is ahead of b, but not ranked
        ");
    }
}
