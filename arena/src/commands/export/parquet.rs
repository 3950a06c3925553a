//! The table of positions as a Parquet file (<https://parquet.apache.org/docs/file-format/>): groups of rows, in which each
//! column is one page, compressed with gzip. The descriptions of pages and of the file are structs of Thrift's compact protocol.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::Row;

/// The number of rows that are written together. Readers take as many at once.
const GROUP: usize = 100_000;
const MAGIC: &[u8] = b"PAR1";

// Numbers of the format.
const INT64: i64 = 2;
const DOUBLE: i64 = 5;
const BYTE_ARRAY: i64 = 6;
const UTF8: i64 = 0;
const PLAIN: i64 = 0;
const RLE: i64 = 3;
const GZIP: i64 = 2;
const DATA_PAGE: i64 = 0;

/// A column of the rows that are not written yet.
struct Column {
    name: &'static str,
    kind: i64,
    is_optional: bool,
    values: Vec<u8>,
    is_there: Vec<bool>,
}

impl Column {
    const fn new(name: &'static str, kind: i64, is_optional: bool) -> Self {
        Self { name, kind, is_optional, values: Vec::new(), is_there: Vec::new() }
    }

    fn whole(&mut self, value: Option<i64>) {
        self.is_there.push(value.is_some());
        self.values.extend(value.iter().flat_map(|value| value.to_le_bytes()));
    }

    fn real(&mut self, value: f64) {
        self.is_there.push(true);
        self.values.extend(value.to_le_bytes());
    }

    fn text(&mut self, value: &str) {
        self.is_there.push(true);
        self.values.extend((value.len() as u32).to_le_bytes());
        self.values.extend(value.as_bytes());
    }

    /// The values that are there, after a bit for each row that says which ones are.
    fn take_page(&mut self) -> Vec<u8> {
        let values = std::mem::take(&mut self.values);
        let is_there = std::mem::take(&mut self.is_there);
        if !self.is_optional {
            return values;
        }
        let bits: Vec<u8> = is_there
            .chunks(8)
            .map(|eight| {
                eight.iter().enumerate().map(|(idx, is_there)| u8::from(*is_there) << idx).sum::<u8>()
            })
            .collect();
        let mut levels = Vec::new();
        varint(&mut levels, (bits.len() as u64) << 1 | 1);
        levels.extend(bits);
        [&(levels.len() as u32).to_le_bytes()[..], &levels, &values].concat()
    }
}

/// Writes a file.
pub struct Parquet<'a> {
    out: &'a mut dyn Write,
    /// The length of what is written.
    offset: usize,
    columns: [Column; 9],
    n_rows: usize,
    groups: Vec<Struct>,
}

