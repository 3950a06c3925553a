//! The ratings as a whole: what goes in comes out, in any order, and nothing is claimed that the matches don't show.

#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

use arena::rating::{
    Confidence, FinishedMatch, NotAConfidence, OVERALL, Rating, RatingSettings, Scope, Standings, Status,
    Tally,
};
use arena::record::MatchResult;
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use MatchResult::{BlackWins, Draw, WhiteWins};

/// A match of the game `push` without a partner.
fn lone(white: &'static str, black: &'static str, result: MatchResult) -> FinishedMatch<'static> {
    FinishedMatch { game: "push", white, black, result, pair: None, opening: None }
}

fn standings<'a>(matches: impl IntoIterator<Item = FinishedMatch<'a>>) -> Standings {
    let mut tally = Tally::new();
    for played in matches {
        tally.add(&played).unwrap();
    }
    Standings::new(&tally, &RatingSettings::default())
}

fn rating<'a>(scope: &'a Scope, engine: &str) -> &'a Rating {
    scope.engines.iter().find(|rating| rating.engine == engine).unwrap()
}

fn has_note(scope: &Scope, part: &str) -> bool {
    scope.notes.iter().any(|note| note.contains(part))
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
    assert_eq!((loser.rank_low, loser.rank_high), (Some(1), Some(2)));
    assert_eq!(scope.first_player, None);
}

#[test]
fn one_drawn_match_says_little() {
    let standings = standings([lone("A", "B", Draw)]);
    let rating = rating(&standings.scopes[1], "A");
    assert_eq!((rating.status, rating.elo), (Status::OnlyDraws, Some(0.0)));
    assert!(500.0 < rating.high.unwrap());
}

/// Twenty wins and no more: surely stronger, by no one knows how much.
#[test]
fn a_clean_sweep_is_a_rank_but_no_number() {
    let sweep = (0..20)
        .map(|number| if number % 2 == 0 { lone("A", "B", WhiteWins) } else { lone("B", "A", BlackWins) });
    let standings = standings(sweep);
    let scope = &standings.scopes[0];
    assert_eq!((rating(scope, "A").rank_low, rating(scope, "A").rank_high), (Some(1), Some(1)));
    let loser = rating(scope, "B");
    assert_eq!((loser.low, loser.rank_low, loser.rank_high), (None, Some(2), Some(2)));
    assert!(loser.high.unwrap() < -200.0);
    assert!((rating(scope, "A").score - 1.0).abs() < 1e-15 && loser.score.abs() < 1e-15);
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
        assert!(of_pool.iter().all(|rating| rating.rank_high.unwrap() <= of_pool.len()));
        assert_eq!(of_pool.last().unwrap().los_next, None);
    }
    assert!(has_note(scope, "A and B have no matches with the others"));
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
    assert_eq!(overall.engines.last().unwrap().engine, "C");
    assert!(has_note(overall, "C: without a two-sided rating in every game"));
    // Its general strength is known all the same.
    assert_eq!(overall.general.as_ref().unwrap().engines[2].engine, "C");
}

#[test]
fn an_engine_against_itself_is_refused_and_not_counted() {
    let mut tally = Tally::new();
    assert_eq!(tally.add(&lone("A", "A", Draw)).unwrap_err().to_string(), "engine `A` plays against itself");
    assert_eq!((tally.matches(), tally.engines().len(), tally.games().len()), (0, 0, 0));
}

