//! The ratings as a whole: what goes in comes out, in any order, and nothing is claimed that the matches don't show.

#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::{ladder, round_robin};
use proptest::prelude::*;
use ratings::MatchResult;
use ratings::simulation::Conditions;
use ratings::{
    Anchor, Checks, Confidence, Ending, EstimateKind, FinishedMatch, NotAConfidence, Note, OVERALL,
    OpeningsMeant, PairSequence, Rating, RatingSettings, Scope, Standings, Status, Tally, Validity,
};

use MatchResult::{BlackWins, Draw, WhiteWins};

/// A match of the game `push` without a partner.
fn lone(white: &'static str, black: &'static str, result: MatchResult) -> FinishedMatch<'static> {
    FinishedMatch::new("push", white, black, result)
}

fn tally<'a>(matches: impl IntoIterator<Item = FinishedMatch<'a>>) -> Tally {
    let mut tally = Tally::new();
    for played in matches {
        tally.add(&played).unwrap();
    }
    tally
}

fn standings<'a>(matches: impl IntoIterator<Item = FinishedMatch<'a>>) -> Standings {
    Standings::new(&tally(matches), &RatingSettings::default())
}

fn rating<'a>(scope: &'a Scope, engine: &str) -> &'a Rating {
    scope.engines.iter().find(|rating| rating.engine == engine).unwrap()
}

/// Whether there is a note of this kind about these engines.
fn is_noted(scope: &Scope, kind: &str, engines: &[&str]) -> bool {
    scope.notes.iter().any(|note| note.kind == kind && note.engines == engines)
}

#[test]
fn no_matches_no_scopes() {
    assert_eq!(standings([]).scopes, []);
}

#[test]
fn one_match_bounds_one_side() {
    let standings = standings([lone("A", "B", WhiteWins)]);
    let scope = &standings.scopes[1];
    assert_eq!((scope.name.as_str(), scope.matches), ("push", 1));
    assert_eq!(rating(scope, "A").status, Status::Alone);
    let loser = rating(scope, "B");
    assert_eq!((loser.status, loser.low, loser.se), (Status::Below, None, None));
    assert!(0.0 < loser.high.unwrap(), "one match proves nothing");
    assert_eq!((loser.rank_low, loser.rank_high), (None, None));
    assert!(loser.estimate.unwrap() < -50.0 && loser.elo.is_none());
    assert_eq!(scope.first_player, None);
}

#[test]
fn one_drawn_match_says_little() {
    let standings = standings([lone("A", "B", Draw)]);
    let rating = rating(&standings.scopes[1], "A");
    assert_eq!((rating.status, rating.elo), (Status::OnlyDraws, Some(0.0)));
    assert!(500.0 < rating.high.unwrap());
}

/// Twenty wins and no more: surely stronger, and how much is a rough number.
#[test]
fn a_clean_sweep_is_a_bound_and_a_number() {
    let sweep = (0..20)
        .map(|number| if number % 2 == 0 { lone("A", "B", WhiteWins) } else { lone("B", "A", BlackWins) });
    let standings = standings(sweep);
    let scope = &standings.scopes[0];
    let (winner, loser) = (rating(scope, "A"), rating(scope, "B"));
    assert_eq!((winner.rank_low, loser.low, loser.rank_low), (Some(1), None, Some(2)), "by their matches");
    let numbers = [winner, loser].map(|rating| (rating.estimate.unwrap(), rating.estimate_kind));
    assert!((numbers[0].0 + numbers[1].0).abs() < 1e-9, "0 is the mean of the two: {numbers:?}");
    assert!(numbers.iter().all(|it| it.1 == EstimateKind::Regularised));
    // The bound is relative to the other engine: twenty wins have a chance of 2.5 % at a score of 83 %.
    let below = numbers[0].0 - loser.high.unwrap();
    assert!((250.0..300.0).contains(&below), "{below}");
    assert!((rating(scope, "A").score - 1.0).abs() < 1e-15 && loser.score.abs() < 1e-15);
    let found = scope.head_to_head.as_ref().unwrap();
    assert_eq!((found.decided, found.few, found.normalized_elo), (20, false, None));
    assert!(200.0 < found.elo.low && found.elo.high.is_infinite() && 0.99 < found.los, "{found:?}");
}

/// Without pairs, the colour may have decided.
#[test]
fn a_clean_sweep_with_one_colour_ranks_nobody() {
    for n_white in [20, 12] {
        let of_a = (0..n_white).map(|_| lone("A", "B", WhiteWins));
        let of_b = (n_white..20).map(|_| lone("B", "A", BlackWins));
        let standings = standings(of_a.chain(of_b));
        let scope = &standings.scopes[0];
        assert!(scope.head_to_head.is_none() && rating(scope, "A").rank_low.is_none(), "{n_white}");
    }
}

#[test]
fn engines_that_never_met_are_never_compared() {
    let matches = [("A", "B"), ("B", "A"), ("C", "D"), ("D", "C"), ("D", "E"), ("E", "C")];
    let standings = standings(
        matches.iter().flat_map(|&(white, black)| [WhiteWins, Draw].map(|result| lone(white, black, result))),
    );
    let scope = &standings.scopes[1];
    assert_eq!(scope.engines.iter().map(|rating| rating.pool).collect::<Vec<_>>(), [1, 1, 1, 2, 2]);
    for pool in [1, 2] {
        let of_pool: Vec<&Rating> = scope.engines.iter().filter(|rating| rating.pool == pool).collect();
        assert!(of_pool.iter().map(|rating| rating.elo.unwrap()).sum::<f64>().abs() < 1e-9);
        assert!(of_pool.iter().all(|rating| rating.few && rating.rank_high.is_none()), "so few matches");
        assert_eq!(of_pool.last().unwrap().los_next, None);
    }
    assert!(is_noted(scope, "pool", &["A", "B"]), "{:?}", scope.notes);
}

/// A pair in `game`: the first engine wins both matches, or each side wins one.
fn pair<'a>(game: &'a str, engines: [&'a str; 2], is_swept: bool, number: &'a str) -> [FinishedMatch<'a>; 2] {
    let [one, other] = engines;
    let second = if is_swept { BlackWins } else { WhiteWins };
    [(one, other, WhiteWins), (other, one, second)].map(|(white, black, result)| FinishedMatch {
        pair: Some(number),
        ..FinishedMatch::new(game, white, black, result)
    })
}

