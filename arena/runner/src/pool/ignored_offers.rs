//! Offers of a draw in a tournament that does not allow them: a warning, once for each engine.

use std::collections::BTreeSet;

use model::{Record, SideLetter};

/// The engines that offered a draw.
#[derive(Debug, Default)]
pub struct IgnoredOffers {
    engines: BTreeSet<String>,
}

impl IgnoredOffers {
    /// Looks through a match. Returns a warning for each engine that offers a draw for the first time.
    pub fn note(&mut self, record: &Record) -> Vec<String> {
        let mut warnings = Vec::new();
        for mv in record.moves.iter().filter(|mv| mv.draw) {
            let engine = match mv.side {
                SideLetter::White => &record.white,
                SideLetter::Black => &record.black,
            };
            if self.engines.insert(engine.clone()) {
                warnings.push(format!(
                    "engine `{engine}` offers a draw, which is ignored: the tournament has `draw-offers = false`"
                ));
            }
        }
        warnings
    }
}
