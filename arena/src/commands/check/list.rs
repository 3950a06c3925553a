//! The checks, in their order: the name of each, its rule, and its function.

use std::future::Future;
use std::pin::Pin;

use engine_proto::GameId;

use super::bench::Bench;
use super::finding::{About, Judged, skip};
use super::rules::{
    self, ANSWERS, CASES, COMMANDS, FAULTS, GAME, HABITS, LEGAL_MOVES, PONDERING, QUERIES, Rule, TIME,
    TRANSPORT,
};
use super::{answering, games, greeting, info, input, limits, process, queries, second};
use opponent::Farewell;

/// One check.
pub struct Check {
    /// The subject of the check.
    pub about: About,
    /// What it is for engines of UCI.
    pub uci: Uci,
    /// How often it is run.
    pub scope: Scope,
    /// Runs it with this game.
    pub run: Run,
}

/// What a check is for engines of UCI.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Uci {
    /// Matches need what it checks.
    Needed,
    /// UCI describes what it checks, but many engines lack it, and no match of chess needs it: a failure is a warning.
    NotNeeded,
    /// UCI does not have it, or leaves it open.
    Absent,
}

/// How often a check is run.
#[derive(Clone, Copy)]
pub enum Scope {
    /// Once, with the first game.
    Once,
    /// With each game.
    EachGame,
}

/// A running check.
pub type Running<'a> = Pin<Box<dyn Future<Output = Judged> + 'a>>;
type Run = for<'a> fn(&'a mut Bench, GameId) -> Running<'a>;

/// The greeting. It is checked first; no other check is possible without it.
pub const GREETING: Check = Check {
    about: About { id: "greeting", title: "answers the greeting with its identity", rule: rules::GREET },
    uci: Uci::Needed,
    scope: Scope::Once,
    run: |_, _| Box::pin(async { skip("made at the start") }),
};

