//! A finished pair: the input of stop rules and of the adaptive schedule.

use model::Record;
use ratings::MatchResult;
use ratings::{EngineResult, FinishedMatch, PairOutcome, Tally};

/// A pair whose two matches are finished.
#[derive(Clone, Copy, Debug)]
pub struct FinishedPair<'a> {
    /// Its number, from 1.
    pub number: u32,
    /// The game's id.
    pub game: &'a str,
    /// The engines' names; the first one is White in the first match.
    pub engines: [&'a str; 2],
    /// Both matches in order.
    pub matches: [MatchSummary; 2],
}

/// Summary of a finished match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchSummary {
    /// Who won.
    pub result: MatchResult,
    /// The number of moves played.
    pub plies: u32,
    /// The time of all moves, in milliseconds.
    pub time_ms: u64,
    /// Whether it was not played because neither engine took part. A table of points still counts it as a draw.
    pub is_void: bool,
}

impl From<&Record> for MatchSummary {
    fn from(record: &Record) -> Self {
        Self {
            result: record.result,
            plies: record.plies,
            time_ms: record.white_ms.saturating_add(record.black_ms),
            is_void: record.is_void(),
        }
    }
}

impl FinishedPair<'_> {
    /// Whether a match of it was not played because neither engine took part.
    pub fn is_void(&self) -> bool {
        self.matches.iter().any(|summary| summary.is_void)
    }

    /// Adds both matches to a tally, unless they are void.
    pub fn tell(&self, tally: &mut Tally) {
        let [first, second] = self.engines;
        let pair = self.number.to_string();
        let matches = [(first, second, self.matches[0]), (second, first, self.matches[1])];
        for (white, black, summary) in matches.into_iter().filter(|(.., summary)| !summary.is_void) {
            let played = FinishedMatch {
                pair: Some(&pair),
                ..FinishedMatch::new(self.game, white, black, summary.result)
            };
            tally.add(&played).expect("a schedule pairs different engines");
        }
    }

    /// The outcome for this engine, which is one of the two.
    pub fn outcome_of(&self, engine: &str) -> PairOutcome {
        let as_white = match self.matches[0].result {
            MatchResult::WhiteWins => EngineResult::Win,
            MatchResult::Draw => EngineResult::Draw,
            MatchResult::BlackWins => EngineResult::Loss,
        };
        let as_black = match self.matches[1].result {
            MatchResult::WhiteWins => EngineResult::Loss,
            MatchResult::Draw => EngineResult::Draw,
            MatchResult::BlackWins => EngineResult::Win,
        };
        // These are the results of the engine that is White in the first match.
        if engine == self.engines[0] {
            PairOutcome::of(as_white, as_black)
        } else {
            PairOutcome::of(as_white.swapped(), as_black.swapped())
        }
    }
}
