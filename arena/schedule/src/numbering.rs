//! Finds the match of the schedule that a record belongs to. Match numbers change when engines are added or removed.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::{Plan, ScheduledMatch};
use crate::openings::Openings;
use model::Record;

/// The match numbers of a schedule.
#[derive(Debug)]
pub struct Numbering {
    schedule: Schedule,
    /// The schedule of the previous run if it was different: the numbers in the records come from it.
    earlier: Option<Schedule>,
    /// Computed when a match is looked up that has a new number.
    pairings: OnceCell<HashMap<Meeting, usize>>,
}

/// A plan, and the names of its contenders by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The plan.
    pub plan: Plan,
    /// The names.
    pub names: Vec<String>,
}

/// The index of a game, the name of the limits if there are several, and the names of two contenders in alphabetical order.
type Meeting = (usize, Option<String>, [String; 2]);

impl Numbering {
    /// The numbers in `schedule`, for records of a run with the schedule `earlier`.
    pub fn new(schedule: Schedule, earlier: Schedule) -> Self {
        let earlier = (earlier != schedule).then_some(earlier);
        Self { schedule, earlier, pairings: OnceCell::new() }
    }

    /// The match of the schedule that `record` belongs to, if there is one: its number and that of its pair.
    /// `openings` are those of the schedule's games; only those that the records name are drawn.
    pub fn find(&self, record: &Record, openings: &mut [Openings]) -> Option<(u32, u32)> {
        let mut is_of = |schedule: &Schedule| {
            let named = schedule.named_by(record)?;
            openings[named.game_idx].is_recorded(named.round as usize, &record.opening).then_some(named)
        };
        if let Some(earlier) = &self.earlier
            && let Some(named) = is_of(earlier)
        {
            return self.number_of(record, named);
        }
        // There is no earlier schedule, or its run was killed when the numbers were already new.
        is_of(&self.schedule).map(|named| (named.number, named.pair))
    }

    /// The numbers of the match between these engines in the round in which they met in the earlier schedule.
    fn number_of(
        &self,
        record: &Record,
        ScheduledMatch { game_idx, round, .. }: ScheduledMatch,
    ) -> Option<(u32, u32)> {
        let plan = &self.schedule.plan;
        let meeting = meeting(game_idx, record.limits.as_deref(), [&record.white, &record.black]);
        let pairing = *self.pairings.get_or_init(|| self.schedule.meetings()).get(&meeting)?;
        if plan.rounds()[pairing] <= round {
            return None;
        }
        let pair_idx = plan.pair_of(pairing, round);
        let [first, _] = plan.pairings()[pairing].contenders;
        let is_swapped = self.schedule.names[first] != record.white;
        Some((2 * pair_idx + 1 + u32::from(is_swapped), pair_idx + 1))
    }
}

impl Schedule {
    /// The match with the record's number, if it has the same engines, sides, game and limits.
    pub fn named_by(&self, record: &Record) -> Option<ScheduledMatch> {
        let is_there = (1..=self.plan.n_matches()).contains(&record.number);
        let scheduled = is_there.then(|| self.plan.scheduled(record.number))?;
        let [white, black] = scheduled.contenders.map(|idx| &self.names[idx]);
        let is_same = scheduled.game == record.game
            && self.plan.limits(scheduled.limits_idx) == record.limits.as_deref();
        (is_same && *white == record.white && *black == record.black).then_some(scheduled)
    }

    /// The index of the pairing of each meeting.
    fn meetings(&self) -> HashMap<Meeting, usize> {
        let pairings = self.plan.pairings().iter().enumerate();
        pairings
            .map(|(idx, pairing)| {
                (
                    meeting(
                        pairing.game_idx,
                        self.plan.limits(pairing.limits_idx),
                        pairing.contenders.map(|contender| self.names[contender].as_str()),
                    ),
                    idx,
                )
            })
            .collect()
    }
}

fn meeting(game_idx: usize, limits: Option<&str>, names: [&str; 2]) -> Meeting {
    let mut names = names.map(str::to_owned);
    names.sort_unstable();
    (game_idx, limits.map(str::to_owned), names)
}

#[cfg(test)]
mod tests {
    use engine_proto::GameId;

    use super::*;
    use crate::openings::tests::source;
    use crate::synthetic::World;
    use crate::{Pairing, round_robin};

    const GAMES: [GameId; 2] = [GameId::TOWER_PUSH, GameId::PUSH_PUSH];

    fn schedule(names: &[&str], rounds: u32) -> Schedule {
        let pairings = round_robin(names.len(), GAMES.len(), |_, _| true);
        let names = names.iter().map(ToString::to_string).collect();
        Schedule { plan: Plan::new(GAMES.to_vec(), pairings, rounds), names }
    }

