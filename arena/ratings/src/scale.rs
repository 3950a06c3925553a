//! Converts between natural units and Elo: the score-Elo scale.

/// Elo per natural unit of strength on the usual curve: 400 / ln 10.
pub(super) const ELO_PER_UNIT: f64 = 173.717_792_761_247_1;

/// The scale of one game's ratings.
///
/// A rating is K·g·θ with K = 400 / ln 10 and g = 2 / (2 + ν). With the factor g, the slope of the expected score at
/// equality is that of the usual Elo curve, so that many draws do not inflate the numbers. Plain Elo is Davidson's
/// model with ν = 2 (L. Szczecinski and A. Djebbi, *Understanding draws in Elo rating algorithm*, JQAS 16, 2020).
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// K·g: Elo per natural unit.
    pub elo_per_unit: f64,
    /// d0 = ν / (2 + ν) = 1 - g: the draw rate between equals without a first-player advantage.
    pub draw_rate: f64,
}

impl Scale {
    /// The scale of a game with Davidson's δ = ln ν.
    pub(super) fn new(draw: f64) -> Self {
        // 1 / (1 + 2 / ν) without overflow for any ν.
        let draw_rate = 1.0 / (1.0 + 2.0 * (-draw).exp());
        let slope = 1.0 / (1.0 + 0.5 * draw.exp());
        Self { elo_per_unit: ELO_PER_UNIT * slope, draw_rate }
    }

    /// `strength` in natural units as Elo.
    pub(super) fn elo(self, strength: f64) -> f64 {
        self.elo_per_unit * strength
    }

    /// How a rating of `elo` changes with δ: the derivative of K·g·θ.
    pub(super) fn slope_with_draw(self, elo: f64) -> f64 {
        -elo * self.draw_rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_at_equality_is_elos() {
        use crate::model::Davidson;
        for draw in [-30.0, -1.0, 0.0, 2f64.ln(), 3.0] {
            let scale = Scale::new(draw);
            let step = 1e-4;
            let score = Davidson { first_player: 0.0, draw }.chances(step / scale.elo_per_unit).score();
            let elo = 1.0 / (1.0 + 10f64.powf(-step / 400.0));
            assert!((score - elo).abs() < 1e-13, "{draw}: {score} {elo}");
        }
    }

    #[test]
    fn the_draw_rate_is_that_of_equals() {
        assert!((Scale::new(0.0).draw_rate - 1.0 / 3.0).abs() < 1e-15);
        assert!((Scale::new(0.0).elo_per_unit - ELO_PER_UNIT * 2.0 / 3.0).abs() < 1e-12);
        assert!(Scale::new(900.0).elo_per_unit >= 0.0 && Scale::new(-900.0).draw_rate >= 0.0);
    }
}
