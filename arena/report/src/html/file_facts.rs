//! What files of other tools say of all their matches together: where, when and with how much time they were played.

use std::collections::BTreeSet;

use store::result_files::Told;

/// The most values that are listed.
const MOST_LISTED: usize = 8;

/// The values of some tags, each once; `None` where a match has none.
#[derive(Clone, Debug, Default)]
pub struct FileFacts {
    events: BTreeSet<Option<String>>,
    /// As PGN writes them: `60+0.6`.
    time_controls: BTreeSet<Option<String>>,
    days: BTreeSet<String>,
}

impl FileFacts {
    /// Adds what a file tells of a match.
    pub fn add(&mut self, told: &Told<'_>) {
        insert(&mut self.events, [tag(told, "Event")]);
        insert(
            &mut self.time_controls,
            ["TimeControl", "WhiteTimeControl", "BlackTimeControl"].map(|name| tag(told, name)),
        );
        self.days.extend(date(told).filter(|day| !day.contains('?')));
    }

    /// Those of all these files.
    pub fn of_all(all: Vec<&Self>) -> Self {
        let mut together = Self::default();
        for Self { events, time_controls, days } in all {
            together.events.extend(events.iter().cloned());
            together.time_controls.extend(time_controls.iter().cloned());
            together.days.extend(days.iter().cloned());
        }
        together
    }

    /// What is common to the matches; where they differ, in how many values.
    pub fn in_common(&self) -> Vec<String> {
        let events = in_common(&self.events, "events");
        let time_controls = in_common(&self.time_controls, "time controls");
        let days = match (self.days.first(), self.days.last()) {
            (Some(first), Some(last)) if first != last => Some(format!("{first} to {last}")),
            (day, _) => day.cloned(),
        };
        [events, time_controls, days].into_iter().flatten().collect()
    }

    /// Labels with their values, where there are several.
    pub fn listed(&self) -> [(&'static str, Vec<String>); 2] {
        [("Events", listed(&self.events)), ("Time controls", listed(&self.time_controls))]
    }
}

/// The day on which a match was played; with hyphens, where PGN has dots.
pub fn date(told: &Told<'_>) -> Option<String> {
    Some(told.date.or_else(|| tag(told, "UTCDate"))?.replace('.', "-"))
}

/// The value of a tag, unless it means "unknown".
fn tag<'a>(told: &Told<'a>, name: &str) -> Option<&'a str> {
    let value = told.pgn?.1.tag(name)?.value.trim();
    (!matches!(value, "" | "-") && !value.starts_with('?')).then_some(value)
}

/// Inserts the values that there are, or that there is none.
fn insert<const N: usize>(all: &mut BTreeSet<Option<String>>, values: [Option<&str>; N]) {
    let is_unknown = values.iter().all(Option::is_none);
    let values = values.into_iter().filter(|value| is_unknown || value.is_some());
    for value in values {
        all.insert(value.map(str::to_owned));
    }
}

/// The one value of all matches, or how many there are.
fn in_common(values: &BTreeSet<Option<String>>, name: &str) -> Option<String> {
    match (values.iter().flatten().count(), values.first()) {
        // Unknown values come first.
        (1, Some(Some(value))) => Some(value.clone()),
        (0 | 1, _) => None,
        (n, _) => Some(format!("{n} {name}")),
    }
}

fn listed(values: &BTreeSet<Option<String>>) -> Vec<String> {
    let known: Vec<&String> = values.iter().flatten().collect();
    if known.len() < 2 {
        return Vec::new();
    }
    let more = known.len().saturating_sub(MOST_LISTED);
    let more = (0 < more).then(|| format!("{more} more"));
    known.into_iter().take(MOST_LISTED).cloned().chain(more).collect()
}
