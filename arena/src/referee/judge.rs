//! One match as a state machine without I/O and without a clock. It is told what the awaited engine did, and says
//! which engine to wait for next. The rules decide, never a claim of an engine.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use engine_proto::proto::{Limits, RESIGN, Score};
use engine_proto::{AnyPlay, End, GameId, PlayError, Side};

use super::{Adjudicator, Clock, Verdict};
use crate::tournament::{MatchRules, MoveRecord};
use ratings::MatchResult;

/// A match in progress.
pub struct Referee {
    play: Box<dyn AnyPlay>,
    clocks: [Clock; 2],
    rules: MatchRules,
    adjudicator: Adjudicator,
    /// For each side: whether its last move came with `draw`.
    offers: [bool; 2],
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
        /// What the engine reported about its search, and said with its move.
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

/// What an engine reported about the search for a move, and said with the move.
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
    /// The numbers of the engine's own.
    pub stats: BTreeMap<String, i64>,
    /// The reply that the engine expects.
    pub reply: Option<String>,
    /// Whether it offers a draw, or accepts one.
    pub draw: bool,
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
    /// An engine resigned.
    Resign,
    /// Both engines agreed to a draw.
    Agreement,
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
        Self::Resign,
        Self::Agreement,
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
            Self::Resign => "resign",
            Self::Agreement => "agreement",
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
            Self::Rules(_)
            | Self::MoveCap
            | Self::Resign
            | Self::Agreement
            | Self::AdjudicatedDraw
            | Self::AdjudicatedWin
            | Self::Retired => false,
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
            adjudicator: Adjudicator::new(rules.adjudication),
            offers: [false; 2],
            rules,
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

    /// Whether the opponent of `side` offers a draw.
    pub fn draw_is_offered(&self, side: Side) -> bool {
        self.offers[(!side).index()]
    }

