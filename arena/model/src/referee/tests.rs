//! Scripts of what the referee hears, and what it decides.

use std::time::Duration;

use engine_proto::proto::Score;
use engine_proto::{GameId, Games, Side};
use ratings::MatchResult;

use super::*;
use crate::{Adjudication, DrawRule, MatchRules, TimeControl, WinRule};

const MS: Duration = Duration::from_millis(1);
const GAME: GameId = GameId::PUSH_PUSH;
const OPENING: &str = "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0";

fn clocks() -> [Clock; 2] {
    [(); 2].map(|()| {
        Clock::new(TimeControl {
            base: Some(100 * MS),
            increment: 10 * MS,
            margin: 20 * MS,
            ..TimeControl::unlimited(1000 * MS)
        })
    })
}

fn rules(max_plies: u32) -> MatchRules {
    MatchRules::new(max_plies)
}

fn mv(text: &str, took: u32) -> Response {
    Response::Move { text: text.to_owned(), took: took * MS, info: SearchInfo::default() }
}

/// The referee after these answers, when both engines are ready.
fn after(max_plies: u32, heard: impl IntoIterator<Item = Response>) -> Referee {
    let mut referee = Referee::new(Games::built_in(), GAME, OPENING, clocks(), rules(max_plies)).unwrap();
    for heard in [Response::Ready, Response::Ready].into_iter().chain(heard) {
        referee.hear(heard);
    }
    referee
}

fn outcome(referee: &Referee) -> (MatchResult, Reason, String) {
    match referee.state() {
        State::Over(outcome) => {
            (outcome.result, outcome.reason, outcome.evidence.clone().unwrap_or_default())
        }
        state => panic!("not over: {state:?}"),
    }
}

#[test]
fn both_get_ready_before_white_thinks() {
    let mut referee = Referee::new(Games::built_in(), GAME, OPENING, clocks(), rules(400)).unwrap();
    assert_eq!(*referee.state(), State::Readying { side: Side::White });
    referee.hear(Response::Ready);
    assert_eq!(*referee.state(), State::Readying { side: Side::Black });
    referee.hear(Response::Ready);
    assert_eq!(*referee.state(), State::Thinking { side: Side::White });
    assert_eq!(referee.position(), format!("position fen {OPENING}"));
}

#[test]
fn a_move_goes_to_the_clock_the_position_and_the_record() {
    let referee = after(400, [mv("c1c2", 30)]);
    assert_eq!(*referee.state(), State::Thinking { side: Side::Black });
    assert_eq!(referee.position(), format!("position fen {OPENING} moves c1c2"));
    let limits = referee.limits(Side::Black);
    assert_eq!(limits.time, [Some(80 * MS), Some(100 * MS)]);
    assert_eq!(limits.increment, [10 * MS; 2]);
    assert_eq!(referee.moves()[0].time_us, 30_000);
}

#[test]
fn every_fault_while_thinking_loses() {
    let too_late = mv("c1c2", 121);
    let cases = [
        (mv("c1c3", 1), Reason::IllegalMove, "`c1c3` is not legal in the position"),
        (mv("C1C2", 1), Reason::IllegalMove, "`C1C2`"),
        (mv("", 1), Reason::IllegalMove, "``"),
        (mv("\u{1b}[2J\0", 1), Reason::IllegalMove, "\\u{1b}[2J\\0"),
        (
            too_late,
            Reason::Time,
            "after 121.000ms; the limit was 120.000ms, of which 20.000ms are the margin",
        ),
        (Response::Silence { after: 121 * MS }, Reason::Time, "no move after 121.000ms"),
        (Response::Exit { how: "ended by signal KILL".into() }, Reason::Crash, "signal KILL"),
        (Response::Rubbish { what: "a line that is not UTF-8".into() }, Reason::ProtocolError, "UTF-8"),
        (Response::Ready, Reason::ProtocolError, "readyok"),
    ];
    for (heard, reason, evidence) in cases {
        // White's first move, then Black's. The engine that thinks is at fault, so the other one wins.
        let referee = after(400, [heard.clone()]);
        let (result, found, words) = outcome(&referee);
        assert_eq!((result, found), (MatchResult::BlackWins, reason), "{heard:?}");
        assert!(words.contains(evidence), "{words}");
        let heard = match heard {
            Response::Move { text, took, info } if text == "c1c2" => {
                Response::Move { text: "a7a6".to_owned(), took, info }
            }
            other => other,
        };
        let (result, found, _) = outcome(&after(400, [mv("c1c2", 1), heard]));
        assert_eq!((result, found), (MatchResult::WhiteWins, reason));
    }
    // An answer that was written twice is taken for that to the next `go`.
    let (_, reason, words) = outcome(&after(400, [mv("c1c2", 1), mv("a7a6", 1), mv("c1c2", 1)]));
    assert_eq!(reason, Reason::IllegalMove);
    assert!(words.contains("`c1c2` (its move before; was `bestmove` written twice?)"), "{words}");
}

