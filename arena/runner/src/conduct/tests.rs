//! The loop with pools and reporters for tests: lost matches are played again, duplicates count once, and the order in
//! which matches end changes nothing.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::rc::Rc;
use std::sync::Arc;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use ratings::MatchResult;

use super::{Attendance, Begun, ConductError, Conductor, Ended, StopRequest, StopRequests};
use crate::pool::{Pool, PoolError, PoolEvent};
use model::{
    Event, Format, Job, Moved, PrecisionRule, Record, Reporter, Scope, SetAside, SideLetter, StopRules,
    Tournament, samples,
};
use schedule::{JobScheduler, Scheduler, planning};

/// Who never wants to stop.
struct Never;

impl StopRequests for Never {
    async fn next(&mut self) -> StopRequest {
        std::future::pending().await
    }
}

/// Who wants to stop after a number of looks.
struct After(u32);

impl StopRequests for After {
    async fn next(&mut self) -> StopRequest {
        if self.0 == 0 {
            return StopRequest::Interrupt;
        }
        self.0 -= 1;
        std::future::pending().await
    }
}

/// A user who stops the tournament once, after this number of looks, and waits for it.
struct OnceAfter(Option<u32>);

impl StopRequests for OnceAfter {
    async fn next(&mut self) -> StopRequest {
        match self.0 {
            Some(0) => {
                self.0 = None;
                StopRequest::Interrupt
            }
            looks => {
                self.0 = looks.map(|looks| looks - 1);
                std::future::pending().await
            }
        }
    }
}

/// How a pool behaves.
#[derive(Clone, Copy, Debug, Default)]
struct Habits {
    /// In this number of 100 cases a match is lost.
    losing: u64,
    /// In this number of 100 cases a match is reported again.
    repeating: u64,
    /// Whether matches end in any order.
    delaying: bool,
    /// It fails after this number of events.
    failing: Option<u32>,
    /// It finds a worker wrong after this number of events.
    accusing: Option<u32>,
}

/// A pool without engines: the result of a match is drawn from its number.
struct WildPool {
    habits: Habits,
    places: usize,
    generator: ChaCha8Rng,
    running: Vec<Job>,
    begun: Vec<u32>,
    told: Vec<Record>,
    /// What was lost and was not submitted again yet.
    lost: VecDeque<u32>,
    n_events: u32,
    ended: Rc<RefCell<Vec<&'static str>>>,
}

impl WildPool {
    fn new(habits: Habits, places: usize) -> Self {
        let generator = ChaCha8Rng::seed_from_u64(7);
        let ended = Rc::default();
        Self {
            habits,
            places,
            generator,
            running: Vec::new(),
            begun: Vec::new(),
            told: Vec::new(),
            lost: VecDeque::new(),
            n_events: 0,
            ended,
        }
    }

    fn happens(&mut self, percent: u64) -> bool {
        self.generator.next_u64() % 100 < percent
    }
}

fn play(job: &Job) -> Record {
    let mut generator = ChaCha8Rng::seed_from_u64(u64::from(job.number));
    let result = match generator.next_u64() % 4 {
        0 => MatchResult::Draw,
        // Engines later in the alphabet are stronger.
        _ if job.names()[0] > job.names()[1] => MatchResult::WhiteWins,
        _ => MatchResult::BlackWins,
    };
    Record { plies: 2, ..Record::without_moves(job, result, "goal") }
}

impl Pool for WildPool {
    fn has_room(&self) -> bool {
        self.running.len() < self.places
    }

    fn fits(&self, _: &Job) -> bool {
        self.has_room()
    }

    fn submit(&mut self, job: Job) {
        assert!(self.has_room(), "more matches than places");
        if let Some(number) = self.lost.pop_front() {
            assert_eq!(job.number, number, "what was lost goes out first, in its order");
        }
        self.begun.push(job.number);
        self.running.push(job);
    }

