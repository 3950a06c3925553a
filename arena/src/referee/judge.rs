//! One match as a state machine without I/O and without a clock. It is told what the awaited engine did, and says
//! which engine to wait for next. The rules decide, never a claim of an engine.

use std::fmt::Write;
use std::time::Duration;

use engine_proto::proto::{Limits, Score};
use engine_proto::{AnyPlay, End, GameId, PlayError, Side};

use super::{Adjudicator, Clock, Verdict};
use crate::tournament::{MatchRules, MoveRecord};
use ratings::MatchResult;

/// A match in progress.
pub struct Referee {
    play: Box<dyn AnyPlay>,
    clocks: [Clock; 2],
    max_plies: u32,
    adjudicator: Adjudicator,
    state: State,
    /// The `position` command for the current position. Each ply adds one word.
    position: String,
    moves: Vec<MoveRecord>,
}

/// What the match waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// This engine must get ready for the match.
    Readying {
        /// The engine's side.
        side: Side,
    },
    /// This engine must answer with a move.
    Thinking {
        /// The engine's side.
        side: Side,
    },
    /// Nothing: the match is over.
    Over(Outcome),
}

/// What the awaited engine did.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// It is ready.
    Ready,
    /// It made a move.
    Move {
        /// The move as the engine spelled it.
        text: String,
        /// Time from sending `go` to receiving `bestmove`.
        took: Duration,
        /// What the engine last reported about its search.
        info: SearchInfo,
    },
    /// It did not answer in time.
    Silence {
        /// How long the arena waited.
        after: Duration,
    },
    /// Its process ended.
    Exit {
        /// The exit status or signal, and the end of its standard error.
        how: String,
    },
    /// It broke the protocol.
    Rubbish {
        /// The line that broke the protocol.
        what: String,
    },
    /// It could not be started, or does not play this game.
    NoStart {
        /// The reason.
        why: String,
    },
}

/// What an engine reported about the search for a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// The score from the view of the side that moved.
    pub score: Option<Score>,
    /// Number of positions searched.
    pub nodes: Option<u64>,
    /// The time of the search as reported.
    pub time: Option<Duration>,
    /// The start of the principal variation: moves separated by spaces.
    pub principal_variation: Option<String>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The result.
    pub result: MatchResult,
    /// The reason.
    pub reason: Reason,
    /// The evidence, if an engine is at fault.
    pub evidence: Option<String>,
}

/// Why a match ended: a reason of the rules, or one of the arena's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A reason of the game's rules.
    Rules(&'static str),
    /// The maximum number of plies was reached: a draw.
    MoveCap,
    /// Both engines reported an even position: an adjudicated draw.
    AdjudicatedDraw,
    /// Both engines reported that the same side wins: an adjudicated win.
    AdjudicatedWin,
    /// An engine exceeded its time.
    Time,
    /// A move was illegal, or not in canonical spelling.
    IllegalMove,
    /// An engine's process ended.
    Crash,
    /// An engine broke the protocol.
    ProtocolError,
    /// An engine did not start or did not get ready.
    StartFailure,
    /// An engine was retired because of too many faults.
    Retired,
}

impl Reason {
    const OF_ARENA: &[Self] = &[
        Self::MoveCap,
        Self::AdjudicatedDraw,
        Self::AdjudicatedWin,
        Self::Time,
        Self::IllegalMove,
        Self::Crash,
        Self::ProtocolError,
        Self::StartFailure,
        Self::Retired,
    ];

    /// The reason as it is stored in records.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Rules(reason) => reason,
            Self::MoveCap => "move-cap",
            Self::AdjudicatedDraw => "adjudicated-draw",
            Self::AdjudicatedWin => "adjudicated-win",
            Self::Time => "time",
            Self::IllegalMove => "illegal-move",
            Self::Crash => "crash",
            Self::ProtocolError => "protocol-error",
            Self::StartFailure => "start-failure",
            Self::Retired => "retired",
        }
    }

    /// All of the arena's own reasons.
    pub fn all_of_arena() -> impl Iterator<Item = Self> {
        Self::OF_ARENA.iter().copied()
    }

    /// The arena's own reason with this spelling in records; `None` for reasons of the rules.
    pub fn of_arena(text: &str) -> Option<Self> {
        Self::OF_ARENA.iter().copied().find(|reason| reason.text() == text)
    }

    /// The result and the reason of an adjudicated match.
    pub const fn adjudicated(verdict: Verdict) -> (MatchResult, Self) {
        match verdict {
            Verdict::Draw => (MatchResult::Draw, Self::AdjudicatedDraw),
            Verdict::Win(winner) => (MatchResult::of(Some(winner)), Self::AdjudicatedWin),
        }
    }

    /// Whether an engine is at fault in this match.
    pub const fn is_fault(self) -> bool {
        match self {
            Self::Rules(_) | Self::MoveCap | Self::AdjudicatedDraw | Self::AdjudicatedWin | Self::Retired => {
                false
            }
            Self::Time | Self::IllegalMove | Self::Crash | Self::ProtocolError | Self::StartFailure => true,
        }
    }
}