    /// The `position` command and the play after the reply that the engine of `side` expects, if it may ponder on it: the
    /// opponent is to move, and after this legal reply the match goes on with `side` to move.
    pub fn after_reply(&self, side: Side, reply: &str) -> Option<(String, Box<dyn AnyPlay>)> {
        if self.state != (State::Thinking { side: !side })
            || self.rules.max_plies as usize <= self.moves.len() + 1
        {
            return None;
        }
        let mut play = self.play.boxed();
        play.play(reply).ok()?;
        let goes_on = play.end().is_none() && play.side_to_move() == side;
        goes_on.then(|| (format!("{} {reply}", self.position), play))
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
        if text == RESIGN && self.rules.resign {
            let result = MatchResult::of(Some(!side));
            self.state = State::Over(Outcome { result, reason: Reason::Resign, evidence: None });
            return;
        }
        if self.play.play(text).is_err() {
            let shown = engine_proto::fen::shown(text);
            let legal = self.play.legal_moves().join(" ");
            let fen = self.play.fen();
            let not_allowed = if text == RESIGN { " (this tournament has `resign = false`)" } else { "" };
            self.lose(
                side,
                Reason::IllegalMove,
                format!("`{shown}`{not_allowed} is not legal in the position `{fen}`; legal moves: {legal}"),
            );
            return;
        }
        write!(self.position, " {text}").expect("a String takes all");
        self.moves.push(MoveRecord {
            score: info.score.map(|score| score.to_string()),
            depth: info.depth,
            nodes: info.nodes,
            claimed_us: info.time.map(|time| time.as_micros() as u64),
            principal_variation: info.principal_variation.clone(),
            draw: info.draw,
            stats: info.stats.clone(),
            ..MoveRecord::new(text, side.into(), took.as_micros() as u64)
        });
        self.offers[side.index()] = info.draw && self.rules.draw_offers;
        if let Some(end) = self.play.end() {
            self.end_by_rules(end);
        } else if self.offers == [true; 2] {
            let outcome = Outcome { result: MatchResult::Draw, reason: Reason::Agreement, evidence: None };
            self.state = State::Over(outcome);
        } else if let Some(verdict) = self.adjudicator.hear(side, info.score) {
            let (result, reason) = Reason::adjudicated(verdict);
            self.state = State::Over(Outcome { result, reason, evidence: None });
        } else if self.rules.max_plies as usize <= self.moves.len() {
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
        MatchRules::new(max_plies)
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
        let rules = MatchRules { adjudication, ..rules(2) };
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

    /// A move with `draw`.
    fn offer(text: &str) -> Heard {
        let info = SearchInfo { draw: true, ..SearchInfo::default() };
        Heard::Move { text: text.to_owned(), took: MS, info }
    }

    #[test]
    fn who_resigns_loses() {
        for (moves, result) in
            [(vec![], MatchResult::BlackWins), (vec![mv("c1c2", 1)], MatchResult::WhiteWins)]
        {
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
        let mut referee = Referee::new(GAME, OPENING, clocks(), rules).unwrap();
        for heard in [Heard::Ready, Heard::Ready, mv("resign", 1)] {
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
        let mut referee = Referee::new(GAME, OPENING, clocks(), rules).unwrap();
        for heard in [Heard::Ready, Heard::Ready, offer("c1c2"), offer("a7a6")] {
            referee.hear(heard);
        }
        assert_eq!(*referee.state(), State::Thinking { side: Side::White });
        assert!(!Side::ALL.into_iter().any(|side| referee.draw_is_offered(side)));
        assert!(referee.moves().iter().all(|mv| mv.draw), "they are recorded");
    }

    #[test]
    fn rules_before_agreement_before_scores_before_the_cap() {
        let opening = "3*3/3C3/7/7/7/7/6a b - - 5 40";
        let mut referee = Referee::new(GAME, opening, clocks(), rules(400)).unwrap();
        for heard in [Heard::Ready, Heard::Ready, offer("g1g2"), offer("d6d7")] {
            referee.hear(heard);
        }
        assert_eq!(outcome(&referee).1, Reason::Rules("goal"));
        let draw = Some(DrawRule { score: 5, moves: 1, after_plies: 0 });
        let rules = MatchRules { adjudication: Adjudication { draw, win: None }, ..rules(2) };
        let scored = |text: &str| Heard::Move {
            text: text.to_owned(),
            took: MS,
            info: SearchInfo { score: Some(Score::Centi(0)), draw: true, ..SearchInfo::default() },
        };
        let mut referee = Referee::new(GAME, OPENING, clocks(), rules).unwrap();
        for heard in [Heard::Ready, Heard::Ready, scored("c1c2"), scored("a7a6")] {
            referee.hear(heard);
        }
        assert_eq!(outcome(&referee).1, Reason::Agreement);
    }

    #[test]
    fn the_second_move_of_a_turn_takes_an_offer_back() {
        // Tower Push: the player who pushed a piece off the board places it before the opponent moves.
        let opening = "x4/5/2T2/3X1/4x w 0 0 w - 7 30";
        let mut referee = Referee::new(GameId::TOWER_PUSH, opening, clocks(), rules(400)).unwrap();
        for heard in [Heard::Ready, Heard::Ready, offer("d2d1")] {
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
        assert!(
            after(2, [mv("c1c2", 1)]).after_reply(Side::White, "a7a6").is_none(),
            "the reply ends the match"
        );
        // A reply that ends the game, or after which the opponent moves again.
        let opening = "7/7/7/7/7/3c3/A2*3 w - - 3 20";
        let mut referee = Referee::new(GAME, opening, clocks(), rules(400)).unwrap();
        for heard in [Heard::Ready, Heard::Ready, mv("a1a2", 1)] {
            referee.hear(heard);
        }
        assert!(referee.play().legal_moves().contains(&"d2d1".to_owned()));
        assert!(referee.after_reply(Side::White, "d2d1").is_none());
        let opening = "x4/5/2T2/3X1/4x w 0 0 w - 7 30";
        let mut referee = Referee::new(GameId::TOWER_PUSH, opening, clocks(), rules(400)).unwrap();
        for heard in [Heard::Ready, Heard::Ready] {
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
