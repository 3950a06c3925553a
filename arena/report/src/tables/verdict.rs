//! The answer of a tournament: which engine is the strongest, with its probability. Ranks and probabilities come from
//! [`ratings`].

use ratings::{
    FEWEST_DECIDED, HeadToHead, Note, OVERALL, Rating, RatingDifference, Scope, Standings, Status, Stronger,
    Validity, with_verb,
};
use serde::Serialize;

use super::comparison_table::elo_interval;
use super::number::Number;
use super::text::{self, capitalised, counted, cut_middle, shown};
use schedule::stop::{Finding, TestState, reached, summary};

/// The maximum number of names in a list.
const MOST_NAMES: usize = 4;
const NAME_WIDTH: usize = 32;

/// Of two engines that are one program.
pub const ALIKE: &str = "Both are the same program with the same options, so any difference is chance";

/// From this share of its matches on, what an engine forfeited is named.
const MANY_FORFEITS: f64 = 0.1;

/// One forfeit may be chance.
const FEWEST_FORFEITS: u64 = 2;

/// From this share on, matches say nothing of the strength of two engines.
const MOST_FORFEITS: f64 = 0.5;

/// Below this probability of being stronger than the next engine, no engine is called the strongest.
pub const LEAST_PROBABILITY: f64 = 0.9;

/// The answer of a tournament, in sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Which engine is the strongest.
    pub answer: String,
    /// What to know of it, and what would make it surer.
    pub remarks: Vec<String>,
}

/// The answer of a tournament: that of its sequential tests if it has any.
pub fn answer(standings: &Standings, findings: &[Finding]) -> Option<Verdict> {
    let tests: Vec<TestState> = findings.iter().filter_map(|finding| finding.test.clone()).collect();
    match reached(&tests).as_slice() {
        [] => verdict(standings),
        [test] => {
            let details =
                findings.iter().filter(|it| it.test.as_ref() == Some(*test)).flat_map(|it| &it.details);
            let evidence = capitalised(&test.evidence());
            // Nobody should quote what forfeits have decided.
            let details = details.filter(|_| has_verdict(standings));
            Some(Verdict {
                answer: with_cautions(shown(&test.sentence()), standings.scopes.first()),
                remarks: [&evidence]
                    .into_iter()
                    .chain(details)
                    .map(|line| sentence(line))
                    .chain(standings.scopes.first().and_then(many_forfeits))
                    .collect(),
            })
        }
        tests => {
            let parts: Vec<String> =
                summary(tests.iter().copied()).iter().map(|part| sentence(&capitalised(part))).collect();
            Some(Verdict { answer: parts.join(" "), remarks: Vec::new() })
        }
    }
}

fn sentence(text: &str) -> String {
    shown(text) + "."
}

/// Whether a note of the scope stands with the answer.
pub(super) fn is_of_answer(note: &Note, scope: &Scope) -> bool {
    note.kind == "alike" && scope.engines.len() == 2
}

/// Whether the answer of a tournament is that of its sequential tests.
pub fn is_of_tests(findings: &[Finding]) -> bool {
    let tests: Vec<TestState> = findings.iter().filter_map(|finding| finding.test.clone()).collect();
    !reached(&tests).is_empty()
}

/// The answer for the overall ratings, or for the only game; `None` without matches.
pub fn verdict(standings: &Standings) -> Option<Verdict> {
    standings.scopes.first().and_then(|scope| verdict_of(scope, standings))
}

/// The answer for the ratings of one scope of these standings; `None` without matches.
pub fn verdict_of(scope: &Scope, standings: &Standings) -> Option<Verdict> {
    /// With more pools, there is no short answer.
    const MOST_POOLS: usize = 3;
    let n_pools = scope.engines.iter().map(|rating| rating.pool).max()?;
    let (answer, wants_more) = of_pool(scope, 1, standings);
    // What few pairs say adds nothing to that they say nothing.
    let is_few = scope.head_to_head.as_ref().is_some_and(|found| found.few);
    let answer =
        no_verdict(Some(scope)).filter(|_| is_few).unwrap_or_else(|| with_cautions(answer, Some(scope)));
    let place = if n_pools == 1 { String::new() } else { format!("Pool 1 of {n_pools}. ") };
    let others = (2..=n_pools).filter(|_| n_pools <= MOST_POOLS);
    let others: Vec<String> =
        others.map(|pool| format!(" Pool {pool}. {}", of_pool(scope, pool, standings).0)).collect();
    let more = more_pairs(scope, standings).filter(|_| wants_more);
    (scope.matches > 0).then(|| Verdict {
        answer: place + &answer + &others.concat(),
        remarks: many_forfeits(scope).into_iter().chain(more).collect(),
    })
}

