//! The Rust part of the Python package `arena`: games, vectors of games, ratings. The Python part is in `python/arena/`.

pub mod any;
pub mod coded;
mod rating;
mod state;
mod svg;
mod vector;

use games::GameId;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The module `arena._core`.
#[pymodule(gil_used = false)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<state::State>()?;
    module.add_class::<vector::Vector>()?;
    module.add("TERMINAL_PLAYER", state::TERMINAL_PLAYER)?;
    module.add_function(wrap_pyfunction!(game_ids, module)?)?;
    module.add_function(wrap_pyfunction!(game_info, module)?)?;
    module.add_function(wrap_pyfunction!(rating::rate_rows, module)?)?;
    Ok(())
}

/// The ids of all games.
#[pyfunction]
fn game_ids() -> Vec<&'static str> {
    GameId::BUILT_IN.iter().map(GameId::id).collect()
}

/// The constants of a game, by name.
#[pyfunction]
fn game_info<'py>(py: Python<'py>, id: &str) -> PyResult<Bound<'py, PyDict>> {
    let info = state::info(state::game(id)?);
    let constants = PyDict::new(py);
    constants.set_item("id", info.id)?;
    constants.set_item("name", info.name)?;
    constants.set_item("rules", info.rules)?;
    constants.set_item("quiet_limit", info.quiet_limit)?;
    constants.set_item("typical_plies", info.typical_plies)?;
    constants.set_item("reasons", info.reasons)?;
    let starts: Vec<(&str, &str, bool)> =
        info.starts.iter().map(|start| (start.name, start.fen, start.random)).collect();
    constants.set_item("starts", starts)?;
    Ok(constants)
}
