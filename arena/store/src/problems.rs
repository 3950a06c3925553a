//! What is wrong with one recorded match, by the rules. Pure: a record in, problems out.

use engine_proto::proto::Score;
use engine_proto::{End, Games, Side};

use super::Replay;
use model::referee::{Adjudicated, Adjudicator, Reason};
use model::{MatchRules, Record};
use ratings::MatchResult;

/// The problems of `record`, in words, by the rules of its game, which is one of these, and by those of its tournament, if they
/// are known.
pub fn problems(games: &Games, record: &Record, rules: Option<MatchRules>) -> Vec<String> {
    let mut problems = Vec::new();
    if record.plies as usize != record.moves.len() {
        problems.push(format!(
            "`plies` is {}, but the number of recorded moves is {}",
            record.plies,
            record.moves.len()
        ));
    }
    let mut replay = match Replay::new(games, record) {
        Ok(replay) => replay,
        Err(error) => {
            problems.push(error.to_string());
            return problems;
        }
    };
    let mut adjudicator = Adjudicator::new(rules.map(|rules| rules.adjudication).unwrap_or_default());
    let mut verdict = None;
    // For each side: whether its last move came with `draw`.
    let mut offers = [false; 2];
    let draw_offers = rules.is_some_and(|rules| rules.draw_offers);
    while let Some(mv) = replay.next() {
        let ply = replay.ply() + 1;
        if draw_offers && offers == [true; 2] {
            problems.push(format!("ply {ply}: both engines had agreed to a draw before this move"));
            offers = [false; 2];
        }
        if verdict.take().is_some() {
            problems.push(format!("ply {ply}: the match should have been adjudicated before this move"));
        }
        let side = replay.play().side_to_move();
        if let Some(end) = replay.play().end() {
            problems.push(format!("ply {ply}: the game ended before this move: {end}"));
            return problems;
        }
        if mv.side != side.into() {
            problems.push(format!("ply {ply}: `side` is wrong; {side} is to move"));
        }
        if let Err(error) = replay.step() {
            problems.push(format!("{error} in the position `{}`", replay.play().fen()));
            return problems;
        }
        let score = mv.score.as_deref().map(str::parse::<Score>);
        if let Some(Err(error)) = &score {
            problems.push(format!("ply {ply}: invalid score: {error}"));
        }
        offers[side.index()] = mv.draw;
        adjudicator.look_at(replay.play());
        verdict =
            adjudicator.hear(side, score.and_then(Result::ok)).filter(|_| replay.play().end().is_none());
    }
    let play = replay.play();
    if play.fen() != record.end {
        problems.push(format!("`end` is `{}`, but the moves lead to `{}`", record.end, play.fen()));
    }
    let agreed = offers == [true; 2];
    let verdict = verdict.filter(|_| !(agreed && draw_offers));
    let last = Last { end: play.end(), agreed, verdict, side_to_move: play.side_to_move() };
    problems.extend(check_outcome(record, &last, rules));
    problems.extend(check_machine_delay(record));
    problems.extend(Side::ALL.iter().filter_map(|&side| check_clock(record, side)));
    problems
}

/// What the rules say of the last position.
struct Last {
    end: Option<End>,
    /// Whether the last moves of both sides came with `draw`.
    agreed: bool,
    verdict: Option<Adjudicated>,
    side_to_move: Side,
}

