//! Writes matches as PGN. Chess is written in standard algebraic notation, every other game in the spelling of its moves
//! with the tag `Variant`.

use std::io::{self, Write};

use engine_proto::games::chess::Chess;
use engine_proto::proto::Score;
use engine_proto::{GameId, Games, Position};

use model::{MoveRecord, Record, SideLetter, TimeControl, Tournament};

/// The longest line of moves, as the PGN standard recommends.
const LINE: usize = 79;
/// What PGN calls Chess960.
const CHESS960: &str = "Chess960";

/// Writes one match of one of these `games`. `event` is the name of the tournament, which is given if it is known.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(
    out: &mut dyn Write,
    games: &Games,
    record: &Record,
    event: &str,
    tournament: Option<&Tournament>,
) -> io::Result<()> {
    let result = record.result.to_string();
    let is_chess = record.game == GameId::CHESS;
    let round = record.pair.to_string();
    let id = record.number.to_string();
    let plies = record.plies.to_string();
    let variant = if record.game == GameId::CHESS960 { CHESS960 } else { record.game.id() };
    let is_standard = is_chess && record.opening == Chess::INFO.starts[0].fen;
    let date = record.date.as_ref().map_or_else(|| "????.??.??".to_owned(), |date| date.replace('-', "."));
    let control = |name: &str| {
        let engine = tournament.and_then(|tournament| tournament.engine(name));
        let limits = record.limits.as_deref();
        engine.map_or_else(|| Some("?".to_owned()), |engine| time_control(engine.time_control_under(limits)))
    };
    let [white, black] = [&record.white, &record.black].map(|name| control(name));
    let is_shared = white == black;
    let tags = [
        ("Event", Some(event)),
        ("Site", Some("?")),
        ("Date", Some(&date)),
        ("Round", Some(&round)),
        ("White", Some(&record.white)),
        ("Black", Some(&record.black)),
        ("Result", Some(&result)),
        ("GameId", Some(&id)),
        ("Variant", (!is_chess).then_some(variant)),
        ("Limits", record.limits.as_deref()),
        ("SetUp", (!is_standard).then_some("1")),
        ("FEN", (!is_standard).then_some(&record.opening)),
        ("TimeControl", white.as_deref().filter(|_| is_shared)),
        ("WhiteTimeControl", white.as_deref().filter(|_| !is_shared)),
        ("BlackTimeControl", black.as_deref().filter(|_| !is_shared)),
        ("PlyCount", Some(&plies)),
        ("Termination", Some(&record.reason)),
    ];
    for (name, value) in tags {
        if let Some(value) = value {
            writeln!(out, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))?;
        }
    }
    writeln!(out)?;
    let mut lines = Lines { out, length: 0 };
    let mut play = games.play(record.game, &record.opening).ok();
    let mut number = first_number(record);
    let mut before = None;
    for mv in &record.moves {
        match (before, mv.side) {
            (None, SideLetter::White) => lines.add(&format!("{number}."))?,
            (None, SideLetter::Black) => lines.add(&format!("{number}..."))?,
            (Some(SideLetter::Black), SideLetter::White) => {
                number += 1;
                lines.add(&format!("{number}."))?;
            }
            (Some(_), _) => {}
        }
        before = Some(mv.side);
        let notation = play.as_ref().and_then(|play| play.notation(&mv.mv));
        lines.add(notation.as_deref().unwrap_or(&mv.mv))?;
        for word in comment(mv).split(' ') {
            lines.add(word)?;
        }
        // A move that is not legal in this version of the rules is written as it was recorded.
        play = play.filter(|_| notation.is_some()).map(|mut play| {
            let _ = play.play(&mv.mv);
            play
        });
    }
    lines.add(&result)?;
    writeln!(lines.out, "\n")
}

