//! Finds out which notes a scope needs, and words them.

use super::combined::{Combined, Mean};
use super::estimate::{Estimate, FitInformation};
use super::head_to_head::HeadToHead;
use super::holm::SIGNIFICANT;
use super::intervals::{FEWEST_CLUSTERS, FEWEST_DECIDED};
use super::meta_analysis::NoGeneralStrength;
use super::note::{MOST_NAMES, Note, chance, listed, with_remarks};
use super::results::{Absent, Cell, Outcomes, Pairing, Results};
use super::settings::OpeningsMeant;
use super::signed::signed;
use super::standings::{
    FitMethod, FitQuality, GameDeviation, GameSlope, General, Phi, Rating, Status, Transitivity,
};

/// The smallest share of forfeits that leads to a note, ...
const MANY_FORFEITS: f64 = 0.05;
/// ... together with this number of forfeits.
const FEWEST_FORFEITS: u64 = 2;

/// A larger limit of the spread between games says nothing.
const MOST_SPREAD: f64 = 300.0;

/// The notes on one game.
pub(super) fn of_game(
    estimate: &Estimate,
    engines: &[Rating],
    lead: Option<&HeadToHead>,
    phi: Option<&Phi>,
    fit: Option<&FitQuality>,
    transitivity: Option<&Transitivity>,
) -> Vec<Note> {
    let mut notes = pools(engines);
    notes.extend(verdict(estimate));
    notes.extend(alone(engines));
    // Where an engine is alone, its note says what the bounds are relative to.
    let is_alone = |pool: usize| engines.iter().any(|it| it.pool == pool && it.status == Status::Alone);
    let with = |status: Status| {
        named(engines, |it| it.status == status && (status == Status::NotComparable || !is_alone(it.pool)))
    };
    for (status, kind, text) in [
        (Status::Above, "above", "won every match against the rated engines: no upper bound"),
        (Status::Below, "below", "lost every match against the rated engines: no lower bound"),
        (Status::NotComparable, "not-comparable", "no match against a rated engine: no bound"),
    ] {
        notes.extend(Note::about(kind, with(status), text));
    }
    // Of an engine with few decided pairs, the next note says it.
    let weak = named(engines, |rating| rating.weak && !rating.few);
    let weak = Note::about("weak", weak, "the number is not reliable");
    notes.extend(weak.map(|note| note.with_advice("play more pairs")));
    // Without openings, matches that count once are copies.
    if estimate.results.pairings.iter().any(|pairing| pairing.has_clusters) {
        notes.extend(repeated_openings(engines));
    }
    notes.extend(few_decided(engines));
    notes.extend(no_rank(engines));
    notes.extend(few_openings(estimate));
    notes.extend(fit.map(lack_of_fit).unwrap_or_default());
    notes.extend(transitivity.map(|it| {
        let percent = |share: f64| (100.0 * share).round();
        let [share, low, high] = [it.share, it.low, it.high].map(percent);
        Note::general(
            "transitivity",
            format!(
                "ratings explain {share} % ({low} to {high}) of the differences between pairings; {} % ({} to {}) are cyclic \
                 or particular to pairings",
                100.0 - share,
                100.0 - high,
                100.0 - low
            ),
        )
    }));
    notes.extend(one_sided(estimate));
    notes.extend(pairs(estimate, phi));
    notes.extend(copies(estimate.results.copies, lead));
    notes.extend(forfeits(engines));
    notes.extend(absent(&estimate.results.absent));
    notes.extend(void(estimate.results.void));
    notes
}

/// The note on matches that were not played because neither engine took part.
fn void(matches: u64) -> Option<Note> {
    let matches = match matches {
        0 => return None,
        1 => "1 match was not played and is".to_owned(),
        n => format!("{n} matches were not played and are"),
    };
    let text = format!("{matches} not counted, because both engines had retired after too many faults");
    Some(Note::general("void", text))
}

/// The note on engines that never started.
pub(super) fn absent(absent: &[Absent]) -> Option<Note> {
    let matches: u64 = absent.iter().map(|absent| absent.matches).sum();
    let matches = if matches == 1 { "1 match is".to_owned() } else { format!("{matches} matches are") };
    let engines = absent.iter().map(|absent| absent.engine.clone()).collect();
    Note::about("absent", engines, &format!("never started; {matches} not counted"))
}