#[test]
fn wider_confidence_is_a_wider_interval() -> Result<(), NotAConfidence> {
    let mut tally = Tally::new();
    for result in [WhiteWins, Draw, BlackWins] {
        tally.add(&lone("A", "B", result)).unwrap();
        tally.add(&lone("B", "A", result)).unwrap();
    }
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

/// An opening holds more matches together than a pair does.
#[test]
fn an_opening_replayed_is_one_cluster() {
    let replayed = (0..50).map(|_| FinishedMatch { opening: Some("e4"), ..lone("A", "B", WhiteWins) });
    let standings = standings(replayed.chain([lone("B", "A", WhiteWins)]));
    assert_eq!(rating(&standings.scopes[1], "A").pairs, 2);
}

struct Simulation {
    generator: ChaCha8Rng,
    first_player: f64,
    draw: f64,
}

impl Simulation {
    fn uniform(&mut self) -> f64 {
        (self.generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A result by Davidson's model.
    fn play(&mut self, strength: f64) -> MatchResult {
        let half = 0.5 * (strength + self.first_player);
        let (win, draw, loss) = (half.exp(), self.draw.exp(), (-half).exp());
        let drawn = self.uniform() * (win + draw + loss);
        if drawn < win {
            WhiteWins
        } else if drawn < win + draw {
            Draw
        } else {
            BlackWins
        }
    }

    /// Every engine against every other in `n_pairs` swapped pairs.
    fn round_robin(
        &mut self,
        game: &str,
        names: &[&str],
        strengths: &[f64],
        n_pairs: usize,
        tally: &mut Tally,
    ) {
        for first in 0..names.len() {
            for second in first + 1..names.len() {
                for number in 0..n_pairs {
                    let pair = number.to_string();
                    for (white, black) in [(first, second), (second, first)] {
                        let result = self.play(strengths[white] - strengths[black]);
                        let (white, black) = (names[white], names[black]);
                        let played =
                            FinishedMatch { game, white, black, result, pair: Some(&pair), opening: None };
                        tally.add(&played).unwrap();
                    }
                }
            }
        }
    }

    /// Elo per natural unit in this simulation.
    fn elo_per_unit(&self) -> f64 {
        400.0 / 10f64.ln() * 2.0 / (2.0 + self.draw.exp())
    }
}

const NAMES: [&str; 6] = ["A", "B", "C", "D", "E", "F"];
const STRENGTHS: [f64; 6] = [1.5, 0.9, 0.2, -0.3, -0.8, -1.5];

#[test]
fn a_simulation_gives_back_its_ratings() {
    let mut simulation =
        Simulation { generator: ChaCha8Rng::seed_from_u64(3), first_player: 0.5, draw: -0.4 };
    let mut tally = Tally::new();
    simulation.round_robin("push", &NAMES, &STRENGTHS, 1000, &mut tally);
    let standings = Standings::new(&tally, &RatingSettings::default());
    let scope = &standings.scopes[1];
    for (name, strength) in NAMES.iter().zip(STRENGTHS) {
        let rating = rating(scope, name);
        let truth = simulation.elo_per_unit() * strength;
        let (elo, se) = (rating.elo.unwrap(), rating.se.unwrap());
        assert!((elo - truth).abs() < 3.5 * se && se < 5.0, "{name}: {elo} ± {se}, truly {truth}");
    }
    let advantage = scope.first_player.unwrap();
    let truth = simulation.elo_per_unit() * 0.5;
    assert!((advantage.value - truth).abs() < 3.5 * advantage.se, "{advantage:?}, truly {truth}");
    let draw_rate = scope.draw_rate.unwrap();
    let truth = 1.0 / (1.0 + 2.0 * 0.4f64.exp());
    assert!((draw_rate.value - truth).abs() < 3.5 * draw_rate.se, "{draw_rate:?}, truly {truth}");
    let fit = scope.fit.as_ref().unwrap();
    assert!(0.01 < fit.p.unwrap(), "{fit:?}");
    let phi = scope.phi.unwrap().strength;
    assert!((phi - 1.0).abs() < 0.05, "independent matches have the model's variance: {phi}");
    assert_eq!(scope.engines.iter().map(|rating| rating.engine.as_str()).collect::<String>(), "ABCDEF");
}

/// Of 300 simulated tournaments of 14 pairs a pairing, the 95 % intervals hold the truth in 94 to 97 %.
#[test]
fn intervals_hold_what_they_promise() {
    let mut simulation =
        Simulation { generator: ChaCha8Rng::seed_from_u64(2), first_player: 0.8, draw: -1.0 };
    let (mut n_held, mut n_all) = (0, 0);
    for _ in 0..300 {
        let mut tally = Tally::new();
        simulation.round_robin("push", &NAMES, &STRENGTHS, 14, &mut tally);
        let standings = Standings::new(&tally, &RatingSettings::default());
        for (name, strength) in NAMES.iter().zip(STRENGTHS) {
            let rating = rating(&standings.scopes[1], name);
            let truth = simulation.elo_per_unit() * strength;
            n_all += 1;
            n_held += usize::from(rating.low.unwrap() < truth && truth < rating.high.unwrap());
        }
    }
    let share = n_held as f64 / f64::from(n_all);
    assert!((0.94..0.97).contains(&share), "{share}");
}

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
        let numbers = [rating.elo, rating.low, rating.high, rating.se, rating.los_next];
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