impl<'a> Parquet<'a> {
    pub fn new(out: &'a mut dyn Write) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        let columns = [
            Column::new("game", BYTE_ARRAY, false),
            Column::new("match", INT64, false),
            Column::new("ply", INT64, false),
            Column::new("fen", BYTE_ARRAY, false),
            Column::new("move", BYTE_ARRAY, false),
            Column::new("score", INT64, true),
            Column::new("depth", INT64, true),
            Column::new("nodes", INT64, true),
            Column::new("result", DOUBLE, false),
        ];
        Ok(Self { out, offset: MAGIC.len(), columns, n_rows: 0, groups: Vec::new() })
    }

    pub fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        let [game, number, ply, fen, mv, score, depth, nodes, result] = &mut self.columns;
        game.text(&row.game.to_string());
        number.whole(Some(row.r#match.into()));
        ply.whole(Some(row.ply as i64));
        fen.text(&row.fen);
        mv.text(row.r#move);
        score.whole(row.score);
        depth.whole(row.depth.map(i64::from));
        nodes.whole(row.nodes.map(|nodes| i64::try_from(nodes).unwrap_or(i64::MAX)));
        result.real(row.result.parse().expect("a number"));
        if self.columns[0].is_there.len() == GROUP { self.write_group() } else { Ok(()) }
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.write_group()?;
        let root = Struct::default().text(4, "positions").int(5, self.columns.len() as i64);
        let column = |column: &Column| {
            let leaf = Struct::default().int(1, column.kind).int(3, column.is_optional.into());
            let leaf = leaf.text(4, column.name);
            if column.kind == BYTE_ARRAY { leaf.int(6, UTF8) } else { leaf }
        };
        let schema = [root].into_iter().chain(self.columns.iter().map(column)).collect();
        let about = Struct::default().int(1, 1).structs(2, schema).long(3, self.n_rows as i64);
        let about = about.structs(4, self.groups).text(6, concat!("arena ", env!("CARGO_PKG_VERSION")));
        let about = about.end();
        self.out.write_all(&about)?;
        self.out.write_all(&(about.len() as u32).to_le_bytes())?;
        self.out.write_all(MAGIC)?;
        self.out.flush()
    }

    /// Writes the rows so far.
    fn write_group(&mut self) -> io::Result<()> {
        let n_rows = self.columns[0].is_there.len() as i64;
        if n_rows == 0 {
            return Ok(());
        }
        let (mut chunks, mut group_size) = (Vec::new(), 0);
        for column in &mut self.columns {
            let page = column.take_page();
            let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
            gzip.write_all(&page)?;
            let packed = gzip.finish()?;
            let encodings = Struct::default().int(1, n_rows).int(2, PLAIN).int(3, RLE).int(4, RLE);
            let header = Struct::default().int(1, DATA_PAGE).int(2, page.len() as i64);
            let header = header.int(3, packed.len() as i64).structure(5, encodings).end();
            let [size, packed_size] = [&page, &packed].map(|bytes| (header.len() + bytes.len()) as i64);
            let chunk = Struct::default().int(1, column.kind).ints(2, &[PLAIN, RLE]).texts(3, &[column.name]);
            let chunk = chunk.int(4, GZIP).long(5, n_rows).long(6, size).long(7, packed_size);
            let chunk = chunk.long(9, self.offset as i64);
            chunks.push(Struct::default().long(2, self.offset as i64).structure(3, chunk));
            self.out.write_all(&header)?;
            self.out.write_all(&packed)?;
            self.offset += header.len() + packed.len();
            group_size += size;
        }
        self.groups.push(Struct::default().structs(1, chunks).long(2, group_size).long(3, n_rows));
        self.n_rows += n_rows as usize;
        Ok(())
    }
}

/// A struct of the compact protocol, with the fields that it has so far, in the order of their ids.
#[derive(Default)]
struct Struct {
    bytes: Vec<u8>,
    last_id: u8,
}

/// Types of fields.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Struct {
    fn field(mut self, id: u8, kind: u8, value: impl FnOnce(&mut Vec<u8>)) -> Self {
        self.bytes.push((id - self.last_id) << 4 | kind);
        self.last_id = id;
        value(&mut self.bytes);
        self
    }

    fn int(self, id: u8, value: i64) -> Self {
        self.field(id, I32, |bytes| zigzag(bytes, value))
    }

    fn long(self, id: u8, value: i64) -> Self {
        self.field(id, I64, |bytes| zigzag(bytes, value))
    }

    fn text(self, id: u8, value: &str) -> Self {
        self.field(id, BINARY, |bytes| text(bytes, value))
    }

    fn structure(self, id: u8, value: Self) -> Self {
        self.field(id, STRUCT, |bytes| bytes.extend(value.end()))
    }

    fn ints(self, id: u8, values: &[i64]) -> Self {
        self.list(id, I32, values, |bytes, value| zigzag(bytes, *value))
    }

    fn texts(self, id: u8, values: &[&str]) -> Self {
        self.list(id, BINARY, values, |bytes, value| text(bytes, value))
    }

    fn structs(self, id: u8, values: Vec<Self>) -> Self {
        self.list(id, STRUCT, values, |bytes, value| bytes.extend(value.end()))
    }

    fn list<T>(
        self,
        id: u8,
        kind: u8,
        values: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        each: impl Fn(&mut Vec<u8>, T),
    ) -> Self {
        let values = values.into_iter();
        self.field(id, LIST, |bytes| {
            // 15 says that the length follows.
            bytes.push((values.len().min(15) as u8) << 4 | kind);
            if values.len() >= 15 {
                varint(bytes, values.len() as u64);
            }
            values.for_each(|value| each(bytes, value));
        })
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn text(bytes: &mut Vec<u8>, value: &str) {
    varint(bytes, value.len() as u64);
    bytes.extend(value.as_bytes());
}

fn zigzag(bytes: &mut Vec<u8>, value: i64) {
    varint(bytes, ((value << 1) ^ (value >> 63)) as u64);
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