/// Whether matches say anything of the strength of two engines: not if most of them were forfeited.
pub fn has_verdict(standings: &Standings) -> bool {
    broken(standings.scopes.first()).is_empty()
}

/// Those of two engines that forfeited most of their matches, so that these say nothing of strength; the worst first.
fn broken(scope: Option<&Scope>) -> Vec<&Rating> {
    let two = scope.map(|scope| scope.engines.as_slice()).filter(|engines| engines.len() == 2);
    let many = with_many_forfeits(two.unwrap_or_default());
    let n_forfeits: u64 = many.iter().map(|it| it.forfeits).sum();
    let share: f64 = many.iter().map(|it| share_of_forfeits(it)).sum();
    if FEWEST_FORFEITS <= n_forfeits && MOST_FORFEITS <= share { many } else { Vec::new() }
}

/// That forfeits have made the result, if they have.
fn no_verdict(scope: Option<&Scope>) -> Option<String> {
    let broken = broken(scope);
    (!broken.is_empty())
        .then(|| format!("The result comes from forfeits, not from play: {}.", forfeited(&broken)))
}

/// `a forfeited 12 of 20 matches, b 3 of 20`: the most first.
fn forfeited(engines: &[&Rating]) -> String {
    let [worst, others @ ..] = engines else { return String::new() };
    let more = match others {
        [] => String::new(),
        [other] => format!(", {} {} of {}", name(other), other.forfeits, other.matches),
        _ => format!(", and {} other engines many of theirs", others.len()),
    };
    let matches = counted(worst.matches, "match", "matches");
    format!("{} forfeited {} of {matches}{more}", name(worst), worst.forfeits)
}

/// The answer for the engines of a scope, after why it says nothing of strength, if it does not: it comes from forfeits, or its two
/// engines are alike.
pub fn with_cautions(answer: String, scope: Option<&Scope>) -> String {
    let are_alike = scope.is_some_and(|scope| scope.notes.iter().any(|note| is_of_answer(note, scope)));
    let caution = match no_verdict(scope) {
        Some(no_verdict) => format!("{no_verdict} With forfeits as losses"),
        None if are_alike => ALIKE.to_owned(),
        None => return answer,
    };
    format!("{caution}: {}", answer.replacen("Undecided ", "undecided ", 1))
}

/// What forfeits have to do with the answer: the engines that forfeited many of their matches, the most first; or what to do, if
/// the answer names them.
pub fn many_forfeits(scope: &Scope) -> Option<String> {
    let broken = broken(Some(scope));
    if !broken.is_empty() {
        let its = if broken.len() == 1 { "its" } else { "their" };
        let options: Vec<String> =
            broken.iter().map(|it| format!("--replay {}", shown(&it.engine))).collect();
        return Some(format!(
            "Mend the cause, which the report has under Engines, then play {its} matches again (`arena run` with `{}`).",
            options.join(" ")
        ));
    }
    let many = with_many_forfeits(&scope.engines);
    (!many.is_empty()).then(|| format!("Forfeits count as losses: {}.", forfeited(&many)))
}

/// The engines that forfeited many of their matches, the most first.
fn with_many_forfeits(engines: &[Rating]) -> Vec<&Rating> {
    let mut many: Vec<&Rating> = engines.iter().filter(|it| has_many_forfeits(it)).collect();
    many.sort_by(|one, other| share_of_forfeits(other).total_cmp(&share_of_forfeits(one)));
    many
}

fn share_of_forfeits(rating: &Rating) -> f64 {
    rating.forfeits as f64 / rating.matches.max(1) as f64
}

/// Whether an engine forfeited so many of its matches that its results say little of its strength.
pub fn has_many_forfeits(rating: &Rating) -> bool {
    MANY_FORFEITS <= share_of_forfeits(rating)
}