#[test]
fn engines_that_met_in_no_game_are_not_compared_overall() {
    // C and D have no match against the largest pool of push either.
    let meetings = [("push", ["A", "B"]), ("push", ["B", "E"]), ("push", ["C", "D"]), ("chess", ["C", "D"])];
    let of = |it| meetings.map(|(game, engines)| pair(game, engines, game == "chess", it));
    let standings = standings(["1", "2"].into_iter().flat_map(of).flatten());
    let overall = &standings.scopes[0];
    let rows: Vec<_> = overall.engines.iter().map(|it| (it.engine.as_str(), it.pool, it.matches)).collect();
    assert_eq!(rows, [("A", 1, 4), ("B", 1, 8), ("E", 1, 4), ("C", 2, 8), ("D", 2, 8)]);
    assert!(is_noted(overall, "pool", &["C", "D"]));
}

/// A beats B and B beats C: A is first although it never met C.
#[test]
fn who_beats_the_winner_is_ahead_of_the_loser() {
    let numbers: Vec<String> = (0..12).map(|number| number.to_string()).collect();
    let of = |it| [pair("push", ["A", "B"], true, it), pair("push", ["B", "C"], true, it)];
    let standings = standings(numbers.iter().flat_map(|it| of(it)).flatten());
    let ranks = standings.scopes[0].engines.iter().map(|it| (it.rank_low, it.rank_high));
    assert!(ranks.eq([1, 2, 3].map(|rank| (Some(rank), Some(rank)))), "{:?}", standings.scopes[0].engines);
}

/// An engine that won everything has one bound over all games together, and not the mean of bounds that each know one game.
#[test]
fn perfect_scores_of_all_games_have_one_bound() {
    let games = ["push", "push-push", "tower-push", "four-towers"];
    let matches = games.into_iter().flat_map(|game| {
        ["1", "2", "3", "4"].into_iter().flat_map(move |it| {
            let between = if it < "3" { ["B", "C"] } else { ["C", "B"] };
            [["A", "B"], ["A", "C"], between].map(|engines| pair(game, engines, true, it))
        })
    });
    let standings = standings(matches.flatten());
    let low = |scope: &Scope| rating(scope, "A").low.unwrap();
    let (overall, games) = (low(&standings.scopes[0]), standings.scopes[1..].iter().map(low));
    // Relative to B and C: 32 clusters won at a score of 0.025^(1/32) = 89 %.
    let of_pool = overall - rating(&standings.scopes[0], "B").estimate.unwrap();
    assert!((350.0..370.0).contains(&of_pool), "{of_pool}");
    assert!(games.into_iter().all(|game| game + 100.0 < overall));
}

#[test]
fn of_one_game_overall_is_that_game() {
    let standings = standings([lone("A", "B", WhiteWins), lone("B", "A", WhiteWins), lone("A", "B", Draw)]);
    let [overall, game] = standings.scopes.as_slice() else { panic!("{standings:?}") };
    assert_eq!(overall.name, OVERALL);
    assert_eq!(Scope { name: game.name.clone(), ..overall.clone() }, *game);
}

/// A game counts the same however many matches were played in it.
#[test]
fn overall_weighs_games_equally() {
    let of_game = |game: &'static str, rounds: usize, results: [MatchResult; 4]| {
        (0..rounds).flat_map(move |_| {
            [("A", "B"), ("B", "A"), ("A", "B"), ("B", "A")]
                .into_iter()
                .zip(results)
                .map(move |((white, black), result)| FinishedMatch { game, ..lone(white, black, result) })
        })
    };
    let standings =
        standings(of_game("push", 500, [WhiteWins, BlackWins, WhiteWins, WhiteWins]).chain(of_game(
            "push-push",
            5,
            [WhiteWins, BlackWins, BlackWins, WhiteWins],
        )));
    let [overall, push, push_push] = standings.scopes.as_slice() else { panic!("{standings:?}") };
    let elo = |scope: &Scope| rating(scope, "A").elo.unwrap();
    assert!((elo(overall) - 0.5 * (elo(push) + elo(push_push))).abs() < 1e-9);
    let se = |scope: &Scope| rating(scope, "A").se.unwrap();
    assert!((se(overall) - 0.5 * se(push).hypot(se(push_push))).abs() < 1e-9);
}

#[test]
fn engines_that_miss_a_game_have_no_overall_rating() {
    let circle = [("A", "B"), ("B", "A"), ("B", "C"), ("C", "B"), ("C", "A"), ("A", "C")];
    let in_game = |game: &'static str, (white, black): (&'static str, &'static str)| {
        [WhiteWins, Draw].map(|result| FinishedMatch { game, ..lone(white, black, result) })
    };
    let standings = standings(
        circle
            .iter()
            .flat_map(|&pairing| in_game("push", pairing))
            .chain(circle[..2].iter().flat_map(|&pairing| in_game("tower-push", pairing))),
    );
    let overall = &standings.scopes[0];
    let missing = rating(overall, "C");
    assert_eq!(missing.status, Status::SomeGames { rated: 1, of: 2 });
    assert_eq!(missing.status.to_string(), "1 of 2 games");
    assert_eq!((missing.elo, missing.rank_low, missing.matches), (None, None, 8));
    assert_eq!(
        missing.estimate,
        rating(&standings.scopes[1], "C").elo,
        "the mean of the games that it played"
    );
    assert!(is_noted(overall, "some-games", &["C"]), "{:?}", overall.notes);
    // Its general strength is known all the same.
    assert_eq!(overall.general.as_ref().unwrap().engines[2].engine, "C");
}

