//! The answer of a tournament in one sentence: which engine is the strongest, with its probability. Ranks and
//! probabilities come from [`ratings`].

use ratings::{HeadToHead, Rating, Scope, Standings, Stronger};

use super::text::{counted, cut_middle, shown};
use schedule::stop::{Finding, TestState, reached, summary};

/// The maximum number of names in a list.
const MOST_NAMES: usize = 4;
const NAME_WIDTH: usize = 32;

/// Below this probability of being stronger than the next engine, no engine is called the strongest.
const LEAST_PROBABILITY: f64 = 0.9;

/// The answer of a tournament: that of its sequential tests if it has any.
pub fn answer(standings: &Standings, findings: &[Finding]) -> Option<String> {
    let tests: Vec<TestState> = findings.iter().filter_map(|finding| finding.test.clone()).collect();
    match reached(&tests).as_slice() {
        [] => verdict(standings),
        [test] => Some(shown(&test.to_string())),
        tests => Some(format!("Tests {}", shown(&summary(tests.iter().copied().cloned())))),
    }
}

/// Whether the answer of a tournament is that of its sequential tests.
pub fn is_of_tests(findings: &[Finding]) -> bool {
    let tests: Vec<TestState> = findings.iter().filter_map(|finding| finding.test.clone()).collect();
    !reached(&tests).is_empty()
}

/// The answer for the overall ratings, or for the only game; `None` without matches.
pub fn verdict(standings: &Standings) -> Option<String> {
    standings.scopes.first().and_then(verdict_of)
}

/// The answer for the ratings of one scope; `None` without matches.
pub fn verdict_of(scope: &Scope) -> Option<String> {
    let n_pools = scope.engines.iter().map(|rating| rating.pool).max()?;
    let place = if n_pools == 1 { String::new() } else { format!("Pool 1 of {n_pools}. ") };
    (scope.matches > 0).then(|| place + &of_scope(scope))
}

