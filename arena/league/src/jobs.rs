//! The matches of a league: complete jobs for the pairs that [`Pairing`] chooses, and the missing halves of pairs that an
//! earlier run has begun. It reads no files and starts no processes.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use engine_proto::{GameId, Side};

use crate::pairing::{Meeting, Member, Pairing, Rules};
use crate::roster::Entry;
use config::League;
use model::referee::Reason;
use model::{Decided, Engine, FormatVersion, Job, Player, Record, Tournament, rated_game};
use schedule::openings::{Openings, OpeningsError};
use schedule::{MatchNumbers, NextJob, Progress, Scheduler};

/// The number of openings of each game. After the last one, the first one follows.
const OPENINGS: u64 = 500;

/// The worker of a match that was played on this machine, if others play, too.
const LOCAL: &str = "local";

/// The scheduler of a league without its wrapping: others look at it, too.
#[derive(Debug)]
pub struct Jobs {
    tournament: Tournament,
    faults_in_a_row: u32,
    /// A game and the name of its limits, as the ratings count them.
    games: Vec<(usize, Option<String>)>,
    pairing: Pairing,
    /// The builds that play, with the ids of their programs, by their names.
    engines: HashMap<String, (Arc<Engine>, Option<String>)>,
    openings: Vec<Openings>,
    n_openings: Vec<u64>,
    /// The missing matches of pairs, in order.
    halves: VecDeque<Half>,
    /// The pairs of earlier runs of which one match is there, while these are told.
    told: BTreeMap<u32, Half>,
    finished: MatchNumbers,
    last_pair: u32,
    /// Losses in a row by own faults.
    faults: HashMap<String, u32>,
    /// The builds to set aside, and why.
    set_aside: Vec<(String, String)>,
    most_matches: Option<u32>,
    n_begun: u32,
}

/// A match whose pair has begun.
#[derive(Clone, Debug)]
struct Half {
    number: u32,
    game: usize,
    opening: String,
    names: [String; 2],
}

impl Jobs {
    /// A league without builds. It ends after `most_matches` of this run, if there is such a number.
    pub fn new(league: &League, openings: Vec<Openings>, most_matches: Option<u32>) -> Self {
        let rules = Rules {
            owner: league.owner.clone(),
            newcomer_pairs: league.newcomer_pairs,
            same_owner: league.same_owner,
        };
        let tournament = Tournament { engines: Vec::new(), ..league.tournament.clone() };
        let limits: Vec<Option<String>> = match tournament.limits_names() {
            names if names.is_empty() => vec![None],
            names => names.into_iter().map(Some).collect(),
        };
        let games: Vec<_> = (0..tournament.games.len())
            .flat_map(|game| limits.iter().map(move |limits| (game, limits.clone())))
            .collect();
        let id = |(game, limits): &(usize, Option<String>)| {
            rated_game(tournament.games[*game].id.id(), limits.as_deref()).into_owned()
        };
        Self {
            pairing: Pairing::new(rules, games.iter().map(id).collect::<Vec<_>>()),
            n_openings: vec![OPENINGS; games.len()],
            games,
            tournament,
            faults_in_a_row: league.faults_in_a_row,
            engines: HashMap::new(),
            openings,
            halves: VecDeque::new(),
            told: BTreeMap::new(),
            finished: MatchNumbers::default(),
            last_pair: 0,
            faults: HashMap::new(),
            set_aside: Vec::new(),
            most_matches,
            n_begun: 0,
        }
    }

    /// Takes a match of an earlier run. All are told before the first build joins.
    pub fn restore(&mut self, record: &Record, entry_of: impl Fn(&str) -> Option<Entry>) {
        if !self.count(record) {
            return;
        }
        for name in [&record.white, &record.black] {
            if self.pairing.find(name).is_none() {
                let entry = entry_of(name);
                self.pairing.know(Member {
                    name: name.clone(),
                    owner: entry.as_ref().map(|entry| entry.owner.clone()).unwrap_or_default(),
                    is_anchor: entry.is_some_and(|entry| entry.anchor),
                    plays: vec![false; self.games.len()],
                });
            }
        }
        let Some(game) = self.game_of(record.game, record.limits.as_deref()) else { return };
        if self.told.remove(&record.pair).is_none() {
            let names = [&record.white, &record.black];
            let members = names.map(|name| self.pairing.find(name).expect("it was just added"));
            self.pairing.begin(Meeting { game, members });
            // The other match of the pair has the sides swapped.
            let [white, black] = names.map(String::clone);
            let number = if record.number.is_multiple_of(2) { record.number - 1 } else { record.number + 1 };
            let half = Half { number, game, opening: record.opening.clone(), names: [black, white] };
            self.told.insert(record.pair, half);
        }
        self.tell(game, record);
    }

