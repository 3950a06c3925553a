//! The pictures in the texts for players: a move on a board, before and after. In the Markdown, a picture is a block with the
//! word `picture` whose lines are a FEN, the moves of one turn, and the caption.

use engine_proto::{GameId, Games};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Tag, TagEnd};
use serde_json::{Value, json};

use super::board::Boards;

const PICTURE: &str = "picture";

/// What the page needs to draw the pictures of a text.
pub struct Pictures<'a> {
    games: &'a Games,
    game: GameId,
    boards: Boards,
}

impl<'a> Pictures<'a> {
    /// No pictures yet, of a game that is one of `games`.
    pub fn new(games: &'a Games, game: GameId) -> Self {
        Self { games, game, boards: Boards::default() }
    }

    /// The events with the blocks of pictures as figures.
    pub fn place<'e>(&mut self, events: impl Iterator<Item = Event<'e>>) -> Vec<Event<'e>> {
        let mut placed = Vec::new();
        let mut block: Option<String> = None;
        for event in events {
            match (&event, &mut block) {
                (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(word))), _) if **word == *PICTURE => {
                    block = Some(String::new());
                }
                (Event::Text(text), Some(block)) => *block += text,
                (Event::End(TagEnd::CodeBlock), Some(text)) => {
                    placed.extend(self.figure(text).map(|figure| Event::Html(CowStr::from(figure))));
                    block = None;
                }
                _ => placed.push(event),
            }
        }
        placed
    }

    /// A picture; none, if its block is not one.
    fn figure(&mut self, block: &str) -> Option<String> {
        let mut lines = block.lines();
        let (fen, moves) = (lines.next()?, lines.next()?);
        let caption = lines.collect::<Vec<_>>().join(" ");
        let drawing = self.drawing(fen, moves)?;
        Some(format!(
            "<figure class=\"picture\" data-picture='{}'><figcaption>{}</figcaption></figure>\n",
            escaped(&drawing.to_string()),
            escaped(&caption)
        ))
    }

    fn drawing(&mut self, fen: &str, moves: &str) -> Option<Value> {
        let mut play = self.games.play(self.game, fen).ok()?;
        let (layout, before) = (play.layout(), play.scene());
        for mv in moves.split(' ') {
            play.play(mv).ok()?;
        }
        let drawing = self.boards.drawing(self.games, self.game, &layout, &[before, play.scene()]);
        Some(json!({
            "board": drawing.board,
            "heights": drawing.heights,
            "changes": drawing.changes,
            "moves": moves.split(' ').collect::<Vec<_>>(),
        }))
    }

    /// The boards of all pictures, as an attribute; nothing if there is no picture.
    pub fn boards(&self) -> String {
        match self.boards.all() {
            boards if boards.is_empty() => String::new(),
            boards => format!(" data-boards='{}'", escaped(&json!(boards).to_string())),
        }
    }
}

/// The Markdown without its pictures, for a terminal.
pub fn without_pictures(markdown: &str) -> String {
    let mut is_picture = false;
    let is_text = |line: &&str| {
        let line = line.trim();
        let was_picture = is_picture;
        is_picture = if is_picture { line != "```" } else { line.strip_prefix("```") == Some(PICTURE) };
        !was_picture && !is_picture
    };
    markdown.split_inclusive('\n').filter(is_text).collect()
}

/// Text, or JSON between single quotes, of which double ones would be longer than the rest.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&#39;")
}