    async fn next(&mut self) -> Result<PoolEvent, PoolError> {
        self.n_events += 1;
        if self.habits.failing.is_some_and(|after| after < self.n_events) {
            return Err(PoolError::Panicked);
        }
        if self.habits.accusing.is_some_and(|after| after < self.n_events) {
            let [worker, why] = ["liar", "it lies"].map(str::to_owned);
            return Err(PoolError::SetAside(SetAside { worker, why }));
        }
        if !self.begun.is_empty() {
            return Ok(PoolEvent::Begun(self.begun.remove(0)));
        }
        if !self.told.is_empty() && self.happens(self.habits.repeating) {
            let idx = self.generator.next_u64() as usize % self.told.len();
            return Ok(PoolEvent::Finished(Box::new(self.told[idx].clone())));
        }
        if self.running.is_empty() {
            return std::future::pending().await;
        }
        let idx =
            if self.habits.delaying { self.generator.next_u64() as usize % self.running.len() } else { 0 };
        let job = self.running.remove(idx);
        if self.happens(self.habits.losing) {
            let (other, left) =
                std::mem::take(&mut self.running).into_iter().partition(|it| it.pair == job.pair);
            self.running = left;
            let numbers: Vec<u32> = std::iter::once(job).chain(other).map(|job| job.number).collect();
            self.lost.extend(&numbers);
            return Ok(PoolEvent::Lost { numbers, why: "its machine is gone".to_owned() });
        }
        let record = play(&job);
        self.told.push(record.clone());
        Ok(PoolEvent::Finished(Box::new(record)))
    }

    fn abort(&mut self) {
        self.ended.borrow_mut().push("aborted");
    }

    async fn close(self) -> Vec<String> {
        self.ended.borrow_mut().push("closed");
        Vec::new()
    }
}

/// Keeps all events.
#[derive(Clone, Default)]
struct EventLog(Rc<RefCell<Vec<Event>>>);

impl Reporter for EventLog {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        self.0.borrow_mut().push(event.clone());
        Ok(())
    }
}

impl EventLog {
    fn finished(&self) -> Vec<Record> {
        let records = self.0.borrow();
        let records = records.iter().filter_map(|event| match event {
            Event::MatchFinished { record } => Some(record.as_ref().clone()),
            _ => None,
        });
        records.collect()
    }
}

fn scheduler(tournament: &Tournament) -> JobScheduler {
    let openings = planning::openings(tournament).unwrap();
    JobScheduler::new(Arc::new(tournament.clone()), planning::course(tournament), openings, BTreeMap::new())
}

fn conduct(
    tournament: &Tournament,
    scheduler: &mut JobScheduler,
    pool: WildPool,
    requests: impl StopRequests,
) -> (Result<Ended, ConductError>, EventLog) {
    let heard = EventLog::default();
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(heard.clone())];
    let attendance = Attendance::new(&tournament.names(), None);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let begun = Begun { name: tournament.name.clone(), engines: tournament.names() };
    let conductor = Conductor { scheduler, attendance, reporters: &mut reporters };
    let ended = runtime.block_on(conductor.run(pool, requests, begun, Vec::new()));
    (ended, heard)
}

/// What was played, by number: the order of the ends aside.
fn sorted(mut records: Vec<Record>) -> Vec<Record> {
    records.sort_by_key(|record| record.number);
    records
}

fn tournaments() -> Vec<Tournament> {
    let fixed = samples::tournament(&["a", "b", "c", "d"], 5);
    let adaptive = Tournament {
        format: Format::Adaptive { matches: Some(60), floor: 2, batch: 4 },
        ..samples::tournament(&["a", "b", "c"], 40)
    };
    let stop = StopRules {
        precision: Some(PrecisionRule { elo: 150.0, scope: Scope::Overall }),
        ..StopRules::default()
    };
    let stopping = Tournament { stop, ..samples::tournament(&["a", "b", "c"], 200) };
    vec![fixed, adaptive, stopping]
}

