//! The terms of the page, each explained in one sentence. Headings show it as a tooltip; the help lists all of them, for
//! touch screens and paper.

use serde::Serialize;

use super::words::{escaped, in_address};
use crate::tables::text::write_wrapped;

/// A term and what it means.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Term {
    /// The heading.
    pub name: &'static str,
    /// One sentence.
    pub meaning: &'static str,
}

const fn term(name: &'static str, meaning: &'static str) -> Term {
    Term { name, meaning }
}

/// What stands in place of an error where 0 has none.
pub const ROUGH_ZERO: &str = "0 is rough";

/// A part of the help.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// What the terms are about.
    pub title: &'static str,
    /// The terms.
    pub terms: &'static [Term],
}

/// All terms by subject.
pub const TERMS: &[Terms] = &[
    Terms {
        title: "Ratings",
        terms: &[
            term(
                "Rating",
                "Strength in Elo with its interval. 0 is the mean of all engines, or an anchor has the rating that was set; 100 Elo more is an expected score of 64 %.",
            ),
            term(
                "±",
                "Half the width of the interval. It also covers the choice of the openings: how far the numbers would move with other openings of the same kind. The usual intervals are valid if the number of matches was fixed beforehand.",
            ),
            term(
                ROUGH_ZERO,
                "At least half of the engines have no interval, so their mean, which is 0, is a rough number, too: no ± is shown, and only differences between engines that have an interval have a known error.",
            ),
            term(
                "Rough number",
                "A number such as ≈ −615 (below −310), without an interval. The bound in brackets is as sure as an interval: the engine lost or won every match against the rated engines (overall: in at least one game), so the other end is unknown. ≥ +829 is such a bound alone: the rough number would lie beyond it. Drawings have a ring for it. (alone): in every pairing, one engine won all matches, and the bounds of the others are relative to this engine.",
            ),
            term(
                "Rank",
                "The best and the worst rank that the results allow, each for one engine alone. There is none if the matches say nothing of the engine's place: it needs ten decided pairs, or a bound that tells it from others. (3) is only the place in the list of an engine without a rank.",
            ),
            term(
                "P>next",
                "Probability that the engine is stronger than the next engine of the table, if differences in this table are typical. It is one comparison by the ratings alone and may be high between engines that share a rank: ranks differ only if the interval of the lead excludes 0, and this interval allows for few openings, too. Two engines alone have the result of their own pairs instead.",
            ),
            term(
                "LOS",
                "Likelihood of superiority: 1 minus the p-value of a one-sided test. A high value means that such a lead over the next engine would be rare between equal engines; it is not the probability of being stronger.",
            ),
            term(
                "P(stronger)",
                "Probability that the engine of the row is stronger than the engine of the column, if differences in this table are typical.",
            ),
            term(
                "Change",
                "Rating after minus rating before, with its interval. It is in bold if it is significant for all changes together.",
            ),
            term("p", "Probability of a change at least as large as this one if the engine had not changed."),
            term(
                "Pool",
                "Engines that are connected by matches. Ratings of different pools are on different scales and cannot be compared.",
            ),
            term("Equal engines draw", "Estimated share of draws between two engines of the same strength."),
            term(
                "Fit",
                "A small p-value shows that single numbers do not describe these results well, for example because A beats B, B beats C and C beats A.",
            ),
        ],
    },
    Terms {
        title: "Results",
        terms: &[
            term("Matches", "Number of matches, with wins, draws and losses."),
            term("Score", "Points divided by matches. A win is 1 point, a draw half a point."),
            term("Draws", "Share of the matches that were drawn."),
            term(
                "Pairs",
                "Decided pairs / all pairs: 6/8 is 6 decided ones of 8. A pair is two matches from one opening with the sides swapped; it is decided if one engine scored more than the other. Beside a rating, they are those that it uses, –/24 if it uses none of the 24, and a match without a partner counts as one.",
            ),
            term(
                "Forfeits",
                "Matches lost by a fault, for example a crash, an illegal move or exceeded time. Those of an engine that never started count for no engine.",
            ),
            term("Cross table", "Score of the engine of the row against the engine of the column."),
            term("Ply", "One move of one side."),
            term("Reason", "Why a match ended: a rule of the game, or a decision of the arena."),
        ],
    },
    Terms {
        title: "Two engines",
        terms: &[
            term(
                "Elo",
                "Difference in Elo that corresponds to the score of the pairs of these two engines, or without pairs of their matches, with its interval.",
            ),
            term(
                "Pairs by outcome",
                "Number of pairs with two losses (LL), a loss and a draw (LD), two draws (DD), a win and a loss (WL), a win and a draw (WD), and two wins (WW): 0, ½, 1, 1, 1½ and 2 points; the pentanomial counts DD and WL together. The bar shows their shares.",
            ),
            term(
                "Interval",
                "The Elo with its interval, drawn around 0; it is pale if it contains 0, and an arrow goes on without end.",
            ),
            term(
                "Normalized Elo",
                "A lead measured against how much the results of pairs vary, so that a test of it needs about as many pairs whether few or many matches are drawn.",
            ),
            term(
                "LLR",
                "Log likelihood ratio: how much better the results fit H1 than H0, the two leads that a test decides between. At its upper bound H1 is accepted, at its lower bound H0.",
            ),
            term("Score by pairs", "Score in the pairs of these two engines, with its interval."),
            term(
                "LOS by pairs",
                "1 minus the p-value of a one-sided test by the pairs of these two engines: how surprising the lead would be between equal engines. It is not the probability of being stronger.",
            ),
            term(
                "Rating difference",
                "Difference of the two ratings. It uses the matches of all engines, and takes draws and the first player's advantage into account; the Elo of two engines converts their score alone. With too few decided pairs, or without an interval, there is what their own pairs say.",
            ),
            term(
                "LOS by ratings",
                "1 minus the p-value of a one-sided test by the two ratings, which use the matches of all engines.",
            ),
            term("Expected points", "Points of the first engine that the ratings predict."),
            term("z", "Difference between actual and expected points, in standard errors."),
            term(
                "Series",
                "Engines whose names differ only in a number. Each difference has its own interval.",
            ),
        ],
    },
    Terms {
        title: "Games",
        terms: &[
            term(
                "First player",
                "Advantage of the side that moves first, in Elo with its interval, corrected for the strength of the engines.",
            ),
            term(
                "Plies",
                "Mean length of a match, without matches that ended by a fault. The small range below contains 90 % of the matches.",
            ),
            term(
                "Legal moves",
                "Mean number of legal moves in a position. The small range below contains 90 % of the positions.",
            ),
            term("Time per match", "Mean of the time of all moves of a match."),
            term("Openings", "Number of different start positions."),
            term("White's score", "Points of White divided by matches, with its 95 % interval."),
        ],
    },
    Terms {
        title: "Engines",
        terms: &[
            term("Moves", "Number of moves that the engine made."),
            term(
                "Time per move",
                "Mean time from sending go to receiving bestmove, measured by the arena, without moves that lost on time.",
            ),
            term(
                "Longest move",
                "The longest time of one move. ≥ marks a move that lost on time: the arena did not wait any longer.",
            ),
            term(
                "Clock used",
                "Mean share of its time, base and increments, that the engine used in a match: 100 % if it lost on time, and more if it went beyond its time within the margin, which does not lose.",
            ),
            term(
                "Unreported time",
                "Measured time minus the time of the engine's last info: start and end of the search, communication, and waiting for a processor.",
            ),
            term("Longest unreported", "The longest unreported time of one move."),
            term("Arena time", "Mean time that the arena needs before a move. It is on neither clock."),
            term("Depth", "Mean search depth in plies, as the engine reported it."),
            term("Nodes per second", "Positions that the engine reported, divided by the measured time."),
            term("Lost on time", "Matches lost because the time was exceeded."),
            term(
                "Busy machine",
                "Losses on time during which the machine was busy: a program waited for a processor for longer than the move was late.",
            ),
            term(
                "Clock factor",
                "With scale-clocks: the factor of all times on this machine, by its measured speed. 2.00 is half the speed of the reference, and twice the time.",
            ),
            term(
                "Faults",
                "The same as forfeits: matches lost by a crash, an illegal move, exceeded time or a broken protocol.",
            ),
        ],
    },
    Terms {
        title: "Replay",
        terms: &[
            term(
                "Win probability",
                "The expected score that the engine's last score stands for, of White unless another side is named: 1 / (1 + e^(−0.368 × score)), with the score in the engine's units. A forced win is 100 %. Engines use different units, so it is only a guide.",
            ),
            term(
                "Principal variation",
                "The line that the engine expected after its move, as it reported it. The arena does not check that its moves are legal.",
            ),
            term("Swing", "A change of the win probability between two evaluations of the same engine."),
            term("Evidence", "What shows the fault of an engine: its output, its exit status."),
        ],
    },
];

