//! The pool of a league: the places of this machine, and workers if there are some, which engines join and leave meanwhile. It also keeps what is stored
//! about the builds.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedReceiver;

use crate::admission::Admitted;
use crate::door::{News, SharedRoster, write_set_aside};
use crate::jobs::Jobs;
use crate::roster::{Entry, engine_of};
use model::escape::escaped_line;
use model::{Job, Record, Tournament};
use runner::pool::{Admitting, Builds, Pool, PoolError, PoolEvent};
use store::{Provenance, write_tournament};

/// The pool of a league: `P` plays its matches.
#[derive(Debug)]
pub struct LeaguePool<P> {
    inner: P,
    jobs: Rc<RefCell<Jobs>>,
    news: UnboundedReceiver<News>,
    /// The builds that have played, to see whether their programs have changed.
    builds: HashMap<String, Builds>,
    ledger: Ledger,
}

/// What is stored about the builds in the results folder.
#[derive(Debug)]
pub struct Ledger {
    /// The results folder.
    pub results: PathBuf,
    /// The builds.
    pub roster: SharedRoster,
    /// The league with all builds ever.
    pub tournament: Tournament,
    /// Whether joining and leaving is not said.
    pub is_quiet: bool,
}

impl<P: Admitting> LeaguePool<P> {
    /// The pool of `inner` for the matches of `jobs`.
    pub fn new(inner: P, jobs: Rc<RefCell<Jobs>>, news: UnboundedReceiver<News>, ledger: Ledger) -> Self {
        Self { inner, jobs, news, builds: HashMap::new(), ledger }
    }

    /// Lets a build play.
    ///
    /// # Errors
    /// If what is stored about the builds cannot be written.
    pub fn join(&mut self, entry: &Entry, admitted: Admitted) -> io::Result<()> {
        let Admitted { build, engine, prepared } = admitted;
        self.ledger.enter(&engine, &prepared.builds)?;
        for warning in &prepared.warnings {
            self.ledger.say(&format!("warning: {warning}"));
        }
        let builds = self.inner.admit(prepared);
        let program = builds.ids().remove(&build);
        self.builds.insert(build.clone(), builds);
        self.jobs.borrow_mut().join(entry, &engine, program);
        self.ledger.say(&format!("{build} joins"));
        Ok(())
    }

    fn leave(&mut self, build: &str) {
        self.jobs.borrow_mut().leave(build);
        self.inner.dismiss(build);
    }

    fn take(&mut self, news: News) -> Result<PoolEvent, PoolError> {
        match news {
            News::Joined(entry, admitted) => self.join(&entry, *admitted).map_err(cannot_store)?,
            News::Left(build) => {
                self.leave(&build);
                self.ledger.say(&format!("{build} rests"));
            }
            News::Said(text) => self.ledger.say(&text),
        }
        Ok(PoolEvent::Changed)
    }

    /// A finished match counts if both programs are those that were started.
    fn finished(&mut self, mut record: Box<Record>) -> PoolEvent {
        let mut changed = Vec::new();
        let names = [record.white.clone(), record.black.clone()];
        for name in &names {
            let Some(builds) = self.builds.get_mut(name) else { continue };
            builds.note(&mut record);
            if builds.have_changed() {
                changed.push(name.clone());
            }
        }
        if changed.is_empty() {
            return PoolEvent::Finished(record);
        }
        for build in &changed {
            self.leave(build);
        }
        let why = format!("the program of {} was changed or removed meanwhile", changed.join(" and "));
        PoolEvent::Void { number: record.number, why }
    }

    /// Builds that have failed too often.
    fn set_aside(&mut self) -> io::Result<()> {
        for (build, why) in self.jobs.borrow_mut().take_set_aside() {
            self.inner.dismiss(&build);
            if let Some(entry) = self.ledger.roster.lock().find_mut(&build) {
                entry.set_aside = Some(why.clone());
            }
            let report = write_set_aside(engine_of(&build), &why);
            self.ledger.roster.lock().write(&self.ledger.results)?;
            let see = report.map(|report| format!("; see {}", report.display())).unwrap_or_default();
            let why = why.lines().next().unwrap_or_default();
            self.ledger.say(&format!("{build} is set aside: {why}{see}"));
        }
        Ok(())
    }
}

impl Ledger {
    /// Stores a build that joins.
    fn enter(&mut self, engine: &Arc<model::Engine>, builds: &Builds) -> io::Result<()> {
        self.tournament.engines.retain(|earlier| earlier.name != engine.name);
        self.tournament.engines.push(Arc::clone(engine));
        self.roster.lock().write(&self.results)?;
        write_tournament(&self.results, &self.tournament).map_err(io::Error::other)?;
        let mut provenance = Provenance::read(&self.results).map_err(io::Error::other)?;
        provenance.add_builds(builds.all().to_vec());
        provenance.write(&self.results).map_err(io::Error::other)
    }

    fn say(&self, text: &str) {
        if !self.is_quiet {
            let _ = writeln!(io::stderr(), "{}", escaped_line(text));
        }
    }
}

fn cannot_store(error: io::Error) -> PoolError {
    PoolError::Runtime(error)
}

impl<P: Admitting> Pool for LeaguePool<P> {
    fn has_room(&self) -> bool {
        self.inner.has_room()
    }

    fn fits(&self, job: &Job) -> bool {
        self.inner.fits(job)
    }

    fn submit(&mut self, job: Job) {
        self.inner.submit(job);
    }

    fn withdraw(&mut self) -> Vec<u32> {
        self.inner.withdraw()
    }

    async fn next(&mut self) -> Result<PoolEvent, PoolError> {
        self.set_aside().map_err(cannot_store)?;
        tokio::select! {
            Some(news) = self.news.recv() => self.take(news),
            event = self.inner.next() => Ok(match event? {
                PoolEvent::Finished(record) => self.finished(record),
                event => event,
            }),
        }
    }

    fn abort(&mut self) {
        self.inner.abort();
    }

    async fn close(self) -> Vec<String> {
        self.inner.close().await
    }
}
