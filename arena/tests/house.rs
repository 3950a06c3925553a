//! The parts of the source code use each other as the table in `arena/README.md` says, and in one direction.

#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The parts in the order of the table, each with those that it may use.
fn table() -> Vec<(String, Vec<String>)> {
    let page = fs::read_to_string(package().join("README.md")).unwrap();
    let rows = page.lines().skip_while(|line| *line != "| part | content | may use |").skip(2);
    let rows = rows.take_while(|line| line.starts_with('|')).map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let names =
            |cell: &str| cell.split_whitespace().map(|name| name.trim_matches('`').to_owned()).collect();
        let [part, _, uses] = cells.as_slice() else { panic!("a row of three cells: {row}") };
        (part.trim_matches('`').to_owned(), names(uses))
    });
    let rows: Vec<_> = rows.collect();
    assert!(!rows.is_empty(), "README.md has the table");
    rows
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.file_name().is_some_and(|name| name == "tests.rs" || name == "samples.rs");
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            found.push(path);
        }
    }
}

/// The part that a source file belongs to; the root of the crate and the programs belong to none.
fn part(path: &Path) -> Option<String> {
    let path = path.strip_prefix(package().join("src")).unwrap();
    let first = path.components().next().unwrap().as_os_str().to_str().unwrap();
    let name = first.trim_end_matches(".rs");
    (!["lib", "bin"].contains(&name)).then(|| name.to_owned())
}

/// The lines of a file before its tests, each with the names that follow `crate::` in it.
fn used(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")).map(|(idx, line)| {
        let names = line.split("crate::").skip(1).flat_map(|rest| {
            let group = rest.strip_prefix('{').map(|group| group.split('}').next().unwrap_or_default());
            group.unwrap_or(rest).split(',').take(if group.is_some() { usize::MAX } else { 1 })
        });
        let word = |text: &str| {
            let text = text.trim_start();

            text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
        };
        (
            idx + 1,
            names.map(|name| &name.trim_start()[..word(name)]).filter(|name| !name.is_empty()).collect(),
        )
    })
}

#[test]
fn each_part_uses_what_the_table_says() {
    let table = table();
    let allowed: BTreeMap<&str, &[String]> =
        table.iter().map(|(part, uses)| (part.as_str(), uses.as_slice())).collect();
    let mut files = Vec::new();
    sources(&package().join("src"), &mut files);
    let mut seen: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut problems = Vec::new();
    for path in files {
        let Some(part) = part(&path) else { continue };
        let Some(allowed) = allowed.get(part.as_str()) else {
            problems.push(format!("{}: the table has no row for `{part}`", path.display()));
            continue;
        };
        let text = fs::read_to_string(&path).unwrap();
        for (line, names) in used(&text) {
            for name in names {
                // Other names are macros and items of the crate's root.
                let is_part = table.iter().any(|(part, _)| part == name);
                if !is_part || name == part {
                    continue;
                }
                seen.entry(part.clone()).or_default().push(name.to_owned());
                if !allowed.iter().any(|allowed| allowed == name) {
                    problems.push(format!(
                        "{}, line {line}: `{part}` may not use `{name}`, by the table in arena/README.md",
                        path.display()
                    ));
                }
            }
        }
    }
    for (part, uses) in &table {
        for name in uses {
            if !seen.get(part).is_some_and(|seen| seen.contains(name)) {
                problems
                    .push(format!("arena/README.md: `{part}` does not use `{name}`: remove it from the row"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_table_goes_one_way() {
    let table = table();
    for (idx, (part, uses)) in table.iter().enumerate() {
        for name in uses {
            let place = table.iter().position(|(other, _)| other == name);
            assert!(
                place.is_some_and(|place| place < idx),
                "arena/README.md: `{part}` uses `{name}`, which does not stand above it"
            );
        }
    }
}

#[test]
fn no_command_uses_another() {
    let folder = package().join("src/commands");
    let commands: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| !["mod", "arguments"].contains(&name.as_str()))
        .collect();
    assert!(10 < commands.len());
    let mut files = Vec::new();
    sources(&folder, &mut files);
    for path in files {
        let inner = path.strip_prefix(&folder).unwrap();
        let own = inner.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        if own == "mod" {
            continue;
        }
        let is_root_of_command = inner.components().count() == 1 || inner == Path::new(own).join("mod.rs");
        let prefix = if is_root_of_command { "super::" } else { "super::super::" };
        let text = fs::read_to_string(&path).unwrap();
        for other in commands.iter().filter(|other| *other != own) {
            for way in [format!("commands::{other}::"), format!("use {prefix}{other}::")] {
                assert!(!text.contains(&way), "{}: `{own}` uses the command `{other}`", path.display());
            }
        }
    }
}