#[test]
fn every_fault_while_getting_ready_loses() {
    let cases = [
        (Response::Silence { after: 30_000 * MS }, Reason::StartFailure),
        (Response::Exit { how: String::new() }, Reason::StartFailure),
        (Response::Rubbish { what: String::new() }, Reason::StartFailure),
        (Response::NoStart { why: String::new() }, Reason::StartFailure),
        (mv("c1c2", 1), Reason::ProtocolError),
    ];
    for (heard, reason) in cases {
        let mut referee = Referee::new(Games::built_in(), GAME, OPENING, clocks(), rules(400)).unwrap();
        referee.hear(heard.clone());
        assert_eq!((outcome(&referee).0, outcome(&referee).1), (MatchResult::BlackWins, reason));
        let mut referee = Referee::new(Games::built_in(), GAME, OPENING, clocks(), rules(400)).unwrap();
        referee.hear(Response::Ready);
        referee.hear(heard);
        assert_eq!((outcome(&referee).0, outcome(&referee).1), (MatchResult::WhiteWins, reason));
    }
}

#[test]
fn within_the_margin_is_in_time() {
    let referee = after(400, [mv("c1c2", 120)]);
    assert_eq!(*referee.state(), State::Thinking { side: Side::Black });
    // The increment of 10 ms pays back a half of the 20 ms that are owed.
    assert_eq!(referee.clock(Side::White).left(), Some(Duration::ZERO));
    assert_eq!(referee.clock(Side::White).allowed(), 10 * MS);
}

#[test]
fn the_cap_is_a_draw() {
    let referee = after(2, [mv("c1c2", 1), mv("a7a6", 1)]);
    assert_eq!(outcome(&referee), (MatchResult::Draw, Reason::MoveCap, String::new()));
}

#[test]
fn engines_that_agree_end_a_match_before_the_cap() {
    let adjudication = Adjudication {
        win: Some(WinRule { score: 500, moves: 1, one_sided: false }),
        draw: Some(DrawRule { score: 5, moves: 1, after_plies: 0, without_progress: false }),
    };
    let rules = MatchRules { adjudication, ..rules(2) };
    let scored = |text: &str, score| Response::Move {
        text: text.to_owned(),
        took: MS,
        info: SearchInfo { score: Some(score), ..SearchInfo::default() },
    };
    for (white, black, result, reason) in [
        (Score::Centi(500), Score::Loss(4), MatchResult::WhiteWins, Reason::AdjudicatedWin),
        (Score::Centi(-5), Score::Centi(5), MatchResult::Draw, Reason::AdjudicatedDraw),
        (Score::Centi(-5), Score::Centi(6), MatchResult::Draw, Reason::MoveCap),
    ] {
        let mut referee = Referee::new(Games::built_in(), GAME, OPENING, clocks(), rules).unwrap();
        for heard in [Response::Ready, Response::Ready, scored("c1c2", white), scored("a7a6", black)] {
            referee.hear(heard);
        }
        assert_eq!(outcome(&referee), (result, reason, String::new()));
    }
    // The rules take precedence over the engines.
    let opening = "3*3/3C3/7/7/7/7/7 w - - 5 40";
    let mut referee = Referee::new(Games::built_in(), GAME, opening, clocks(), rules).unwrap();
    for heard in [Response::Ready, Response::Ready, scored("d6d7", Score::Loss(1))] {
        referee.hear(heard);
    }
    assert_eq!(outcome(&referee).1, Reason::Rules("goal"));
}

/// A move with `draw`.
fn offer(text: &str) -> Response {
    let info = SearchInfo { draw: true, ..SearchInfo::default() };
    Response::Move { text: text.to_owned(), took: MS, info }
}

