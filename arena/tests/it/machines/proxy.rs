//! A network that doubles, delays and reorders the messages between clients and a NATS server. Other parts of the protocol,
//! such as greetings and subscriptions, pass at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use engine_proto::bits::mix64;

/// The longest delay of a message.
const LONGEST_MS: u64 = 300;
/// One of this number of messages is doubled, and one is delayed.
const ONE_OF: u64 = 4;

/// What passes, and when: with a number, so that what passes at the same time keeps its order.
type Due = (Instant, u64, Vec<u8>);

/// Listens for clients of the server at `port`. Returns the address for them. It ends with the test's process.
pub fn between(port: u16) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for (number, client) in listener.incoming().map_while(Result::ok).enumerate() {
            let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else { continue };
            let seed = mix64(number as u64);
            pass(client.try_clone().unwrap(), server.try_clone().unwrap(), seed);
            pass(server, client, seed + 1);
        }
    });
    format!("nats://{address}")
}

/// Passes what comes from one side to the other.
fn pass(from: TcpStream, to: TcpStream, seed: u64) {
    let (sender, receiver) = channel();
    std::thread::spawn(move || disturb(BufReader::new(from), &sender, seed));
    std::thread::spawn(move || deliver(to, &receiver));
}

/// Reads until the end, and says what passes when.
fn disturb(mut from: BufReader<TcpStream>, sender: &Sender<Due>, seed: u64) -> Option<()> {
    let mut number = 0;
    let mut pass = |bytes: Vec<u8>, delay_ms: u64| {
        number += 1;
        sender.send((Instant::now() + Duration::from_millis(delay_ms), number, bytes)).ok()
    };
    let mut draws = (seed..).map(mix64);
    loop {
        let mut bytes = Vec::new();
        if from.read_until(b'\n', &mut bytes).ok()? == 0 {
            return None;
        }
        let Some(n_payload) = payload(&bytes) else {
            pass(bytes, 0)?;
            continue;
        };
        let n_head = bytes.len();
        // With the end of the line.
        bytes.resize(n_head + n_payload + 2, 0);
        from.read_exact(&mut bytes[n_head..]).ok()?;
        let n_copies = if draws.next()? % ONE_OF == 0 { 2 } else { 1 };
        for _ in 0..n_copies {
            let draw = draws.next()?;
            let is_late = draw % ONE_OF == 0;
            pass(bytes.clone(), if is_late { draw / ONE_OF % LONGEST_MS } else { 0 })?;
        }
    }
}

/// The size of the payload that follows the line of a message.
fn payload(line: &[u8]) -> Option<usize> {
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_ascii_whitespace();
    let is_message = ["PUB", "HPUB", "MSG", "HMSG"].contains(&words.next()?);
    words.next_back().filter(|_| is_message)?.parse().ok()
}

/// Writes what is due.
fn deliver(mut to: TcpStream, receiver: &Receiver<Due>) -> Option<()> {
    let mut waiting: BinaryHeap<Reverse<Due>> = BinaryHeap::new();
    loop {
        let patience = waiting.peek().map_or(Duration::from_secs(3600), |Reverse((due, ..))| {
            due.saturating_duration_since(Instant::now())
        });
        match receiver.recv_timeout(patience) {
            Ok(due) => waiting.push(Reverse(due)),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(Reverse((_, _, bytes))) = waiting.pop() {
                    to.write_all(&bytes).ok()?;
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                let _ = to.shutdown(std::net::Shutdown::Both);
                return None;
            }
        }
    }
}
