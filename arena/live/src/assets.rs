//! The scripts and styles of the live pages: those of the report, and a few more.

use askama::Template;
use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;

use report::html::parts;

/// A module by its name, and its text.
type Module = (&'static str, &'static str);

/// The modules of a page with a board on which moves are made.
const BOARD_INPUT: &[Module] = &[
    ("stream", include_str!("script/stream.js")),
    ("keys", include_str!("script/keys.js")),
    ("arrows", include_str!("script/arrows.js")),
    ("hands", include_str!("script/hands.js")),
    ("move-picker", include_str!("script/move-picker.js")),
    ("board-input", include_str!("script/board-input.js")),
    ("guide", include_str!("script/guide.js")),
    ("send", include_str!("script/send.js")),
];

/// The modules of each page, after those of the report; the last one starts the page.
const SCRIPTS: &[(&str, &[&[Module]])] = &[
    (
        "/watch.js",
        &[&[
            ("stream", include_str!("script/stream.js")),
            ("keys", include_str!("script/keys.js")),
            ("pace", include_str!("script/pace.js")),
            ("arrows", include_str!("script/arrows.js")),
            ("hands", include_str!("script/hands.js")),
            ("live-match", include_str!("script/live-match.js")),
            ("expected-lines", include_str!("script/expected-lines.js")),
            ("live-board", include_str!("script/live-board.js")),
            ("address", include_str!("script/address.js")),
            ("live-lists", include_str!("script/live-lists.js")),
            ("live-standings", include_str!("script/live-standings.js")),
            ("watch", include_str!("script/watch.js")),
        ]],
    ),
    (
        "/play.js",
        &[BOARD_INPUT, &[("menu", include_str!("script/menu.js")), ("play", include_str!("script/play.js"))]],
    ),
    (
        "/analyse.js",
        &[
            BOARD_INPUT,
            &[
                ("board-marks", include_str!("script/board-marks.js")),
                ("move-tree", include_str!("script/move-tree.js")),
                ("move-menu", include_str!("script/move-menu.js")),
                ("line-preview", include_str!("script/line-preview.js")),
                ("engine-lines", include_str!("script/engine-lines.js")),
                ("review", include_str!("script/review.js")),
                ("board-editor", include_str!("script/board-editor.js")),
                ("analyse", include_str!("script/analyse.js")),
            ],
        ],
    ),
    ("/rules.js", &[&[("rules-page", include_str!("script/rules-page.js"))]]),
    (
        "/replay.js",
        &[&[
            ("send", include_str!("script/send.js")),
            ("replay-page", include_str!("script/replay-page.js")),
        ]],
    ),
];

const STYLE: &str = include_str!("style/live.css");

/// The files of the pages.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
    let mut router = Router::new()
        .route("/errors.js", get(async || ([(CONTENT_TYPE, JAVASCRIPT)], parts::ERRORS)))
        .route("/style.css", get(async || ([(CONTENT_TYPE, "text/css; charset=utf-8")], style())));
    for (name, modules) in SCRIPTS {
        let text = Bytes::from(script(modules));
        let answer = async move || ([(CONTENT_TYPE, JAVASCRIPT)], text);
        router = router.route(name, get(answer));
    }
    router
}

/// The files of pages with a replay, and of the rules of its game: their names and texts.
pub fn of_replays() -> impl Iterator<Item = (&'static str, String)> {
    let of_files = SCRIPTS.iter().filter(|(name, _)| ["/replay.js", "/rules.js"].contains(name));
    let scripts = of_files.map(|(name, modules)| (&name[1..], script(modules)));
    [("errors.js", parts::ERRORS.to_owned()), ("style.css", style())].into_iter().chain(scripts)
}

/// That something is not there.
#[derive(Template)]
#[template(path = "missing.html")]
struct Missing<'a> {
    title: &'a str,
    why: &'a str,
    /// The way to the first page.
    root: &'a str,
}

/// The answer that something is not there; `root` is the way from there to the first page.
pub fn missing(title: &str, why: &str, root: &str) -> Response {
    (StatusCode::NOT_FOUND, page(&Missing { title, why, root })).into_response()
}

/// The answer at addresses that the site does not have.
pub async fn nowhere(address: Uri) -> Response {
    let root = format!("./{}", "../".repeat(address.path().matches('/').count().saturating_sub(1)));
    missing("Nothing is here", "This site has no page with this address.", &root)
}

/// The answer with a page.
pub fn page(template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => Html(text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

fn style() -> String {
    format!("{}{STYLE}", parts::STYLE)
}

fn script(own: &[&[Module]]) -> String {
    parts::joined(&with_shared(own))
}

/// The modules of a page after those of the report.
fn with_shared(own: &[&[Module]]) -> Vec<Module> {
    /// The last module of the report that is not only for the whole report.
    const LAST_SHARED: &str = "replay";
    [parts::modules_until(LAST_SHARED), own.concat().as_slice()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_import_is_joined_before_its_module() {
        for (name, modules) in SCRIPTS {
            let all = with_shared(modules);
            for (idx, (module, text)) in all.iter().enumerate() {
                for line in text.lines().filter(|line| line.starts_with("import ")) {
                    let is_before =
                        all[..idx].iter().any(|(earlier, _)| line.ends_with(&format!("\"./{earlier}.js\";")));
                    assert!(is_before, "{name}: {module}: {line}");
                }
            }
            let script = script(modules);
            assert!(!script.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
        }
    }
}
