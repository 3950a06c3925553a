//! Checks of an engine's process: that it starts again, and that it exits when it is told to.

use std::time::Duration;

use engine_proto::GameId;

use super::bench::{Bench, GO};
use super::finding::{Judged, Took, pass, passed, skip, warn};
use super::settings::Setting;
use opponent::Farewell;

/// The arena kills a process that does not end within this time.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Two processes play at the same time, and an engine that was killed in its search starts again.
pub async fn restart(bench: &mut Bench, game: GameId) -> Judged {
    let setting = Setting::start(&bench.games, game)?;
    bench.begin_afresh(game).await?;
    bench.ask_legal(&setting, GO).await?;
    let first = bench.start().await?;
    bench.begin(game).await?;
    bench.ask_legal(&setting, GO).await?;
    bench.search(&setting, "go infinite").await?;
    // This kills the second one.
    bench.go_on_with(first).await;
    bench.ask_legal(&setting, GO).await?;
    bench.begin_afresh(game).await?;
    bench.ask_legal(&setting, GO).await?;
    pass()
}

/// `quit` ends an idle process.
pub async fn quit(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    ends(bench, Farewell::Quit).await
}

/// A process that searches ends when it is told to, and at the end of its input, so that none remains if the arena is killed.
pub async fn ends_in_search(bench: &mut Bench, game: GameId, farewell: Farewell) -> Judged {
    bench.begin(game).await?;
    bench.search(&Setting::start(&bench.games, game)?, "go infinite").await?;
    ends(bench, farewell).await
}

/// No process that the engine started runs on after the engine's process has ended, after a move or during a search.
pub async fn leftovers(bench: &mut Bench, game: GameId) -> Judged {
    let setting = Setting::start(&bench.games, game)?;
    bench.begin_afresh(game).await?;
    bench.ask_legal(&setting, GO).await?;
    let after_quit = bench.part(Farewell::Quit).await;
    bench.begin(game).await?;
    bench.search(&setting, "go infinite").await?;
    let after_input = bench.part(Farewell::EndOfInput).await;
    let (Ok((.., after_quit)), Ok((.., after_input))) = (after_quit, after_input) else {
        return skip("its process did not end");
    };
    let left = [after_quit, after_input].concat();
    if left.is_empty() {
        return pass();
    }
    warn(format!("it left these processes running, and the arena killed them:\n{}", left.join("\n")))
}

async fn ends(bench: &mut Bench, farewell: Farewell) -> Judged {
    let (took, status, _) = bench.part(farewell).await?;
    if QUIT_TIMEOUT < took {
        return warn(format!("{took:.1?}; the arena kills it after {QUIT_TIMEOUT:?}"));
    }
    if !status.success() {
        return warn("its exit status is not 0");
    }
    passed(Took(took).to_string())
}
