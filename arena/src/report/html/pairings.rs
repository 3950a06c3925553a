//! Every two engines against each other, in each game and over all: results, pairs, what they say by themselves, and what the
//! ratings say. The estimation is done by the ratings' module.

use std::collections::BTreeMap;

use engine_proto::Side;
use serde::Serialize;

use crate::rating::{
    Confidence, FinishedMatch, HeadToHead, Interval, OVERALL, PairSequence, Pentanomial, RatingDifference,
    RatingDifferences, Scope,
};
use crate::record::Record;

/// The matches of every two engines.
#[derive(Debug, Default)]
pub struct Pairings {
    /// By the engines' names, the smaller one first.
    met: BTreeMap<(String, String), Met>,
}

#[derive(Debug)]
struct Met {
    sequence: PairSequence,
    /// By game, seen from the first engine.
    results: BTreeMap<String, WinDrawLoss>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct WinDrawLoss {
    win: u64,
    draw: u64,
    loss: u64,
}

/// What the page knows of a scope's pairings.
#[derive(Debug, Serialize)]
pub struct ScopePairings {
    /// [`OVERALL`] or the game's id.
    name: String,
    /// The name that people read.
    title: String,
    /// The engines' places, the strongest first.
    engines: Vec<usize>,
    pairings: Vec<Pairing>,
    /// The likelihoods of superiority of every two engines that are rated, whether or not they met.
    superiorities: Vec<Superiority>,
}

/// Two engines' places, and how likely the first is the stronger one by the ratings.
#[derive(Debug, Serialize)]
struct Superiority(usize, usize, f64);

/// Two engines against each other, seen from the first.
#[derive(Debug, Serialize)]
struct Pairing {
    first: usize,
    second: usize,
    results: WinDrawLoss,
    pairs: Pentanomial,
    lone_matches: u64,
    repeated_openings: u64,
    head_to_head: Option<HeadToHead>,
    rating: Option<RatingDifference>,
    /// The points that the ratings expect of the first, and the deviation in standard errors.
    expected: Option<f64>,
    z: Option<f64>,
}

impl Pairings {
    /// Counts a match; `pair` names its pair among all folders.
    pub fn add(&mut self, record: &Record, pair: &str) {
        let (white, black) = (&record.white, &record.black);
        let key = (white.min(black).clone(), white.max(black).clone());
        let first_is_white = key.0 == *white;
        let game = record.game.0.id();
        let met = self.met.entry(key).or_insert_with_key(|(first, second)| Met {
            sequence: PairSequence::new(first, second),
            results: BTreeMap::new(),
        });
        met.sequence.add(&FinishedMatch {
            game,
            white,
            black,
            result: record.result,
            pair: Some(pair),
            opening: Some(&record.opening),
        });
        let results = met.results.entry(game.to_owned()).or_default();
        match record.result.winner() {
            None => results.draw += 1,
            Some(winner) if (winner == Side::White) == first_is_white => results.win += 1,
            Some(_) => results.loss += 1,
        }
    }

    /// What is known of each scope; `place` gives the engines' places on the page, `title` a scope's name for people.
    pub fn finish(
        self,
        scopes: &[Scope],
        confidence: Confidence,
        place: impl Fn(&str) -> usize,
        title: impl Fn(&str) -> String,
    ) -> Vec<ScopePairings> {
        let met: Vec<_> = self
            .met
            .into_iter()
            .map(|(names, Met { sequence, results })| (names, sequence.finish(), results))
            .collect();
        let of_scope = |scope: &Scope| {
            let differences = RatingDifferences::of(scope);
            let is_overall = scope.name == OVERALL;
            let is_counted = |game: &str| is_overall || game == scope.name;
            let pairings = met.iter().filter_map(|((first, second), games, results)| {
                let mut sum = WinDrawLoss::default();
                results.iter().filter(|(game, _)| is_counted(game)).for_each(|(_, one)| sum.add(*one));
                if sum.n() == 0 {
                    return None;
                }
                let mut pairs = Pentanomial::default();
                let (mut lone_matches, mut repeated_openings) = (0, 0);
                for (_, game) in games.iter().filter(|(game, _)| is_counted(game)) {
                    game.pairs.iter().for_each(|pair| pairs.count(pair.outcome));
                    lone_matches += game.lone_matches;
                    repeated_openings += game.repeated_openings;
                }
                let fit = scope.fit.as_ref().and_then(|fit| {
                    fit.pairings.iter().find(|fitted| fitted.first == *first && fitted.second == *second)
                });
                Some(Pairing {
                    first: place(first),
                    second: place(second),
                    results: sum,
                    pairs,
                    lone_matches,
                    repeated_openings,
                    head_to_head: HeadToHead::new(&pairs, confidence).map(rounded),
                    rating: differences.as_ref().and_then(|all| all.between(first, second, confidence)),
                    expected: fit.map(|fit| fit.expected),
                    z: fit.and_then(|fit| fit.z),
                })
            });
            ScopePairings {
                name: scope.name.clone(),
                title: title(&scope.name),
                engines: scope.engines.iter().map(|rating| place(&rating.engine)).collect(),
                pairings: pairings.collect(),
                superiorities: superiorities(scope, confidence, &place),
            }
        };
        scopes.iter().map(of_scope).collect()
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

fn superiorities(scope: &Scope, confidence: Confidence, place: impl Fn(&str) -> usize) -> Vec<Superiority> {
    let Some(differences) = RatingDifferences::of(scope) else { return Vec::new() };
    let mut superiorities = Vec::new();
    for (idx, first) in scope.engines.iter().enumerate() {
        for second in &scope.engines[idx + 1..] {
            let difference = differences.between(&first.engine, &second.engine, confidence);
            superiorities.extend(difference.map(|difference| {
                Superiority(place(&first.engine), place(&second.engine), round(difference.los))
            }));
        }
    }
    superiorities
}

/// The ends of an interval come from a search: what lies beyond its tolerance is no figure to print.
fn rounded(one: HeadToHead) -> HeadToHead {
    let all =
        |it: Interval| Interval { value: round(it.value), low: round(it.low), high: round(it.high) };
    HeadToHead { score: all(one.score), elo: all(one.elo), los: round(one.los), ..one }
}

fn round(value: f64) -> f64 {
    (value * 1e5).round() / 1e5
}
