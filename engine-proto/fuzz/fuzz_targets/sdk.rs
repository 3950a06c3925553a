//! Fuzzes `engine_proto_fuzz::sdk`, where it says what must hold and how to run this.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| engine_proto_fuzz::sdk(data));
