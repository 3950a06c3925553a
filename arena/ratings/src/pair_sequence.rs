//! Joins the matches of two engines to pairs, in the order in which the pairs started. Ignores matches of other
//! engines; estimates nothing.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::confidence::Confidence;
use super::head_to_head::{HeadToHead, are_even};
use super::pentanomial::{EngineResult, PairOutcome, Pentanomial};
use super::scores::{OpeningScores, Scores};
use super::tally::FinishedMatch;
use crate::MatchResult;

/// The matches of two engines, added one by one.
///
/// A pair is two matches of the same game with the sides swapped and the same pair name; without such a partner, from the
/// same opening. Pairs are ordered by their first matches.
#[derive(Clone, Debug)]
pub struct PairSequence {
    first: String,
    second: String,
    games: BTreeMap<String, GameMatches>,
    n_matches: usize,
}

/// The pairs of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamePairs {
    /// The pairs in the order in which they started, from the view of the first engine.
    pub pairs: Vec<OrderedPair>,
    /// Matches without a partner: those that the first engine won, drew and lost.
    pub lone_results: [u64; 3],
    /// The number of pairs from an opening that an earlier pair started from.
    pub repeated_openings: u64,
    /// Matches with neither pair nor opening, as pairs of the same score.
    unnamed: Vec<OrderedPair>,
    /// In how many more matches the first engine was White than Black.
    n_more_white: i64,
}

/// A pair with its place in the order of all pairs of all games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderedPair {
    /// The index of its first match among all matches of the two engines.
    pub place: usize,
    /// The outcome for the first engine.
    pub outcome: PairOutcome,
    /// The hash of its game and opening, if it is known.
    pub opening: Option<u64>,
}

#[derive(Clone, Debug, Default)]
struct GameMatches {
    game: GamePairs,
    /// Matches that wait for a partner, by the hash of their pair name or opening.
    waiting: HashMap<u64, Vec<Waiting>>,
    openings: HashSet<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Shared {
    Pair,
    Opening,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    place: usize,
    first_is_white: bool,
    result: EngineResult,
    /// The hash of its opening.
    opening: Option<u64>,
}

impl PairSequence {
    /// An empty sequence for the matches of `first` against `second`.
    pub fn new(first: &str, second: &str) -> Self {
        Self { first: first.to_owned(), second: second.to_owned(), games: BTreeMap::new(), n_matches: 0 }
    }

    /// Adds the next match, if it is between the two engines and at least one of them took part.
    pub fn add(&mut self, played: &FinishedMatch<'_>) {
        self.add_at(self.n_matches, played);
    }

    /// Adds a match with this index among all matches. Matches may be added in any order, also within a pair.
    pub fn add_at(&mut self, place: usize, played: &FinishedMatch<'_>) {
        let is_between = |white: &str, black: &str| played.white == white && played.black == black;
        let first_is_white = is_between(&self.first, &self.second);
        if !(first_is_white || is_between(&self.second, &self.first)) || played.is_void() {
            return;
        }
        let result = result_of(played.result, first_is_white);
        let this = Waiting {
            place,
            first_is_white,
            result,
            opening: played.opening.map(|it| fingerprint((played.game, it))),
        };
        self.n_matches += 1;
        let game = match self.games.get_mut(played.game) {
            Some(game) => game,
            None => self.games.entry(played.game.to_owned()).or_default(),
        };
        game.add(this, played);
    }

    /// The pairs of each game, from the view of the first engine. Games without a match of the two are left out.
    pub fn finish(self) -> BTreeMap<String, GamePairs> {
        self.games.into_iter().map(|(name, game)| (name, game.finish())).collect()
    }
}

impl GameMatches {
    fn add(&mut self, this: Waiting, played: &FinishedMatch<'_>) {
        self.game.n_more_white += if this.first_is_white { 1 } else { -1 };
        let key = match (played.pair, played.opening) {
            (Some(pair), _) => fingerprint((Shared::Pair, pair)),
            (None, Some(opening)) => fingerprint((Shared::Opening, opening)),
            (None, None) => {
                let outcome = PairOutcome::of(this.result, this.result);
                self.game.unnamed.push(OrderedPair { place: this.place, outcome, opening: None });
                return self.game.add_lone(this.result);
            }
        };
        self.pair_up(this, key);
    }

