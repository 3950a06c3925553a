//! The page's styles and scripts, joined in a fixed order, and the Content-Security-Policy that allows only these.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest, Sha256};

/// The styles, general ones first.
pub const STYLE: &str = concat!(
    include_str!("style/base.css"),
    include_str!("style/tables.css"),
    include_str!("style/charts.css"),
    include_str!("style/replay.css"),
    include_str!("style/print.css"),
);

/// Shows errors of the other scripts to the reader. A classic script, because a module with a syntax error runs no
/// line.
pub const ERRORS: &str = include_str!("script/errors.js");

/// Hides what the page's address does not mean until the other scripts run.
pub const START: &str = include_str!("script/start.js");

/// The page's own modules by name, each after the modules that it imports.
const MODULES: &[(&str, &str)] = &[
    ("dom", include_str!("script/dom.js")),
    ("whisker", include_str!("script/whisker.js")),
    ("format", include_str!("script/format.js")),
    ("data", include_str!("script/data.js")),
    ("theme", include_str!("script/theme.js")),
    ("tips", include_str!("script/tips.js")),
    ("csv", include_str!("script/csv.js")),
    ("export", include_str!("script/export.js")),
    ("table-tools", include_str!("script/table-tools.js")),
    ("charts", include_str!("script/charts.js")),
    ("pairing", include_str!("script/pairing.js")),
    ("matrices", include_str!("script/matrices.js")),
    ("engine-page", include_str!("script/engine-page.js")),
    ("engine-curves", include_str!("script/engine-curves.js")),
    ("match-filter", include_str!("script/match-filter.js")),
    ("match-list", include_str!("script/match-list.js")),
    ("board", include_str!("script/board.js")),
    ("game-figures", include_str!("script/game-figures.js")),
    ("notation", include_str!("script/notation.js")),
    ("replay-data", include_str!("script/replay-data.js")),
    ("move-numbers", include_str!("script/move-numbers.js")),
    ("pgn", include_str!("script/pgn.js")),
    ("rule-pictures", include_str!("script/rule-pictures.js")),
    ("gauge", include_str!("script/gauge.js")),
    ("replay-panels", include_str!("script/replay-panels.js")),
    ("wheel", include_str!("script/wheel.js")),
    ("replay", include_str!("script/replay.js")),
    ("router", include_str!("script/router.js")),
    ("main", include_str!("script/main.js")),
];

/// All modules in one script, because a page that is opened from disk cannot import files. Each module becomes a
/// function that returns its exports, and an import takes its names from there.
pub fn script() -> String {
    joined(MODULES)
}

/// The same for other modules, each after the modules that it imports.
pub fn joined(modules: &[(&str, &str)]) -> String {
    modules.iter().map(|(name, text)| linked(name, text)).collect()
}

/// The page's own modules up to the one called `last`, for a page that shows a part of a report.
pub fn modules_until(last: &str) -> &'static [(&'static str, &'static str)] {
    let place = MODULES.iter().position(|(name, _)| *name == last);
    &MODULES[..=place.expect("one of the modules")]
}

fn linked(name: &str, text: &str) -> String {
    let mut body = String::new();
    let mut exports = Vec::new();
    // Comments are for those who read the modules.
    let is_comment = |line: &&str| ["//", "/**", "*"].iter().any(|sign| line.trim_start().starts_with(sign));
    for line in text.lines().filter(|line| !is_comment(line)) {
        if let Some((names, from)) = import(line) {
            body += &format!("const {names} = {};\n", variable(from));
            continue;
        }
        let exported = line.strip_prefix("export ");
        exports.extend(exported.and_then(declared));
        body += exported.unwrap_or(line);
        body.push('\n');
    }
    format!("const {} = (() => {{\n{body}return {{ {} }};\n}})();\n", variable(name), exports.join(", "))
}

/// The names in braces and the module of a line `import { a, b } from "./module.js";`.
fn import(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("import ")?.strip_suffix(".js\";")?.split_once(" from \"./")
}

/// The name of a function, class or constant.
fn declared(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let (_, rest) = line.split_once(' ')?;
    rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
}

fn variable(module: &str) -> String {
    format!("module_{}", module.replace('-', "_"))
}

/// The Content-Security-Policy: only these scripts and styles, no loading, and no script from text in the markup. Pictures
/// may come from the page itself: a drawing that is saved as PNG is one on its way.
pub fn policy(scripts: &[&str], styles: &[&str]) -> String {
    let hashes = |texts: &[&str]| {
        let hash = |text: &&str| format!("'sha256-{}'", BASE64.encode(Sha256::digest(text.as_bytes())));
        texts.iter().map(hash).collect::<Vec<_>>().join(" ")
    };
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        hashes(scripts),
        hashes(styles)
    )
}

/// The policy of the report with this script.
pub fn report_policy(script: &str) -> String {
    policy(&[START, ERRORS, script], &[STYLE])
}

/// The policy of a page on disk, if this version of the arena wrote the page: it allows only scripts that are known.
pub fn policy_of(page: &str) -> Option<String> {
    let (_, rest) = page.split_once("\"Content-Security-Policy\" content=\"")?;
    let written = rest.split('"').next()?.replace("&#39;", "'");
    [report_policy(&script()), policy(&[], &[STYLE])].into_iter().find(|policy| *policy == written)
}

/// Escapes `json` for a script element: nothing in it can end the element or start a comment.
pub fn for_script_element(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => text.push_str(&format!("\\u{:04x}", c as u32)),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_joined_in_the_order_of_their_imports() {
        let mut before = Vec::new();
        for (name, text) in MODULES {
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let (_, from) = import(line).expect(line);
                assert!(before.contains(&from), "{name} imports {from}, which is not joined before it");
            }
            before.push(name);
        }
        let script = script();
        assert!(!script.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
        assert!(script.contains("const { element } = module_dom;"));
        assert!(script.contains(
            "return { element, drawn, byId, nameOf, prose, headOf, outcomeItem, keepCurrentInView, keepOneStop, walkList, attempt };"
        ));
    }

    #[test]
    fn nothing_ends_its_element() {
        for script in [ERRORS, &script()] {
            assert!(!script.contains("</script") && !script.contains("<!--"));
        }
        assert!(!STYLE.contains("</style"));
    }

    #[test]
    fn json_ends_no_element_and_stays_the_same() {
        let hostile = "</script><script>alert(1)</script><!-- & \u{2028}";
        let json = for_script_element(&serde_json::to_string(hostile).unwrap());
        assert!(!json.contains(['<', '>', '&', '\u{2028}']));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), hostile);
    }

    #[test]
    fn the_policy_names_what_may_run_by_its_hash() {
        // SHA-256 of an empty text, in Base64.
        let empty = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
        let policy = policy(&["", ""], &[""]);
        assert!(policy.contains(&format!("script-src {empty} {empty}; style-src {empty};")), "{policy}");
        assert!(!policy.contains("unsafe"));
    }
}
