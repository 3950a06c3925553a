//! Who meets whom next, in which game. Pure: no files, no clock, no random numbers. It never ends, and nobody waits for a
//! round.

use std::collections::BTreeMap;

use ratings::{Design, FinishedMatch, Tally};

/// The rules of a league.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Who runs it. Engines of this owner may meet each other.
    pub owner: String,
    /// The number of pairs that a new build plays in each game against anchors before its results decide.
    pub newcomer_pairs: u32,
    /// The share of all pairs that engines of one owner may play against each other.
    pub same_owner: f64,
}

/// A build that takes part, or did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name in records: `name@hash`.
    pub name: String,
    /// Who it belongs to.
    pub owner: String,
    /// Whether it never leaves, so that newcomers are measured by it.
    pub is_anchor: bool,
    /// Whether it plays each game, by index.
    pub plays: Vec<bool>,
}

/// Two builds that play a pair, and the game, all by index. The first one is White in the first match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The game.
    pub game: usize,
    /// The two builds.
    pub members: [usize; 2],
}

/// All builds of a league, their results, and the choice of the next pair.
///
/// The game is the one with the fewest pairs so far, so that every game is played equally. In it, builds with few pairs
/// come first, against anchors over the whole scale. All other pairs are those from which the table learns most: the
/// largest expected decrease of the summed variance of the expected scores between all builds that take part
/// ([`Design`]). Builds that have left are not asked about, but their results count.
#[derive(Clone, Debug)]
pub struct Pairing {
    rules: Rules,
    members: Vec<Member>,
    is_active: Vec<bool>,
    by_name: BTreeMap<String, usize>,
    games: Vec<Game>,
    n_pairs: u64,
    n_same_owner: u64,
}

/// The results in one game.
#[derive(Clone, Debug)]
struct Game {
    id: String,
    tally: Tally,
    /// The number of pairs of each build, running ones included.
    n_pairs: Vec<u32>,
    n_all: u64,
    /// The number of matches since the design was worked out.
    n_new: u64,
    known: Option<Known>,
}

/// What is known from the results until some time ago. Pairs since then are added with their expected results.
#[derive(Clone, Debug)]
struct Known {
    design: Design,
    /// The place of each build in the design.
    places: Vec<Option<usize>>,
}

/// The design is worked out again when there is this share of new matches.
const NEWS: u64 = 20;

impl Pairing {
    /// No builds yet. `games` are the games as the ratings count them.
    pub fn new(rules: Rules, games: impl IntoIterator<Item = String>) -> Self {
        let game =
            |id| Game { id, tally: Tally::new(), n_pairs: Vec::new(), n_all: 0, n_new: 0, known: None };
        Self {
            rules,
            members: Vec::new(),
            is_active: Vec::new(),
            by_name: BTreeMap::new(),
            games: games.into_iter().map(game).collect(),
            n_pairs: 0,
            n_same_owner: 0,
        }
    }

    /// All builds, in the order in which they joined.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The index of the build with this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Adds a build, or changes what is known about it. It does not play yet. Returns its index.
    pub fn know(&mut self, member: Member) -> usize {
        if let Some(idx) = self.find(&member.name) {
            self.members[idx] = member;
            return idx;
        }
        let idx = self.members.len();
        self.by_name.insert(member.name.clone(), idx);
        self.members.push(member);
        self.is_active.push(false);
        self.games.iter_mut().for_each(|game| game.n_pairs.push(0));
        idx
    }

    /// Lets a build play from now on, or rest.
    pub fn set_active(&mut self, idx: usize, is_active: bool) {
        if self.is_active[idx] != is_active {
            self.is_active[idx] = is_active;
            self.games.iter_mut().for_each(|game| game.known = None);
        }
    }

    /// Whether a build plays.
    pub fn is_active(&self, idx: usize) -> bool {
        self.is_active[idx]
    }

    /// The number of pairs in a game that have begun.
    pub fn n_pairs_of(&self, game: usize) -> u64 {
        self.games[game].n_all
    }

    /// Counts a pair as begun.
    pub fn begin(&mut self, meeting: Meeting) {
        let [first, second] = meeting.members;
        let game = &mut self.games[meeting.game];
        for member in meeting.members {
            game.n_pairs[member] += 1;
        }
        game.n_all += 1;
        self.n_pairs += 1;
        if self.members[first].owner == self.members[second].owner
            && self.members[first].owner != self.rules.owner
        {
            self.n_same_owner += 1;
        }
        if let Some(Known { design, places }) = &mut game.known
            && let (Some(first), Some(second)) = (places[first], places[second])
        {
            design.assume(first, second);
        }
    }

    /// Counts a finished match of a pair that has begun. `played` has the names of members.
    pub fn add(&mut self, game: usize, played: &FinishedMatch<'_>) {
        let game = &mut self.games[game];
        game.n_new += 1;
        game.tally.add(played).expect("two builds play a match");
    }