/// The notes on all games together.
pub(super) fn of_overall(
    combined: &Combined,
    mean: Option<&Mean>,
    engines: &[Rating],
    general: Result<&General, NoGeneralStrength>,
) -> Vec<Note> {
    let mut notes: Vec<Note> = alone(engines).into_iter().collect();
    if mean.is_none() {
        let ratings = combined.games.iter().zip(&combined.ratings);
        let unrated: Vec<String> =
            ratings.filter(|(_, ratings)| ratings.is_none()).map(|(game, _)| game.clone()).collect();
        let place = if unrated.is_empty() { String::new() } else { format!(" in {}", listed(&unrated)) };
        // Such as where every match of a game was drawn.
        let has_rough = engines.iter().any(|it| it.low.is_some() && it.high.is_some());
        let [what, lack] = if has_rough { ["only rough", "exact ones"] } else { ["no", "one"] };
        let text = format!("{what} overall intervals: fewer than two engines have {lack} in all games");
        notes.push(Note::general("no-overall", text).with_advice(format!("play more{place}")));
    } else {
        notes.extend(some_games(engines));
    }
    notes.extend(few_decided(engines));
    notes.extend(no_rank(engines));
    match general {
        Ok(general) => notes.extend(differences(general, engines)),
        // That there are no overall intervals says it already.
        Err(_) if mean.is_none() => {}
        Err(reason) => notes.push(Note::general("no-general-strength", reason.to_string())),
    }
    notes.extend(forfeits(engines));
    notes
}

/// The engines without an interval in every game: one note for each number of games.
fn some_games(engines: &[Rating]) -> Vec<Note> {
    let in_games = |rating: &Rating| match rating.status {
        Status::SomeGames { rated, of } => Some((rated, of)),
        _ => None,
    };
    let mut numbers: Vec<(usize, usize)> = engines.iter().filter_map(in_games).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let note = |(rated, of): (usize, usize)| {
        let without = of - rated;
        let names = named(engines, |rating| in_games(rating) == Some((rated, of)));
        Note::about(
            "some-games",
            names,
            &format!("rough number, because there is no interval in {without} of {of} games"),
        )
    };
    numbers.into_iter().filter_map(note).collect()
}

/// The note on ratings without an interval yet.
pub(super) fn too_early(engines: &[Rating]) -> Option<Note> {
    let early = named(engines, |rating| rating.status == Status::TooEarly);
    let text = format!(
        "too early for an interval; needs {FEWEST_CLUSTERS} pairs in every game, {FEWEST_DECIDED} of them decided"
    );
    Note::about("too-early", early, &text)
}

/// The notes on standard errors and those of `times` resamplings. With few clusters the two differ, because the
/// ratings' own errors then rely on the model.
pub(super) fn bootstrap(engines: &[Rating], times: u32, fewest_clusters: u64) -> Vec<Note> {
    const ENOUGH_CLUSTERS: u64 = 30;
    const TOLERANCE: f64 = 0.15;
    let errors = || {
        engines.iter().filter_map(|rating| Some((rating.engine.clone(), rating.se?, rating.se_bootstrap?)))
    };
    let list: Vec<String> =
        errors().map(|(engine, se, other)| format!("{engine} {se:.1} and {other:.1}")).collect();
    if list.is_empty() {
        return Vec::new();
    }
    let text = format!("standard errors by formula, and by {times} resamples: {}", list.join(", "));
    let differ = errors().filter(|(_, se, other)| (other - se).abs() > TOLERANCE * se);
    let differ = differ.map(|(engine, ..)| engine).filter(|_| fewest_clusters >= ENOUGH_CLUSTERS).collect();
    let differ = Note::about(
        "bootstrap-differs",
        differ,
        &format!(
            "the standard error by resampling differs by more than {:.0} %, so the intervals may be wrong",
            100.0 * TOLERANCE
        ),
    );
    std::iter::once(Note::general("bootstrap", text)).chain(differ).collect()
}