/// The answer for a pool of a scope, whose engines are sorted with the strongest first, and whether more pairs could
/// make it surer.
fn of_pool(scope: &Scope, pool: usize, standings: &Standings) -> (String, bool) {
    let engines: Vec<&Rating> =
        scope.engines.iter().filter(|rating| rating.pool == pool && rating.estimate.is_some()).collect();
    let (Some(&first), Some(&second)) = (engines.first(), engines.get(1)) else {
        return ("No two engines can be compared.".to_owned(), false);
    };
    if let Some(found) = &scope.head_to_head {
        return of_two(found, [first, second]);
    }
    let (best, others): (Vec<&Rating>, Vec<&Rating>) =
        engines.iter().partition(|rating| rating.rank_low == Some(1));
    if !best.iter().any(|rating| std::ptr::eq(*rating, first)) {
        // Where it is too early, nothing is said of how much is left.
        return (leading(scope, first, &[]), engines.iter().any(|rating| rating.rank_low.is_some()));
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
        return (leading(scope, first, &unranked), true);
    }

    let lead = Lead::new(scope, standings, [first, second]);
    let mut sentences = vec![match (best.as_slice(), first.p_stronger_next) {
        ([_], None) => format!("{} is the strongest engine, {}.", name(first), points(first)),
        ([_], Some(p)) => {
            // It is named here.
            behind.retain(|rating| !std::ptr::eq(*rating, second));
            let ahead = format!("{} (probability {})", lead.ahead(), probability(p));
            if p >= LEAST_PROBABILITY {
                format!("{} is the strongest engine, {ahead}.", name(first))
            } else {
                format!("First: {}, {ahead}.", name(first))
            }
        }
        (&[_, other], Some(p)) if std::ptr::eq(other, second) => lead.undecided(p),
        // The next engine by its rating may have no rank.
        (&[_, other, ..], _) if !std::ptr::eq(other, second) => {
            let lead = Lead::new(scope, standings, [first, other]);
            format!("Undecided between {}{}.", listed(&best), lead.by(None))
        }
        (_, p) => format!("Undecided between {}{}.", listed(&best), lead.by(p)),
    }];
    if !behind.is_empty() {
        let who = match best.len() {
            1 => "It is",
            2 => "Both are",
            _ => "All are",
        };
        sentences.push(format!("{who} significantly ahead of {}.", listed(&behind)));
    }
    if !not_best.is_empty() {
        let are = if not_best.len() == 1 { "is" } else { "are" };
        sentences.push(format!("{} {are} not the strongest.", listed(&not_best)));
    }
    if !unranked.is_empty() {
        sentences.push(format!("Not ranked: {}.", listed(&unranked)));
    }
    let is_likely = best.len() > 1 && first.p_stronger_next.is_some_and(|p| LEAST_PROBABILITY <= p);
    (sentences.join(" "), is_likely)
}

/// Of two engines, their pairs decide which one is stronger, as in `arena compare`.
fn of_two(found: &HeadToHead, [first, second]: [&Rating; 2]) -> (String, bool) {
    let said = |stronger, weaker, found: &HeadToHead| {
        (format!("{} is stronger than {}: {}.", name(stronger), name(weaker), difference(found)), false)
    };
    match found.stronger() {
        Some(Stronger::First) => said(first, second, found),
        Some(Stronger::Second) => said(second, first, &found.swapped()),
        None if found.few
            && first.score > 0.5
            && !found.elo.low.is_finite()
            && !found.elo.high.is_finite() =>
        {
            (format!("First: {}, {}. Too few decided pairs for ranks.", name(first), points(first)), false)
        }
        None if found.few && first.score > 0.5 => {
            let pairs = counted(found.decided, "decided pair", "decided pairs");
            // Of few matches that were all won, it says nothing.
            let lead = Some(found).filter(|it| it.elo.value.is_finite() || 0.0 < it.elo.low).map(difference);
            let lead = lead.map_or(String::new(), |lead| format!(": {lead}"));
            (format!("First: {}, {}{lead}, from only {pairs}.", name(first), points(first)), true)
        }
        None if found.few => {
            let [first, second] = [first, second].map(name);
            (format!("Undecided between {first} and {second}, with too few decided pairs."), false)
        }
        None => {
            let [first, second] = [first, second].map(name);
            let lead = with_verb(&difference(found));
            (format!("Undecided between {first} and {second}: {first} {lead}."), true)
        }
    }
}

/// How much stronger an engine is than the other one, by their pairs. `arena compare` says the same.
pub(super) fn difference(found: &HeadToHead) -> String {
    let los = if found.few { String::new() } else { format!(", LOS {}", text::probability(found.los)) };
    format!("{} Elo{los}", elo_interval(found.elo))
}

