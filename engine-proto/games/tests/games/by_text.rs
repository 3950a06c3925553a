//! The methods of `AnyPlay` that go through texts are the slow version of those that `Play` overrides: they agree.

use games::scene::{Effects, Layout, Scene};
use games::{AnyPlay, End, GameId, Games, IllegalMove, Side};

/// A play of which only the required methods are known, as of rules in another program.
struct ByText(Box<dyn AnyPlay>);

impl AnyPlay for ByText {
    fn boxed(&self) -> Box<dyn AnyPlay> {
        Box::new(Self(self.0.clone()))
    }
    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }
    fn fen(&self) -> String {
        self.0.fen()
    }
    fn n_moves(&self) -> usize {
        self.0.n_moves()
    }
    fn end(&self) -> Option<End> {
        self.0.end()
    }
    fn position_end(&self) -> Option<End> {
        self.0.position_end()
    }
    fn position_moves(&self) -> Vec<String> {
        self.0.position_moves()
    }
    fn play_on(&mut self, text: &str) -> Result<(), IllegalMove> {
        self.0.play_on(text)
    }
    fn layout(&self) -> Layout {
        self.0.layout()
    }
    fn scene(&self) -> Scene {
        self.0.scene()
    }
    fn effects(&self) -> Option<Effects> {
        self.0.effects()
    }
}

#[test]
fn text_and_types_agree() {
    for game in GameId::BUILT_IN.iter().chain(GameId::ON_REQUEST) {
        for seed in 0..6 {
            let mut fast = Games::built_in().startpos(*game).unwrap();
            let mut slow = ByText(Games::built_in().startpos(*game).unwrap());
            let choose = |n: usize| (seed * 7919 + n * 31) % n;
            let n_moves = 25 * seed as u32;
            assert_eq!(
                fast.play_chosen(n_moves, &mut { choose }),
                slow.play_chosen(n_moves, &mut { choose })
            );
            compare(fast.as_ref(), &slow);
        }
    }
}

/// Deeper, where there are few moves.
#[test]
fn text_and_types_agree_in_depth() {
    let fen = "7/7/7/A1*3a/7/7/7 w - - 3 20";
    let fast = Games::built_in().play(GameId::PUSH_PUSH, fen).unwrap();
    let slow = ByText(fast.clone());
    for depth in 2..=3 {
        assert_eq!(fast.perft(depth), slow.perft(depth), "depth {depth}");
        assert_eq!(fast.is_decided(depth), slow.is_decided(depth), "depth {depth}");
        let n_reachable = |play: &dyn AnyPlay| play.reachable(depth, 10_000).map(|seen| seen.len());
        assert_eq!(n_reachable(fast.as_ref()), n_reachable(&slow), "depth {depth}");
    }
}

/// A game that is drawn by repetition goes on by the position's own rules.
#[test]
fn a_draw_by_repetition_can_be_played_on() {
    let start = "7/7/7/3*3/7/7/A5a w - - 3 20";
    let mut fast = Games::built_in().play(GameId::PUSH_PUSH, start).unwrap();
    let mut slow = ByText(Games::built_in().play(GameId::PUSH_PUSH, start).unwrap());
    for mv in ["a1a2", "g1g2", "a2a1", "g2g1", "a1a2", "g1g2", "a2a1", "g2g1"] {
        fast.play(mv).unwrap();
        slow.play(mv).unwrap();
    }
    assert_eq!(fast.end(), Some(End::draw("repetition")));
    compare(fast.as_ref(), &slow);
    assert!(fast.legal_moves().is_empty() && !fast.position_moves().is_empty());
    for play in [fast.as_mut(), &mut slow as &mut dyn AnyPlay] {
        assert!(play.play("a1a2").is_err());
        assert!(play.play_on("a1a7").is_err());
        play.play_on("a1a2").unwrap();
        assert_eq!(play.n_moves(), 9);
    }
    compare(fast.as_ref(), &slow);
}

fn compare(fast: &dyn AnyPlay, slow: &ByText) {
    let fen = fast.fen();
    assert_eq!(slow.fen(), fen);
    assert_eq!(fast.legal_moves(), slow.legal_moves(), "{fen}");
    assert_eq!(fast.n_legal_moves(), slow.n_legal_moves(), "{fen}");
    assert_eq!(slow.n_legal_moves(), slow.legal_moves().len(), "{fen}");
    assert_eq!(fast.is_decided(1), slow.is_decided(1), "{fen}");
    let split = |play: &dyn AnyPlay, depth| {
        let mut lines = Vec::new();
        (play.split(depth, &mut |line| lines.push(line.to_owned())), lines)
    };
    for depth in 0..=1 {
        assert_eq!(fast.perft(depth), slow.perft(depth), "{fen}, depth {depth}");
        assert_eq!(split(fast, depth), split(slow, depth), "{fen}, depth {depth}");
    }
    let n_reachable = |play: &dyn AnyPlay, limit| play.reachable(1, limit).map(|seen| seen.len());
    for limit in [0, 3, 10_000] {
        assert_eq!(n_reachable(fast, limit), n_reachable(slow, limit), "{fen}, limit {limit}");
    }
}
