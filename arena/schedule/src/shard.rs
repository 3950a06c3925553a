//! A part of a fixed schedule, for machines that share a tournament without a server.

use std::fmt;
use std::str::FromStr;

/// A part of a tournament: `3/8` is the third of eight. Each pair of matches belongs to exactly one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    number: u32,
    /// The number of shards.
    of: u32,
}

impl Shard {
    /// Whether the pair that this pairing plays in this round (both are indices) belongs to the shard. In each round, every
    /// `of`-th pairing does; the next round begins one pairing earlier. So each shard gets slow and fast pairings alike.
    pub const fn has(self, pairing: usize, round: u32) -> bool {
        let place = pairing as u64 + round as u64;
        place % self.of as u64 == self.number as u64 - 1
    }

    /// How many of its first `rounds` rounds a pairing plays in the shard.
    pub const fn n_rounds(self, pairing: usize, rounds: u32) -> u32 {
        let of = self.of as u64;
        let first = (self.number as u64 - 1 + of - pairing as u64 % of) % of;
        (rounds as u64).saturating_sub(first).div_ceil(of) as u32
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(number, of)| {
            let (number, of) = (number.parse().ok()?, of.parse().ok()?);
            (1..=of).contains(&number).then_some(Self { number, of })
        });
        parsed.ok_or_else(|| "write it as K/N with K from 1 to N, such as `3/8`".to_owned())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_is_in_one_shard_and_each_shard_gets_every_pairing() {
        const N: u32 = 6;
        let shards: Vec<Shard> = (1..=N).map(|number| Shard { number, of: N }).collect();
        for pairing in 0..30 {
            for round in 0..20 {
                assert_eq!(shards.iter().filter(|shard| shard.has(pairing, round)).count(), 1);
                for shard in &shards {
                    let counted = (0..round).filter(|round| shard.has(pairing, *round)).count();
                    assert_eq!(shard.n_rounds(pairing, round) as usize, counted);
                }
            }
            // Six rounds, and so each of six shards, once.
            assert!(
                shards.iter().all(|shard| (0..N).filter(|round| shard.has(pairing, *round)).count() == 1)
            );
        }
        for shard in shards {
            assert_eq!((0..30).filter(|pairing| shard.has(*pairing, 3)).count(), 5);
        }
    }

    #[test]
    fn only_a_part_of_the_whole_is_a_shard() {
        assert_eq!("3/8".parse::<Shard>().unwrap().to_string(), "3/8");
        assert_eq!("1/1".parse::<Shard>().unwrap().to_string(), "1/1");
        for wrong in ["", "3", "0/8", "9/8", "0/0", "1/0", "-1/8", "1/8/2", "a/b", "1/99999999999"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