/// Without intervals, the engines' own pairs decide ranks, as long as there are enough of them and nobody looks before the end.
#[test]
fn an_engine_that_loses_nothing_in_some_game_has_a_rank_all_the_same() {
    let numbers: Vec<String> = (0..12).map(|number| number.to_string()).collect();
    let ranks = |n_pairs: usize, validity: Validity| {
        let mut matches = Vec::new();
        for number in &numbers[..n_pairs] {
            let mut pair = |game, one, other, [first, second]: [MatchResult; 2]| {
                for (white, black, result) in [(one, other, first), (other, one, second)] {
                    let played = FinishedMatch::new(game, white, black, result);
                    matches.push(FinishedMatch { pair: Some(number), ..played });
                }
            };
            let won = [WhiteWins, BlackWins];
            pair("push", "A", "B", won);
            pair("push", "A", "C", won);
            pair("push", "B", "C", won);
            pair("tower-push", "A", "B", won);
            pair("tower-push", "A", "C", [WhiteWins, WhiteWins]);
            pair("tower-push", "B", "C", won);
        }
        let settings = RatingSettings { validity, ..RatingSettings::default() };
        let standings = Standings::new(&tally(matches), &settings);
        let of_scope = |scope: &Scope| {
            let ranks = |it: &Rating| Some((it.engine.clone(), it.rank_low?, it.rank_high?));
            scope.engines.iter().filter_map(ranks).collect::<Vec<_>>()
        };
        [0, 1].map(|scope| of_scope(&standings.scopes[scope]))
    };
    let expected = [("A", 1, 1), ("B", 2, 2), ("C", 3, 3)].map(|(it, low, high)| (it.to_owned(), low, high));
    assert_eq!(ranks(12, Validity::FixedSize), [expected.to_vec(), expected.to_vec()]);
    assert_eq!(ranks(12, Validity::AnyTime), [vec![], vec![]]);
    assert_eq!(ranks(4, Validity::FixedSize), [vec![], vec![]]);
}

/// A match that `white` won or lost because the loser did not start, or neither did.
fn not_started(white: &'static str, black: &'static str, result: MatchResult) -> FinishedMatch<'static> {
    FinishedMatch { ending: Ending::NotStarted, ..lone(white, black, result) }
}

#[test]
fn an_engine_that_never_starts_is_absent_and_changes_no_rating() {
    let played = [lone("A", "B", WhiteWins), lone("B", "A", WhiteWins), lone("A", "B", Draw)];
    let walkovers = [
        not_started("A", "none", WhiteWins),
        not_started("none", "B", BlackWins),
        not_started("none", "void", Draw),
    ];
    let without = standings(played);
    let with = standings(played.into_iter().chain(walkovers));
    for (with, without) in with.scopes.iter().zip(&without.scopes) {
        assert_eq!((with.matches, &with.first_player), (3, &without.first_player));
        assert_eq!(with.engines[..2], without.engines);
        for (absent, name) in with.engines[2..].iter().zip(["none", "void"]) {
            assert_eq!((absent.engine.as_str(), absent.status), (name, Status::Absent));
            assert_eq!((absent.elo, absent.rank_low, absent.matches, absent.losses), (None, None, 0, 0));
        }
        assert!(is_noted(with, "absent", &["none", "void"]), "{:?}", with.notes);
        assert!(
            with.notes.iter().any(|note| note.text.ends_with("never started; 4 matches are not counted"))
        );
    }
    assert!(
        with.is_absent("push", "none") && with.is_absent(OVERALL, "void") && !with.is_absent("push", "A")
    );
}

#[test]
fn an_engine_that_started_once_is_rated_on_all_matches() {
    let standings = standings([
        not_started("A", "B", WhiteWins),
        not_started("A", "B", WhiteWins),
        lone("A", "B", BlackWins),
        lone("B", "A", Draw),
    ]);
    let late = rating(&standings.scopes[1], "B");
    assert_eq!((late.status, late.matches, late.losses, late.forfeits), (Status::Bounded, 4, 2, 2));
}

#[test]
fn an_engine_may_be_absent_from_some_games_only() {
    let in_other = |played: FinishedMatch<'static>| FinishedMatch { game: "tower-push", ..played };
    let both =
        [lone("A", "B", WhiteWins), lone("B", "A", WhiteWins), lone("B", "C", Draw), lone("C", "A", Draw)];
    let standings = standings(
        both.into_iter()
            .chain(both[..2].iter().copied().map(in_other))
            .chain([in_other(not_started("C", "A", BlackWins)), in_other(not_started("B", "C", WhiteWins))]),
    );
    let [overall, push, other] = standings.scopes.as_slice() else { panic!("two games and all of them") };
    assert_eq!(rating(push, "C").status, Status::Bounded);
    assert_eq!(rating(other, "C").status, Status::Absent);
    let everywhere = rating(overall, "C");
    assert_eq!((everywhere.status, everywhere.matches), (Status::SomeGames { rated: 1, of: 2 }, 2));
    assert!(is_noted(other, "absent", &["C"]));
    assert!(!overall.notes.iter().any(|note| note.kind == "absent"));
}

#[test]
fn where_nobody_started_nobody_is_rated() {
    let standings = standings([not_started("A", "B", Draw), not_started("B", "A", Draw)]);
    for scope in &standings.scopes {
        assert_eq!((scope.matches, scope.engines.len()), (0, 2));
        assert!(scope.engines.iter().all(|rating| rating.status == Status::Absent));
    }
    // Walkovers alone rate nobody.
    let standings = self::standings([not_started("A", "B", WhiteWins)]);
    assert_eq!(rating(&standings.scopes[1], "A").status, Status::Alone);
    assert_eq!(standings.scopes[1].matches, 0);
    assert_eq!(rating(&standings.scopes[1], "B").status, Status::Absent);
}

#[test]
fn a_match_that_neither_engine_played_counts_for_nothing() {
    let retired =
        |white, black, result| FinishedMatch { ending: Ending::Retired, ..lone(white, black, result) };
    let played = [
        lone("A", "B", WhiteWins),
        lone("B", "A", WhiteWins),
        lone("A", "C", Draw),
        lone("C", "B", BlackWins),
        retired("A", "C", WhiteWins),
    ];
    // Both had retired, or one had and the other one did not start this time.
    let void = [retired("B", "C", Draw), retired("C", "B", Draw), not_started("B", "C", Draw)];
    let without = standings(played);
    let with = standings(played.into_iter().chain(void));
    for (with, without) in with.scopes.iter().zip(&without.scopes) {
        assert_eq!((with.matches, &with.engines, &with.draw_rate), (5, &without.engines, &without.draw_rate));
        assert!(
            with.notes.iter().any(|note| note.text.starts_with("3 matches were not played")),
            "{:?}",
            with.notes
        );
        assert!(without.notes.iter().all(|note| note.kind != "void"));
    }
    // A single engine that has retired loses.
    let late = rating(&with.scopes[1], "C");
    assert_eq!((late.matches, late.draws, late.losses, late.forfeits), (3, 1, 2, 1));
    // Nor do they tell the two engines apart or even.
    let mut pairs = PairSequence::new("B", "C");
    for played in played.into_iter().chain(void) {
        pairs.add(&played);
    }
    assert_eq!(pairs.finish()["push"].lone_matches(), 1);
    // In a game of its own, nobody is rated.
    let other = retired("B", "C", Draw);
    let standings = standings(played.into_iter().chain([FinishedMatch { game: "tower-push", ..other }]));
    assert_eq!(standings.scopes.len(), 2);
    assert_eq!(self::standings([other]).scopes, []);
}

