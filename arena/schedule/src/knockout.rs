//! Knockout: the loser of a meeting leaves, the winner plays on, until one engine is left.

use super::Plan;
use super::finished_pair::FinishedPair;
use super::order::{Meetings, Order, half_points};
use super::round_table::{MeetingRow, RoundTable};

/// The settings of a knockout tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnockoutSettings {
    /// The number of pairs of a meeting in each game.
    pub pairs: u32,
    /// The maximum number of further pairs in each game while the scores are level. After them the better seed wins.
    pub tie_pairs: u32,
    /// Whether the losers of the semi-finals play for the third place.
    pub third_place: bool,
}

/// The order of the pairs of a knockout tournament. A round is chosen when the one before it is decided.
///
/// The seeds are the engines in the order of the file. The bracket is the usual one: the first two seeds can only meet in the
/// final, the first four in the semi-finals. If the number of engines is no power of two, the top seeds have no opponent in the
/// first round.
#[derive(Clone, Debug)]
pub struct Knockout {
    names: Vec<String>,
    meetings: Meetings,
    settings: KnockoutSettings,
    sequence: Vec<u32>,
    n_counted: usize,
    rounds: Vec<Vec<Tie>>,
    n_rounds: u32,
}

/// A meeting in the bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tie {
    /// The better seed and the other one, which a bye does not have.
    engines: [usize; 2],
    is_bye: bool,
    /// In half points.
    scored: [u32; 2],
    /// The number of pairs of each game that are chosen.
    n_chosen: u32,
}

impl Tie {
    const fn is_level(&self) -> bool {
        !self.is_bye && self.scored[0] == self.scored[1]
    }

    /// The winner and the loser. The better seed wins if the scores are level.
    const fn ranked(&self) -> [usize; 2] {
        let [first, second] = self.engines;
        if self.scored[0] < self.scored[1] { [second, first] } else { [first, second] }
    }
}

impl Knockout {
    /// The order of the pairs of `plan`, whose contenders have these `names`.
    pub fn new(plan: &Plan, names: &[String], settings: KnockoutSettings) -> Self {
        let n_slots = names.len().next_power_of_two();
        let slots = bracket(n_slots);
        let tie = |pair: &[usize]| tie([pair[0], pair[1]], names.len() <= pair[0].max(pair[1]));
        let mut knockout = Self {
            names: names.to_vec(),
            meetings: Meetings::new(plan),
            settings,
            sequence: Vec::new(),
            n_counted: 0,
            rounds: vec![slots.chunks_exact(2).map(tie).collect()],
            n_rounds: n_slots.trailing_zeros(),
        };
        knockout.choose();
        knockout
    }

    /// The winner of the tournament, when it is over.
    pub fn winner(&self) -> Option<usize> {
        let last = self.rounds.last()?.first()?;
        self.is_all().then(|| last.ranked()[0])
    }

    /// Chooses the first pairs of a round or further pairs of ties that are level, when all chosen pairs are counted.
    fn choose(&mut self) {
        while self.n_counted == self.sequence.len() {
            let KnockoutSettings { pairs, tie_pairs, .. } = self.settings;
            let round = self.rounds.last_mut().expect("the first round is always there");
            for tie in round.iter_mut().filter(|tie| tie.is_level() && tie.n_chosen < pairs + tie_pairs) {
                let next = if tie.n_chosen == 0 { pairs } else { tie.n_chosen + 1 };
                self.sequence.extend(self.meetings.pairs(tie.engines, tie.n_chosen..next));
                tie.n_chosen = next;
            }
            if self.n_counted == self.sequence.len() && !self.next_round() {
                return;
            }
        }
    }

    /// Begins the next round. Returns whether there is one.
    fn next_round(&mut self) -> bool {
        if self.rounds.len() as u32 == self.n_rounds {
            return false;
        }
        let round = self.rounds.last().expect("the first round is always there");
        let ranked: Vec<[usize; 2]> = round.iter().map(Tie::ranked).collect();
        let winners = ranked.chunks_exact(2).map(|pair| tie([pair[0][0], pair[1][0]], false));
        let mut next: Vec<Tie> = winners.collect();
        if let ([first, second], [one, other]) = (ranked.as_slice(), round.as_slice())
            && self.settings.third_place
            && !one.is_bye
            && !other.is_bye
        {
            next.push(tie([first[1], second[1]], false));
        }
        self.rounds.push(next);
        true
    }

