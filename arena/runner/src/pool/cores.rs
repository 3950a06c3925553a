//! Processors for pinned matches: which ones the arena may use, which share a core, and which are used by other arenas
//! of the same user.

use std::collections::BTreeSet;
use std::fs::File;

use host::machine::processors;

/// The processors by their numbers in the system, and which of them are free.
#[derive(Debug)]
pub struct Cores {
    /// The processors of each physical core.
    groups: Vec<Vec<usize>>,
    free: BTreeSet<usize>,
    /// Locks that show other arenas which processors are in use.
    locks: Vec<File>,
}

/// The processors of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Processors {
    /// All of them; empty if the match may use every processor.
    pub all: Vec<usize>,
    /// Those of each engine, White's first, if both engines think at the same time.
    pub shares: Option<[Vec<usize>; 2]>,
}

impl Processors {
    /// Gives each engine its own part of the processors `all`: its number of processors, which add up to them. `names`
    /// decides who gets the first part, so that an engine keeps its processors when the sides are swapped.
    pub fn shared(all: Vec<usize>, names: [&str; 2], n_cores: [u32; 2]) -> Self {
        let [white, black] = n_cores.map(|n| n as usize);
        if all.is_empty() || all.len() != white + black {
            return Self { all, shares: None };
        }
        let shares = if names[0] <= names[1] {
            [all[..white].to_vec(), all[white..].to_vec()]
        } else {
            [all[black..].to_vec(), all[..black].to_vec()]
        };
        Self { all, shares: Some(shares) }
    }
}

impl Cores {
    /// None yet of the processors that the arena may use.
    pub fn nothing() -> Self {
        Self { groups: processors::groups(), free: BTreeSet::new(), locks: Vec::new() }
    }

    /// Reserves processors that no other arena of this user uses until there are `n`. Those on different cores are preferred.
    ///
    /// # Errors
    /// If there are not enough processors, with the reason.
    pub fn reserve(&mut self, n: usize) -> Result<(), String> {
        let n_usable: usize = self.groups.iter().map(Vec::len).sum();
        if n_usable < n {
            return Err(format!("the matches need {n} processors, but the arena may use only {n_usable}"));
        }
        for cpu in spread(&self.groups) {
            if self.locks.len() < n
                && let Some(lock) = processors::lock(cpu)
            {
                self.free.insert(cpu);
                self.locks.push(lock);
            }
        }
        if self.locks.len() < n {
            return Err(format!(
                "the matches need {n} of the {n_usable} processors, but another arena uses some of them"
            ));
        }
        Ok(())
    }

    #[cfg(test)]
    pub fn of_groups(groups: &[&[usize]]) -> Self {
        let groups: Vec<_> = groups.iter().map(|group| group.to_vec()).collect();
        Self { free: groups.iter().flatten().copied().collect(), groups, locks: Vec::new() }
    }

    /// Whether all of these processors are free.
    pub fn are_free(&self, cores: &[usize]) -> bool {
        cores.iter().all(|cpu| self.free.contains(cpu))
    }

    /// Takes `n` free processors: the `earlier` ones if their number is right, otherwise preferably on cores that are
    /// not in use.
    ///
    /// # Panics
    /// If there are not enough free processors.
    pub fn take(&mut self, n: usize, earlier: &[usize]) -> Vec<usize> {
        let mut taken = Vec::new();
        if earlier.len() == n && self.are_free(earlier) {
            taken.extend_from_slice(earlier);
            self.free.retain(|cpu| !earlier.contains(cpu));
        }
        while taken.len() < n {
            let cpu = self.best().expect("so many are free");
            self.free.remove(&cpu);
            taken.push(cpu);
        }
        taken.sort_unstable();
        taken
    }

    /// Returns processors.
    pub fn give_back(&mut self, cores: &[usize]) {
        self.free.extend(cores);
    }

    /// A free processor of the core with the fewest used processors.
    fn best(&self) -> Option<usize> {
        let groups = self.groups.iter().filter_map(|group| {
            let free = group.iter().find(|cpu| self.free.contains(cpu))?;
            let n_taken = group.iter().filter(|cpu| !self.free.contains(cpu)).count();
            Some((n_taken, *free))
        });
        groups.min().map(|(_, cpu)| cpu)
    }
}

/// All processors: first one of each core, then the second of each, and so on.
fn spread(groups: &[Vec<usize>]) -> Vec<usize> {
    let most = groups.iter().map(Vec::len).max().unwrap_or_default();
    (0..most).flat_map(|idx| groups.iter().filter_map(move |group| group.get(idx).copied())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_of_one_core_are_the_last_choice() {
        let mut cores = Cores::of_groups(&[&[0, 4], &[1, 5], &[2, 6]]);
        let taken: Vec<_> = (0..6).map(|_| cores.take(1, &[])).collect();
        assert_eq!(taken.concat(), [0, 1, 2, 4, 5, 6]);
        for cpu in taken {
            cores.give_back(&cpu);
        }
        assert_eq!(cores.take(2, &[]), [0, 1]);
        // Processors of an earlier match are only taken again all together.
        assert_eq!(cores.take(2, &[4, 5]), [4, 5]);
        assert_eq!(cores.take(2, &[0, 2]), [2, 6]);
        assert!(!cores.are_free(&[2]) && cores.are_free(&[]));
    }

    #[test]
    fn engines_that_think_at_the_same_time_have_their_own_processors() {
        let shares = |names, n_cores| Processors::shared(vec![3, 5, 7], names, n_cores).shares;
        assert_eq!(shares(["a", "b"], [1, 2]), Some([vec![3], vec![5, 7]]));
        // With the sides swapped, each keeps what it had.
        assert_eq!(shares(["b", "a"], [2, 1]), Some([vec![5, 7], vec![3]]));
        assert_eq!(shares(["a", "b"], [1, 1]), None);
        assert_eq!(Processors::shared(Vec::new(), ["a", "b"], [1, 2]), Processors::default());
    }

    #[test]
    fn processors_are_spread_over_the_cores() {
        assert_eq!(spread(&[vec![0, 1], vec![2], vec![3, 4]]), [0, 2, 3, 1, 4]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_the_arena_may_not_use_is_not_reserved() {
        let usable = rustix::thread::sched_getaffinity(None).expect("it can be asked");
        let groups = processors::groups().concat();
        assert!(groups.iter().all(|cpu| usable.is_set(*cpu)));
        assert_eq!(groups.len(), usable.count() as usize);
        assert!(Cores::nothing().reserve(groups.len() + 1).is_err());
    }
}
