//! The signature of `bench`: the same whenever the same engine thinks about the same positions.

use engine_proto::GameId;
use engines::bench::Bench;
use engines::eval::Evaluation;
use engines::roster::Kind;

#[test]
fn the_signature_is_the_same_twice() {
    for kind in Kind::ALL {
        let [first, second] = [(); 2].map(|()| Bench::of(kind, Evaluation::Auto, 1_000).signature());
        assert_eq!(first, second, "{kind}");
    }
}

#[test]
fn the_signature_tells_searches_apart() {
    let by_nodes =
        [1_000, 1_500].map(|nodes| Bench::of(Kind::AlphaBeta, Evaluation::Auto, nodes).signature());
    assert_ne!(by_nodes[0], by_nodes[1]);
    assert_ne!(by_nodes[0], Bench::of(Kind::Mcts, Evaluation::Auto, 1_000).signature());
}

#[test]
fn the_table_has_a_line_for_each_game() {
    let table = Bench::of(Kind::Greedy, Evaluation::Auto, 1_000).to_string();
    let names: Vec<&str> = table.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let ids = GameId::BUILT_IN.iter().map(GameId::id);
    assert_eq!(names, ["game"].into_iter().chain(ids).chain(["all"]).collect::<Vec<_>>());
}