    /// The number of pairs if meetings that are not finished have `tie_pairs` further ones.
    fn n_pairs(&self, tie_pairs: u32) -> u32 {
        if self.is_all() {
            return self.sequence.len() as u32;
        }
        let per_meeting = self.settings.pairs + tie_pairs;
        let open = self.rounds.last().into_iter().flatten().filter(|tie| !tie.is_bye);
        let n_open: u32 = open.map(|tie| per_meeting.saturating_sub(tie.n_chosen)).sum();
        let n_later = self.n_meetings_left() * per_meeting;
        self.sequence.len() as u32 + (n_open + n_later) * self.meetings.n_most_pairings()
    }

    /// The maximum number of meetings that are not in the bracket yet.
    fn n_meetings_left(&self) -> u32 {
        let n_later = self.n_rounds - self.rounds.len() as u32;
        // A round with `n` meetings is followed by one with half of them, down to the final.
        let third_place = u32::from(0 < n_later && self.settings.third_place && 3 < self.names.len());
        (1 << n_later) - 1 + third_place
    }

    fn row(&self, [idx, place]: [usize; 2], tie: &Tie, is_over: bool) -> MeetingRow {
        let [first, second] = tie.engines;
        let is_last = idx as u32 + 1 == self.n_rounds;
        let mut notes = Vec::new();
        match tie.n_chosen.saturating_sub(self.settings.pairs) {
            0 => {}
            1 => notes.push("1 more pair".to_owned()),
            n => notes.push(format!("{n} more pairs")),
        }
        if is_over && tie.is_level() {
            notes.push("level, so the better seed wins".to_owned());
        }
        MeetingRow {
            round: if is_last && place == 1 { "third place".to_owned() } else { self.name_of_round(idx) },
            first: self.label(first),
            second: (!tie.is_bye).then(|| self.label(second)),
            scored: tie.scored,
            note: notes.join(", "),
        }
    }

    /// The seed of an engine and its name.
    fn label(&self, engine: usize) -> String {
        let width = self.names.len().to_string().len();
        format!("{:>width$} {}", engine + 1, self.names[engine])
    }

    fn name_of_round(&self, idx: usize) -> String {
        match self.n_rounds as usize - idx {
            1 => "final".to_owned(),
            2 => "semi-finals".to_owned(),
            3 => "quarter-finals".to_owned(),
            left => format!("round of {}", 1_u64 << left),
        }
    }
}

/// The tie of two engines, which are seeds by index.
fn tie([one, other]: [usize; 2], is_bye: bool) -> Tie {
    Tie { engines: [one.min(other), one.max(other)], is_bye, scored: [0, 0], n_chosen: 0 }
}

