//! What the FENs of all games have in common: fields, ranks with runs of empty squares, counters, the error. A text is
//! canonical, or it is rejected; nothing is repaired.

use std::fmt;

use crate::Side;

/// Why a text is not a FEN: the wrong field and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenError {
    /// The name of the field, as on the game's rules page; `fen` if the number of fields is wrong.
    pub field: &'static str,
    /// What is wrong with it.
    pub reason: String,
}

impl FenError {
    /// An error in `field`.
    pub fn new(field: &'static str, reason: impl Into<String>) -> Self {
        Self { field, reason: reason.into() }
    }

    /// The error for a side with this number of kings, which is not one.
    pub fn kings(side: Side, n: u32) -> Self {
        let number = if n == 0 { "no king".to_owned() } else { format!("{n} kings") };
        Self::new("board", format!("{side} has {number}"))
    }

    /// The same with an example, if the text does not look like a FEN at all.
    pub(crate) fn with_example(mut self, fen: &str) -> Self {
        if self.field == "fen" {
            self.reason.push_str(&format!("; for example: `{fen}`"));
        }
        self
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, reason } = self;
        match *field {
            "fen" => write!(f, "this is not a FEN: {reason}"),
            "board" => write!(f, "the board is wrong: {reason}"),
            // Rules that are a program say themselves what is wrong.
            "referee" => f.write_str(reason),
            field => write!(f, "the field `{field}` of the FEN is wrong: {reason}"),
        }
    }
}

impl std::error::Error for FenError {}

/// The largest value of a counter: 9 digits.
pub const COUNTER_MAX: u32 = 999_999_999;

/// A counter after one more move. It stops at the largest number that a FEN can have, so that the printed FEN can be
/// read again.
pub const fn one_more(count: u32) -> u32 {
    if count < COUNTER_MAX { count + 1 } else { COUNTER_MAX }
}

/// The counters of a position: the last two fields of most FENs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counters {
    /// The number of moves since the last progress.
    pub quiet: u32,
    /// The number of moves since the start of the game.
    pub ply: u32,
}

impl Counters {
    /// Reads the fields `quiet` and `ply`.
    ///
    /// # Errors
    /// See [`counter`].
    pub fn read(quiet: &str, ply: &str) -> Result<Self, FenError> {
        Ok(Self { quiet: counter("quiet", quiet)?, ply: counter("ply", ply)? })
    }

    /// Counts a move, which may be progress.
    pub const fn count(&mut self, is_progress: bool) {
        self.quiet = if is_progress { 0 } else { one_more(self.quiet) };
        self.ply = one_more(self.ply);
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.quiet, self.ply)
    }
}

/// Splits a FEN into its `N` fields at single spaces.
///
/// # Errors
/// In field `fen`, if there are not exactly `N` fields.
pub fn fields<const N: usize>(text: &str) -> Result<[&str; N], FenError> {
    let mut found = [""; N];
    let mut n_found = 0;
    for field in text.split(' ') {
        if n_found < N {
            found[n_found] = field;
        }
        n_found += 1;
    }
    if n_found != N {
        return Err(FenError::new(
            "fen",
            format!("it needs {N} fields, separated by single spaces, and has {n_found}"),
        ));
    }
    if found.contains(&"") {
        return Err(FenError::new("fen", "it has two spaces in a row, or a space at an end"));
    }
    Ok(found)
}

/// The error for a board with `n_ranks` ranks.
pub fn wrong_ranks(n_ranks: usize, expected: impl fmt::Display) -> String {
    let ranks = if n_ranks == 1 { "rank" } else { "ranks" };
    format!("it has {n_ranks} {ranks} instead of {expected}")
}

/// Reads the field `side`.
///
/// # Errors
/// In field `side`, if it is not `w` or `b`.
pub fn side(text: &str) -> Result<Side, FenError> {
    Side::from_letter(text)
        .ok_or_else(|| FenError::new("side", format!("`{}` is not `w` or `b`", shown(text))))
}

