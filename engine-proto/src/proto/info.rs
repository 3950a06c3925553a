//! The line `info`: what an engine reports about its search. It is never an error: what cannot be parsed is left out.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::words::{signed, split_before, split_word, unsigned, unsigned32, write_text, write_words};
use super::{LineError, Words};
use games::Side;

/// A score from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of the engine's own unit.
    Centi(i32),
    /// The side to move wins in this number of moves.
    Win(u32),
    /// The side to move loses in this number of moves.
    Loss(u32),
}

/// An `info` line to be written, with owned texts. Fields that are `None` or empty are not written.
pub type Info = InfoOf<Vec<String>, String>;

/// An `info` line that was read, with texts borrowed from the line.
pub type InfoLine<'a> = InfoOf<Words<'a>, &'a str>;

/// An `info` line, [`Info`] or [`InfoLine`]. Fields that are `None` or empty are not written.
///
/// `Display` writes the whole line, `info` included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InfoOf<Moves, Text> {
    /// Depth reached, in plies.
    pub depth: Option<u32>,
    /// The depth of the deepest line, in plies.
    pub seldepth: Option<u32>,
    /// The number of this line if there are several, from 1.
    pub multipv: Option<u32>,
    /// The score.
    pub score: Option<Score>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions searched per second.
    pub nps: Option<u64>,
    /// Time since `go`, in whole milliseconds on the wire.
    pub time: Option<Duration>,
    /// How full the hash table is, in thousandths.
    pub hashfull: Option<u32>,
    /// A number of the engine's own.
    pub stat: Option<Stat<Text>>,
    /// The principal variation; the next move comes first.
    pub pv: Moves,
    /// Free text.
    pub string: Option<Text>,
}

/// A number of the engine's own, for its author's statistics. The arena keeps the last value of each key per move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat<Text> {
    /// Its name: one word of at most [`LONGEST_STAT_KEY`] characters.
    pub key: Text,
    /// Its value.
    pub value: i64,
}

/// The maximum length of the key of a [`Stat`], in characters.
pub const LONGEST_STAT_KEY: usize = 32;
/// The maximum number of different keys of [`Stat`]s per move.
pub const MOST_STATS: usize = 16;

impl<'a> InfoLine<'a> {
    /// A line of free text.
    pub fn text(text: &'a str) -> Self {
        Self { string: Some(text.trim_ascii()), ..Self::default() }
    }

    /// Parses the words after `info`. Unknown keys and invalid values are skipped; if a key occurs twice, the last one
    /// counts. The moves of `pv` end at the next key; `string` takes the rest of the line.
    pub(super) fn parse(mut text: &'a str) -> Self {
        let mut info = Self::default();
        loop {
            let (key, rest) = split_word(text);
            if !is_key(key) {
                if key.is_empty() {
                    return info;
                }
                text = rest;
                continue;
            }
            if key == "string" {
                info.string = Some(rest.trim_ascii());
                return info;
            }
            if key == "pv" {
                let (moves, after) = split_before(rest, is_key);
                info.pv = Words::new(moves);
                text = after;
                continue;
            }
            let (value, after) = split_word(rest);
            text = rest;
            let is_read = match key {
                "depth" => set(&mut info.depth, unsigned32(value)),
                "seldepth" => set(&mut info.seldepth, unsigned32(value)),
                "multipv" => set(&mut info.multipv, unsigned32(value)),
                "nodes" => set(&mut info.nodes, unsigned(value)),
                "nps" => set(&mut info.nps, unsigned(value)),
                "time" => set(&mut info.time, unsigned(value).map(Duration::from_millis)),
                "hashfull" => set(&mut info.hashfull, unsigned32(value)),
                "stat" => {
                    let (number, after_number) = split_word(after);
                    if set(&mut info.stat, Stat::parse(value, number)) {
                        text = after_number;
                    }
                    continue;
                }
                _score => {
                    let (number, after_number) = split_word(after);
                    if set(&mut info.score, Score::parse(value, number)) {
                        text = after_number;
                    }
                    continue;
                }
            };
            if is_read {
                text = after;
            }
        }
    }
}

impl From<&InfoLine<'_>> for Info {
    fn from(line: &InfoLine<'_>) -> Self {
        Self {
            depth: line.depth,
            seldepth: line.seldepth,
            multipv: line.multipv,
            score: line.score,
            nodes: line.nodes,
            nps: line.nps,
            time: line.time,
            hashfull: line.hashfull,
            stat: line.stat.map(|stat| Stat { key: stat.key.to_owned(), value: stat.value }),
            pv: line.pv.iter().map(ToOwned::to_owned).collect(),
            string: line.string.map(ToOwned::to_owned),
        }
    }
}

