//! Matches between scripted opponents, without processes.

use std::time::{Duration, Instant};

use engine_proto::Games;
use engine_proto::proto::{GameOver, Score};
use ratings::MatchResult;

use super::play_match;
use host::machine::run_queue::Waits;
use model::referee::{Response, SearchInfo};
use model::{Job, MatchRules, Moved, Player, Record, TimeControl, samples};
use opponent::{Answer, Opponent, Pondered, Setup, Shortage, Turn};

const MS: Duration = Duration::from_millis(1);

/// A scripted opponent; each move takes 5 ms.
#[derive(Default)]
struct Script {
    /// What it does instead of getting ready.
    prepared: Option<Response>,
    /// Its answers in order, followed by first legal moves.
    answers: Vec<Response>,
    /// How late the answers are, and how long the two sides waited for a processor.
    late: Option<(Duration, Waits)>,
    /// The requests that it got.
    setups: Vec<Setup>,
    questions: Vec<String>,
    /// Whether each request came with an offer of a draw.
    offers: Vec<bool>,
    /// What it was to ponder on.
    pondered_on: Vec<String>,
    /// How the match ended, as it was told.
    over: Option<String>,
}

impl Opponent for Script {
    async fn prepare(&mut self, setup: &Setup) -> Result<Response, Shortage> {
        self.setups.push(*setup);
        Ok(self.prepared.clone().unwrap_or(Response::Ready))
    }

    async fn ask(&mut self, turn: &Turn<'_>) -> Answer {
        self.questions.push(turn.position.to_owned());
        self.offers.push(turn.draw_is_offered);
        let heard = if self.answers.is_empty() {
            let info = SearchInfo {
                score: Some(Score::Centi(12)),
                depth: Some(3),
                nodes: Some(40),
                time: None,
                principal_variation: Some("a1a2 b1b2".to_owned()),
                ..SearchInfo::default()
            };
            Response::Move { text: turn.play.legal_moves()[0].clone(), took: 5 * MS, info }
        } else {
            self.answers.remove(0)
        };
        let now = Instant::now();
        let pondered = match self.pondered_on.last() {
            Some(position) if position == turn.position => Pondered::Hit,
            Some(_) => Pondered::Miss,
            None => Pondered::No,
        };
        Answer { heard, asked_at: now, read_at: now, pondered, late: self.late }
    }

    async fn ponder(&mut self, turn: &Turn<'_>) {
        self.pondered_on.push(turn.position.to_owned());
    }

    async fn game_over(&mut self, over: &GameOver<'_>) {
        assert_eq!(self.over.replace(over.to_string()), None, "it is told once");
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
        let engine = model::Engine { time_control, ..player.engine.as_ref().clone() };
        Player { engine: engine.into(), ..player }
    });
    Job { players, rules, ..job }
}

fn play(white: &mut Script, black: &mut Script, on_move: Option<&mut dyn FnMut(Moved)>) -> Record {
    play_job(&job(), white, black, on_move)
}

fn play_job(
    job: &Job,
    white: &mut Script,
    black: &mut Script,
    on_move: Option<&mut dyn FnMut(Moved)>,
) -> Record {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(play_match(Games::built_in(), job, white, black, on_move)).unwrap()
}

/// A scripted opponent that answers with these moves, each with an expected reply after `>`, and an offer after `=`.
fn answering(moves: &[&str]) -> Script {
    let answer = |text: &&str| {
        let (text, draw) = text.strip_suffix('=').map_or((*text, false), |text| (text, true));
        let (text, reply) = text.split_once('>').map_or((text, None), |(text, reply)| (text, Some(reply)));
        let reply = reply.map(str::to_owned);
        Response::Move {
            text: text.to_owned(),
            took: 5 * MS,
            info: SearchInfo { reply, draw, ..SearchInfo::default() },
        }
    };
    Script { answers: moves.iter().map(answer).collect(), ..Script::default() }
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
    let mut play = Games::built_in().play(record.game, &record.opening).unwrap();
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
    let exit = Response::Exit { how: "ended with exit status: 3".to_owned() };
    let rubbish = Response::Rubbish { what: "`bestmove`: no move".to_owned() };
    let silence = Response::Silence { after: 121 * MS };
    let illegal = Response::Move { text: "a1a9".to_owned(), took: MS, info: SearchInfo::default() };
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
    for prepared in [Response::NoStart { why: "it is not there".to_owned() }, Response::Silence { after: MS }]
    {
        let mut white = Script { prepared: Some(prepared), ..Script::default() };
        let record = play(&mut white, &mut Script::default(), None);
        assert_eq!((record.result, record.reason.as_str()), (MatchResult::BlackWins, "start-failure"));
    }
}