    fn openings() -> Vec<Openings> {
        GAMES.map(|game| source(game).openings(1000).unwrap()).into()
    }

    fn record(schedule: &Schedule, number: u32) -> Record {
        let scheduled = schedule.plan.scheduled(number);
        let opening = openings()[scheduled.game_idx].fen(scheduled.round as usize).unwrap().to_owned();
        let [white, black] = scheduled.contenders.map(|idx| schedule.names[idx].clone());
        let world = World { plies: vec![40; GameId::BUILT_IN.len()], ..World::new(&[0.0; 9], 1) };
        Record { opening, white, black, ..world.play(&scheduled) }
    }

    #[test]
    fn engines_come_and_go_and_change_places() {
        let old = schedule(&["a", "b", "c"], 3);
        let new = schedule(&["d", "c", "a"], 2);
        let numbering = Numbering::new(new.clone(), old.clone());
        let mut openings = openings();
        for number in 1..=old.plan.n_matches() {
            let (played, record) = (old.plan.scheduled(number), record(&old, number));
            let found = numbering.find(&record, &mut openings);
            let is_part = record.white != "b" && record.black != "b" && played.round < 2;
            assert_eq!(found.is_some(), is_part, "{record:?}");
            if let Some((number, pair)) = found {
                let scheduled = new.plan.scheduled(number);
                assert_eq!(
                    (scheduled.pair, scheduled.game, scheduled.round),
                    (pair, played.game, played.round)
                );
                let [white, black] = scheduled.contenders.map(|idx| new.names[idx].as_str());
                assert_eq!([white, black], [record.white.as_str(), record.black.as_str()]);
            }
        }
    }

    #[test]
    fn limits_come_and_go_and_change_places() {
        let under = |names: &[&str]| {
            let Schedule { plan, names: engines } = schedule(&["a", "b", "c"], 3);
            let of =
                |limits_idx| plan.pairings().iter().map(move |pairing| Pairing { limits_idx, ..*pairing });
            let pairings = (0..names.len()).flat_map(of).collect();
            let limits = names.iter().map(ToString::to_string).collect();
            Schedule { plan: Plan::new(GAMES.to_vec(), pairings, 3).under(limits), names: engines }
        };
        let (old, new) = (under(&["short", "long"]), under(&["tiny", "long"]));
        let numbering = Numbering::new(new.clone(), old.clone());
        let mut openings = openings();
        for number in 1..=old.plan.n_matches() {
            let limits = old.plan.limits(old.plan.scheduled(number).limits_idx).unwrap().to_owned();
            let is_kept = limits == "long";
            let record = Record { limits: Some(limits), ..record(&old, number) };
            let found = numbering.find(&record, &mut openings);
            assert_eq!(found.is_some(), is_kept, "{record:?}");
            if let Some((number, _)) = found {
                assert_eq!(new.plan.limits(new.plan.scheduled(number).limits_idx), Some("long"));
            }
            assert_eq!(numbering.find(&Record { limits: None, ..record }, &mut openings), None);
        }
    }

    #[test]
    fn the_numbers_are_new_but_the_earlier_schedule_is_still_written_down() {
        let (old, new) = (schedule(&["a", "b"], 9), schedule(&["x", "a", "b"], 9));
        let numbering = Numbering::new(new.clone(), old);
        let mut openings = openings();
        for number in 1..=new.plan.n_matches() {
            let found = numbering.find(&record(&new, number), &mut openings);
            assert_eq!(found, Some((number, number.div_ceil(2))));
        }
    }

    #[test]
    fn no_more_openings_are_drawn_than_the_records_name() {
        let long = schedule(&["a", "b"], 100_000_000);
        let numbering = Numbering::new(long.clone(), long.clone());
        let mut openings = openings();
        for number in [1, 2, 7, 11] {
            let found = numbering.find(&record(&long, number), &mut openings);
            assert_eq!(found, Some((number, number.div_ceil(2))));
        }
        assert_eq!(openings.iter().map(Openings::n_drawn).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn a_match_from_another_opening_is_none_of_the_schedule() {
        let schedule = schedule(&["a", "b"], 4);
        let numbering = Numbering::new(schedule.clone(), schedule.clone());
        let right = record(&schedule, 1);
        for wrong in [
            Record { opening: record(&schedule, 5).opening, ..right.clone() },
            Record { opening: "rubbish".to_owned(), ..right.clone() },
            Record { number: 2, ..right.clone() },
            Record { number: 3, ..right.clone() },
            Record { number: 0, ..right.clone() },
            Record { number: u32::MAX, ..right.clone() },
            Record { white: "z".to_owned(), ..right.clone() },
        ] {
            assert_eq!(numbering.find(&wrong, &mut openings()), None, "{wrong:?}");
        }
        assert_eq!(numbering.find(&right, &mut openings()), Some((1, 1)));
    }
}
