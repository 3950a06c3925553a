//! Every kind of line, both ways: what it is read as and how it is written. What is written reads as the same, and no
//! text makes a parser panic.

#[path = "../fuzz/src/lib.rs"]
mod fuzz;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use engine_proto::proto::{
    Answer, BestMove, Command, GameOver, Go, Info, InfoLine, LONGEST_STAT_KEY, Limits, LineError, OptionKind,
    OptionSpec, OptionValue, Query, Reply, Score, StartAt, Stat, Words, first_word,
};
use engine_proto::{End, Side};
use proptest::collection::vec;
use proptest::prelude::*;

const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn malformed<T>(line: &Result<T, LineError>) -> bool {
    matches!(line, Err(LineError::Malformed { .. }))
}

/// Each `canonical` line is read as the command and written so; each of the others is read as the same.
fn check_command(command: Command<'_>, canonical: &str, others: &[&str]) {
    assert_eq!(command.to_string(), canonical);
    for line in [canonical].iter().chain(others) {
        assert_eq!(Command::parse(line), Ok(command), "{line}");
    }
}

fn check_reply(reply: &Reply<'_>, canonical: &str, others: &[&str]) {
    assert_eq!(reply.to_string(), canonical);
    for line in [canonical].iter().chain(others) {
        assert_eq!(Reply::parse(line).as_ref(), Ok(reply), "{line}");
    }
}

#[test]
fn commands_of_one_word() {
    check_command(Command::Ugi, "ugi", &[" ugi", "ugi\r", "\tugi  now"]);
    check_command(Command::IsReady, "isready", &["isready \r\n"]);
    check_command(Command::NewGame, "uginewgame", &[]);
    check_command(Command::Stop, "stop", &["stop now"]);
    check_command(Command::PonderHit, "ponderhit", &["ponderhit \r"]);
    check_command(Command::Quit, "quit", &[]);
    check_command(Command::Show, "d", &[]);
    check_command(Command::Perft(5), "perft 5", &["perft\t05 x"]);
    for line in ["", " ", "\r", "uci", "UGI", "ugi2", "#", "é"] {
        assert_eq!(Command::parse(line), Err(LineError::Unknown), "{line}");
    }
    for line in ["perft", "perft x", "perft -1"] {
        assert!(malformed(&Command::parse(line)), "{line}");
    }
}

#[test]
fn setting_options() {
    check_command(
        Command::SetOption { name: Words::new("Game"), value: Some("push-push") },
        "setoption name Game value push-push",
        &["setoption  name\tGame   value  push-push \r"],
    );
    check_command(
        Command::SetOption { name: Words::new("Clear  Hash"), value: None },
        "setoption name Clear Hash",
        &[],
    );
    check_command(
        Command::SetOption { name: Words::new("Own Book"), value: Some("a  name value b") },
        "setoption name Own Book value a  name value b",
        &[],
    );
    check_command(
        Command::SetOption { name: Words::new("File"), value: Some("") },
        "setoption name File value <empty>",
        &["setoption name File value", "setoption name File value "],
    );
    for line in ["setoption", "setoption Game value x", "setoption name", "setoption name value x"] {
        assert!(malformed(&Command::parse(line)), "{line}");
    }
}

#[test]
fn positions() {
    check_command(
        Command::Position { start: StartAt::Default, moves: Words::default() },
        "position startpos",
        &["position startpos moves", "position\tstartpos  moves "],
    );
    check_command(
        Command::Position { start: StartAt::Default, moves: Words::new("a1b2 pass") },
        "position startpos moves a1b2 pass",
        &["position startpos  moves   a1b2\tpass\r"],
    );
    check_command(
        Command::Position { start: StartAt::Fen(Words::new("3/3/3 w 0 0")), moves: Words::new("a1b2") },
        "position fen 3/3/3 w 0 0 moves a1b2",
        &["position fen 3/3/3  w 0\t0  moves a1b2"],
    );
    check_command(
        Command::Position { start: StartAt::Fen(Words::new("3/3/3 w 0 0")), moves: Words::default() },
        "position fen 3/3/3 w 0 0",
        &[],
    );
    for line in [
        "position",
        "position fen",
        "position fen moves a1b2",
        "position moves a1b2",
        "position a1b2",
        "position startpos a1b2",
        "position startpos w moves a1b2",
    ] {
        assert!(malformed(&Command::parse(line)), "{line}");
    }
    check_command(Command::LegalMoves(Words::new("a1b2 pass")), "legalmoves a1b2 pass", &[]);
    check_command(Command::LegalMoves(Words::default()), "legalmoves", &[]);
}