/// Ratings of two games may agree better than chance; no limit of the spread follows from that.
#[test]
fn games_that_agree_by_chance_have_no_limit_of_zero() {
    let engines = ["A", "B", "C"];
    let played = |game| {
        let pairings = engines.into_iter().flat_map(|white| engines.map(|black| (white, black)));
        let met = pairings.filter(|(white, black)| white != black);
        met.flat_map(move |(white, black)| {
            let results = [WhiteWins, WhiteWins, Draw, BlackWins].into_iter();
            results.map(move |result| FinishedMatch { game, ..lone(white, black, result) })
        })
    };
    let standings = standings(["push", "push-push"].into_iter().flat_map(played));
    assert!(standings.scopes[0].general.as_ref().unwrap().spread_high < 1.0);
    let note = standings.scopes[0].notes.iter().find(|note| note.kind == "game-differences").unwrap();
    assert_eq!(note.text, "the ratings do not differ significantly between games");
}

/// Of two engines, the tables have leads, which are on another scale than the spread of ratings.
#[test]
fn of_two_engines_the_lead_differs_between_games() {
    let note = |n_won: [usize; 2]| {
        let played = ["push", "push-push"].into_iter().zip(n_won).flat_map(|(game, n_won)| {
            let result = |is_won| if is_won { WhiteWins } else { BlackWins };
            let played = move |white, black, n_won| {
                (0..20).map(move |n| FinishedMatch { game, ..lone(white, black, result(n < n_won)) })
            };
            played("A", "B", n_won).chain(played("B", "A", 20 - n_won))
        });
        let standings = standings(played);
        let notes = &standings.scopes[0].notes;
        notes.iter().find(|note| note.kind == "game-differences").unwrap().text.clone()
    };
    assert_eq!(note([12, 12]), "the lead does not differ significantly between games");
    let differs = note([18, 8]);
    assert!(
        differs.starts_with("the lead is not the same in all games: it varies beyond its errors (p"),
        "{differs}"
    );
}

/// How much the games may differ that do not differ significantly.
#[test]
fn games_that_may_differ_have_a_limit() {
    let met = [("A", "B"), ("B", "C"), ("A", "C")].into_iter().enumerate();
    let played =
        ["chess", "push", "push-push", "tower-push"].into_iter().enumerate().flat_map(|(idx, game)| {
            met.clone().flat_map(move |(place, (white, black))| {
                let n_won = 11 + 2 * ((idx + place) % 3);
                let result = move |n| if n < n_won { WhiteWins } else { BlackWins };
                (0..20).map(move |n| FinishedMatch { game, ..lone(white, black, result(n)) })
            })
        });
    let standings = standings(played);
    let note = standings.scopes[0].notes.iter().find(|note| note.kind == "game-differences").unwrap();
    let limit = " (beyond their errors, a typical difference is below ";
    assert!(note.text.contains(limit), "{note:?}");
}

#[test]
fn an_engine_against_itself_is_refused_and_not_counted() {
    let mut tally = Tally::new();
    assert_eq!(tally.add(&lone("A", "A", Draw)).unwrap_err().to_string(), "engine `A` plays against itself");
    assert_eq!((tally.matches(), tally.engines().len(), tally.games().len()), (0, 0, 0));
}

#[test]
fn wider_confidence_is_a_wider_interval() -> Result<(), NotAConfidence> {
    let results = [WhiteWins, Draw, BlackWins].into_iter();
    let tally = tally(results.flat_map(|result| [lone("A", "B", result), lone("B", "A", result)]));
    let width = |fraction| -> Result<f64, NotAConfidence> {
        let standings = Standings::new(&tally, &RatingSettings::with_confidence(Confidence::new(fraction)?));
        let rating = rating(&standings.scopes[1], "A").clone();
        Ok(rating.high.unwrap() - rating.low.unwrap())
    };
    assert!(width(0.9)? < width(0.95)? && width(0.95)? < width(0.99)?);
    Ok(())
}

/// Swapped pairs whose matches share an opening tell more than their number, unswapped ones less.
#[test]
fn pairs_change_the_error_and_not_the_rating() {
    let numbers: Vec<String> = (0..100).map(|number| number.to_string()).collect();
    let pairs = |is_paired: bool| {
        let numbers = &numbers;
        (0..100).flat_map(move |number| {
            // The opening decides, now for White and now for Black, but for every tenth pair, which A wins twice.
            let first = if number % 2 == 0 { WhiteWins } else { BlackWins };
            let results = if number % 10 == 0 { [WhiteWins, BlackWins] } else { [first, first] };
            let pair = is_paired.then(|| numbers[number].as_str());
            [lone("A", "B", results[0]), lone("B", "A", results[1])]
                .map(|played| FinishedMatch { pair, ..played })
        })
    };
    let (paired, single) = (standings(pairs(true)), standings(pairs(false)));
    let (paired, single) = (rating(&paired.scopes[1], "A"), rating(&single.scopes[1], "A"));
    assert!((paired.elo.unwrap() - single.elo.unwrap()).abs() < 1e-9);
    assert!(paired.se.unwrap() < single.se.unwrap());
    assert_eq!((paired.pairs, single.pairs), (100, 200));
}