#[test]
fn pools_that_lose_repeat_and_delay_change_nothing() {
    for tournament in tournaments() {
        let plain = {
            let mut scheduler = scheduler(&tournament);
            let (ended, heard) =
                conduct(&tournament, &mut scheduler, WildPool::new(Habits::default(), 1), Never);
            assert!(ended.unwrap().too_few.is_none() && scheduler.progress().is_over);
            sorted(heard.finished())
        };
        let depends = planning::depends_on_results(&tournament);
        for places in [1, 3, 8] {
            let habits = Habits { losing: 20, repeating: 30, delaying: true, ..Habits::default() };
            let pool = WildPool::new(habits, places);
            let ended_how = Rc::clone(&pool.ended);
            let mut scheduler = scheduler(&tournament);
            let (ended, heard) = conduct(&tournament, &mut scheduler, pool, Never);
            assert!(ended.unwrap().too_few.is_none() && scheduler.progress().is_over);
            let records = sorted(heard.finished());
            let mut numbers: Vec<u32> = records.iter().map(|record| record.number).collect();
            numbers.dedup();
            assert_eq!(numbers.len(), records.len(), "a match counts once");
            if depends {
                // Matches under way when it is decided are finished in addition to those that were needed.
                for record in &plain {
                    assert!(records.contains(record), "{record:?}");
                }
            } else {
                assert_eq!(records, plain);
            }
            assert_eq!(*ended_how.borrow(), ["closed"]);
            let events = heard.0.borrow();
            assert!(events.iter().any(|event| matches!(event, Event::Warning { message } if message.contains("was not completed and is played again: its machine is gone"))));
        }
    }
}

#[test]
fn what_an_earlier_run_has_finished_is_not_played_again() {
    let tournament = samples::tournament(&["a", "b", "c", "d"], 5);
    let mut first = scheduler(&tournament);
    let pool = WildPool::new(Habits { delaying: true, ..Habits::default() }, 3);
    let (ended, heard) = conduct(&tournament, &mut first, pool, After(20));
    ended.unwrap();
    let earlier = heard.finished();
    assert!(!earlier.is_empty() && !first.progress().is_over, "{}", earlier.len());
    assert!(heard.0.borrow().iter().any(|event| matches!(event, Event::Stopping { n_running: 3 })));

    let mut second = scheduler(&tournament);
    for record in earlier.iter().chain(&earlier) {
        second.add(record);
    }
    let (ended, heard) = conduct(&tournament, &mut second, WildPool::new(Habits::default(), 2), Never);
    ended.unwrap();
    assert!(second.progress().is_over);
    let all = sorted([earlier, heard.finished()].concat());
    let numbers: Vec<u32> = all.iter().map(|record| record.number).collect();
    assert_eq!(numbers, (1..=60).collect::<Vec<_>>());
}

#[test]
fn a_pool_that_fails_ends_the_tournament_and_is_closed() {
    let tournament = samples::tournament(&["a", "b"], 5);
    let pool = WildPool::new(Habits { failing: Some(6), ..Habits::default() }, 2);
    let ended_how = Rc::clone(&pool.ended);
    let (ended, heard) = conduct(&tournament, &mut scheduler(&tournament), pool, Never);
    assert!(matches!(ended, Err(ConductError::Pool(PoolError::Panicked))));
    assert_eq!(*ended_how.borrow(), ["aborted", "closed"]);
    assert!(!heard.0.borrow().iter().any(|event| matches!(event, Event::Ended { .. })));
}