#[test]
fn going() {
    let none = Limits::default();
    let check_command = |limits: Limits, canonical: &str, others: &[&str]| {
        check_command(Command::Go(limits.into()), canonical, others);
    };
    check_command(none, "go", &["go currmove a1", "go searchmoves", "go 7"]);
    check_command(
        Limits { time: [Some(ms(9990)), Some(ms(10_000))], increment: [ms(100), ms(200)], ..none },
        "go p1time 9990 p2time 10000 p1inc 100 p2inc 200",
        &["go p2inc 200 p1inc 100  p2time 10000 wtime 5 p1time 1 p1time 9990"],
    );
    check_command(
        Limits { time: [Some(ms(0)), None], moves_to_go: Some(40), ..none },
        "go p1time 0 movestogo 40",
        &["go p1time -35 movestogo 40"],
    );
    check_command(
        Limits { move_time: Some(ms(5)), depth: Some(3), nodes: Some(1000), infinite: true, ..none },
        "go movetime 5 depth 3 nodes 1000 infinite",
        &["go infinite depth 3 mate 2 nodes 1000 movetime 5"],
    );
    check_command(
        Limits { depth: Some(u32::MAX), nodes: Some(u64::MAX), ..none },
        "go depth 4294967295 nodes 18446744073709551615",
        &["go depth 99999999999999999999999999 nodes 99999999999999999999999999"],
    );
    for line in ["go depth", "go depth x", "go depth -1", "go movetime infinite", "go p1time 1.5"] {
        assert!(malformed(&Command::parse(line)), "{line}");
    }
    assert!(none.is_infinite(Side::White));
    let of_white = Limits { time: [Some(ms(1)), None], ..none };
    assert!(!of_white.is_infinite(Side::White) && of_white.is_infinite(Side::Black));
    assert!(Limits { infinite: true, ..of_white }.is_infinite(Side::White));
}

#[test]
fn going_with_more_than_limits() {
    let go = Go { limits: Limits { depth: Some(3), ..Limits::default() }, ..Go::default() };
    check_command(
        Command::Go(Go { ponder: true, ..go }),
        "go ponder depth 3",
        &["go depth 3 ponder", "go ponder ponder  depth 3 x"],
    );
    check_command(
        Command::Go(Go { draw_offer: true, ..go }),
        "go depth 3 drawoffer",
        &["go drawoffer depth 3"],
    );
    check_command(
        Command::Go(Go { search_moves: Words::new("a1b2 c3d4"), ..go }),
        "go depth 3 searchmoves a1b2 c3d4",
        &["go searchmoves a1b2  c3d4 depth 3", "go searchmoves x depth 3 searchmoves a1b2 c3d4"],
    );
    check_command(
        Command::Go(Go { ponder: true, draw_offer: true, search_moves: Words::new("a1b2"), ..go }),
        "go ponder depth 3 drawoffer searchmoves a1b2",
        &["go searchmoves a1b2 drawoffer ponder depth 3"],
    );
    assert!(malformed(&Command::parse("go searchmoves a1b2 depth")));
}

#[test]
fn the_end_of_a_match() {
    let over = |winner, reason| Command::GameOver(GameOver { winner, reason: Words::new(reason) });
    check_command(over(Some(Side::White), "goal"), "gameover p1win goal", &["gameover\tp1win  goal \r"]);
    check_command(over(Some(Side::Black), "illegal-move"), "gameover p2win illegal-move", &[]);
    check_command(over(None, "agreement"), "gameover draw agreement", &[]);
    check_command(over(None, ""), "gameover draw", &[]);
    for line in ["gameover", "gameover goal", "gameover none"] {
        assert!(malformed(&Command::parse(line)), "{line}");
    }
}

