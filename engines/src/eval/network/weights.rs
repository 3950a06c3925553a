//! The weights of a network, their file, and the numbering of inputs. It evaluates nothing.

use std::fmt;

use engine_proto::Side;
use engine_proto::bits::mix64;

/// The number of units of the hidden layer, for each side.
pub const HIDDEN: usize = 32;
/// What 1.0 is in the hidden layer.
pub const ONE: i16 = 255;
/// What 1.0 is in the weights of the output.
pub const OUTPUT_ONE: i16 = 64;
/// The largest weight of the output, so that it fits 16 bits after multiplication by [`ONE`].
const OUTPUT_MOST: i16 = 127;

/// The number of an input's row of weights.
pub type Row = u16;
/// The sums of the hidden layer for one side.
pub type Sums = [i16; HIDDEN];

/// The rows of the inputs, by their bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// By side, the row of each bit as this side sees it; [`Self::UNUSED`] without a row.
    rows: [Vec<Row>; 2],
    /// The row of each row's mirror image.
    mirrored: Vec<Row>,
    n_rows: usize,
}

/// The weights of a network, and where they are from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The rows of its inputs.
    pub numbering: Numbering,
    /// A hash of the text that says how it was made, the first line of its log.
    pub recipe: u64,
    /// Whether its value is a correction of the classic evaluation.
    pub corrects: bool,
    /// By row, the weights of an input.
    pub rows: Vec<Sums>,
    /// The sums without any input.
    pub biases: Sums,
    /// The weights of the output: of the side to move, and of the other.
    pub output: [Sums; 2],
    /// The output without any unit, in [`ONE`] × [`OUTPUT_ONE`].
    pub bias: i32,
}

/// A file that is not the network of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadWeights(&'static str);

impl Numbering {
    const UNUSED: Row = Row::MAX;

    /// Numbers the bits of `n_words` words. `turned` gives the bit that means the same to the other side, `mirrored` that of
    /// the mirror image; `None` for bits without a meaning.
    pub fn of(
        n_words: usize,
        turned: impl Fn(usize) -> Option<usize>,
        mirrored: impl Fn(usize) -> usize,
    ) -> Self {
        let mut white = vec![Self::UNUSED; n_words * 64];
        let used: Vec<usize> = (0..white.len()).filter(|&bit| turned(bit).is_some()).collect();
        used.iter().enumerate().for_each(|(row, &bit)| white[bit] = row as Row);
        let black =
            (0..white.len()).map(|bit| turned(bit).map_or(Self::UNUSED, |turned| white[turned])).collect();
        let mirrored = used.iter().map(|&bit| white[mirrored(bit)]).collect();
        Self { rows: [white, black], mirrored, n_rows: used.len() }
    }

    /// The number of rows.
    pub const fn len(&self) -> usize {
        self.n_rows
    }

    /// Whether there is no row.
    pub const fn is_empty(&self) -> bool {
        self.n_rows == 0
    }

    /// The row of a bit as `side` sees it.
    #[inline]
    pub fn row(&self, side: Side, bit: usize) -> Row {
        self.rows[side.index()][bit]
    }

    /// By White's row, Black's.
    pub fn turned(&self) -> Vec<Row> {
        let [white, black] = &self.rows;
        let mut turned = vec![Self::UNUSED; self.n_rows];
        for (&white, &black) in white.iter().zip(black).filter(|(white, _)| **white != Self::UNUSED) {
            turned[usize::from(white)] = black;
        }
        turned
    }

    /// By row, the mirror image's.
    pub fn mirrored(&self) -> &[Row] {
        &self.mirrored
    }
}

impl Weights {
    const MAGIC: &'static [u8; 8] = b"ARENANET";
    const VERSION: u32 = 1;

    /// The hash of a recipe.
    pub fn hash_of(text: &[u8]) -> u64 {
        text.iter().fold(0, |hash, &byte| mix64(hash ^ u64::from(byte)))
    }

    /// The file of the weights for the game with this id.
    pub fn to_bytes(&self, game: &str) -> Vec<u8> {
        let mut bytes = Self::MAGIC.to_vec();
        let sizes = [Self::VERSION, self.rows.len() as u32, HIDDEN as u32, u32::from(self.corrects)];
        bytes.extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
        bytes.extend(Self::hash_of(game.as_bytes()).to_le_bytes());
        bytes.extend(self.recipe.to_le_bytes());
        bytes.extend(self.bias.to_le_bytes());
        let rows = self.output.iter().chain([&self.biases]).chain(&self.rows);
        bytes.extend(rows.flatten().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(Self::hash_of(&bytes).to_le_bytes());
        bytes
    }

    /// The weights of a file for the game with this id, whose inputs are numbered by `numbering`.
    ///
    /// # Errors
    /// If the file is damaged, or is not for this game and this version of its inputs.
    pub fn read(bytes: &[u8], game: &str, numbering: Numbering) -> Result<Self, BadWeights> {
        let (content, hash) = bytes.split_last_chunk().ok_or(BadWeights("it is too short"))?;
        let mut content = Reader(content);
        if u64::from_le_bytes(*hash) != Self::hash_of(content.0) {
            return Err(BadWeights("its checksum is wrong"));
        }
        if content.take()? != *Self::MAGIC {
            return Err(BadWeights("it is not a file of weights"));
        }
        let mut size = || content.take().map(u32::from_le_bytes);
        let [version, n_rows, hidden, corrects] = [size()?, size()?, size()?, size()?];
        if version != Self::VERSION {
            return Err(BadWeights("its version is unknown"));
        }
        if [n_rows as usize, hidden as usize] != [numbering.len(), HIDDEN] {
            return Err(BadWeights("its sizes are not those of the game's network"));
        }
        if u64::from_le_bytes(content.take()?) != Self::hash_of(game.as_bytes()) {
            return Err(BadWeights("it is for another game"));
        }
        let recipe = u64::from_le_bytes(content.take()?);
        let bias = i32::from_le_bytes(content.take()?);
        let mut sums = || -> Result<Sums, BadWeights> {
            let mut sums = [0; HIDDEN];
            for sum in &mut sums {
                *sum = i16::from_le_bytes(content.take()?);
            }
            Ok(sums)
        };
        let output = [sums()?, sums()?];
        if output.iter().flatten().any(|weight| weight.abs() > OUTPUT_MOST) {
            return Err(BadWeights("a weight of its output is too large"));
        }
        let biases = sums()?;
        let rows = (0..numbering.len()).map(|_| sums()).collect::<Result<_, _>>()?;
        if !content.0.is_empty() {
            return Err(BadWeights("it is too long"));
        }
        Ok(Self { numbering, recipe, corrects: corrects != 0, rows, biases, output, bias })
    }

    /// The largest weight of the output, and of an input, in units of 1.0.
    pub fn limits() -> [f32; 2] {
        [f32::from(OUTPUT_MOST) / f32::from(OUTPUT_ONE), 1.98]
    }
}

/// Reads numbers from bytes.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], BadWeights> {
        let (first, rest) = self.0.split_first_chunk().ok_or(BadWeights("it is too short"))?;
        self.0 = rest;
        Ok(*first)
    }
}

impl fmt::Display for BadWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "not the weights of this game's network: {}; write them again with the example `learn`",
            self.0
        )
    }
}

impl std::error::Error for BadWeights {}