impl Referee {
    /// A match of `game` that starts from the position `opening`, with the clocks of White and Black, and these rules.
    ///
    /// # Errors
    /// If `opening` is not a FEN of the game.
    pub fn new(
        game: GameId,
        opening: &str,
        clocks: [Clock; 2],
        rules: MatchRules,
    ) -> Result<Self, PlayError> {
        let play = game.play(opening)?;
        let mut referee = Self {
            state: State::Readying { side: Side::White },
            position: format!("position fen {opening} moves"),
            moves: Vec::new(),
            play,
            clocks,
            max_plies: rules.max_plies,
            adjudicator: Adjudicator::new(rules.adjudication),
        };
        if let Some(end) = referee.play.end() {
            referee.end_by_rules(end);
        }
        Ok(referee)
    }

    /// What the match waits for.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The play so far.
    pub fn play(&self) -> &dyn AnyPlay {
        self.play.as_ref()
    }

    /// The clock of a side.
    pub const fn clock(&self, side: Side) -> &Clock {
        &self.clocks[side.index()]
    }

    /// The moves played, with what the engines reported.
    pub fn moves(&self) -> &[MoveRecord] {
        &self.moves
    }

    /// The `position` command for the current position.
    pub fn position(&self) -> &str {
        if self.moves.is_empty() { self.position.trim_end_matches(" moves") } else { &self.position }
    }

    /// The search limits for the next move of `side`.
    pub fn limits(&self, side: Side) -> Limits {
        let [white, black] = &self.clocks;
        let own = self.clock(side);
        Limits {
            time: [white.left(), black.left()],
            increment: [white, black].map(|clock| match clock.left() {
                Some(_) => clock.control().increment,
                None => Duration::ZERO,
            }),
            moves_to_go: own.moves_to_go(),
            move_time: own.control().move_time,
            depth: own.control().depth,
            nodes: own.control().nodes,
            infinite: false,
        }
    }

    /// Handles what the awaited engine did.
    ///
    /// # Panics
    /// If the match is over, because then no engine is awaited.
    pub fn hear(&mut self, heard: Heard) {
        match (self.state.clone(), heard) {
            (State::Readying { side: Side::White }, Heard::Ready) => {
                self.state = State::Readying { side: Side::Black };
            }
            (State::Readying { side: Side::Black }, Heard::Ready) => {
                self.state = State::Thinking { side: self.play.side_to_move() };
            }
            (State::Readying { side }, Heard::Silence { after }) => {
                self.lose(side, Reason::StartFailure, format!("no `readyok` within {after:.1?}"));
            }
            (
                State::Readying { side },
                Heard::NoStart { why } | Heard::Exit { how: why } | Heard::Rubbish { what: why },
            ) => {
                self.lose(side, Reason::StartFailure, why);
            }
            (State::Readying { side }, Heard::Move { text, .. }) => {
                let text = engine_proto::fen::shown(&text);
                self.lose(side, Reason::ProtocolError, format!("`bestmove {text}` came before the match"));
            }
            (State::Thinking { side }, Heard::Move { text, took, info }) => {
                self.hear_move(side, &text, took, &info);
            }
            (State::Thinking { side }, Heard::Silence { after }) => {
                let clock = &mut self.clocks[side.index()];
                let allowed = clock.allowed();
                let _ = clock.spend(after);
                self.lose(
                    side,
                    Reason::Time,
                    format!("no move after {after:.3?}; the limit was {allowed:.3?}"),
                );
            }
            (State::Thinking { side }, Heard::Exit { how }) => self.lose(side, Reason::Crash, how),
            (State::Thinking { side }, Heard::Rubbish { what }) => {
                self.lose(side, Reason::ProtocolError, what);
            }
            (State::Thinking { side }, Heard::NoStart { why }) => self.lose(side, Reason::StartFailure, why),
            (State::Thinking { side }, Heard::Ready) => {
                self.lose(side, Reason::ProtocolError, "`readyok` instead of a move".to_owned());
            }
            (State::Over(outcome), heard) => panic!("heard {heard:?} in a match that is over: {outcome:?}"),
        }
    }