#[test]
fn queries_and_responses() {
    check_command(Command::Query(Query::P1Turn), "query p1turn", &[]);
    check_command(Command::Query(Query::GameOver), "query gameover", &["query  gameover \r"]);
    check_command(Command::Query(Query::Result), "query result", &[]);
    check_command(Command::Query(Query::LegalMoves), "query legalmoves", &[]);
    check_command(Command::Query(Query::Perft(5)), "query perft 5", &["query perft 05 x"]);
    check_command(Command::Query(Query::Fen), "query fen", &[]);
    for unknown in ["winner", "perft", "perft x", "two words"] {
        let query = Command::Query(Query::Unknown(Words::new(unknown)));
        check_command(query, &format!("query {unknown}"), &[]);
    }
    assert!(malformed(&Command::parse("query")));
    for (answer, line) in [
        (Answer::Truth(true), "response true"),
        (Answer::Truth(false), "response false"),
        (Answer::Win(Side::White), "response p1win"),
        (Answer::Win(Side::Black), "response p2win"),
        (Answer::Draw, "response draw"),
        (Answer::NoResult, "response none"),
        (Answer::Unknown, "response unknown"),
        (Answer::Text(Words::default()), "response"),
        (Answer::Text(Words::new("1234")), "response 1234"),
        (Answer::Text(Words::new("a1b2 pass")), "response a1b2 pass"),
    ] {
        check_reply(&Reply::Response(answer), line, &[]);
    }
    check_reply(&Reply::Response(Answer::Truth(true)), "response true", &["response true indeed"]);
    assert_eq!(Answer::result(Some(End::win(Side::Black, "home"))), Answer::Win(Side::Black));
    assert_eq!(Answer::result(Some(End::draw("quiet"))), Answer::Draw);
    assert_eq!(Answer::result(None), Answer::NoResult);
}

#[test]
fn replies_of_few_words() {
    check_reply(&Reply::IdName("Example  1.0"), "id name Example  1.0", &["id\tname  Example  1.0 \r"]);
    check_reply(&Reply::IdAuthor("A. N. Author"), "id author A. N. Author", &[]);
    check_reply(&Reply::IdVersion("1.0 (a1b2c3)"), "id version 1.0 (a1b2c3)", &["id version  1.0 (a1b2c3) "]);
    check_reply(&Reply::IdName(""), "id name", &["id name "]);
    check_reply(&Reply::UgiOk, "ugiok", &["ugiok \r"]);
    check_reply(&Reply::ReadyOk, "readyok", &[]);
    check_reply(&Reply::IdProtocol("ugi-2"), "id protocol ugi-2", &[]);
    let best = BestMove::of("d7d6");
    check_reply(
        &Reply::BestMove(best),
        "bestmove d7d6",
        &["bestmove  d7d6 ponder", "bestmove d7d6 !? c1c2\r"],
    );
    check_reply(&Reply::BestMove(BestMove::of("resign")), "bestmove resign", &[]);
    check_reply(
        &Reply::BestMove(BestMove { draw: true, ..best }),
        "bestmove d7d6 draw",
        &["bestmove d7d6 x draw"],
    );
    check_reply(
        &Reply::BestMove(BestMove { ponder: Some("c1c2"), ..best }),
        "bestmove d7d6 ponder c1c2",
        &["bestmove d7d6 ponder c1c3 ponder c1c2"],
    );
    check_reply(
        &Reply::BestMove(BestMove { ponder: Some("c1c2"), draw: true, ..best }),
        "bestmove d7d6 ponder c1c2 draw",
        &["bestmove d7d6 draw ponder c1c2"],
    );
    for line in ["", "uciok", "id", "id country NL", "loading ...", "go", "ugi"] {
        assert_eq!(Reply::parse(line), Err(LineError::Unknown), "{line}");
    }
    for line in ["bestmove", "bestmove  \r"] {
        assert!(malformed(&Reply::parse(line)), "{line}");
        assert_eq!(first_word(line), "bestmove");
    }
}

