//! Folders and programs in the commands that a page offers to copy. A page that may be passed on shows no absolute path.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;

use model::Tournament;

/// Who may read a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// The users of this machine.
    Here,
    /// Anybody.
    Anybody,
}

impl Readers {
    /// Those who can reach an address.
    pub fn at(address: SocketAddr) -> Self {
        if address.ip().is_loopback() { Self::Here } else { Self::Anybody }
    }

    /// A path as the user wrote it; of an absolute one only the last part, if anybody may read it.
    pub fn path(self, path: &Path) -> String {
        if self == Self::Anybody && path.is_absolute() { last_part(path) } else { path.display().to_string() }
    }

    /// The value of `--referee` for each game of the tournament whose rules are a program.
    pub fn referees(self, tournament: &Tournament) -> BTreeMap<String, String> {
        let word = |word: &String| self.path(Path::new(word));
        let games = tournament.games.iter().filter_map(|game| Some((game.id.id(), game.referee.as_ref()?)));
        let value = |program: &[String]| program.iter().map(word).collect::<Vec<_>>().join(" ");
        games.map(|(id, referee)| (id.to_owned(), format!("{id}={}", value(&referee.command)))).collect()
    }
}

/// The last part of a path.
pub fn last_part(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Cage, RefereeInfo, RefereeProgram, samples};

    #[test]
    fn a_page_that_may_be_passed_on_shows_no_absolute_path() {
        let check = |path: &str, here: &str, anybody: &str| {
            assert_eq!(Readers::Here.path(Path::new(path)), here);
            assert_eq!(Readers::Anybody.path(Path::new(path)), anybody);
        };
        check("results/quick", "results/quick", "results/quick");
        check("/home/me/results/quick", "/home/me/results/quick", "quick");
        let mut tournament = samples::tournament(&["one", "two"], 1);
        assert!(Readers::Here.referees(&tournament).is_empty());
        let command = ["python3", "/home/me/hex.py", "5"].map(str::to_owned).to_vec();
        tournament.games[0].referee =
            Some(RefereeProgram { command, cage: Cage::default(), info: RefereeInfo::default() });
        let id = tournament.games[0].id.id();
        assert_eq!(Readers::Here.referees(&tournament)[id], format!("{id}=python3 /home/me/hex.py 5"));
        assert_eq!(Readers::Anybody.referees(&tournament)[id], format!("{id}=python3 hex.py 5"));
    }
}