/// The lead of the first engine over the second one.
struct Lead {
    engines: [String; 2],
    /// `None` if it is not known, or would have to be valid at any time.
    difference: Option<RatingDifference>,
}

impl Lead {
    fn new(scope: &Scope, standings: &Standings, engines: [&Rating; 2]) -> Self {
        let [first, second] = engines.map(|rating| rating.engine.as_str());
        let difference = (standings.validity == Validity::FixedSize)
            .then(|| RatingDifference::of_engines(scope, first, second, standings.confidence))
            .flatten();
        Self { engines: engines.map(name), difference }
    }

    /// `+102 ± 135 Elo`.
    fn elo(&self) -> Option<String> {
        let RatingDifference { elo, low, high, .. } = self.difference?;
        Some(format!("{} Elo", Number::with_error(elo, 0.5 * (high - low)).text()))
    }

    /// `+102 ± 90 Elo ahead of B`.
    fn ahead(&self) -> String {
        let ahead = format!("ahead of {}", self.engines[1]);
        self.elo().map_or(ahead.clone(), |elo| format!("{elo} {ahead}"))
    }

    /// `: A leads B by +102 ± 135 Elo (probability 92.1 %)`.
    fn by(&self, p: Option<f64>) -> String {
        let [first, second] = &self.engines;
        let p = p.map_or(String::new(), |p| format!(" (probability {})", probability(p)));
        self.elo().map_or(String::new(), |elo| format!(": {first} leads {second} by {elo}{p}"))
    }

    /// The answer if either of the two may be the strongest engine: the first one with the probability `p`.
    fn undecided(&self, p: f64) -> String {
        let [first, second] = &self.engines;
        let percent = (100.0 * p).round().clamp(1.0, 99.0);
        let is_sure = self.difference.is_some_and(|difference| difference.is_sure());
        match self.elo() {
            Some(elo) if p >= LEAST_PROBABILITY => {
                let but = if is_sure { " Among so many engines, this is not certain." } else { "" };
                format!(
                    "{first} is probably the strongest engine ({percent:.0} %), {elo} ahead of {second}.{but}"
                )
            }
            elo => {
                // By the score, the other one may be ahead.
                let rating = elo.map_or(String::new(), |elo| format!("; its rating is {elo} higher"));
                format!(
                    "Undecided between {first} and {second}: {first} is stronger with {percent:.0} % probability{rating}."
                )
            }
        }
    }
}

/// Who is ahead although not all ranks are known: not that of the first engine, or not those of `unranked` ones that may be
/// as strong.
fn leading(scope: &Scope, first: &Rating, unranked: &[&Rating]) -> String {
    let of_pool = || scope.engines.iter().filter(|rating| rating.pool == first.pool);
    let are_ranks = of_pool().any(|rating| rating.rank_low.is_some());
    let lack = match unranked {
        _ if !are_ranks => "Too few decided pairs for ranks.".to_owned(),
        [] => format!("{} has no rank yet: {}.", name(first), why_unranked(first)),
        unranked => format!("Without a rank yet: {}.", listed(unranked)),
    };
    let is_level = |rating: &&Rating| rating.score.total_cmp(&first.score).is_eq();
    let level: Vec<&Rating> = of_pool().filter(is_level).collect();
    if level.len() > 1 {
        return format!("Undecided between {}, with equal scores. {lack}", listed(&level));
    }
    let best = of_pool().max_by(|a, b| a.score.total_cmp(&b.score));
    if let Some(best) = best.filter(|best| first.score < best.score) {
        return format!("First: {} by its rating, {} by its score. {lack}", name(first), name(best));
    }
    format!("First: {}, {}. {lack}", name(first), points(first))
}

/// `27.5 of 30 points`.
fn points(rating: &Rating) -> String {
    let points = (2.0 * rating.score * rating.matches as f64).round() / 2.0;
    format!("{points} of {}", counted(rating.matches, "point", "points"))
}

/// How many more pairs may be enough to tell the first two engines apart.
fn more_pairs(scope: &Scope, standings: &Standings) -> Option<String> {
    let more = scope.more_pairs?;
    // An engine that forfeits is to be repaired: more of its matches say nothing.
    let [first, second] = scope.engines.get(..2).filter(|two| !two.iter().any(has_many_forfeits))? else {
        return None;
    };
    let pairs = if more == 1 { "pair" } else { "pairs" };
    let is_of_many_games = scope.name == OVERALL && standings.scopes.len() > 2;
    let each = if is_of_many_games { "per pairing and game" } else { "per pairing" };
    let [first, second] = [first, second].map(name);
    Some(format!("To tell {first} from {second}: about {more} more {pairs} {each}, if the lead stays."))
}

