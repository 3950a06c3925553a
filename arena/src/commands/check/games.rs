//! Checks of an engine's moves, game by game. The rules decide what is legal.

use engine_proto::GameId;
use engine_proto::proto::{OptionKind, RESIGN, Reply};

use super::bench::Bench;
use super::finding::{CheckVerdict, Judged, Judgement, fail, pass, passed, skip, warn};
use super::rules;
use super::settings::{Setting, longest, sample, within_turns};
use opponent::Dialect;

/// Number of positions of each game.
const N_POSITIONS: u64 = 30;
/// Maximum number of turns with several moves, and of moves in each.
const N_TURNS: usize = 5;
const LONGEST_TURN: usize = 8;
/// Maximum number of moves of a play against itself.
const SELF_PLAY: usize = 60;
/// A search that is short with any kind of limit.
const SHORT: &str = "go nodes 100 movetime 50";

/// The moves in many positions are legal: over all starts, and in the middle of turns.
pub async fn legal(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let settings = sample(&bench.games, game, N_POSITIONS)?;
    let mut n_resigned = 0;
    for setting in &settings {
        n_resigned += usize::from(bench.ask_legal(setting, SHORT).await?.mv == RESIGN);
    }
    match (settings.len(), n_resigned) {
        (n, 0) => passed(format!("{n} positions")),
        (n, resigned) if n == resigned => {
            warn(format!("it resigned in all {n} positions, so none of its moves was checked"))
        }
        (n, resigned) => passed(format!("{n} positions; it resigned in {resigned}")),
    }
}

/// A side that moves several times in a row is asked each time, with its own earlier moves in the position.
pub async fn several_moves(bench: &mut Bench, game: GameId) -> Judged {
    let settings = within_turns(&bench.games, game, N_TURNS)?;
    if settings.is_empty() {
        return skip("no side moves twice in a row in this game");
    }
    bench.begin(game).await?;
    let mut n_moves = 0;
    for mut setting in settings {
        let side = setting.side_to_move();
        let longest = setting.n_moves() + LONGEST_TURN;
        while setting.play().end().is_none() && setting.side_to_move() == side && setting.n_moves() < longest
        {
            let answer = bench.ask_legal(&setting, SHORT).await?;
            if answer.mv == RESIGN {
                break;
            }
            setting = setting.after(&answer.mv)?;
            n_moves += 1;
        }
    }
    passed(format!("{n_moves} moves"))
}

/// `startpos` is the default start, and a position is the same in every spelling.
pub async fn startpos(bench: &mut Bench, game: GameId) -> Judged {
    if bench.greeting().dialect == Dialect::Uci && game != GameId::CHESS {
        return skip("in UCI, `startpos` is the start of chess");
    }
    bench.begin(game).await?;
    let is_told = bench.greeting().option("LegalMoves").is_some();
    let mut setting = Setting::start(&bench.games, game)?;
    for _ in 0..3 {
        for command in [setting.command_from_startpos(), setting.command_without_moves()] {
            bench.say(&command).await?;
            if is_told {
                bench.write(&setting.legal_moves_command()).await?;
            }
            bench.say(SHORT).await?;
            bench.legal_move(&setting).await?;
        }
        let Some(mv) = setting.play().legal_moves().into_iter().next() else { break };
        setting = setting.after(&mv)?;
    }
    pass()
}

/// A play from the start, both sides, until it is over or long enough.
pub async fn self_play(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let mut setting = Setting::start(&bench.games, game)?;
    while setting.n_moves() < SELF_PLAY {
        let answer = bench.ask_legal(&setting, SHORT).await?;
        if answer.mv == RESIGN {
            return match setting.n_moves() {
                0 => warn("it resigned at once, so none of its moves was checked"),
                n => passed(format!("it resigned after {n} moves")),
            };
        }
        setting = setting.after(&answer.mv)?;
        if let Some(end) = setting.play().end() {
            return passed(format!("{end} after {} moves", setting.n_moves()));
        }
    }
    passed(format!("{SELF_PLAY} moves"))
}

/// The engine accepts a position with hundreds of moves, and then the next one.
pub async fn long(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let setting = longest(&bench.games, game)?;
    let answer = bench.ask_legal(&setting, SHORT).await?;
    if answer.mv != RESIGN {
        let next = setting.after(&answer.mv)?;
        if next.play().end().is_none() {
            bench.ask_legal(&next, SHORT).await?;
        }
    }
    passed(format!("{} moves", setting.n_moves()))
}

/// After another game and `uginewgame`, an engine answers like a fresh process.
pub async fn new_game(bench: &mut Bench, game: GameId) -> Judged {
    // Many engines of UCI do not count nodes.
    let go = if bench.greeting().dialect == Dialect::Uci { "go depth 4" } else { "go nodes 500" };
    let settings = [Setting::start(&bench.games, game)?, sample(&bench.games, game, 8)?.swap_remove(7)];
    let mut rounds = Vec::new();
    for round in 0..3 {
        match round {
            // A second fresh process shows whether the engine is deterministic.
            0 | 1 => bench.begin_afresh(game).await?,
            _ => {
                for setting in sample(&bench.games, game, 4)? {
                    bench.ask(&setting, go).await?;
                }
                bench.begin(game).await?;
            }
        }
        let mut answers = Vec::new();
        for setting in &settings {
            let answer = bench.ask_legal(setting, go).await?;
            answers.push((answer.mv, answer.infos.last().map(|line| without_time(line)).unwrap_or_default()));
        }
        rounds.push(answers);
    }
    let moves = |round: usize| rounds[round].iter().map(|(mv, _)| mv.as_str()).collect::<Vec<_>>().join(" ");
    if moves(0) != moves(1) {
        let note = format!(
            "two new processes chose different moves, `{}` and `{}`, with `{go}`, so matches cannot be repeated; draw all random numbers from the option `Seed`",
            moves(0),
            moves(1)
        );
        return Ok(Judgement { verdict: CheckVerdict::Warn, note, rule: Some(rules::SEED) });
    }
    if moves(0) != moves(2) {
        return warn(format!(
            "it chose `{}`, but new processes chose `{}`: it still uses data of the last game",
            moves(2),
            moves(0)
        ));
    }
    if rounds[0] == rounds[1] && rounds[0] != rounds[2] {
        return warn(
            "it chose the same moves as new processes, but with other scores or nodes: it still uses data of the last game"
                .to_owned(),
        );
    }
    pass()
}

/// The engine uses the moves of the latest position, not those of the previous one.
pub async fn legal_moves_sent(bench: &mut Bench, game: GameId) -> Judged {
    match bench.greeting().option("LegalMoves").map(|option| &option.kind) {
        None => return skip("not needed without the option `LegalMoves`"),
        Some(OptionKind::Check { default: false }) => {}
        Some(_) => return fail("the option is not `type check default false`".to_owned()),
    }
    bench.begin(game).await?;
    let settings = sample(&bench.games, game, 6)?;
    for pair in settings.windows(2) {
        bench.set_up(&pair[0]).await?;
        bench.ask_legal(&pair[1], SHORT).await?;
    }
    pass()
}

/// The content of an `info` line that does not depend on the machine.
fn without_time(line: &str) -> String {
    match Reply::parse(line) {
        Ok(Reply::Info(mut info)) => {
            (info.time, info.nps) = (None, None);
            info.to_string()
        }
        _ => String::new(),
    }
}
