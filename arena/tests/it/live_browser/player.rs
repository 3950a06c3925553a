//! A person at the page of `arena play`.

use std::process::Command;

use engine_proto::{GameId, Games};
use serde_json::json;
use tempfile::TempDir;

use super::squares_of;
use crate::common;
use crate::common::browser::Browser;
use crate::common::site::Site;

/// A person at the page, in the browser.
pub struct Player {
    pub browser: Browser,
    pub _site: Site,
    pub folder: TempDir,
}

impl Player {
    pub fn start(game: GameId, args: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Of the engine's two protocols, each lists its own games.
        let mode = if game == GameId::CHESS { "uci" } else { "good" };
        let fake = format!("fake={} {mode}", common::fake_engine().display());
        Self::against(&fake, folder, &[&["--game", game.id()], args].concat())
    }

    /// Against an engine, in a folder for the results.
    pub fn against(engine: &str, folder: TempDir, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.current_dir(folder.path()).arg("play").arg(engine);
        let site = Site::start(command.args(["--results", "games"]).args(args));
        let mut browser = Browser::start();
        browser.visit(&site.url(""));
        Self { browser, _site: site, folder }
    }

    /// Against an engine that answers after so many milliseconds, in Push Push.
    pub fn against_slow(answers_after: u32, args: &[&str]) -> Self {
        let fake = format!("fake={} slow-{answers_after}", common::fake_engine().display());
        let args = [&["--game", GameId::PUSH_PUSH.id()], args].concat();
        Self::against(&fake, tempfile::tempdir().unwrap(), &args)
    }

    /// Waits until the person must move; false if the match is over.
    pub fn is_to_move(&mut self) -> bool {
        self.browser.wait_for("['you', 'over'].includes(document.body.dataset.turn)");
        self.browser.evaluate("document.body.dataset.turn") == "you"
    }

    pub fn ply(&mut self) -> u64 {
        self.browser.evaluate("Number(document.body.dataset.ply)").as_u64().unwrap()
    }

    pub fn legal_moves(&mut self, game: GameId) -> Vec<String> {
        let fen = self.browser.evaluate("document.getElementById('fen').value");
        Games::built_in().play(game, fen.as_str().unwrap()).unwrap().legal_moves()
    }

    /// Makes two moves, and waits for the answers.
    pub fn move_twice(&mut self, game: GameId) {
        for _ in 0..2 {
            assert!(self.is_to_move());
            let mv = self.legal_moves(game)[0].clone();
            self.click_move(&mv);
        }
        assert!(self.is_to_move());
    }

    /// Gives up after two moves: before, a match is aborted.
    pub fn lose(&mut self, game: GameId) {
        self.move_twice(game);
        self.browser.click("#resign");
        self.browser.click("#resign");
        self.browser.wait_for("!document.getElementById('after').hidden");
    }

    pub fn assert_verified(&self) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        let output = command.current_dir(self.folder.path()).args(["verify", "games"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }

    /// Makes a move as a person does: the squares in order, and a choice where they do not say enough.
    pub fn click_move(&mut self, mv: &str) {
        let before = self.ply();
        let squares = squares_of(mv);
        for square in &squares {
            self.browser.click(&format!("#board [data-square={square}]"));
        }
        let choice = format!("#choices [data-move={}]", json!(mv));
        let is_offered =
            self.browser.evaluate(&format!("document.querySelector({}) !== null", json!(choice)));
        if is_offered == json!(true) {
            self.browser.click(&choice);
        }
        let is_made = format!("{before} < Number(document.body.dataset.ply)");
        if !self.browser.holds_soon(&is_made) {
            let page = self.browser.evaluate("document.querySelector('main').innerText");
            panic!("{mv} was not made: {page}; {:?}", self.browser.errors);
        }
    }
}

/// Chooses from a list of the menu.
pub fn choose(browser: &mut Browser, id: &str, value: &str) {
    browser.evaluate(&format!(
        "(() => {{ const list = document.getElementById('choose-{id}');
           list.value = {}; list.dispatchEvent(new Event('change')); }})()",
        json!(value)
    ));
    assert_eq!(browser.evaluate(&format!("document.getElementById('choose-{id}').value")), json!(value));
}