    /// Joins `this` with a waiting match of the same `key`.
    fn pair_up(&mut self, this: Waiting, key: u64) {
        let Some(partner) = self.partner_of(this, key) else { return };
        let outcome = PairOutcome::of(partner.result, this.result);
        let place = partner.place.min(this.place);
        self.game.pairs.push(OrderedPair { place, outcome, opening: this.opening });
        if this.opening.is_some_and(|opening| !self.openings.insert(opening)) {
            self.game.repeated_openings += 1;
        }
    }

    /// The match of the same `key` that waits for one with the sides swapped. If there is none, `this` waits too.
    fn partner_of(&mut self, this: Waiting, key: u64) -> Option<Waiting> {
        let mut waiting = match self.waiting.entry(key) {
            Entry::Occupied(waiting) => waiting,
            Entry::Vacant(nobody) => {
                nobody.insert(vec![this]);
                return None;
            }
        };
        let is_partner = |other: &Waiting| other.first_is_white != this.first_is_white;
        let Some(place) = waiting.get().iter().position(is_partner) else {
            waiting.get_mut().push(this);
            return None;
        };
        let partner = waiting.get_mut().remove(place);
        if waiting.get().is_empty() {
            waiting.remove();
        }
        Some(partner)
    }

    fn finish(mut self) -> GamePairs {
        // Some programs give the two matches of a pair different names: then their opening joins them.
        let waiting = std::mem::take(&mut self.waiting);
        let mut alone: Vec<Waiting> = waiting.into_values().flatten().collect();
        alone.sort_unstable_by_key(|one| one.place);
        for one in alone {
            match one.opening {
                Some(opening) => self.pair_up(one, fingerprint((Shared::Opening, opening))),
                None => self.game.add_lone(one.result),
            }
        }
        self.game.sort();
        for one in self.waiting.values().flatten() {
            self.game.add_lone(one.result);
        }
        self.game
    }
}

impl GamePairs {
    /// The number of matches without a partner.
    pub fn lone_matches(&self) -> u64 {
        self.lone_results.iter().sum()
    }

    /// Several games together.
    pub fn of_all<'a>(games: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut all = Self::default();
        for game in games {
            all.pairs.extend_from_slice(&game.pairs);
            for (all, of_game) in all.lone_results.iter_mut().zip(game.lone_results) {
                *all += of_game;
            }
            all.repeated_openings += game.repeated_openings;
            all.unnamed.extend_from_slice(&game.unnamed);
            all.n_more_white += game.n_more_white;
        }
        all.sort();
        all
    }

    /// The pairs by outcome.
    pub fn by_outcome(&self) -> Pentanomial {
        counted(&self.pairs)
    }

    /// The scores, one of each opening.
    pub fn scores(&self) -> Scores {
        OpeningScores::of(&self.pairs).scores()
    }

    /// What the matches say, each of which counts as independent, if all of them have neither pair nor opening.
    pub fn by_matches(&self, confidence: Confidence) -> Option<HeadToHead> {
        HeadToHead::of_matches(&counted(self.stand_ins()), self.n_more_white, confidence)
    }

    /// Whether the first engine had White in half of its matches, so that the colour favours neither.
    pub(super) const fn has_even_sides(&self) -> bool {
        are_even(self.n_more_white)
    }

    /// The matches that stand for pairs: all, if they have neither pair nor opening; otherwise none.
    pub fn stand_ins(&self) -> &[OrderedPair] {
        let are_all = self.pairs.is_empty() && self.unnamed.len() as u64 == self.lone_matches();
        if are_all { &self.unnamed } else { &[] }
    }