    fn hear_move(&mut self, side: Side, text: &str, took: Duration, info: &SearchInfo) {
        let allowed = self.clock(side).allowed();
        if let Err(over) = self.clocks[side.index()].spend(took) {
            self.lose(
                side,
                Reason::Time,
                format!("`bestmove` came after {took:.3?}, {over:.3?} too late; the limit was {allowed:.3?}"),
            );
            return;
        }
        if self.play.play(text).is_err() {
            let shown = engine_proto::fen::shown(text);
            let legal = self.play.legal_moves().join(" ");
            let fen = self.play.fen();
            self.lose(
                side,
                Reason::IllegalMove,
                format!("`{shown}` is not legal in the position `{fen}`; legal moves: {legal}"),
            );
            return;
        }
        write!(self.position, " {text}").expect("a String takes all");
        self.moves.push(MoveRecord {
            mv: text.to_owned(),
            side: side.into(),
            time_us: took.as_micros() as u64,
            score: info.score.map(|score| score.to_string()),
            depth: info.depth,
            nodes: info.nodes,
            claimed_us: info.time.map(|time| time.as_micros() as u64),
            arena_us: None,
            principal_variation: info.principal_variation.clone(),
        });
        if let Some(end) = self.play.end() {
            self.end_by_rules(end);
        } else if let Some(verdict) = self.adjudicator.hear(side, info.score) {
            let (result, reason) = Reason::adjudicated(verdict);
            self.state = State::Over(Outcome { result, reason, evidence: None });
        } else if self.max_plies as usize <= self.moves.len() {
            let outcome = Outcome { result: MatchResult::Draw, reason: Reason::MoveCap, evidence: None };
            self.state = State::Over(outcome);
        } else {
            self.state = State::Thinking { side: self.play.side_to_move() };
        }
    }

    fn end_by_rules(&mut self, end: End) {
        self.state = State::Over(Outcome {
            result: MatchResult::of(end.winner),
            reason: Reason::Rules(end.reason),
            evidence: None,
        });
    }

