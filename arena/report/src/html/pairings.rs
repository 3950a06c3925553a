//! Every two engines against each other, in each game and overall: results, pairs, the comparison by pairs and by
//! ratings. The crate `ratings` does the estimation.

use std::collections::BTreeMap;

use engine_proto::Side;
use serde::Serialize;

use super::history::History;
use super::standings_view::facts;
use super::words::{probability, typeset};
use crate::tables::text::{capitalised, shown};
use crate::tables::{LEAST_PROBABILITY, Number, comparison_answer, shown_scopes, with_cautions};
use ratings::{
    Comparison, Confidence, ConfidenceSequence, EloModel, FEWEST_DECIDED, FinishedMatch, GamePairs,
    HeadToHead, Hypotheses, Interval, OVERALL, OrderedPair, PairSequence, Pentanomial, Question, Rating,
    RatingDifference, RatingDifferences, Scope, ScopeComparison, Standings, Status, Validity, elo_of_score,
    head_to_head, with_verb,
};
use schedule::stop::TestState;

/// The matches of every two engines.
#[derive(Debug, Default)]
pub struct Pairings {
    /// By the engines' names, the smaller one first.
    met: BTreeMap<(String, String), Met>,
}

#[derive(Debug)]
struct Met {
    sequence: PairSequence,
    /// By game, from the view of the first engine.
    results: BTreeMap<String, WinDrawLoss>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct WinDrawLoss {
    win: u64,
    draw: u64,
    loss: u64,
}

/// The pairings of a scope.
#[derive(Debug, Serialize)]
pub struct ScopePairings {
    /// [`OVERALL`] or the game's id.
    name: String,
    /// The name for people.
    title: String,
    /// What is known of it as a whole.
    facts: String,
    /// The engines' indices, the strongest first.
    engines: Vec<usize>,
    pairings: Vec<Pairing>,
    /// For every two rated engines, whether or not they met: the probability that the first is stronger.
    stronger: Vec<Stronger>,
}

/// The indices of two engines, and the probability that the first is stronger.
#[derive(Debug, Serialize)]
struct Stronger(usize, usize, f64);

/// Two engines against each other, from the view of the first.
#[derive(Debug, Serialize)]
struct Pairing {
    first: usize,
    second: usize,
    results: WinDrawLoss,
    /// Which of the two is stronger: overall, or in the only game in which they met.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Answer>,
    pairs: Pentanomial,
    lone_matches: u64,
    repeated_openings: u64,
    own: Option<OwnPairs>,
    /// In all scopes of two engines alone; otherwise where the answer is.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<History>,
    rating: Option<RatingDifference>,
    /// The expected points of the first engine, and the deviation in standard errors.
    expected: Option<f64>,
    z: Option<f64>,
}

/// With fewer matches, the standard error of `z` is itself too uncertain.
const LEAST_MATCHES_OF_Z: u64 = 2 * FEWEST_DECIDED;

/// Which of two engines is stronger.
#[derive(Debug, Serialize)]
struct Answer {
    /// The index of the engine that is ahead: its view is that of the whole page.
    leader: usize,
    text: String,
    /// What else there is to say: that the tables count more pairs than the test, or what the pairs of the two say alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<String>,
}

/// The comparison by the pairs of the two engines only, or without pairs by their matches.
#[derive(Debug, Serialize)]
struct OwnPairs {
    score: Interval,
    elo: Interval,
    /// `None` if it is not valid, because the number of matches was not fixed beforehand, or because too few pairs were decided
    /// and the interval does not exclude 0.
    los: Option<f64>,
}

impl Pairings {
    /// Adds a match; its pair is identified among all inputs.
    pub fn add(&mut self, played: &FinishedMatch<'_>) {
        if played.is_void() {
            return;
        }
        let (white, black) = (played.white, played.black);
        let key = (white.min(black).to_owned(), white.max(black).to_owned());
        let first_is_white = key.0 == white;
        let met = self.met.entry(key).or_insert_with_key(|(first, second)| Met {
            sequence: PairSequence::new(first, second),
            results: BTreeMap::new(),
        });
        met.sequence.add(&FinishedMatch {
            pair: played.pair,
            opening: played.opening,
            ..FinishedMatch::new(played.game, white, black, played.result)
        });
        let results = met.results.entry(played.game.to_owned()).or_default();
        match played.result.winner() {
            None => results.draw += 1,
            Some(winner) if (winner == Side::White) == first_is_white => results.win += 1,
            Some(_) => results.loss += 1,
        }
    }