/// Reads a counter: decimal, without sign or leading zero, at most 9 digits.
///
/// # Errors
/// In `field`, if it has another form.
pub fn counter(field: &'static str, text: &str) -> Result<u32, FenError> {
    let canonical = !text.is_empty()
        && text.len() <= 9
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    match text.parse() {
        Ok(number) if canonical => Ok(number),
        _ => Err(FenError::new(
            field,
            format!("`{}` is not a whole number of at most 9 digits without leading zeros", shown(text)),
        )),
    }
}

/// One item of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A run of empty squares; the number is at least 1.
    Empty(u8),
    /// Any other character.
    Sign(char),
}

/// The items of one rank, in order. Consecutive digits form one run.
///
/// # Errors
/// In field `board`, on a run of length 0, with a leading zero, or of more than two digits.
pub fn rank_items(rank: &str) -> Result<Vec<Item>, FenError> {
    let mut items = Vec::with_capacity(rank.len());
    let mut chars = rank.chars().peekable();
    while let Some(c) = chars.next() {
        let Some(first) = c.to_digit(10) else {
            items.push(Item::Sign(c));
            continue;
        };
        let mut run = first;
        while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
            chars.next();
            run = run * 10 + digit;
            if first == 0 || run > 99 {
                return Err(FenError::new(
                    "board",
                    format!("in `{}`, one number must stand for each run of empty squares", shown(rank)),
                ));
            }
        }
        if run == 0 {
            return Err(FenError::new("board", format!("a run of 0 empty squares in `{}`", shown(rank))));
        }
        items.push(Item::Empty(run as u8));
    }
    Ok(items)
}

/// Reads a board on which every square has one sign. `widths` are the widths of the ranks, starting with the top rank.
/// `put(row, column, sign)` is called for every square that is not empty; rows count from the top, columns from the
/// left, both from 0.
///
/// # Errors
/// In field `board`: for a wrong number of ranks, a wrong width, a bad run; and the errors of `put`.
pub fn board(
    text: &str,
    widths: &[u8],
    mut put: impl FnMut(u8, u8, char) -> Result<(), FenError>,
) -> Result<(), FenError> {
    let n_ranks = text.split('/').count();
    if n_ranks != widths.len() {
        return Err(FenError::new("board", wrong_ranks(n_ranks, widths.len())));
    }
    for (row, (rank, &width)) in text.split('/').zip(widths).enumerate() {
        let mut column = 0_u32;
        for item in rank_items(rank)? {
            let squares = match item {
                Item::Empty(run) => u32::from(run),
                Item::Sign(_) => 1,
            };
            if column + squares > u32::from(width) {
                return Err(FenError::new(
                    "board",
                    format!("rank `{}` has more than {width} squares", shown(rank)),
                ));
            }
            if let Item::Sign(sign) = item {
                put(row as u8, column as u8, sign)?;
            }
            column += squares;
        }
        if column != u32::from(width) {
            return Err(FenError::new(
                "board",
                format!("rank `{}` has {column} squares instead of {width}", shown(rank)),
            ));
        }
    }
    Ok(())
}

/// The error for an unknown character.
pub fn unknown_sign(sign: char) -> FenError {
    FenError::new("board", format!("unknown character `{}`", shown(&sign.to_string())))
}

/// Writes a board: `square(row, column)` is the text of each square; `None` if it is empty.
///
/// # Errors
/// The errors of the formatter.
pub fn write_board<T: fmt::Display>(
    f: &mut impl fmt::Write,
    widths: &[u8],
    mut square: impl FnMut(u8, u8) -> Option<T>,
) -> fmt::Result {
    for (row, &width) in widths.iter().enumerate() {
        if row > 0 {
            f.write_char('/')?;
        }
        let mut run = 0;
        for column in 0..width {
            match square(row as u8, column) {
                None => run += 1,
                Some(text) => {
                    if run > 0 {
                        write!(f, "{run}")?;
                        run = 0;
                    }
                    write!(f, "{text}")?;
                }
            }
        }
        if run > 0 {
            write!(f, "{run}")?;
        }
    }
    Ok(())
}

