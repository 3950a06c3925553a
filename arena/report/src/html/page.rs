//! The page: the values for its templates, and the data for its scripts. It computes nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;

use askama::Template;
use engine_proto::{GameId, Games};
use serde::Serialize;

use super::answer_view::AnswerView;
use super::assets::{self, ERRORS, START, STYLE};
use super::board::Board;
use super::changes_view::ChangesView;
use super::engine_figures::{Fault, PLIES_PER_POINT, Series};
use super::engines_view::{Curve, EngineView, WorstLosses, worst_losses};
use super::file_facts::FileFacts;
use super::game_figures::GameFigures;
use super::games_view::GamesView;
use super::heat_maps::HeatMap;
use super::match_table::Columns;
use super::pairings::ScopePairings;
use super::played_game::PlayedGame;
use super::provenance_view::ProvenanceView;
use super::reasons;
use super::rules_view::{self, RulesView};
use super::source::{Folder, ReportError};
use super::standings_view::{self, RatingView, ScopeView, title_of};
use super::terms::{self, Term};
use super::tournament::Tournament;
use super::words::{self, counted};
use super::worker_figures::WorkerView;
use crate::tables::{Decides, basis, shown_scopes};
use model::TimeControl;
use model::referee::Reason;
use ratings::OVERALL;
use schedule::pgn;
use schedule::stop::TestState;

/// The whole page.
#[derive(Template)]
#[template(path = "page.html")]
struct Page {
    title: String,
    facts: Vec<String>,
    notes: Vec<String>,
    note_on_cut: Option<(String, String)>,
    policy: String,
    style: &'static str,
    start: &'static str,
    errors: &'static str,
    script: String,
    data: String,
    blocks: Vec<String>,
    basis: String,
    is_empty: bool,
    scopes: Vec<ScopeView>,
    games: GamesView,
    engines: Vec<EngineView>,
    n_faults: usize,
    /// Whether the matches say why they ended.
    has_reasons: bool,
    /// Whether any engine played with a clock.
    has_clocks: bool,
    losses: WorstLosses,
    n_stats: usize,
    provenance: ProvenanceView,
    workers: Vec<WorkerView>,
    answer: AnswerView,
    changes: Option<ChangesView>,
    rules: Vec<RulesView>,
    /// The reasons of the matches, with their meanings.
    reasons: Vec<(String, String)>,
}

/// The data of the scripts.
#[derive(Serialize)]
struct Data<'a> {
    /// The folders' names.
    folders: Vec<&'a str>,
    /// How commands name the folders.
    paths: Vec<&'a str>,
    /// The values of `--referee`, by folder and game.
    referees: Vec<&'a BTreeMap<String, String>>,
    engines: Vec<&'a str>,
    games: Vec<GameName<'a>>,
    confidence: f64,
    /// Whether the intervals are valid at any time.
    is_any_time: bool,
    scopes: Vec<ScopePairings>,
    curves: Vec<Curve>,
    boards: Vec<&'a Board>,
    matches: Columns<'a>,
    /// By folder, limits and engine.
    clocks: Vec<Vec<Vec<Option<Clock>>>>,
    terms: Vec<&'static Term>,
    /// By game, reason and twice White's points, how matches end, in a sentence.
    endings: BTreeMap<Cow<'a, str>, BTreeMap<&'a str, [String; 3]>>,
    /// By board.
    heat_maps: &'a [HeatMap],
    /// By game: the mean number of legal moves every few plies.
    choices: Vec<Vec<Option<f64>>>,
    plies_per_point: usize,
}

/// A game as the scripts name it.
#[derive(Serialize)]
pub struct GameName<'a> {
    id: Cow<'a, str>,
    name: Cow<'a, str>,
    /// The id of its rules, if it is played under several limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<GameId>,
    /// The name of its limits, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    limits_name: Option<&'a str>,
    /// The place of its limits in the clocks.
    #[serde(skip_serializing_if = "is_zero")]
    limits: usize,
}

/// The time of an engine.
#[derive(Serialize)]
pub struct Clock {
    /// As PGN has it, if it has a form for it.
    control: Option<String>,
    /// The initial time in milliseconds; `None` without a clock.
    base_ms: Option<u64>,
    increment_ms: u64,
    /// After so many moves, the initial time is added again.
    moves_to_go: Option<u32>,
}

