//! Which ratings are shown while matches come in, on a terminal and on a page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::tables::is_useful;
use model::{Tournament, rated_game};
use ratings::{FEWEST_DECIDED, OVERALL, Rating, Scope, Standings};
use schedule::planning;

/// By engine, the games that it plays, as the ratings count them.
pub type GamesOf = BTreeMap<String, BTreeSet<String>>;

/// The games of the schedule; empty if there is none.
pub fn games_of(tournament: &Tournament) -> GamesOf {
    let mut games_of = GamesOf::new();
    let (pairings, rounds) = planning::pairings(tournament);
    for (pairing, _) in pairings.iter().zip(rounds).filter(|(_, rounds)| 0 < *rounds) {
        let limits = tournament.limits.get(pairing.limits_idx).map(|limits| limits.name.as_str());
        let game = rated_game(tournament.games[pairing.game_idx].id.id(), limits);
        for idx in pairing.contenders {
            let games = games_of.entry(tournament.engines[idx].name.clone()).or_default();
            if !games.contains(&*game) {
                games.insert(game.clone().into_owned());
            }
        }
    }
    games_of
}

/// The ratings that say something already. One that has been shown is never taken back, however its interval grows.
#[derive(Clone, Debug, Default)]
pub struct KnownRatings {
    /// For each tournament.
    games_of: Vec<Arc<GamesOf>>,
    /// The names of scopes and engines.
    known: BTreeSet<(String, String)>,
}

impl KnownRatings {
    /// Takes note of what the tournaments play.
    pub fn follow(&mut self, games_of: Vec<Arc<GamesOf>>) {
        self.games_of = games_of;
    }

    /// Takes note of the ratings so far.
    pub fn add(&mut self, standings: &Standings) {
        for scope in &standings.scopes {
            let useful = scope.engines.iter().filter(|rating| is_useful(rating) && !is_passing(rating));
            let is_whole = |engine: &str| scope.name != OVERALL || self.has_played_all(engine, standings);
            let names: Vec<&str> =
                useful.map(|rating| rating.engine.as_str()).filter(|it| is_whole(it)).collect();
            self.known.extend(names.into_iter().map(|name| (scope.name.clone(), name.to_owned())));
        }
    }

    /// Whether an engine has a rating in a scope.
    pub fn has(&self, scope: &str, engine: &str) -> bool {
        self.known.contains(&(scope.to_owned(), engine.to_owned()))
    }

    /// Whether an engine has played each game of its own; without a schedule, each one that anybody has played. Before, its overall
    /// number is of other games than it will be.
    fn has_played_all(&self, engine: &str, standings: &Standings) -> bool {
        let games = standings.scopes.get(1..).unwrap_or_default();
        let has_played = |game: &Scope| game.engines.iter().any(|rating| rating.engine == engine);
        let mut scheduled =
            self.games_of.iter().filter_map(|games_of| games_of.get(engine)).flatten().peekable();
        if scheduled.peek().is_none() {
            return games.iter().all(has_played);
        }
        scheduled.all(|name| games.iter().any(|scope| scope.name == *name && has_played(scope)))
    }
}

/// Whether it is a bound of few pairs, or one that becomes an interval soon: the engine has not won, or lost, everything.
fn is_passing(rating: &Rating) -> bool {
    let is_perfect = [rating.wins, rating.losses].contains(&rating.matches);
    rating.elo.is_none() && (rating.pairs < FEWEST_DECIDED || !is_perfect)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratings::{Ending, FinishedMatch, MatchResult, RatingSettings, Tally};

    /// The ratings of three engines, after so many pairs in each of these games.
    fn standings(n_pairs: &[(&str, u32)]) -> Standings {
        let mut tally = Tally::new();
        for (game, n_pairs) in n_pairs {
            for pair in 0..*n_pairs {
                for [white, black] in [["a", "b"], ["b", "c"], ["c", "a"]] {
                    let opening = format!("{white} {black} {pair}");
                    // In most pairs, one engine is a little ahead.
                    for (names, result) in [
                        (
                            [white, black],
                            if pair % 3 == 0 { MatchResult::BlackWins } else { MatchResult::WhiteWins },
                        ),
                        ([black, white], MatchResult::Draw),
                    ] {
                        let [white, black] = names;
                        let (pair, opening) = (Some(opening.as_str()), Some(opening.as_str()));
                        let played = FinishedMatch {
                            game,
                            white,
                            black,
                            result,
                            pair,
                            opening,
                            moves: None,
                            ending: Ending::Played,
                        };
                        tally.add(&played).expect("different engines");
                    }
                }
            }
        }
        Standings::new(&tally, &RatingSettings::default())
    }

    #[test]
    fn an_overall_rating_needs_each_game_and_is_never_taken_back() {
        let set = |games: &[&str]| games.iter().map(|game| (*game).to_owned()).collect();
        let mut known = KnownRatings::default();
        let has = |known: &mut KnownRatings, standings: &Standings| {
            known.add(standings);
            ["a", "b", "c"].map(|engine| known.has(OVERALL, engine))
        };
        let one_game = standings(&[("chess", 12)]);
        assert_eq!(has(&mut known.clone(), &one_game), [true; 3], "nobody knows which games are left");
        known.follow(vec![Arc::new(GamesOf::from([
            ("a".to_owned(), set(&["chess", "push"])),
            ("b".to_owned(), set(&["chess"])),
            ("c".to_owned(), set(&["chess", "push"])),
        ]))]);
        assert_eq!(has(&mut known, &one_game), [false, true, false], "nobody has played the other game");
        assert_eq!(has(&mut known, &standings(&[("chess", 12), ("push", 1)])), [true; 3]);
        assert_eq!(has(&mut known, &standings(&[("chess", 1)])), [true; 3], "it was shown");
    }
}
