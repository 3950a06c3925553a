//! Makes archives, good and hostile ones.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

/// What a good engine says of itself.
pub const MANIFEST: &str =
    "name = \"good\"\ncommand = \"./engine\"\nargs = [\"--fast\"]\n[options]\nHash = 16\n";

/// A tar archive, before it is compressed.
pub struct Tar(Builder<Vec<u8>>);

impl Tar {
    pub fn new() -> Self {
        Self(Builder::new(Vec::new()))
    }

    /// A complete engine.
    pub fn engine() -> Self {
        Self::new().file("engine.toml", MANIFEST).entry("engine", EntryType::Regular, 0o755, b"#!/bin/sh\n")
    }

    pub fn file(self, name: &str, content: &str) -> Self {
        self.entry(name, EntryType::Regular, 0o644, content.as_bytes())
    }

    pub fn entry(self, name: impl AsRef<[u8]>, kind: EntryType, mode: u32, content: &[u8]) -> Self {
        let mut header = header(name.as_ref(), kind, mode, content.len() as u64);
        header.set_cksum();
        self.raw(&header, content)
    }

    /// A link, symbolic or hard.
    pub fn link(self, name: &str, kind: EntryType, target: &str) -> Self {
        let mut header = header(name.as_bytes(), kind, 0o777, 0);
        header.set_link_name_literal(target).unwrap();
        header.set_cksum();
        self.raw(&header, b"")
    }

    /// A header that says a size that the content does not have.
    pub fn claim(self, name: &str, kind: EntryType, size: u64) -> Self {
        let mut header = header(name.as_bytes(), kind, 0o644, size);
        header.set_cksum();
        self.raw(&header, b"little")
    }

    /// A record of the pax format for the next entry.
    pub fn pax(self, key: &str, value: &str) -> Self {
        // The length counts its own digits.
        let rest = format!(" {key}={value}\n");
        let length = (1..1000).find(|length| *length == rest.len() + length.to_string().len()).unwrap();
        self.entry("pax", EntryType::XHeader, 0o644, format!("{length}{rest}").as_bytes())
    }

    fn raw(mut self, header: &Header, content: &[u8]) -> Self {
        self.0.append(header, Cursor::new(content)).unwrap();
        self
    }

    pub fn tar(self) -> Vec<u8> {
        self.0.into_inner().unwrap()
    }

    pub fn gzip(self) -> Vec<u8> {
        gzip(&self.tar())
    }
}

/// A header whose name is not checked, as an attacker writes it.
fn header(name: &[u8], kind: EntryType, mode: u32, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name);
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(size);
    header
}

pub fn gzip(tar: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(tar).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(tar: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(tar, ruzstd::encoding::CompressionLevel::Fastest)
}

/// So many bytes of zeros take next to nothing in an archive.
pub fn gzip_of_zeros(head: &[u8], bytes: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(head).unwrap();
    let part = vec![0; 1 << 20];
    for _ in 0..bytes >> 20 {
        encoder.write_all(&part).unwrap();
    }
    encoder.finish().unwrap()
}

/// A frame of Zstandard with blocks that repeat one byte: 4 bytes become 128 KiB.
pub fn zstd_of_zeros(head: &[u8], blocks: usize) -> Vec<u8> {
    // The magic number; no check sum, no size; a window of 128 KiB.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38];
    let block = |kind: u32, size: usize, is_last: bool| {
        (u32::from(is_last) | kind << 1 | (size as u32) << 3).to_le_bytes()[..3].to_vec()
    };
    frame.extend(block(0, head.len(), false));
    frame.extend(head);
    for idx in 1..=blocks {
        frame.extend(block(1, 128 << 10, idx == blocks));
        frame.push(0);
    }
    frame
}