/// Openings that all pairings share, and that decide most matches: each engine's rating is known as well as before, the first
/// player's advantage is not.
#[test]
fn shared_openings_widen_what_they_decide() {
    let openings: Vec<String> = (0..12).map(|number| number.to_string()).collect();
    let matches = |is_shared: bool| {
        let mut tally = Tally::new();
        for (number, opening) in openings.iter().enumerate() {
            for (place, (white, black)) in
                [("A", "B"), ("B", "C"), ("C", "A"), ("A", "D"), ("D", "B"), ("C", "D")]
                    .into_iter()
                    .enumerate()
            {
                let own = format!("{opening}-{white}-{black}");
                let opening = Some(if is_shared { opening.as_str() } else { own.as_str() });
                let decided = if number % 2 == 0 { WhiteWins } else { BlackWins };
                let other = if (number + place) % 4 == 0 { BlackWins } else { decided };
                for played in [lone(white, black, decided), lone(black, white, other)] {
                    tally.add(&FinishedMatch { opening, ..played }).unwrap();
                }
            }
        }
        tally
    };
    let rate = |is_shared, openings| {
        let settings = RatingSettings { openings, ..RatingSettings::default() };
        Standings::new(&matches(is_shared), &settings).scopes[1].clone()
    };
    let shared = rate(true, OpeningsMeant::Similar);
    let own = rate(false, OpeningsMeant::Similar);
    let these = rate(true, OpeningsMeant::These);
    let advantage = |scope: &Scope| scope.first_player.unwrap().se;
    assert!((shared.openings - 12.0).abs() < 1e-9 && own.openings.abs() < 1e-9);
    assert!(1.5 * advantage(&own) < advantage(&shared), "{} {}", advantage(&own), advantage(&shared));
    assert!((advantage(&these) - advantage(&own)).abs() < 1e-9);
    for engine in ["A", "B", "C", "D"] {
        assert_eq!(rating(&shared, engine).elo, rating(&own, engine).elo);
        assert!(rating(&own, engine).se <= rating(&shared, engine).se);
        assert!((rating(&these, engine).se.unwrap() - rating(&own, engine).se_pairs.unwrap()).abs() < 1e-9);
    }
}

/// An opening holds more matches together than a pair does.
#[test]
fn an_opening_replayed_is_one_cluster() {
    let replayed = (0..50).map(|_| FinishedMatch { opening: Some("e4"), ..lone("A", "B", WhiteWins) });
    let standings = standings(replayed.chain([lone("B", "A", WhiteWins)]));
    assert_eq!(rating(&standings.scopes[1], "A").pairs, 2);
}

#[test]
fn a_simulation_gives_back_its_ratings() {
    let conditions = Conditions { draw_rate: 0.25, first_player: 80.0, openings: 0.0 };
    let strengths = ladder(6, 250.0);
    let tally = round_robin(&strengths, 1000, conditions, 3).play(0);
    let standings = Standings::new(&tally, &RatingSettings::default());
    let scope = &standings.scopes[1];
    for (rating, truth) in scope.engines.iter().zip(strengths) {
        let (elo, se) = (rating.elo.unwrap(), rating.se.unwrap());
        assert!((elo - truth).abs() < 3.5 * se && se < 5.0, "{elo} ± {se}, truly {truth}");
    }
    for (found, truth) in [(scope.first_player, 80.0), (scope.draw_rate, 0.25)] {
        let found = found.unwrap();
        assert!((found.value - truth).abs() < 3.5 * found.se, "{found:?}, truly {truth}");
    }
    let fit = scope.fit.as_ref().unwrap();
    assert!(0.01 < fit.p.unwrap(), "{fit:?}");
    let phi = scope.phi.unwrap().strength;
    assert!((phi - 1.0).abs() < 0.05, "independent matches have the model's variance: {phi}");
}

/// Whoever shows no checks can leave them out.
#[test]
fn checks_change_no_rating() {
    let conditions = Conditions { draw_rate: 0.25, first_player: 80.0, openings: 0.0 };
    let tally = round_robin(&ladder(6, 250.0), 20, conditions, 3).play(0);
    let [none, fit, all] = [Checks::None, Checks::Fit, Checks::All].map(|checks| {
        Standings::new(&tally, &RatingSettings { checks, ..RatingSettings::default() }).scopes.remove(1)
    });
    assert_eq!((none.engines, &none.covariance), (all.engines.clone(), &all.covariance));
    assert_eq!((fit.engines, &fit.covariance), (all.engines, &all.covariance));
    assert_eq!([none.fit.is_some(), fit.fit.is_some(), all.fit.is_some()], [false, true, true]);
    assert_eq!(
        [none.transitivity.is_some(), fit.transitivity.is_some(), all.transitivity.is_some()],
        [false, false, true]
    );
}

/// How often the intervals of equal engines miss the truth at some look: of 100 tournaments of 200 pairs, looked at after
/// every ten.
fn share_of_misses(validity: Validity) -> f64 {
    let conditions = Conditions { draw_rate: 0.23, first_player: 60.0, openings: 0.0 };
    let settings = RatingSettings { validity, ..RatingSettings::default() };
    let is_missed = |number: &u64| {
        // The first pairs of a longer tournament are those of a shorter one.
        (10..=200).step_by(10).any(|pairs| {
            let tally = round_robin(&[0.0; 2], pairs, conditions, 5).play(*number);
            let rating = Standings::new(&tally, &settings).scopes[1].engines[0].clone();
            rating.low.is_some_and(|low| 0.0 < low) || rating.high.is_some_and(|high| high < 0.0)
        })
    };
    (0..100).filter(is_missed).count() as f64 / 100.0
}

#[test]
fn who_looks_often_needs_intervals_that_hold_at_any_time() {
    let [fixed_size, any_time] = [Validity::FixedSize, Validity::AnyTime].map(share_of_misses);
    assert!(any_time <= 0.05, "{any_time}");
    assert!(0.15 < fixed_size, "{fixed_size}");
}