#[test]
fn who_resigns_loses() {
    for (moves, result) in [(vec![], MatchResult::BlackWins), (vec![mv("c1c2", 1)], MatchResult::WhiteWins)] {
        let n_moves = moves.len();
        let referee = after(400, moves.into_iter().chain([mv("resign", 30)]));
        assert_eq!(outcome(&referee), (result, Reason::Resign, String::new()));
        assert_eq!(referee.moves().len(), n_moves, "a resignation is not a move");
    }
    // It costs time, and comes too late after the time.
    assert_eq!(after(400, [mv("resign", 30)]).clock(Side::White).spent(), 30 * MS);
    assert_eq!(outcome(&after(400, [mv("resign", 121)])).1, Reason::Time);
}

#[test]
fn without_resignation_the_word_is_an_illegal_move() {
    let rules = MatchRules { resign: false, ..rules(400) };
    let mut referee = Referee::new(Games::built_in(), GAME, OPENING, clocks(), rules).unwrap();
    for heard in [Response::Ready, Response::Ready, mv("resign", 1)] {
        referee.hear(heard);
    }
    let (result, reason, evidence) = outcome(&referee);
    assert_eq!((result, reason), (MatchResult::BlackWins, Reason::IllegalMove));
    assert!(evidence.starts_with("`resign` (this tournament has `resign = false`)"), "{evidence}");
}

#[test]
fn two_offers_are_an_agreement() {
    let referee = after(400, [offer("c1c2")]);
    assert!(referee.draw_is_offered(Side::Black) && !referee.draw_is_offered(Side::White));
    let referee = after(400, [offer("c1c2"), offer("a7a6")]);
    assert_eq!(outcome(&referee), (MatchResult::Draw, Reason::Agreement, String::new()));
    assert_eq!(referee.moves().iter().filter(|mv| mv.draw).count(), 2);
    // An offer lasts until the next move of its side, which takes it back or repeats it.
    let moves = [offer("c1c2"), mv("a7a6", 1), mv("c2c3", 1), offer("a6a5")];
    let referee = after(400, moves.clone());
    assert_eq!(*referee.state(), State::Thinking { side: Side::White });
    assert!(referee.draw_is_offered(Side::White));
    let referee = after(400, moves.into_iter().chain([offer("d1d2")]));
    assert_eq!(outcome(&referee).1, Reason::Agreement);
}

#[test]
fn offers_do_not_count_if_they_are_not_allowed() {
    let rules = MatchRules { draw_offers: false, ..rules(400) };
    let mut referee = Referee::new(Games::built_in(), GAME, OPENING, clocks(), rules).unwrap();
    for heard in [Response::Ready, Response::Ready, offer("c1c2"), offer("a7a6")] {
        referee.hear(heard);
    }
    assert_eq!(*referee.state(), State::Thinking { side: Side::White });
    assert!(!Side::ALL.into_iter().any(|side| referee.draw_is_offered(side)));
    assert!(referee.moves().iter().all(|mv| mv.draw), "they are recorded");
}

#[test]
fn rules_before_agreement_before_scores_before_the_cap() {
    let opening = "3*3/3C3/7/7/7/7/6a b - - 5 40";
    let mut referee = Referee::new(Games::built_in(), GAME, opening, clocks(), rules(400)).unwrap();
    for heard in [Response::Ready, Response::Ready, offer("g1g2"), offer("d6d7")] {
        referee.hear(heard);
    }
    assert_eq!(outcome(&referee).1, Reason::Rules("goal"));
    let draw = Some(DrawRule { score: 5, moves: 1, after_plies: 0, without_progress: false });
    let rules = MatchRules { adjudication: Adjudication { draw, win: None }, ..rules(2) };
    let scored = |text: &str| Response::Move {
        text: text.to_owned(),
        took: MS,
        info: SearchInfo { score: Some(Score::Centi(0)), draw: true, ..SearchInfo::default() },
    };
    let mut referee = Referee::new(Games::built_in(), GAME, OPENING, clocks(), rules).unwrap();
    for heard in [Response::Ready, Response::Ready, scored("c1c2"), scored("a7a6")] {
        referee.hear(heard);
    }
    assert_eq!(outcome(&referee).1, Reason::Agreement);
}

#[test]
fn the_second_move_of_a_turn_takes_an_offer_back() {
    // Tower Push: the player who pushed a piece off the board places it before the opponent moves.
    let opening = "x4/5/2T2/3X1/4x w 0 0 w - 7 30";
    let mut referee =
        Referee::new(Games::built_in(), GameId::TOWER_PUSH, opening, clocks(), rules(400)).unwrap();
    for heard in [Response::Ready, Response::Ready, offer("d2d1")] {
        referee.hear(heard);
    }
    assert!(referee.draw_is_offered(Side::Black) && !referee.draw_is_offered(Side::White));
    referee.hear(mv("@b4", 5));
    assert!(!referee.draw_is_offered(Side::Black));
}

