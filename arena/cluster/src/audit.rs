//! The audit: a share of the pairs is played by a second worker, and compared move by move. If they differ, a third one
//! decides. Pure.
//!
//! A worker must not know which of its pairs are audited. So the choice follows from a secret of this run: the seed of the
//! tournament would not do, because a worker can compute it from the seeds of its engines.

use std::hash::{BuildHasher, RandomState};

use model::{Engine, Job, Record, TimeControl, Tournament};

/// The share of pairs if the tournament file gives none.
const SHARE: f64 = 0.05;
/// Without `audit` in the tournament file, nobody has said that the engines repeat their moves. So a worker is set aside when
/// it was wrong this often, and no other worker was.
const MOST_WRONG: u32 = 5;

/// Which pairs are audited.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    share: f64,
    is_required: bool,
    secret: RandomState,
    /// If it is not required: the worker that was found wrong, and how often.
    wrong: Option<(String, u32)>,
}

/// What follows from an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The worker is set aside.
    SetAside,
    /// It has been wrong, and may be so again.
    Suspect,
    /// The engines do not repeat their moves: nothing more is audited.
    NoUse,
}

impl Audit {
    /// Audits this share of all pairs, because the user wants it.
    pub fn new(share: f64) -> Self {
        Self { share, is_required: true, ..Self::default() }
    }

    /// Audits this share of all pairs for which there is a second worker.
    pub fn voluntary(share: f64) -> Self {
        Self { share, ..Self::default() }
    }

    /// The audit of a tournament.
    pub fn of(tournament: &Tournament) -> Self {
        match tournament.machines.audit {
            Some(share) => Self::new(share),
            None if impossible(tournament).is_none() => Self::voluntary(SHARE),
            None => Self::default(),
        }
    }

    /// Whether the user wants it, so that pairs wait for it.
    pub const fn is_required(&self) -> bool {
        self.is_required
    }

    /// Whether a pair is audited that one of `n_workers` has played.
    pub fn is_wanted(&self, pair: u32, n_workers: usize) -> bool {
        (self.is_required || n_workers > 1) && self.includes(pair)
    }

    fn includes(&self, pair: u32) -> bool {
        // The upper 53 bits, as a number below 1.
        let draw = (self.secret.hash_one(pair) >> 11) as f64 / (1_u64 << 53) as f64;
        draw < self.share
    }

    /// Two workers have played the same, and this one has not.
    pub fn is_wrong(&mut self, worker: &str) -> Finding {
        if self.is_required {
            return Finding::SetAside;
        }
        let (name, n_wrong) = self.wrong.get_or_insert_with(|| (worker.to_owned(), 0));
        if name != worker {
            return self.no_use();
        }
        *n_wrong += 1;
        if *n_wrong >= MOST_WRONG { Finding::SetAside } else { Finding::Suspect }
    }

    /// Three workers have played in three ways.
    pub fn is_undecided(&mut self) -> Finding {
        if self.is_required { Finding::Suspect } else { self.no_use() }
    }

    fn no_use(&mut self) -> Finding {
        self.share = 0.0;
        Finding::NoUse
    }
}

/// Why the audit that a tournament file wants is impossible; `None` if it is possible, or not wanted.
pub fn wrong_audit(tournament: &Tournament) -> Option<String> {
    let is_wanted = tournament.machines.audit.is_some_and(|share| share > 0.0);
    let why = is_wanted.then(|| impossible(tournament)).flatten()?;
    Some(format!(
        "`audit` compares matches move by move, but {why}; use limits of `nodes` or `depth` only, or remove `audit`"
    ))
}

/// Why matches of the tournament cannot be compared move by move; `None` if they can.
fn impossible(tournament: &Tournament) -> Option<String> {
    let ponders = tournament.rules.ponder.then(|| "engines ponder".to_owned());
    ponders.or_else(|| tournament.engines.iter().find_map(|engine| varies(engine)))
}

/// Whether this match can be compared move by move.
pub fn is_possible(job: &Job) -> bool {
    !job.rules.ponder && job.players.iter().all(|player| varies(&player.engine).is_none())
}

/// Why an engine may play other moves in the same position; `None` if nothing is known that lets it.
fn varies(engine: &Engine) -> Option<String> {
    if engine.time_controls().any(TimeControl::is_timed) {
        Some(format!("time limits the moves of engine `{}`", engine.name))
    } else if engine.time_controls().any(|control| control.nodes.is_none() && control.depth.is_none()) {
        Some(format!("nothing limits the search of engine `{}`", engine.name))
    } else if engine.n_threads().is_some_and(|threads| 1 < threads) {
        Some(format!("engine `{}` has several threads", engine.name))
    } else {
        None
    }
}

/// A pair as a worker has played it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    pub worker: String,
    /// The matches.
    pub records: Vec<Record>,
}

/// What the audit of a pair has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Another worker must play the pair. The difference is that between the first two plays.
    Open { difference: Option<String> },
    /// Both workers have played the same.
    Same,
    /// Two workers have played the same, and this one has not.
    Wrong { worker: String, difference: String },
    /// All three have played differently. The difference is that between the first two.
    Undecided { difference: String },
}

impl Judgement {
    /// The worker that is wrong.
    pub fn wrong_worker(&self) -> Option<&str> {
        match self {
            Self::Wrong { worker, .. } => Some(worker),
            Self::Open { .. } | Self::Same | Self::Undecided { .. } => None,
        }
    }

