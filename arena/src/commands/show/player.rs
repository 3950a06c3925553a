//! The replay of a match on a terminal, with keys. It draws on the other screen of the terminal and gives it back.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue, style::Print, terminal};
use engine_proto::fen::shown;
use engine_proto::scene::terminal::{Signs, Style};

use super::ShowError;
use super::frame::fit;
use super::recorded::{bad_record, write_replayed};
use model::Record;
use store::Replay;

/// Replays the match until the reader quits.
pub(super) fn play(record: &Record, delay: Duration, mut style: Style) -> Result<(), ShowError> {
    let mut player = Player::new(record.moves.len());
    // Errors of the record are printed on the screen that stays.
    for ply in 0..=player.last {
        position(record, ply, style)?;
    }
    let mut screen = Screen::enter()?;
    let mut next = Instant::now() + delay;
    loop {
        screen.draw(&frame(record, &player, style)?)?;
        let wait = if player.is_playing { next.saturating_duration_since(Instant::now()) } else { FOREVER };
        if !event::poll(wait)? {
            player.tick();
            next = Instant::now() + delay;
            continue;
        }
        let Some(key) = key(&event::read()?) else { continue };
        if key == Key::Flip {
            style.bottom = !style.bottom;
        }
        if player.press(key).is_break() {
            return Ok(());
        }
        next = Instant::now() + delay;
    }
}

/// Nothing changes until a key is pressed or the window changes its size.
const FOREVER: Duration = Duration::from_secs(3600);

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

fn key(event: &Event) -> Option<Key> {
    let Event::Key(KeyEvent { code, modifiers, kind: KeyEventKind::Press | KeyEventKind::Repeat, .. }) =
        event
    else {
        return None;
    };
    match code {
        KeyCode::Char('c' | 'd') if modifiers.contains(KeyModifiers::CONTROL) => Some(Key::Quit),
        KeyCode::Char('q') | KeyCode::Esc => Some(Key::Quit),
        KeyCode::Char(' ') => Some(Key::Toggle),
        KeyCode::Char('f') => Some(Key::Flip),
        KeyCode::Left | KeyCode::Up | KeyCode::PageUp => Some(Key::Back),
        KeyCode::Right | KeyCode::Down | KeyCode::PageDown | KeyCode::Enter => Some(Key::Forward),
        KeyCode::Home => Some(Key::First),
        KeyCode::End => Some(Key::Last),
        _ => None,
    }
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
fn position(record: &Record, ply: usize, style: Style) -> Result<String, ShowError> {
    let bad = bad_record(record);
    let mut replay = Replay::new(record).map_err(bad)?;
    while replay.ply() < ply {
        replay.step().map_err(bad)?;
    }
    let mut text = Vec::new();
    write_replayed(&replay, record.moves.len(), style, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The lines of the screen: the match, the position, the keys.
fn frame(record: &Record, player: &Player, style: Style) -> Result<Vec<String>, ShowError> {
    let (columns, rows) = terminal::size()?;
    let (columns, rows) = (usize::from(columns), usize::from(rows));
    let [white, black, reason] = [&record.white, &record.black, &record.reason].map(|text| shown(text));
    let head =
        format!("match {}, {}: {white} - {black}, {}, {reason}", record.number, record.game, record.result);
    let arrows = if style.signs == Signs::Ascii { "left/right" } else { "\u{2190}/\u{2192}" };
    let space = if player.is_playing { "pause" } else { "play" };
    let keys = format!("space {space}, {arrows} step, home/end jump, f flip, q quit");
    let mut lines = fit(&head, 1, columns);
    lines.extend(fit(&position(record, player.ply, style)?, rows.saturating_sub(2), columns));
    lines.extend(fit(&keys, 1, columns));
    Ok(lines)
}

/// The terminal's other screen, without a cursor. It is left when this is dropped.
struct Screen {
    out: io::Stdout,
}

impl Screen {
    fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let mut screen = Self { out: io::stdout() };
        execute!(screen.out, EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }

    fn draw(&mut self, lines: &[String]) -> io::Result<()> {
        for (row, line) in (0_u16..).zip(lines) {
            queue!(self.out, cursor::MoveTo(0, row), Clear(ClearType::UntilNewLine), Print(line))?;
        }
        queue!(self.out, Clear(ClearType::FromCursorDown))?;
        self.out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // The terminal may be gone.
        let _ = execute!(self.out, cursor::Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
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
        let press = |code, modifiers| key(&Event::Key(KeyEvent::new(code, modifiers)));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Key::Quit));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::NONE), None);
        assert_eq!(press(KeyCode::Right, KeyModifiers::NONE), Some(Key::Forward));
    }
}
