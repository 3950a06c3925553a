//! The first screen: the answer in a sentence, where the numbers come from, and the ratings of every engine in every game.
//! Texts only; it estimates nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::Engine;

use super::file_facts::FileFacts;
use super::provenance_view::run_facts;
use super::source::Folder;
use super::standings_view::{title_of, whole_estimate, why_unranked};
use super::stop_view::StopView;
use super::tournament::Tournament;
use super::words::{count, counted, limits};
use crate::tables::{Verdict, answer, has_verdict, is_of_tests, many_forfeits, shown_scopes, with_cautions};
use ratings::{Rating, Scope};
use schedule::RoundTable;
use schedule::stop::Finding;

/// The maximum number of builds that are named.
const MOST_BUILDS: usize = 8;

/// The distance from 0, in Elo, that has the strongest colour if none is farther.
const LEAST_COLOURED: f64 = 200.0;

/// The first screen.
#[derive(Debug)]
pub struct AnswerView {
    /// Whether the answer is that of sequential tests: then the ratings say nothing of who is the strongest.
    pub is_of_tests: bool,
    /// Whether a test is that of one of several folders: then an answer says whose it is.
    pub has_test_of_one: bool,
    /// The answer of several tests; a single one says it with its figures.
    pub verdict: Option<Verdict>,
    /// What to know of the answer of a test.
    pub remark: Option<String>,
    /// What the stop rules have found.
    pub stops: Vec<StopView>,
    /// The standings or the bracket, and the meetings, of tournaments with rounds.
    pub rounds: Vec<RoundTable>,
    /// Labels with their values: matches, limits, seed, date, machine.
    pub facts: Vec<(&'static str, Vec<String>)>,
    /// Builds of engines, with their ids.
    pub builds: Vec<(String, String)>,
    /// How many more builds there are.
    pub n_more_builds: usize,
    /// Every engine in every game; `None` for a single game, whose table says the same, and if it is too early in all of them.
    pub matrix: Option<RatingMatrix>,
}

/// The ratings of every engine in every game, without the overall ones, which have a table.
#[derive(Debug)]
pub struct RatingMatrix {
    /// Each game's name in links, and its title.
    pub games: Vec<(String, String)>,
    /// The engines, the strongest first.
    pub rows: Vec<(String, Vec<RatingCell>)>,
    /// Whether any rating has no rank because too few pairs were decided.
    pub has_few: bool,
}

/// One rating.
#[derive(Debug, Default)]
pub struct RatingCell {
    /// The estimate in whole Elo.
    pub rating: String,
    /// Half the width of its interval, with its sign.
    pub error: String,
    /// Its colour, from 0 to 10, by what is known: the end of the interval that is nearer to 0, or 5 if it contains 0. `None`
    /// without an estimate.
    pub heat: Option<u8>,
    /// What to know of it.
    pub remark: Option<String>,
    /// Whether it has no rank because too few pairs were decided.
    pub is_few: bool,
    /// What to sort by.
    pub value: String,
}

impl AnswerView {
    /// The first screen of `tournament`.
    pub fn new(tournament: &Tournament) -> Self {
        let builds: Vec<_> = tournament.folders.iter().flat_map(|folder| &folder.provenance.builds).collect();
        let played = builds.iter().filter(|build| {
            tournament.builds.iter().any(|played| 0 < played.matches(&build.engine, &build.id))
        });
        let mut builds: Vec<_> = played
            .map(|build| {
                let version = build.version.as_deref().unwrap_or_default();
                (format!("{} {version}", build.engine).trim_end().to_owned(), build.id.clone())
            })
            .collect();
        builds.sort();
        builds.dedup();
        let n_more_builds = builds.len().saturating_sub(MOST_BUILDS);
        builds.truncate(MOST_BUILDS);
        let are_several = tournament.folders.len() > 1;
        let of_folder = |folder: &Folder| {
            let name = if are_several { format!("{} · ", folder.name) } else { String::new() };
            let named = |finding: &Finding| {
                let stop = StopView::new(finding);
                let end = match finding.test.as_ref().filter(|test| test.claim().is_none()) {
                    Some(test) if folder.is_at_limit => {
                        format!(" The limit of {} is reached.", counted(test.n_pairs, "pair", "pairs"))
                    }
                    Some(_) if folder.unfinished.is_some() => " The tournament is not finished.".to_owned(),
                    _ => String::new(),
                };
                StopView { answer: format!("{name}{}{end}", stop.answer), ..stop }
            };
            folder.findings.iter().map(named).collect::<Vec<_>>()
        };
        let mut stops: Vec<_> = tournament.folders.iter().flat_map(of_folder).collect();
        for stop in stops.iter_mut().filter(|stop| stop.is_test) {
            stop.answer =
                with_cautions(std::mem::take(&mut stop.answer), tournament.standings.scopes.first());
            if !has_verdict(&tournament.standings) {
                // The evidence stays; nobody should quote an interval.
                stop.details.truncate(1);
                stop.bar = None;
            }
        }
        let tested = match tournament.folders.as_slice() {
            [folder] if is_of_tests(&folder.findings) => Some(folder),
            _ => None,
        };
        let several = tested.filter(|_| stops.iter().filter(|stop| stop.is_test).count() != 1);
        Self {
            is_of_tests: tested.is_some(),
            has_test_of_one: are_several && stops.iter().any(|stop| stop.is_test),
            verdict: several.and_then(|folder| answer(&tournament.standings, &folder.findings)),
            remark: tested.and_then(|_| tournament.standings.scopes.first()).and_then(many_forfeits),
            stops,
            rounds: tournament.folders.iter().flat_map(|folder| folder.rounds.clone()).collect(),
            facts: facts(tournament),
            builds,
            n_more_builds,
            matrix: RatingMatrix::new(tournament),
        }
    }
}

fn facts(tournament: &Tournament) -> Vec<(&'static str, Vec<String>)> {
    let mut facts = vec![(
        "Matches",
        vec![format!(
            "{} of {} in {}",
            count(tournament.n_matches),
            counted(tournament.engines.len() as u64, "engine", "engines"),
            counted(tournament.games.len() as u64, "game", "games")
        )],
    )];
    let mut add = |label, mut values: Vec<String>| {
        values.dedup();
        if !values.is_empty() {
            facts.push((label, values));
        }
    };
    let played = |name: &str| tournament.engines.iter().any(|(engine, _)| engine == name);
    add("Limits", limits_of_all(&tournament.folders, played));
    for (label, values) in tournament.file_facts().iter().flat_map(FileFacts::listed) {
        add(label, values);
    }
    for (label, values) in run_facts(&tournament.folders) {
        add(label, values);
    }
    facts
}

/// The limits of each folder, with its name unless all have the same.
fn limits_of_all(folders: &[Folder], played: impl Fn(&str) -> bool) -> Vec<String> {
    let all: Vec<_> = folders.iter().map(|folder| limits_of(&folder.engines, &played)).collect();
    if all.windows(2).all(|two| two[0] == two[1]) {
        return all.into_iter().next().unwrap_or_default();
    }
    let named = |(folder, all): (&Folder, Vec<String>)| {
        all.into_iter().map(|limits| format!("{} \u{b7} {limits}", folder.name)).collect::<Vec<_>>()
    };
    folders.iter().zip(all).flat_map(named).collect()
}

/// The limits of most engines, then those of the others; under several limits, of each of them.
pub fn limits_of(engines: &[Arc<Engine>], played: impl Fn(&str) -> bool) -> Vec<String> {
    let named = engines.first().map(|engine| engine.limits.keys()).into_iter().flatten();
    let under = |name: &String| {
        let all = limits_under(engines, Some(name), &played).into_iter();
        all.map(|limits| format!("{name}: {limits}")).collect::<Vec<_>>()
    };
    let several: Vec<String> = named.flat_map(under).collect();
    if several.is_empty() { limits_under(engines, None, &played) } else { several }
}

fn limits_under(engines: &[Arc<Engine>], name: Option<&str>, played: impl Fn(&str) -> bool) -> Vec<String> {
    let mut by_limits: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for engine in engines.iter().filter(|engine| played(&engine.name)) {
        by_limits.entry(limits(engine.time_control_under(name))).or_default().push(&engine.name);
    }
    let mut groups: Vec<_> = by_limits.into_iter().collect();
    groups.sort_by_key(|(limits, names)| (std::cmp::Reverse(names.len()), limits.clone()));
    groups
        .into_iter()
        .enumerate()
        .map(|(idx, (limits, mut names))| {
            names.sort_unstable();
            if idx == 0 { limits } else { format!("{}: {limits}", names.join(", ")) }
        })
        .collect()
}

impl RatingMatrix {
    fn new(tournament: &Tournament) -> Option<Self> {
        let [overall, games @ ..] = shown_scopes(&tournament.standings) else { return None };
        if games.iter().all(|scope| tournament.is_early(scope)) {
            return None;
        }
        let shown = |scope: &Scope| (scope.name.clone(), title_of(&tournament.known_games, &scope.name));
        let ratings = || games.iter().flat_map(|scope| &scope.engines);
        let farthest = ratings().map(|rating| known(rating).abs()).fold(LEAST_COLOURED, f64::max);
        let row = |engine: &Rating| {
            let of_scope = |scope: &Scope| {
                let rating = scope.engines.iter().find(|one| one.engine == engine.engine);
                match rating {
                    None => RatingCell::default(),
                    Some(_) if tournament.is_early(scope) => RatingCell::early(),
                    Some(rating) => RatingCell::new(rating, farthest),
                }
            };
            (engine.engine.clone(), games.iter().map(of_scope).collect())
        };
        Some(Self {
            games: games.iter().map(shown).collect(),
            rows: overall.engines.iter().map(row).collect(),
            has_few: games
                .iter()
                .filter(|scope| !tournament.is_early(scope))
                .any(|scope| scope.engines.iter().any(|rating| rating.few)),
        })
    }
}

/// How far from 0 a rating is for sure.
fn known(rating: &Rating) -> f64 {
    match (rating.low, rating.high) {
        _ if rating.rough_zero => 0.0,
        (Some(low), _) if low > 0.0 => low,
        (_, Some(high)) if high < 0.0 => high,
        _ => 0.0,
    }
}

impl RatingCell {
    /// In a game whose ratings say nothing yet.
    fn early() -> Self {
        Self { remark: Some("too early".to_owned()), ..Self::default() }
    }

    fn new(rating: &Rating, farthest: f64) -> Self {
        let (text, error) = whole_estimate(rating);
        let place = rating.estimate;
        Self {
            rating: text,
            error,
            heat: place.map(|_| (5.0 + 5.0 * known(rating) / farthest).round() as u8),
            remark: why_unranked(rating),
            is_few: rating.few,
            value: place.map_or(String::new(), |elo| format!("{elo:.2}")),
        }
    }
}