macro_rules! checks {
    ($(#[$doc:meta])* $name:ident: $($id:literal $title:literal, $uci:ident $scope:ident $run:expr; $section:ident $text:literal)*) => {
        $(#[$doc])*
        pub const $name: &[Check] = &[$(Check {
            about: About { id: $id, title: $title, rule: Rule { section: $section, text: $text } },
            uci: Uci::$uci,
            scope: Scope::$scope,
            run: |bench, game| Box::pin(($run)(bench, game)),
        },)*];
    };
}

checks! {
    /// The first checks. An engine that fails one of them is not checked further; if the check is run for each game, it
    /// is not checked further in that game.
    GATES:

    "isready" "answers each `isready` with one `readyok`", Needed Once answering::isready;
        COMMANDS "`readyok`, when everything before it is done"
    "first-move" "answers `go` with one legal move", Needed EachGame answering::first_move;
        COMMANDS "any number of `info`, then one `bestmove`"
}

checks! {
    /// All other checks. Each one comes after the checks that it depends on.
    CHECKS:

    "options" "accepts the defaults of its options and ignores unknown options", Needed Once greeting::options;
        ANSWERS "UCI's option types"
    "game-option" "lists its games, and accepts option names in any case", Absent Once greeting::game_option;
        GAME "lists the games that the engine plays, by id"
    "stop" "answers `stop` with the move of the running search", Needed Once answering::stop;
        COMMANDS "the `bestmove` of the running search, if there is one"
    "infinite" "searches until `stop` after `go infinite`", NotNeeded Once |bench, game| answering::held(bench, game, "go infinite");
        COMMANDS "`infinite` (until `stop`)"
    "no-limits" "searches until `stop` after a bare `go`", Absent Once |bench, game| answering::held(bench, game, "go");
        COMMANDS "Without limits, `go` is `infinite`."
    "isready-thinking" "answers `isready` during a search", NotNeeded Once answering::isready_thinking;
        COMMANDS "any time, also while searching"
    "stop-when-idle" "sends no move after `stop` when it is not searching", NotNeeded Once answering::stop_when_idle;
        COMMANDS "the `bestmove` of the running search, if there is one"
    "one-bestmove" "sends exactly one `bestmove` for each `go`", Needed Once answering::one_bestmove;
        COMMANDS "any number of `info`, then one `bestmove`"
    "query" "answers `query` about the position", Absent EachGame answering::query;
        COMMANDS "`response true/false`, `response true/false`, `response p1win/p2win/draw/none`"

    "query-unknown" "answers an unknown query with `response unknown`, or not at all", Absent Once queries::unknown;
        QUERIES "`response unknown` or nothing"
    "query-fen" "answers `query fen` with the position", Absent EachGame queries::fen;
        QUERIES "the position as a FEN in its canonical form"
    "query-legalmoves" "answers `query legalmoves` with all legal moves", Absent EachGame queries::legal_moves;
        QUERIES "the legal moves, in any order"
    "query-perft" "answers `query perft` with the number of move sequences", Absent EachGame queries::perft;
        QUERIES "the number of move sequences of this length"

    "movetime" "respects `movetime`", Needed Once limits::movetime;
        TIME "just before `go` or `ponderhit` is written and stops when"
    "clock" "respects the clock of its own side", Needed Once limits::clock;
        TIME "A side whose clock is below zero by more than the configured margin loses"
    "clock-at-zero" "answers at once if its clock is at zero", Needed Once limits::clock_at_zero;
        TIME "A clock below zero is sent as 0."
    "nodes" "respects `nodes`", NotNeeded Once limits::nodes;
        COMMANDS "All given limits apply together."
    "depth" "respects `depth`", NotNeeded Once limits::depth;
        COMMANDS "All given limits apply together."
    "limits-together" "stops at the first limit that is reached", Absent Once limits::together;
        COMMANDS "All given limits apply together."

    "ponder" "answers `go ponder` after `ponderhit` or `stop`", Needed Once second::ponder;
        PONDERING "The engine thinks, and sends no `bestmove`, even if it has finished, whatever the limits are."
    "searchmoves" "chooses among the moves after `searchmoves`", Absent Once second::search_moves;
        COMMANDS "choose only among these moves"
    "multipv" "reports as many lines as `MultiPV` says", NotNeeded Once second::multi_pv;
        ANSWERS "reports its `MultiPV` best moves"
    "gameover" "accepts `gameover` after a match", Absent Once second::game_over;
        COMMANDS "the match is over, for this reason"
    "bestmove-words" "adds only known words to its move", Absent EachGame second::answer_words;
        CASES "`ponder <m>` and `draw` are known, others are ignored"
    "no-move" "answers `go` with `bestmove 0000` if the game is over", Absent EachGame second::no_move;
        CASES "the answer is `bestmove 0000`"
    "bad-position" "keeps its position if it cannot read the next one", Absent Once second::bad_position;
        CASES "the engine keeps the old position and says `info string error: ...`"

    "unknown-commands" "ignores unknown commands", NotNeeded Once input::unknown_commands;
        TRANSPORT "Receivers ignore what they do not know"
    "unknown-limits" "ignores unknown words in `go`", NotNeeded Once input::unknown_limits;
        TRANSPORT "an unknown token in `go`"
    "white-space" "accepts tabs and several spaces between words", NotNeeded Once input::white_space;
        TRANSPORT "Tokens are separated by one or more spaces or tabs."
    "line-ends" "accepts lines that end with `\\r\\n`", Absent Once input::line_ends;
        TRANSPORT "(`\\r\\n` is accepted)"
    "malformed" "survives malformed commands", Absent Once input::malformed;
        TRANSPORT "Receivers ignore what they do not know"

    "legal-moves" "plays legal moves in random positions", Needed EachGame games::legal;
        ANSWERS "one of the legal moves in its canonical spelling"
    "several-moves" "keeps moving while its side is to move", Needed EachGame games::several_moves;
        COMMANDS "After a move, the same side may have to move again"
    "startpos" "accepts `startpos`, and every position as a FEN", Needed EachGame games::startpos;
        GAME "`startpos` is the game's default start."
    "self-play" "plays against itself", Needed EachGame games::self_play;
        FAULTS "an illegal or unreadable move | loses"
    "long-game" "accepts a long game", Needed EachGame games::long;
        TRANSPORT "a long game's `position` is long"
    "new-game" "starts afresh after `uginewgame`", NotNeeded EachGame games::new_game;
        COMMANDS "the next `position` belongs to a new game; discard data of the last one"
    "legal-moves-sent" "plays only moves from `legalmoves`", Needed Once games::legal_moves_sent;
        LEGAL_MOVES "may be told the legal moves with every position"
    "info" "writes valid `info` lines", NotNeeded EachGame info::readable;
        ANSWERS "[score cp <n> / score win <n> / score loss <n>]"

    "restart" "runs twice at the same time, and starts again after it was killed", Needed Once process::restart;
        HABITS "a fresh one is started for its next match"
    "quit" "ends after `quit`", NotNeeded Once process::quit;
        COMMANDS "the process exits"
    "quit-thinking" "ends after `quit` during a search", NotNeeded Once |bench, game| process::ends_in_search(bench, game, Farewell::Quit);
        COMMANDS "the process exits"
    "end-of-input" "ends when its input ends", NotNeeded Once |bench, game| process::ends_in_search(bench, game, Farewell::EndOfInput);
        TRANSPORT "The end of an engine's input means `quit`."
    "leftovers" "leaves no process running when it ends", Needed Once process::leftovers;
        HABITS "the arena kills the processes that it left running"
}

/// All checks after the greeting.
pub fn all() -> impl Iterator<Item = &'static Check> {
    GATES.iter().chain(CHECKS)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn rules_are_in_the_protocol() {
        all().chain([&GREETING]).for_each(|check| check.about.rule.assert_in_protocol());
    }

    #[test]
    fn ids_are_unique_and_titles_fit() {
        let mut ids = HashSet::new();
        for check in all().chain([&GREETING]) {
            assert!(ids.insert(check.about.id), "{}", check.about.id);
            assert!(check.about.title.len() <= 66, "{}", check.about.title);
        }
    }
}