/// The answer for the largest pool of a scope, whose engines are sorted with the strongest first.
fn of_scope(scope: &Scope) -> String {
    let engines: Vec<&Rating> =
        scope.engines.iter().filter(|rating| rating.pool == 1 && rating.estimate.is_some()).collect();
    let (Some(&first), Some(&second)) = (engines.first(), engines.get(1)) else {
        return "No two engines can be compared".to_owned();
    };
    if let Some(found) = &scope.head_to_head {
        return of_two(scope, found, [first, second]);
    }
    let (best, others): (Vec<&Rating>, Vec<&Rating>) =
        engines.iter().partition(|rating| rating.rank_low == Some(1));
    if !best.iter().any(|rating| std::ptr::eq(*rating, first)) {
        return leading(scope, first);
    }
    // Only if no rank range of `best` reaches beyond it are all ranked others weaker than all of `best`.
    let is_ahead_of_ranked = best.iter().all(|rating| rating.rank_high == Some(best.len()));
    let is_behind = |other: &Rating| match other.rank_low {
        Some(_) => is_ahead_of_ranked,
        None => best.iter().all(|rating| is_below(other, rating)),
    };
    let (mut behind, open): (Vec<&Rating>, Vec<&Rating>) =
        others.iter().partition(|rating| is_behind(rating));
    let (not_best, unranked): (Vec<&Rating>, Vec<&Rating>) =
        open.iter().partition(|rating| rating.rank_low.is_some());

    if best.len() == 1 && !unranked.is_empty() {
        return leading(scope, first);
    }

    let mut parts = vec![match (best.as_slice(), first.p_stronger_next) {
        ([_], p) => {
            let p = p.filter(|_| engines.len() > 1);
            let chance =
                |p| format!(" (stronger than {} with a probability of {})", name(second), probability(p));
            let chance = p.map_or(String::new(), chance);
            if p.is_some() {
                // It has been named.
                behind.retain(|rating| !std::ptr::eq(*rating, second));
            }
            if p.is_none_or(|p| p >= LEAST_PROBABILITY) {
                format!("{} is the strongest engine{chance}", name(first))
            } else {
                format!("Leading: {}{chance}", name(first))
            }
        }
        (&[_, other], Some(p)) if std::ptr::eq(other, second) => {
            let percent = (100.0 * p).round().clamp(1.0, 99.0);
            let [one, other] = [name(first), name(other)];
            format!("Undecided between {one} ({percent:.0} %) and {other} ({:.0} %)", 100.0 - percent)
        }
        _ => format!("Undecided between {}", listed(&best)),
    }];
    if !behind.is_empty() {
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
    parts.join("; ")
}

/// Of two engines, their pairs decide which one is stronger, as in `arena compare`.
fn of_two(scope: &Scope, found: &HeadToHead, [first, second]: [&Rating; 2]) -> String {
    let of_first = first.p_stronger_next;
    let said = |stronger, weaker, p: Option<f64>| {
        let p = p.map_or(String::new(), |p| format!(" (probability {})", probability(p)));
        format!("{} is stronger than {}{p}", name(stronger), name(weaker))
    };
    // The ratings, if there are any, must agree.
    let is_open =
        first.rank_high.is_some_and(|rank| rank > 1) && second.rank_high.is_some_and(|rank| rank > 1);
    match found.stronger().filter(|_| !is_open) {
        Some(Stronger::First) => said(first, second, of_first),
        Some(Stronger::Second) => said(second, first, of_first.map(|p| 1.0 - p)),
        None if found.few && first.score > 0.5 => leading(scope, first),
        None if found.few => {
            format!("Undecided between {} and {}, with too few decided pairs", name(first), name(second))
        }
        None => match of_first {
            Some(p) => {
                let percent = (100.0 * p).round().clamp(1.0, 99.0);
                let [one, other] = [name(first), name(second)];
                format!("Undecided between {one} ({percent:.0} %) and {other} ({:.0} %)", 100.0 - percent)
            }
            None => leading(scope, first),
        },
    }
}

/// That it is too early for ranks, and how many pairs may be enough.
fn leading(scope: &Scope, first: &Rating) -> String {
    let points = first.score * first.matches as f64;
    let more = scope.more_pairs.map_or(String::new(), |more| {
        format!("; about {more} more {} per pairing", if more == 1 { "pair" } else { "pairs" })
    });
    let is_level = |rating: &&Rating| rating.pool == 1 && rating.score.total_cmp(&first.score).is_eq();
    let level: Vec<&Rating> = scope.engines.iter().filter(is_level).collect();
    if level.len() > 1 {
        return format!("Undecided between {}, with equal scores. Too early for ranks{more}", listed(&level));
    }
    let most = counted(first.matches, "point", "points");
    format!("Leading: {}, {points:.1} of {most}. Too early for ranks{more}", name(first))
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
    use ratings::{FinishedMatch, RatingSettings, Tally};

    use super::*;

    /// The answer for pairs of results: `A B 10 W W` are ten pairs in which A, White in the first match, won both.
    fn answer(pairs: &str) -> String {
        let mut tally = Tally::new();
        for (line, pairs) in pairs.split(';').enumerate() {
            let words: Vec<&str> = pairs.split_whitespace().collect();
            let [one, other, times, results @ ..] = words.as_slice() else { panic!("{pairs}") };
            for number in 0..times.parse::<u32>().unwrap() {
                let pair = format!("{line}-{number}");
                for (idx, result) in results.iter().enumerate() {
                    let is_swapped = idx == 1;
                    let result = match (*result, is_swapped) {
                        ("D", _) => "1/2-1/2",
                        ("W", false) | ("L", true) => "1-0",
                        _ => "0-1",
                    };
                    let (white, black) = if is_swapped { (other, one) } else { (one, other) };
                    let played = FinishedMatch::new("push", white, black, result.parse().unwrap());
                    tally.add(&FinishedMatch { pair: Some(&pair), ..played }).unwrap();
                }
            }
        }
        verdict(&Standings::new(&tally, &RatingSettings::default())).unwrap()
    }

    #[test]
    fn who_is_the_strongest_and_how_sure() {
        let cases = [
            "A B 2 W W",
            "A B 5 W W; A B 1 W L",
            "A B 9 W W",
            "A B 10 W W",
            "A B 15 W W; A B 10 W L",
            "A B 11 W W; A B 10 W L; A B 9 L L",
            "A B 30 W W; A B 10 L L; B C 30 W W; B C 10 L L; A C 30 W W; A C 10 L L",
            "A B 11 W W; A B 10 L L; B C 30 W W; B C 10 L L; A C 30 W W; A C 10 L L",
            "A B 11 W W; A B 10 L L; B C 11 W W; B C 10 L L; A C 11 W W; A C 10 L L",
            "A B 11 W W; A B 10 L L; A C 20 W W; B C 20 W W",
            "A B 2 W W; A C 2 W W; B C 2 W W",
            "A B 4 W W; A C 4 W W; B C 2 W W; B C 2 L L",
            "A B 12 D D",
            "A B 1 W",
            "A B 12 W W; A B 1 W L; C D 10 W W",
        ];
        let said: Vec<String> = cases.iter().map(|pairs| answer(pairs)).collect();
        insta::assert_snapshot!(said.join("\n"), @r"
        Leading: A, 4.0 of 4 points. Too early for ranks; about 8 more pairs per pairing
        Leading: A, 11.0 of 12 points. Too early for ranks; about 6 more pairs per pairing
        Leading: A, 18.0 of 18 points. Too early for ranks; about 1 more pair per pairing
        A is stronger than B
        Undecided between A (74 %) and B (26 %)
        Undecided between A (58 %) and B (42 %)
        A is the strongest engine (stronger than B with a probability of 98.7 %); clearly ahead of C
        Undecided between A (54 %) and B (46 %); both clearly ahead of C
        Undecided between A, B and C
        Undecided between A (54 %) and B (46 %); both clearly ahead of C
        Leading: A, 8.0 of 8 points. Too early for ranks; about 8 more pairs per pairing
        Leading: A, 16.0 of 16 points. Too early for ranks; about 6 more pairs per pairing
        Undecided between A and B, with too few decided pairs
        Leading: A, 1.0 of 1 point. Too early for ranks
        Pool 1 of 2. Leading: A (stronger than B with a probability of 88.5 %)
        ");
    }
}
