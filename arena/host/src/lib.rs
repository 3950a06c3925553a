//! What depends on the operating system: processors, processes and their sandbox, files and terminals. It knows the
//! values of a tournament, and nothing of matches.

pub mod closest;
pub mod executable;
pub mod files;
pub mod launch;
pub mod lock;
pub mod machine;
pub mod output;
pub mod pipes;
pub mod signals;
pub mod terminal;
