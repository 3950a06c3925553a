//! Ends a tournament when the overall ratings answer a question about the order of the engines. The comparisons are
//! valid at any time, and all of them together have the requested confidence.

use model::Question;
use ratings::{Anchor, Checks, Confidence, Rating, RatingSettings, Standings, Status, Tally, Validity};

/// The question is answered.
#[derive(Clone, Debug)]
pub struct Separated {
    question: Question,
    n_engines: usize,
    /// The confidence of each single comparison.
    confidence: Confidence,
}

impl Separated {
    /// The question about `n_engines` engines, with a probability of at least 95 % that the answer is correct.
    pub fn new(question: Question, n_engines: usize) -> Self {
        // An answer is wrong only if one of these comparisons is wrong on one side, so the error probability is
        // divided among them.
        let n_comparisons = match question {
            Question::Best => n_engines.saturating_sub(1),
            Question::Top(n) => n * n_engines.saturating_sub(n),
            Question::Order => n_engines * n_engines.saturating_sub(1) / 2,
            Question::Above(_) => 1,
        };
        let wrong = 1.0 - Confidence::default().fraction();
        let confidence = Confidence::new(1.0 - 2.0 * wrong / n_comparisons.max(1) as f64)
            .expect("0.9 for one comparison, and nearer to 1 for more");
        Self { question, n_engines, confidence }
    }

    /// The answer, if the ratings determine it.
    pub(super) fn look(&self, tally: &Tally) -> Option<String> {
        let settings = |anchor: Option<Anchor>| RatingSettings {
            confidence: self.confidence,
            // The error is divided once, by the number of comparisons, not again by that of the engines.
            validity: Validity::AnyTime,
            anchor,
            checks: Checks::None,
            ..RatingSettings::default()
        };
        match &self.question {
            Question::Above([first, second]) => {
                // Relative to the first engine, the interval of the second one is that of the difference.
                let anchor = Anchor { engine: first.clone(), elo: 0.0 };
                let standings = Standings::new(tally, &settings(Some(anchor)));
                let engines = &standings.scopes.first()?.engines;
                let place = |name: &String| engines.iter().find(|rating| rating.engine == *name);
                above(place(first)?, place(second)?)
            }
            question => {
                let standings = Standings::new(tally, &settings(None));
                self.order(question, &standings.scopes.first()?.engines)
            }
        }
    }

    pub(super) fn findings(&self, tally: &Tally) -> Vec<String> {
        let n_pairs = tally.matches() / 2;
        let each = 100.0 * (0.5 + 0.5 * self.confidence.fraction());
        vec![format!(
            "question: {} ({n_pairs} pairs evaluated; an answer is correct with a probability of 95 %, because each \
             comparison is correct with {each:.2} %)",
            self.words()
        )]
    }

    pub(super) fn prospect(&self) -> String {
        format!("separated ({}): the number of pairs depends on how close the engines are", self.words())
    }

    /// The answer by the rank ranges of `engines`, which are sorted with the strongest first.
    fn order(&self, question: &Question, engines: &[Rating]) -> Option<String> {
        // An engine without matches may have any rank.
        if engines.len() < self.n_engines.max(2) || engines.iter().any(|rating| rating.pool != 1) {
            return None;
        }
        let names = |engines: &[Rating]| {
            engines.iter().map(|rating| rating.engine.as_str()).collect::<Vec<_>>().join(", ")
        };
        match question {
            Question::Best => {
                settled_top(engines, 1).then(|| format!("the strongest is {}", engines[0].engine))
            }
            Question::Top(n) => settled_top(engines, *n)
                .then(|| format!("the {n} strongest are {}, in any order", names(&engines[..*n]))),
            Question::Order => engines
                .iter()
                .all(|rating| rating.rank_low.is_some() && rating.rank_low == rating.rank_high)
                .then(|| format!("the order is {}", names(engines))),
            Question::Above(_) => None,
        }
    }

    fn words(&self) -> String {
        match &self.question {
            Question::Best => "which engine is the strongest".to_owned(),
            Question::Top(n) => format!("which are the {n} strongest"),
            Question::Order => "what is the order of all engines".to_owned(),
            Question::Above([first, second]) => format!("whether {first} or {second} is stronger"),
        }
    }
}

/// Whether the first `n` engines are significantly stronger than all others. Bounds that leave no doubt are enough: a perfect
/// score has no ranks where it is relative to one engine.
fn settled_top(engines: &[Rating], n: usize) -> bool {
    let (top, others) = engines.split_at(n);
    let lowest = top.iter().map(|rating| ends(rating).map_or(f64::NEG_INFINITY, |[low, _]| low));
    let highest = others.iter().map(|rating| ends(rating).map_or(f64::INFINITY, |[_, high]| high));
    if highest.fold(f64::NEG_INFINITY, f64::max) < lowest.fold(f64::INFINITY, f64::min) {
        return true;
    }
    top.iter().all(|rating| rating.rank_high.is_some_and(|rank| rank <= n))
        && others.iter().all(|rating| rating.rank_low.is_some_and(|rank| n < rank))
}

/// Which of the two is significantly stronger; ratings are relative to the first.
fn above(first: &Rating, second: &Rating) -> Option<String> {
    if first.pool != second.pool {
        return None;
    }
    let is = |stronger: &Rating, weaker: &Rating| {
        Some(format!("{} is stronger than {}", stronger.engine, weaker.engine))
    };
    let ([first_low, first_high], [second_low, second_high]) = (ends(first)?, ends(second)?);
    if second_high < first_low {
        return is(first, second);
    }
    if first_high < second_low {
        return is(second, first);
    }
    None
}

/// The interval of an engine's rating, infinite without a bound; `None` if it cannot be compared.
fn ends(rating: &Rating) -> Option<[f64; 2]> {
    match rating.status {
        Status::NotComparable | Status::Absent | Status::SomeGames { .. } => None,
        // The others are rated relative to this engine.
        Status::Alone => rating.estimate.map(|elo| [elo, elo]),
        _ => Some([rating.low.unwrap_or(f64::NEG_INFINITY), rating.high.unwrap_or(f64::INFINITY)]),
    }
}
