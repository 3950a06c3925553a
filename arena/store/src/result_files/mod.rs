//! Reads files of results of any program into a tally: CSV, PGN, and results folders of the arena. It estimates
//! nothing and prints nothing.

mod csv_file;
mod error;
mod input;
mod journal_file;
mod pgn_file;
mod reader;
mod row;
mod shared_rows;

pub use csv_file::{ColumnName, ONLY_GAME};
pub use error::ReadError;
pub use error::quoted;
pub use pgn_file::game_of_variant;
pub use reader::{FileContents, Reader};
pub use row::Told;