#[test]
fn what_an_engine_may_ponder_on() {
    let referee = after(400, [mv("c1c2", 1)]);
    let (position, play) = referee.after_reply(Side::White, "a7a6").unwrap();
    assert_eq!(position, format!("position fen {OPENING} moves c1c2 a7a6"));
    assert_eq!((play.n_moves(), play.side_to_move()), (2, Side::White));
    assert!(referee.after_reply(Side::White, "a7a5").is_none(), "it is not legal");
    assert!(referee.after_reply(Side::Black, "c2c3").is_none(), "the opponent is not to move");
    assert!(after(2, [mv("c1c2", 1)]).after_reply(Side::White, "a7a6").is_none(), "the reply ends the match");
    // A reply that ends the game, or after which the opponent moves again.
    let opening = "7/7/7/7/7/3c3/A2*3 w - - 3 20";
    let mut referee = Referee::new(Games::built_in(), GAME, opening, clocks(), rules(400)).unwrap();
    for heard in [Response::Ready, Response::Ready, mv("a1a2", 1)] {
        referee.hear(heard);
    }
    assert!(referee.play().legal_moves().contains(&"d2d1".to_owned()));
    assert!(referee.after_reply(Side::White, "d2d1").is_none());
    let opening = "x4/5/2T2/3X1/4x w 0 0 w - 7 30";
    let mut referee =
        Referee::new(Games::built_in(), GameId::TOWER_PUSH, opening, clocks(), rules(400)).unwrap();
    for heard in [Response::Ready, Response::Ready] {
        referee.hear(heard);
    }
    assert!(referee.play().legal_moves().contains(&"d2d1".to_owned()));
    assert!(referee.after_reply(Side::Black, "d2d1").is_none());
    referee.hear(mv("d2d1", 1));
    assert!(referee.after_reply(Side::Black, "@b4").is_some());
}

#[test]
fn the_rules_end_a_match_before_the_cap() {
    let opening = "3*3/3C3/7/7/7/7/7 w - - 5 40";
    let mut referee = Referee::new(Games::built_in(), GAME, opening, clocks(), rules(1)).unwrap();
    for heard in [Response::Ready, Response::Ready, mv("d6d7", 1)] {
        referee.hear(heard);
    }
    assert_eq!(outcome(&referee).0, MatchResult::WhiteWins);
    assert_eq!(outcome(&referee).1, Reason::Rules("goal"));
}

#[test]
fn repetition_is_seen_over_the_whole_match() {
    let opening = "1b5/7/7/3*3/7/7/2C4 w - - 5 40";
    let moves = ["c1c2", "b7b6", "c2c1", "b6b7"].repeat(2);
    let mut referee = Referee::new(Games::built_in(), GAME, opening, clocks(), rules(400)).unwrap();
    for heard in [Response::Ready, Response::Ready].into_iter().chain(moves.iter().map(|text| mv(text, 1))) {
        referee.hear(heard);
    }
    assert_eq!(outcome(&referee), (MatchResult::Draw, Reason::Rules("repetition"), String::new()));
}

#[test]
fn the_side_to_move_need_not_alternate() {
    // Tower Push: the player who pushed a piece off the board places it before the opponent moves.
    let opening = "x4/5/2T2/3X1/4x w 0 0 w - 7 30";
    let mut referee =
        Referee::new(Games::built_in(), GameId::TOWER_PUSH, opening, clocks(), rules(400)).unwrap();
    for heard in [Response::Ready, Response::Ready, mv("d2d1", 5)] {
        referee.hear(heard);
    }
    assert_eq!(*referee.state(), State::Thinking { side: Side::White });
    referee.hear(mv("@b4", 5));
    assert_eq!(*referee.state(), State::Thinking { side: Side::Black });
    assert_eq!(referee.clock(Side::White).left(), Some(110 * MS));
}

#[test]
#[should_panic(expected = "a match that is over")]
fn nobody_is_heard_after_the_end() {
    after(400, [mv("nonsense", 1), mv("c1c2", 1)]);
}

#[test]
fn a_person_may_give_up_while_the_engine_thinks() {
    let (result, reason, _) = outcome(&after(400, [mv("c1c2", 1), Response::Conceded]));
    assert_eq!((result, reason), (MatchResult::BlackWins, Reason::Resign));
}
