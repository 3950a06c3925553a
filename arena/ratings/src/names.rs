//! Numbers names, so that each text is stored once.

use std::collections::HashMap;

/// Names, numbered in the order of their first use.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
}

impl Names {
    /// The number of `text`; a new one if it is new.
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