#[test]
fn at_any_time_there_are_ranks_only_where_there_are_intervals() {
    let mut tally = Tally::new();
    let settings = RatingSettings { validity: Validity::AnyTime, ..RatingSettings::default() };
    let mut seen = Vec::new();
    for number in 0..80 {
        let pair = number.to_string();
        // A wins three pairs of four, so it is stronger for sure, by plain intervals soon.
        let first = if number % 4 == 0 { [WhiteWins, WhiteWins] } else { [WhiteWins, BlackWins] };
        for ((white, black), result) in [("A", "B"), ("B", "A")].into_iter().zip(first) {
            tally.add(&FinishedMatch { pair: Some(&pair), ..lone(white, black, result) }).unwrap();
        }
        let standings = Standings::new(&tally, &settings);
        let scope = &standings.scopes[1];
        let rating = rating(scope, "A").clone();
        assert_eq!(rating.los_next, None);
        if number == 18 {
            assert_eq!((rating.status, rating.low, rating.se), (Status::TooEarly, None, None));
            assert!(0.0 < rating.elo.unwrap());
            assert_eq!((rating.rank_low, rating.rank_high), (Some(1), Some(2)));
            assert!(is_noted(scope, "too-early", &["A", "B"]), "{:?}", scope.notes);
            assert_eq!(scope.draw_rate, None);
        }
        assert_eq!(rating.rank_high.is_none(), rating.few, "pair {number}");
        seen.push((rating.status, rating.rank_high));
    }
    assert_eq!(seen[19].0, Status::Bounded);
    assert_eq!(seen[79], (Status::Bounded, Some(1)));
}

fn anchored<'a>(matches: impl IntoIterator<Item = FinishedMatch<'a>>, anchor: &str) -> Standings {
    let settings = RatingSettings { anchor: Some(anchor.parse().unwrap()), ..RatingSettings::default() };
    Standings::new(&tally(matches), &settings)
}

