//! Opens a page in the user's browser.

use std::env;
use std::io::{self, IsTerminal};

/// Opens `url` if that `is_wanted`, somebody is at the terminal, and the machine has a display. A browser that does not start
/// is no error: the address is printed.
pub fn open(url: &str, is_wanted: bool) {
    if is_wanted && io::stdout().is_terminal() && has_display() {
        let _ = ::open::that_detached(url);
    }
}

/// Whether a window can be opened. Without a display, some systems would start a browser for terminals.
fn has_display() -> bool {
    let has_desktop = cfg!(any(windows, target_os = "macos"));
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    has_desktop || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