/// The differences between the games.
fn differences(general: &General, engines: &[Rating]) -> Vec<Note> {
    let &General { spread, spread_low: low, spread_high: high, p, .. } = general;
    // Of two engines, the tables have leads, on another scale than ratings.
    let are_two = engines.len() == 2;
    // Without significant differences between ratings, a slope has no meaning; nor has one with an error as large as itself.
    let are_told_apart = engines.iter().any(|rating| rating.rank_low.is_some_and(|rank| rank > 1));
    let is_known = |it: &&GameSlope| !are_two && are_told_apart && 1.96 * it.se < it.slope;
    let slopes: Vec<&GameSlope> = general.slopes.iter().filter(is_known).collect();
    let text = if low > 0.0 && are_two {
        let chance = p.map_or(String::new(), |p| format!(" ({})", chance(p)));
        format!("the lead is not the same in all games: it varies beyond its errors{chance}")
    } else if are_two {
        "the lead does not differ significantly between games".to_owned()
    } else if low > 0.0 {
        let chance = p.map_or(String::new(), |p| format!(", {}", chance(p)));
        format!(
            "the engines are not equally strong in all games: ratings vary by {spread:.0} Elo from game to game, beyond \
             their errors ({low:.0} to {high:.0}{chance})"
        )
    } else {
        // Nor does one that is larger than what the intervals leave open anyway, or none at all: ratings agree better than
        // chance by chance.
        let widths = engines.iter().filter_map(|rating| Some(rating.high? - rating.low?));
        let widest = widths.fold(0.0, f64::max);
        let is_useful = (1.0..=MOST_SPREAD.min(widest)).contains(&high);
        let limit =
            is_useful.then(|| format!(" (beyond their errors, a typical difference is below {high:.0} Elo)"));
        let but = if slopes.iter().any(|slope| slope.differs) { "apart from their spread, " } else { "" };
        format!("{but}the ratings do not differ significantly between games{}", limit.unwrap_or_default())
    };
    let mut notes = vec![Note::general("game-differences", text)];
    if slopes.iter().any(|slope| slope.differs) {
        let slopes: Vec<String> = slopes.into_iter().map(slope).collect();
        notes.push(Note::general(
            "slopes",
            format!("rating spread in each game relative to the other games: {}", slopes.join("; ")),
        ));
    }
    // The tables have ratings relative to all engines.
    let is_compared = |rating: &Rating| general.deviations.iter().any(|it| it.engine == rating.engine);
    let are_all = engines.iter().filter(|rating| rating.estimate.is_some()).all(is_compared);
    let among = if are_all { "" } else { ", among the engines rated in every game" };
    // Of two engines, the other one's deviation is the same.
    let is_wanted = |it: &&GameDeviation| it.is_specialist && (!are_two || it.elo_difference > 0.0);
    notes.extend(general.deviations.iter().filter(is_wanted).take(MOST_NAMES).map(|it| {
        let text = if are_two {
            format!("stronger in {} than in all games together", it.game)
        } else {
            let difference = signed(it.elo_difference, 0);
            format!("{difference} Elo in {} relative to its overall rating{among}", it.game)
        };
        Note::new("specialist", vec![it.engine.clone()], format!("{}: {text}", it.engine))
    }));
    notes
}

fn slope(it: &GameSlope) -> String {
    let differs = if it.differs { " (differs significantly from 1)" } else { "" };
    format!("{} {:.2} ± {:.2}{differs}", it.game, it.slope, 1.96 * it.se)
}

pub(super) fn pools(engines: &[Rating]) -> Vec<Note> {
    let n_pools = engines.iter().map(|rating| rating.pool).max().unwrap_or(0);
    let note = |pool| {
        let text = "never met the others, so the scale is separate; add matches between the pools";
        Note::about("pool", named(engines, |rating| rating.pool == pool), text)
    };
    (2..=n_pools).filter_map(note).collect()
}

fn alone(engines: &[Rating]) -> Option<Note> {
    let alone = named(engines, |rating| rating.status == Status::Alone);
    let origin = match alone.as_slice() {
        [] => return None,
        [only] => only.as_str(),
        _ => "one engine of each pool",
    };
    let text = format!(
        "one engine of each pairing won all its matches, so the bounds are relative to {origin}; add engines of similar strength"
    );
    Some(Note::new("alone", alone, text))
}

/// The number of matches from which on it is no chance if the colour decides all.
const FEWEST_BY_COLOUR: u64 = 8;

fn verdict(estimate: &Estimate) -> Option<Note> {
    match estimate.verdict {
        FitInformation::Regular | FitInformation::NoFit => None,
        FitInformation::OnlyDraws => {
            Some(Note::general("only-draws", "every match between rated engines was drawn".to_owned()))
        }
        FitInformation::ColourDecides => {
            let fitted = estimate.fitted();
            let is_first =
                fitted.iter().flat_map(|pairing| pairing.cells()).any(|cell| cell.2.white_wins != 0);
            let side = if is_first { "first" } else { "second" };
            let matches: u64 = fitted.iter().map(|pairing| pairing.total.matches()).sum();
            // Of few matches, that is chance.
            let advice = if matches < FEWEST_BY_COLOUR { "play more" } else { "use other openings" };
            let text = format!("the {side} player won every match that counted; {advice}");
            Some(Note::general("colour-decides", text))
        }
    }
}

