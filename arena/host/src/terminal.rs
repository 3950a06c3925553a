//! What the user's terminal and desktop can show.

use std::env;

/// Whether the terminal shows other characters than ASCII: if the locale is UTF-8, by the environment variables in the order in
/// which the system reads them.
pub fn is_utf8() -> bool {
    cfg!(windows) || is_utf8_locale(|name| env::var(name).ok())
}

fn is_utf8_locale(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty());
    let locale = set.unwrap_or_default().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// Whether a window can be opened.
pub fn has_display() -> bool {
    let has_desktop = cfg!(any(windows, target_os = "macos"));
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    has_desktop || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// While this lives, the terminal of standard error does not write `^C` where something is drawn, which would displace it.
#[derive(Debug)]
pub struct WithoutControls {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

impl WithoutControls {
    /// Changes nothing if standard error is no terminal.
    pub fn begin() -> Self {
        Self {
            #[cfg(unix)]
            before: unix::without_controls(),
        }
    }
}

#[cfg(unix)]
impl Drop for WithoutControls {
    fn drop(&mut self) {
        self.before.iter().for_each(unix::set);
    }
}

#[cfg(unix)]
mod unix {
    use rustix::process::getpgrp;
    use rustix::stdio::stderr;
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};

    pub(super) fn without_controls() -> Option<Termios> {
        let before = tcgetattr(stderr()).ok()?;
        let mut without = before.clone();
        without.local_modes.remove(LocalModes::ECHOCTL);
        set(&without);
        Some(before)
    }

    pub(super) fn set(termios: &Termios) {
        // The system stops a process in the background that does this.
        if tcgetpgrp(stderr()).is_ok_and(|group| group == getpgrp()) {
            let _ = tcsetattr(stderr(), OptionalActions::Now, termios);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales() {
        let check = |all: &str, ctype: &str, lang: &str| {
            is_utf8_locale(|name| {
                let value = match name {
                    "LC_ALL" => all,
                    "LC_CTYPE" => ctype,
                    "LANG" => lang,
                    _ => return None,
                };
                Some(value.to_owned())
            })
        };
        assert!(check("", "", "en_US.UTF-8"));
        assert!(check("C.utf8", "C", "C"));
        assert!(check("", "de_DE.UTF-8", "C"));
        assert!(!check("C", "C.UTF-8", "C.UTF-8"));
        assert!(!check("", "POSIX", "en_US.UTF-8"));
        assert!(!check("", "", "en_US.ISO-8859-1"));
        assert!(!is_utf8_locale(|_| None));
    }
}
