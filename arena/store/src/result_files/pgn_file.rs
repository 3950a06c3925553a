//! From PGN games to rows. The parser is [`schedule::pgn`].

use std::io::BufRead;
use std::path::Path;

use super::error::ReadError;
use super::row::{Field, Place, Row, Source, Take, Told, UNFINISHED, fingerprint};
use ratings::{Ending, MatchResult};
use schedule::pgn::{Game, Parser, PgnError, comment};

/// The game of PGN without the tag `Variant`.
const CHESS: &str = "chess";
/// The value of `Variant` for the same game.
const NAMES_OF_CHESS: [&str; 4] = ["chess", "standard", "normal", "from position"];
/// The id of Chess960, and what other programs call it.
const CHESS960: &str = "chess960";
const NAMES_OF_CHESS960: [&str; 5] =
    [CHESS960, "fischerandom", "fischerrandom", "fischer random", "chess 960"];

/// Passes the matches of a PGN file to `take`, with their moves if they are wanted.
pub(super) fn read(
    path: &Path,
    input: impl BufRead,
    with_moves: bool,
    take: &mut Take<'_>,
) -> Result<(), ReadError> {
    let mut parser = if with_moves { Parser::with_moves(input) } else { Parser::new(input) };
    for place in 1.. {
        let Some(game) = parser.next_game().map_err(|error| in_file(path, error))? else { break };
        let tagged = TaggedGame { path, game: &game };
        let (pair, opening) = (tagged.pair(), tagged.named_opening());
        let mut row = tagged.row(pair.as_deref())?;
        row.told.named_opening = opening.as_deref();
        row.told.pgn = Some((place, &game));
        take(&row, &tagged)?;
    }
    Ok(())
}

/// The id of the game that a value of `Variant` means.
pub fn game_of_variant(variant: &str) -> &str {
    let is_one_of = |names: &[&str]| names.iter().any(|name| variant.eq_ignore_ascii_case(name));
    if is_one_of(&NAMES_OF_CHESS) {
        CHESS
    } else if is_one_of(&NAMES_OF_CHESS960) {
        CHESS960
    } else {
        variant
    }
}

fn in_file(path: &Path, error: PgnError) -> ReadError {
    let file = path.to_owned();
    match error {
        PgnError::Read(source) => ReadError::Read { file, source },
        PgnError::Torn { line } => ReadError::Torn { file, line },
        PgnError::Wrong { line, problem } => ReadError::Pgn { file, line, problem },
    }
}

struct TaggedGame<'g> {
    path: &'g Path,
    game: &'g Game,
}

impl TaggedGame<'_> {
    fn row<'r>(&'r self, pair: Option<&'r str>) -> Result<Row<'r>, ReadError> {
        let variant = self.known("Variant").unwrap_or(CHESS);
        Ok(Row {
            game: game_of_variant(variant),
            limits: self.known("Limits"),
            white: self.name(Field::White)?,
            black: self.name(Field::Black)?,
            builds: [None; 2],
            result: self.result()?,
            pair,
            opening: self.known("FEN"),
            id: self.known("GameId"),
            detail: None,
            moves: self.game.moves.finish(),
            ending: self.reason().map_or(Ending::Played, Ending::of_reason),
            told: Told {
                reason: self.reason(),
                plies: self.known("PlyCount").and_then(|plies| plies.parse().ok()),
                round: self.known("Round"),
                date: self.known("Date").filter(|date| !date.starts_with('?')),
                ..Told::default()
            },
            number: None,
            place: Place { line: self.game.line, byte: None },
        })
    }

    fn name(&self, field: Field) -> Result<&str, ReadError> {
        let Some(tag) = self.game.tag(tag_of(field)) else {
            return Err(self.missing(field));
        };
        let name = tag.value.trim();
        if name.is_empty() || name == "?" {
            return Err(self.wrong(field, "a name is missing".to_owned()));
        }
        Ok(name)
    }

    /// The result of the tag, or the one after the moves. They must agree, unless one of them is "no result". A tag that
    /// is no result at all is returned, so that the reader of rows refuses it.
    fn result(&self) -> Result<&str, ReadError> {
        let in_tag = self.game.tag("Result").map(|tag| tag.value.trim());
        let behind_moves = self.game.result.as_deref();
        match (in_tag, behind_moves) {
            (Some(UNFINISHED), _) => Ok(UNFINISHED),
            (Some(tag), _) if tag.parse::<MatchResult>().is_err() => Ok(tag),
            (_, Some(UNFINISHED)) => Ok(UNFINISHED),
            (Some(tag), Some(end)) if tag != end => {
                let problem = format!("`{tag}` here, but `{end}` after the moves");
                Err(self.wrong(Field::Result, problem))
            }
            (Some(tag), _) => Ok(tag),
            (None, Some(end)) => Ok(end),
            (None, None) => Err(self.missing(Field::Result)),
        }
    }

    /// What both matches of a pair share: event, round and start position. `None` without a round. Rounds such as `3.1`
    /// and `3.2` are the two matches of round 3.
    fn pair(&self) -> Option<String> {
        let round = self.known("Round")?;
        let round = round.strip_suffix(".1").or(round.strip_suffix(".2")).unwrap_or(round);
        let [event, fen] = ["Event", "FEN"].map(|tag| self.known(tag).unwrap_or_default());
        Some(format!("{event}\n{round}\n{fen}"))
    }

    /// Why the match ended: by its tag, or if that says nothing, by its last comment.
    fn reason(&self) -> Option<&str> {
        let tag = self.known("Termination");
        let says_more = |tag: &&str| !tag.eq_ignore_ascii_case("normal");
        tag.filter(says_more).or_else(|| comment::reason(&self.game.last_comment)).or(tag)
    }

    /// `ECO C11 French Defence`.
    fn named_opening(&self) -> Option<String> {
        let [code, name] = [self.known("ECO")?, self.known("Opening").unwrap_or_default()];
        Some(format!("ECO {code} {name}").trim_end().to_owned())
    }

    /// The value of a tag, unless it means "unknown".
    fn known(&self, tag: &str) -> Option<&str> {
        let value = self.game.tag(tag)?.value.trim();
        (!matches!(value, "" | "?" | "-")).then_some(value)
    }

    fn missing(&self, field: Field) -> ReadError {
        ReadError::Pgn {
            file: self.path.to_owned(),
            line: self.game.line,
            problem: format!("a match without the tag `{}`", tag_of(field)),
        }
    }
}

impl Source for TaggedGame<'_> {
    fn wrong(&self, field: Field, problem: String) -> ReadError {
        let name = tag_of(field);
        ReadError::Value {
            file: self.path.to_owned(),
            line: self.game.tag(name).map_or(self.game.line, |tag| tag.line),
            kind: "tag",
            name: name.to_owned(),
            problem,
        }
    }

    fn content(&self) -> Option<u64> {
        let tags: Vec<(&str, &str)> =
            self.game.tags.iter().map(|tag| (tag.name.as_str(), tag.value.as_str())).collect();
        Some(fingerprint((tags, self.game.moves.finish())))
    }
}

const fn tag_of(field: Field) -> &'static str {
    match field {
        Field::Game => "Variant",
        Field::White => "White",
        Field::Black => "Black",
        Field::Result => "Result",
    }
}
