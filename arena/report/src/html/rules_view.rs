//! The rules pages of the games that were played, as HTML. The examples, which are for programs, are left out.

use engine_proto::{CONVENTIONS, GameId, GameInfo, Games};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::rule_pictures::Pictures;

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

/// The name of what all games have in common, and how the pages of the games mention it.
const COMMON: &str = "Conventions of all games";
const MENTIONS: [&str; 4] =
    ["[CONVENTIONS.md](CONVENTIONS.md)", "`CONVENTIONS.md`", "CONVENTIONS.md", "CONVENTIONS"];

/// The sections of a rules page that only programs read.
const FOR_PROGRAMS: [&str; 2] = ["Examples", "Perft"];

/// What a game is about, as plain text: its goal, or, if no text for players says it, the first paragraph of its rules page.
pub fn about(game: &GameInfo) -> String {
    let page = for_readers(game.rules);
    let goal = game.how_to_play.strip_prefix("- **Goal.** ").and_then(|text| text.split("\n- ").next());
    let first = goal.unwrap_or_else(|| page.trim_start().split("\n\n").next().unwrap_or_default());
    // One page begins with the id.
    let first =
        first.strip_prefix("Id ").and_then(|text| text.split_once(". ")).map_or(first, |(_, rest)| rest);
    first.replace(['`', '*'], "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rules pages of those of `games` that are among `known`, and what they have in common.
pub fn pages(known: &Games, games: impl IntoIterator<Item = GameId>) -> Vec<RulesView> {
    let page = |id| {
        let game = known.info(id).ok()?;
        let html = how_to_play(known, id, game) + &rendered(events(&for_readers(game.rules)));
        Some(RulesView { id: game.id.to_owned(), name: game.name.to_owned(), html })
    };
    let mut pages: Vec<_> = games.into_iter().filter_map(page).collect();
    if !pages.is_empty() {
        let (id, name) = ("conventions".to_owned(), COMMON.to_owned());
        pages.push(RulesView { id, name, html: rendered(events(&for_readers(CONVENTIONS))) });
    }
    pages
}

/// The text for those who want to play at once, if there is one.
fn how_to_play(known: &Games, id: GameId, game: &GameInfo) -> String {
    if game.how_to_play.is_empty() {
        return String::new();
    }
    let mut pictures = Pictures::new(known, id);
    let how = rendered(pictures.place(events(game.how_to_play)));
    format!(
        "<section class=\"how\"{}><h3>How to play</h3>\n{how}</section><p>The exact rules follow.</p>",
        pictures.boards()
    )
}

fn events(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(plain)
}

fn rendered<'a>(events: impl IntoIterator<Item = Event<'a>>) -> String {
    let mut page = String::new();
    html::push_html(&mut page, events.into_iter());
    // On a phone, tables and drawings scroll: the keys must be able to do so, too.
    // A header without words is a cell.
    page.replace("<table>", "<table tabindex=\"0\">")
        .replace("<pre>", "<pre tabindex=\"0\">")
        .replace("<th></th>", "<td></td>")
}

/// The page without its title, which the view has, and without the sections for programs.
fn for_readers(markdown: &str) -> String {
    let mut sections = markdown.split("\n## ");
    let first = sections.next().unwrap_or_default();
    let (_, first) = first.split_once('\n').unwrap_or_default();
    let kept = sections.filter(|section| !FOR_PROGRAMS.iter().any(|title| section.starts_with(title)));
    let page = kept.fold(first.to_owned(), |page, section| format!("{page}\n## {section}"));
    // A reader of the page sees the text that follows, not the file.
    MENTIONS.into_iter().fold(page, |page, mention| page.replace(mention, &format!("“{COMMON}”")))
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
    use engine_proto::Games;

    use super::*;
    use crate::html::rule_pictures::without_pictures;

    #[test]
    fn pages_are_for_readers_and_without_styles() {
        let games = Games::built_in();
        let pages = pages(games, games.known());
        assert_eq!(pages.len(), games.known().count() + 1);
        for RulesView { id, html, .. } in pages {
            assert!(2000 < html.len() && !html.contains("Perft") && !html.contains("CONVENTIONS"), "{id}");
            for forbidden in ["style=", "href=", "<script", "<h1", "<h2"] {
                assert!(!html.contains(forbidden), "{id}: {forbidden}");
            }
        }
        let html = rendered(events(&for_readers(
            "# Title\n\n<img src=x> **bold**\n\n| | all |\n|---|---|\n| a | b |\n\n## Perft\nhidden\n",
        )));
        assert!(html.starts_with("<p>&lt;img src=x&gt; <strong>bold</strong></p>\n"), "{html}");
        assert!(html.contains("<td></td><th>all</th>") && !html.contains("hidden"), "{html}");
    }

    #[test]
    fn every_picture_shows_legal_moves() {
        let games = Games::built_in();
        let mut n_pictures = 0;
        for game in games.known() {
            let info = games.info(game).unwrap();
            let (blocks, html) =
                (info.how_to_play.matches("```picture").count(), how_to_play(games, game, info));
            assert_eq!(
                html.matches("<figure class=\"picture\" data-picture=").count(),
                blocks,
                "{}",
                info.id
            );
            assert_eq!(html.contains(" data-boards="), 0 < blocks, "{}", info.id);
            // The text for players, if there is one, comes before the exact rules.
            let page = &pages(games, [game])[0].html;
            assert!(page.starts_with(&html) && html.len() + 2000 < page.len(), "{}", info.id);
            assert_eq!(
                html.ends_with("</section><p>The exact rules follow.</p>"),
                !info.how_to_play.is_empty()
            );
            let text = without_pictures(info.how_to_play);
            assert!(!text.contains("picture") && text.matches("```").count().is_multiple_of(2), "{text}");
            n_pictures += blocks;
        }
        assert!(5 < n_pictures, "{n_pictures}");
    }
}