    /// The next pair, which counts as begun; `None` if nobody may meet.
    pub fn next(&mut self) -> Option<Meeting> {
        let mut order: Vec<usize> = (0..self.games.len()).collect();
        order.sort_by_key(|game| self.games[*game].n_all);
        let meeting = order.into_iter().find_map(|game| {
            let members = self.newcomer(game).or_else(|| self.most_telling(game))?;
            Some(Meeting { game, members })
        })?;
        self.begin(meeting);
        Some(meeting)
    }

    /// The builds that play a game now.
    fn playing(&self, game: usize) -> impl Iterator<Item = usize> {
        (0..self.members.len()).filter(move |idx| self.is_active[*idx] && self.members[*idx].plays[game])
    }

    /// Whether two builds may play each other.
    fn may_meet(&self, one: usize, other: usize) -> bool {
        let [owner, others] = [one, other].map(|idx| &self.members[idx].owner);
        let is_allowed = || (self.n_same_owner as f64) < self.rules.same_owner * self.n_pairs as f64;
        one != other && (owner != others || *owner == self.rules.owner || is_allowed())
    }

    /// The newcomer with the fewest pairs, and an anchor. The anchors of its first pairs lie over the whole scale.
    fn newcomer(&mut self, game: usize) -> Option<[usize; 2]> {
        let least = self.rules.newcomer_pairs;
        let n_pairs = |idx: usize| self.games[game].n_pairs[idx];
        let is_new = |idx: &usize| !self.members[*idx].is_anchor && n_pairs(*idx) < least;
        let mut newcomers: Vec<usize> = self.playing(game).filter(is_new).collect();
        newcomers.sort_by_key(|idx| n_pairs(*idx));
        for newcomer in newcomers {
            let may_meet = |idx: &usize| self.may_meet(newcomer, *idx);
            let anchors = self.playing(game).filter(|idx| self.members[*idx].is_anchor).filter(may_meet);
            let mut scale: Vec<usize> = anchors.collect();
            if scale.is_empty() {
                scale = self.playing(game).filter(|idx| !is_new(idx)).filter(may_meet).collect();
            }
            if scale.is_empty() {
                scale = self.playing(game).filter(may_meet).collect();
            }
            if scale.is_empty() {
                continue;
            }
            let turn = n_pairs(newcomer);
            let known = self.known(game);
            let elo = |idx: &usize| known.places[*idx].map_or(0.0, |place| known.design.elo(place));
            scale.sort_by(|one, other| elo(one).total_cmp(&elo(other)));
            return Some([newcomer, scale[place_on_scale(turn, scale.len())]]);
        }
        None
    }

    /// The pair from which the table learns most; the first of several.
    fn most_telling(&mut self, game: usize) -> Option<[usize; 2]> {
        let playing: Vec<usize> = self.playing(game).collect();
        self.known(game);
        let Known { design, places } = self.games[game].known.as_ref().expect("it was worked out");
        // By place in the design.
        let members: BTreeMap<usize, usize> =
            playing.iter().filter_map(|idx| Some((places[*idx]?, *idx))).collect();
        let among: Vec<usize> = members.keys().copied().collect();
        let best =
            design.most_telling(&among, &|one, other| self.may_meet(members[&one], members[&other]))?;
        Some(best.map(|place| members[&place]))
    }

    /// What is known about a game: worked out again if there is much news.
    fn known(&mut self, game_idx: usize) -> &Known {
        let n_playing = self.playing(game_idx).count() as u64;
        let game = &self.games[game_idx];
        let is_old = game.n_new >= (game.n_all / (NEWS / 2)).max(n_playing).max(8);
        if game.known.is_none() || is_old {
            let takes_part = |idx: &usize| {
                self.is_active[*idx] && self.members[*idx].plays[game_idx] || 0 < game.n_pairs[*idx]
            };
            let mut places = vec![None; self.members.len()];
            let rated: Vec<usize> = (0..self.members.len()).filter(takes_part).collect();
            for (place, idx) in rated.iter().enumerate() {
                places[*idx] = Some(place);
            }
            let names: Vec<&str> = rated.iter().map(|idx| self.members[*idx].name.as_str()).collect();
            let is_asked: Vec<bool> = rated.iter().map(|idx| self.is_active[*idx]).collect();
            let design = Design::new(&game.tally, &game.id, &names).asking_about(&is_asked);
            let game = &mut self.games[game_idx];
            game.known = Some(Known { design, places });
            game.n_new = 0;
        }
        self.games[game_idx].known.as_ref().expect("it was worked out")
    }
}

