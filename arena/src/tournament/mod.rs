//! The vocabulary of a tournament: what is played, what happened, what is stored of it. Plain values.

mod event;
mod record;

pub use event::{Event, Reporter};
pub use record::{CsvRow, MachineDelay, MoveRecord, Record, SideLetter, ending};
