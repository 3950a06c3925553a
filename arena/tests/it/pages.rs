//! The pages of the repository: what they link to is there, and what is committed beside them is small.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// All pages in Markdown below `folder`, but for what builds leave.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// The files and headings that a page links to.
fn mentioned(text: &str) -> impl Iterator<Item = &str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
    links.filter(|link| !link.contains("://") && !link.contains(['<', ' ', '`']))
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let heading = line.trim_start_matches('#');
        if !is_code && heading.len() < line.len() && heading.starts_with(' ') {
            let kept = heading.trim().chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
            found.push(kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    found
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut all = Vec::new();
    pages(&root(), &mut all);
    assert!(10 < all.len(), "{all:?}");
    for page in all {
        let text = fs::read_to_string(&page).unwrap();
        for link in mentioned(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            assert!(target.exists(), "{}: dead link `{link}`", page.display());
            if !anchor.is_empty() {
                let has_heading = anchors(&fs::read_to_string(target).unwrap()).iter().any(|it| it == anchor);
                assert!(has_heading, "{}: no such heading: `{link}`", page.display());
            }
        }
    }
}

#[test]
fn the_readme_is_short() {
    let n_lines = fs::read_to_string(root().join("README.md")).unwrap().lines().count();
    assert!(n_lines <= 150, "README.md has {n_lines} lines, more than 150: move details to arena/docs");
}

#[test]
fn the_conventions_are_linked_and_name_pages_that_are_there() {
    let mut all = Vec::new();
    pages(&root(), &mut all);
    let conventions = all
        .iter()
        .find(|page| page.ends_with("games/src/CONVENTIONS.md"))
        .expect("the page is beside the games");
    assert_eq!(fs::read_to_string(conventions).unwrap(), engine_proto::CONVENTIONS);
    let mut n_named = 0;
    for game in engine_proto::Games::built_in().known() {
        let page = conventions.with_file_name(game.id().replace('-', "_")).join("rules.md");
        assert_eq!(
            fs::read_to_string(&page).unwrap(),
            engine_proto::Games::built_in().info(game).unwrap().rules,
            "{}",
            page.display()
        );
        let beside = page.with_file_name("CONVENTIONS.md");
        assert_eq!(fs::read_to_string(&beside).unwrap(), engine_proto::CONVENTIONS, "{}", beside.display());
        // Where the page calls a game's page by this name, it is there.
        if engine_proto::CONVENTIONS.contains(&format!("`{game}.md`")) {
            let named = conventions.with_file_name(format!("{game}.md"));
            assert_eq!(fs::canonicalize(named).unwrap(), fs::canonicalize(&page).unwrap());
            n_named += 1;
        }
    }
    assert!(5 <= n_named, "the page names {n_named} games only");
    for page in ["README.md", "engine-proto/PROTOCOL.md"] {
        let text = fs::read_to_string(root().join(page)).unwrap();
        assert!(mentioned(&text).any(|link| link.ends_with("CONVENTIONS.md")), "{page} has no link to it");
    }
}

/// The size of all files below `path`, in bytes.
fn size(path: &Path) -> u64 {
    if path.is_dir() {
        fs::read_dir(path).unwrap().map(|entry| size(&entry.unwrap().path())).sum()
    } else {
        fs::metadata(path).unwrap().len()
    }
}

/// Everybody who clones the repository pays for what is committed here.
#[test]
fn committed_results_are_small() {
    const MOST_BYTES: u64 = 6_000_000;
    // The folders that git does not ignore.
    let kept = ["README.md", "coverage", "levels", "reference"];
    let total: u64 = kept.iter().map(|name| size(&root().join("results").join(name))).sum();
    assert!(total < MOST_BYTES, "{total} bytes in results/: keep what documents and tests need");
}
