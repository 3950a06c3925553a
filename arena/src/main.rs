//! The arena.

fn main() {}