/// The page of `tournament`. The same matches give exactly the same page.
///
/// # Errors
/// If a template fails.
pub fn render(mut tournament: Tournament) -> Result<String, ReportError> {
    let games: Vec<PlayedGame> = tournament.games.iter().map(|(game, _)| game.clone()).collect();
    let pairings = std::mem::take(&mut tournament.pairings);
    let changes = tournament.changes.take();
    tournament.sort_early();
    let tournament = &tournament;
    let (standings, known_games) = (&tournament.standings, &tournament.known_games);
    let place = |engine: &str| tournament.place(engine);
    // Several tournaments are no test of the pairs of all of them.
    let tests: Vec<TestState> = match tournament.folders.as_slice() {
        [folder] => folder.findings.iter().filter_map(|finding| finding.test.clone()).collect(),
        _ => Vec::new(),
    };
    let mut scopes = pairings.finish(standings, &tests, place, |name| title_of(known_games, name));
    for (scope, rated) in scopes.iter_mut().zip(shown_scopes(standings)) {
        if tournament.is_early(rated) {
            scope.keep_results();
        }
    }
    if standings.validity.is_any_time() && 1 < tournament.folders.len() {
        scopes.iter_mut().for_each(ScopePairings::forget_order);
    }
    let data = serde_json::to_string(&data(tournament, &games, scopes)).expect("texts and numbers are JSON");
    let script = assets::script();
    let names: Vec<&str> = tournament.folders.iter().map(|folder| folder.name.as_str()).collect();
    let in_games: Vec<_> = tournament.games.iter().map(|(game, figures)| (game, figures)).collect();
    let scope_views = scopes_of(tournament);
    let mut engines: Vec<EngineView> = tournament
        .engines
        .iter()
        .enumerate()
        .map(|(place, (name, figures))| {
            EngineView::new(place, name, figures, &tournament.folders, |id| tournament.id(id))
        })
        .collect();
    in_order_of_the_standings(&mut engines, scope_views.first());
    let page = Page {
        title: names.join(", "),
        facts: facts(tournament),
        notes: tournament.notes(),
        note_on_cut: tournament.note_on_cut(),
        policy: assets::report_policy(&script),
        style: STYLE,
        start: START,
        errors: ERRORS,
        script,
        data: assets::for_script_element(&data),
        blocks: tournament.matches.blocks(),
        is_empty: tournament.n_matches == 0,
        scopes: scope_views,
        basis: basis(standings),
        games: GamesView::new(known_games, &in_games, |game| {
            standings.scopes.iter().find(|scope| scope.name == game)
        }),
        provenance: ProvenanceView::new(&tournament.folders, &tournament.builds),
        workers: tournament.workers.views(),
        answer: AnswerView::new(tournament),
        changes,
        rules: rules_view::pages(known_games, games.iter().filter_map(PlayedGame::known)),
        reasons: all_reasons(tournament),
        has_clocks: engines.iter().any(|engine| engine.clock_used.is_some()),
        losses: worst_losses(
            known_games,
            tournament.engines.iter().map(|(name, figures)| (name.as_str(), figures)),
            standings,
            |scope| tournament.is_early(scope),
            |id| tournament.id(id),
        ),
        n_stats: engines.iter().map(|engine| engine.stats.len()).sum(),
        has_reasons: tournament.matches.has_reasons(),
        n_faults: tournament.engines.iter().map(|(_, figures)| figures.faults.len()).sum(),
        engines,
    };
    Ok(page.render()?)
}

impl Page {
    /// Whether the standings of any scope have what is decided like this.
    fn decides(&self, has: fn(Decides) -> bool) -> bool {
        self.scopes.iter().any(|scope| has(scope.decides))
    }

    /// Whether the faults of only one engine are told.
    fn has_one_at_fault(&self) -> bool {
        self.engines.iter().filter(|engine| engine.n_faults != 0).count() == 1
    }

    /// Whether any engine has times of its moves.
    fn has_times(&self) -> bool {
        self.engines.iter().any(|engine| engine.moves.starts_with(|digit: char| digit.is_ascii_digit()))
    }

    /// Whether any engine has times or depths of its moves.
    fn has_moves(&self) -> bool {
        let has_depth = |it: &EngineView| it.depth.starts_with(|digit: char| digit.is_ascii_digit());
        self.has_times() || self.engines.iter().any(has_depth)
    }

    /// Whether any engine has a rank (0), or a rating (1), in the standings of all games.
    fn has_standing(&self, part: usize) -> bool {
        self.engines.iter().any(|engine| !engine.standing[part].is_empty())
    }
}

/// The line below the heading.
fn facts(tournament: &Tournament) -> Vec<String> {
    let only = match tournament.folders.as_slice() {
        [folder] => folder.unfinished.clone(),
        _ => None,
    };
    let unfinished = |folder: &Folder| {
        let matches = folder.unfinished.as_ref()?;
        let which = if only.is_some() { String::new() } else { format!("{}: {matches}, ", folder.name) };
        Some(format!("{which}not finished: arena run plays the rest"))
    };
    let mut facts = vec![
        only.clone().unwrap_or_else(|| counted(tournament.n_matches, "match", "matches")),
        counted(tournament.engines.len() as u64, "engine", "engines"),
        counted(tournament.games.len() as u64, "game", "games"),
    ];
    facts.extend(tournament.file_facts().iter().flat_map(FileFacts::in_common));
    facts.extend(tournament.folders.iter().filter_map(unfinished));
    facts
}

/// Sorts the engines like the standings of all games, and gives them their ranks and ratings.
fn in_order_of_the_standings(engines: &mut [EngineView], scope: Option<&ScopeView>) {
    let Some(scope) = scope else { return };
    let rows: Vec<&RatingView> = scope.pools.iter().flat_map(|pool| &pool.rows).collect();
    let place = |engine: &EngineView| rows.iter().position(|row| row.engine == engine.name);
    for engine in engines.iter_mut() {
        if let Some(row) = place(engine).map(|place| rows[place]) {
            let rating = if scope.decides.has_ratings() { row.rating.clone() } else { String::new() };
            engine.standing = [row.rank.clone(), rating];
        }
    }
    engines.sort_by_key(|engine| place(engine).unwrap_or(usize::MAX));
}

