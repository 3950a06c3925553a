//! One match in the form of the page's data, for a page that shows only its replay.

use std::collections::BTreeMap;

use engine_proto::{Games, Side};
use serde_json::{Value, json};

use super::match_table::MatchTable;
use super::page::{GameName, clock};
use super::played_game::PlayedGame;
use super::reasons;
use super::replayed::Replayed;
use model::{Record, TimeControl};

/// A match to be shown.
#[derive(Clone, Debug)]
pub struct Single<'a> {
    /// The games, with that of the match.
    pub games: &'a Games,
    /// The match.
    pub record: &'a Record,
    /// The names of all folders.
    pub folders: &'a [&'a str],
    /// The index of its folder.
    pub folder: usize,
    /// How commands name its folder.
    pub path: &'a str,
    /// The values of `--referee`, by game.
    pub referees: &'a BTreeMap<String, String>,
    /// The time controls of White and Black, if they are known.
    pub time_controls: [Option<&'a TimeControl>; 2],
    /// Whether the page above this one is that of the tournament, with its engines.
    pub has_tournament: bool,
    /// The previous match, the next one, and the other one of the pair, as they are named in addresses.
    pub beside: [Option<String>; 3],
    /// The end of the addresses of other pages.
    pub ending: &'a str,
}

impl Single<'_> {
    /// The data of the scripts, and the block with the replay.
    pub fn data(&self) -> (Value, String) {
        let Self {
            games,
            record,
            folders,
            folder,
            path,
            referees,
            time_controls,
            has_tournament,
            ending,
            ref beside,
        } = *self;
        let mut table = MatchTable::default();
        table.add(games, record, &Replayed::of(games, record, false), (folder, None), [0, 1]);
        table.finish(&[0, 1]);
        let game = PlayedGame::of(record);
        let endings: BTreeMap<&str, [String; 3]> =
            [(record.reason.as_str(), reasons::outcomes(games, record.game, &record.reason))].into();
        let no_clocks: [Vec<Option<Value>>; 1] = [vec![None; 2]];
        let clocks = Side::ALL.map(|side| json!(time_controls[side.index()].map(clock)));
        let clocks: Vec<Value> = (0..folders.len())
            .map(|idx| if idx == folder { json!([clocks]) } else { json!(no_clocks) })
            .collect();
        let data = json!({
            "folders": folders,
            "paths": vec![path; folders.len()],
            "referees": vec![referees; folders.len()],
            "engines": [record.white, record.black],
            "games": [GameName::of(games, &game, 0)],
            "boards": table.boards(),
            "matches": table.columns(std::slice::from_ref(&game)),
            "clocks": clocks,
            "terms": [],
            "endings": { game.id(): endings },
            "home": has_tournament.then_some("../"),
            "beside": beside,
            "rules": games.info(record.game).is_ok_and(|info| !info.rules.is_empty()).then(|| format!("../rules/{}{ending}", record.game.id())),
        });
        let block = table.blocks().pop().expect("a match is in a block");
        (data, block)
    }
}
