//! The rules behind the checks: a section of PROTOCOL.md, and a quotation. The report quotes a rule that is broken.

/// A rule of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The section of PROTOCOL.md.
    pub section: &'static str,
    /// Words from this section.
    pub text: &'static str,
}

pub const TRANSPORT: &str = "Transport";
pub const COMMANDS: &str = "From the arena to the engine";
pub const ANSWERS: &str = "From the engine to the arena";
pub const GAME: &str = "The option `Game`";
pub const LEGAL_MOVES: &str = "The option `LegalMoves`";
pub const PONDERING: &str = "Pondering";
pub const QUERIES: &str = "Queries";
pub const TIME: &str = "Time";
pub const CASES: &str = "What happens in special cases";
pub const FAULTS: &str = "What happens to an engine that misbehaves";
pub const HABITS: &str = "How this arena uses the protocol";

macro_rules! rules {
    ($($name:ident $section:ident $text:literal)*) => {
        $(pub const $name: Rule = Rule { section: $section, text: $text };)*

        /// All named rules.
        #[cfg(test)]
        pub const NAMED: &[Rule] = &[$($name,)*];
    };
}

rules! {
    UTF8 TRANSPORT "one line each, UTF-8"
    LINE_END TRANSPORT "ended by `\\n`"
    FLUSH TRANSPORT "Engines flush after every line."
    GREET COMMANDS "`id` and `option` lines, then `ugiok`"
    READY COMMANDS "`readyok`, when everything before it is done"
    READY_ANY_TIME COMMANDS "any time, also while searching"
    ONE_MOVE COMMANDS "any number of `info`, then one `bestmove`"
    STOP COMMANDS "the `bestmove` of the running search, if there is one"
    INFINITE COMMANDS "`infinite` (until `stop`)"
    QUIT COMMANDS "the process exits"
    OPTION ANSWERS "`option name <name> type check/spin/combo/button/string [default <v>] [min <n>] [max <n>] [var <v> ...]`"
    BEST_MOVE ANSWERS "`bestmove <move> [ponder <reply>] [draw]`"
    LEGAL ANSWERS "one of the legal moves in its canonical spelling"
    SEED HABITS "`Seed` gets a new value for every match, drawn from the seed of the tournament"
    OVERRUN TIME "A side whose clock is below zero by more than the configured margin loses"
    CRASH FAULTS "closes its input or output, exits, crashes"
    OUT_OF_TURN FAULTS "sends a `bestmove` that was not requested"
    BROKEN_OUTPUT FAULTS "a line over the limit, invalid UTF-8, `bestmove` without a move, endless output"
}

#[cfg(test)]
impl Rule {
    /// The quotation is in the section of the rule.
    pub fn assert_in_protocol(&self) {
        let page = include_str!("../../../../engine-proto/PROTOCOL.md");
        let Self { section, text } = self;
        let from =
            page.split_once(&format!("\n## {section}\n")).unwrap_or_else(|| panic!("no `{section}`")).1;
        let body = from.split("\n## ").next().unwrap_or_default();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(body).contains(&words(text)), "`{text}` is not in `{section}`");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_in_the_protocol() {
        NAMED.iter().for_each(Rule::assert_in_protocol);
    }
}
