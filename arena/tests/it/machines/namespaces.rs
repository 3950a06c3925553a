//! A small network: a network namespace for the server and the coordinator, and one for each worker, with a link that can
//! be cut. It needs no rights where user namespaces are allowed.

use crate::common::tournament::Ended;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// The namespace of the server and the coordinator.
pub struct Network {
    process: Child,
}

/// The namespace of a worker.
pub struct Host {
    process: Child,
    link: String,
    address: String,
}

impl Network {
    /// A network without hosts. `None`, with a clear word, where it is not allowed.
    pub fn start() -> Option<Self> {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--net", "--"]);
        let network = held(command).map(|process| Self { process });
        if network.is_none() {
            eprintln!(
                "skipped: network namespaces are not allowed here, or there is no `unshare`, `nsenter` or `ip`"
            );
        }
        network
    }

    /// A host that is linked to the network. The server is at [`Host::server`].
    pub fn host(&self, number: u8) -> Host {
        let mut command = enter(self.process.id());
        command.args(["unshare", "--net", "--"]);
        let process = held(command).expect("a namespace in a namespace is allowed");
        let (link, address) = (format!("v{number}"), format!("10.9.{number}"));
        let host = Host { process, link: link.clone(), address: address.clone() };
        let id = host.process.id();
        Self::ip(self.process.id(), &format!("link add {link} type veth peer name up netns {id}"));
        Self::ip(self.process.id(), &format!("address add {address}.1/24 dev {link}"));
        Self::ip(self.process.id(), &format!("link set {link} up"));
        Self::ip(id, &format!("address add {address}.2/24 dev up"));
        Self::ip(id, "link set dev up up");
        host
    }

    /// The same command in the namespace of the server.
    pub fn inside(&self, command: &Command) -> Command {
        Self::at(self.process.id(), command)
    }

    /// Cuts the link of a host, or restores it.
    pub fn set_link(&self, host: &Host, is_up: bool) {
        Self::ip(self.process.id(), &format!("link set {} {}", host.link, if is_up { "up" } else { "down" }));
    }

    /// Delays and loses packets in both directions. `false`, with a clear word, where the kernel cannot do it.
    pub fn disturb(&self, host: &Host, how: &str) -> bool {
        let tc = |id: u32, device: &str| {
            let words = format!("qdisc add dev {device} root netem {how}");
            let output = enter(id).arg("tc").args(words.split(' ')).output();
            output.is_ok_and(|output| output.status.success())
        };
        let done = tc(self.process.id(), &host.link) && tc(host.process.id(), "up");
        if !done {
            eprintln!("without lost packets: this kernel has no `netem`, or there is no `tc`");
        }
        done
    }

    fn at(id: u32, command: &Command) -> Command {
        let mut inside = enter(id);
        inside.arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            if let Some(value) = value {
                inside.env(name, value);
            }
        }
        if let Some(folder) = command.get_current_dir() {
            inside.current_dir(folder);
        }
        inside
    }

    fn ip(id: u32, words: &str) {
        enter(id).arg("ip").args(words.split(' ')).output().unwrap().succeeds();
    }
}

impl Host {
    /// The same command on this host.
    pub fn inside(&self, command: &Command) -> Command {
        Network::at(self.process.id(), command)
    }

    /// The address at which the host finds a server of the network with this port.
    pub fn server(&self, port: u16) -> String {
        format!("nats://{}.1:{port}", self.address)
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        end(&mut self.process);
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        end(&mut self.process);
    }
}

/// What runs a command in the namespaces of a process.
fn enter(id: u32) -> Command {
    let mut command = Command::new("nsenter");
    command.args(["--target", &id.to_string(), "--user", "--net", "--preserve-credentials", "--"]);
    command
}

/// A process that keeps a new namespace until its standard input ends, also if the test is killed.
fn held(mut command: Command) -> Option<Child> {
    command.args(["sh", "-c", "ip link set lo up && echo ready && exec cat"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = command.spawn().ok()?;
    let mut line = String::new();
    let _ = BufReader::new(process.stdout.take()?).read_line(&mut line);
    if line.trim() == "ready" {
        return Some(process);
    }
    end(&mut process);
    None
}

fn end(process: &mut Child) {
    let _ = process.kill();
    let _ = process.wait();
}
