//! Journals of matches that nobody played: random moves by the rules, with made-up times, scores and depths. The same seed
//! gives the same matches.

use engine_proto::{AnyPlay, GameId, Games};
use model::{MoveRecord, Record};
use ratings::MatchResult;

/// A tournament to make up.
pub struct MadeUp<'a> {
    /// The engines' names. Everybody meets everybody.
    pub engines: &'a [&'a str],
    /// The games.
    pub games: &'a [GameId],
    /// Pairs of matches per pairing and game.
    pub pairs: u32,
    /// After this number of plies a match is a draw.
    pub max_plies: usize,
}

impl MadeUp<'_> {
    /// Its matches in the order of a schedule.
    pub fn records(&self) -> Vec<Record> {
        let mut random = SplitMix64(2026);
        let mut records = Vec::new();
        let mut pair = 0;
        for _ in 0..self.pairs {
            for (one, first) in self.engines.iter().enumerate() {
                for second in &self.engines[one + 1..] {
                    for &game in self.games {
                        pair += 1;
                        let opening = opening(game, &mut random);
                        for (white, black) in [(first, second), (second, first)] {
                            let mut record = random_match(game, &opening, self.max_plies, &mut random);
                            (record.white, record.black) = ((*white).to_owned(), (*black).to_owned());
                            (record.number, record.pair) = (records.len() as u32 + 1, pair);
                            records.push(record);
                        }
                    }
                }
            }
        }
        records
    }
}

/// A match as a line of a journal.
pub fn line(record: &Record) -> String {
    format!("{}\n", serde_json::to_string(record).unwrap())
}

fn opening(game: GameId, random: &mut SplitMix64) -> String {
    let mut play = Games::built_in().startpos(game).unwrap();
    for _ in 0..4 {
        if let Some(mv) = random.pick(&play.legal_moves()) {
            play.play(mv).unwrap();
        }
    }
    play.fen()
}

fn random_match(game: GameId, opening: &str, max_plies: usize, random: &mut SplitMix64) -> Record {
    let mut play: Box<dyn AnyPlay> = Games::built_in().play(game, opening).unwrap();
    let mut moves = Vec::new();
    while play.end().is_none() && moves.len() < max_plies {
        let legal = play.legal_moves();
        let mv = random.pick(&legal).unwrap().clone();
        // What follows is as much made up: moves of this position, but the first.
        let line =
            [&mv].into_iter().chain(legal.iter().take(5)).map(String::as_str).collect::<Vec<_>>().join(" ");
        let side = play.side_to_move();
        play.play(&mv).unwrap();
        let time_us = 500 + random.next() % 60_000;
        let score = random.next() as i64 % 900;
        moves.push(MoveRecord {
            score: Some(if random.next().is_multiple_of(40) {
                "win 3".to_owned()
            } else {
                format!("cp {score}")
            }),
            depth: Some(3 + (random.next() % 9) as u32),
            nodes: Some(1000 + random.next() % 90_000),
            claimed_us: Some(time_us / 1000 * 1000),
            arena_us: Some(20 + random.next() % 200),
            principal_variation: Some(line),
            ..MoveRecord::new(mv, side.into(), time_us)
        });
    }
    let end = play.end();
    let spent = |letter| {
        let sum: u64 = moves.iter().filter(|mv| mv.side == letter).map(|mv| mv.time_us).sum();
        sum / 1000
    };
    Record {
        game,
        opening: opening.to_owned(),
        result: MatchResult::of(end.and_then(|end| end.winner)),
        reason: end.map_or("move-cap", |end| end.reason).to_owned(),
        plies: moves.len() as u32,
        white_ms: spent(model::SideLetter::White),
        black_ms: spent(model::SideLetter::Black),
        end: play.fen(),
        moves,
        ..model::samples::record()
    }
}

/// Sebastiano Vigna's SplitMix64: enough for made-up matches.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) >> 1
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            return None;
        }
        items.get((self.next() % items.len() as u64) as usize)
    }
}
