//! The rules of a game of the user: the processes of its referee program, what they have answered, and whether they failed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use engine_proto::fen::shown;
use engine_proto::{FenError, GameInfo};
use serde::Deserialize;

use super::NamedBy;
use super::answer::{self, Known, Wrong};
use super::hand::Hand;
use super::info;
use model::{RefereeInfo, RefereeProgram, RefereeStart};

/// How often a question is asked again after its process failed.
const ATTEMPTS: u32 = 3;
/// The number of answers that are remembered.
const MOST_ANSWERS: usize = 20_000;
/// The first positions, this number, and one of this number of later ones are asked about a second time, by their FENs alone:
/// the answers must agree.
const CHECKED: u64 = 64;
/// The number of reasons of a game that does not list them.
const MOST_REASONS: usize = 64;

/// Rules that are a program.
pub struct Rules {
    info: &'static GameInfo,
    program: RefereeProgram,
    /// Processes that wait for a question.
    idle: Mutex<Vec<Hand>>,
    answers: Mutex<HashMap<String, Arc<Known>>>,
    /// The reasons that the program has given, if it does not list them.
    reasons: Mutex<Vec<&'static str>>,
    n_positions: AtomicU64,
    /// Whether the program may be run.
    may_run: bool,
    failure: OnceLock<String>,
}

impl Rules {
    /// The rules of the game `id`. The program is asked about itself, unless that is known.
    ///
    /// # Errors
    /// If it does not answer as it should, in words.
    pub fn new(id: &str, mut program: RefereeProgram, named_by: NamedBy) -> Result<Self, String> {
        let mut idle = Vec::new();
        if program.info.starts.is_empty() && named_by == NamedBy::User {
            let hand = Hand::start(id, &program)?;
            program.info = ask_about_itself(&hand)?;
            idle.push(hand);
        }
        Ok(Self {
            info: info::constants(id, &program.info),
            program,
            idle: Mutex::new(idle),
            answers: Mutex::new(HashMap::new()),
            reasons: Mutex::new(Vec::new()),
            n_positions: AtomicU64::new(0),
            may_run: named_by == NamedBy::User,
            failure: OnceLock::new(),
        })
    }

