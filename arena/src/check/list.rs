//! The checks, in the order in which they are made: what each is called, which rule it rests on, what it does.

use std::future::Future;
use std::pin::Pin;

use engine_proto::GameId;

use super::bench::Bench;
use super::finding::{Fault, Judgement};
use super::{answering, games, greeting, info, input, limits, process};

/// One check.
pub struct Check {
    /// Its name in the JSON report.
    pub id: &'static str,
    /// What the engine shall do.
    pub title: &'static str,
    /// The rule it rests on.
    pub rule: Rule,
    /// How often it is made.
    pub scope: Scope,
    /// Makes it, with this game.
    pub run: Run,
}

/// A rule of the protocol.
#[derive(Clone, Copy)]
pub struct Rule {
    /// The section of PROTOCOL.md.
    pub section: &'static str,
    /// Words from there.
    pub text: &'static str,
}

/// How often a check is made.
#[derive(Clone, Copy)]
pub enum Scope {
    /// Once, with the first game.
    Once,
    /// With each game.
    EachGame,
}

/// A check under way.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<Judgement, Fault>> + 'a>>;
type Run = for<'a> fn(&'a mut Bench, GameId) -> Running<'a>;

const TRANSPORT: &str = "Transport";
const COMMANDS: &str = "From the arena to the engine";
const ANSWERS: &str = "From the engine to the arena";
const GAME: &str = "The option `Game`";
const LEGAL_MOVES: &str = "The option `LegalMoves`";
const TIME: &str = "Time";
const FAULTS: &str = "What happens to an engine that misbehaves";
const HABITS: &str = "What the arena of this project does with it";

/// The greeting: it comes before all others, and nothing can be checked without it.
pub const GREETING: Check = Check {
    id: "greeting",
    title: "answers `ugi` with who it is and `ugiok`",
    rule: Rule { section: COMMANDS, text: "first line; who are you, what can be set" },
    scope: Scope::Once,
    run: |_, _| Box::pin(async { Ok(Judgement::Skip("made at the start".to_owned())) }),
};

macro_rules! checks {
    ($($id:literal $title:literal, $scope:ident $run:path; $section:ident $text:literal)*) => {
        /// All checks after the greeting.
        pub const CHECKS: &[Check] = &[$(Check {
            id: $id,
            title: $title,
            rule: Rule { section: $section, text: $text },
            scope: Scope::$scope,
            run: |bench, game| Box::pin($run(bench, game)),
        },)*];
    };
}

checks! {
    "options" "takes its options' defaults and passes over unknown options", Once greeting::options;
        ANSWERS "UCI's option types"
    "game-option" "lists its games, and takes option names in any case", Once greeting::game_option;
        GAME "lists the games that the engine plays, by id"
    "isready" "answers each `isready` with one `readyok`", Once answering::isready;
        COMMANDS "`readyok`, when all before it has been done"
    "isready-thinking" "answers `isready` while it thinks", Once answering::isready_thinking;
        COMMANDS "any time, also while searching"
    "infinite" "thinks until `stop` after `go infinite`", Once answering::infinite;
        COMMANDS "`infinite` (until `stop`)"
    "no-limits" "thinks until `stop` after a bare `go`", Once answering::no_limits;
        COMMANDS "With none, it is `infinite`."
    "stop" "answers `stop` with the move of the search under way", Once answering::stop;
        COMMANDS "the `bestmove` of the search under way, if one is"
    "stop-idle" "says no move after `stop` when it does not think", Once answering::stop_idle;
        COMMANDS "the `bestmove` of the search under way, if one is"
    "one-bestmove" "says exactly one `bestmove` for each `go`", Once answering::one_bestmove;
        COMMANDS "any number of `info`, then one `bestmove`"
    "query" "answers `query` about the position", EachGame answering::query;
        COMMANDS "`response true/false`, `response true/false`, `response p1win/p2win/draw/none`"

    "movetime" "keeps `movetime`", Once limits::movetime;
        TIME "starts when `go` has been written and stops when `bestmove` has been read"
    "clock" "keeps within its own side's clock", Once limits::clock;
        TIME "A side whose clock is below zero by more than the configured margin loses"
    "nodes" "keeps `nodes`", Once limits::nodes;
        COMMANDS "All limits given hold together."
    "depth" "keeps `depth`", Once limits::depth;
        COMMANDS "All limits given hold together."
    "limits-together" "keeps the tightest of several limits", Once limits::together;
        COMMANDS "All limits given hold together."

    "unknown-commands" "passes over what it does not know", Once input::unknown_commands;
        TRANSPORT "What a receiver does not know it ignores"
    "unknown-limits" "passes over unknown words in `go`", Once input::unknown_limits;
        TRANSPORT "an unknown token in `go`"
    "white-space" "takes tabs and several spaces as one", Once input::white_space;
        TRANSPORT "Tokens are separated by spaces or tabs; several count as one."
    "line-ends" "takes lines that end with `\\r\\n`", Once input::line_ends;
        TRANSPORT "(`\\r\\n` is accepted)"
    "malformed" "survives commands that make no sense", Once input::malformed;
        TRANSPORT "What a receiver does not know it ignores"

    "legal-moves" "plays legal moves in random positions", EachGame games::legal;
        ANSWERS "one of the legal moves in its canonical spelling"
    "same-side-again" "moves again where a side has several moves in a row", EachGame games::same_side_again;
        COMMANDS "after a move the same player may be asked again"
    "startpos" "knows `startpos`, and a FEN of its own for any position", EachGame games::startpos;
        GAME "`startpos` is the game's default start."
    "self-play" "plays against itself", EachGame games::self_play;
        FAULTS "an illegal or unreadable move | loses the game"
    "long-game" "takes a long game", EachGame games::long;
        TRANSPORT "a long game's `position` is long"
    "new-game" "forgets the last game after `uginewgame`", EachGame games::forgets;
        COMMANDS "the next `position` is of another game: forget the last"
    "told-moves" "chooses from the moves that it is told", Once games::told_moves;
        LEGAL_MOVES "may be told the legal moves with every position"
    "info" "says `info` that can be read", EachGame info::readable;
        ANSWERS "[score cp <n> / score win <n> / score loss <n>]"

    "restart" "starts again, beside itself and after it was killed", Once process::restart;
        HABITS "a fresh one is started for its next match"
    "quit" "ends after `quit`", Once process::quit;
        COMMANDS "the process exits"
    "quit-thinking" "ends after `quit` while it thinks", Once process::quit_thinking;
        COMMANDS "the process exits"
    "end-of-input" "ends with its input", Once process::end_of_input;
        TRANSPORT "The end of an engine's input means `quit`."
    "leftovers" "leaves no process running when it ends", Once process::leftovers;
        HABITS "the processes that it leaves running are ended with it"
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Every check cites words that stand where it says.
    #[test]
    fn rules_are_in_the_protocol() {
        let page = include_str!("../../../engine-proto/PROTOCOL.md");
        for check in CHECKS.iter().chain([&GREETING]) {
            let Rule { section, text } = check.rule;
            let from =
                page.split_once(&format!("\n## {section}\n")).unwrap_or_else(|| panic!("no `{section}`")).1;
            let body = from.split("\n## ").next().unwrap_or_default();
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words(body).contains(&words(text)), "{}: `{text}` is not in `{section}`", check.id);
        }
    }

    #[test]
    fn ids_are_unique_and_titles_fit() {
        let mut ids = HashSet::new();
        for check in CHECKS.iter().chain([&GREETING]) {
            assert!(ids.insert(check.id), "{}", check.id);
            assert!(check.title.len() <= 66, "{}", check.title);
        }
    }
}
