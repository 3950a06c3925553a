//! What makes a network: the game and the numbers of its data and training. It makes nothing.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use engine_proto::{GameId, UnknownGame};

/// How a network is made.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The game.
    pub game: GameId,
    /// The number of the first match, which is its seed.
    pub first: u64,
    /// The number of matches.
    pub matches: u64,
    /// The nodes for each move.
    pub nodes: u64,
    /// How often each position is learnt.
    pub epochs: u32,
    /// How much of what is learnt is the match's result, in percent; the rest is the search's score.
    pub result: u32,
    /// How strongly weights are kept small, in percent of the rate of learning.
    pub shrink: u32,
    /// Whether the network corrects the classic evaluation, or replaces it.
    pub corrects: bool,
    /// Whether positions are left out in which the best move is forcing.
    pub quiet: bool,
    /// The file of positions, instead of new matches.
    pub data: Option<PathBuf>,
    /// The folder of the weights.
    pub output: PathBuf,
}

impl Recipe {
    /// The recipe of a game: the one of its file of weights.
    fn of(game: GameId) -> Self {
        let [matches, nodes, epochs, shrink] = match game.id() {
            "tower-push" => [5_000, 200, 24, 0],
            "four-towers" => [6_000, 100, 8, 200],
            "tower-of-power" => [8_000, 200, 20, 20],
            "push" => [6_000, 200, 10, 100],
            "push-push" => [4_000, 400, 30, 0],
            _ => [5_000, 200, 20, 0],
        };
        Self {
            game,
            first: 0,
            matches: matches.into(),
            nodes: nodes.into(),
            epochs,
            result: 15,
            shrink,
            corrects: ["four-towers", "tower-of-power"].contains(&game.id()),
            quiet: game.id() != "tower-of-power",
            data: None,
            output: "engines/src/eval/network/weights".into(),
        }
    }

    /// The recipe of the arguments: a game, then `name=value`.
    pub fn read(args: &[String]) -> Result<Self, Box<dyn Error>> {
        let [game, changes @ ..] = args else { return Err("arguments: GAME [NAME=VALUE]...".into()) };
        let mut recipe = Self::of(game.parse().map_err(|error: UnknownGame| error.to_string())?);
        for change in changes {
            let (name, value) =
                change.split_once('=').ok_or_else(|| format!("`{change}` is not of the form NAME=VALUE"))?;
            let bad = |error| format!("`{change}`: {error}");
            match name {
                "first" => recipe.first = value.parse().map_err(bad)?,
                "matches" => recipe.matches = value.parse().map_err(bad)?,
                "nodes" => recipe.nodes = value.parse().map_err(bad)?,
                "epochs" => recipe.epochs = value.parse().map_err(bad)?,
                "result" => recipe.result = value.parse().map_err(bad)?,
                "shrink" => recipe.shrink = value.parse().map_err(bad)?,
                "corrects" => recipe.corrects = value.parse().map_err(|error| format!("`{change}`: {error}"))?,
                "quiet" => recipe.quiet = value.parse().map_err(|error| format!("`{change}`: {error}"))?,
                "data" => recipe.data = Some(value.into()),
                "output" => recipe.output = value.into(),
                _ => return Err(format!("`{name}` is not part of a recipe: first, matches, nodes, epochs, result, shrink, corrects, quiet, data, output").into()),
            }
        }
        if recipe.result > 100 {
            return Err(format!("`result={}`: a percentage is at most 100", recipe.result).into());
        }
        Ok(recipe)
    }
}

/// The arguments that repeat it, without the folder.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, first, matches, nodes, epochs, result, shrink, corrects, quiet, data, output: _ } =
            self;
        write!(
            f,
            "{game} first={first} matches={matches} nodes={nodes} epochs={epochs} result={result} shrink={shrink} corrects={corrects} quiet={quiet}"
        )?;
        data.as_ref().map_or(Ok(()), |data| write!(f, " data={}", data.display()))
    }
}
