//! The start positions (section Start positions): a fixed array of pieces on terrain that depends on a seed.

use super::board::Size;
use super::{Push, Terrain};
use crate::Start;

/// The 8x8 start on these heights.
macro_rules! eight {
    ($heights:literal) => {
        concat!("5prk/6nb/6p1/8/8/1P6/BN6/KRP5 w ", $heights, " - 0 0 0")
    };
}

/// The 6x6 start on these heights.
macro_rules! six {
    ($heights:literal) => {
        concat!("4rk/4pn/6/6/NP4/KR4 w ", $heights, " - 0 0 0")
    };
}

/// One start of each size with random terrain, then the table of the page.
pub(super) const ALL: &[Start] = &[
    Start { name: "8x8", fen: DEFAULT, random: true },
    Start { name: "6x6", fen: SIX_1, random: true },
    Start::fixed("default", DEFAULT),
    Start::fixed("8x8-2", eight!("20000121/01110002/00201100/10010000/20100000/00011100/00201000/20000002")),
    Start::fixed("8x8-3", eight!("00010001/10000021/00002000/00002100/02210000/20000000/00002020/00010002")),
    Start::fixed("8x8-4", eight!("01210020/00102121/01020021/02200020/10000012/00120011/10001120/22000000")),
    Start::fixed("8x8-5", eight!("10122010/12000000/00001000/11000000/02110000/10011100/21020211/01210100")),
    Start::fixed("8x8-6", eight!("21010212/10000100/00021000/02010200/11200110/00110010/11200001/02000000")),
    Start::fixed("8x8-7", eight!("00000010/00000000/00200200/00000000/00000210/02220210/12010100/00001010")),
    Start::fixed("8x8-8", eight!("01000010/00001020/00000000/01000100/01000011/12110002/01010000/21022010")),
    Start::fixed("6x6-1", SIX_1),
    Start::fixed("6x6-2", six!("002001/102000/011200/100000/010010/100000")),
    Start::fixed("6x6-3", six!("000000/011100/000000/101010/020000/000200")),
    Start::fixed("6x6-4", six!("210120/200000/120011/112000/002000/110000")),
    Start::fixed("8x8-flat", FLAT),
    Start::fixed("6x6-flat", six!("000000/000000/000000/000000/000000/000000")),
    Start::fixed("flat", FLAT),
];

const DEFAULT: &str = eight!("00100102/10021010/00000200/00001002/00010010/01001000/01020122/10020000");
const FLAT: &str = eight!("00000000/00000000/00000000/00000000/00000000/00000000/00000000/00000000");
const SIX_1: &str = six!("100000/000200/001000/011101/000102/200100");

/// The start position called `name`: one of [`ALL`], or `8x8-S` or `6x6-S` for any 64-bit seed S.
pub(super) fn named(name: &str, seed: u64) -> Option<Push> {
    match name {
        "8x8" => return Some(thrown(Size::Eight, seed)),
        "6x6" => return Some(thrown(Size::Six, seed)),
        _ => {}
    }
    if let Some(start) = ALL.iter().find(|start| start.name == name) {
        return Some(start.fen.parse().expect("the table holds canonical FENs"));
    }
    let (size, text) = match name.split_at_checked(4)? {
        ("8x8-", text) => (Size::Eight, text),
        ("6x6-", text) => (Size::Six, text),
        _ => return None,
    };
    // A number has one spelling: no sign, no leading zero.
    let seed = text.parse::<u64>().ok().filter(|seed| seed.to_string() == text)?;
    Some(thrown(size, seed))
}

/// The start position on the terrain of a seed.
fn thrown(size: Size, seed: u64) -> Push {
    let pieces = match size {
        Size::Eight => FLAT,
        Size::Six => SIX_1,
    };
    let mut position: Push = pieces.parse().expect("the table holds canonical FENs");
    position.terrain = Terrain::thrown(size, seed);
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, Searchable};

    /// The rows of the page's table: name, heights, number of legal moves.
    fn table() -> Vec<(&'static str, &'static str, usize)> {
        let rows: Vec<_> = Push::INFO
            .rules
            .lines()
            .filter_map(|line| {
                let [name, heights, n_moves] = line
                    .strip_prefix('|')?
                    .strip_suffix('|')?
                    .split('|')
                    .collect::<Vec<_>>()
                    .try_into()
                    .ok()?;
                let name = name.trim().strip_prefix('`')?.strip_suffix('`')?;
                let heights = heights.trim().strip_prefix('`')?.strip_suffix('`')?;
                Some((name, heights, n_moves.trim().parse().ok()?))
            })
            .collect();
        assert_eq!(rows.len(), 14);
        rows
    }

    #[test]
    fn every_named_start_is_that_of_the_page() {
        for (name, heights, n_moves) in table() {
            let position = Push::start(name, 99).unwrap();
            assert_eq!(position.to_string().split(' ').nth(2), Some(heights), "{name}");
            assert_eq!(position.count_legal_moves(), n_moves, "{name}");
            assert!(ALL.iter().any(|start| start.name == name && !start.random), "{name}");
        }
        assert_eq!(Push::start("flat", 3), Push::start("8x8-flat", 4));
        assert_eq!(Push::startpos(), Push::start("default", 5).unwrap());
    }

    #[test]
    fn the_terrain_of_the_page_comes_from_its_seed() {
        for (name, _, _) in table() {
            let (size, seed) = name.split_once('-').unwrap_or(("8x8", "1"));
            if let Ok(seed) = seed.parse() {
                assert_eq!(Push::start(name, 99), Push::start(size, seed), "{name}");
            }
        }
    }

    #[test]
    fn any_seed_names_a_start() {
        for seed in [0, 1, 9, 12_345_678_901, u64::MAX] {
            for size in ["8x8", "6x6"] {
                let position = Push::start(&format!("{size}-{seed}"), 99);
                assert!(position.is_some());
                assert_eq!(position, Push::start(size, seed));
            }
        }
        for name in
            ["", "8x8-", "8x8-01", "8x8-+1", "8x8--1", "8x8-18446744073709551616", "7x7-1", "8x81", "äöü"]
        {
            assert_eq!(Push::start(name, 1), None, "{name}");
        }
    }
}