/// A time control as the PGN standard writes it, in seconds: `40/60+0.6`, `10+0.1`. A time for each move is `1/5`; PGN has
/// no form for limits without time.
pub fn time_control(control: &TimeControl) -> Option<String> {
    let moves = control.moves_to_go.map_or_else(String::new, |moves| format!("{moves}/"));
    Some(match (control.base, control.move_time) {
        (Some(base), _) if control.increment.is_zero() => format!("{moves}{}", base.as_secs_f64()),
        (Some(base), _) => format!("{moves}{}+{}", base.as_secs_f64(), control.increment.as_secs_f64()),
        (None, Some(time)) => format!("1/{}", time.as_secs_f64()),
        (None, None) => return None,
    })
}

/// The number of the first move: in chess, the one of the opening.
fn first_number(record: &Record) -> u32 {
    let is_chess = [GameId::CHESS, GameId::CHESS960].contains(&record.game);
    let number = record.opening.rsplit(' ').next().and_then(|number| number.parse().ok());
    number.filter(|_| is_chess).unwrap_or(1)
}

/// Evaluation, depth and time of a move as fastchess and Cute Chess write them: `{+0.31/12 0.104s}`, `{-M4/20 0.020s}`.
fn comment(mv: &MoveRecord) -> String {
    format!("{{{}}}", claim(mv))
}

/// The same without the braces of a comment.
pub fn claim(mv: &MoveRecord) -> String {
    let time = format!("{:.3}s", mv.time_us as f64 / 1e6);
    let score = mv.score.as_deref().and_then(|score| score.parse().ok()).map(|score| match score {
        Score::Centi(centi) => format!("{:+.2}", f64::from(centi) / 100.0),
        Score::Win(moves) => format!("+M{moves}"),
        Score::Loss(moves) => format!("-M{moves}"),
    });
    match (score, mv.depth) {
        (Some(score), depth) => format!("{score}/{} {time}", depth.unwrap_or_default()),
        (None, _) => time,
    }
}

/// Words, broken into lines.
struct Lines<'a> {
    out: &'a mut dyn Write,
    length: usize,
}