/// The place of the anchor for the pair with this index: the middle of the scale, its quarters, its eighths (the sequence of
/// van der Corput).
fn place_on_scale(turn: u32, n_anchors: usize) -> usize {
    let share = f64::from((turn + 1).reverse_bits()) / 2_f64.powi(32);
    (share * n_anchors as f64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratings::MatchResult;

    fn league(rules: Rules, owners: &[&str], n_anchors: usize, n_games: usize) -> Pairing {
        let mut pairing = Pairing::new(rules, (0..n_games).map(|game| format!("game {game}")));
        for (idx, owner) in owners.iter().enumerate() {
            let member = Member {
                name: format!("engine-{idx}@0"),
                owner: (*owner).to_owned(),
                is_anchor: idx < n_anchors,
                plays: vec![true; n_games],
            };
            let idx = pairing.know(member);
            pairing.set_active(idx, true);
        }
        pairing
    }

    fn rules() -> Rules {
        Rules { owner: "house".to_owned(), newcomer_pairs: 4, same_owner: 0.0 }
    }

    /// Plays a pair: the one with the lower index wins both matches with this share of pairs, else each wins one.
    fn play(pairing: &mut Pairing, meeting: Meeting, n: u32) {
        let [first, second] = meeting.members.map(|idx| pairing.members[idx].name.clone());
        let wins_both = n.is_multiple_of(3) && meeting.members[0] < meeting.members[1];
        let game = pairing.games[meeting.game].id.clone();
        let pair = n.to_string();
        let result = if wins_both { MatchResult::BlackWins } else { MatchResult::WhiteWins };
        for (white, black, result) in [(&first, &second, MatchResult::WhiteWins), (&second, &first, result)] {
            let played =
                FinishedMatch { pair: Some(&pair), ..FinishedMatch::new(&game, white, black, result) };
            pairing.add(meeting.game, &played);
        }
    }

    #[test]
    fn newcomers_meet_anchors_over_the_whole_scale_first() {
        assert_eq!([0, 1, 2, 3, 4].map(|turn| place_on_scale(turn, 5)), [2, 1, 3, 0, 3]);
        assert_eq!([0, 1, 2, 3].map(|turn| place_on_scale(turn, 1)), [0; 4]);
        let mut pairing = league(rules(), &["house", "house", "house", "ann", "bob"], 3, 1);
        for n in 0..8 {
            let meeting = pairing.next().expect("somebody can meet");
            assert!(3 <= meeting.members[0] && meeting.members[1] < 3, "{meeting:?}");
            play(&mut pairing, meeting, n);
        }
        assert_eq!(pairing.games[0].n_pairs[3..], [4, 4]);
        let mut met = [0; 3];
        for n in 8..60 {
            let meeting = pairing.next().expect("somebody can meet");
            meeting.members.into_iter().filter(|member| *member < 3).for_each(|member| met[member] += 1);
            play(&mut pairing, meeting, n);
        }
        assert!(met.into_iter().all(|n| 0 < n), "anchors play on: {met:?}");
    }

    #[test]
    fn every_game_is_played_equally() {
        let mut pairing = league(rules(), &["a", "b", "c", "d"], 0, 3);
        for n in 0..90 {
            let meeting = pairing.next().expect("somebody can meet");
            play(&mut pairing, meeting, n);
        }
        assert_eq!([0, 1, 2].map(|game| pairing.n_pairs_of(game)), [30; 3]);
    }

    #[test]
    fn engines_of_one_owner_meet_only_as_often_as_they_may() {
        let count = |same_owner: f64| {
            let rules = Rules { same_owner, ..rules() };
            let mut pairing = league(rules, &["ann", "ann", "ann", "bob"], 0, 1);
            let mut n_same = 0;
            for n in 0..100 {
                let meeting = pairing.next().expect("somebody can meet");
                n_same += u32::from(meeting.members.iter().all(|member| *member < 3));
                play(&mut pairing, meeting, n);
            }
            n_same
        };
        assert_eq!(count(0.0), 0);
        let n_some = count(0.1);
        assert!((1..=11).contains(&n_some), "{n_some}");
        // The league's own engines may meet, and without others nobody waits.
        assert!(league(rules(), &["house", "house"], 0, 1).next().is_some());
        assert!(league(rules(), &["ann", "ann"], 0, 1).next().is_none());
        assert!(league(rules(), &["house"], 0, 1).next().is_none());
    }

    #[test]
    fn who_rests_is_not_asked_and_comes_back_with_its_results() {
        let mut pairing = league(rules(), &["a", "b", "c"], 0, 1);
        for n in 0..30 {
            let meeting = pairing.next().expect("somebody can meet");
            play(&mut pairing, meeting, n);
        }
        let before = pairing.games[0].n_pairs[0];
        pairing.set_active(0, false);
        for n in 30..50 {
            let meeting = pairing.next().expect("two are left");
            assert!(!meeting.members.contains(&0));
            play(&mut pairing, meeting, n);
        }
        assert_eq!(pairing.games[0].n_pairs[0], before);
        pairing.set_active(0, true);
        // It is measured worse than the others now.
        let meeting = pairing.next().expect("three can meet");
        assert!(meeting.members.contains(&0), "{meeting:?}");
    }
}
