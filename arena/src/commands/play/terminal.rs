//! Playing in the terminal: the board is drawn before each move, and moves are typed.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use engine_proto::fen::shown;
use engine_proto::scene::terminal::{self, Signs, Style};
use tokio::sync::mpsc::Sender;

use host::output::stdout_columns;
use live::person::{Action, Notice, Screen, Setting, Stored, View, sentence};
use model::escape::escaped;
use model::{Moved, SideLetter};
use report::tables::text::message;

const HELP: &str = "\
MOVE       play this move, spelled as in `moves`
moves      list the legal moves
undo       take back your last move
hint       ask the engine for a move
draw MOVE  play this move and offer a draw, or accept one
resign     give up
quit       leave; the match is not stored";

/// Draws to standard output.
#[derive(Debug)]
pub struct Terminal {
    style: Style,
    /// The number of moves that are shown, and whether the person was asked after them.
    shown: Option<(usize, bool)>,
    said: Option<Notice>,
    hint: Option<String>,
    /// The explanations of the legend that have been shown: once is enough.
    explained: Vec<String>,
}

impl Terminal {
    /// A terminal with the signs that its locale has, or in ASCII.
    pub fn new(is_ascii: bool) -> Self {
        let style = Style {
            signs: if is_ascii || !host::terminal::is_utf8() { Signs::Ascii } else { Signs::Unicode },
            has_colour: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            bottom: engine_proto::Side::White,
            stack: 1,
        };
        Self { style, shown: None, said: None, hint: None, explained: Vec::new() }
    }

    fn write(&mut self, view: &View, out: &mut impl Write) -> io::Result<()> {
        let now = (view.moves.len(), view.is_your_turn() || view.over.is_some());
        if now.1 && self.shown != Some(now) {
            let style = Style { bottom: view.you, ..self.style };
            if let Some(moved) = view.moves.last() {
                let score = moved.score.as_deref().map(|score| format!(", score {}", shown(score)));
                let word = view.words().pop().unwrap_or_default();
                writeln!(out, "\n{} {word}{}", number(&view.moves), score.unwrap_or_default())?;
            } else {
                let [white, black] = view.names.each_ref().map(|name| shown(name));
                writeln!(out, "White {white}, Black {black}; type a move, or `help`")?;
            }
            let play = &view.play;
            let effects = play.effects();
            let (board, mut legend) =
                terminal::draw_with_legend(&play.layout(), &play.scene(), effects.as_ref(), style);
            legend.retain(|line| !self.explained.contains(line));
            write!(out, "{board}{}", legend.concat())?;
            self.explained.append(&mut legend);
            writeln!(out, "FEN: {}", view.play.fen())?;
            if let [Some(white), Some(black)] = view.clocks.map(|clock| clock.map(clock_words)) {
                writeln!(out, "clocks: White {white}, Black {black}")?;
            }
        }
        self.shown = Some(now);
        let is_news = |said: &&Notice| Some(*said) != self.said.as_ref() && !said.text.is_empty();
        if let Some(said) = view.said.as_ref().filter(is_news) {
            writeln!(out, "{}", message(&escaped(&said.text), stdout_columns()))?;
        }
        self.said.clone_from(&view.said);
        let adviser = view.adviser.as_deref().filter(|name| !name.is_empty()).map(shown);
        let looks_for_hint = view.hint.as_ref().is_some_and(String::is_empty);
        if let Some(hint) = view.hint.as_ref().filter(|_| view.hint != self.hint) {
            writeln!(
                out,
                "{}",
                if looks_for_hint {
                    format!("{} looks for a hint", adviser.as_deref().unwrap_or("the engine"))
                } else {
                    let by = adviser.map(|name| format!(" of {name}")).unwrap_or_default();
                    format!("hint{by}: {}", view.word(hint))
                }
            )?;
        }
        self.hint.clone_from(&view.hint);
        if let Some(over) = &view.over {
            let stored = match over.stored {
                Stored::As(number) => format!("Stored as match {number}."),
                Stored::Failed => "The match is not stored; type `store` to try again, or `quit`.".to_owned(),
                Stored::Busy => "The machine was busy, so that the match is not stored.".to_owned(),
                Stored::Unplayed => "You made no move.".to_owned(),
            };
            writeln!(
                out,
                "{} {stored}",
                sentence(&view.games, view.game, over, view.you, view.moves.last().map(|moved| moved.side))
            )?;
        } else if now.1 && !looks_for_hint {
            if view.turn.is_some_and(|turn| turn.draw_is_offered) {
                writeln!(out, "the engine offers a draw; `draw MOVE` accepts it")?;
            }
            write!(out, "your move: ")?;
        }
        out.flush()
    }
}

/// The number of the last of some moves as people count them: those of a turn of White and of the turn of Black after it have the
/// same one, `3.` and `3...`.
fn number(moves: &[Moved]) -> String {
    let is_white = |moved: &Moved| moved.side == SideLetter::White;
    let n_later = moves.windows(2).filter(|two| !is_white(&two[0]) && is_white(&two[1])).count();
    format!("{}{}", 1 + n_later, if moves.last().is_some_and(is_white) { "." } else { "..." })
}

/// Minutes, seconds and tenths.
fn clock_words(clock: Duration) -> String {
    let tenths = clock.as_millis() / 100;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

impl Screen for Terminal {
    fn show(&mut self, view: &View) {
        // A terminal that is gone ends the program by its input.
        let _ = self.write(view, &mut anstream::stdout().lock());
    }
}

/// What can be typed, with an example of each form of move.
pub fn help(setting: &Setting) -> String {
    let play = setting.games.play(setting.game, &setting.opening);
    let forms = play.map_or(&[][..], |play| play.layout().guide.notation);
    let examples: Vec<_> = forms.iter().map(|(mv, words)| format!("\n  {mv:<8} {words}")).collect();
    let title = if examples.is_empty() { "" } else { "\n\nForms of moves:" };
    format!("{HELP}{title}{}", examples.concat())
}

/// Sends what the person types, from a thread that ends with the input. `help` is shown to who asks for it.
pub fn read_actions(submit: Sender<Action>, help: String) {
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            let action = match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                // Asks for a move again.
                [] => Action::Tell(String::new()),
                ["quit" | "q"] => Action::Quit,
                ["resign"] => Action::Resign,
                ["undo" | "back"] => Action::TakeBack,
                ["hint"] => Action::Hint,
                ["store"] => Action::Store,
                ["moves"] => Action::Moves,
                ["help" | "?"] => Action::Tell(help.clone()),
                ["draw"] => Action::Tell("write the move as well: `draw MOVE`".to_owned()),
                ["draw", mv] => Action::Move { mv: (*mv).to_owned(), draw: true },
                [mv] => Action::Move { mv: (*mv).to_owned(), draw: false },
                _ => Action::Move { mv: line.trim().to_owned(), draw: false },
            };
            if submit.blocking_send(action).is_err() {
                return;
            }
        }
        let _ = submit.blocking_send(Action::Quit);
    });
}