impl Lines<'_> {
    fn add(&mut self, word: &str) -> io::Result<()> {
        let length = word.chars().count();
        if self.length != 0 && LINE < self.length + 1 + length {
            writeln!(self.out)?;
            self.length = 0;
        } else if self.length != 0 {
            write!(self.out, " ")?;
            self.length += 1;
        }
        self.length += length;
        write!(self.out, "{word}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Parser;
    use model::samples;

    fn record(game: GameId, opening: &str, moves: &[(&str, Option<&str>)]) -> Record {
        let mut play = Games::built_in().play(game, opening).unwrap();
        let moves = moves
            .iter()
            .map(|(mv, score)| {
                let side = play.side_to_move().into();
                play.play(mv).unwrap();
                MoveRecord {
                    score: score.map(str::to_owned),
                    depth: score.map(|_| 9),
                    ..MoveRecord::new(*mv, side, 12_345)
                }
            })
            .collect::<Vec<_>>();
        let plies = moves.len() as u32;
        Record { game, opening: opening.to_owned(), moves, plies, ..samples::record() }
    }

    fn pgn(record: &Record) -> String {
        let mut out = Vec::new();
        write(&mut out, Games::built_in(), record, "a \"cup\"", None).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn chess_in_standard_notation() {
        let start = Chess::INFO.starts[0].fen;
        let moves = [
            ("e2e4", Some("cp 31")),
            ("e7e5", Some("cp -7")),
            ("f1c4", None),
            ("b8c6", Some("loss 4")),
            ("d1h5", Some("win 1")),
            ("g8f6", None),
            ("h5f7", None),
        ];
        let text = pgn(&record(GameId::CHESS, start, &moves));
        assert!(
            text.starts_with(
                "[Event \"a \\\"cup\\\"\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n"
            ),
            "{text}"
        );
        assert!(!text.contains("FEN") && !text.contains("Variant"), "{text}");
        let body = text.split("\n\n").nth(1).unwrap().replace('\n', " ");
        assert!(
            body.starts_with(
                "1. e4 {+0.31/9 0.012s} e5 {-0.07/9 0.012s} 2. Bc4 {0.012s} Nc6 {-M4/9 0.012s} 3. Qh5 {+M1/9 0.012s} \
                 Nf6 {0.012s} 4. Qxf7# {0.012s} "
            ),
            "{body}"
        );
        assert!(text.lines().all(|line| line.starts_with('[') || line.chars().count() < 80));
    }

    #[test]
    fn dates_and_time_controls() {
        let mut tournament = samples::tournament(&["one", "two"], 1);
        let engine = std::sync::Arc::make_mut(&mut tournament.engines[0]);
        let base = Some(std::time::Duration::from_secs(60));
        engine.time_control.base = base;
        engine.time_control.increment = std::time::Duration::from_millis(600);
        let names = || ("one".to_owned(), "two".to_owned());
        let record = Record { date: Some("2026-05-01".to_owned()), ..samples::record() };
        let record = Record { white: names().0, black: names().1, ..record };
        let tags = |tournament: &Tournament| {
            let mut out = Vec::new();
            write(&mut out, Games::built_in(), &record, "cup", Some(tournament)).unwrap();
            String::from_utf8(out).unwrap()
        };
        let text = tags(&tournament);
        assert!(text.contains("[Date \"2026.05.01\"]\n"), "{text}");
        assert!(text.contains("[WhiteTimeControl \"60+0.6\"]\n[PlyCount"), "{text}");
        let control = tournament.engines[0].time_control.clone();
        std::sync::Arc::make_mut(&mut tournament.engines[1]).time_control =
            TimeControl { moves_to_go: Some(40), ..control.clone() };
        std::sync::Arc::make_mut(&mut tournament.engines[0]).time_control =
            TimeControl { moves_to_go: Some(40), ..control };
        assert!(tags(&tournament).contains("[TimeControl \"40/60+0.6\"]\n"));
        for engine in &mut tournament.engines {
            let control = &mut std::sync::Arc::make_mut(engine).time_control;
            (control.base, control.move_time) = (None, None);
        }
        assert!(!tags(&tournament).contains("TimeControl"));
    }

    #[test]
    fn a_position_is_set_up_and_numbered() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20";
        let text = pgn(&record(GameId::CHESS, fen, &[("e8c8", None), ("e1g1", None)]));
        assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")), "{text}");
        assert!(text.contains("20... O-O-O {0.012s} 21. O-O {0.012s}"), "{text}");
        let fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
        let text = pgn(&record(GameId::CHESS960, fen, &[("f1h1", None)]));
        assert!(text.contains("[Variant \"Chess960\"]") && text.contains("1. O-O {0"), "{text}");
    }

    /// What is written is read: by the same parser as files of other programs.
    #[test]
    fn every_game_is_read_back() {
        for game in Games::built_in().known() {
            let mut play = Games::built_in().startpos(game).unwrap();
            let opening = play.fen();
            let mut moves = Vec::new();
            while moves.len() < 30 && play.end().is_none() {
                let mv = play.legal_moves().swap_remove(moves.len() % 2);
                play.play(&mv).unwrap();
                moves.push(mv);
            }
            let told: Vec<(&str, Option<&str>)> = moves.iter().map(|mv| (mv.as_str(), None)).collect();
            let text = pgn(&record(game, &opening, &told));
            let mut parser = Parser::with_moves(text.as_bytes());
            let read = parser.next_game().unwrap().unwrap();
            let mut play = Games::built_in().play(game, &opening).unwrap();
            for (word, mv) in read.words.iter().zip(&moves) {
                assert_eq!(play.read_move(word).as_ref(), Some(mv), "{game}: {word}");
                play.play(mv).unwrap();
            }
            assert_eq!(read.words.len(), moves.len(), "{game}: {text}");
            assert!(parser.next_game().unwrap().is_none(), "{game}");
        }
    }
}