    /// The pairings of each scope, without engines that are absent from it. `place` gives the engines' indices on the
    /// page, `title` the name of a scope.
    pub fn finish(
        self,
        standings: &Standings,
        tests: &[TestState],
        place: impl Fn(&str) -> usize,
        title: impl Fn(&str) -> String,
    ) -> Vec<ScopePairings> {
        let met: Vec<Finished> = self
            .met
            .into_iter()
            .map(|((first, second), Met { sequence, mut results })| {
                let mut games = sequence.finish();
                let is_played =
                    |game: &str| ![&first, &second].iter().any(|one| standings.is_absent(game, one));
                games.retain(|game, _| is_played(game));
                results.retain(|game, _| is_played(game));
                Finished { first, second, games, results }
            })
            .collect();
        let of_scope = |scope: &Scope| {
            let rated = Rated::new(scope, standings, tests);
            ScopePairings {
                name: scope.name.clone(),
                title: title(&scope.name),
                facts: facts(scope).join(", "),
                engines: rated.engines().map(|rating| place(&rating.engine)).collect(),
                pairings: met.iter().filter_map(|met| met.pairing(&rated, &place)).collect(),
                stronger: rated.stronger(&place),
            }
        };
        shown_scopes(standings).iter().map(of_scope).collect()
    }
}

impl ScopePairings {
    /// Leaves out what depends on the order of the pairs: those of several tournaments have none.
    pub fn forget_order(&mut self) {
        for it in &mut self.pairings {
            (it.own, it.history) = (None, None);
            if let Some(verdict) = &mut it.verdict {
                "No interval of these pairs together: how many there are depends on the results of each folder alone."
                    .clone_into(&mut verdict.text);
                verdict.more = None;
            }
        }
    }

    /// Leaves the results alone, where it is too early for more.
    pub fn keep_results(&mut self) {
        self.stronger.clear();
        for it in &mut self.pairings {
            (it.own, it.history, it.rating, it.expected, it.z) = (None, None, None, None, None);
        }
    }
}

/// The matches of two engines, complete.
struct Finished {
    first: String,
    second: String,
    games: BTreeMap<String, GamePairs>,
    results: BTreeMap<String, WinDrawLoss>,
}

/// A scope with the rating differences of its engines.
struct Rated<'a> {
    scope: &'a Scope,
    standings: &'a Standings,
    /// `None` if there are no ratings, or if they would have to be valid at any time.
    differences: Option<RatingDifferences<'a>>,
    /// The sequential tests that decided how many matches were played.
    tests: &'a [TestState],
    confidence: Confidence,
    validity: Validity,
}

impl Finished {
    /// The comparison of the two in a scope, if they met in it.
    fn pairing(&self, rated: &Rated<'_>, place: &impl Fn(&str) -> usize) -> Option<Pairing> {
        let mut results = WinDrawLoss::default();
        for (_, one) in self.results.iter().filter(|(game, _)| rated.covers(game)) {
            results.add(*one);
        }
        if results.n() == 0 {
            return None;
        }
        let games = self.games.iter().filter(|(game, _)| rated.covers(game));
        let game = GamePairs::of_all(games.map(|(_, game)| game));
        let pairs = game.by_outcome();
        let own = match rated.validity {
            Validity::FixedSize => {
                let found = head_to_head(Some(rated.scope), &self.first, &game, rated.confidence);
                found.or_else(|| game.by_matches(rated.confidence)).map(OwnPairs::of_fixed_number)
            }
            Validity::AnyTime | Validity::AnyTimeAll => OwnPairs::at_any_time(&game.pairs, rated.confidence),
        };
        let is_by_matches = game.pairs.is_empty() && own.is_some();
        let in_order = if is_by_matches { game.stand_ins() } else { &game.pairs };
        let are_two = rated.engines().count() == 2;
        let is_answer = match self.results.len() {
            1 => self.results.contains_key(&rated.scope.name),
            _ => rated.scope.name == OVERALL,
        };
        let fit = rated.scope.fit.as_ref().and_then(|fit| {
            fit.pairings.iter().find(|one| one.first == self.first && one.second == self.second)
        });
        Some(Pairing {
            first: place(&self.first),
            second: place(&self.second),
            results,
            verdict: is_answer.then(|| self.verdict(rated, place, pairs.pairs())),
            pairs,
            lone_matches: game.lone_matches(),
            repeated_openings: game.repeated_openings,
            own,
            history: (are_two || is_answer).then(|| self.history(rated, in_order)).flatten(),
            rating: rated.difference([&self.first, &self.second]),
            expected: fit.map(|fit| fit.expected),
            z: fit.filter(|fit| LEAST_MATCHES_OF_Z <= fit.matches).and_then(|fit| fit.z),
        })
    }
}

