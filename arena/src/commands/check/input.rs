//! Checks how an engine handles its input: unknown words, and different spellings of lines.

use engine_proto::{GameId, Side};

use super::bench::{Bench, GO};
use super::finding::{Fault, Judged, pass, warn};
use super::settings::early;

/// Empty lines and unknown commands change nothing.
pub async fn unknown_commands(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let setting = early(&bench.games, game, Side::Black)?;
    bench.set_up(&setting).await?;
    for line in [
        "",
        "   ",
        "\t",
        "xyzzy",
        "joho debug on",
        "ucinewgame2 now",
        "bestmove a1a2",
        "\u{e9}t\u{e9} \u{2603}",
    ] {
        bench.say(line).await?;
    }
    bench.ready().await?;
    bench.say(GO).await?;
    bench.legal_move(&setting).await?;
    pass()
}

/// Unknown words between the limits are ignored.
pub async fn unknown_limits(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    bench
        .ask_legal(
            &early(&bench.games, game, Side::White)?,
            "go xyzzy nodes 100 ponderhit 7 movetime 100 foo",
        )
        .await?;
    pass()
}

/// Tabs and several spaces are read like one space.
pub async fn white_space(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let setting = early(&bench.games, game, Side::White)?;
    let commands = bench.commands(&setting);
    let spread = commands.replace(' ', " \t  ").replace('\n', " \n\t");
    bench.write(&spread).await?;
    bench.say("go\tnodes  100 \t movetime\t\t100  ").await?;
    bench.legal_move(&setting).await?;
    bench.say("  isready\t").await?;
    bench.await_ready().await?;
    pass()
}

/// A carriage return at the end of a line is ignored.
pub async fn line_ends(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let setting = early(&bench.games, game, Side::Black)?;
    let commands = bench.commands(&setting).replace('\n', "\r\n");
    bench.write("uginewgame\r\nisready\r\n").await?;
    bench.await_ready().await?;
    bench.write(&format!("{commands}{GO}\r\n")).await?;
    bench.legal_move(&setting).await?;
    pass()
}

/// Invalid commands: the protocol does not define the answer, but the engine must not exit.
pub async fn malformed(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    for line in [
        "setoption",
        "setoption name",
        "setoption value 3",
        "position",
        "position fen",
        "position fen rubbish",
        "position fen 1 2 3 moves a1a2",
        "position startpos moves rubbish",
        "query",
        "query rubbish",
        "legalmoves",
    ] {
        bench.say(line).await?;
        if let Err(Fault { what: why, .. }) = bench.ready().await {
            bench.abandon().await;
            return warn(format!("after `{line}`: {why}"));
        }
    }
    bench.begin(game).await?;
    bench.ask_legal(&early(&bench.games, game, Side::White)?, GO).await?;
    pass()
}
