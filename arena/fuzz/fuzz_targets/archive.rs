//! Fuzzes `arena_fuzz::archive`, where it says what must hold and how to run this.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| arena_fuzz::archive(data));
