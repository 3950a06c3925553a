//! Decodes TOML into a type and finds all problems, not only the first: it notes each wrong entry, removes it, and
//! decodes the rest again.

use std::ops::Range;

use engine_proto::Games;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::deserializer::Value;
use super::problem::{Problem, WRONG_BRACKETS};

/// After this number of wrong entries, the rest of the file is not checked.
const MOST_PROBLEMS: usize = 50;

/// The value in `text`, which may name these `games`, without its wrong entries, and their problems. `None` if no valid value
/// remains.
pub fn decode<T: DeserializeOwned>(games: &Games, text: &str) -> (Option<T>, Vec<Problem>) {
    match parse(text) {
        Ok(table) => decode_table(games, table, text),
        Err(problems) => (None, problems),
    }
}

/// The values of two types in one table of `text`: `own` are the keys of the first one.
pub fn decode_both<T: DeserializeOwned, U: DeserializeOwned>(
    games: &Games,
    text: &str,
    own: &[&str],
) -> (Option<(T, U)>, Vec<Problem>) {
    let mut table = match parse(text) {
        Ok(table) => table,
        Err(problems) => return (None, problems),
    };
    let keys: Vec<_> =
        table.get_ref().keys().filter(|key| own.contains(&key.get_ref().as_ref())).cloned().collect();
    let mut first = DeTable::new();
    for key in keys {
        let value = table.get_mut().remove(&key).expect("its own key");
        first.insert(key, value);
    }
    let (first, mut problems) = decode_table(games, Spanned::new(table.span(), first), text);
    let (second, others) = decode_table(games, table, text);
    problems.extend(others);
    (first.zip(second), problems)
}

fn parse(text: &str) -> Result<Spanned<DeTable<'_>>, Vec<Problem>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let mut problems: Vec<_> = errors
            .iter()
            .map(|error| Problem::of_reader(error.message(), text, error.span().unwrap_or(0..text.len())))
            .collect();
        // Two tables `[game]` repeat every key: only the brackets are wrong.
        if problems.iter().any(|problem| problem.message == WRONG_BRACKETS) {
            problems.retain(|problem| problem.message != "duplicate key");
        }
        // What follows a bracket or quote that is not closed is read wrongly.
        problems.sort_by_key(|problem| problem.span.start);
        let is_open = |problem: &Problem| {
            ["unclosed ", "missing comma", "invalid basic string"]
                .iter()
                .any(|it| problem.message.starts_with(it))
        };
        if let Some(first) = problems.iter().position(is_open) {
            problems.truncate(first + 1);
        }
        return Err(problems);
    }
    Ok(table)
}

fn decode_table<T: DeserializeOwned>(
    games: &Games,
    table: Spanned<DeTable<'_>>,
    text: &str,
) -> (Option<T>, Vec<Problem>) {
    let mut whole = Spanned::new(table.span(), DeValue::Table(table.into_inner()));
    let mut problems = Vec::new();
    let mut removed: Vec<Removed> = Vec::new();
    loop {
        let error = match T::deserialize(Value { value: &whole, games }) {
            Ok(value) => return (Some(value), problems),
            Err(error) => error,
        };
        let problem = Problem::of_reader(&error.message, text, error.span.unwrap_or(whole.span()));
        let Some(entry) = remove_within(&mut whole, &problem.span) else {
            problems.push(problem);
            return (None, problems);
        };
        // A key with a wrong value was removed above: it is not missing as well.
        let left_out = problem.missing_key.as_ref().is_some_and(|key| {
            removed.iter().any(|earlier| earlier.table == problem.span && earlier.key == *key)
        });
        // An array instead of a table is reported for the array, and for what is left of it.
        let is_known =
            problems.iter().any(|it: &Problem| it.span == problem.span && it.message == problem.message);
        if !left_out && !is_known {
            problems.push(Problem { wrong_key: Some(entry.key.clone()), ..problem });
        }
        removed.push(entry);
        if MOST_PROBLEMS <= removed.len() {
            return (None, problems);
        }
    }
}

/// An entry that was removed: its key, and the place of its table.
struct Removed {
    table: Range<usize>,
    key: String,
}

/// Removes from `table` the innermost entry that contains the place `span`.
fn remove_at(table: &mut DeTable<'_>, at: &Range<usize>, span: &Range<usize>) -> Option<Removed> {
    let keys: Vec<_> = table.keys().cloned().collect();
    for key in keys {
        let value = table.get_mut(&key).expect("its own key");
        let value_span = value.span();
        if !holds(&key.span(), span) {
            if let Some(removed) = remove_within(value, span) {
                return Some(removed);
            }
            if !holds(&value_span, span) {
                continue;
            }
        }
        table.remove(&key);
        return Some(Removed { table: at.clone(), key: key.get_ref().to_string() });
    }
    None
}

/// The same inside a value; it never removes the value itself.
fn remove_within(value: &mut Spanned<DeValue<'_>>, span: &Range<usize>) -> Option<Removed> {
    let at = value.span();
    match value.get_mut() {
        DeValue::Table(inner) => remove_at(inner, &at, span),
        DeValue::Array(items) => {
            if let Some(removed) = items.iter_mut().find_map(|item| remove_within(item, span)) {
                return Some(removed);
            }
            let wrong = items.iter().position(|item| holds(&item.span(), span))?;
            let mut kept = DeArray::new();
            items
                .iter()
                .enumerate()
                .filter(|(idx, _)| *idx != wrong)
                .for_each(|(_, item)| kept.push(item.clone()));
            *items = kept;
            Some(Removed { table: at, key: wrong.to_string() })
        }
        _ => None,
    }
}

fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