    /// The matches that count: those of the first worker that is not wrong.
    pub fn right_of(&self, plays: Vec<Play>) -> Vec<Record> {
        let mut right = plays.into_iter().filter(|play| self.wrong_worker() != Some(&play.worker));
        right.next().map(|play| play.records).unwrap_or_default()
    }
}

/// Judges the plays of one pair, in the order in which they came.
pub fn judge(plays: &[Play]) -> Judgement {
    let difference = |one: usize, other: usize| difference(&plays[one], &plays[other]);
    match plays.len() {
        0 | 1 => Judgement::Open { difference: None },
        2 => match difference(0, 1) {
            None => Judgement::Same,
            difference => Judgement::Open { difference },
        },
        _ => match (difference(0, 1), difference(0, 2), difference(1, 2)) {
            (Some(difference), _, None) => Judgement::Wrong { worker: plays[0].worker.clone(), difference },
            (Some(difference), None, _) => Judgement::Wrong { worker: plays[1].worker.clone(), difference },
            (Some(difference), Some(_), Some(_)) => Judgement::Undecided { difference },
            (None, ..) => Judgement::Same,
        },
    }
}

/// The first difference of two plays that is not one of times; `None` if there is none.
fn difference(one: &Play, other: &Play) -> Option<String> {
    let [first, second] = [one, other].map(|play| &play.worker);
    let mut pairs = one.records.iter().zip(&other.records);
    let found = pairs.find_map(|(a, b)| Some((a.number, difference_of_matches(a, b)?)));
    found.map(|(number, [a, b])| format!("match {number}: {a} on `{first}`, {b} on `{second}`"))
}

/// What differs, once for each of two records of the same match.
fn difference_of_matches(one: &Record, other: &Record) -> Option<[String; 2]> {
    let in_words = |record: &Record, ply: usize| {
        record.moves.get(ply).map_or_else(
            || format!("ended with {} ({}) after ply {ply}", record.result, record.reason),
            |mv| {
                format!(
                    "ply {} `{}`{}",
                    ply + 1,
                    mv.mv,
                    if mv.draw { " with an offer of a draw" } else { "" }
                )
            },
        )
    };
    let is_same = |ply: &usize| {
        let of = |record: &Record| record.moves.get(*ply).map(|mv| (mv.mv.clone(), mv.side, mv.draw));
        of(one) == of(other)
    };
    let n_plies = one.moves.len().max(other.moves.len());
    let is_same_end = (one.result, &one.reason) == (other.result, &other.reason);
    let ply = (0..n_plies).find(|ply| !is_same(ply)).or_else(|| (!is_same_end).then_some(n_plies))?;
    Some([one, other].map(|record| in_words(record, ply)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{SideLetter, samples};

    #[test]
    fn the_share_of_pairs_is_audited() {
        let alone = Audit::voluntary(1.0);
        assert!(alone.is_wanted(1, 2) && !alone.is_wanted(1, 1) && Audit::new(1.0).is_wanted(1, 1));
        let n = |share| (0..10_000).filter(|pair| Audit::new(share).includes(*pair)).count();
        assert_eq!((n(0.0), n(1.0)), (0, 10_000));
        let audit = Audit::new(0.02);
        let n_audited = (0..100_000).filter(|pair| audit.includes(*pair)).count();
        // Six standard deviations around 2000.
        assert!((1734..2266).contains(&n_audited), "{n_audited}");
        let again = audit.clone();
        assert!((0..1000).all(|pair| audit.includes(pair) == again.includes(pair)));
    }

    #[test]
    fn an_audit_that_nobody_has_asked_for_ends_if_engines_do_not_repeat_their_moves() {
        assert_eq!(Audit::new(0.1).is_wrong("a"), Finding::SetAside);
        let audit = Audit::voluntary(SHARE);
        let mut same = audit.clone();
        let found: Vec<Finding> = (0..5).map(|_| same.is_wrong("a")).collect();
        assert!(found[..4].iter().all(|found| *found == Finding::Suspect) && found[4] == Finding::SetAside);
        let mut different = audit.clone();
        assert_eq!([different.is_wrong("a"), different.is_wrong("b")], [Finding::Suspect, Finding::NoUse]);
        let mut undecided = audit;
        assert_eq!(undecided.is_undecided(), Finding::NoUse);
        assert!([different, undecided].iter().all(|audit| (0..1000).all(|pair| !audit.includes(pair))));
    }

    #[test]
    fn times_are_no_difference_and_moves_are() {
        let play = |worker: &str, change: fn(&mut Record)| {
            let mut record = samples::record();
            record.moves = vec![model::MoveRecord::new("a", SideLetter::White, 1)];
            change(&mut record);
            Play { worker: worker.to_owned(), records: vec![record] }
        };
        let first = play("a", |_| ());
        let slow = play("b", |record| {
            record.white_ms += 9;
            record.moves[0].time_us += 9000;
            record.moves[0].nodes = None;
        });
        assert_eq!(difference(&first, &slow), None);
        let other = play("b", |record| record.moves[0].mv = "x".to_owned());
        let text = difference(&first, &other).unwrap();
        assert!(text.contains("ply 1 `") && text.ends_with("ply 1 `x` on `b`"), "{text}");
        let longer = play("b", |record| {
            record.moves.push(model::MoveRecord::new("y", SideLetter::White, 0));
        });
        let text = difference(&first, &longer).unwrap();
        assert!(text.contains("ended with") && text.contains("`y` on `b`"), "{text}");
    }
}