    fn sort(&mut self) {
        self.pairs.sort_unstable_by_key(|pair| pair.place);
        self.unnamed.sort_unstable_by_key(|pair| pair.place);
    }

    fn add_lone(&mut self, result: EngineResult) {
        let place = match result {
            EngineResult::Win => 0,
            EngineResult::Draw => 1,
            EngineResult::Loss => 2,
        };
        self.lone_results[place] += 1;
    }
}

fn counted(pairs: &[OrderedPair]) -> Pentanomial {
    let mut counts = Pentanomial::default();
    for pair in pairs {
        counts.count(pair.outcome);
    }
    counts
}

/// A hash of a text: among a million texts, two have the same hash in one of thirty million files.
fn fingerprint(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The result from the view of the first engine.
const fn result_of(result: MatchResult, first_is_white: bool) -> EngineResult {
    let of_white = match result {
        MatchResult::WhiteWins => EngineResult::Win,
        MatchResult::Draw => EngineResult::Draw,
        MatchResult::BlackWins => EngineResult::Loss,
    };
    if first_is_white { of_white } else { of_white.swapped() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ending;
    use PairOutcome::{DrawDraw, LossDraw, WinLoss, WinWin};

    /// Lines such as `push A B 1-0 7 o1`: game, White, Black, result, pair, opening; `-` for none.
    fn pairs(lines: &str) -> BTreeMap<String, GamePairs> {
        let mut sequence = PairSequence::new("A", "B");
        for line in lines.lines().map(str::trim) {
            let words: Vec<&str> = line.split(' ').collect();
            sequence.add(&FinishedMatch {
                game: words[0],
                white: words[1],
                black: words[2],
                result: words[3].parse().unwrap(),
                pair: Some(words[4]).filter(|&pair| pair != "-"),
                opening: Some(words[5]).filter(|&opening| opening != "-"),
                moves: None,
                ending: Ending::Played,
            });
        }
        sequence.finish()
    }

    fn outcomes(game: &GamePairs) -> Vec<PairOutcome> {
        game.pairs.iter().map(|pair| pair.outcome).collect()
    }

    #[test]
    fn pairs_stand_in_the_order_in_which_they_began() {
        let games = pairs(
            "push A B 1-0 1 -
             push A B 1/2-1/2 2 -
             push B A 1/2-1/2 2 -
             push C A 1-0 2 -
             push B A 0-1 1 -",
        );
        assert_eq!(outcomes(&games["push"]), [WinWin, DrawDraw]);
        assert_eq!(games["push"].lone_matches(), 0);
    }

    #[test]
    fn only_swapped_sides_in_one_game_make_a_pair() {
        let games = pairs(
            "push A B 1-0 1 -
             push A B 1-0 1 -
             tower-push B A 1-0 1 -
             push B A 1-0 - -",
        );
        let push = &games["push"];
        assert_eq!((outcomes(push).len(), push.lone_results, push.repeated_openings), (0, [2, 0, 1], 0));
        assert_eq!(games["tower-push"].lone_matches(), 1);
    }

    #[test]
    fn without_a_pair_the_opening_tells_the_partner() {
        let games = pairs(
            "push A B 1-0 - o1
             push B A 1-0 - o2
             push B A 1-0 - o1
             push A B 1/2-1/2 - o2
             push A B 1-0 - o1
             push B A 1-0 - o1",
        );
        assert_eq!(outcomes(&games["push"]), [WinLoss, LossDraw, WinLoss]);
        assert_eq!(games["push"].repeated_openings, 1);
        // Of 0.5 and 0.5, and of 0.25.
        let scores = games["push"].scores();
        assert_eq!((scores.iter().collect(), scores.has_means), (vec![(0.25, 1.0), (0.5, 1.0)], true));
    }
}
