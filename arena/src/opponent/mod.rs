//! Engines as processes: finding the program, starting it, talking to it, and making sure that it ends.

mod contender;
pub mod launch;
mod log;
pub mod pauses;
mod process;
pub mod program;
mod program_files;
pub mod run_queue;
mod session;
mod stderr;

pub use contender::{Contender, Folders};
pub use log::Log;
pub use process::Spawn;
pub use program_files::{Content, ProgramFile, hex, program_files, read_contents};
pub use session::{
    ANSWER_BYTES, Farewell, GREETING_BYTES, Greeting, NoStart, Parting, Said, Session, Shortage, StartError,
};