/// The standings, with the causes of forfeits.
fn scopes_of(tournament: &Tournament) -> Vec<ScopeView> {
    let title = |name: &str| title_of(&tournament.known_games, name);
    let (findings, is_over) = (tournament.findings(), tournament.is_over());
    let mut scopes = standings_view::scopes(&tournament.standings, findings, is_over, title);
    for scope in &mut scopes {
        let name = scope.name.clone();
        let is_of_scope = |fault: &&Fault| name == OVERALL || name == fault.game.id();
        scope.add_causes(|engine| {
            let (_, figures) = &tournament.engines[tournament.place(engine)];
            figures.faults.iter().filter(is_of_scope).map(|fault| fault.reason.clone()).collect()
        });
    }
    scopes
}

fn data<'a>(tournament: &'a Tournament, games: &'a [PlayedGame], scopes: Vec<ScopePairings>) -> Data<'a> {
    let place = |game: &PlayedGame| games.iter().position(|one| one == game).unwrap_or(games.len());
    let mut all_limits: Vec<Option<&str>> = games.iter().map(PlayedGame::limits).collect();
    all_limits.sort_unstable();
    all_limits.dedup();
    let place_of =
        |game: &PlayedGame| all_limits.iter().position(|one| *one == game.limits()).unwrap_or_default();
    Data {
        folders: tournament.folders.iter().map(|folder| folder.name.as_str()).collect(),
        paths: tournament.folders.iter().map(|folder| folder.path.as_str()).collect(),
        referees: tournament.folders.iter().map(|folder| &folder.referees).collect(),
        engines: tournament.engines.iter().map(|(name, _)| name.as_str()).collect(),
        games: games.iter().map(|game| GameName::of(&tournament.known_games, game, place_of(game))).collect(),
        confidence: tournament.standings.confidence.fraction(),
        is_any_time: tournament.standings.validity.is_any_time(),
        scopes,
        curves: tournament
            .engines
            .iter()
            .enumerate()
            .flat_map(|(engine, (_, figures))| Curve::all(engine, figures, place))
            .collect(),
        boards: tournament.matches.boards(),
        matches: tournament.matches.columns(games),
        clocks: tournament
            .folders
            .iter()
            .map(|folder| {
                let under = |limits| {
                    let clock = |(name, _): &(String, _)| folder.time_control(name, limits).map(clock);
                    tournament.engines.iter().map(clock).collect()
                };
                all_limits.iter().copied().map(under).collect()
            })
            .collect(),
        terms: terms::all().collect(),
        endings: tournament
            .games
            .iter()
            .map(|(game, figures)| {
                let ending = |reason: &'a String| {
                    Some((reason.as_str(), reasons::outcomes(&tournament.known_games, game.known()?, reason)))
                };
                (game.id(), figures.reasons.keys().filter_map(ending).collect())
            })
            .collect(),
        heat_maps: tournament.heat_maps.all(),
        choices: tournament.games.iter().map(|(_, figures)| choices(figures)).collect(),
        plies_per_point: PLIES_PER_POINT,
    }
}

impl<'a> GameName<'a> {
    /// The name of a game whose limits have this place in the clocks.
    pub fn of(games: &'a Games, game: &'a PlayedGame, limits: usize) -> Self {
        let rules = game.known().filter(|_| game.limits().is_some());
        Self { id: game.id(), name: game.name(games), rules, limits_name: game.limits(), limits }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
const fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Every reason of the matches with what it means: by game, where games differ.
fn all_reasons(tournament: &Tournament) -> Vec<(String, String)> {
    let games = &tournament.known_games;
    let mut found: Vec<(String, String)> = Vec::new();
    for (game, figures) in &tournament.games {
        for reason in figures.reasons.keys() {
            let Some(meaning) = game.known().and_then(|game| reasons::explain(games, game, reason)) else {
                continue;
            };
            let is_of_rules = Reason::of_arena(reason).is_none() && reason != "repetition";
            let words = reasons::in_words(reason);
            let name =
                if is_of_rules { format!("{words} ({})", game.name(games)) } else { words.into_owned() };
            found.push((name, meaning));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The mean numbers of legal moves, as far as there are enough positions.
fn choices(figures: &GameFigures) -> Vec<Option<f64>> {
    const FEWEST: u64 = 10;
    let mean = |series: &Series| series.mean().filter(|_| FEWEST <= series.n());
    figures
        .choices_by_point
        .iter()
        .map(|series| mean(series).map(|mean| (10.0 * mean).round() / 10.0))
        .collect()
}

/// A time control for the scripts.
pub fn clock(control: &TimeControl) -> Clock {
    Clock {
        control: pgn::time_control(control),
        base_ms: control.base.map(|base| base.as_millis() as u64),
        increment_ms: control.increment.as_millis() as u64,
        moves_to_go: control.moves_to_go,
    }
}