/// If all matches were drawn, or the side decides all, there is no rating that few decided pairs could make uncertain.
fn few_decided(engines: &[Rating]) -> Option<Note> {
    let few = named(engines, |rating| rating.few);
    let who = if few.len() == engines.len() { "all engines".to_owned() } else { listed(&few) };
    let text = format!("{who}: fewer than {FEWEST_DECIDED} decided pairs (rough interval, no rank)");
    let advice = if repeat_openings(engines) { "play other openings" } else { "play more" };
    (!few.is_empty()).then(|| Note::new("few", few, text).with_advice(advice))
}

/// Whether two engines play openings again and again: all their matches from one opening are one pair.
fn repeat_openings(engines: &[Rating]) -> bool {
    engines.iter().any(|it| 0 < it.pairs && 3 * it.pairs < it.matches)
}

fn repeated_openings(engines: &[Rating]) -> Option<Note> {
    let text = "openings were played again: all matches of two engines from one opening count as one pair";
    repeat_openings(engines).then(|| Note::general("repeated-openings", text.to_owned()))
}

/// Why engines have no rank although others have one, unless they have few decided pairs.
fn no_rank(engines: &[Rating]) -> Option<Note> {
    let has_ranks = |pool| engines.iter().any(|it| it.pool == pool && it.rank_low.is_some());
    let is_meant =
        |it: &Rating| it.rank_low.is_none() && !it.few && it.estimate.is_some() && has_ranks(it.pool);
    let text = "no rank, because no other engine is known to be weaker or stronger";
    Note::about("no-rank", named(engines, is_meant), text).map(|note| note.with_advice("play more"))
}

fn few_openings(estimate: &Estimate) -> Option<Note> {
    const FEW_OPENINGS: f64 = 5.0;
    let openings = estimate.clustered.shared.effective_in_all;
    let has_few = openings > 0.0 && openings < FEW_OPENINGS && estimate.openings == OpeningsMeant::Similar;
    let text = if openings < 1.5 {
        "only 1 opening is played by several pairings: the ± do not cover its choice".to_owned()
    } else {
        let openings = (10.0 * openings).round() / 10.0;
        format!("only {openings} openings are played by several pairings: they say little about others")
    };
    (has_few && estimate.verdict == FitInformation::Regular)
        .then(|| Note::general("few-openings", text).with_advice("play more openings"))
}

fn lack_of_fit(fit: &FitQuality) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(p) = fit.p.filter(|&p| p < SIGNIFICANT) {
        let text = format!(
            "the ratings do not explain all pairings, so each is an average over its opponents \
             (spread {:.0} Elo, {}{})",
            fit.spread,
            chance(p),
            if fit.method == FitMethod::Simulated { ", simulated" } else { "" },
        );
        notes.push(Note::general("lack-of-fit", text));
    }
    notes.extend(fit.pairings.iter().filter(|pairing| pairing.is_named).take(MOST_NAMES).map(|pairing| {
        let text = format!(
            "{} scored {} of {} against {}, expected {:.1}",
            pairing.first, pairing.points, pairing.matches, pairing.second, pairing.expected
        );
        Note::new("outlier", vec![pairing.first.clone(), pairing.second.clone()], text)
    }));
    notes.extend(fit.cycles.iter().take(MOST_NAMES).map(|engines @ [a, b, c]| {
        Note::new("cycle", engines.to_vec(), format!("{a} beats {b}, {b} beats {c}, {c} beats {a}"))
    }));
    notes
}

/// The number of matches from which on a pairing says who always moved first.
const FEWEST_ON_ONE_SIDE: u64 = 4;

/// The pairings in which one engine had White in every match: the first move and its strength cannot be told apart there.
fn one_sided(estimate: &Estimate) -> Option<Note> {
    let Results { engines, pairings, .. } = &estimate.results;
    let one_sided = pairings.iter().filter(|pairing| is_one_sided(pairing));
    let played = one_sided.flat_map(Pairing::cells).filter(|cell| 0 < cell.2.matches());
    let text = |(idx, (white, black, _)): (usize, (usize, usize, Cell))| {
        let always = if idx == 0 { "always moved first " } else { "" };
        format!("{} {always}against {}", engines[white], engines[black])
    };
    let texts: Vec<String> = played.enumerate().map(text).collect();
    (!texts.is_empty()).then(|| Note::general("one-sided", format!("{}; swap the sides", listed(&texts))))
}

fn is_one_sided(pairing: &Pairing) -> bool {
    FEWEST_ON_ONE_SIDE <= pairing.total.matches() && pairing.cells().iter().any(|cell| cell.2.matches() == 0)
}