/// Whether result and reason follow from the last position.
fn check_outcome(record: &Record, last: &Last, rules: Option<MatchRules>) -> Option<String> {
    if let Some(end) = last.end {
        let is_so = record.reason == end.reason && record.result == MatchResult::of(end.winner);
        return (!is_so).then(|| {
            format!(
                "the recorded result is {}, `{}`, but by the rules it is {}, `{}`",
                record.result,
                record.reason,
                MatchResult::of(end.winner),
                end.reason
            )
        });
    }
    if let Some(verdict) = last.verdict {
        let (result, reason) = Reason::adjudicated(verdict);
        let reason = reason.text();
        let is_so = record.reason == reason && record.result == result;
        return (!is_so).then(|| {
            format!(
                "the recorded result is {}, `{}`, but by the scores it is {result}, `{reason}`",
                record.result, record.reason
            )
        });
    }
    let Some(reason) = Reason::of_arena(&record.reason) else {
        return Some(format!("the reason is `{}`, but by the rules the game is not over", record.reason));
    };
    let winner = record.result.winner();
    let reason_text = reason.text();
    if last.agreed && reason != Reason::Agreement && rules.is_some_and(|rules| rules.draw_offers) {
        return Some(format!("both engines agreed to a draw, but the reason is `{reason_text}`"));
    }
    match reason {
        Reason::Rules(_) => unreachable!("not one of the arena's"),
        Reason::AdjudicatedDraw | Reason::AdjudicatedWin => rules
            .map(|_| format!("the reason is `{reason_text}`, but the scores do not fulfil `[adjudication]`")),
        Reason::MoveCap => match rules.map(|rules| rules.max_plies) {
            _ if winner.is_some() => {
                Some(format!("`{reason_text}` is a draw, but the recorded result is {}", record.result))
            }
            Some(max) if max as usize != record.moves.len() => {
                Some(format!("`{reason_text}` after {} plies, but `max-plies` is {max}", record.moves.len()))
            }
            _ => None,
        },
        Reason::Agreement if rules.is_some_and(|rules| !rules.draw_offers) => {
            Some(format!("the reason is `{reason_text}`, but the tournament has `draw-offers = false`"))
        }
        Reason::Agreement => (!last.agreed || winner.is_some()).then(|| {
            format!("`{reason_text}` is a draw after offers of both sides, which the last moves do not show")
        }),
        Reason::Resign if rules.is_some_and(|rules| !rules.resign) => {
            Some(format!("the reason is `{reason_text}`, but the tournament has `resign = false`"))
        }
        // A person can also give up while the engine thinks.
        Reason::Resign if record.engine_seed.is_some() && winner.is_some() => None,
        // Nobody has moved: either engine may have failed, or both.
        Reason::StartFailure | Reason::Retired if record.moves.is_empty() => None,
        Reason::StartFailure | Reason::Retired => Some(format!("`{reason_text}` in a match with moves")),
        Reason::ProtocolError if record.moves.is_empty() && winner.is_some() => None,
        Reason::Resign
        | Reason::Time
        | Reason::IllegalMove
        | Reason::Crash
        | Reason::ProtocolError
        | Reason::OffTurn => {
            let is_so = winner == Some(!last.side_to_move);
            (!is_so).then(|| {
                format!(
                    "`{reason_text}` when {} was to move loses for that side, but the recorded result is {}",
                    last.side_to_move, record.result
                )
            })
        }
    }
}

/// Whether a busy machine is to blame for what it can be blamed for.
fn check_machine_delay(record: &Record) -> Option<String> {
    let delay = record.machine_delay?;
    if record.reason != Reason::Time.text() {
        return Some(format!(
            "`machine_delay` in a match that was not lost on time; its reason is `{}`",
            record.reason
        ));
    }
    (!delay.is_longer_than_overrun())
        .then(|| "`machine_delay` is shorter than the time by which the move was late".to_owned())
}

