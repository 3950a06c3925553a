//! One match as a state machine without I/O and without a clock. It is told what the awaited engine did, and says
//! which engine to wait for next. The rules decide, never a claim of an engine.

use std::collections::BTreeMap;
use std::time::Duration;

use engine_proto::proto::{Limits, RESIGN, Score};
use engine_proto::{AnyPlay, End, GameId, Games, PlayError, Side};

use super::{Adjudicator, Clock, Outcome, Reason};
use crate::{MatchRules, MoveRecord};
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
pub enum Response {
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
    /// Its opponent, a person, gave up while it thought.
    Conceded,
    /// It computed while it was not on the move.
    OffTurn {
        /// The processor time that it used, in words.
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

impl Referee {
    /// A match of one of these `games` that starts from the position `opening`, with the clocks of White and Black, and these rules.
    ///
    /// # Errors
    /// If `opening` is not a FEN of the game.
    pub fn new(
        games: &Games,
        game: GameId,
        opening: &str,
        clocks: [Clock; 2],
        rules: MatchRules,
    ) -> Result<Self, PlayError> {
        let play = games.play(game, opening)?;
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

    /// The same, when the match is over.
    pub fn into_moves(self) -> Vec<MoveRecord> {
        self.moves
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
    pub fn hear(&mut self, heard: Response) {
        match (self.state.clone(), heard) {
            (State::Readying { side: Side::White }, Response::Ready) => {
                self.state = State::Readying { side: Side::Black };
            }
            (State::Readying { side: Side::Black }, Response::Ready) => {
                self.state = State::Thinking { side: self.play.side_to_move() };
            }
            (State::Readying { side }, Response::Silence { after }) => {
                self.lose(side, Reason::StartFailure, format!("no `readyok` within {after:.1?}"));
            }
            (State::Readying { side } | State::Thinking { side }, Response::NoStart { why })
            | (State::Readying { side }, Response::Exit { how: why } | Response::Rubbish { what: why }) => {
                self.lose(side, Reason::StartFailure, why);
            }
            (State::Readying { side }, Response::Move { text, .. }) => {
                let text = engine_proto::fen::shown(&text);
                self.lose(side, Reason::ProtocolError, format!("`bestmove {text}` came before the match"));
            }
            (State::Thinking { side }, Response::Move { text, took, info }) => {
                self.hear_move(side, text, took, info);
            }
            (State::Thinking { side }, Response::Silence { after }) => {
                let clock = &mut self.clocks[side.index()];
                let limit = limit_in_words(clock);
                let _ = clock.spend(after);
                self.lose(side, Reason::Time, format!("no move after {after:.3?}; {limit}"));
            }
            (State::Thinking { side }, Response::Exit { how }) => self.lose(side, Reason::Crash, how),
            (State::Thinking { side }, Response::Rubbish { what }) => {
                self.lose(side, Reason::ProtocolError, what);
            }
            (State::Readying { side } | State::Thinking { side }, Response::Conceded) => {
                let result = MatchResult::of(Some(side));
                self.state = State::Over(Outcome { result, reason: Reason::Resign, evidence: None });
            }
            (State::Readying { side } | State::Thinking { side }, Response::OffTurn { what }) => {
                self.lose(side, Reason::OffTurn, what);
            }
            (State::Thinking { side }, Response::Ready) => {
                self.lose(side, Reason::ProtocolError, "`readyok` instead of a move".to_owned());
            }
            (State::Over(outcome), heard) => panic!("heard {heard:?} in a match that is over: {outcome:?}"),
        }
    }

    fn hear_move(&mut self, side: Side, text: String, took: Duration, info: SearchInfo) {
        let clock = &mut self.clocks[side.index()];
        if clock.spend(took).is_err() {
            // A late move changes nothing of the limit.
            let limit = limit_in_words(clock);
            self.lose(side, Reason::Time, format!("`bestmove` came after {took:.3?}; {limit}"));
            return;
        }
        if text == RESIGN && self.rules.resign {
            let result = MatchResult::of(Some(!side));
            self.state = State::Over(Outcome { result, reason: Reason::Resign, evidence: None });
            return;
        }
        if self.play.play(&text).is_err() {
            let shown = engine_proto::fen::shown(&text);
            let legal = self.play.legal_moves().join(" ");
            let fen = self.play.fen();
            let own = |record: &&MoveRecord| record.side == side.into();
            let before = self.moves.iter().rev().find(own).map(|record| record.mv.as_str());
            let why = match text.as_str() {
                RESIGN => " (this tournament has `resign = false`)",
                _ if before == Some(text.as_str()) => " (its move before; was `bestmove` written twice?)",
                _ => "",
            };
            self.lose(
                side,
                Reason::IllegalMove,
                format!("`{shown}`{why} is not legal in the position `{fen}`; legal moves: {legal}"),
            );
            return;
        }
        self.position.push(' ');
        self.position.push_str(&text);
        self.moves.push(MoveRecord {
            score: info.score.map(|score| score.to_string()),
            depth: info.depth,
            nodes: info.nodes,
            claimed_us: info.time.map(|time| time.as_micros() as u64),
            principal_variation: info.principal_variation,
            draw: info.draw,
            stats: info.stats,
            ..MoveRecord::new(text, side.into(), took.as_micros() as u64)
        });
        self.adjudicator.look_at(self.play.as_ref());
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

fn limit_in_words(clock: &Clock) -> String {
    let (allowed, margin) = (clock.allowed(), clock.margin());
    let part =
        if margin.is_zero() { String::new() } else { format!(", of which {margin:.3?} are the margin") };
    format!("the limit was {allowed:.3?}{part}")
}