/// A scores against B in `game` and, with fewer points, B against C.
fn three_engines(game: &'static str) -> impl Iterator<Item = FinishedMatch<'static>> {
    let pairings = [("A", "B"), ("B", "A"), ("B", "C"), ("C", "B"), ("A", "C"), ("C", "A")];
    pairings.into_iter().flat_map(move |(white, black)| {
        let results = if white < black { [WhiteWins, WhiteWins, Draw] } else { [WhiteWins, Draw, BlackWins] };
        results.map(|result| FinishedMatch { game, ..lone(white, black, result) })
    })
}

#[test]
fn an_anchor_stands_still_in_every_scope() {
    let matches = || three_engines("push").chain(three_engines("tower-push"));
    let (at_mean, anchored) = (standings(matches()), anchored(matches(), "B=2500"));
    assert_eq!(anchored.anchor, Some(Anchor { engine: "B".to_owned(), elo: 2500.0 }));
    for (scope, at_mean) in anchored.scopes.iter().zip(&at_mean.scopes) {
        assert!(scope.is_anchored && !at_mean.is_anchored);
        let anchor = rating(scope, "B");
        assert_eq!(
            [anchor.elo, anchor.low, anchor.high, anchor.se],
            [Some(2500.0), Some(2500.0), Some(2500.0), Some(0.0)]
        );
        let covariance = scope.covariance.as_ref().unwrap();
        assert_eq!(covariance.values[1], [0.0; 3]);
        for name in ["A", "C"] {
            let (own, before) = (rating(scope, name), rating(at_mean, name));
            let shift = 2500.0 - rating(at_mean, "B").elo.unwrap();
            assert!((own.elo.unwrap() - before.elo.unwrap() - shift).abs() < 1e-9);
            let place = covariance.engines.iter().position(|engine| engine == name).unwrap();
            assert!((own.se.unwrap().powi(2) - covariance.values[place][place]).abs() < 1e-9);
            // The anchor's error is in the difference too.
            assert!(before.se.unwrap() < own.se.unwrap());
            assert_eq!(
                (own.rank_low, own.rank_high, own.los_next),
                (before.rank_low, before.rank_high, before.los_next)
            );
        }
        assert_eq!((scope.first_player, scope.draw_rate), (at_mean.first_player, at_mean.draw_rate));
    }
    let general = |standings: &Standings, engine: usize| {
        standings.scopes[0].general.as_ref().unwrap().engines[engine].clone()
    };
    let anchor = general(&anchored, 1);
    assert_eq!(
        [anchor.elo, anchor.low, anchor.high, anchor.se].map(Some),
        [2500.0, 2500.0, 2500.0, 0.0].map(Some)
    );
    assert!(anchor.games.iter().all(|guess| (guess.elo - 2500.0).abs() < 1e-9), "{anchor:?}");
    let difference = general(&at_mean, 0).elo - general(&at_mean, 1).elo;
    assert!((general(&anchored, 0).elo - 2500.0 - difference).abs() < 1e-9);
    assert!(general(&at_mean, 0).se < general(&anchored, 0).se);
}

#[test]
fn where_the_anchor_is_not_rated_ratings_are_relative_to_their_mean() {
    let sweep = (0..3).map(|_| lone("D", "C", WhiteWins));
    let elsewhere = [lone("E", "F", WhiteWins), lone("F", "E", WhiteWins)];
    let matches = || three_engines("push").chain(sweep.clone()).chain(elsewhere);
    for (anchor, reason) in [("E=100", "E has no matches with the largest pool"), ("G=100", "G has no match")]
    {
        let standings = anchored(matches(), anchor);
        for scope in &standings.scopes {
            let is_reason = |text: &String| text.starts_with(&format!("{reason}, so"));
            assert!(
                scope.notes.iter().any(|note| note.kind == "no-anchor" && is_reason(&note.text)),
                "{anchor}"
            );
            let pool = ["A", "B", "C", "D"].map(|name| rating(scope, name).estimate.unwrap());
            let core = ["A", "B", "C"].map(|name| rating(scope, name).elo.unwrap());
            assert!(!scope.is_anchored && core.iter().sum::<f64>() < 3.0 * pool[3], "{anchor}: {pool:?}");
            assert!((core.iter().sum::<f64>() - 3.0 * scope.core_mean).abs() < 1e-9, "{anchor}: {core:?}");
        }
    }
    let missing = anchored(
        three_engines("push")
            .chain([lone("E", "F", Draw)].map(|it| FinishedMatch { game: "tower-push", ..it })),
        "B=100",
    );
    let anchored: Vec<bool> = missing.scopes.iter().map(|scope| scope.is_anchored).collect();
    assert_eq!(anchored, [false, true, false]);
    assert!(is_noted(&missing.scopes[0], "no-anchor", &["B"]));
}

/// A number without an interval shifts every table all the same, and the intervals stay as they are.
#[test]
fn an_engine_without_an_interval_can_be_the_anchor() {
    let matches = || {
        let sweep = (0..3).map(|_| lone("D", "C", WhiteWins));
        three_engines("push").chain(sweep).chain(three_engines("tower-push")).chain(
            [lone("D", "A", Draw), lone("A", "D", WhiteWins)]
                .map(|it| FinishedMatch { game: "tower-push", ..it }),
        )
    };
    let (at_mean, with_anchor) = (standings(matches()), anchored(matches(), "D=100"));
    assert!(with_anchor.scopes.iter().all(|scope| scope.is_anchored));
    for scope in [0, 1] {
        let (before, after) = (&at_mean.scopes[scope], &with_anchor.scopes[scope]);
        assert!(is_noted(after, "rough-anchor", &["D"]));
        let shift = 100.0 - rating(before, "D").estimate.unwrap();
        for (before, after) in before.engines.iter().zip(&after.engines) {
            let moved = |before: Option<f64>, after: Option<f64>| match (before, after) {
                (Some(before), Some(after)) => (after - before - shift).abs() < 1e-9,
                (before, after) => before == after,
            };
            assert_eq!((&before.engine, before.status, before.se), (&after.engine, after.status, after.se));
            for (before, after) in [
                (before.estimate, after.estimate),
                (before.elo, after.elo),
                (before.low, after.low),
                (before.high, after.high),
            ] {
                assert!(moved(before, after), "{before:?} {after:?}");
            }
        }
        let of_rated = |scope: &Scope| {
            ["A", "B", "C"].iter().map(|name| rating(scope, name).elo.unwrap()).sum::<f64>() / 3.0
        };
        assert!((of_rated(after) - after.core_mean).abs() < 1e-9);
    }
    // Where it has an interval, the others are relative to it.
    assert_eq!(rating(&with_anchor.scopes[2], "D").se, Some(0.0));
    let general = |standings: &Standings| standings.scopes[0].general.as_ref().unwrap().engines[0].clone();
    let shift = with_anchor.scopes[0].core_mean - at_mean.scopes[0].core_mean;
    assert!((general(&with_anchor).elo - general(&at_mean).elo - shift).abs() < 1e-9);
}

/// Bounds move with the scale they are on.
#[test]
fn bounds_and_drawn_engines_move_with_the_anchor() {
    let matches = || three_engines("push").chain((0..3).map(|_| lone("D", "C", WhiteWins)));
    let (at_mean, with_anchor) = (standings(matches()), anchored(matches(), "A=1000"));
    let [before, after] = [&at_mean, &with_anchor].map(|standings| rating(&standings.scopes[1], "D").clone());
    let shift = 1000.0 - rating(&at_mean.scopes[1], "A").elo.unwrap();
    assert_eq!((after.status, after.high), (Status::Above, None));
    assert!((after.low.unwrap() - before.low.unwrap() - shift).abs() < 1e-9);
    assert_eq!((after.rank_low, after.rank_high), (before.rank_low, before.rank_high));

    // B met both others, so A's is the wider interval.
    let drawn = || [lone("A", "B", Draw), lone("B", "C", Draw)];
    let [before, after] =
        [standings(drawn()), anchored(drawn(), "A=50")].map(|standings| standings.scopes[1].clone());
    let widest = rating(&before, "A").high.unwrap();
    assert!(rating(&before, "B").high.unwrap() < widest);
    assert_eq!([rating(&after, "A").low, rating(&after, "A").high], [Some(50.0), Some(50.0)]);
    assert!((rating(&after, "B").high.unwrap() - 50.0 - widest).abs() < 1e-9);

    // The others are relative to an engine that is alone already.
    let alone = anchored([lone("A", "B", WhiteWins)], "A=500");
    assert_eq!(rating(&alone.scopes[1], "A").elo, Some(500.0));
    assert!(rating(&alone.scopes[1], "B").estimate.unwrap() < 500.0);
}

#[test]
fn resampling_is_the_same_each_time_and_anchors_too() {
    let mut tally = Tally::new();
    for number in 0..10 {
        let pair = number.to_string();
        for played in three_engines("push").chain(three_engines("tower-push")) {
            tally.add(&FinishedMatch { pair: Some(&pair), ..played }).unwrap();
        }
    }
    let bootstrapped = |anchor: Option<&str>| {
        let anchor = anchor.map(|anchor| anchor.parse().unwrap());
        let mut standings = Standings::new(&tally, &RatingSettings { anchor, ..RatingSettings::default() });
        standings.add_bootstrap(&tally, 50);
        standings
    };
    assert_eq!(bootstrapped(None), bootstrapped(None));
    let standings = bootstrapped(Some("B=0"));
    assert_eq!(standings.bootstrap, Some(50));
    for scope in &standings.scopes {
        assert_eq!(rating(scope, "B").se_bootstrap, Some(0.0));
        assert!(0.0 < rating(scope, "A").se_bootstrap.unwrap());
        assert!(
            scope
                .notes
                .iter()
                .any(|note| note.kind == "bootstrap" && note.text.contains("by 50 resamples: A ")),
            "{:?}",
            scope.notes
        );
    }
}

const NAMES: [&str; 6] = ["A", "B", "C", "D", "E", "F"];

/// A match by numbers: game, white, black, result, pair, opening.
type Numbers = (usize, usize, usize, usize, Option<usize>, Option<usize>);

fn played((game, white, black, result, pair, opening): Numbers) -> FinishedMatch<'static> {
    const TEXTS: [&str; 4] = ["1", "2", "3", "4"];
    FinishedMatch {
        game: ["push", "push-push", "tower-push"][game],
        white: NAMES[white],
        black: NAMES[(white + 1 + black) % NAMES.len()],
        result: [WhiteWins, Draw, BlackWins][result],
        pair: pair.map(|pair| TEXTS[pair]),
        opening: opening.map(|opening| TEXTS[opening]),
        moves: None,
        ending: Ending::Played,
    }
}

fn matches() -> impl Strategy<Value = Vec<Numbers>> {
    let text = || proptest::option::of(0..4usize);
    let one = (0..3usize, 0..NAMES.len(), 0..NAMES.len() - 1, 0..3usize, text(), text());
    proptest::collection::vec(one, 0..60)
}

