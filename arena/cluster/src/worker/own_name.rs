//! The name of a worker. Unless the user has given one, it is that of the host; further workers of the same user on the same
//! machine get a number, and a name is locked for as long as its worker runs.

use std::fs::{self, File};
use std::path::Path;

use crate::subject::is_worker;

/// The longest part of a name that comes from the host.
const LONGEST: usize = 36;
/// The most workers of a user on one machine that get a name of their own.
const MOST: u32 = 1000;

/// The name.
#[derive(Debug)]
pub struct OwnName {
    /// The name.
    pub name: String,
    _lock: Option<File>,
}

impl OwnName {
    /// The name that the user has given.
    pub const fn named(name: String) -> Self {
        Self { name, _lock: None }
    }

    /// The first name that no worker has which has its lock in `folder`. If there can be no locks, the name of the host.
    pub fn of_host(folder: &Path) -> Self {
        let host = host_name();
        let locked =
            fs::create_dir_all(folder).ok().and_then(|()| (1..=MOST).find_map(|n| locked(&host, n, folder)));
        locked.unwrap_or(Self { name: host, _lock: None })
    }
}

fn locked(host: &str, number: u32, folder: &Path) -> Option<OwnName> {
    let name = if number == 1 { host.to_owned() } else { format!("{host}-{number}") };
    let lock = File::create(folder.join(format!("{name}.worker"))).ok()?;
    lock.try_lock().ok()?;
    Some(OwnName { name, _lock: Some(lock) })
}

/// The name of this machine as a worker's name.
fn host_name() -> String {
    let host = host::machine::name();
    let plain: String =
        host.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(LONGEST).collect();
    if is_worker(&plain) { plain } else { "worker".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_on_one_machine_have_names_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let own = || OwnName::of_host(&folder.path().join("arena"));
        let (first, second) = (own(), own());
        assert_eq!(second.name, format!("{}-2", first.name));
        let name = first.name.clone();
        drop(first);
        assert_eq!(own().name, name);
        assert!([&name, &second.name].iter().all(|name| is_worker(name)));
    }
}