    /// The game's id.
    const fn id(&self) -> &'static str {
        self.info.id
    }

    /// The constants of the game.
    pub const fn constants(&self) -> &'static GameInfo {
        self.info
    }

    /// The program, with what it said of itself.
    pub const fn program(&self) -> &RefereeProgram {
        &self.program
    }

    /// Why the program can no longer be used; `None` if it can.
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// The position with this FEN.
    ///
    /// # Errors
    /// If the program refuses it, or fails.
    pub fn position(&self, fen: &str) -> Result<Arc<Known>, FenError> {
        let is_line = !fen.contains(['\n', '\r']) && !fen.contains(" moves");
        if !is_line {
            return Err(FenError::new("fen", "a FEN is one line without the word `moves`"));
        }
        if let Some(known) = self.remembered(fen) {
            return Ok(known);
        }
        let line = self.ask(&[fen.to_owned()])?.remove(0);
        let known = match answer::read(&line, |reason| self.reason(reason)) {
            Ok(known) if known.fen == fen => Arc::new(known),
            Ok(known) => {
                let what = format!("it answered with the position `{}`", shown(&known.fen));
                return Err(self.fail(fen, &line, &what));
            }
            Err(Wrong::Question(error)) => return Err(error),
            Err(Wrong::Answer(what)) => return Err(self.fail(fen, &line, &what)),
        };
        self.remember(fen, &known);
        Ok(known)
    }

    /// The positions after each of these legal moves of a position.
    ///
    /// # Errors
    /// If the program fails.
    pub fn after(&self, known: &Known, moves: &[String]) -> Result<Vec<Arc<Known>>, FenError> {
        let questions: Vec<String> = moves.iter().map(|mv| format!("{} moves {mv}", known.fen)).collect();
        let mut found: Vec<Option<Arc<Known>>> =
            questions.iter().map(|question| self.remembered(question)).collect();
        let missing: Vec<usize> = (0..found.len()).filter(|&idx| found[idx].is_none()).collect();
        if !missing.is_empty() {
            let asked: Vec<String> = missing.iter().map(|&idx| questions[idx].clone()).collect();
            for (idx, line) in missing.into_iter().zip(self.ask(&asked)?) {
                let question = &questions[idx];
                let next = match answer::read(&line, |reason| self.reason(reason)) {
                    Ok(next) => Arc::new(next),
                    Err(Wrong::Question(error)) => {
                        let what = format!("it refuses a move that it lists as legal: {}", error.reason);
                        return Err(self.fail(question, &line, &what));
                    }
                    Err(Wrong::Answer(what)) => return Err(self.fail(question, &line, &what)),
                };
                if next.ply() != known.ply() + 1 {
                    let what = format!(
                        "the last field of the FEN counts {} moves instead of {}",
                        next.ply(),
                        known.ply() + 1
                    );
                    return Err(self.fail(question, &line, &what));
                }
                self.compare(&next)?;
                self.remember(question, &next);
                found[idx] = Some(next);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// The program can no longer be used. Returns the error for the caller.
    fn fail(&self, question: &str, answer: &str, what: &str) -> FenError {
        let text = format!(
            "the referee program of `{}` gave a wrong answer: {what}; the line `{}` was answered with `{}`",
            self.id(),
            shown(question),
            shown(answer)
        );
        self.give_up(text)
    }

    fn give_up(&self, text: String) -> FenError {
        FenError::new("referee", self.failure.get_or_init(|| text).clone())
    }

    /// From time to time, asks about a position once more: two answers about one position must agree.
    fn compare(&self, known: &Known) -> Result<(), FenError> {
        let n_before = self.n_positions.fetch_add(1, Ordering::Relaxed);
        if CHECKED <= n_before && !n_before.is_multiple_of(CHECKED) {
            return Ok(());
        }
        let line = self.ask(std::slice::from_ref(&known.fen))?.remove(0);
        let again = match answer::read(&line, |reason| self.reason(reason)) {
            Ok(again) => again,
            Err(Wrong::Question(error)) => {
                let what = format!("it refuses a position that it reached itself: {}", error.reason);
                return Err(self.fail(&known.fen, &line, &what));
            }
            Err(Wrong::Answer(what)) => return Err(self.fail(&known.fen, &line, &what)),
        };
        let what = if again.fen != known.fen {
            format!("it calls the position `{}`", shown(&again.fen))
        } else if again.legal != known.legal {
            let moves = answer::difference(&again.legal, &known.legal);
            format!("its answers about one position differ in the legal moves {moves}")
        } else if again.end != known.end {
            "its answers about one position differ in the end of the game".to_owned()
        } else {
            return Ok(());
        };
        Err(self.fail(&known.fen, &line, &what))
    }

    /// The answers to these questions. A process that fails is replaced, and the questions are asked again: they do not
    /// depend on each other.
    fn ask(&self, questions: &[String]) -> Result<Vec<String>, FenError> {
        if let Some(failure) = self.failure.get() {
            return Err(FenError::new("referee", failure.clone()));
        }
        if !self.may_run {
            let (id, command) = (self.id(), self.program.command.join(" "));
            return Err(self.give_up(format!(
                "the rules of `{id}` are a program that the results folder names; to run it, add `--referee \"{id}={}\"`",
                shown(&command)
            )));
        }
        let mut last = String::new();
        for _ in 0..ATTEMPTS {
            let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let hand = match idle.map_or_else(|| Hand::start(self.id(), &self.program), Ok) {
                Ok(hand) => hand,
                Err(error) => {
                    last = error;
                    continue;
                }
            };
            match hand.ask(questions.to_vec()) {
                Ok(answers) => {
                    self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(hand);
                    return Ok(answers);
                }
                Err(error) => last = error,
            }
        }
        let id = self.id();
        Err(self.give_up(format!("the referee program of `{id}` failed {ATTEMPTS} times in a row: {last}")))
    }

    fn remembered(&self, question: &str) -> Option<Arc<Known>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(question).cloned()
    }

    fn remember(&self, question: &str, known: &Arc<Known>) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if MOST_ANSWERS <= answers.len() {
            answers.clear();
        }
        answers.insert(question.to_owned(), Arc::clone(known));
    }

    /// The static text of a reason of the game.
    fn reason(&self, text: &str) -> Option<&'static str> {
        const OF_ALL_GAMES: [&str; 2] = ["repetition", "quiet"];
        let listed = self.info.reasons.iter().chain(&OF_ALL_GAMES).copied().find(|reason| *reason == text);
        if listed.is_some() || !self.info.reasons.is_empty() {
            return listed;
        }
        let is_word = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') && !text.is_empty();
        let mut reasons = self.reasons.lock().unwrap_or_else(PoisonError::into_inner);
        let known = reasons.iter().copied().find(|reason| *reason == text);
        if known.is_none() && is_word && text.len() <= 32 && reasons.len() < MOST_REASONS {
            reasons.push(String::leak(text.to_owned()));
            return reasons.last().copied();
        }
        known
    }
}

/// What the program says about the game. Without an answer to `info`, the start is its answer to `startpos`.
fn ask_about_itself(hand: &Hand) -> Result<RefereeInfo, String> {
    #[derive(Deserialize)]
    struct Start {
        fen: Option<String>,
    }
    let answers = hand.ask(vec!["info".to_owned(), "startpos".to_owned()])?;
    let [about, start] = answers.as_slice() else { return Err("two answers were expected".to_owned()) };
    let mut info: RefereeInfo = match serde_json::from_str::<serde_json::Value>(about) {
        Ok(value) if value.get("error").is_some() => RefereeInfo::default(),
        Ok(value) => serde_json::from_value(value)
            .map_err(|error| format!("its answer to `info` is wrong: {error}: `{}`", shown(about)))?,
        Err(error) => return Err(format!("its answer to `info` is not JSON: {error}: `{}`", shown(about))),
    };
    if info.starts.is_empty() {
        let start = serde_json::from_str::<Start>(start).ok().and_then(|start| start.fen);
        let fen = start.ok_or_else(|| {
            format!("neither `info` nor `startpos` gives a start position: `{}`", shown(&answers[1]))
        })?;
        info.starts.push(RefereeStart { name: "default".to_owned(), fen });
    }
    if let Some(wrong) = info.reasons.iter().find(|reason| reason.contains(char::is_whitespace)) {
        return Err(format!("the reason `{}` is not one word", shown(wrong)));
    }
    Ok(info)
}