#[test]
fn a_late_move_on_a_busy_machine_has_its_evidence() {
    let late = |waited: u32| {
        let mv = Response::Move { text: "c1c2".to_owned(), took: 150 * MS, info: SearchInfo::default() };
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

/// A match of Push Push.
fn push_push(ponder: bool) -> Job {
    let job = job();
    let rules = MatchRules { ponder, ..job.rules };
    let opening = "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0".to_owned();
    Job { game: engine_proto::GameId::PUSH_PUSH, opening, rules, ..job }
}

#[test]
fn a_resignation_ends_the_match_and_both_are_told() {
    let (mut white, mut black) = (answering(&["c1c2"]), answering(&["resign"]));
    let record = play_job(&push_push(false), &mut white, &mut black, None);
    assert_eq!((record.result, record.reason.as_str()), (MatchResult::WhiteWins, "resign"));
    assert_eq!((record.plies, record.black_ms, record.evidence), (1, 5, None));
    for script in [white, black] {
        assert_eq!(script.over.as_deref(), Some("gameover p1win resign"));
    }
}

#[test]
fn an_offer_reaches_the_opponent_and_two_are_an_agreement() {
    let (mut white, mut black) =
        (answering(&["c1c2=", "c2c3", "d1d2="]), answering(&["a7a6", "a6a5=", "b7b6"]));
    let record = play_job(&push_push(false), &mut white, &mut black, None);
    assert_eq!((record.result, record.reason.as_str(), record.plies), (MatchResult::Draw, "agreement", 5));
    assert_eq!((white.offers, black.offers), (vec![false, false, true], vec![true, false]));
    let draws: Vec<bool> = record.moves.iter().map(|mv| mv.draw).collect();
    assert_eq!(draws, [true, false, false, true, true]);
    assert_eq!(white.over.as_deref(), Some("gameover draw agreement"));
}

#[test]
fn opponents_ponder_on_the_reply_that_they_expect() {
    let moves = [["c1c2>a7a6", "c2c3>a7a5", "d1d2"], ["a7a6", "b7b6>b1b2", "c7c6"]];
    let (mut white, mut black) = (answering(&moves[0]), answering(&moves[1]));
    let job = push_push(true);
    let record = play_job(&job, &mut white, &mut black, None);
    assert!(record.ponder && white.setups[0].ponders && black.setups[0].ponders);
    let moves = |n: usize| record.moves[..n].iter().map(|mv| mv.mv.as_str()).collect::<Vec<_>>().join(" ");
    // The second reply of White's is not legal; Black's engine guessed wrong.
    assert_eq!(white.pondered_on, [format!("position fen {} moves {}", job.opening, moves(2))]);
    assert_eq!(black.pondered_on, [format!("position fen {} moves {} b1b2", job.opening, moves(4))]);
    let hits: Vec<bool> = record.moves.iter().map(|mv| mv.ponder_hit).collect();
    assert_eq!(hits, [false, false, true, false, false, false]);
    assert_eq!(record.moves[5].arena_us, None, "the engine was stopped first");
    // Nobody ponders where it was not agreed.
    let mut white = answering(&["c1c2>a7a6"]);
    let record = play_job(&push_push(false), &mut white, &mut answering(&["a7a6"]), None);
    assert!(!record.ponder && white.pondered_on.is_empty() && !white.setups[0].ponders);
}

#[test]
fn an_opponent_that_did_not_start_ends_the_match_for_the_other() {
    let mut white = Script::default();
    let prepared = Some(Response::NoStart { why: "it is not there".to_owned() });
    play(&mut white, &mut Script { prepared, ..Script::default() }, None);
    assert_eq!(white.over.as_deref(), Some("gameover p1win start-failure"));
}
