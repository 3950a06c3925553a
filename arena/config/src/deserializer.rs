//! Reads a type from a parsed TOML value. `toml`'s own reader compiles the code of each table three times: for tables, for values
//! with a place, and for dates. This one compiles it once, and has no dates.

use std::array;
use std::fmt;
use std::ops::Range;
use std::slice;

use engine_proto::Games;
use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeString, DeTable, DeValue};
use toml::map;

use host::closest::closest;

/// What is wrong, in serde's words, and the place of the innermost value that it is about.
#[derive(Debug)]
pub struct Error {
    pub message: String,
    pub span: Option<Range<usize>>,
}

impl Error {
    fn at(self, span: Range<usize>) -> Self {
        Self { span: self.span.or(Some(span)), ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None }
    }
}

/// The number, unless it is too large for its type.
fn float(number: &DeFloat<'_>) -> Option<f64> {
    let value: f64 = number.as_str().parse().ok()?;
    (!value.is_infinite() || number.as_str().contains("inf")).then_some(value)
}

/// A TOML value with its place, and the games that it may name.
#[derive(Clone, Copy)]
pub struct Value<'a, 'text> {
    pub value: &'a Spanned<DeValue<'text>>,
    pub games: &'a Games,
}

impl Value<'_, '_> {
    fn wrong(self, expected: &dyn Expected) -> Error {
        let found = match self.value.get_ref() {
            DeValue::String(text) => Unexpected::Str(text),
            DeValue::Integer(number) => match whole(number) {
                Some(Whole::Signed(number)) => Unexpected::Signed(number),
                Some(Whole::Unsigned(number)) => Unexpected::Unsigned(number),
                None => return Error::custom("number too large"),
            },
            DeValue::Float(number) => match float(number) {
                Some(number) => Unexpected::Float(number),
                None => return Error::custom("number too large"),
            },
            DeValue::Boolean(value) => Unexpected::Bool(*value),
            DeValue::Datetime(_) => Unexpected::Other("date"),
            DeValue::Array(_) => Unexpected::Seq,
            DeValue::Table(_) => Unexpected::Map,
        };
        Error::invalid_type(found, expected)
    }
}

enum Whole {
    Signed(i64),
    Unsigned(u64),
}

/// The number without its underscores, which the parser has checked and removed.
fn whole(number: &DeInteger<'_>) -> Option<Whole> {
    let (text, radix) = (number.as_str(), number.radix());
    let signed = i64::from_str_radix(text, radix).map(Whole::Signed);
    signed.or_else(|_| u64::from_str_radix(text, radix).map(Whole::Unsigned)).ok()
}

