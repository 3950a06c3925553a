//! The live pages in a real browser, as their visitors use them. Needs Chromium, so `cargo test` leaves it out:
//!
//! ```sh
//! cargo it live_browser:: --ignored
//! ```
//!
//! `CHROMIUM` names another browser program, `AXE` the script of axe-core, and `SCREENSHOTS` a folder for pictures.

mod analyse;
mod board;
mod play;
mod player;
mod watch;

use std::fs;
use std::path::PathBuf;

use engine_proto::GameId;
use serde_json::json;

use crate::common::browser::Browser;
use crate::common::journal::MadeUp;

const LEAGUE: MadeUp<'_> =
    MadeUp { engines: &["alpha", "beta", "gamma"], games: GameId::BUILT_IN, pairs: 1, max_plies: 30 };

/// What axe-core finds on the page as it is shown, in both colours and on a phone.
pub fn check_access(browser: &mut Browser, name: &str) {
    let Some(axe) = std::env::var_os("AXE") else {
        eprintln!("axe-core is skipped: AXE does not name axe.min.js; `npm pack axe-core` fetches it");
        return;
    };
    browser.evaluate(&fs::read_to_string(axe).unwrap());
    // Only the contrast depends on the scheme.
    for (scheme, rules) in [("light", ""), ("dark", ", runOnly: ['color-contrast']")] {
        for width in [1280, 390] {
            browser.prefer(scheme);
            browser.resize(width, 900);
            let found = browser.evaluate(&format!(
                "axe.run({{ resultTypes: ['violations']{rules} }}).then(({{ violations }}) => violations
                   .map(({{ id, nodes }}) => `${{id}}: ${{nodes[0].html}}`))"
            ));
            assert_eq!(found, json!([]), "{name}, {scheme}, {width}");
        }
    }
    browser.resize(1280, 900);
    browser.prefer("light");
}

/// Pictures of the page: light, dark, and on a phone.
pub fn take_pictures(browser: &mut Browser, name: &str) {
    let Some(folder) = std::env::var_os("SCREENSHOTS").map(PathBuf::from) else { return };
    fs::create_dir_all(&folder).unwrap();
    for (kind, scheme, width) in [("", "light", 1280), ("-dark", "dark", 1280), ("-phone", "light", 390)] {
        browser.prefer(scheme);
        browser.resize(width, if width < 500 { 844 } else { 900 });
        browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        browser.screenshot(&folder.join(format!("{name}{kind}.webp")));
    }
    browser.prefer("light");
    browser.resize(1280, 900);
}

/// Nothing is wider than the window of a phone.
pub fn check_width(browser: &mut Browser, name: &str) {
    browser.resize(390, 844);
    let width = browser.evaluate("document.documentElement.scrollWidth");
    assert!(width.as_u64().unwrap() <= 390, "{name}: {width}");
    browser.resize(1280, 900);
}

fn assert_no_errors(browser: &Browser) {
    assert_eq!(browser.errors, [""; 0]);
}

/// Where these elements are on the page, wherever it is scrolled to.
fn places(selector: &str) -> String {
    format!(
        "JSON.stringify([...document.querySelectorAll({})].map((one) => one.getBoundingClientRect()).filter(({{ width }}) => 0 < width).map(({{ x, y, width, height }}) => [x, y + scrollY, width, height].map(Math.round)))",
        json!(selector)
    )
}

/// The names of squares in a move, in order.
fn squares_of(mv: &str) -> Vec<String> {
    let bytes = mv.as_bytes();
    let mut squares = Vec::new();
    for (idx, byte) in bytes.iter().enumerate() {
        let digits = bytes[idx + 1..].iter().take(2).take_while(|digit| digit.is_ascii_digit()).count();
        if byte.is_ascii_lowercase() && 0 < digits && bytes[idx + 1] != b'0' {
            squares.push(mv[idx..=idx + digits].to_owned());
        }
    }
    squares
}