/// The caller starts the tournament again without a worker that was found wrong, unless the user wants to stop.
#[test]
fn a_worker_that_is_found_wrong_does_not_start_a_tournament_again_that_is_being_stopped() {
    let tournament = samples::tournament(&["a", "b", "c"], 5);
    let habits = Habits { accusing: Some(2), ..Habits::default() };
    let conducted = |user| conduct(&tournament, &mut scheduler(&tournament), WildPool::new(habits, 3), user);
    let (ended, _) = conducted(OnceAfter(None));
    assert!(matches!(ended, Err(ConductError::Pool(PoolError::SetAside(_)))));
    let (ended, heard) = conducted(OnceAfter(Some(2)));
    assert_eq!(ended.unwrap().set_aside.map(|set_aside| set_aside.worker).as_deref(), Some("liar"));
    let events = heard.0.borrow();
    assert!(events.iter().any(
        |event| matches!(event, Event::Warning { message } if message == "worker `liar` was set aside: it lies")
    ));
    assert!(matches!(events.last(), Some(Event::Ended { .. })));
}

/// A reporter whose disk is full.
struct Full;

impl Reporter for Full {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::MatchFinished { .. } => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }
}

#[test]
fn a_reporter_that_cannot_write_ends_the_tournament() {
    let tournament = samples::tournament(&["a", "b"], 5);
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(Full)];
    let attendance = Attendance::new(&tournament.names(), None);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let begun = Begun { name: "cup".to_owned(), engines: tournament.names() };
    let mut scheduler = scheduler(&tournament);
    let conductor = Conductor { scheduler: &mut scheduler, attendance, reporters: &mut reporters };
    let pool = WildPool::new(Habits::default(), 2);
    let ended_how = Rc::clone(&pool.ended);
    let error = runtime.block_on(conductor.run(pool, Never, begun, Vec::new())).unwrap_err();
    assert!(error.to_string().starts_with("cannot write the results: "), "{error}");
    assert_eq!(*ended_how.borrow(), ["aborted", "closed"]);
}

/// Moves of matches that are not under way are foreign or late.
#[test]
fn moves_are_told_of_matches_under_way_alone() {
    struct Moving(WildPool, u32);
    impl Pool for Moving {
        fn has_room(&self) -> bool {
            self.0.has_room()
        }
        fn fits(&self, job: &Job) -> bool {
            self.0.fits(job)
        }
        fn submit(&mut self, job: Job) {
            self.0.submit(job);
        }
        async fn next(&mut self) -> Result<PoolEvent, PoolError> {
            self.1 += 1;
            if self.1.is_multiple_of(2) {
                return self.0.next().await;
            }
            let number = self.1 / 2 % 8;
            Ok(PoolEvent::Moved(Moved {
                number,
                ply: 1,
                side: SideLetter::White,
                mv: "a1a2".to_owned(),
                time_us: 1,
                clocks_ms: [None, None],
                score: None,
                depth: None,
                nodes: None,
                principal_variation: None,
            }))
        }
        fn abort(&mut self) {
            self.0.abort();
        }
        async fn close(self) -> Vec<String> {
            self.0.close().await
        }
    }
    let tournament = samples::tournament(&["a", "b"], 2);
    let heard = EventLog::default();
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(heard.clone())];
    let attendance = Attendance::new(&tournament.names(), None);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let begun = Begun { name: "cup".to_owned(), engines: tournament.names() };
    let mut scheduler = scheduler(&tournament);
    let conductor = Conductor { scheduler: &mut scheduler, attendance, reporters: &mut reporters };
    let pool = Moving(WildPool::new(Habits::default(), 1), 0);
    runtime.block_on(conductor.run(pool, Never, begun, Vec::new())).unwrap();
    let (mut n_finished, mut n_moves) = (0, 0);
    for event in heard.0.borrow().iter() {
        match event {
            Event::MatchFinished { .. } => n_finished += 1,
            // One place plays the matches in their order.
            Event::Moved(moved) => {
                n_moves += 1;
                assert_eq!(moved.number, n_finished + 1);
            }
            _ => {}
        }
    }
    assert!(0 < n_moves && n_finished == 4);
}
