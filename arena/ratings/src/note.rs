//! One warning or explanation about ratings, and how it lists names.

use serde::Serialize;

/// The maximum number of names in a list.
pub(super) const MOST_NAMES: usize = 6;
/// The maximum width of a name.
const NAME_WIDTH: usize = 60;

/// One warning or explanation about a scope's ratings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The kind, for programs.
    pub kind: &'static str,
    /// All engines that it is about; empty if it is about the whole scope.
    pub engines: Vec<String>,
    /// The sentence. Names in it come from outside and are not escaped.
    pub text: String,
    /// What more to play to mend it, such as `play more openings`; `None` if none would.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

impl Note {
    /// A note of this kind about these engines.
    pub(super) fn new(kind: &'static str, engines: Vec<String>, text: String) -> Self {
        Self { kind, engines, text, advice: None }
    }

    /// That these engines are one program with the same settings.
    pub fn alike(engines: Vec<String>) -> Self {
        let names = listed(&engines);
        let text = format!(
            "{names} are the same program with the same options: differences and verdicts between them are chance"
        );
        Self::new("alike", engines, text)
    }

    /// The same with what to play.
    pub(super) fn with_advice(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }

    /// A note about `engines`, whose names begin the sentence; `None` without engines.
    pub(super) fn about(kind: &'static str, engines: Vec<String>, text: &str) -> Option<Self> {
        let text = format!("{}: {text}", listed(&engines));
        (!engines.is_empty()).then(|| Self::new(kind, engines, text))
    }

    /// Whether it tells those who want to know more how the ratings came about: it asks for nothing, and warns of nothing.
    pub fn is_figure(&self) -> bool {
        const FIGURES: [&str; 7] = [
            "bootstrap",
            "game-differences",
            "no-general-strength",
            "pairs-saved",
            "slopes",
            "specialist",
            "transitivity",
        ];
        FIGURES.contains(&self.kind)
    }

    /// A note about the whole scope.
    pub(super) fn general(kind: &'static str, text: String) -> Self {
        Self::new(kind, Vec::new(), text)
    }
}

impl From<String> for Note {
    /// A remark.
    fn from(text: String) -> Self {
        Self::general("remark", text)
    }
}

/// `a`, `a and b`, `a, b and c`; of many names, the first few.
pub fn listed(names: &[String]) -> String {
    let n_names = names.len();
    let names: Vec<String> = names.iter().take(MOST_NAMES).map(|name| cut(name)).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] if n_names <= MOST_NAMES => format!("{} and {last}", most.join(", ")),
        _ => {
            let shown = &names[..MOST_NAMES - 1];
            format!("{} and {} others", shown.join(", "), n_names - shown.len())
        }
    }
}

/// The names with a remark on each in brackets.
pub(super) fn with_remarks(engines: impl Iterator<Item = (String, String)>) -> String {
    listed(&engines.map(|(engine, remark)| format!("{} ({remark})", cut(&engine))).collect::<Vec<_>>())
}

fn cut(name: &str) -> String {
    if name.chars().nth(NAME_WIDTH).is_none() {
        return name.to_owned();
    }
    name.chars().take(NAME_WIDTH - 1).chain(['…']).collect()
}

/// `p = 0.012`, or `p < 0.001`.
pub(super) fn chance(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}
