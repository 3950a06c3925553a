//! Compares the ratings with those of an independent implementation: `arena/ratings/tests/data/`. Tests only.

use std::collections::HashMap;

use super::confidence::Confidence;
use super::estimate::Estimate;
use super::fit::PRIOR_PRECISION;
use super::joint::{JointRatings, ParameterCovariance};
use super::payoff::{GamePayoffs, Payoff};
use super::series::Series;
use super::settings::{Anchor, OpeningsMeant, RatingSettings};
use super::standings::{FitMethod, GameDeviation, OVERALL, Rating, Scope, Standings, Status};
use super::tally::{Ending, FinishedMatch, Tally};

type Line = HashMap<String, String>;

fn lines(file: &str) -> Vec<Line> {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

fn number(line: &Line, column: &str) -> f64 {
    line[column].parse().unwrap_or_else(|_| panic!("{column}: {:?}", line[column]))
}

/// The number, or -1 for none.
fn number_or(line: &Line, column: &str) -> f64 {
    if line[column].is_empty() { -1.0 } else { number(line, column) }
}

fn tally(file: &str) -> Tally {
    let mut tally = Tally::new();
    for line in lines(file) {
        tally
            .add(&FinishedMatch {
                game: &line["game"],
                white: &line["white"],
                black: &line["black"],
                result: line["result"].parse().unwrap(),
                pair: named(&line["pair_id"]),
                opening: named(&line["opening_id"]),
                moves: None,
                ending: Ending::Played,
            })
            .unwrap();
    }
    tally
}

fn named(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn estimates(data: &str) -> HashMap<String, Estimate> {
    tally(&format!("{data}.csv"))
        .results()
        .into_iter()
        .map(|results| {
            (results.game.clone(), Estimate::new(results, Confidence::default(), OpeningsMeant::Similar))
        })
        .collect()
}

fn standings(data: &str) -> Standings {
    Standings::new(&tally(&format!("{data}.csv")), &RatingSettings::default())
}

fn scope<'a>(standings: &'a Standings, name: &str) -> &'a Scope {
    standings.scopes.iter().find(|scope| scope.name == name).unwrap()
}

fn rating<'a>(scope: &'a Scope, engine: &str) -> &'a Rating {
    scope.engines.iter().find(|rating| rating.engine == engine).unwrap()
}

/// The fitted clusters of `engine`.
fn clusters(scope: &Scope, engine: &str) -> f64 {
    let covariance = scope.covariance.as_ref().unwrap();
    covariance.clusters[covariance.engines.iter().position(|name| name == engine).unwrap()] as f64
}

#[track_caller]
fn check(what: &str, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
}

/// An unbounded end has no number in one implementation, and an infinite one or none in the other.
#[track_caller]
fn check_end(what: &str, found: Option<f64>, expected: &str) {
    match (found, expected.parse::<f64>()) {
        (None, Err(_)) => {}
        (None, Ok(end)) => assert!(end.is_infinite(), "{what}: nothing, expected {end}"),
        (Some(end), Ok(expected)) => check(what, end, expected, 0.01),
        (Some(end), Err(_)) => panic!("{what}: {end}, expected nothing"),
    }
}

/// Checks each line of the files of one kind with what `of` makes of the matches of the file's data. The last argument says
/// what the line is about.
fn each<T>(data: &[&str], kind: &str, of: impl Fn(&str) -> T, check: impl Fn(&T, &Line, &str)) {
    for data in data {
        let made = of(data);
        for line in lines(&format!("{data}.{kind}.csv")) {
            let about = ["game", "engine", "a", "b"].iter().filter_map(|&column| line.get(column));
            let about = about.fold((*data).to_owned(), |what, word| what + " " + word);
            check(&made, &line, &about);
        }
    }
}

const ALL: [&str; 3] = ["A", "C2", "D"];

