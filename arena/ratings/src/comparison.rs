//! Two engines against each other, overall and in each game: by their own pairs and by their ratings. This file joins
//! results; it estimates nothing.

use std::collections::BTreeMap;

use serde::Serialize;

use super::confidence::Confidence;
use super::confidence_sequence::{Change, ConfidenceSequence, Found};
use super::head_to_head::{HeadToHead, Interval, elo_of};
use super::mean_score::mean_score;
use super::pair_sequence::{GamePairs, OrderedPair};
use super::pentanomial::Pentanomial;
use super::rating_difference::{RatingDifference, p_stronger};
use super::sprt::{Decision, Hypotheses, Sprt};
use super::standings::{OVERALL, Rating, Scope, Standings, Status};

/// A question about two engines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Question {
    /// The engine from whose view the results are.
    pub first: String,
    /// The other engine.
    pub second: String,
    /// The hypotheses of the sequential test.
    pub hypotheses: Hypotheses,
    /// The number of pairs between two looks of the test.
    pub batch_pairs: u64,
    /// The confidence level of all intervals.
    pub confidence: Confidence,
}

/// A comparison of two engines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The question.
    pub question: Question,
    /// `overall` first if the two met in several games, then the games by name.
    pub scopes: Vec<ScopeComparison>,
    /// Remarks about the input, as text.
    pub notes: Vec<String>,
    /// What a sequential test found that decided how many matches were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tested: Option<String>,
}

/// The comparison in one game, or over all of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScopeComparison {
    /// [`OVERALL`] or the game's id.
    pub name: String,
    /// The pairs by outcome, from the view of the first engine. Overall, the pairs of all games together: each game
    /// has weight in proportion to its pairs.
    pub pairs: Pentanomial,
    /// The number of matches without a partner. They are used only for ratings.
    pub lone_matches: u64,
    /// Those that the first engine won, drew and lost.
    pub lone_results: [u64; 3],
    /// Whether each had White in half of the matches, so that the colour favours neither.
    #[serde(skip)]
    pub has_even_sides: bool,
    /// The number of pairs from an opening that an earlier pair started from. In scores and Elo, all pairs from one opening count as one.
    pub repeated_openings: u64,
    /// Whether the ratings come from other engines' matches, too. Of two engines alone, their pairs decide.
    #[serde(skip)]
    pub others_played: bool,
    /// Score and Elo. `None` without pairs.
    pub head_to_head: Option<HeadToHead>,
    /// Score and Elo by matches, if the two have no pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_matches: Option<HeadToHead>,
    /// Overall: the score with equal weight for each game.
    pub mean_score: Option<Interval>,
    /// The sequential test.
    pub test: Test,
    /// Intervals that are valid at any time. `None` without pairs.
    pub any_time: Option<AnyTime>,
    /// The first engine's rating minus the second's, from the matches of all engines. `None` unless both have a
    /// two-sided rating.
    pub rating: Option<RatingDifference>,
    /// The probability that the first engine is stronger, 0 to 1, by the same ratings.
    pub p_stronger: Option<f64>,
    /// The rank ranges of the two in the ratings.
    #[serde(skip)]
    pub ranks: Option<[(usize, usize); 2]>,
    /// Why there is no difference of ratings.
    pub no_difference: Option<NoDifference>,
}

impl ScopeComparison {
    /// The number of pairs if all from one opening are one.
    pub const fn n_openings(&self) -> u64 {
        self.pairs.pairs() - self.repeated_openings
    }

    /// Leaves only what is valid however often somebody looks at it.
    pub fn keep_any_time(&mut self) {
        (self.rating, self.by_matches) = (None, None);
        let any_time = self.any_time.as_ref().and_then(|it| Some((it.score?, it.elo?)));
        self.head_to_head = self.head_to_head.take().and_then(|found| {
            let ([from, to], [low, high]) = any_time?;
            let score = Interval { low: from, high: to, ..found.score };
            Some(HeadToHead { score, elo: Interval { low, high, ..found.elo }, ..found })
        });
    }
}

/// Why two ratings have no difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoDifference {
    /// This engine has no match here.
    NoMatch {
        /// The engine.
        engine: String,
    },
    /// The engines are not connected by matches.
    OtherPool,
    /// This engine has no two-sided rating.
    Unbounded {
        /// The engine.
        engine: String,
        /// The kind of its rating.
        status: Status,
    },
}

impl NoDifference {
    fn of(scope: Option<&Scope>, engines: [&str; 2]) -> Option<Self> {
        let rating = |engine| scope?.engines.iter().find(|rating| rating.engine == engine);
        let ratings = engines.map(rating);
        if let Some(place) = ratings.iter().position(Option::is_none) {
            return Some(Self::NoMatch { engine: engines[place].to_owned() });
        }
        let ratings: Vec<&Rating> = ratings.into_iter().flatten().collect();
        if ratings[0].pool != ratings[1].pool {
            return Some(Self::OtherPool);
        }
        // An engine that is alone has no rating because of the other one.
        let unbounded = ratings
            .iter()
            .filter(|rating| rating.status != Status::Bounded)
            .min_by_key(|rating| rating.status == Status::Alone)?;
        Some(Self::Unbounded { engine: unbounded.engine.clone(), status: unbounded.status })
    }
}