#[test]
fn infos() {
    let line = InfoLine {
        depth: Some(3),
        seldepth: Some(9),
        multipv: Some(1),
        score: Some(Score::Centi(-12)),
        nodes: Some(2881),
        nps: Some(720_250),
        time: Some(ms(4)),
        hashfull: Some(17),
        stat: Some(Stat { key: "cuts", value: -3 }),
        pv: Words::new("d7d6 c1c2"),
        string: Some("two  words"),
    };
    let canonical = "info depth 3 seldepth 9 multipv 1 score cp -12 nodes 2881 nps 720250 time 4 \
                     hashfull 17 stat cuts -3 pv d7d6 c1c2 string two  words";
    check_reply(
        &Reply::Info(line),
        canonical,
        &["info  pv d7d6\tc1c2 depth 3 seldepth 9 currmove a1 score cp -12 lowerbound nodes 2881 \
           multipv 1 tbhits 0 nps 720250 time 4 hashfull 17 stat cuts 5 stat cuts -3 string  two  words \r"],
    );
    assert_eq!(Info::from(&line).to_string(), canonical);
    check_reply(&Reply::Info(InfoLine::default()), "info", &["info ", "info hello", "info depth", "info pv"]);
    check_reply(&Reply::Info(InfoLine::text("depth 3")), "info string depth 3", &[]);
    check_reply(&Reply::Info(InfoLine::text("")), "info string", &[]);
    assert_eq!(InfoLine::text("two\nlines\n").to_string(), "info string two lines");
}

#[test]
fn what_cannot_be_read_of_an_info_is_passed_over() {
    for line in [
        "info depth x nodes 5",
        "info depth nodes 5",
        "info score nodes 5",
        "info score cp nodes 5",
        "info score cp 1.5 nodes 5",
        "info score win -1 nodes 5",
        "info time -1 nodes 5",
        "info multipv -1 nodes 5 nps",
        "info stat cuts nodes 5",
        "info stat cuts 1.5 nodes 5",
        "info stat aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1 nodes 5",
    ] {
        let info = InfoLine { nodes: Some(5), ..InfoLine::default() };
        assert_eq!(Reply::parse(line), Ok(Reply::Info(info)), "{line}");
    }
}

#[test]
fn scores() {
    for (text, score, canonical) in [
        ("cp 0", Score::Centi(0), "cp 0"),
        ("cp 99999999999", Score::Centi(i32::MAX), "cp 2147483647"),
        ("cp -99999999999", Score::Centi(i32::MIN), "cp -2147483648"),
        ("win 3", Score::Win(3), "win 3"),
        ("loss 0", Score::Loss(0), "loss 0"),
        ("mate 1", Score::Win(1), "win 1"),
        ("mate 3", Score::Win(5), "win 5"),
        ("mate -2", Score::Loss(4), "loss 4"),
        ("mate 0", Score::Loss(0), "loss 0"),
        ("mate -99999999999999999999", Score::Loss(u32::MAX), "loss 4294967295"),
    ] {
        let line = format!("info score {text}");
        let info = InfoLine { score: Some(score), ..InfoLine::default() };
        assert_eq!(Reply::parse(&line), Ok(Reply::Info(info)), "{line}");
        assert_eq!(score.to_string(), canonical);
    }
    for score in [Score::Centi(-12), Score::Win(3), Score::Loss(0)] {
        assert_eq!(score.to_string().parse(), Ok(score));
    }
    for wrong in ["", "cp", "cp x", "12", "win -1", "cp 1 2"] {
        assert!(wrong.parse::<Score>().is_err(), "{wrong}");
    }
}