#[test]
fn ratings() {
    each(&ALL, "ratings", standings, |standings, line, what| {
        let rating = rating(scope(standings, &line["game"]), &line["engine"]);
        assert_eq!(rating.status.to_string(), line["status"], "{what}");
        assert_eq!(rating.pool.to_string(), line["pool"], "{what}");
        check(what, rating.matches as f64, number(line, "games"), 0.0);
        check(what, rating.score * rating.matches as f64, number(line, "points"), 1e-9);
        check_end(what, rating.low, &line["lo95"]);
        check_end(what, rating.high, &line["hi95"]);
        check(what, rating.estimate.unwrap(), number(line, "estimate"), 0.01);
        match rating.elo {
            Some(elo) => check(what, elo, number(line, "elo"), 0.01),
            None => assert!(["alone", "above", "below"].contains(&line["status"].as_str()), "{what}"),
        }
        if rating.status == Status::Bounded {
            check(what, rating.se.unwrap(), number(line, "se_clustered"), 0.02);
            check(what, f64::from(u8::from(rating.weak)), number(line, "weak"), 0.0);
            check(what, rating.se_pairs.unwrap(), number(line, "se_pairs"), 0.02);
            check(
                what,
                clusters(scope(standings, &line["game"]), &line["engine"]),
                number(line, "clusters"),
                0.0,
            );
            check(what, rating.openings, number(line, "openings"), 1e-6);
            check(what, rating.p_stronger_next.unwrap_or(-1.0), number_or(line, "p_stronger_next"), 1e-3);
            check(what, rating.decided.unwrap() as f64, number(line, "decided"), 0.0);
            check(what, f64::from(u8::from(rating.few)), number(line, "few"), 0.0);
        }
    });
}

#[test]
fn strengths_and_errors_by_the_information_alone() {
    each(&ALL, "ratings", estimates, |estimates, line, what| {
        if line["status"] != "bounded" {
            return;
        }
        let estimate = &estimates[&line["game"]];
        let engine = estimate.results.engines.binary_search(&line["engine"]).unwrap();
        check(what, estimate.fit.strengths[engine], number(line, "theta"), 1e-5);
        let joint = estimate.main_ratings().unwrap();
        let by_information = JointRatings::new(
            joint.engines.clone(),
            &estimate.fit.strengths,
            estimate.scale,
            ParameterCovariance { by_pairs: &estimate.fit.inverse, by_opening: None },
            joint.evidence.clone(),
        );
        let place = joint.place_of(engine).unwrap();
        check(what, by_information.variance(place).pairs.sqrt(), number(line, "se_fisher"), 0.02);
    });
}

#[test]
fn parameters_of_the_games() {
    each(&ALL, "params", estimates, |estimates, line, what| {
        let estimate = &estimates[&line["game"]];
        check(what, estimate.fit.davidson.first_player, number(line, "alpha"), 1e-4);
        check(what, estimate.fit.davidson.draw, number(line, "delta"), 1e-4);
        let (first_player, variance) = estimate.first_player();
        let confidence = Confidence::default();
        let error = variance.standard_error(estimate.first_player_evidence(), confidence);
        check(what, first_player, number(line, "first_player_elo"), 0.01);
        check(what, error, number(line, "first_player_se"), 0.02);
        check(what, variance.pairs.sqrt(), number(line, "first_player_se_pairs"), 0.02);
        check(what, estimate.clustered.shared.effective_in_all, number(line, "openings"), 1e-6);
        let draw_rate = estimate.scale.draw_rate;
        check(what, draw_rate, number(line, "draw_rate_equal"), 1e-5);
        let error = estimate.draw_logit_variance().standard_error(estimate.draw_evidence(), confidence);
        let error = draw_rate * (1.0 - draw_rate) * error;
        check(what, error, number(line, "draw_rate_se"), 1e-4);
        let dispersion = estimate.clustered.dispersion;
        check(what, dispersion.strength, number(line, "phi_strength"), 1e-4);
        check(what, dispersion.first_player, number(line, "phi_first"), 1e-3);
        check(what, dispersion.draw, number(line, "phi_draw"), 1e-3);
        assert!(estimate.fit.n_steps <= 8, "{what}: {} steps", estimate.fit.n_steps);
    });
}

