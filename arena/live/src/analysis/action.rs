//! What a person can do on the page.

use serde::Deserialize;

/// What a person does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// Plays moves from a position of the tree, and shows the position after them.
    Play {
        /// The position.
        node: usize,
        /// The spellings of the moves.
        moves: Vec<String>,
    },
    /// Tells the page the position after moves from a position of the tree, and changes nothing.
    Look {
        /// The position.
        node: usize,
        /// The spellings of the moves.
        moves: Vec<String>,
    },
    /// Shows a position of the tree.
    Go {
        /// The position.
        node: usize,
    },
    /// Removes a position of the tree, and what follows it.
    Remove {
        /// The position.
        node: usize,
    },
    /// Brings back what was removed last.
    Undo,
    /// Sets the arrows and rings of a position.
    Mark {
        /// The position.
        node: usize,
        /// Each as in a comment of PGN: a letter of its colour, and the squares, as in `Gb1d4`.
        marks: Vec<String>,
    },
    /// Makes the line to a position the first one at the last branch on the way to it, and shows the position.
    Promote {
        /// The position.
        node: usize,
    },
    /// Makes the line to a position the main line, and shows the position.
    MakeMain {
        /// The position.
        node: usize,
    },
    /// Sets what a person says of a move.
    Comment {
        /// The position after it.
        node: usize,
        /// The words; empty for none.
        text: String,
    },
    /// Sets the sign of a move.
    Sign {
        /// The position after it.
        node: usize,
        /// One of `SIGNS`; everything else is none.
        sign: String,
    },
    /// Begins a new tree with this position. The one before is kept.
    SetUp {
        /// The FEN.
        fen: String,
    },
    /// Begins a new tree with the one in this text. The one before is kept.
    Import {
        /// The text, as the page exports it, or a game in PGN.
        text: String,
        /// The name of its file, if it is of one.
        #[serde(default)]
        file: Option<String>,
        /// Whether its start is shown; a match that was just played begins at its end.
        #[serde(default)]
        is_from_start: bool,
    },
    /// Begins a new tree with another match of the text of this one. The one before is kept.
    Choose {
        /// The number of the match, from 0.
        n: usize,
    },
    /// Shows the tree before this one.
    Restore,
    /// Adds an engine, which searches the shown position. The page can only name engines that the arena knows.
    AddEngine {
        /// The number of the engine.
        engine: usize,
    },
    /// Ends an engine, and takes it from the page.
    RemoveEngine {
        /// The number of the engine.
        engine: usize,
    },
    /// Lets an engine search the shown position.
    Start {
        /// The number of the engine.
        engine: usize,
    },
    /// Ends the search of an engine.
    Stop {
        /// The number of the engine.
        engine: usize,
    },
    /// Lets an engine evaluate positions of the tree, one after the other.
    Review {
        /// The number of the engine.
        engine: usize,
        /// The positions.
        nodes: Vec<usize>,
        /// The time for each, in milliseconds.
        ms: u64,
    },
    /// Ends the review.
    EndReview,
    /// Shows the evaluations of somebody; without a name, those of the loaded text.
    Author {
        /// The name.
        by: Option<String>,
    },
    /// Ends each search at a depth, or never.
    Depth {
        /// The depth.
        n: Option<u32>,
    },
    /// Sets the number of lines that each engine reports.
    Lines {
        /// The number.
        n: u32,
    },
}

impl Action {
    /// Whether the tree may be another one after it, so that it is worth keeping.
    pub const fn changes_the_tree(&self) -> bool {
        matches!(
            self,
            Self::Play { .. }
                | Self::Remove { .. }
                | Self::Undo
                | Self::Mark { .. }
                | Self::Promote { .. }
                | Self::MakeMain { .. }
                | Self::Comment { .. }
                | Self::Sign { .. }
                | Self::Review { .. }
        )
    }
}
