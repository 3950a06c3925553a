//! Two engines by their own pairs: scores, sequential tests and confidence sequences, compared with the numbers of an
//! independent implementation in `ratings/`.

#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::HashMap;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use proptest::prelude::*;
use ratings::{
    Confidence, ConfidenceSequence, DEFAULT_BATCH_PAIRS, EloModel, Ending, FinishedMatch, HeadToHead,
    Hypotheses, PairOutcome, PairSequence, Pentanomial, Sprt, SprtVerdict,
};

type Line = HashMap<String, String>;

fn lines(file: &str) -> Vec<Line> {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

fn number(line: &Line, column: &str) -> f64 {
    line[column].parse().unwrap_or_else(|_| panic!("{column}: {:?}", line[column]))
}

#[track_caller]
fn check(what: &str, found: f64, expected: f64, tolerance: f64) {
    assert!(found.is_finite() || expected.is_infinite(), "{what}: {found}, expected {expected}");
    if expected.is_infinite() {
        assert!(found.is_infinite() && found.signum() * expected.signum() > 0.0, "{what}: {found}");
        return;
    }
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
}

/// The pairs of a line; those at one half are all counted as a win and a loss.
fn pairs(line: &Line) -> Pentanomial {
    let [ll, ld, wl, wd, ww] = ["LL", "LD", "DD_WL", "WD", "WW"].map(|column| line[column].parse().unwrap());
    Pentanomial { ll, ld, dd: 0, wl, wd, ww }
}

fn ratio(model: EloModel, elo0: f64, elo1: f64, pairs: &Pentanomial) -> f64 {
    Hypotheses::new(model, elo0, elo1, 0.05, 0.05).unwrap().log_likelihood_ratio(pairs)
}

/// For these counts, the first step of Newton's method is exactly to where the largest probability is infinite. The expected
/// ratios were found by bisection alone.
#[test]
fn a_ratio_is_right_where_newtons_method_meets_a_pole() {
    for (counts, expected) in [
        ([10, 35, 47, 9, 1], -0.929_367_998),
        ([20, 70, 94, 18, 2], -1.858_735_997),
        ([1, 9, 47, 35, 10], 0.891_909_458),
    ] {
        let [ll, ld, wl, wd, ww] = counts;
        let pairs = Pentanomial { ll, ld, dd: 0, wl, wd, ww };
        check("ratio", ratio(EloModel::Normalized, 0.0, 5.0, &pairs), expected, 1e-8);
    }
}

fn check_head_to_head(what: &str, line: &Line, pairs: &Pentanomial) {
    let found = HeadToHead::new(pairs, Confidence::default()).unwrap();
    check(what, found.score.value, number(line, "score"), 1e-6);
    check(what, found.elo.value, number(line, "elo"), 0.01);
    check(what, found.elo.low, number(line, "elo_lo"), 0.01);
    check(what, found.elo.high, number(line, "elo_hi"), 0.01);
    check(what, found.los, number(line, "los"), 1e-4);
    assert_eq!(found.normalized_elo.is_none(), line["nelo"].is_empty(), "{what}");
    if let Some(normalized) = found.normalized_elo {
        check(what, normalized.value, number(line, "nelo"), 0.01);
        check(what, normalized.se, number(line, "nelo_se"), 0.01);
    }
}

#[test]
fn sprt_vectors() {
    let lines = lines("sprt_vectors.csv");
    assert_eq!(lines.len(), 44);
    for line in &lines {
        let pairs = pairs(line);
        let what = format!("{pairs:?}");
        let [elo0, elo1] = ["elo0", "elo1"].map(|column| number(line, column));
        check(&what, ratio(EloModel::Logistic, elo0, elo1, &pairs), number(line, "llr_logistic"), 1e-5);
        check(&what, ratio(EloModel::Normalized, elo0, elo1, &pairs), number(line, "llr_normalized"), 1e-5);
        check_head_to_head(&what, line, &pairs);
        let score = HeadToHead::new(&pairs, Confidence::default()).unwrap().score;
        check(&what, score.low, number(line, "score_lo"), 1e-5);
        check(&what, score.high, number(line, "score_hi"), 1e-5);
    }
}

#[test]
fn head_to_head_vectors() {
    for data in ["A", "C2", "D"] {
        let matches = lines(&format!("{data}.csv"));
        for line in lines(&format!("{data}.h2h.csv")) {
            let what = format!("{data} {} {} {}", line["game"], line["a"], line["b"]);
            let mut sequence = PairSequence::new(&line["a"], &line["b"]);
            for played in &matches {
                sequence.add(&FinishedMatch {
                    game: &played["game"],
                    white: &played["white"],
                    black: &played["black"],
                    result: played["result"].parse().unwrap(),
                    pair: Some(played["pair_id"].as_str()).filter(|pair| !pair.is_empty()),
                    opening: Some(played["opening_id"].as_str()).filter(|opening| !opening.is_empty()),
                    moves: None,
                    ending: Ending::Played,
                });
            }
            let mut found = Pentanomial::default();
            for pair in &sequence.finish()[&line["game"]].pairs {
                found.count(pair.outcome);
            }
            let expected = pairs(&line);
            assert_eq!(Pentanomial { wl: found.wl + found.dd, dd: 0, ..found }, expected, "{what}");
            check_head_to_head(&what, &line, &found);
            let logistic = ratio(EloModel::Logistic, 0.0, 10.0, &found);
            check(&what, logistic, number(&line, "llr_logistic_0_10"), 1e-5);
            let normalized = ratio(EloModel::Normalized, 0.0, 10.0, &found);
            check(&what, normalized, number(&line, "llr_normalized_0_10"), 1e-5);
        }
    }
}

#[test]
fn confidence_sequence_vectors() {
    let mut sequence = ConfidenceSequence::new(Confidence::default());
    for line in lines("betting_cs_vectors.csv") {
        sequence.add(number(&line, "x"));
        let [low, high] = sequence.interval().unwrap();
        check(&line["t"], low, number(&line, "lo"), 1e-9);
        check(&line["t"], high, number(&line, "hi"), 1e-9);
    }
}

/// A machine that becomes busy, for example.
#[test]
fn results_that_change_are_said() {
    let found = |pairs: &[f64]| {
        let mut sequence = ConfidenceSequence::new(Confidence::default());
        for &score in pairs {
            sequence.add(score);
        }
        (sequence.interval(), sequence.found())
    };
    let [good, level] = [[1.0, 1.0, 0.5, 1.0, 1.0].repeat(20), [1.0, 0.0].repeat(75)];
    let (earlier, all) = found(&[good.clone(), level.clone()].concat());
    let mean = (90.0 + 75.0) / 250.0;
    let change = all.change.expect("the second part is much weaker");
    assert_eq!(change.earlier, earlier);
    check("the mean", change.mean, mean, 1e-12);
    assert!(earlier.is_none_or(|[low, _]| mean < low), "{earlier:?}");
    let [low, high] = all.score.expect("an interval of all pairs");
    assert!(low <= mean && mean < high && high - low < 0.3, "{low} to {high}");
    // The same pairs in another order have not changed.
    let mixed: Vec<f64> = (0..250)
        .map(|n| if n % 5 < 2 { good[n / 5 * 2 + n % 5] } else { level[n / 5 * 3 + n % 5 - 2] })
        .collect();
    let (earlier, all) = found(&mixed);
    assert_eq!((all.score, all.change), (earlier, None));
    assert_eq!(found(&[]).1.score, Some([0.0, 1.0]));
}

#[test]
fn perfect_scores_have_exact_intervals() {
    let won = Pentanomial { ww: 12, ..Pentanomial::default() };
    let found = HeadToHead::new(&won, Confidence::default()).unwrap();
    check("low", found.score.low, 0.025_f64.powf(1.0 / 12.0), 1e-12);
    check("high", found.score.high, 1.0, 0.0);
    assert!(found.elo.value.is_infinite() && found.normalized_elo.is_none());
    let once =
        HeadToHead::new(&Pentanomial { ww: 1, ..Pentanomial::default() }, Confidence::default()).unwrap();
    assert!(once.los < 0.8, "one pair proves little: {}", once.los);
}

#[test]
fn no_pairs_say_nothing() {
    assert_eq!(HeadToHead::new(&Pentanomial::default(), Confidence::default()), None);
    check("no pairs", ratio(EloModel::Normalized, 0.0, 5.0, &Pentanomial::default()), 0.0, 0.0);
    assert_eq!(ConfidenceSequence::new(Confidence::default()).interval(), Some([0.0, 1.0]));
}

#[test]
fn hypotheses_that_cannot_be_tested() {
    let problem = |model, elo0, elo1, alpha, beta| {
        Hypotheses::new(model, elo0, elo1, alpha, beta).unwrap_err().to_string()
    };
    let cases = [
        (problem(EloModel::Normalized, 5.0, 5.0, 0.05, 0.05), "elo0 must be below elo1: 5 is not below 5"),
        (
            problem(EloModel::Normalized, 0.0, 201.0, 0.05, 0.05),
            "201 is too large for a hypothesis in normalized Elo: -200 to 200",
        ),
        (
            problem(EloModel::Logistic, f64::NAN, 5.0, 0.05, 0.05),
            "NaN is too large for a hypothesis in logistic Elo: -1000 to 1000",
        ),
        (problem(EloModel::Logistic, 0.0, 5.0, 0.0, 0.05), "alpha must be above 0 and below 0.5: 0 is not"),
        (problem(EloModel::Logistic, 0.0, 5.0, 0.05, 0.5), "beta must be above 0 and below 0.5: 0.5 is not"),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_test_looks_after_whole_batches_and_its_verdict_stands() {
    let hypotheses = Hypotheses::new(EloModel::Normalized, 0.0, 100.0, 0.05, 0.05).unwrap();
    let mut test = Sprt::new(hypotheses, DEFAULT_BATCH_PAIRS);
    let mut n_pairs = 0;
    while test.add(PairOutcome::WinDraw) == SprtVerdict::Undecided {
        n_pairs += 1;
        assert!(n_pairs < 1000);
    }
    let decision = test.decision().unwrap();
    assert_eq!((decision.verdict, decision.pairs % DEFAULT_BATCH_PAIRS), (SprtVerdict::H1, 0));
    for _ in 0..1000 {
        assert_eq!(test.add(PairOutcome::LossLoss), SprtVerdict::H1);
    }
    assert_eq!(test.decision(), Some(decision));
}

/// Pairs of engines of which the first has these chances of 0, ½, 1 and so on, drawn from a seed.
fn draw(rng: &mut ChaCha8Rng, chances: [f64; 5]) -> PairOutcome {
    use PairOutcome::{LossDraw, LossLoss, WinDraw, WinLoss, WinWin};
    let mut left = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    for (outcome, chance) in [LossLoss, LossDraw, WinLoss, WinDraw].into_iter().zip(chances) {
        if left < chance {
            return outcome;
        }
        left -= chance;
    }
    WinWin
}

/// The interval that one may look at all the time must hold all the time: 300 runs, a look after each of 100 pairs.
#[test]
fn confidence_sequences_hold_at_all_times() {
    let chances = [0.05, 0.2, 0.35, 0.25, 0.15];
    let truth = 0.2 * 0.25 + 0.35 * 0.5 + 0.25 * 0.75 + 0.15;
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut n_missed = 0;
    for _ in 0..300 {
        let mut sequence = ConfidenceSequence::new(Confidence::default());
        for _ in 0..100 {
            sequence.add(draw(&mut rng, chances).score());
        }
        // The intersection of all looks misses if any of them does.
        let [low, high] = sequence.interval().unwrap_or([2.0, 2.0]);
        n_missed += u32::from(!(low..=high).contains(&truth));
    }
    assert!(n_missed <= 15, "{n_missed} of 300 missed, 5 % allowed");
}

/// Error rates of the sequential test, 200 runs each at alpha = beta = 0.05; 0.05 itself would be 10 of them.
#[test]
fn sequential_tests_keep_their_error_rates() {
    let hypotheses = Hypotheses::new(EloModel::Logistic, 0.0, 60.0, 0.05, 0.05).unwrap();
    let accepted = |seed: u64, chances: [f64; 5]| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let found = (0..200).map(|_| {
            let mut test = Sprt::new(hypotheses, DEFAULT_BATCH_PAIRS);
            let verdict = (0..4000).map(|_| test.add(draw(&mut rng, chances)));
            verdict.into_iter().find(|&verdict| verdict != SprtVerdict::Undecided).unwrap()
        });
        found.filter(|&verdict| verdict == SprtVerdict::H1).count()
    };
    let equal = [0.1, 0.2, 0.4, 0.2, 0.1];
    // Score 0.5855: 60 Elo.
    let better = [0.05, 0.158, 0.3, 0.384, 0.108];
    let (wrong, right) = (accepted(1, equal), accepted(2, better));
    assert!(wrong <= 18 && 182 <= right, "{wrong} of 200 wrongly, {right} of 200 rightly accepted");
}

fn any_pairs() -> impl Strategy<Value = Pentanomial> {
    let count = || prop_oneof![Just(0_u64), 1_u64..60, 1_u64..3000];
    (count(), count(), count(), count(), count(), count()).prop_map(|(ll, ld, dd, wl, wd, ww)| Pentanomial {
        ll,
        ld,
        dd,
        wl,
        wd,
        ww,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_other_engine_sees_the_mirror_image(pairs in any_pairs(), elo0 in -150.0..100.0, width in 1.0..50.0) {
        let ours = HeadToHead::new(&pairs, Confidence::default());
        let theirs = HeadToHead::new(&pairs.swapped(), Confidence::default());
        prop_assert_eq!(ours.is_none(), theirs.is_none());
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            prop_assert!((ours.score.value + theirs.score.value - 1.0).abs() < 1e-9);
            prop_assert!((ours.score.low + theirs.score.high - 1.0).abs() < 1e-9);
            prop_assert!((ours.score.high + theirs.score.low - 1.0).abs() < 1e-9);
            prop_assert!((ours.los + theirs.los - 1.0).abs() < 1e-9);
            prop_assert!(ours.score.low <= ours.score.value && ours.score.value <= ours.score.high);
            prop_assert!(0.0 <= ours.score.low && ours.score.high <= 1.0);
        }
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let ratio = ratio(model, elo0, elo0 + width, &pairs);
            let mirrored = self::ratio(model, -elo0 - width, -elo0, &pairs.swapped());
            prop_assert!(ratio.is_finite());
            prop_assert!((ratio + mirrored).abs() < 1e-5 * (1.0 + ratio.abs()), "{} {}", ratio, mirrored);
        }
    }

    #[test]
    fn a_confidence_sequence_is_mirrored_too(scores in prop::collection::vec(0_u8..5, 0..80)) {
        let sequence = |score_of: &dyn Fn(u8) -> f64| {
            let mut sequence = ConfidenceSequence::new(Confidence::default());
            for &quarters in &scores {
                sequence.add(score_of(quarters));
            }
            sequence
        };
        let ours = sequence(&|quarters| f64::from(quarters) / 4.0);
        let theirs = sequence(&|quarters| 1.0 - f64::from(quarters) / 4.0);
        prop_assert!((ours.evidence_stronger() / theirs.evidence_weaker() - 1.0).abs() < 1e-9);
        match (ours.interval(), theirs.interval()) {
            (Some([low, high]), Some([their_low, their_high])) => {
                prop_assert!(low < high);
                prop_assert!((low + their_high - 1.0).abs() < 1e-9 && (high + their_low - 1.0).abs() < 1e-9);
            }
            (None, None) => {}
            (ours, theirs) => prop_assert!(false, "{:?} {:?}", ours, theirs),
        }
    }
}