#[test]
fn differences_of_engines() {
    each(&ALL, "diffs", estimates, |estimates, line, what| {
        let estimate = &estimates[&line["game"]];
        let joint = estimate.main_ratings().unwrap();
        let place = |engine: &str| {
            let engine = estimate.results.engines.iter().position(|name| name == engine).unwrap();
            joint.place_of(engine).unwrap()
        };
        let difference = joint.difference(place(&line["a"]), place(&line["b"]));
        check(what, difference.elo, number(line, "elo_diff"), 0.01);
        let confidence = Confidence::default();
        check(what, difference.standard_error(confidence), number(line, "se_clustered"), 0.02);
        check(what, difference.los(confidence), number(line, "los"), 1e-4);
        let stronger = joint.strengths().unwrap().is_stronger(place(&line["a"]), place(&line["b"]));
        check(what, stronger, number(line, "p_stronger"), 1e-3);
    });
}

#[test]
fn lack_of_fit() {
    each(&ALL, "fit", standings, |standings, line, what| {
        let Some(fit) = &scope(standings, &line["game"]).fit else {
            check(what, number(line, "df"), 0.0, 0.0);
            return;
        };
        if line["a"] == "ALL" {
            check(what, fit.chi_squared, number(line, "X2"), 1e-3);
            check(what, fit.freedom as f64, number(line, "df"), 0.0);
            let expected = number(line, "p");
            if line["method"] == "chi2" {
                assert_eq!(fit.method, FitMethod::ChiSquared, "{what}");
                check(what, fit.p.unwrap(), expected, 1e-4);
                check(what, fit.named_from, number(line, "z_named"), 1e-3);
            } else {
                assert_eq!(fit.method, FitMethod::Simulated, "{what}");
                check(what, fit.p.unwrap(), expected, 0.05);
                let z_named = number(line, "z_named");
                check(what, fit.named_from, z_named, 0.15 * z_named);
            }
            check(what, fit.spread, number(line, "pairing_spread_elo"), 0.01);
            return;
        }
        let pairing =
            fit.pairings.iter().find(|fit| fit.first == line["a"] && fit.second == line["b"]).unwrap();
        check(what, pairing.matches as f64, number(line, "games"), 0.0);
        check(what, pairing.points, number(line, "points_a"), 0.0);
        check(what, pairing.expected, number(line, "expected_a"), 1e-4);
        check(what, pairing.z.unwrap_or(0.0), number(line, "z"), 1e-3);
        assert_eq!(pairing.is_named, line["named"] == "1", "{what}");
    });
}

#[test]
fn cycles() {
    for data in ALL {
        let standings = standings(data);
        let found: Vec<[String; 4]> = standings.scopes[1..]
            .iter()
            .flat_map(|scope| scope.fit.iter().map(move |fit| (scope, fit)))
            .flat_map(|(scope, fit)| {
                fit.cycles.iter().cloned().map(|[a, b, c]| [scope.name.clone(), a, b, c])
            })
            .collect();
        let expected: Vec<[String; 4]> = lines(&format!("{data}.cycles.csv"))
            .iter()
            .map(|line| ["game", "a", "b", "c"].map(|column| line[column].clone()))
            .collect();
        assert_eq!(found, expected, "{data}");
    }
}

#[test]
fn matches_saved_by_swapped_sides() {
    each(&ALL, "params", standings, |standings, line, what| {
        let Some(phi) = scope(standings, &line["game"]).phi else {
            assert!(line["saved"].is_empty() || line["clusters"] == "0", "{what}");
            return;
        };
        check(what, phi.saved.value, number(line, "saved"), 1e-3);
        check(what, phi.saved.low, number(line, "saved_lo"), 1e-3);
        check(what, phi.saved.high, number(line, "saved_hi"), 1e-3);
    });
}

/// Both bootstraps are random: they agree within 15 %, and so do they with the errors that they check.
#[test]
fn bootstrapped_errors() {
    let tally = tally("A.csv");
    let mut standings = Standings::new(&tally, &RatingSettings::default());
    standings.add_bootstrap(&tally, 400);
    for line in lines("A.ratings.csv") {
        let what = format!("{} {}", line["game"], line["engine"]);
        let rating = rating(scope(&standings, &line["game"]), &line["engine"]);
        let expected = number(&line, "se_bootstrap400");
        check(&what, rating.se_bootstrap.unwrap(), expected, 0.15 * expected);
    }
    for rating in &standings.scopes[0].engines {
        let se = rating.se.unwrap();
        check(&rating.engine, rating.se_bootstrap.unwrap(), se, 0.15 * se);
    }
}