impl Finished {
    /// The test of the two, if there is one.
    fn test<'a>(&self, tests: &'a [TestState]) -> Option<&'a TestState> {
        let of_them = |test: &&TestState| {
            let [new, old] = &test.engines;
            [[new, old], [old, new]].contains(&[&self.first, &self.second])
        };
        tests.iter().rfind(of_them)
    }

    /// How their lead in a scope went. The test is that of all their matches.
    fn history(&self, rated: &Rated<'_>, pairs: &[OrderedPair]) -> Option<History> {
        let is_all = rated.scope.name == OVERALL || self.games.len() == 1;
        let test = self.test(rated.tests).filter(|test| is_all && test.limits.is_none());
        History::new(pairs, rated.confidence, rated.validity, &self.first, test)
    }

    /// Which of the two is stronger. If that was tested, the test says it, from the view of the new engine; where others played, too,
    /// the ratings say it, as in the standings.
    fn verdict(&self, rated: &Rated<'_>, place: impl Fn(&str) -> usize, n_pairs: u64) -> Answer {
        if let Some(test) = self.test(rated.tests) {
            let warning = test.warning.as_ref().map_or(String::new(), |it| format!(" Warning: {it}."));
            let text = format!("{} {}.{warning}", test.sentence(), capitalised(&test.evidence()));
            let text = with_cautions(text, Some(rated.scope));
            let later = test.later(n_pairs).map(|later| capitalised(&later) + ".");
            return Answer { leader: place(&test.engines[0]), text: typeset(&text), more: later };
        }
        let (first, by_pairs) = self.by_pairs(rated);
        if let Some((leader, text)) = self.by_ratings(rated) {
            let more =
                || format!("That is by the matches of all engines; by those of the two alone: {by_pairs}");
            return Answer { leader: place(&leader), text, more: (0 < n_pairs).then(more) };
        }
        let begins_with_name =
            [&self.first, &self.second].iter().any(|name| by_pairs.starts_with(name.as_str()));
        let text = if begins_with_name { by_pairs } else { capitalised(&by_pairs) };
        Answer { leader: place(&first), text: with_cautions(text, Some(rated.scope)), more: None }
    }

    /// The lead by the ratings, which use the matches of all engines, and its probability; `None` with too few decided pairs.
    fn by_ratings(&self, rated: &Rated<'_>) -> Option<(String, String)> {
        let mut engines = [self.first.as_str(), self.second.as_str()];
        let found = rated.difference(engines).filter(|found| !found.is_few && rated.engines().count() > 2)?;
        if found.elo < 0.0 {
            engines.reverse();
        }
        let [first, second] = engines.map(shown);
        let lead = typeset(&Number::with_error(found.elo.abs(), 0.5 * (found.high - found.low)).text());
        let p = rated.p_stronger(engines);
        let likely = p.filter(|p| LEAST_PROBABILITY <= *p).map(probability);
        let p = p.map_or(String::new(), |p| format!(", probability {}", probability(p)));
        let text = if found.is_sure() {
            format!("{first} is stronger than {second}: {lead} Elo{p}.")
        } else if let Some(likely) = likely {
            // In the words of the standings.
            format!("{first} is probably stronger than {second} ({likely}): {lead} Elo.")
        } else {
            format!("Undecided between {first} and {second}: {first} {} Elo{p}.", with_verb(&lead))
        };
        Some((engines[0].to_owned(), text))
    }

    /// The answer of `arena compare` for the two.
    fn by_pairs(&self, rated: &Rated<'_>) -> (String, String) {
        // Its test is not shown here.
        let question = Question {
            first: self.first.clone(),
            second: self.second.clone(),
            hypotheses: Hypotheses::new(EloModel::Normalized, 0.0, 5.0, 0.05, 0.05)
                .expect("they are in order"),
            batch_pairs: 1 << 20,
            confidence: rated.confidence,
        };
        let mut comparison = Comparison::new(question, &self.games, rated.standings);
        let is_any_time = rated.validity.is_any_time();
        if is_any_time {
            comparison.scopes.iter_mut().for_each(ScopeComparison::keep_any_time);
        }
        turn_to_the_leader(&mut comparison);
        let answer = typeset(&comparison_answer(&comparison));
        let found = comparison
            .scopes
            .first()
            .and_then(|scope| scope.head_to_head.as_ref().or(scope.by_matches.as_ref()));
        let los = found.filter(|found| !is_any_time && !found.few);
        let los = los.map_or_else(String::new, |found| format!(", LOS {}", probability(found.los)));
        (comparison.question.first, format!("{answer}{los}."))
    }
}