/// The seeds of a bracket in its order: each two that follow one another meet.
fn bracket(n_slots: usize) -> Vec<usize> {
    let mut slots = vec![0];
    while slots.len() < n_slots {
        let last = 2 * slots.len() - 1;
        // The better seeds stand above in one half and below in the other one, as in printed brackets.
        slots = slots.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    slots
}

impl Order for Knockout {
    fn sequence(&self) -> &[u32] {
        &self.sequence
    }

    fn most_pairs(&self) -> u32 {
        self.n_pairs(self.settings.tie_pairs)
    }

    fn expected_pairs(&self) -> u32 {
        self.n_pairs(0)
    }

    fn is_all(&self) -> bool {
        let is_last = self.rounds.len() as u32 == self.n_rounds;
        let most = self.settings.pairs + self.settings.tie_pairs;
        let mut ties = self.rounds.last().into_iter().flatten();
        is_last
            && self.n_counted == self.sequence.len()
            && ties.all(|tie| !tie.is_level() || most <= tie.n_chosen)
    }

    fn count(&mut self, pair: &FinishedPair<'_>) {
        let engines = self.meetings.engines(self.sequence[self.n_counted]);
        let round = self.rounds.last_mut().expect("a pair belongs to a round");
        for (engine, scored) in engines.into_iter().zip(half_points(pair)) {
            for tie in round.iter_mut().filter(|tie| !tie.is_bye) {
                if let Some(side) = tie.engines.iter().position(|one| *one == engine) {
                    tie.scored[side] += scored;
                }
            }
        }
        self.n_counted += 1;
        self.choose();
    }

    fn tables(&self) -> Vec<RoundTable> {
        let n_over = self.rounds.len() - usize::from(!self.is_all());
        let title = match self.winner() {
            Some(winner) => format!("Knockout: {} has won", self.names[winner]),
            None => format!("Knockout: {n_over} of {} rounds finished", self.n_rounds),
        };
        let rows = self.rounds.iter().enumerate().flat_map(|(idx, round)| {
            round.iter().enumerate().map(move |(place, tie)| self.row([idx, place], tie, idx < n_over))
        });
        vec![RoundTable::of_meetings(title, rows)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::synthetic::World;
    use crate::{Course, MatchSummary, Next};
    use ratings::MatchResult;

    const SETTINGS: KnockoutSettings = KnockoutSettings { pairs: 1, tie_pairs: 2, third_place: true };

    fn knockout(world: &World) -> Knockout {
        Knockout::new(&world.plan(3), &world.names(), SETTINGS)
    }

    fn course(world: &World) -> Course {
        Course::new(world.plan(3), world.names(), Some(Box::new(knockout(world))), Vec::new())
    }

    /// Counts the next pair, whose matches have these results.
    fn count(knockout: &mut Knockout, results: [MatchResult; 2]) {
        let pair = knockout.sequence[knockout.n_counted];
        let names = knockout.names.clone();
        let engines = knockout.meetings.engines(pair).map(|idx| names[idx].as_str());
        let matches = results.map(|result| MatchSummary { result, plies: 1, time_ms: 1, is_void: false });
        knockout.count(&FinishedPair { number: pair + 1, game: "push", engines, matches });
    }

    #[test]
    fn the_bracket_is_the_usual_one() {
        assert_eq!(bracket(2), [0, 1]);
        assert_eq!(bracket(4), [0, 3, 1, 2]);
        assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5]);
    }

    #[test]
    fn draws_end_with_the_better_seed() {
        let mut knockout = knockout(&World::new(&[0.0; 5], 1));
        assert_eq!(knockout.rounds[0].iter().filter(|tie| tie.is_bye).count(), 3);
        let most = knockout.most_pairs();
        while !knockout.is_all() {
            count(&mut knockout, [MatchResult::Draw; 2]);
        }
        assert_eq!((knockout.winner(), knockout.most_pairs()), (Some(0), most));
        insta::assert_snapshot!(knockout.tables()[0]);
    }

    #[test]
    fn every_kill_resumes_to_the_same_schedule() {
        let world = World::new(&[0.0, 50.0, 90.0, 30.0, 10.0, 60.0], 4);
        let mut all = world.play_all(&mut course(&world), 1);
        all.sort_unstable();
        for n in 0..all.len() {
            let mut first = course(&world);
            let mut records = Vec::new();
            while records.len() < n {
                let Next::Play(scheduled) = first.begin_next() else { panic!("a match is left") };
                records.push(world.play(&scheduled));
                first.add(&records[records.len() - 1]);
            }
            let mut again = course(&world);
            records.iter().rev().for_each(|record| drop(again.add(record)));
            let mut numbers = world.play_all(&mut again, 3);
            numbers.extend(records.iter().map(|record| record.number));
            numbers.sort_unstable();
            assert_eq!(numbers, all, "killed after {n} matches");
        }
    }

    proptest! {
        #[test]
        fn it_always_ends(n in 2_usize..18, results in prop::collection::vec((0..3_u8, 0..3_u8), 1..40)) {
            let mut knockout = knockout(&World::new(&vec![0.0; n], 1));
            let most = knockout.most_pairs();
            let result = |number| match number {
                0 => MatchResult::WhiteWins,
                1 => MatchResult::Draw,
                _ => MatchResult::BlackWins,
            };
            for (first, second) in results.iter().cycle() {
                if knockout.is_all() {
                    break;
                }
                prop_assert!(knockout.n_counted < knockout.sequence.len(), "there is always a pair to play");
                count(&mut knockout, [result(*first), result(*second)]);
            }
            prop_assert!(knockout.winner().is_some() && knockout.most_pairs() <= most);
            let n_ties = knockout.rounds.iter().flatten().filter(|tie| !tie.is_bye).count();
            let has_third = n > 3;
            prop_assert_eq!(n_ties, n - 1 + usize::from(has_third));
        }
    }
}