/// With an anchor, the errors are those of the differences to it.
#[test]
fn anchored_errors_are_those_of_differences() {
    ["A", "D"].into_iter().for_each(check_anchored_errors);
}

fn check_anchored_errors(data: &str) {
    let tally = tally(&format!("{data}.csv"));
    let at_mean = Standings::new(&tally, &RatingSettings::default());
    for line in lines(&format!("{data}.diffs.csv")) {
        let what = format!("{} {} {}", line["game"], line["a"], line["b"]);
        let anchor = Anchor { engine: line["b"].clone(), elo: 2500.0 };
        let settings = RatingSettings { anchor: Some(anchor), ..RatingSettings::default() };
        let anchored = Standings::new(&tally, &settings);
        let rating_of = |standings| rating(scope(standings, &line["game"]), &line["a"]).clone();
        let (anchored, at_mean) = (rating_of(&anchored), rating_of(&at_mean));
        check(&what, anchored.elo.unwrap(), 2500.0 + number(&line, "elo_diff"), 0.01);
        check(&what, anchored.se.unwrap(), number(&line, "se_clustered"), 0.02);
        assert_eq!((anchored.rank_low, anchored.rank_high), (at_mean.rank_low, at_mean.rank_high), "{what}");
        assert_eq!((anchored.los_next, anchored.weak), (at_mean.los_next, at_mean.weak), "{what}");
    }
}

#[test]
fn overall() {
    for (data, line) in ["A", "D"]
        .iter()
        .flat_map(|data| lines(&format!("{data}.overall.csv")).into_iter().map(move |line| (*data, line)))
    {
        let standings = standings(data);
        let overall = &standings.scopes[0];
        assert_eq!(overall.name, OVERALL);
        let what = &line["engine"];
        check(what, rating(overall, what).estimate.unwrap(), number(&line, "estimate"), 0.02);
        if line["mean"].is_empty() {
            assert_ne!(rating(overall, what).status, Status::Bounded, "{data} {what}");
            continue;
        }
        let rating = rating(overall, what);
        let at_mean = |elo: Option<f64>| elo.unwrap() - overall.core_mean;
        check(what, at_mean(rating.elo), number(&line, "mean"), 0.02);
        check(what, rating.se.unwrap(), number(&line, "mean_se"), 0.02);
        check(what, at_mean(rating.low), number(&line, "mean_lo95"), 0.02);
        check(what, at_mean(rating.high), number(&line, "mean_hi95"), 0.02);
        check(what, rating.p_stronger_next.unwrap_or(-1.0), number_or(&line, "p_stronger_next"), 1e-3);
    }
}

#[test]
fn general_strength() {
    ["A", "D"].into_iter().for_each(check_general_strength);
}

fn check_general_strength(data: &str) {
    let standings = standings(data);
    let general = standings.scopes[0].general.as_ref().unwrap();
    let core_mean = standings.scopes[0].core_mean;
    for line in lines(&format!("{data}.overall.csv")) {
        let what = &line["engine"];
        let rating = general.engines.iter().find(|rating| rating.engine == *what).unwrap();
        check(what, rating.elo - core_mean, number(&line, "general"), 0.05);
        check(what, rating.se, number(&line, "general_se"), 0.05);
        check(what, rating.low - core_mean, number(&line, "general_lo95"), 0.1);
        check(what, rating.high - core_mean, number(&line, "general_hi95"), 0.1);
        for guess in &rating.games {
            check(what, guess.elo - core_mean, number(&line, &format!("shrunk_{}", guess.game)), 0.05);
        }
    }
    let line = &lines(&format!("{data}.hetero.csv"))[0];
    check("tau", general.spread, number(line, "tau"), 0.05);
    check("Q", general.q, number(line, "Q"), 0.02);
    check("df", general.freedom as f64, number(line, "df"), 0.0);
    check("p", general.p.unwrap(), number(line, "p"), 1e-5);
    check("low tau", general.spread_low, number(line, "tau_lo95"), 0.1);
    check("high tau", general.spread_high, number(line, "tau_hi95"), 0.1);
    check("I2", general.inconsistency, number(line, "I2"), 1e-4);
}