#[test]
fn options() {
    let check = |spec: OptionSpec, canonical: &str, others: &[&str]| {
        check_reply(&Reply::Option(spec), canonical, others);
    };
    check(
        OptionSpec::check("Legal Moves", false),
        "option name Legal Moves type check default false",
        &["option name Legal  Moves type check", "option name Legal Moves type check default false var x"],
    );
    check(
        OptionSpec::spin("Hash", 16, 1, 4096),
        "option name Hash type spin default 16 min 1 max 4096",
        &["option name Hash type spin max 4096 default 16  min 1 \r"],
    );
    check(
        OptionSpec::spin("N", 1, 1, i64::MAX),
        "option name N type spin default 1 min 1 max 9223372036854775807",
        &["option name N type spin min 1", "option name N type spin min 1 max 18446744073709551615"],
    );
    check(
        OptionSpec::combo("Style", "very wild", ["solid", "very wild"]),
        "option name Style type combo default very wild var solid var very wild",
        &["option name Style type combo var solid var very  wild default very wild"],
    );
    check(
        OptionSpec::combo("Game", "push", ["push", "tower-push"]),
        "option name Game type combo default push var push var tower-push",
        &["option name Game type combo var push var tower-push"],
    );
    check(OptionSpec::button("Clear Hash"), "option name Clear Hash type button", &[]);
    check(
        OptionSpec::string("File", ""),
        "option name File type string default <empty>",
        &["option name File type string", "option name File type string default"],
    );
    check(
        OptionSpec::string("File", "a  default var"),
        "option name File type string default a  default var",
        &[],
    );
    for line in [
        "option",
        "option Hash type spin",
        "option name type spin",
        "option name Hash",
        "option name Hash type",
        "option name Hash type file",
        "option name Hash value type check",
        "option name Hash type check default 1",
        "option name Hash type spin default x",
        "option name Hash type spin default 5 min 6",
        "option name Hash type spin default 5 min",
        "option name Hash type spin min 2 max 1",
        "option name Style type combo",
        "option name Style type combo default a",
        "option name Style type combo default a var b",
        "option name Style type combo var",
    ] {
        assert!(malformed(&Reply::parse(line)), "{line}");
    }
}

#[test]
fn options_that_contradict_themselves() {
    for spec in [
        OptionSpec::button(""),
        OptionSpec::button("a  b"),
        OptionSpec::button("a\nb"),
        OptionSpec::button("piece value"),
        OptionSpec::spin("N", 0, 1, 2),
        OptionSpec::combo("Style", "wild", ["solid"]),
        OptionSpec::combo("Style", "a var", ["a var"]),
        OptionSpec::string("File", " x"),
        OptionSpec::string("File", "<empty>"),
    ] {
        assert!(spec.validate().is_err(), "{spec:?}");
    }
    assert_eq!(OptionSpec::spin("N", 1, 1, 2).validate(), Ok(()));
}

#[test]
fn values_of_options() {
    let spin = OptionSpec::spin("N", 1, -2, 3);
    for (text, value) in
        [("-2", Some(-2)), (" 3 ", Some(3)), ("4", None), ("", None), ("x", None), ("1 2", None)]
    {
        assert_eq!(spin.read(Some(text)).ok(), value.map(OptionValue::Spin), "{text}");
    }
    let combo = OptionSpec::combo("Style", "solid", ["solid", "very wild"]);
    assert_eq!(combo.read(Some("Very  Wild")), Ok(OptionValue::Combo("very wild".to_owned())));
    assert_eq!(
        combo.read(Some("wild")).unwrap_err().to_string(),
        "option `Style` takes one of: solid, very wild, but the value is `wild`"
    );
    assert_eq!(
        OptionSpec::check("Ponder", true).read(None).unwrap_err().to_string(),
        "option `Ponder` takes `true` or `false`, but the value is missing"
    );
    assert_eq!(OptionSpec::check("Ponder", true).read(Some("False")), Ok(OptionValue::Check(false)));
    assert_eq!(OptionSpec::string("File", "x").read(Some("")), Ok(OptionValue::String(String::new())));
    assert_eq!(OptionSpec::button("Clear").read(None), Ok(OptionValue::Button));
    for spec in [spin, combo, OptionSpec::string("File", "x")] {
        assert_eq!(spec.read(Some(&spec.default_value().to_string())), Ok(spec.default_value()));
    }
}

