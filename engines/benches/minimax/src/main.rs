//! minimax-rs (<https://docs.rs/minimax>) as an engine of this arena: its searches over our rules, to measure ours against.
//! Knows no game by name.

mod adapter;

use std::process::ExitCode;
use std::time::Duration;

use engine_proto::proto::OptionSpec;
use engine_proto::sdk::{Choice, Engine, Options, Program, Search};
use engine_proto::{GameId, Play, Position, Searchable};
use engines::eval::{self, EvalWork, Evaluator, Mobility};
use minimax::{IterativeOptions, IterativeSearch, MCTSOptions, MonteCarloTreeSearch, Strategy};

use adapter::{Judge, Rules, Step, Turn};

/// Which of the library's searches plays.
const SEARCH: &str = "Search";
/// What its negamax judges positions by.
const EVALUATION: &str = "Evaluation";
/// How many forcing moves its negamax follows beyond the horizon, one after the other. It has no way to decline them all.
const QUIESCENCE: &str = "Quiescence";
/// The table's size in MiB.
const HASH: &str = "Hash";

fn main() -> ExitCode {
    let program = Program::new("minimax-rs", "Eric Roshan-Eisner and Samuel Fredrickson")
        .option(OptionSpec::combo(SEARCH, "negamax", ["negamax", "mcts"]))
        .option(OptionSpec::combo(EVALUATION, "ours", ["ours", "mobility"]))
        .option(OptionSpec::spin(QUIESCENCE, 0, 0, 16))
        .option(OptionSpec::spin(HASH, 16, 1, 4096));
    let add = |program, &game| eval::with(game, AddGame(program)).expect("a game of the crate `games`");
    GameId::BUILT_IN.iter().fold(program, add).run()
}

/// Adds a game to the program.
struct AddGame(Program);

impl EvalWork for AddGame {
    type Output = Program;

    fn run<P: Searchable, E: Evaluator<P>>(self, evaluator: E) -> Program {
        self.0.game::<P>(move |options| match (options.combo(SEARCH), options.combo(EVALUATION)) {
            ("mcts", _) => Box::new(Opponent::new(MonteCarloTreeSearch::<Rules<P>>::new(
                MCTSOptions::default().with_num_threads(1),
            ))),
            (_, "mobility") => Box::new(Opponent::new(negamax(Mobility, options))),
            _ => Box::new(Opponent::new(negamax(evaluator.clone(), options))),
        })
    }
}

/// Its iterative deepening, with all that helps it and that any game can have.
fn negamax<P: Searchable, E: Evaluator<P>>(evaluator: E, options: &Options) -> IterativeSearch<Judge<P, E>> {
    let settings = IterativeOptions::new()
        .with_table_byte_size((options.spin(HASH) as usize) << 20)
        .with_quiescence_search_depth(options.spin(QUIESCENCE) as u8)
        .with_singular_extension()
        .with_countermoves()
        .with_countermove_history();
    IterativeSearch::new(Judge::new(evaluator), settings)
}

/// One of the library's strategies as an engine.
struct Opponent<S>(S);

impl<S> Opponent<S> {
    const fn new(strategy: S) -> Self {
        Self(strategy)
    }
}

impl<P: Position, S: Strategy<Rules<P>> + Send> Engine<P> for Opponent<S> {
    fn think(&mut self, play: &Play<P>, search: &Search) -> Choice<P::Move> {
        let depth = search.depth_limit().min(99) as u8;
        match search.allotment().hard {
            Some(time) => self.0.set_depth_or_timeout(depth, time.max(Duration::from_millis(1))),
            None => self.0.set_max_depth(depth),
        }
        match self.0.choose_move(&Turn::new(play.position().clone())) {
            Some(Step::Move(mv)) => mv.into(),
            // Out of time before it had looked at anything.
            Some(Step::Wait) | None => search.root_moves(play)[0].into(),
        }
    }
}