    fn lose(&mut self, side: Side, reason: Reason, evidence: String) {
        let result = MatchResult::of(Some(!side));
        self.state = State::Over(Outcome { result, reason, evidence: Some(evidence) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::{Adjudication, DrawRule, TimeControl, WinRule};

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
        MatchRules { max_plies, adjudication: Adjudication::default() }
    }

    fn mv(text: &str, took: u32) -> Heard {
        Heard::Move { text: text.to_owned(), took: took * MS, info: SearchInfo::default() }
    }

    /// The referee after these answers, when both engines are ready.
    fn after(max_plies: u32, heard: impl IntoIterator<Item = Heard>) -> Referee {
        let mut referee = Referee::new(GAME, OPENING, clocks(), rules(max_plies)).unwrap();
        for heard in [Heard::Ready, Heard::Ready].into_iter().chain(heard) {
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
        let mut referee = Referee::new(GAME, OPENING, clocks(), rules(400)).unwrap();
        assert_eq!(*referee.state(), State::Readying { side: Side::White });
        referee.hear(Heard::Ready);
        assert_eq!(*referee.state(), State::Readying { side: Side::Black });
        referee.hear(Heard::Ready);
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
            (too_late, Reason::Time, "after 121.000ms, 21.000ms too late; the limit was 120.000ms"),
            (Heard::Silence { after: 121 * MS }, Reason::Time, "no move after 121.000ms"),
            (Heard::Exit { how: "ended by signal KILL".into() }, Reason::Crash, "signal KILL"),
            (Heard::Rubbish { what: "a line that is not UTF-8".into() }, Reason::ProtocolError, "UTF-8"),
            (Heard::Ready, Reason::ProtocolError, "readyok"),
        ];
        for (heard, reason, evidence) in cases {
            // White's first move, then Black's. The engine that thinks is at fault, so the other one wins.
            let referee = after(400, [heard.clone()]);
            let (result, found, words) = outcome(&referee);
            assert_eq!((result, found), (MatchResult::BlackWins, reason), "{heard:?}");
            assert!(words.contains(evidence), "{words}");
            let heard = match heard {
                Heard::Move { text, took, info } if text == "c1c2" => {
                    Heard::Move { text: "a7a6".to_owned(), took, info }
                }
                other => other,
            };
            let (result, found, _) = outcome(&after(400, [mv("c1c2", 1), heard]));
            assert_eq!((result, found), (MatchResult::WhiteWins, reason));
        }
    }

    #[test]
    fn every_fault_while_getting_ready_loses() {
        let cases = [
            (Heard::Silence { after: 30_000 * MS }, Reason::StartFailure),
            (Heard::Exit { how: String::new() }, Reason::StartFailure),
            (Heard::Rubbish { what: String::new() }, Reason::StartFailure),
            (Heard::NoStart { why: String::new() }, Reason::StartFailure),
            (mv("c1c2", 1), Reason::ProtocolError),
        ];
        for (heard, reason) in cases {
            let mut referee = Referee::new(GAME, OPENING, clocks(), rules(400)).unwrap();
            referee.hear(heard.clone());
            assert_eq!((outcome(&referee).0, outcome(&referee).1), (MatchResult::BlackWins, reason));
            let mut referee = Referee::new(GAME, OPENING, clocks(), rules(400)).unwrap();
            referee.hear(Heard::Ready);
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
            win: Some(WinRule { score: 500, moves: 1 }),
            draw: Some(DrawRule { score: 5, moves: 1, after_plies: 0 }),
        };
        let rules = MatchRules { max_plies: 2, adjudication };
        let scored = |text: &str, score| Heard::Move {
            text: text.to_owned(),
            took: MS,
            info: SearchInfo { score: Some(score), ..SearchInfo::default() },
        };
        for (white, black, result, reason) in [
            (Score::Centi(500), Score::Loss(4), MatchResult::WhiteWins, Reason::AdjudicatedWin),
            (Score::Centi(-5), Score::Centi(5), MatchResult::Draw, Reason::AdjudicatedDraw),
            (Score::Centi(-5), Score::Centi(6), MatchResult::Draw, Reason::MoveCap),
        ] {
            let mut referee = Referee::new(GAME, OPENING, clocks(), rules).unwrap();
            for heard in [Heard::Ready, Heard::Ready, scored("c1c2", white), scored("a7a6", black)] {
                referee.hear(heard);
            }
            assert_eq!(outcome(&referee), (result, reason, String::new()));
        }
        // The rules take precedence over the engines.
        let opening = "3*3/3C3/7/7/7/7/7 w - - 5 40";
        let mut referee = Referee::new(GAME, opening, clocks(), rules).unwrap();
        for heard in [Heard::Ready, Heard::Ready, scored("d6d7", Score::Loss(1))] {
            referee.hear(heard);
        }
        assert_eq!(outcome(&referee).1, Reason::Rules("goal"));
    }

    #[test]
    fn the_rules_end_a_match_before_the_cap() {
        let opening = "3*3/3C3/7/7/7/7/7 w - - 5 40";
        let mut referee = Referee::new(GAME, opening, clocks(), rules(1)).unwrap();
        for heard in [Heard::Ready, Heard::Ready, mv("d6d7", 1)] {
            referee.hear(heard);
        }
        assert_eq!(outcome(&referee).0, MatchResult::WhiteWins);
        assert_eq!(outcome(&referee).1, Reason::Rules("goal"));
    }

    #[test]
    fn repetition_is_seen_over_the_whole_match() {
        let opening = "1b5/7/7/3*3/7/7/2C4 w - - 5 40";
        let moves = ["c1c2", "b7b6", "c2c1", "b6b7"].repeat(2);
        let mut referee = Referee::new(GAME, opening, clocks(), rules(400)).unwrap();
        for heard in [Heard::Ready, Heard::Ready].into_iter().chain(moves.iter().map(|text| mv(text, 1))) {
            referee.hear(heard);
        }
        assert_eq!(outcome(&referee), (MatchResult::Draw, Reason::Rules("repetition"), String::new()));
    }

    #[test]
    fn the_side_to_move_need_not_alternate() {
        // Tower Push: the player who pushed a piece off the board places it before the opponent moves.
        let opening = "x4/5/2T2/3X1/4x w 0 0 w - 7 30";
        let mut referee = Referee::new(GameId::TOWER_PUSH, opening, clocks(), rules(400)).unwrap();
        for heard in [Heard::Ready, Heard::Ready, mv("d2d1", 5)] {
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
}
