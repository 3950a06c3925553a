//! A person plays against an engine. The match is one like any other: the person is an opponent, and the referee decides.
//! How it is shown is the matter of a [`Screen`]: a page, or a terminal.

mod action;
mod chair;
mod ending;
mod game;
mod menu;
mod page;
mod view;

pub use action::Action;
pub use ending::sentence;
pub use game::{Game, GameError, LEVEL, Level, Next, Setting};
pub use menu::{Choice, Entry, Menu};
pub use page::{PlayPage, Submit};
pub use view::{Notice, Screen, Stored, View};
