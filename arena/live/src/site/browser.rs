//! Opens a page in the user's browser.

use std::io::{self, IsTerminal};

use host::terminal;

/// Opens `url` if that `is_wanted`, somebody is at the terminal, and the machine has a display: without one, some
/// systems would start a browser for terminals. A browser that does not start
/// is no error: the address is printed.
pub fn open(url: &str, is_wanted: bool) {
    if is_wanted && io::stdout().is_terminal() && terminal::has_display() {
        let _ = ::open::that_detached(url);
    }
}