/// At the optimum, the priors equal the difference between points and expected points.
#[test]
fn points_less_expected_points_are_the_priors() {
    for data in ALL {
        for (game, estimate) in &estimates(data) {
            let n = estimate.results.engines.len();
            let davidson = estimate.fit.davidson;
            let mut surplus = vec![0.0; n + 2];
            for (white, black, cell) in estimate.fitted().iter().flat_map(|pairing| pairing.cells()) {
                let chances = davidson.chances(estimate.fit.strengths[white] - estimate.fit.strengths[black]);
                let matches = cell.matches() as f64;
                let score = cell.points() - matches * chances.score();
                surplus[white] += score;
                surplus[black] -= score;
                surplus[n] += score;
                surplus[n + 1] += f64::from(cell.draws) - matches * chances.draw;
            }
            let parameters = estimate.fit.strengths.iter().chain([&davidson.first_player, &davidson.draw]);
            for (surplus, parameter) in surplus.iter().zip(parameters) {
                check(&format!("{data} {game}"), *surplus, PRIOR_PRECISION * parameter, 1e-9);
            }
        }
    }
}

#[test]
fn slopes_and_specialists() {
    for data in ["A", "D"] {
        let standings = standings(data);
        let general = standings.scopes[0].general.as_ref().unwrap();
        for line in lines(&format!("{data}.games.csv")) {
            let what = format!("{data} {} {}", line["game"], line["engine"]);
            let slope = general.slopes.iter().find(|slope| slope.game == line["game"]).unwrap();
            check(&what, slope.slope, number(&line, "slope"), 1e-3);
            check(&what, slope.se, number(&line, "slope_se"), 1e-3);
            let is_meant = |it: &&GameDeviation| it.game == line["game"] && it.engine == line["engine"];
            let deviation = general.deviations.iter().find(is_meant).unwrap();
            check(&what, deviation.z, number(&line, "z"), 1e-3);
            assert_eq!(deviation.is_specialist, line["specialist"] == "1", "{what}");
        }
    }
}

#[test]
fn payoffs() {
    for data in ALL {
        let games = GamePayoffs::of(&tally(&format!("{data}.csv")));
        let game = |line: &Line| games.iter().find(|game| game.game == line["game"]).unwrap();
        let payoffs = lines(&format!("{data}.payoff.csv"));
        for line in &payoffs {
            let what = format!("{data} {} {} {}", line["game"], line["a"], line["b"]);
            let is_meant = |it: &&Payoff| it.engine == line["a"] && it.opponent == line["b"];
            let found = game(line).payoffs.iter().find(is_meant).unwrap_or_else(|| panic!("{what}"));
            check(&what, found.clusters as f64, number(line, "clusters"), 0.0);
            check(&what, found.matches as f64, number(line, "games"), 0.0);
            check(&what, found.score.unwrap_or(-1.0), number_or(line, "score"), 1e-5);
            check(&what, found.se.unwrap_or(-1.0), number_or(line, "se"), 1e-5);
            check(&what, found.payoff.unwrap_or(-1.0), number_or(line, "payoff"), 1e-5);
        }
    }
}

#[test]
fn series_of_checkpoints() {
    for data in ALL {
        let tally = tally(&format!("{data}.csv"));
        let standings = Standings::new(&tally, &RatingSettings::default());
        let engines: Vec<String> = tally.engines().into_iter().map(str::to_owned).collect();
        let series = Series::of(&standings, &engines);
        for line in lines(&format!("{data}.series.csv")) {
            let what = format!("{data} {} {}", line["game"], line["engine"]);
            let game = series.iter().find(|series| series.scope == line["game"]).unwrap();
            let step = &game.steps[number(&line, "step") as usize - 1];
            assert_eq!(step.engine, line["engine"], "{what}");
            for (difference, name) in [(step.since_first, "first"), (step.since_previous, "previous")] {
                check(&what, difference.elo, number(&line, &format!("since_{name}")), 0.01);
                check(&what, difference.se, number(&line, &format!("se_{name}")), 0.02);
                check(&what, difference.low, number(&line, &format!("lo_{name}")), 0.02);
                check(&what, difference.high, number(&line, &format!("hi_{name}")), 0.02);
            }
        }
    }
}
