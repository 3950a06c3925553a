//! Names to small numbers and back, so that each text is kept once. Knows nothing of what is named.

use std::collections::HashMap;

/// Names numbered in the order in which they first came.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
}

impl Names {
    /// The number of `text`, a new one if it was never seen.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(text.into(), number);
        self.texts.push(text.into());
        number
    }

    /// All names, at the index of their number.
    pub(super) fn texts(&self) -> &[Box<str>] {
        &self.texts
    }
}
