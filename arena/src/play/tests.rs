//! Matches between scripted opponents, without processes.

use std::time::{Duration, Instant};

use engine_proto::proto::Score;
use ratings::MatchResult;

use super::play_match;
use crate::machine::run_queue::Waits;
use crate::opponent::{Answer, Opponent, Setup, Shortage, Turn};
use crate::referee::{Heard, SearchInfo};
use crate::tournament::{Job, MatchRules, Moved, Player, Record, TimeControl, samples};

const MS: Duration = Duration::from_millis(1);

/// A scripted opponent; each move takes 5 ms.
#[derive(Default)]
struct Script {
    /// What it does instead of getting ready.
    prepared: Option<Heard>,
    /// Its answers in order, followed by first legal moves.
    answers: Vec<Heard>,
    /// How late the answers are, and how long the two sides waited for a processor.
    late: Option<(Duration, Waits)>,
    /// The requests that it got.
    setups: Vec<Setup>,
    questions: Vec<String>,
}

impl Opponent for Script {
    async fn prepare(&mut self, setup: &Setup) -> Result<Heard, Shortage> {
        self.setups.push(*setup);
        Ok(self.prepared.clone().unwrap_or(Heard::Ready))
    }

    async fn ask(&mut self, turn: &Turn<'_>) -> Answer {
        self.questions.push(turn.position.to_owned());
        let heard = if self.answers.is_empty() {
            let info = SearchInfo {
                score: Some(Score::Centi(12)),
                depth: Some(3),
                nodes: Some(40),
                time: None,
                principal_variation: Some("a1a2 b1b2".to_owned()),
            };
            Heard::Move { text: turn.play.legal_moves()[0].clone(), took: 5 * MS, info }
        } else {
            self.answers.remove(0)
        };
        let now = Instant::now();
        Answer { heard, asked_at: now, read_at: now, late: self.late }
    }
}

/// A match of at most six plies with 100 ms on the clocks.
fn job() -> Job {
    let job = samples::job();
    let rules = MatchRules { max_plies: 6, ..job.rules };
    let players = job.players.map(|player| {
        let time_control = TimeControl {
            base: Some(100 * MS),
            increment: MS,
            nodes: None,
            ..player.engine.time_control.clone()
        };
        let engine = crate::tournament::Engine { time_control, ..player.engine.as_ref().clone() };
        Player { engine: engine.into(), ..player }
    });
    Job { players, rules, ..job }
}

fn play(white: &mut Script, black: &mut Script, on_move: Option<&mut dyn FnMut(Moved)>) -> Record {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(play_match(&job(), white, black, on_move)).unwrap()
}

#[test]
fn both_are_asked_in_turn_until_the_rules_end_it() {
    let (mut white, mut black) = (Script::default(), Script::default());
    let record = play(&mut white, &mut black, None);
    assert_eq!((record.result, record.reason.as_str(), record.plies), (MatchResult::Draw, "move-cap", 6));
    assert_eq!((record.white_ms, record.black_ms), (15, 15));
    assert_eq!((white.setups.len(), black.setups.len()), (1, 1));
    assert_ne!(white.setups[0].seed, black.setups[0].seed);
    assert_eq!((white.questions.len(), black.questions.len()), (3, 3));
    let moves: Vec<_> = record.moves.iter().map(|mv| mv.mv.as_str()).collect();
    assert!(black.questions[2].ends_with(&moves[..5].join(" ")), "{}", black.questions[2]);
    let mut play = record.game.play(&record.opening).unwrap();
    for mv in moves {
        play.play(mv).unwrap();
    }
    assert_eq!(play.fen(), record.end);
}

#[test]
fn who_wants_to_know_is_told_of_each_move() {
    let mut told = Vec::new();
    let mut tell = |moved| told.push(moved);
    let record = play(&mut Script::default(), &mut Script::default(), Some(&mut tell));
    assert_eq!(told.len(), 6);
    for (idx, (moved, mv)) in told.iter().zip(&record.moves).enumerate() {
        assert_eq!((moved.number, moved.ply as usize), (1, idx + 1));
        assert_eq!((&moved.mv, moved.side, moved.time_us), (&mv.mv, mv.side, 5000));
        assert_eq!((moved.score.as_deref(), moved.depth, moved.nodes), (Some("cp 12"), Some(3), Some(40)));
        assert_eq!(moved.principal_variation.as_deref(), Some("a1a2 b1b2"));
        assert_eq!(moved.principal_variation, mv.principal_variation);
    }
    // A move takes 5 ms, and 1 ms is added.
    let clocks: Vec<_> = told.iter().map(|moved| moved.clocks_ms.map(Option::unwrap)).collect();
    assert_eq!(clocks, [[96, 100], [96, 96], [92, 96], [92, 92], [88, 92], [88, 88]]);
}

#[test]
fn a_fault_loses_the_match_of_its_side() {
    let exit = Heard::Exit { how: "ended with exit status: 3".to_owned() };
    let rubbish = Heard::Rubbish { what: "`bestmove`: no move".to_owned() };
    let silence = Heard::Silence { after: 121 * MS };
    let illegal = Heard::Move { text: "a1a9".to_owned(), took: MS, info: SearchInfo::default() };
    let answers =
        [(exit, "crash"), (rubbish, "protocol-error"), (silence, "time"), (illegal, "illegal-move")];
    for (answer, reason) in answers {
        let mut told = 0;
        let mut tell = |_| told += 1;
        let mut black = Script { answers: vec![answer], ..Script::default() };
        let record = play(&mut Script::default(), &mut black, Some(&mut tell));
        assert_eq!((record.result, record.reason.as_str()), (MatchResult::WhiteWins, reason));
        assert_eq!((record.plies, told), (1, 1), "{reason}: what was not played is not told");
    }
    for prepared in [Heard::NoStart { why: "it is not there".to_owned() }, Heard::Silence { after: MS }] {
        let mut white = Script { prepared: Some(prepared), ..Script::default() };
        let record = play(&mut white, &mut Script::default(), None);
        assert_eq!((record.result, record.reason.as_str()), (MatchResult::BlackWins, "start-failure"));
    }
}

#[test]
fn a_late_move_on_a_busy_machine_has_its_evidence() {
    let late = |waited: u32| {
        let mv = Heard::Move { text: "c1c2".to_owned(), took: 150 * MS, info: SearchInfo::default() };
        let waits = Waits { engine: waited * MS, arena: Duration::ZERO };
        Script { answers: vec![mv], late: Some((150 * MS, waits)), ..Script::default() }
    };
    let record = play(&mut late(60), &mut Script::default(), None);
    assert_eq!((record.reason.as_str(), record.plies), ("time", 0));
    assert_eq!(record.machine_delay.map(|delay| (delay.overrun_us, delay.engine_us)), Some((50_000, 60_000)));
    assert!(record.evidence.unwrap().contains("the machine was busy"));
    // It waited for less time than it was late.
    assert_eq!(play(&mut late(40), &mut Script::default(), None).machine_delay, None);
}