#[test]
fn a_long_game_is_written_into_one_buffer() {
    let mut moves = String::new();
    for i in 0..10_000 {
        write!(moves, " a{}b{}", i % 9 + 1, i % 8 + 1).unwrap();
    }
    let command = Command::Position { start: StartAt::Default, moves: Words::new(&moves) };
    let mut buffer = String::with_capacity(100_000);
    let capacity = buffer.capacity();
    for _ in 0..3 {
        buffer.clear();
        write!(buffer, "{command}").unwrap();
        assert_eq!(buffer.len(), "position startpos moves".len() + moves.len());
    }
    assert_eq!(buffer.capacity(), capacity);
    assert_eq!(Command::parse(&buffer), Ok(command));
}

/// The words that stand for something within a line, and some that might be taken for such.
const VOCABULARY: &str = "ugi isready setoption name value uginewgame position startpos fen moves legalmoves go \
    p1time p2time p1inc p2inc movestogo movetime depth nodes infinite stop query p1turn gameover result quit d \
    perft id author option type check spin combo button string default min max var ugiok readyok info seldepth \
    multipv score cp win loss mate nps time hashfull pv bestmove response true false draw none ponder \
    ponderhit drawoffer searchmoves legalmoves fen unknown resign stat version protocol <empty> 0 -7 12 \
    é 99999999999999999999 -99999999999999999999";

/// Lines of the protocol's words in no sensible order.
fn near_line() -> impl Strategy<Value = String> {
    let known: Vec<_> = VOCABULARY.split(' ').map(ToOwned::to_owned).collect();
    let word = prop_oneof![4 => prop::sample::select(known), 1 => "\\PC{0,4}"];
    let space = prop_oneof![8 => Just(" "), 1 => Just("\t"), 1 => Just("  "), 1 => Just("\r")];
    vec((word, space), 0..14)
        .prop_map(|words| words.iter().flat_map(|(word, space)| [word, *space]).collect())
}

/// A word that is none of the protocol's.
fn word() -> impl Strategy<Value = String> {
    "[!-~é]{1,6}"
        .prop_filter("no word of the protocol", |word| VOCABULARY.split(' ').all(|known| known != word))
}

fn words(size: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    vec(word(), size).prop_map(|words| words.join(" "))
}

/// A text as it may stand at a line's end.
fn text() -> impl Strategy<Value = String> {
    "[ !-~é\t]{0,20}"
        .prop_map(|text| text.trim_ascii().to_owned())
        .prop_filter("not the empty text", |text| text != "<empty>")
}

fn time() -> impl Strategy<Value = Duration> {
    any::<u64>().prop_map(ms)
}

fn score() -> impl Strategy<Value = Score> {
    prop_oneof![
        any::<i32>().prop_map(Score::Centi),
        any::<u32>().prop_map(Score::Win),
        any::<u32>().prop_map(Score::Loss)
    ]
}

fn stat() -> impl Strategy<Value = Stat<String>> {
    (vec(word(), 1..9).prop_map(|words| words.concat()), any::<i64>())
        .prop_filter("not too long", |(key, _)| key.chars().count() <= LONGEST_STAT_KEY)
        .prop_map(|(key, value)| Stat { key, value })
}

prop_compose! {
    fn limits()(
        time in [prop::option::of(time()), prop::option::of(time())],
        increment in [time(), time()],
        moves_to_go in any::<Option<u32>>(),
        move_time in prop::option::of(time()),
        depth in any::<Option<u32>>(),
        nodes in any::<Option<u64>>(),
        infinite in any::<bool>(),
    ) -> Limits {
        Limits { time, increment, moves_to_go, move_time, depth, nodes, infinite }
    }
}

prop_compose! {
    fn info()(
        (depth, seldepth, multipv, hashfull) in any::<(Option<u32>, Option<u32>, Option<u32>, Option<u32>)>(),
        (nodes, nps) in any::<(Option<u64>, Option<u64>)>(),
        score in prop::option::of(score()),
        time in prop::option::of(time()),
        pv in vec(word(), 0..5),
        string in prop::option::of(text()),
        stat in prop::option::of(stat()),
    ) -> Info {
        Info { depth, seldepth, multipv, score, nodes, nps, time, hashfull, stat, pv, string }
    }
}