/// Every number that JSON shows is finite: what isn't would be `null` where a number must be.
fn check_honest(scope: &Scope) {
    for rating in &scope.engines {
        assert_eq!(rating.matches, rating.wins + rating.draws + rating.losses);
        // Overall, an engine that met nobody of the largest pool in any game cannot be placed.
        let has_place = !matches!(rating.status, Status::Absent | Status::SomeGames { rated: 0, .. });
        assert!(rating.estimate.is_some() || !has_place, "{rating:?}");
        let numbers = [rating.estimate, rating.elo, rating.low, rating.high, rating.se, rating.los_next];
        assert!(numbers.iter().flatten().all(|number| number.is_finite()), "{rating:?}");
        assert!((0.0..=1.0).contains(&rating.score), "{rating:?}");
        assert!(rating.los_next.is_none_or(|los| (0.0..=1.0).contains(&los)), "{rating:?}");
        if let Some(elo) = rating.elo {
            assert!(rating.low.is_none_or(|low| low <= elo), "{rating:?}");
            assert!(rating.high.is_none_or(|high| elo <= high), "{rating:?}");
        }
        let is_bounded = matches!(rating.status, Status::Bounded);
        assert_eq!(rating.se.is_some_and(|se| 0.0 < se), is_bounded, "{rating:?}");
        let n_pool = scope.engines.iter().filter(|other| other.pool == rating.pool).count();
        if let (Some(low), Some(high)) = (rating.rank_low, rating.rank_high) {
            assert!(1 <= low && low <= high && high <= n_pool, "{rating:?}");
        }
    }
    for measure in [scope.first_player, scope.draw_rate].into_iter().flatten() {
        assert!(measure.low <= measure.value && measure.value <= measure.high, "{measure:?}");
    }
    if let Some(fit) = &scope.fit {
        assert!(fit.chi_squared.is_finite() && fit.spread.is_finite(), "{fit:?}");
        assert!(fit.pairings.iter().all(|pairing| pairing.z.is_none_or(f64::is_finite)), "{fit:?}");
    }
    if let Some(general) = &scope.general {
        assert!(general.spread.is_finite() && general.q.is_finite(), "{general:?}");
        assert!((0.0..=1.0).contains(&general.inconsistency), "{general:?}");
        for rating in &general.engines {
            assert!(
                rating.low <= rating.elo && rating.elo <= rating.high && rating.se.is_finite(),
                "{rating:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_played_the_standings_are_finite_and_honest(matches in matches()) {
        let standings = standings(matches.into_iter().map(played));
        for scope in &standings.scopes {
            check_honest(scope);
        }
    }

    #[test]
    fn the_order_of_the_matches_does_not_matter(
        (matches, shuffled) in matches().prop_flat_map(|matches| (Just(matches.clone()), Just(matches).prop_shuffle()))
    ) {
        let json = |matches: Vec<Numbers>| {
            serde_json::to_string(&standings(matches.into_iter().map(played))).unwrap()
        };
        prop_assert_eq!(json(matches), json(shuffled));
    }
}

#[test]
fn openings_that_are_played_again_are_noted_with_what_helps() {
    let from_one = |played: FinishedMatch<'static>| FinishedMatch { opening: Some("e4"), ..played };
    let pair = || [lone("A", "B", WhiteWins), lone("B", "A", Draw)].map(from_one);
    let notes = |n| standings((0..n).flat_map(|_| pair())).scopes.remove(0).notes;
    let [once, again] = [1, 3].map(notes);
    assert!(once.iter().all(|note| note.kind != "repeated-openings"), "{once:?}");
    assert!(again.iter().any(|note| note.kind == "repeated-openings"), "{again:?}");
    let advice =
        |notes: &[Note]| notes.iter().find(|note| note.kind == "few").unwrap().advice.clone().unwrap();
    assert_eq!([advice(&once), advice(&again)], ["play more", "play other openings"]);
}

#[test]
fn where_a_game_has_only_draws_the_overall_intervals_are_rough() {
    let pairs = |game, result| {
        let both = [lone("A", "B", result), lone("B", "A", Draw)];
        both.map(|played| FinishedMatch { game, ..played })
    };
    let standings = standings(pairs("push", WhiteWins).into_iter().chain(pairs("tower-push", Draw)));
    let overall = &standings.scopes[0];
    assert!(rating(overall, "A").low.is_some() && rating(overall, "A").high.is_some());
    let note = overall.notes.iter().find(|note| note.kind == "no-overall").unwrap();
    assert!(note.text.starts_with("only rough overall intervals"), "{note:?}");
}

/// An overall interval is relative to the engines that have one in every game: of two engines of four, that says little of the
/// distance from 0, the mean of all, even if the others have an interval in one of the two games.
#[test]
fn where_few_engines_have_an_interval_in_every_game_the_overall_zero_is_rough() {
    const PAIRINGS: [[&str; 2]; 6] = [["A", "B"], ["A", "C"], ["A", "D"], ["B", "C"], ["B", "D"], ["C", "D"]];
    let matches = |game: &'static str, is_swept: fn([&str; 2]) -> bool| {
        PAIRINGS.into_iter().flat_map(move |[one, other]| {
            let of_pair = move |number: usize| {
                let results = match (is_swept([one, other]), number % 4) {
                    (true, _) | (false, 0) => [WhiteWins, BlackWins],
                    (false, 1) => [BlackWins, WhiteWins],
                    (false, _) => [Draw, Draw],
                };
                let played = [lone(one, other, results[0]), lone(other, one, results[1])];
                played.map(|played| FinishedMatch { game, ..played })
            };
            (0..12).flat_map(of_pair)
        })
    };
    let is_close = |_: [&str; 2]| false;
    let is_of_groups = |[one, other]: [&str; 2]| one < "C" && "B" < other;
    let overall = |other: fn([&str; 2]) -> bool| {
        standings(matches("push", is_close).chain(matches("tower-push", other))).scopes.swap_remove(0)
    };
    let rough = |scope: &Scope| {
        ["A", "B", "C", "D"]
            .map(|engine| (rating(scope, engine).elo.is_some(), rating(scope, engine).rough_zero))
    };
    assert_eq!(rough(&overall(is_close)), [(true, false); 4]);
    assert_eq!(rough(&overall(is_of_groups)), [(true, true), (true, true), (false, false), (false, false)]);
}
