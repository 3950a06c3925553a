//! The replay of a match on a terminal, with keys. It draws on the other screen of the terminal and gives it back.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use console::Term;
use engine_proto::Games;
use engine_proto::fen::shown;
use engine_proto::scene::terminal::{Signs, Style};

use super::ShowError;
use super::frame::fit;
use super::recorded::{bad_record, write_replayed};
use model::Record;
use report::html::reason_in_words;
use store::Replay;

/// Replays the match until the reader quits.
pub(super) fn play(
    games: &Games,
    record: &Record,
    delay: Duration,
    mut style: Style,
) -> Result<(), ShowError> {
    let mut player = Player::new(record.moves.len());
    let mut screen = Screen::enter()?;
    let keys = keys();
    let mut next = Instant::now() + delay;
    loop {
        let size = screen.size();
        screen.draw(size, frame(games, record, &player, style, size)?)?;
        let left = if player.is_playing { next.saturating_duration_since(Instant::now()) } else { LOOK };
        let key = match keys.recv_timeout(left.min(LOOK)) {
            Ok(key) => key?,
            Err(RecvTimeoutError::Timeout) => {
                if next <= Instant::now() {
                    player.tick();
                    next = Instant::now() + delay;
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        if key == Key::Flip {
            style.bottom = !style.bottom;
        }
        if player.press(key).is_break() {
            return Ok(());
        }
        next = Instant::now() + delay;
    }
}

/// How often the size of the window is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Toggle,
    Back,
    Forward,
    First,
    Last,
    Flip,
    Quit,
}

/// The keys that the reader presses. Their thread ends with [`Key::Quit`], so that the terminal is as it was afterwards.
fn keys() -> Receiver<io::Result<Key>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let terminal = Term::stdout();
        loop {
            let key = match terminal.read_key_raw() {
                Ok(pressed) => match key(&pressed) {
                    Some(key) => Ok(key),
                    None => continue,
                },
                Err(error) => Err(error),
            };
            let is_last = !matches!(key, Ok(key) if key != Key::Quit);
            if sender.send(key).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}

const fn key(pressed: &console::Key) -> Option<Key> {
    use console::Key as Pressed;
    Some(match pressed {
        Pressed::CtrlC | Pressed::Escape | Pressed::Char('q' | '\x04') => Key::Quit,
        Pressed::Char(' ') => Key::Toggle,
        Pressed::Char('f') => Key::Flip,
        Pressed::ArrowLeft | Pressed::ArrowUp | Pressed::PageUp => Key::Back,
        Pressed::ArrowRight | Pressed::ArrowDown | Pressed::PageDown | Pressed::Enter => Key::Forward,
        Pressed::Home => Key::First,
        Pressed::End => Key::Last,
        _ => return None,
    })
}

/// Where the reader is.
#[derive(Debug, PartialEq, Eq)]
struct Player {
    ply: usize,
    last: usize,
    is_playing: bool,
}

impl Player {
    const fn new(last: usize) -> Self {
        Self { ply: 0, last, is_playing: 0 < last }
    }

    /// The time of a position is over.
    const fn tick(&mut self) {
        if self.is_playing && self.ply < self.last {
            self.ply += 1;
        }
        if self.ply == self.last {
            self.is_playing = false;
        }
    }

    fn press(&mut self, key: Key) -> ControlFlow<()> {
        match key {
            Key::Quit => return ControlFlow::Break(()),
            Key::Flip => return ControlFlow::Continue(()),
            Key::Toggle => {
                if self.ply == self.last {
                    self.ply = 0;
                }
                self.is_playing = !self.is_playing && 0 < self.last;
                return ControlFlow::Continue(());
            }
            Key::Back => self.ply = self.ply.saturating_sub(1),
            Key::Forward => self.ply = self.last.min(self.ply + 1),
            Key::First => self.ply = 0,
            Key::Last => self.ply = self.last,
        }
        self.is_playing = false;
        ControlFlow::Continue(())
    }
}

/// The position after `ply` moves as text.
fn position(games: &Games, record: &Record, ply: usize, style: Style) -> Result<String, ShowError> {
    let bad = bad_record(record);
    let mut replay = Replay::new(games, record).map_err(bad)?;
    while replay.ply() < ply {
        replay.step().map_err(bad)?;
    }
    let mut text = Vec::new();
    write_replayed(&replay, record.moves.len(), style, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The lines of the screen: the match, the position, the keys.
fn frame(
    games: &Games,
    record: &Record,
    player: &Player,
    style: Style,
    (rows, columns): (usize, usize),
) -> Result<Vec<String>, ShowError> {
    let [white, black, reason] = [&*record.white, &record.black, &reason_in_words(&record.reason)].map(shown);
    let head =
        format!("match {}, {}: {white} - {black}, {}, {reason}", record.number, record.game, record.result);
    let arrows = if style.signs == Signs::Ascii { "left/right" } else { "\u{2190}/\u{2192}" };
    let space = if player.is_playing { "pause" } else { "play" };
    let keys = format!("space {space}, {arrows} step, home/end jump, f flip, q quit");
    let mut lines = fit(&head, 1, columns);
    lines.extend(fit(&position(games, record, player.ply, style)?, rows.saturating_sub(2), columns));
    lines.extend(fit(&keys, 1, columns));
    Ok(lines)
}

/// The terminal's other screen, without a cursor. It is left when this is dropped.
struct Screen {
    terminal: Term,
    /// The size of the window and its lines as they were drawn last.
    drawn: ((usize, usize), Vec<String>),
}

impl Screen {
    fn enter() -> io::Result<Self> {
        let mut terminal = Term::stdout();
        terminal.write_all(b"\x1b[?1049h\x1b[?25l")?;
        Ok(Self { terminal, drawn: ((0, 0), Vec::new()) })
    }

    /// Rows and columns.
    fn size(&self) -> (usize, usize) {
        let (rows, columns) = self.terminal.size();
        (usize::from(rows), usize::from(columns))
    }

    fn draw(&mut self, size: (usize, usize), lines: Vec<String>) -> io::Result<()> {
        let new = (size, lines);
        if new == self.drawn {
            return Ok(());
        }
        self.drawn = new;
        let mut text = String::new();
        for (row, line) in (1..).zip(&self.drawn.1) {
            text += &format!("\x1b[{row};1H\x1b[K{line}");
        }
        self.terminal.write_all((text + "\x1b[J").as_bytes())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // The terminal may be gone.
        let _ = self.terminal.write_all(b"\x1b[?25h\x1b[?1049l");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_move_the_replay() {
        let mut player = Player::new(3);
        let mut after = |keys: &[Key]| {
            for &key in keys {
                assert!(player.press(key).is_continue());
            }
            (player.ply, player.is_playing)
        };
        assert_eq!(after(&[Key::Forward, Key::Forward]), (2, false));
        assert_eq!(after(&[Key::Forward, Key::Forward, Key::Flip]), (3, false));
        assert_eq!(after(&[Key::Toggle]), (0, true), "at the end it begins again");
        assert_eq!(after(&[Key::Toggle]), (0, false));
        assert_eq!(after(&[Key::Back, Key::Last, Key::Back]), (2, false));
        assert!(player.press(Key::Quit).is_break());
    }

    #[test]
    fn it_stops_at_the_end() {
        let mut player = Player::new(2);
        player.tick();
        assert_eq!((player.ply, player.is_playing), (1, true));
        player.tick();
        player.tick();
        assert_eq!((player.ply, player.is_playing), (2, false));
        assert!(!Player::new(0).is_playing);
    }

    #[test]
    fn keys_of_the_keyboard() {
        assert_eq!(key(&console::Key::CtrlC), Some(Key::Quit));
        assert_eq!(key(&console::Key::Char('c')), None);
        assert_eq!(key(&console::Key::ArrowRight), Some(Key::Forward));
    }
}