/// The effect of pairs, and the matches without a partner.
fn pairs(estimate: &Estimate, phi: Option<&Phi>) -> Vec<Note> {
    let pairings = &estimate.results.pairings;
    if !pairings.iter().any(|pairing| pairing.has_clusters) {
        let text = "no pairs or openings given: every match counts as independent";
        return vec![Note::general("no-pairs", text.to_owned())];
    }
    let mut notes = Vec::new();
    let singles: u64 = pairings.iter().map(single_matches).sum();
    let is_mostly_pairs = 2 * singles <= estimate.results.matches();
    if let Some(Phi { saved, .. }) = phi.filter(|phi| phi.saved.low > 0.0)
        && estimate.verdict == FitInformation::Regular
        && is_mostly_pairs
    {
        let text = format!(
            "swapped sides save {:.0} % of the matches for the same precision ({:.0} to {:.0} %)",
            100.0 * saved.value,
            100.0 * saved.low,
            100.0 * saved.high
        );
        notes.push(Note::general("pairs-saved", text));
    }
    if singles > 0 {
        let text = match singles {
            all if all == estimate.results.matches() => {
                "no match was repeated with swapped sides: every match counts as independent".to_owned()
            }
            1 => "1 match was not repeated with swapped sides".to_owned(),
            some => format!("{some} matches were not repeated with swapped sides"),
        };
        notes.push(Note::general("single-matches", text));
    }
    // Of a pairing without any swapped sides, another note says it.
    let unswapped: u64 = pairings.iter().filter(|it| !is_one_sided(it)).map(unswapped_pairs).sum();
    if unswapped > 0 {
        let [pairs, have] = if unswapped == 1 { ["pair", "has"] } else { ["pairs", "have"] };
        let text = format!(
            "{unswapped} {pairs} {have} the same sides in all matches; swap the sides to cancel the first move"
        );
        notes.push(Note::general("not-swapped", text));
    }
    let wide: u64 = pairings.iter().map(|pairing| pairing.wide_pairs).sum();
    if wide > 0 {
        let [pairs, have] = if wide == 1 { ["pair", "has"] } else { ["pairs", "have"] };
        notes.push(Note::general(
            "wide-pairs",
            format!("{wide} {pairs} {have} more than two matches; they count as one pair"),
        ));
    }
    notes
}

fn copies(copies: u64, lead: Option<&HeadToHead>) -> Option<Note> {
    let (matches, adds) = if copies == 1 {
        ("1 match is a copy of another one".to_owned(), "adds")
    } else {
        (format!("{copies} matches are copies of others"), "add")
    };
    // Two engines are compared by all their matches. An interval without ends is not too narrow.
    let lead = if lead.is_some_and(|found| found.elo.has_end()) {
        ", but the lead counts them, so its interval may be too narrow"
    } else {
        ""
    };
    let text = format!(
        "{matches} and {adds} no information{lead}; use more openings, or let the engines vary their play"
    );
    (copies > 0).then(|| Note::general("copies", text))
}

/// The engines whose rating depends to a large part on their forfeits.
fn forfeits(engines: &[Rating]) -> Option<Note> {
    let has_many = |rating: &&Rating| {
        rating.forfeits >= FEWEST_FORFEITS && rating.forfeits as f64 >= MANY_FORFEITS * rating.matches as f64
    };
    let many: Vec<&Rating> = engines.iter().filter(has_many).collect();
    let remark =
        |rating: &&Rating| (rating.engine.clone(), format!("{} of {}", rating.forfeits, rating.matches));
    let text = format!("many forfeits, which count as losses: {}", with_remarks(many.iter().map(remark)));
    let engines: Vec<String> = many.iter().map(|rating| rating.engine.clone()).collect();
    (!engines.is_empty()).then(|| Note::new("forfeits", engines, text))
}

/// The number of clusters of several matches in which nobody changes sides.
fn unswapped_pairs(pairing: &Pairing) -> u64 {
    let is_unswapped = |outcomes: &Outcomes| {
        let [one, other] = [outcomes.first_white, outcomes.second_white].map(Cell::matches);
        one.min(other) == 0 && one.max(other) > 1
    };
    let kinds = pairing.clusters.iter().filter(|kind| is_unswapped(&kind.outcomes));
    kinds.map(|kind| u64::from(kind.count)).sum()
}

/// The number of clusters with a single match.
fn single_matches(pairing: &Pairing) -> u64 {
    pairing
        .clusters
        .iter()
        .filter(|kind| kind.outcomes.matches() == 1)
        .map(|kind| u64::from(kind.count))
        .sum()
}

fn named(engines: &[Rating], is_meant: impl Fn(&Rating) -> bool) -> Vec<String> {
    engines.iter().filter(|rating| is_meant(rating)).map(|rating| rating.engine.clone()).collect()
}