impl<Moves, Text> fmt::Display for InfoOf<Moves, Text>
where
    for<'m> &'m Moves: IntoIterator<Item: fmt::Display>,
    Text: AsRef<str>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        write_number(f, "depth", self.depth)?;
        write_number(f, "seldepth", self.seldepth)?;
        write_number(f, "multipv", self.multipv)?;
        write_number(f, "score", self.score)?;
        write_number(f, "nodes", self.nodes)?;
        write_number(f, "nps", self.nps)?;
        write_number(f, "time", self.time.map(|time| time.as_millis()))?;
        write_number(f, "hashfull", self.hashfull)?;
        if let Some(Stat { key, value }) = &self.stat {
            write!(f, " stat {} {value}", key.as_ref())?;
        }
        let mut moves = (&self.pv).into_iter().peekable();
        if moves.peek().is_some() {
            f.write_str(" pv")?;
            write_words(f, moves)?;
        }
        if let Some(string) = &self.string {
            f.write_str(" string")?;
            write_text(f, string.as_ref())?;
        }
        Ok(())
    }
}

impl<'a> Stat<&'a str> {
    /// Parses the two words after `stat`.
    fn parse(key: &'a str, number: &str) -> Option<Self> {
        let is_key = !key.is_empty() && key.chars().count() <= LONGEST_STAT_KEY;
        Some(Self { key: is_key.then_some(key)?, value: signed(number)? })
    }
}

impl Score {
    /// A score of `side` from White's view, and one from White's view as `side` sees it.
    #[must_use]
    pub const fn for_white(self, side: Side) -> Self {
        match (side, self) {
            (Side::White, score) => score,
            (Side::Black, Self::Centi(n)) => Self::Centi(n.saturating_neg()),
            (Side::Black, Self::Win(n)) => Self::Loss(n),
            (Side::Black, Self::Loss(n)) => Self::Win(n),
        }
    }

    /// Parses the two words after `score`. Also accepts UCI's `mate`, which counts the moves of the side that wins, of which the last
    /// one ends the game; `mate 0` is a loss of the side to move.
    fn parse(unit: &str, number: &str) -> Option<Self> {
        match unit {
            "cp" => {
                let centi = signed(number)?.clamp(i32::MIN.into(), i32::MAX.into());
                Some(Self::Centi(centi as i32))
            }
            "win" => unsigned32(number).map(Self::Win),
            "loss" => unsigned32(number).map(Self::Loss),
            "mate" => {
                let moves = signed(number)?;
                let both = u32::try_from(moves.unsigned_abs()).unwrap_or(u32::MAX).saturating_mul(2);
                Some(if moves > 0 { Self::Win(both - 1) } else { Self::Loss(both) })
            }
            _ => None,
        }
    }
}

impl FromStr for Score {
    type Err = LineError;

    /// Parses the words after `score`, as written by `Display`.
    fn from_str(text: &str) -> Result<Self, LineError> {
        let (unit, rest) = split_word(text);
        let (number, rest) = split_word(rest);
        Self::parse(unit, number)
            .filter(|_| rest.trim_ascii().is_empty())
            .ok_or(LineError::malformed("score", "not `cp`, `win` or `loss` with a number"))
    }
}

impl fmt::Display for Score {
    /// Writes the words after `score`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centi(centi) => write!(f, "cp {centi}"),
            Self::Win(moves) => write!(f, "win {moves}"),
            Self::Loss(moves) => write!(f, "loss {moves}"),
        }
    }
}

fn is_key(word: &str) -> bool {
    matches!(
        word,
        "depth"
            | "seldepth"
            | "multipv"
            | "score"
            | "nodes"
            | "nps"
            | "time"
            | "hashfull"
            | "stat"
            | "pv"
            | "string"
    )
}

/// Sets a field if its value is valid.
fn set<T>(field: &mut Option<T>, value: Option<T>) -> bool {
    let is_read = value.is_some();
    if is_read {
        *field = value;
    }
    is_read
}

fn write_number(f: &mut fmt::Formatter<'_>, key: &str, number: Option<impl fmt::Display>) -> fmt::Result {
    number.map_or(Ok(()), |number| write!(f, " {key} {number}"))
}