/// The meaning of a term.
///
/// # Panics
/// If there is no such term: every heading that asks has one.
pub fn explain(name: &str) -> &'static str {
    all().find(|term| term.name == name).unwrap_or_else(|| panic!("`{name}` is explained")).meaning
}

/// A heading with its explanation as a tooltip, as HTML.
pub fn head(name: &str) -> String {
    explained(name, name)
}

fn explained(text: &str, name: &str) -> String {
    format!("<abbr title=\"{}\">{}</abbr>", escaped(explain(name)), escaped(text))
}

/// Links to the explanations of these terms, separated by commas, as HTML; of them, the page shows those that its screen has.
pub fn links(names: &str) -> String {
    let link = |name| format!("<span><a href=\"#help={}\">{}</a></span>", in_address(name), escaped(name));
    let links: String = names.split(", ").map(link).collect();
    format!("<span class=\"used-terms\">Terms: {links}</span>")
}

/// A rating or its error as HTML, in which a rough 0 is explained.
pub fn rating(text: &str) -> String {
    let html = escaped(text).replace(" ±", "\u{a0}±");
    let spaces = [" ", "\u{a0}"].map(|space| ROUGH_ZERO.replace(' ', space));
    spaces.iter().fold(html, |html, words| html.replace(words, &explained(words, ROUGH_ZERO)))
}

/// The terms of the tables as text, for a terminal.
pub fn legend() -> String {
    const OF_TABLES: [&str; 13] = [
        "Rank",
        "Rating",
        "±",
        ROUGH_ZERO,
        "Rough number",
        "Forfeits",
        "Score",
        "Pairs",
        "P>next",
        "LOS",
        "First player",
        "Equal engines draw",
        "Fit",
    ];
    let mut lines = Vec::new();
    for name in OF_TABLES {
        write_wrapped(&format!("  {name}: {}", explain(name)), "    ", &mut lines).expect("a Vec takes all");
    }
    String::from_utf8(lines).expect("terms are text")
}

/// All terms.
pub fn all() -> impl Iterator<Item = &'static Term> {
    TERMS.iter().flat_map(|terms| terms.terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_term_is_explained_once_in_sentences() {
        let mut names: Vec<_> = all().map(|term| term.name).collect();
        let n = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n);
        assert!(all().all(|term| term.meaning.ends_with('.')));
    }
}