/// Why an engine that is first has no rank although others have one.
fn why_unranked(rating: &Rating) -> String {
    match rating.status {
        Status::SomeGames { rated, of } => {
            let why = if rating.losses == 0 { ", because it lost no match there" } else { "" };
            format!("no interval in {} of {of} games{why}", of - rated)
        }
        Status::Above => "it won every match against the rated engines".to_owned(),
        _ if rating.few => format!("fewer than {FEWEST_DECIDED} decided pairs"),
        _ => "it has no interval".to_owned(),
    }
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
    fn answer(pairs: &str) -> Verdict {
        verdict(&standings(pairs)).unwrap()
    }

    fn standings(pairs: &str) -> Standings {
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
        Standings::new(&tally, &RatingSettings::default())
    }

    #[test]
    fn one_program_against_itself_is_not_asked_for_more_pairs() {
        let mut standings = standings("A B 11 W W; A B 10 W L; A B 9 L L");
        assert!(verdict(&standings).unwrap().remarks[0].starts_with("To tell A from B: about "));
        standings.add_note(Note::alike(vec!["A".to_owned(), "B".to_owned()]));
        let Verdict { answer, remarks } = verdict(&standings).unwrap();
        assert!(answer.starts_with(ALIKE) && remarks.is_empty(), "{answer} {remarks:?}");
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
            "A B 12 W W; A C 12 W W; B C 12 W W",
            "A B 12 D D",
            "A B 1 W",
            "A B 1 W D",
            "A B 12 W W; A B 1 W L; C D 10 W W",
            "A B 24 W W; A B 11 L L; B C 30 W W; B C 10 L L; A C 30 W W; A C 10 L L",
            "A B 3 W W; A B 1 L L; A C 3 W W; B C 30 W W; B C 12 L L",
        ];
        let lines = |pairs: &&str| {
            let Verdict { answer, remarks } = answer(pairs);
            remarks.iter().fold(answer, |text, remark| format!("{text}\n  {remark}"))
        };
        let said: Vec<String> = cases.iter().map(lines).collect();
        insta::assert_snapshot!(said.join("\n"), @r"
        First: A, 4 of 4 points, from only 2 decided pairs.
          To tell A from B: about 8 more pairs per pairing, if the lead stays.
        First: A, 11 of 12 points: +417 (-27 to +811) Elo, from only 5 decided pairs.
          To tell A from B: about 6 more pairs per pairing, if the lead stays.
        First: A, 18 of 18 points: +∞ (+118 to +∞) Elo, from only 9 decided pairs.
          To tell A from B: about 1 more pair per pairing, if the lead stays.
        A is stronger than B: +∞ (+140 to +∞) Elo, LOS >99.9%.
        A is stronger than B: +241 (+127 to +350) Elo, LOS >99.9%.
        Undecided between A and B: A leads by +23 (-82 to +128) Elo, LOS 67.0%.
          To tell A from B: about 575 more pairs per pairing, if the lead stays.
        A is the strongest engine, +131 ± 97 Elo ahead of B (probability 98.7 %). It is significantly ahead of C.
        Undecided between A and B: A is stronger with 54 % probability; its rating is +10 ± 116 Elo higher. Both are significantly ahead of C.
        Undecided between A, B and C: A leads B by +11 ± 125 Elo (probability 52.7 %).
        Undecided between A and B: A is stronger with 54 % probability; its rating is +17 ± 153 Elo higher. Both are significantly ahead of C.
        First: A, 8 of 8 points. Too few decided pairs for ranks.
        First: A, 16 of 16 points. Too few decided pairs for ranks.
        A is the strongest engine, 48 of 48 points. It is significantly ahead of B and C.
        Undecided between A and B, with too few decided pairs.
        First: A, 1 of 1 point. Too few decided pairs for ranks.
        First: A, 1.5 of 2 points. Too few decided pairs for ranks.
        Pool 1 of 2. First: A, +682 ± 605 Elo ahead of B (probability 88.5 %). Pool 2. C is the strongest engine, 20 of 20 points. It is significantly ahead of D.
        A is probably the strongest engine (92 %), +92 ± 100 Elo ahead of B. Both are significantly ahead of C.
          To tell A from B: about 7 more pairs per pairing, if the lead stays.
        First: A, 12 of 14 points. A has no rank yet: fewer than 10 decided pairs.
          To tell A from B: about 6 more pairs per pairing, if the lead stays.
        ");
    }

    /// Two pairs of A against B and of C against A, with changes of the first scope.
    fn said_of(change: impl Fn(&mut Scope)) -> Verdict {
        let mut tally = Tally::new();
        for (white, black) in [("A", "B"), ("B", "A"), ("C", "A"), ("A", "C")] {
            let result = if white == "A" || black == "C" { "1-0" } else { "1/2-1/2" };
            tally.add(&FinishedMatch::new("push", white, black, result.parse().unwrap())).unwrap();
        }
        let mut standings = Standings::new(&tally, &RatingSettings::default());
        change(&mut standings.scopes[0]);
        verdict(&standings).unwrap()
    }

    #[test]
    fn many_forfeits_are_named() {
        let forfeits = |numbers: [u64; 3]| {
            said_of(|scope| {
                // It is not too early.
                (scope.more_pairs, scope.engines[1].rank_low) = (Some(8), Some(2));
                for rating in &mut scope.engines {
                    let place = ["A", "B", "C"].iter().position(|name| *name == rating.engine).unwrap();
                    (rating.matches, rating.forfeits) = (20, numbers[place]);
                }
            })
            .remarks
            .join(" ")
        };
        let few = forfeits([1, 1, 1]);
        assert!(!few.contains("Forfeits") && few.contains("To tell A from B"), "{few}");
        let one = forfeits([1, 2, 0]);
        // Who should repair B is not told to play more.
        assert_eq!(one, "Forfeits count as losses: B forfeited 2 of 20 matches.");
        let two = forfeits([3, 12, 0]);
        assert!(two.contains(": B forfeited 12 of 20 matches, A 3 of 20."), "{two}");
        let all = forfeits([3, 12, 4]);
        assert!(all.contains(": B forfeited 12 of 20 matches, and 2 other engines many of theirs."), "{all}");
    }

    #[test]
    fn the_lead_is_over_one_of_those_that_may_be_the_strongest() {
        let said = said_of(|scope| {
            scope.engines.sort_by(|one, other| one.engine.cmp(&other.engine));
            for (rating, rank) in scope.engines.iter_mut().zip([Some(1), None, Some(1)]) {
                (rating.rank_low, rating.rank_high) = (rank, rank.map(|_| 2));
                rating.estimate = Some(0.0);
            }
        })
        .answer;
        assert!(said.starts_with("Undecided between A and C") && !said.contains("leads B"), "{said}");
        assert!(said.contains("Not ranked: B."), "{said}");
    }

    #[test]
    fn forfeits_of_two_engines_make_the_result_together() {
        let said = |numbers: [u64; 2]| {
            let mut standings = standings("A B 12 W W; A B 8 L L");
            for (rating, forfeits) in standings.scopes[0].engines.iter_mut().zip(numbers) {
                rating.forfeits = forfeits;
            }
            verdict(&standings).unwrap()
        };
        let both = said([12, 10]);
        assert!(
            both.answer.starts_with(
                "The result comes from forfeits, not from play: A forfeited 12 of 40 matches, B 10 of 40. "
            ),
            "{both:?}"
        );
        assert!(both.remarks[0].ends_with("(`arena run` with `--replay A --replay B`)."), "{both:?}");
        let fewer = said([12, 6]);
        assert!(fewer.answer.starts_with("Undecided "), "{fewer:?}");
        assert!(fewer.remarks[0].starts_with("Forfeits count as losses: A forfeited 12 of 40"), "{fewer:?}");
        let one = said([3, 21]);
        assert!(
            one.remarks[0].ends_with("play its matches again (`arena run` with `--replay B`)."),
            "{one:?}"
        );
    }

    #[test]
    fn another_one_may_have_the_best_score() {
        let said = said_of(|scope| {
            scope.engines[0].score = 0.6;
            scope.engines[2].score = 0.7;
        })
        .answer;
        assert!(said.starts_with("First: A by its rating, "), "{said}");
        assert!(said.contains(" by its score. Too few decided pairs for ranks"), "{said}");
    }
}