impl<'de> Deserializer<'de> for Value<'_, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.get_ref() {
            DeValue::String(text) => visitor.visit_str(text),
            DeValue::Boolean(value) => visitor.visit_bool(*value),
            DeValue::Integer(number) => match whole(number) {
                Some(Whole::Signed(number)) => visitor.visit_i64(number),
                Some(Whole::Unsigned(number)) => visitor.visit_u64(number),
                None => Err(self.wrong(&visitor)),
            },
            DeValue::Float(number) => match float(number) {
                Some(number) => visitor.visit_f64(number),
                None => Err(self.wrong(&visitor)),
            },
            DeValue::Array(items) => visitor.visit_seq(Items { items: items.iter(), games: self.games }),
            DeValue::Table(table) => visitor.visit_map(Entries::of(table, self.games)),
            DeValue::Datetime(_) => Err(self.wrong(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &str, visitor: V) -> Result<V::Value, Error> {
        if let DeValue::String(text) = self.value.get_ref() {
            check_game(name, text, self.games)?;
        }
        visitor.visit_newtype_struct(self)
    }

    /// Only [`Key`](super::value::Key) is such a type.
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let span = self.value.span();
        visitor.visit_seq(Placed { numbers: [span.start, span.end].into_iter(), value: self })
    }

    fn deserialize_struct<V: Visitor<'de>>(self, _: &str, _: &[&str], visitor: V) -> Result<V::Value, Error> {
        match self.value.get_ref() {
            DeValue::Table(table) => visitor.visit_map(Entries::of(table, self.games)),
            _ => Err(self.wrong(&visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _: &str, _: &[&str], visitor: V) -> Result<V::Value, Error> {
        match self.value.get_ref() {
            DeValue::String(word) => visitor.visit_enum(key(word)),
            DeValue::Table(table) if table.len() == 1 => visitor.visit_enum(Entries::of(table, self.games)),
            _ => Err(self.wrong(&visitor)),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple map
        identifier ignored_any
    }
}

fn key(word: &str) -> StrDeserializer<'_, Error> {
    word.into_deserializer()
}

/// Checks a text that becomes a game: only its type's name says that it does.
fn check_game(type_name: &str, text: &str, games: &Games) -> Result<(), Error> {
    match (type_name, games.parse(text)) {
        ("GameName", Err(error)) => Err(Error::custom(match closest(text, games.ids()) {
            Some(id) => format!("{error}; did you mean `{id}`?"),
            None => format!("{error}; the games are {}", games.ids().collect::<Vec<_>>().join(", ")),
        })),
        ("GameId", Err(error)) => Err(Error::custom(error)),
        _ => Ok(()),
    }
}

/// The key of an entry, which may name a game.
struct Name<'a> {
    text: &'a str,
    games: &'a Games,
}

impl<'de> Deserializer<'de> for Name<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.text)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &str, visitor: V) -> Result<V::Value, Error> {
        check_game(name, self.text, self.games)?;
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _: &str, _: &[&str], visitor: V) -> Result<V::Value, Error> {
        visitor.visit_enum(key(self.text))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// The values of an array.
struct Items<'a, 'text> {
    items: slice::Iter<'a, Spanned<DeValue<'text>>>,
    games: &'a Games,
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(item) = self.items.next() else { return Ok(None) };
        match seed.deserialize(Value { value: item, games: self.games }) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.at(item.span())),
        }
    }
}

/// The start and the end of a value, and the value.
struct Placed<'a, 'text> {
    numbers: array::IntoIter<usize, 2>,
    value: Value<'a, 'text>,
}

impl<'de> SeqAccess<'de> for Placed<'_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        match self.numbers.next() {
            Some(number) => seed.deserialize(number.into_deserializer()),
            None => seed.deserialize(self.value),
        }
        .map(Some)
    }
}

/// The entries of a table.
struct Entries<'a, 'text> {
    left: map::Iter<'a, Spanned<DeString<'text>>, Spanned<DeValue<'text>>>,
    value: Option<Value<'a, 'text>>,
    games: &'a Games,
}

impl<'a, 'text> Entries<'a, 'text> {
    fn of(table: &'a DeTable<'text>, games: &'a Games) -> Self {
        Self { left: table.iter(), value: None, games }
    }
}

impl<'de> MapAccess<'de> for Entries<'_, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((name, value)) = self.left.next() else { return Ok(None) };
        self.value = Some(Value { value, games: self.games });
        match seed.deserialize(Name { text: name.get_ref(), games: self.games }) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(error.at(name.span())),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let value = self.value.take().expect("a key was read before");
        match seed.deserialize(value) {
            Ok(value) => Ok(value),
            Err(error) => Err(error.at(value.value.span())),
        }
    }
}

/// A table with one entry: the name of a variant, and its values.
impl<'de, 'a, 'text> EnumAccess<'de> for Entries<'a, 'text> {
    type Error = Error;
    type Variant = Value<'a, 'text>;

    fn variant_seed<V: DeserializeSeed<'de>>(mut self, seed: V) -> Result<(V::Value, Self::Variant), Error> {
        let name = self.next_key_seed(seed)?;
        name.zip(self.value).ok_or_else(|| Error::custom("a table with one entry is missing"))
    }
}

impl<'de> VariantAccess<'de> for Value<'_, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Err(self.wrong(&"no value"))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_struct("", fields, visitor)
    }
}