/// Whether a side's time is the sum of its moves' times. Each move's is cut to whole microseconds, and the answer that was
/// too late, illegal or a resignation is in the sum alone.
fn check_clock(record: &Record, side: Side) -> Option<String> {
    let (name, recorded_ms) = match side {
        Side::White => ("white_ms", record.white_ms),
        Side::Black => ("black_ms", record.black_ms),
    };
    let times = record.moves.iter().filter(|mv| mv.side == side.into()).map(|mv| mv.time_us);
    let n_moves = times.clone().count() as u64;
    let sum_us = times.fold(0, u64::saturating_add);
    let lost_a_move = record.result.winner() == Some(!side)
        && [Reason::Time, Reason::IllegalMove, Reason::Resign]
            .iter()
            .any(|reason| reason.text() == record.reason);
    let most_ms = if lost_a_move { u64::MAX } else { sum_us.saturating_add(n_moves) / 1000 };
    (!(sum_us / 1000..=most_ms).contains(&recorded_ms))
        .then(|| format!("`{name}` is {recorded_ms}, but the moves took {sum_us} us in total"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Adjudication, WinRule};
    use model::{MoveRecord, SideLetter};

    fn problems(record: &Record, rules: Option<MatchRules>) -> Vec<String> {
        super::problems(Games::built_in(), record, rules)
    }

    /// Push Push: White pushes the ball over the far edge with its second move.
    fn record() -> Record {
        let mv = |mv: &str, side, time_us| MoveRecord::new(mv, side, time_us);
        Record {
            opening: "abcd3/7/2*4/7/2C4/7/7 w - - 0 0".to_owned(),
            result: MatchResult::Draw,
            reason: "move-cap".to_owned(),
            plies: 2,
            white_ms: 1,
            black_ms: 2,
            moves: vec![mv("c3c4", SideLetter::White, 1999), mv("a7a6", SideLetter::Black, 2000)],
            ..model::samples::record()
        }
    }

    const RULES: Option<MatchRules> = Some(MatchRules {
        max_plies: 2,
        resign: true,
        draw_offers: true,
        ponder: false,
        adjudication: Adjudication { draw: None, win: None },
    });

    fn right() -> Record {
        let mut record = record();
        let mut play = Games::built_in().play(record.game, &record.opening).unwrap();
        record.moves.iter().for_each(|mv| play.play(&mv.mv).unwrap());
        assert_eq!(play.end(), None);
        record.end = play.fen();
        record
    }

    #[test]
    fn what_holds_is_no_problem() {
        assert_eq!(problems(&right(), RULES), [""; 0]);
        assert_eq!(problems(&right(), None), [""; 0]);
    }

    #[test]
    fn each_thing_that_does_not_hold_is_named() {
        type Change = fn(&mut Record);
        let cases: [(Change, &str); 16] = [
            (|it| it.plies = 3, "`plies` is 3, but the number of recorded moves is 2"),
            (|it| it.opening.push('x'), "invalid opening: "),
            (|it| it.moves[1].mv = "a7a1".into(), "ply 2: illegal move `a7a1` in the position"),
            (|it| it.moves[1].side = SideLetter::White, "ply 2: `side` is wrong; Black is to move"),
            (|it| it.end.push('x'), "`end` is"),
            (|it| it.reason = "goal".into(), "`goal`, but by the rules the game is not over"),
            (|it| it.reason = "whim".into(), "`whim`, but by the rules the game is not over"),
            (|it| it.result = MatchResult::WhiteWins, "`move-cap` is a draw"),
            (|it| it.reason = "time".into(), "`time` when White was to move loses for that side"),
            (
                |it| (it.reason, it.result) = ("crash".into(), MatchResult::WhiteWins),
                "`crash` when White was to move loses for that side",
            ),
            (|it| it.reason = "start-failure".into(), "in a match with moves"),
            (|it| it.white_ms = 0, "`white_ms` is 0, but the moves took 1999 us"),
            (|it| it.white_ms = 3, "`white_ms` is 3"),
            (|it| it.black_ms = 1, "`black_ms` is 1"),
            (|it| it.moves[0].time_us = u64::MAX, "`white_ms` is 1"),
            (|it| it.moves.truncate(1), "`plies` is 2, but the number of recorded moves is 1"),
        ];
        for (change, words) in cases {
            let mut record = right();
            change(&mut record);
            let problems = problems(&record, RULES);
            assert!(problems.iter().any(|problem| problem.contains(words)), "{words}: {problems:?}");
        }
        assert!(
            problems(&right(), RULES.map(|rules| MatchRules { max_plies: 3, ..rules }))[0]
                .contains("after 2 plies, but `max-plies` is 3")
        );
    }

    #[test]
    fn a_move_that_lost_counts_on_the_clock_alone() {
        let mut record = right();
        (record.reason, record.result, record.white_ms) = ("time".into(), MatchResult::BlackWins, 500);
        assert_eq!(problems(&record, RULES), [""; 0]);
        record.black_ms = 500;
        assert_eq!(problems(&record, RULES).len(), 1);
    }

    #[test]
    fn the_rules_decide() {
        let mut record = right();
        record.opening = "3*3/3C3/7/7/7/7/7 w - - 5 40".to_owned();
        record.moves.truncate(1);
        record.moves[0].mv = "d6d7".to_owned();
        record.end = "3C3/7/7/7/7/7/7 b - w 6 41".to_owned();
        (record.plies, record.black_ms) = (1, 0);
        assert!(problems(&record, RULES)[0].contains("by the rules it is 1-0, `goal`"));
        (record.reason, record.result) = ("goal".into(), MatchResult::WhiteWins);
        assert_eq!(problems(&record, RULES), [""; 0]);
    }

    #[test]
    fn resignations_and_agreements_follow_from_the_moves() {
        let mut record = right();
        (record.reason, record.result, record.white_ms) = ("resign".into(), MatchResult::BlackWins, 500);
        assert_eq!(problems(&record, RULES), [""; 0], "White is to move, and took some time to resign");
        let without = RULES.map(|rules| MatchRules { resign: false, draw_offers: false, ..rules });
        assert!(problems(&record, without)[0].contains("has `resign = false`"));
        record.result = MatchResult::Draw;
        let loses = "`resign` when White was to move loses for that side";
        assert!(problems(&record, RULES)[0].contains(loses));
        // A person gives up whenever it wants, an engine on its move.
        (record.result, record.white_ms) = (MatchResult::WhiteWins, right().white_ms);
        assert!(problems(&record, RULES)[0].contains(loses));
        record.engine_seed = Some(7);
        assert_eq!(problems(&record, RULES), [""; 0]);
        record.result = MatchResult::Draw;
        assert!(problems(&record, RULES)[0].contains(loses));

        let mut record = right();
        record.reason = "agreement".into();
        assert!(problems(&record, RULES)[0].contains("which the last moves do not show"));
        record.moves.iter_mut().for_each(|mv| mv.draw = true);
        assert_eq!(problems(&record, RULES), [""; 0]);
        assert_eq!(problems(&record, None), [""; 0]);
        assert!(problems(&record, without)[0].contains("has `draw-offers = false`"));
        record.reason = "move-cap".into();
        assert_eq!(problems(&record, RULES), ["both engines agreed to a draw, but the reason is `move-cap`"]);
        assert_eq!(problems(&record, without), [""; 0], "offers that were ignored");
    }

    #[test]
    fn scores_are_adjudicated_again() {
        let win = Some(WinRule { score: 500, moves: 1, one_sided: false });
        let rules = RULES.map(|rules| MatchRules { adjudication: Adjudication { draw: None, win }, ..rules });
        let mut record = right();
        record.moves[0].score = Some("cp 500".into());
        record.moves[1].score = Some("loss 3".into());
        assert_eq!(
            problems(&record, rules),
            ["the recorded result is 1/2-1/2, `move-cap`, but by the scores it is 1-0, `adjudicated-win`"]
        );
        (record.reason, record.result) = ("adjudicated-win".into(), MatchResult::WhiteWins);
        assert_eq!(problems(&record, rules), [""; 0]);
        assert_eq!(problems(&record, None), [""; 0], "nobody knows better");
        assert!(problems(&record, RULES)[0].contains("the scores do not fulfil `[adjudication]`"));
        record.moves[1].score = Some("plenty".into());
        assert!(problems(&record, rules)[0].contains("ply 2: invalid score: malformed `score`"));
    }
}
