//! The configuration of a NATS server with the public keys of all machines (`arena worker --server-config`).

use super::subject::{COORDINATOR_NAME, is_worker};

/// The whole file, and the part of each worker.
const FILE: &str = include_str!("server.conf");
const WORKER: &str = include_str!("server_worker.conf");

/// A machine, and its public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    name: String,
    key: String,
}

impl std::str::FromStr for Machine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, key) = text.split_once('=').ok_or("write NAME=KEY, such as `desk=UABC...`")?;
        if name != COORDINATOR_NAME && !is_worker(name) {
            return Err(format!(
                "`{name}` cannot be the name of a worker: 1 to 40 letters, digits, `-` and `_`"
            ));
        }
        let is_key = key.starts_with('U') && nkeys::KeyPair::from_public_key(key).is_ok();
        if !is_key {
            return Err(format!("`{key}` is not a public key, as `arena worker --new-key` prints it"));
        }
        Ok(Self { name: name.to_owned(), key: key.to_owned() })
    }
}

/// The configuration.
///
/// # Errors
/// If a coordinator is missing, or a name or a key is given twice.
pub fn server_config(machines: &[Machine]) -> Result<String, String> {
    for (idx, machine) in machines.iter().enumerate() {
        if let Some(other) = machines[..idx].iter().find(|other| other.name == machine.name) {
            return Err(format!("`{}` is named twice", other.name));
        }
        if let Some(other) = machines[..idx].iter().find(|other| other.key == machine.key) {
            return Err(format!("`{}` and `{}` have the same key", other.name, machine.name));
        }
    }
    let (coordinators, workers): (Vec<&Machine>, Vec<&Machine>) =
        machines.iter().partition(|machine| machine.name == COORDINATOR_NAME);
    let coordinator = coordinators.first().ok_or("the coordinator is missing: add `coordinator=KEY`")?;
    let part = |machine: &&Machine| WORKER.replace("KEY", &machine.key).replace("NAME", &machine.name);
    let workers: String = workers.iter().map(part).collect();
    Ok(FILE.replace("COORDINATOR_KEY", &coordinator.key).replace("@WORKERS@", &workers))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(name: &str, key: &str) -> Machine {
        Machine { name: name.to_owned(), key: key.to_owned() }
    }

    #[test]
    fn the_file_of_the_repository_is_that_of_one_worker() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/nats/server.conf");
        let machines = [machine("coordinator", "COORDINATOR_KEY"), machine("desk", "DESK_KEY")];
        assert_eq!(server_config(&machines), Ok(std::fs::read_to_string(path).unwrap()));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let why = |machines: &[Machine]| server_config(machines).unwrap_err();
        assert!(why(&[machine("desk", "A")]).contains("add `coordinator=KEY`"));
        assert!(why(&[machine("desk", "A"), machine("desk", "B")]).contains("`desk` is named twice"));
        assert!(why(&[machine("coordinator", "A"), machine("desk", "A")]).contains("the same key"));
        for wrong in ["desk", "desk=", "desk=SUA", "a b=UA", "local=UA"] {
            assert!(wrong.parse::<Machine>().is_err(), "{wrong}");
        }
        let key = nkeys::KeyPair::new_user().public_key();
        assert_eq!(format!("desk={key}").parse(), Ok(machine("desk", &key)));
    }
}
