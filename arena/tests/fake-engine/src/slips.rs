//! Mistakes that authors make in their first engine. Each changes what is said, and nothing else.
//!
//! `uciok`, `ready` (`ready ok`), `option` (one that is malformed), `latin1` (a name that is not UTF-8), `game` (an id that does
//! not exist), `buffered` (nothing is written before the end of the input), `open` (`ugiok` without a line end), `dash`
//! (`c1-c2`), `upper` (`C1C2`), `overrun` (answers 80 ms after the end of its time).

use std::sync::{Mutex, OnceLock};
use std::thread::sleep;
use std::time::Duration;

static SLIP: OnceLock<String> = OnceLock::new();
/// What waits for the end of the input.
static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Makes this mistake from now on.
pub fn choose(slip: &str) {
    let all = ["uciok", "ready", "option", "latin1", "game", "buffered", "open", "dash", "upper", "overrun"];
    assert!(all.contains(&slip), "unknown slip `{slip}`");
    SLIP.get_or_init(|| slip.to_owned());
}

/// A line as it is written with the mistake.
pub fn written(line: Vec<u8>) -> Vec<u8> {
    let Some(slip) = SLIP.get() else { return line };
    let text = String::from_utf8(line).expect("lines are texts");
    let words: Vec<&str> = text.split_whitespace().collect();
    let other = match (slip.as_str(), words.as_slice()) {
        ("uciok", ["ugiok"]) => "uciok\n".to_owned(),
        ("ready", ["readyok"]) => "ready ok\n".to_owned(),
        ("open", ["ugiok"]) => "ugiok".to_owned(),
        ("option", ["option", "name", "Hash", ..]) => {
            "option name Hash type spin default 16 min 32 max 64\n".to_owned()
        }
        ("game", ["option", "name", "Game", ..]) => {
            "option name Game type combo default pushpush var pushpush\n".to_owned()
        }
        ("latin1", ["id", "name", ..]) => return b"id name J\xf6rg 1.0\n".to_vec(),
        ("dash", ["bestmove", mv]) => format!("bestmove {}-{}\n", &mv[..2], &mv[2..]),
        ("upper", ["bestmove", mv]) => format!("bestmove {}\n", mv.to_uppercase()),
        ("buffered", _) => {
            BUFFER.lock().expect("one thread").extend(text.into_bytes());
            String::new()
        }
        _ => text,
    };
    other.into_bytes()
}

/// Waits beyond the least of the times that are left, if it is short.
pub fn overrun(limits: &[&str]) {
    if SLIP.get().is_none_or(|slip| slip != "overrun") || limits[0] == "nodes" {
        return;
    }
    let times = limits.windows(2).filter(|pair| ["p1time", "p2time", "movetime"].contains(&pair[0]));
    let least = times.filter_map(|pair| pair[1].parse::<u64>().ok()).min();
    if let Some(least) = least.filter(|least| *least <= 200) {
        sleep(Duration::from_millis(least + 80));
    }
}

/// Writes what waits for the end.
pub fn end() {
    super::write_or_exit(&BUFFER.lock().expect("one thread"));
}
