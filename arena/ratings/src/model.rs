//! The probabilities of one match: the Bradley-Terry model with Davidson's draws and a first-player advantage.
//! [`super::fit`] fits it.

/// The parameters of the model, in addition to the engines' strengths, in natural units.
///
/// With x = θ_white - θ_black + α, P(win) : P(draw) : P(loss) = e^(x/2) : e^δ : e^(-x/2)
/// (R. R. Davidson, *On extending the Bradley-Terry model to accommodate ties*, JASA 65, 1970, and for α
/// Davidson and R. J. Beaver, Biometrics 33, 1977).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Davidson {
    /// α, the advantage of moving first.
    pub first_player: f64,
    /// δ, the logarithm of Davidson's ν: the frequency of draws.
    pub draw: f64,
}

/// The probabilities of one match, from White's view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chances {
    pub win: f64,
    pub draw: f64,
    pub loss: f64,
}

impl Davidson {
    /// The probabilities if White is stronger than Black by `strength` (θ_white - θ_black).
    pub(super) fn chances(self, strength: f64) -> Chances {
        let half = 0.5 * (strength + self.first_player);
        // The largest exponent is subtracted, so that nothing overflows.
        let largest = half.abs().max(self.draw);
        let (win, draw, loss) =
            ((half - largest).exp(), (self.draw - largest).exp(), (-half - largest).exp());
        let sum = win + draw + loss;
        Chances { win: win / sum, draw: draw / sum, loss: loss / sum }
    }

    /// The expected score, over both sides, of an engine that is stronger by `strength`.
    pub(super) fn mean_score(self, strength: f64) -> f64 {
        let [white, black] = [strength, -strength].map(|ahead| self.chances(ahead).score());
        0.5 * (white + 1.0 - black)
    }

    /// The logarithm of the probability of this many matches won, drawn and lost by White, exact also if a probability is
    /// too small for a number.
    pub(super) fn ln_likelihood(self, strength: f64, [wins, draws, losses]: [f64; 3]) -> f64 {
        let half = 0.5 * (strength + self.first_player);
        let largest = half.abs().max(self.draw);
        let ln_sum =
            largest + ((half - largest).exp() + (self.draw - largest).exp() + (-half - largest).exp()).ln();
        wins * (half - ln_sum) + draws * (self.draw - ln_sum) + losses * (-half - ln_sum)
    }
}

impl Chances {
    /// The same from Black's view.
    pub(super) fn swapped(self) -> Self {
        Self { win: self.loss, loss: self.win, ..self }
    }

    /// White's expected points.
    pub(super) fn score(self) -> f64 {
        self.win + 0.5 * self.draw
    }

    /// The variance of White's points: the information on x.
    pub(super) fn score_variance(self) -> f64 {
        self.win * self.loss + 0.25 * self.draw * (self.win + self.loss)
    }

    /// The covariance of White's points and the indicator of a draw: the information between x and δ.
    pub(super) fn score_draw_covariance(self) -> f64 {
        0.5 * self.draw * (self.loss - self.win)
    }

    /// The variance of the indicator of a draw: the information on δ.
    pub(super) fn draw_variance(self) -> f64 {
        self.draw * (self.win + self.loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_are_davidsons() {
        let davidson = Davidson { first_player: 0.3, draw: -0.4 };
        let chances = davidson.chances(0.9);
        assert!((chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-15);
        assert!((chances.win / chances.loss - 1.2f64.exp()).abs() < 1e-12);
        assert!((chances.draw / (chances.win * chances.loss).sqrt() - (-0.4f64).exp()).abs() < 1e-12);
        let score = chances.score();
        let variance = chances.win + 0.25 * chances.draw - score * score;
        assert!((chances.score_variance() - variance).abs() < 1e-15);
        assert!((chances.score_draw_covariance() - chances.draw * (0.5 - score)).abs() < 1e-15);
    }

    #[test]
    fn nothing_overflows() {
        for strength in [-1e4, -60.0, 0.0, 60.0, 1e4] {
            for draw in [-1e3, 0.0, 1e3] {
                let davidson = Davidson { first_player: 0.0, draw };
                let chances = davidson.chances(strength);
                assert!((chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-12);
                assert!(davidson.ln_likelihood(strength, [1.0; 3]).is_finite());
            }
        }
    }

    #[test]
    fn the_likelihood_is_that_of_the_chances() {
        let davidson = Davidson { first_player: -0.2, draw: 0.7 };
        let chances = davidson.chances(1.1);
        let expected = 3.0 * chances.win.ln() + 2.0 * chances.draw.ln() + 5.0 * chances.loss.ln();
        assert!((davidson.ln_likelihood(1.1, [3.0, 2.0, 5.0]) - expected).abs() < 1e-12);
    }
}