/// Lets the comparison be from the view of the engine that is ahead, as far as the answer says it.
fn turn_to_the_leader(Comparison { question, scopes, .. }: &mut Comparison) {
    if let Some(ScopeComparison { head_to_head, by_matches, .. }) = scopes.first_mut()
        && let Some(found) = head_to_head.as_mut().or(by_matches.as_mut())
        && found.elo.value < 0.0
    {
        *found = found.swapped();
        std::mem::swap(&mut question.first, &mut question.second);
    }
}

impl<'a> Rated<'a> {
    fn new(scope: &'a Scope, standings: &'a Standings, tests: &'a [TestState]) -> Self {
        let Standings { confidence, validity, .. } = *standings;
        let differences = if validity.is_any_time() { None } else { RatingDifferences::of(scope) };
        Self { scope, standings, differences, tests, confidence, validity }
    }

    /// The engines that played.
    fn engines(&self) -> impl Iterator<Item = &Rating> {
        self.scope.engines.iter().filter(|rating| rating.status != Status::Absent)
    }

    /// Whether the matches of a game belong to the scope.
    fn covers(&self, game: &str) -> bool {
        self.scope.name == OVERALL || self.scope.name == game
    }

    fn difference(&self, [first, second]: [&str; 2]) -> Option<RatingDifference> {
        self.differences.as_ref()?.between(first, second, self.confidence)
    }

    /// The probability that the first of two engines is stronger.
    fn p_stronger(&self, engines: [&str; 2]) -> Option<f64> {
        let covariance = self.scope.covariance.as_ref()?;
        let place = |engine: &str| covariance.engines.iter().position(|name| name == engine);
        let [first, second] = engines.map(place);
        Some(covariance.p_stronger.as_ref()?[first?][second?])
    }

    fn stronger(&self, place: impl Fn(&str) -> usize) -> Vec<Stronger> {
        // Of two engines, their pairs decide.
        let Some(covariance) = self.scope.covariance.as_ref().filter(|_| self.engines().count() > 2) else {
            return Vec::new();
        };
        let Some(matrix) = &covariance.p_stronger else { return Vec::new() };
        let names = &covariance.engines;
        let one = |row: usize, column: usize| {
            Stronger(place(&names[row]), place(&names[column]), round(matrix[row][column]))
        };
        (0..names.len())
            .flat_map(|row| (row + 1..names.len()).map(move |column| (row, column)))
            .map(|(row, column)| one(row, column))
            .collect()
    }
}

impl WinDrawLoss {
    const fn n(self) -> u64 {
        self.win + self.draw + self.loss
    }

    const fn add(&mut self, other: Self) {
        self.win += other.win;
        self.draw += other.draw;
        self.loss += other.loss;
    }
}

impl OwnPairs {
    /// The comparison for a number of pairs that was fixed beforehand.
    fn of_fixed_number(HeadToHead { score, elo, los, few, .. }: HeadToHead) -> Self {
        let is_sure = 0.0 < elo.low || elo.high < 0.0;
        Self { score: rounded(score), elo: rounded(elo), los: (!few || is_sure).then(|| round(los)) }
    }

    /// The comparison that is valid at any time; `None` without pairs, or if they contradict every score.
    fn at_any_time(pairs: &[OrderedPair], confidence: Confidence) -> Option<Self> {
        let mut sequence = ConfidenceSequence::new(confidence);
        let mut sum = 0.0;
        for pair in pairs {
            sequence.add(pair.outcome.score());
            sum += pair.outcome.score();
        }
        let [low, high] = sequence.found().score.filter(|_| !pairs.is_empty())?;
        let score = Interval { value: sum / pairs.len() as f64, low, high };
        let elo = Interval {
            value: elo_of_score(score.value),
            low: elo_of_score(score.low),
            high: elo_of_score(score.high),
        };
        Some(Self { score: rounded(score), elo: rounded(elo), los: None })
    }
}

/// Rounds the ends of an interval, which come from a search with a limited precision.
fn rounded(it: Interval) -> Interval {
    Interval { value: round(it.value), low: round(it.low), high: round(it.high) }
}

fn round(value: f64) -> f64 {
    (value * 1e5).round() / 1e5
}
