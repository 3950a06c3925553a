//! Fuzzes `arena_fuzz::engine`, where it says what must hold and how to run this.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| arena_fuzz::engine(data));