/// The state of a sequential test, with pairs in the order in which they started.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Test {
    /// The log likelihood ratio of the second hypothesis to the first.
    pub log_likelihood_ratio: f64,
    /// At or below this value, the first hypothesis is accepted.
    pub lower: f64,
    /// At or above this value, the second hypothesis is accepted.
    pub upper: f64,
    /// The decision; `None` while the test is undecided.
    pub decision: Option<Decision>,
}

/// Results that are valid at any time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AnyTime {
    /// The interval of the score, 0 to 1. `None` if the pairs contradict every score.
    pub score: Option<[f64; 2]>,
    /// Whether later pairs contradict earlier ones.
    pub change: Option<Change>,
    /// The same interval in Elo; infinite ends are `null` in JSON.
    pub elo: Option<[f64; 2]>,
    /// The evidence that the first engine is stronger: an e-value.
    pub evidence_stronger: f64,
    /// The evidence that the first engine is weaker: an e-value.
    pub evidence_weaker: f64,
}

impl Comparison {
    /// Answers `question` from the pairs of the two engines in each game, and from the `standings` of all engines.
    pub fn new(question: Question, pairs: &BTreeMap<String, GamePairs>, standings: &Standings) -> Self {
        let mut scopes = Vec::with_capacity(pairs.len() + 1);
        if pairs.len() != 1 {
            scopes.push(overall(&question, pairs, standings));
        }
        for (name, game) in pairs {
            scopes.push(scope(&question, name, game, standings));
        }
        // In the order of the standings.
        let place = |name: &str| standings.scopes.iter().position(|rated| rated.name == name);
        scopes.sort_by_key(|scope| (scope.name != OVERALL, place(&scope.name)));
        Self { question, scopes, notes: Vec::new(), tested: None }
    }
}

/// All games together, with the pairs in the order in which they started.
fn overall(
    question: &Question,
    games: &BTreeMap<String, GamePairs>,
    standings: &Standings,
) -> ScopeComparison {
    let all = GamePairs::of_all(games.values());
    let by_game: Vec<_> = games.values().map(GamePairs::scores).collect();
    let mean_score = mean_score(&by_game, question.confidence);
    ScopeComparison { mean_score, ..scope(question, OVERALL, &all, standings) }
}

fn scope(question: &Question, name: &str, game: &GamePairs, standings: &Standings) -> ScopeComparison {
    let Question { first, second, confidence, .. } = question;
    let pairs = game.by_outcome();
    let rated = standings.scopes.iter().find(|scope| scope.name == name);
    let others_played = rated.is_some_and(Scope::has_more_than_two);
    let rating = rated.and_then(|scope| RatingDifference::of_engines(scope, first, second, *confidence));
    ScopeComparison {
        name: name.to_owned(),
        pairs,
        lone_matches: game.lone_matches(),
        lone_results: game.lone_results,
        has_even_sides: game.has_even_sides(),
        repeated_openings: game.repeated_openings,
        others_played,
        head_to_head: head_to_head(rated, first, game, *confidence),
        by_matches: game.by_matches(*confidence).filter(|_| pairs.pairs() == 0),
        ranks: rated.and_then(|scope| ranks(scope, [first, second])),
        mean_score: None,
        test: test(question, &game.pairs, &pairs),
        any_time: any_time(&game.pairs, *confidence),
        p_stronger: rating.and_then(|_| p_stronger(rated?, first, second)),
        no_difference: if rating.is_some() { None } else { NoDifference::of(rated, [first, second]) },
        rating,
    }
}

/// What the pairs of `game` say of its `first` engine against the other one: of two engines alone, what their table says.
pub fn head_to_head(
    rated: Option<&Scope>,
    first: &str,
    game: &GamePairs,
    confidence: Confidence,
) -> Option<HeadToHead> {
    let of_table = rated.filter(|_| !game.pairs.is_empty()).and_then(|scope| scope.lead_of(first));
    of_table.or_else(|| HeadToHead::of_scores(&game.scores(), confidence))
}

/// The rank ranges of two engines of one pool.
fn ranks(scope: &Scope, engines: [&str; 2]) -> Option<[(usize, usize); 2]> {
    let [one, other] = engines.map(|engine| scope.engines.iter().find(|rating| rating.engine == engine));
    let (one, other) = (one?, other?);
    let ranks = |rating: &Rating| rating.rank_low.zip(rating.rank_high);
    (one.pool == other.pool).then_some([ranks(one)?, ranks(other)?])
}

fn test(question: &Question, in_order: &[OrderedPair], pairs: &Pentanomial) -> Test {
    let mut test = Sprt::new(question.hypotheses, question.batch_pairs);
    for pair in in_order {
        test.add(pair.outcome);
    }
    let [lower, upper] = question.hypotheses.bounds();
    let log_likelihood_ratio = question.hypotheses.log_likelihood_ratio(pairs);
    Test { log_likelihood_ratio, lower, upper, decision: test.decision() }
}

fn any_time(in_order: &[OrderedPair], confidence: Confidence) -> Option<AnyTime> {
    if in_order.is_empty() {
        return None;
    }
    let mut sequence = ConfidenceSequence::new(confidence);
    for pair in in_order {
        sequence.add(pair.outcome.score());
    }
    let Found { score, change } = sequence.found();
    Some(AnyTime {
        score,
        change,
        elo: score.map(|ends| ends.map(elo_of)),
        evidence_stronger: sequence.evidence_stronger(),
        evidence_weaker: sequence.evidence_weaker(),
    })
}