/// A text for a message: control characters are escaped, and it is cut after 60 characters.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown = String::new();
    for sign in text.chars().take(LONGEST) {
        if sign == '\'' { shown.push(sign) } else { shown.extend(sign.escape_debug()) }
    }
    if text.chars().nth(LONGEST).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters() {
        for (text, value) in [("0", 0), ("7", 7), ("999999999", COUNTER_MAX)] {
            assert_eq!(counter("ply", text), Ok(value));
        }
        for text in ["", "00", "01", "-1", "+1", "x", "1000000000", "1 ", "٣"] {
            assert_eq!(counter("ply", text).unwrap_err().field, "ply", "{text}");
        }
    }

    #[test]
    fn a_board_is_read_and_written() {
        let widths = [3, 3, 12];
        for text in ["a1b/3/12", "abc/2d/z10y"] {
            let mut squares = vec![];
            board(text, &widths, |row, column, sign| {
                squares.push((row, column, sign));
                Ok(())
            })
            .unwrap();
            let mut written = String::new();
            write_board(&mut written, &widths, |row, column| {
                squares.iter().find(|s| (s.0, s.1) == (row, column)).map(|s| s.2)
            })
            .unwrap();
            assert_eq!(written, text);
        }
        for text in [
            "",
            "3/3",
            "3/3/12/1",
            "4/3/12",
            "2/3/12",
            "03/3/12",
            "0abc/3/12",
            "111/3/12",
            "/3/12",
            "3/3/999999999999",
        ] {
            assert_eq!(board(text, &widths, |_, _, _| Ok(())).unwrap_err().field, "board", "{text}");
        }
    }

    #[test]
    fn people_are_told_what_is_wrong() {
        let check = |game: crate::GameId, fen: &str, expected: &str| {
            let error = crate::Games::built_in().play(game, fen).err().expect("no FEN");
            assert_eq!(error.to_string(), expected, "{game} {fen}");
        };
        let push_push = crate::GameId::PUSH_PUSH;
        let example = crate::Games::built_in().startpos(push_push).unwrap().fen();
        let fields = format!(
            "this is not a FEN: it needs 6 fields, separated by single spaces, and has 1; for example: `{example}`"
        );
        check(push_push, "rubbish", &fields);
        let side = "the field `side` of the FEN is wrong: `x` is not `w` or `b`";
        check(push_push, &example.replace(" w ", " x "), side);
        let chess = |pieces: &str, wrong: &str| {
            let expected = format!("the board is wrong: {wrong}");
            check(crate::GameId::CHESS, &format!("{pieces} w - - 0 1"), &expected);
        };
        chess("4k3/8/8/8/8/8/8/8", "White has no king");
        chess("k3k3/8/8/8/8/8/8/4K3", "Black has 2 kings");
        chess("4k3/8/8/8/8/8/8/P3K3", "a pawn stands on rank 1 or 8");
        chess("4k3/pppppppp/p7/8/8/8/8/4K3", "Black has more than 8 pawns or 16 pieces");
        chess("4k3/8/8/8/8/8/8/K3R3", "Black is in check, but not to move");
        chess("4k3/4R3/8/8/8/8/4r3/4K3", "both sides are in check, or no move leads to these checks");
    }

    #[test]
    fn fields_are_counted() {
        assert_eq!(fields::<2>("a b"), Ok(["a", "b"]));
        for text in ["", "a", "a b c", "a  b", " a", "a ", "a b "] {
            assert_eq!(fields::<2>(text).unwrap_err().field, "fen", "{text}");
        }
    }

    #[test]
    fn messages_stay_short() {
        assert_eq!(shown("a\u{7}b's"), "a\\u{7}b's");
        assert_eq!(shown(&"x".repeat(1000)).len(), 63);
    }
}