fn option_spec() -> impl Strategy<Value = OptionSpec> {
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|mut numbers| {
            numbers.sort_unstable();
            let [min, default, max] = numbers;
            OptionKind::Spin { default, min, max }
        }),
        (vec(words(1..3), 1..5), any::<prop::sample::Index>()).prop_map(|(choices, index)| {
            OptionKind::Combo { default: index.get(&choices).clone(), choices }
        }),
        Just(OptionKind::Button),
        text().prop_map(|default| OptionKind::String { default }),
    ];
    (words(1..4), kind).prop_map(|(name, kind)| OptionSpec { name, kind })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_never_panic(data in vec(any::<u8>(), 0..200)) {
        fuzz::line(&data);
        fuzz::fen(&data);
        fuzz::sdk(&data);
    }

    #[test]
    fn lines_never_panic(line in near_line()) {
        fuzz::line(line.as_bytes());
        fuzz::sdk(line.as_bytes());
    }

    #[test]
    fn what_follows_go_is_read_as_written(
        limits in limits(),
        [ponder, draw_offer] in any::<[bool; 2]>(),
        moves in words(0..4),
    ) {
        let go = Go { limits, ponder, draw_offer, search_moves: Words::new(&moves) };
        let line = go.to_string();
        prop_assert_eq!(Command::parse(&line), Ok(Command::Go(go)));
    }

    #[test]
    fn commands_are_read_as_written(name in words(1..4), value in prop::option::of(text()), fen in words(1..6), moves in words(0..9)) {
        let name = Words::new(&name);
        let (fen, moves) = (StartAt::Fen(Words::new(&fen)), Words::new(&moves));
        for command in [
            Command::SetOption { name, value: value.as_deref() },
            Command::Position { start: StartAt::Default, moves },
            Command::Position { start: fen, moves },
            Command::LegalMoves(moves),
            Command::GameOver(GameOver { winner: None, reason: moves }),
        ] {
            let line = command.to_string();
            prop_assert_eq!(Command::parse(&line), Ok(command));
        }
    }

    #[test]
    fn infos_are_read_as_written(info in info()) {
        let line = info.to_string();
        let Ok(Reply::Info(read)) = Reply::parse(&line) else {
            return Err(TestCaseError::fail(line));
        };
        prop_assert_eq!(Info::from(&read), info);
        prop_assert_eq!(read.to_string(), line);
    }

    #[test]
    fn replies_are_read_as_written(text in text(), [mv, reply] in [word(), word()], draw in any::<bool>(), answer in words(0..4), spec in option_spec()) {
        prop_assert_eq!(spec.validate(), Ok(()));
        for reply in [
            Reply::IdName(&text),
            Reply::IdAuthor(&text),
            Reply::IdVersion(&text),
            Reply::IdProtocol(&text),
            Reply::BestMove(BestMove { mv: &mv, ponder: None, draw }),
            Reply::BestMove(BestMove { mv: &mv, ponder: Some(&reply), draw }),
            Reply::Response(Answer::Text(Words::new(&answer))),
            Reply::Option(spec),
        ] {
            let line = reply.to_string();
            prop_assert_eq!(Reply::parse(&line), Ok(reply));
        }
    }
}

/// Not a test of correctness: how long an `info` line takes. `cargo test --release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn speed_of_reading() {
    let line = "info depth 13 seldepth 21 multipv 1 score cp 123 nodes 12345678 nps 1234567 time 10000 hashfull \
                512 pv d7d6 c1c2 a5a4 b2b3 e5e4 f2f3 g7g6 h1h2 d6d5 c2c3 a4a3 b3b4";
    let n = 1_000_000;
    let begun = Instant::now();
    for _ in 0..n {
        std::hint::black_box(Reply::parse(std::hint::black_box(line))).unwrap();
    }
    println!("{:?} for each line of {} bytes", begun.elapsed() / n, line.len());
}