    /// All matches of earlier runs were told.
    pub fn begin(&mut self) {
        self.halves.extend(std::mem::take(&mut self.told).into_values());
    }

    /// Lets a build play. `program` is the id of its program.
    pub fn join(&mut self, entry: &Entry, engine: &Arc<Engine>, program: Option<String>) {
        let plays = |(game, _): &(usize, Option<String>)| engine.plays(self.tournament.games[*game].id);
        let member = Member {
            name: entry.build.clone(),
            owner: entry.owner.clone(),
            is_anchor: entry.anchor,
            plays: self.games.iter().map(plays).collect(),
        };
        let idx = self.pairing.know(member);
        self.pairing.set_active(idx, true);
        self.faults.remove(&entry.build);
        self.engines.insert(entry.build.clone(), (Arc::clone(engine), program));
    }

    /// Lets a build rest.
    pub fn leave(&mut self, build: &str) {
        if let Some(idx) = self.pairing.find(build) {
            self.pairing.set_active(idx, false);
        }
    }

    /// Whether a build plays.
    pub fn is_active(&self, build: &str) -> bool {
        self.pairing.find(build).is_some_and(|idx| self.pairing.is_active(idx))
    }

    /// The builds that were set aside since the last call, and why.
    pub fn take_set_aside(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.set_aside)
    }

    /// Whether the match is new. Its numbers are taken.
    fn count(&mut self, record: &Record) -> bool {
        self.last_pair = self.last_pair.max(record.pair);
        self.finished.insert(record.number)
    }

    fn tell(&mut self, game: usize, record: &Record) {
        let rated = record.rated_game().into_owned();
        let pair = record.pair.to_string();
        self.pairing.add(game, &record.finished(&rated, &pair));
    }

    fn game_of(&self, id: GameId, limits: Option<&str>) -> Option<usize> {
        let is_it = |(game, own): &(usize, Option<String>)| {
            self.tournament.games[*game].id == id && own.as_deref() == limits
        };
        self.games.iter().position(is_it)
    }

    /// Counts losses in a row by own faults. What a worker says of a fault cannot be checked, so only matches on this machine count.
    fn count_fault(&mut self, record: &Record) {
        if record.worker.as_ref().is_some_and(|worker| worker != LOCAL) {
            return;
        }
        let is_fault = Reason::of_arena(&record.reason).is_some_and(Reason::is_fault);
        for name in [&record.white, &record.black] {
            if !is_fault || record.loser() != Some(name) {
                self.faults.remove(name);
                continue;
            }
            let n = self.faults.entry(name.clone()).or_default();
            *n += 1;
            if *n >= self.faults_in_a_row && self.is_active(name) {
                let evidence = record.evidence.as_deref().unwrap_or("no evidence");
                let why = format!(
                    "it lost {} matches in a row by its own faults; the last one, match {}, by `{}`: {evidence}",
                    self.faults_in_a_row, record.number, record.reason
                );
                self.set_aside.push((name.clone(), why));
                let name = name.clone();
                self.leave(&name);
            }
        }
    }

    fn half_job(&self, half: &Half) -> Job {
        let (game, limits) = &self.games[half.game];
        let player = |side: Side| {
            let (engine, program) = &self.engines[&half.names[side.index()]];
            let engine = match limits {
                Some(limits) => Arc::new(engine.under(limits)),
                None => Arc::clone(engine),
            };
            let seed = Job::seed(self.tournament.seed, half.number, side);
            Player { engine, build: program.clone(), seed }
        };
        Job {
            format_version: FormatVersion,
            number: half.number,
            pair: half.number.div_ceil(2),
            game: self.tournament.games[*game].id,
            limits: limits.clone(),
            opening: half.opening.clone(),
            players: Side::ALL.map(player),
            rules: self.tournament.rules_under(limits.as_deref()),
            on_machine_delay: self.tournament.on_machine_delay,
            off_turn: self.tournament.off_turn,
        }
    }

    /// The opening of the next pair in a game.
    fn opening(&mut self, game: usize) -> Result<String, OpeningsError> {
        let turn = self.pairing.n_pairs_of(game).saturating_sub(1);
        let openings = &mut self.openings[self.games[game].0];
        let n_openings = &mut self.n_openings[game];
        loop {
            match openings.fen((turn % *n_openings) as usize) {
                Ok(fen) => return Ok(fen.to_owned()),
                Err(OpeningsError::TooFew { found, .. }) if 0 < found && (found as u64) < *n_openings => {
                    *n_openings = found as u64;
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn next_job(&mut self) -> Result<NextJob, OpeningsError> {
        if self.is_over() {
            return Ok(NextJob::Over);
        }
        let can_play = |half: &Half| half.names.iter().all(|name| self.is_active(name));
        if let Some(place) = self.halves.iter().position(can_play) {
            let half = self.halves.remove(place).expect("its own place");
            self.n_begun += 1;
            return Ok(NextJob::Play(Box::new(self.half_job(&half))));
        }
        let Some(Meeting { game, members }) = self.pairing.next() else { return Ok(NextJob::Wait) };
        let opening = self.opening(game)?;
        self.last_pair += 1;
        let names = members.map(|member| self.pairing.members()[member].name.clone());
        let first = Half { number: 2 * self.last_pair - 1, game, opening, names };
        let [white, black] = first.names.clone();
        let second = Half { number: 2 * self.last_pair, names: [black, white], ..first.clone() };
        self.halves.push_front(second);
        self.n_begun += 1;
        Ok(NextJob::Play(Box::new(self.half_job(&first))))
    }

    fn is_over(&self) -> bool {
        self.most_matches.is_some_and(|most| most <= self.n_begun)
    }
}

/// The scheduler of a league.
#[derive(Clone, Debug)]
pub struct LeagueScheduler(pub Rc<RefCell<Jobs>>);

impl Scheduler for LeagueScheduler {
    fn next(&mut self) -> Result<NextJob, OpeningsError> {
        self.0.borrow_mut().next_job()
    }

    fn add(&mut self, record: &Record) -> Vec<Decided> {
        let mut jobs = self.0.borrow_mut();
        if jobs.count(record) {
            if let Some(game) = jobs.game_of(record.game, record.limits.as_deref()) {
                jobs.tell(game, record);
            }
            jobs.count_fault(record);
        }
        Vec::new()
    }

    fn progress(&self) -> Progress {
        let jobs = self.0.borrow();
        let n_finished = jobs.finished.len();
        // There is no number of matches to reach.
        Progress { n_finished, n_matches: 0, is_over: jobs.is_over() }
    }

    fn is_endless(&self) -> bool {
        !self.0.borrow().is_over()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use config::Source;
    use model::samples;
    use ratings::MatchResult;
    use schedule::planning;

    fn jobs(keys: &str) -> LeagueScheduler {
        let text = format!(
            "[league]\n{keys}\n[limits]\nnodes = 10\n[[game]]\nid = \"push\"\n[[game]]\nid = \"push-push\"\n"
        );
        let league =
            Source::new(Path::new("league.toml"), text).league(engine_proto::Games::built_in()).unwrap();
        let openings = planning::openings(&league.tournament).unwrap();
        LeagueScheduler(Rc::new(RefCell::new(Jobs::new(&league, openings, None))))
    }

    fn entry(build: &str) -> Entry {
        Entry {
            build: build.to_owned(),
            engine: crate::roster::engine_of(build).to_owned(),
            owner: build.to_owned(),
            version: None,
            joined: String::new(),
            anchor: false,
            set_aside: None,
        }
    }

    fn join(scheduler: &LeagueScheduler, builds: &[&str]) {
        for build in builds {
            scheduler.0.borrow_mut().join(&entry(build), &Arc::new(samples::engine(build)), None);
        }
    }

    fn record(job: &Job, reason: &str) -> Record {
        Record::without_moves(job, MatchResult::WhiteWins, reason)
    }

    fn next(scheduler: &mut LeagueScheduler) -> Option<Job> {
        match scheduler.next().unwrap() {
            NextJob::Play(job) => Some(*job),
            NextJob::Wait | NextJob::Over => None,
        }
    }

    #[test]
    fn a_pair_is_two_matches_from_one_opening_with_the_sides_swapped() {
        let mut scheduler = jobs("");
        assert!(next(&mut scheduler).is_none() && scheduler.is_endless());
        join(&scheduler, &["a@1", "b@1"]);
        let [first, second, third] = [(); 3].map(|()| next(&mut scheduler).unwrap());
        assert_eq!((first.pair, second.pair, third.pair), (1, 1, 2));
        assert_eq!((&first.opening, first.game), (&second.opening, second.game));
        assert_eq!(first.names(), [second.names()[1], second.names()[0]]);
        assert_ne!(third.game, first.game, "every game equally");
    }

    #[test]
    fn what_was_begun_before_a_kill_is_completed_and_nothing_is_played_twice() {
        let mut scheduler = jobs("");
        join(&scheduler, &["a@1", "b@1", "c@1"]);
        let played: Vec<Job> = (0..9).map(|_| next(&mut scheduler).unwrap()).collect();
        // Matches 2, 7, 8 and 9 were running.
        let finished: Vec<&Job> = played.iter().filter(|job| ![2, 7, 8, 9].contains(&job.number)).collect();
        let mut scheduler = jobs("");
        for job in &finished {
            scheduler.0.borrow_mut().restore(&record(job, "resignation"), |name| Some(entry(name)));
        }
        scheduler.0.borrow_mut().begin();
        assert!(next(&mut scheduler).is_none(), "nobody is there");
        join(&scheduler, &["a@1", "b@1", "c@1"]);
        let half = next(&mut scheduler).unwrap();
        assert_eq!((half.number, &half.opening), (2, &played[1].opening));
        assert_eq!(half.names(), played[1].names());
        let numbers: Vec<u32> = (0..4).map(|_| next(&mut scheduler).unwrap().number).collect();
        assert_eq!(numbers, [7, 8, 9, 10]);
        assert_eq!(scheduler.progress().n_finished, 5);
    }

    #[test]
    fn the_half_of_a_pair_waits_for_a_build_that_rests() {
        let mut scheduler = jobs("");
        join(&scheduler, &["a@1", "b@1"]);
        let first = next(&mut scheduler).unwrap();
        scheduler.0.borrow_mut().leave("a@1");
        assert!(next(&mut scheduler).is_none());
        join(&scheduler, &["c@1"]);
        assert!(next(&mut scheduler).unwrap().names().iter().all(|name| *name != "a@1"));
        join(&scheduler, &["a@1"]);
        let numbers: Vec<u32> = (0..4).map(|_| next(&mut scheduler).unwrap().number).collect();
        assert!(numbers.contains(&(first.number + 1)), "{numbers:?}");
    }

    #[test]
    fn an_engine_that_fails_in_a_row_is_set_aside() {
        let mut scheduler = jobs("faults-in-a-row = 3");
        join(&scheduler, &["a@1", "b@1"]);
        let mut lose = |reason: &str, loser: &str| {
            loop {
                let job = next(&mut scheduler)?;
                if job.names()[1] == loser {
                    scheduler.add(&record(&job, reason));
                    let found = scheduler.0.borrow_mut().take_set_aside();
                    return Some(found);
                }
            }
        };
        for reason in ["crash", "illegal-move", "resignation", "crash", "crash"] {
            assert_eq!(lose(reason, "a@1"), Some(Vec::new()), "{reason}");
        }
        let found = lose("crash", "a@1").unwrap();
        assert_eq!(found[0].0, "a@1");
        assert!(found[0].1.starts_with("it lost 3 matches in a row by its own faults"), "{found:?}");
        assert_eq!(lose("crash", "a@1"), None);
    }
}
