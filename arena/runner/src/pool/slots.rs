//! Slots: what matches need of the machine and what is free. They decide which match may start, at which place and on
//! which processors. They only count.

use super::cores::Cores;

/// What a match needs, or the part of one engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Processors.
    pub cores: u32,
    /// Bytes of memory.
    pub memory: u64,
    /// Whether the engine thinks on its opponent's time.
    pub ponders: bool,
}

impl Needs {
    /// What a match of two engines needs: only one engine thinks at a time unless one of them ponders, but both use
    /// memory.
    #[must_use]
    pub fn of_match([one, other]: [Self; 2]) -> Self {
        let ponders = one.ponders || other.ponders;
        let cores = if ponders { one.cores.saturating_add(other.cores) } else { one.cores.max(other.cores) };
        Self { cores, memory: one.memory.saturating_add(other.memory), ponders }
    }
}

/// The places, and the free resources.
#[derive(Debug)]
pub struct Slots {
    places: Vec<Place>,
    free: Needs,
    /// The processors for pinning; `None` without pinning.
    cores: Option<Cores>,
}

#[derive(Clone, Debug, Default)]
struct Place {
    /// What its match needs, while it has one.
    taken: Option<Needs>,
    /// The processors of its match, or of the match before.
    cores: Vec<usize>,
}

/// Where a match is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The place's index.
    pub place: usize,
    /// The processors that it is pinned to; empty if it may use all.
    pub cores: Vec<usize>,
}

impl Slots {
    /// Idle places that share the resources `free`; with `cores`, each match is pinned.
    pub fn new(n_places: usize, free: Needs, cores: Option<Cores>) -> Self {
        Self { places: vec![Place::default(); n_places], free, cores }
    }

    /// Reserves processors for pinned matches, of which the largest needs `widest`. If there are not enough, no match is pinned
    /// from now on; returns why.
    pub fn widen(&mut self, widest: u32) -> Option<String> {
        let taken: u32 = self.places.iter().filter_map(|place| place.taken).map(|taken| taken.cores).sum();
        let all = (self.free.cores + taken) as usize;
        let n = self.n_places().saturating_mul(widest as usize).min(all);
        let why = self.cores.as_mut()?.reserve(n).err()?;
        self.cores = None;
        self.places.iter_mut().for_each(|place| place.cores.clear());
        Some(format!("matches are not pinned to processors (`pin`): {why}"))
    }

    /// The number of places.
    pub const fn n_places(&self) -> usize {
        self.places.len()
    }

    /// The number of running matches.
    pub fn n_busy(&self) -> usize {
        self.places.iter().filter(|place| place.taken.is_some()).count()
    }

    /// Whether a place is idle.
    pub fn has_idle(&self) -> bool {
        self.n_busy() < self.places.len()
    }

    /// Whether a match that needs `needs` can start now.
    pub fn fits(&self, needs: Needs) -> bool {
        self.has_idle() && needs.cores <= self.free.cores && needs.memory <= self.free.memory
    }

    /// Takes a place for a match. The match must fit.
    ///
    /// # Panics
    /// If it does not fit.
    pub fn take(&mut self, needs: Needs) -> Seat {
        assert!(self.fits(needs), "{needs:?} of {:?}", self.free);
        self.free.cores -= needs.cores;
        self.free.memory -= needs.memory;
        let place = self.best_place(needs);
        if let Some(cores) = &mut self.cores {
            let earlier = std::mem::take(&mut self.places[place].cores);
            self.places[place].cores = cores.take(needs.cores as usize, &earlier);
        }
        self.places[place].taken = Some(needs);
        Seat { place, cores: self.places[place].cores.clone() }
    }

    /// Returns the resources of the match at `place`.
    ///
    /// # Panics
    /// If no match runs there.
    pub fn give_back(&mut self, place: usize) {
        let Place { taken, cores: its_cores } = &mut self.places[place];
        let needs = taken.take().expect("a match was played there");
        self.free.cores += needs.cores;
        self.free.memory += needs.memory;
        if let Some(cores) = &mut self.cores {
            cores.give_back(its_cores);
        }
    }

    /// An idle place, preferably one whose last match used the processors that are free and needed: kept engines are
    /// pinned to them.
    fn best_place(&self, needs: Needs) -> usize {
        let idle = || self.places.iter().enumerate().filter(|(_, place)| place.taken.is_none());
        let stays = |place: &Place| {
            place.cores.len() == needs.cores as usize
                && self.cores.as_ref().is_some_and(|cores| cores.are_free(&place.cores))
        };
        let found = idle().find(|(_, place)| stays(place)).or_else(|| idle().next());
        found.expect("a place is idle").0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn needs(cores: u32, memory: u64) -> Needs {
        Needs { cores, memory, ponders: false }
    }

    #[test]
    fn a_match_takes_the_wider_engine_and_the_memory_of_both() {
        assert_eq!(Needs::of_match([needs(1, 5), needs(4, 7)]), needs(4, 12));
    }

    #[test]
    fn a_match_with_pondering_takes_the_processors_of_both() {
        let ponders = Needs { ponders: true, ..needs(4, 7) };
        for pair in [[needs(1, 5), ponders], [ponders, needs(1, 5)]] {
            assert_eq!(Needs::of_match(pair), Needs { ponders: true, ..needs(5, 12) });
        }
        assert_eq!(Needs::of_match([ponders; 2]).cores, 8);
    }

    #[test]
    fn what_is_free_bounds_what_begins() {
        let mut slots = Slots::new(3, needs(4, 10), None);
        assert_eq!(slots.take(needs(2, 4)), Seat { place: 0, cores: Vec::new() });
        assert!(!slots.fits(needs(3, 0)), "processors");
        assert!(!slots.fits(needs(1, 7)), "memory");
        slots.take(needs(1, 1));
        slots.take(needs(1, 1));
        assert!(!slots.fits(needs(0, 0)), "places");
        slots.give_back(0);
        assert_eq!(slots.n_busy(), 2);
        assert!(slots.fits(needs(2, 8)) && !slots.fits(needs(3, 0)) && !slots.fits(needs(2, 9)));
    }

    /// Where another arena has the processors, none is pinned.
    #[test]
    fn processors_suffice_for_an_engine_that_joins_later() {
        let n_usable = host::machine::processors::groups().concat().len() as u32;
        let mut slots = Slots::new(1, needs(n_usable, 0), Some(Cores::nothing()));
        let is_pinned = slots.widen(1).is_none() && slots.widen(n_usable).is_none();
        let seat = slots.take(needs(n_usable, 0));
        assert_eq!(seat.cores.len() as u32, if is_pinned { n_usable } else { 0 });
    }

    #[test]
    fn matches_that_go_on_have_processors_of_their_own_and_places_keep_theirs() {
        let mut slots = Slots::new(4, needs(4, 0), Some(Cores::of_groups(&[&[0, 2], &[1, 3]])));
        let seats = [slots.take(needs(1, 0)), slots.take(needs(1, 0)), slots.take(needs(2, 0))];
        let cores: Vec<_> = seats.iter().map(|seat| seat.cores.clone()).collect();
        assert_eq!(cores, [vec![0], vec![1], vec![2, 3]]);
        slots.give_back(1);
        slots.give_back(2);
        // The next match with two processors goes where two were used, the next one with one where one was used.
        assert_eq!(slots.take(needs(2, 0)), seats[2]);
        assert_eq!(slots.take(needs(1, 0)), seats[1]);
    }
}
