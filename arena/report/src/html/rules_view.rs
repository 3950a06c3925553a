//! The rules pages of the games that were played, as HTML. The examples, which are for programs, are left out.

use engine_proto::{CONVENTIONS, GameId};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// A rules page.
#[derive(Debug)]
pub struct RulesView {
    /// The name in links.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// The page.
    pub html: String,
}

/// The sections of a rules page that only programs read.
const FOR_PROGRAMS: [&str; 2] = ["Examples", "Perft"];

/// What a game is about, and how it is won: the first paragraph of its rules page, as plain text.
pub fn about(game: GameId) -> String {
    let page = for_readers(game.info().rules);
    let first = page.trim_start().split("\n\n").next().unwrap_or_default();
    // One page begins with the id.
    let first =
        first.strip_prefix("Id ").and_then(|text| text.split_once(". ")).map_or(first, |(_, rest)| rest);
    first.replace(['`', '*'], "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rules pages of `games`, and what they have in common.
pub fn pages(games: impl IntoIterator<Item = GameId>) -> Vec<RulesView> {
    let mut pages: Vec<_> = games
        .into_iter()
        .map(|game| RulesView {
            id: game.id().to_owned(),
            name: game.info().name.to_owned(),
            html: html_of(game.info().rules),
        })
        .collect();
    if !pages.is_empty() {
        let (id, name) = ("conventions".to_owned(), "Conventions of all games".to_owned());
        pages.push(RulesView { id, name, html: html_of(CONVENTIONS) });
    }
    pages
}

fn html_of(markdown: &str) -> String {
    let markdown = for_readers(markdown);
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(&markdown, Options::ENABLE_TABLES).filter_map(plain));
    // On a phone, tables and drawings scroll: the keys must be able to do so, too.
    page.replace("<table>", "<table tabindex=\"0\">").replace("<pre>", "<pre tabindex=\"0\">")
}

/// The page without its title, which the view has, and without the sections for programs.
fn for_readers(markdown: &str) -> String {
    let mut sections = markdown.split("\n## ");
    let first = sections.next().unwrap_or_default();
    let (_, first) = first.split_once('\n').unwrap_or_default();
    let kept = sections.filter(|section| !FOR_PROGRAMS.iter().any(|title| section.starts_with(title)));
    kept.fold(first.to_owned(), |page, section| format!("{page}\n## {section}"))
}

/// Headings below those of the view; links, whose targets the page does not have, as their texts; cells without style
/// attributes, which the policy forbids; no HTML.
fn plain(event: Event<'_>) -> Option<Event<'_>> {
    let lower = |level| match level {
        HeadingLevel::H1 | HeadingLevel::H2 => HeadingLevel::H3,
        _ => HeadingLevel::H4,
    };
    match event {
        Event::Start(Tag::Heading { level, .. }) => Some(Event::Start(Tag::Heading {
            level: lower(level),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        })),
        Event::End(TagEnd::Heading(level)) => Some(Event::End(TagEnd::Heading(lower(level)))),
        Event::Start(Tag::Table(columns)) => {
            Some(Event::Start(Tag::Table(vec![pulldown_cmark::Alignment::None; columns.len()])))
        }
        Event::Start(Tag::Link { .. } | Tag::Image { .. }) | Event::End(TagEnd::Link | TagEnd::Image) => None,
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        event => Some(event),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_for_readers_and_without_styles() {
        let pages = pages(GameId::known());
        assert_eq!(pages.len(), GameId::known().count() + 1);
        for RulesView { id, html, .. } in pages {
            assert!(2000 < html.len() && !html.contains("Perft"), "{id}");
            for forbidden in ["style=", "href=", "<script", "<h1", "<h2"] {
                assert!(!html.contains(forbidden), "{id}: {forbidden}");
            }
        }
        let html = html_of("# Title\n\n<img src=x> **bold**\n\n## Perft\nhidden\n");
        assert_eq!(html, "<p>&lt;img src=x&gt; <strong>bold</strong></p>\n");
    }
}
