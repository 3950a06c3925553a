//! Parses the options of `arena simulate` and checks their ranges.

/// An engine and its strength in Elo.
#[derive(Clone, Debug, PartialEq)]
pub struct Strength {
    /// The engine's name.
    pub engine: String,
    /// Elo.
    pub elo: f64,
}

/// Beyond this difference, simulated results are all the same.
const MOST_ELO: f64 = 4000.0;

/// `NAME=ELO`.
pub(super) fn name_and_elo(text: &str) -> Result<Strength, String> {
    let Some((engine, strength)) = text.rsplit_once('=').filter(|(engine, _)| !engine.is_empty()) else {
        return Err("it takes a name and a strength in Elo, as in `new=30`".to_owned());
    };
    Ok(Strength { engine: engine.to_owned(), elo: elo(strength)? })
}

/// A strength, or a difference of two.
pub(super) fn elo(text: &str) -> Result<f64, String> {
    within(text, -MOST_ELO, MOST_ELO)
}

/// Elo that cannot be negative.
pub(super) fn whole_elo(text: &str) -> Result<f64, String> {
    within(text, 0.0, MOST_ELO)
}

/// A share of draws that is possible.
pub(super) fn draw_rate(text: &str) -> Result<f64, String> {
    within(text, 0.0, 0.95)
}

/// A required chance that is possible.
pub(super) fn chance(text: &str) -> Result<f64, String> {
    within(text, 0.01, 0.99)
}

/// A number above 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    within(text, 0.001, 1e9)
}

fn within(text: &str, least: f64, most: f64) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if least <= number && number <= most => Ok(number),
        _ => Err(format!("it takes a number from {least} to {most}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_and_its_strength() {
        let strength = |engine: &str, elo| Ok(Strength { engine: engine.to_owned(), elo });
        assert_eq!(name_and_elo("new=30"), strength("new", 30.0));
        assert_eq!(name_and_elo("hash=64=-7.5"), strength("hash=64", -7.5));
        for text in ["new", "=30", "new=", "new=x", "new=NaN", "new=inf", "new=5000"] {
            assert!(name_and_elo(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_out_of_reach_are_refused() {
        assert_eq!(draw_rate("0.4"), Ok(0.4));
        assert_eq!(draw_rate("40"), Err("it takes a number from 0 to 0.95".to_owned()));
        assert!(positive("0").is_err() && chance("1").is_err() && whole_elo("-1").is_err());
    }
}
